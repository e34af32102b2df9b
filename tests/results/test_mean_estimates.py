"""Means with their intervals: tables, and the sentence on the best one."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from irbounds import ScoreTable
from irbounds.presentation.registry import View, make_section, make_tables
from irbounds.results import Estimate, Interval
from irbounds.results.mean_estimates import warn_unknown_bounds


def estimate(system="a", value=0.3123, half=0.043, **more):
    given = {
        "measure": "AP",
        "interval": Interval(value - half, value + half, 0.95, "student-t"),
        "standard_error": half / 2,
        "n": 50,
        "limits": None,
        **more,
    }
    return Estimate(system=system, value=value, **given)


def test_best_first_with_the_digits_of_the_median_interval():
    rows = [estimate("b", 0.2, 0.0431), estimate("c", 0.2, 0.044), estimate("a", 0.31234, 4.0)]
    (table,) = make_tables(rows, View(queries="judged queries"))
    assert table.title == "AP: mean over 50 judged queries with its 95 % Student t interval"
    assert table.headings == ("system", "mean", "low", "high")
    assert table.cells[0] == ("a", "0.312", "-3.688", "4.312")
    assert [row[0] for row in table.cells] == ["a", "b", "c"]
    assert [record["mean"] for record in table.records] == [0.31234, 0.2, 0.2]
    assert table.bars[1] == (0.2 - 0.0431, 0.2, 0.2 + 0.0431)
    assert make_tables(rows, View(digits=1))[0].cells[0][1:] == ("0.3", "-3.7", "4.3")


def test_methods_and_measures_have_a_table_each():
    bca = Interval(0.2, 0.4, 0.95, "bca")
    drawn = {"interval": bca, "distribution": np.zeros(999), "seed": 3}
    rows = [estimate(), estimate(**drawn), estimate(measure="P@5"), estimate("b")]
    first, second, third = make_tables(rows)
    assert [len(table.cells) for table in (first, second, third)] == [2, 1, 1]
    assert (first.caption, second.caption) == ("", "999 resamples of the queries, seed 3")
    assert third.title.startswith("P@5: ")
    (poisson,) = make_tables([estimate(**drawn, weights="poisson")])
    assert poisson.caption == "999 resamples of the queries by Poisson weights, seed 3"


def test_a_limit_is_one_column_and_no_interval_is_a_dash():
    limit = Interval(0.25, math.inf, 0.9, "student-t", "greater")
    (table,) = make_tables([estimate(interval=limit)])
    assert table.headings == ("system", "mean", "low")
    assert table.cells == (("a", "0.312", "0.250"),)
    assert table.bars == ((0.25, 0.3123, math.inf),)
    nothing = Interval(math.nan, math.nan, 0.95, "bca")
    (table,) = make_tables([estimate(interval=nothing, n=1)])
    assert table.title == "AP: mean over 1 query with its 95 % BCa bootstrap interval"
    assert table.cells == (("a", "0.3123", "-", "-"),)


def test_the_default_method_is_explained_where_bounds_are_not_known():
    rows = [estimate(), estimate("b"), estimate(measure="z(AP)")]
    (warning,) = warn_unknown_bounds(rows)
    assert "bounds of AP are not known" in warning
    assert "--bounds" in warning
    assert warn_unknown_bounds([estimate(interval=Interval(0, 1, 0.95, "bca"))]) == []


@pytest.fixture
def table() -> ScoreTable:
    scores = [[0.0, 0.2, 0.4, 0.9], [0.0, 0.3, 0.5, 0.95], [0.0, 0.0, 0.01, 0.02]]
    return ScoreTable(("AP",), ("a", "b", "c"), ("q1", "q2", "q10", "q3"), np.array([scores]))


def concluded(*rows):
    (line,) = make_section(rows).conclusion
    return line


def test_overlap_is_not_equality_and_compare_decides():
    line = concluded(estimate("a"), estimate("b"), estimate("a", measure="RR"))
    assert "do not show that systems are equal" in line
    assert "`irbounds compare`" in line
    assert "too few" not in line
    limit = Interval(0.25, math.inf, 0.9, "student-t", "greater")
    line = concluded(*(estimate(name, interval=limit) for name in "ab"))
    assert line.startswith("Limits of single systems do not show which system is better")


def test_one_system_is_told_what_its_interval_covers():
    line = concluded(estimate())
    assert line.startswith("The interval is about other queries of the same kind")
    assert "same documents and judgments" in line
    assert "compare" not in line
    assert concluded(estimate(), estimate(measure="RR")).startswith("The intervals are about")
    limit = Interval(0.25, math.inf, 0.9, "student-t", "greater")
    assert concluded(estimate(interval=limit)).startswith("The limit is about")


@pytest.mark.parametrize(
    ("n", "words"), [(1, ["1 query is too few"]), (9, ["9 queries are too few"]), (10, [])]
)
def test_few_queries_are_said_to_be_few(n, words):
    line = concluded(estimate("a", n=n), estimate("b", n=n))
    assert re.findall(r"\d+ quer\w+ \w+ too few", line) == words
