"""Differences with intervals."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from irbounds import ScoreTable, difference_interval
from irbounds.presentation.figures.differences import MOST_PAIRS, differences
from irbounds.presentation.figures.style import EMPHASIS, QUIET

N = 12
QUERIES = tuple(f"q{k}" for k in range(N))
WAVE = np.linspace(-0.2, 0.2, N)


@pytest.fixture
def comparisons():
    """Good is surely above plain; noisy is not told from it."""
    plain = np.full(N, 0.4) + WAVE
    good = plain + 0.3 + 0.02 * np.sin(np.arange(N))
    noisy = plain[::-1] + 0.01
    values = np.array([[plain, good, noisy]])
    table = ScoreTable(("AP",), ("plain", "good", "noisy"), QUERIES, values)
    return difference_interval(table, baseline="plain", rng=1)


def pairs(rows):
    """Each once, though several layers share them."""
    return list({row["pair"]: row for row in rows if "pair" in row}.values())


def test_what_is_drawn_is_what_was_found(comparisons, rows_of):
    drawn = {row["system"]: row for row in pairs(rows_of(differences(comparisons)))}
    for one in comparisons:
        row = drawn[one.system]
        assert row["pair"] == f"{one.system} \N{MINUS SIGN} plain"
        assert row["difference"] == one.difference
        assert (row["low"], row["high"]) == (one.interval.low, one.interval.high)
        assert row["adjusted_p"] == one.adjusted_p_value
    assert (drawn["good"]["verdict"], drawn["noisy"]["verdict"]) == ("shown", "not shown")


def test_words(comparisons):
    figure = differences(comparisons)
    assert figure.title == "Mean difference in AP over 12 queries with its 95 % Student t interval"
    assert figure.description.startswith("2 comparisons in AP")
    assert "1 shown at the 0.05 level; the largest difference is 0.3" in figure.description
    spec = figure.to_json()
    assert "mean difference in AP" in spec
    assert "adjusted p at most 0.05" in spec


def test_what_is_shown_is_painted_right_of_what_is_not(comparisons, painted):
    """Only rows of pixels with a line in them are looked at: edges of letters are grey too."""

    def columns(figure, colour):
        ink = painted(figure, colour)
        return np.flatnonzero(ink[ink.sum(axis=1) > 30].any(axis=0))

    figure = differences(comparisons)
    assert columns(figure, EMPHASIS).min() > columns(figure, QUIET).max()
    none = [replace(one, adjusted_p_value=0.9) for one in comparisons]
    assert columns(differences(none), EMPHASIS).size == 0


def test_a_pair_without_a_test_has_a_look_of_its_own(comparisons, rows_of):
    unknown = [replace(one, adjusted_p_value=math.nan) for one in comparisons]
    assert {row["verdict"] for row in pairs(rows_of(differences(unknown)))} == {"no test"}


def test_of_very_many_pairs_the_largest_are_drawn(comparisons, rows_of):
    base = comparisons[0]
    many = [
        replace(base, system=f"s{k}", difference=(-1) ** k * k / 100) for k in range(MOST_PAIRS + 5)
    ]
    figure = differences(many)
    drawn = [row["difference"] for row in pairs(rows_of(figure))]
    assert len(drawn) == MOST_PAIRS
    assert min(map(abs, drawn)) == 0.05
    assert drawn == sorted(drawn, reverse=True)
    assert figure.title.endswith("(the 60 largest of 65)")
    assert figure.description.startswith("65 comparisons")


def test_measures_are_panels(comparisons):
    both = [*comparisons, *(replace(one, measure="nDCG@10") for one in comparisons)]
    figure = differences(both)
    assert (figure.name, len(figure.vconcat)) == ("differences", 2)
