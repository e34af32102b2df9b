"""Differences with intervals."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from irbounds import ScoreTable, difference_interval
from irbounds.presentation.figures.difference_plots import draw_differences
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
    return list({row["label"]: row for row in rows if "label" in row}.values())


def test_drawn_rows_equal_the_results(comparisons, rows_of):
    drawn = {row["system"]: row for row in pairs(rows_of(draw_differences(comparisons)))}
    for one in comparisons:
        row = drawn[one.system]
        assert row["label"] == one.system  # the baseline is in the title
        assert row["difference"] == one.value
        assert (row["low"], row["high"]) == (one.interval.low, one.interval.high)
        assert row["adjusted_p"] == one.adjusted_p_value
    entries = [drawn[name]["entry"] for name in ("good", "noisy")]
    assert entries == ["adjusted p at most 0.05", "adjusted p above 0.05"]


def test_title_and_description(comparisons):
    figure = draw_differences(comparisons)
    assert figure.title == "Mean differences from plain with 95 % Student t intervals"
    assert figure.description.startswith("2 comparisons in AP")
    assert "1 significant at the 0.05 level; the largest difference is 0.3" in figure.description
    spec = str(figure.to_dict())
    assert "mean difference in AP" in spec
    assert "adjusted p at most 0.05" in spec


def test_significant_differences_are_painted_right_of_others(comparisons, painted):
    """Only rows of pixels with a line in them are looked at: edges of letters are grey too."""

    def columns(figure, colour):
        ink = painted(figure, colour)
        return np.flatnonzero(ink[ink.sum(axis=1) > 30].any(axis=0))

    figure = draw_differences(comparisons)
    assert columns(figure, EMPHASIS).min() > columns(figure, QUIET).max()
    none = [replace(one, adjusted_p_value=0.9) for one in comparisons]
    assert columns(draw_differences(none), EMPHASIS).size == 0


def test_a_pair_without_a_test_has_a_look_of_its_own(comparisons, rows_of):
    unknown = [replace(one, adjusted_p_value=math.nan) for one in comparisons]
    assert {row["entry"] for row in pairs(rows_of(draw_differences(unknown)))} == {"no test"}


def test_of_many_pairs_the_largest_differences_are_drawn(comparisons, rows_of):
    many = [replace(comparisons[0], system=f"s{k:03}", value=1 - k / 100) for k in range(100)]
    figure = draw_differences(many[::-1], top=20)
    drawn = [row["label"] for row in pairs(rows_of(figure))]
    assert drawn == [f"s{k:03}" for k in range(20)]
    note = "the first 20 of 100 comparisons"
    assert note in str(figure.to_dict()["layer"])
    assert note in figure.description
    assert figure.description.startswith("100 comparisons")


def test_measures_are_panels(comparisons):
    both = [*comparisons, *(replace(one, measure="nDCG@10") for one in comparisons)]
    figure = draw_differences(both)
    assert figure.name == "differences"
    titles = [panel["title"]["text"] for panel in figure.to_dict()["vconcat"]]
    assert titles == ["AP", "nDCG@10"]
    assert "mean difference in" not in str(figure.to_dict()["vconcat"])


@pytest.fixture
def two():
    """System y is mostly higher."""
    x = np.full(N, 0.4)
    y = x + np.array([0.1, -0.2, 0.3, 0, 0.05, 0.4, -0.1, 0.2, 0.15, 0.25, -0.05, 0.02])
    table = ScoreTable(("AP",), ("x", "y"), QUERIES, np.array([[x, y]]))
    return difference_interval(table, baseline="x")


def test_two_systems_are_a_dot_on_its_interval(two, rows_of):
    assert [row["label"] for row in pairs(rows_of(draw_differences(two)))] == ["y"]


@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
@pytest.mark.parametrize("scores", [[[0.2], [0.5]], [[0.1, 0.2], [0.1, 0.2]]])
def test_differences_without_an_interval_are_drawn(scores):
    """One query has no interval, equal scores have none by Student t."""
    queries = tuple(f"q{k}" for k in range(len(scores[0])))
    found = difference_interval(ScoreTable(("AP",), ("a", "b"), queries, np.array([scores])))
    assert draw_differences(found).svg().startswith("<svg")


def test_all_pairs_are_named_by_both_systems(rows_of):
    values = np.random.default_rng(2).random((4, N))
    found = difference_interval(ScoreTable(("AP",), tuple("abcd"), QUERIES, values[None]))
    labels = {row["label"] for row in pairs(rows_of(draw_differences(found)))}
    assert labels == {f"{row.system} \N{MINUS SIGN} {row.baseline}" for row in found}
