"""Differences with intervals."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from colour_vision import SEEN_APART, VISIONS, contrast, lab, light
from irbounds import ScoreTable, difference_interval
from irbounds.presentation.figures.difference_plots import CELL_INK, DIVERGING, draw_differences
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
    assert figure.title == ("Mean differences from plain with 95 % Student t intervals, 12 queries")
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


@pytest.mark.parametrize("n_significant", [0, 3, 50, 99, 100])
def test_of_many_pairs_the_least_certain_are_drawn(comparisons, rows_of, n_significant):
    """Half of them on either side of the level, as far as there are so many."""
    p_values = [
        *np.linspace(1e-6, 0.049, n_significant),
        *np.linspace(0.051, 1.0, 100 - n_significant),
    ]
    many = [
        replace(comparisons[0], system=f"s{k:03}", adjusted_p_value=p, value=1 - k / 100)
        for k, p in enumerate(p_values)
    ]
    figure = draw_differences(many[::-1], top=20)
    drawn = [row["label"] for row in pairs(rows_of(figure))]
    first = min(max(n_significant - 10, 0), 80)
    assert drawn == [f"s{k:03}" for k in range(first, first + 20)]
    unknown = [replace(one, adjusted_p_value=math.nan) for one in many[:30]]
    rest = {
        row["label"] for row in pairs(rows_of(draw_differences([*unknown, *many[30:]], top=20)))
    }
    assert min(rest) >= "s030"  # what has no test comes last
    said = "the 20 least certain of 100 comparisons"
    assert said in str(figure.to_dict()["layer"])
    assert said in figure.description
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
    """System y is higher on eight queries, lower on three and equal on one."""
    x = np.full(N, 0.4)
    y = x + np.array([0.1, -0.2, 0.3, 0, 0.05, 0.4, -0.1, 0.2, 0.15, 0.25, -0.05, 0.02])
    table = ScoreTable(("AP", "P@10"), ("x", "y"), QUERIES, np.array([[x, y], [x, y]]))
    return difference_interval(table, baseline="x")


def test_two_systems_are_drawn_query_by_query(two, rows_of):
    (one, _) = two
    figure = draw_differences([one])
    rows = [row for row in rows_of(figure) if "query" in row]
    per_query = dict(zip(one.queries, one.query_differences, strict=True))
    assert {row["query"]: row["difference"] for row in rows} == per_query
    drawn = [row["difference"] for row in rows]
    assert drawn == sorted(drawn, reverse=True)
    (mean,) = {(r["mean"], r["low"], r["high"]) for r in rows_of(figure) if "mean" in r}
    assert mean == (one.value, one.interval.low, one.interval.high)
    assert figure.title == "y \N{MINUS SIGN} x, 12 queries"
    assert (
        "higher on 8 of 12 queries, lower on 3, from q5 (+0.40) to q1 (-0.20)" in figure.description
    )
    assert len(draw_differences(two).to_dict()["vconcat"]) == 2
    assert one.plot().to_dict() == figure.to_dict()


def test_measures_that_order_two_systems_otherwise_say_so(two):
    swapped = replace(two[1], system="x", baseline="y", scores=two[1].scores[::-1])
    figure = draw_differences([two[0], swapped])
    assert figure.title == "Differences per query, 12 queries"
    panels = figure.to_dict()["vconcat"]
    for panel, pair in zip(panels, ("y \N{MINUS SIGN} x", "x \N{MINUS SIGN} y"), strict=True):
        titles = {layer["encoding"]["y"]["title"] for layer in panel["layer"][:-1]}
        assert titles == {pair}


@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
@pytest.mark.parametrize("scores", [[[0.2], [0.5]], [[0.1, 0.2], [0.1, 0.2]]])
def test_few_or_equal_queries_are_bars_without_a_band(scores, rows_of):
    """One query has no interval, equal scores have none by Student t."""
    queries = tuple(f"q{k}" for k in range(len(scores[0])))
    found = difference_interval(ScoreTable(("AP",), ("a", "b"), queries, np.array([scores])))
    figure = draw_differences(found)
    assert len([row for row in rows_of(figure) if "query" in row]) == len(queries)
    assert "rect" not in str(figure.to_dict()["layer"])
    assert figure.svg().startswith("<svg")


def test_bars_of_queries_are_painted_on_both_sides_of_zero(two, painted):
    figure = draw_differences(two[:1])
    ink = painted(figure, EMPHASIS)
    ink = ink[ink.shape[0] // 4 :]  # the legend is above
    rows, columns = np.nonzero(ink)
    left, right = columns < ink.shape[1] * 0.3, columns > ink.shape[1] * 0.9
    assert rows[left].max() < rows[right].max()
    assert rows[left].min() < rows[right].min()


@pytest.mark.parametrize("side", ["greater", "less"])
def test_a_limit_of_two_systems_reaches_the_edge(two, painted, side):
    """A quarter of orange on white, from the limit to the edge of the plot."""
    band = "#F5D6C0"
    limit = [two[0].at(0.95, side)]
    heights = [painted(draw_differences(one), band).sum(axis=0).max() for one in (two[:1], limit)]
    assert heights[1] > heights[0]


def test_without_scores_two_systems_are_a_dot_on_its_interval(two, rows_of):
    one = replace(two[0], scores=None, queries=())
    assert [row["label"] for row in pairs(rows_of(draw_differences([one])))] == ["y"]


@pytest.fixture
def all_pairs():
    """Five systems, best first by AP; the last two change places by P@10."""
    noise = np.random.default_rng(2).normal(0, 0.05, (5, N))
    ap = 0.3 + noise - 0.1 * np.arange(5)[:, None]
    p = ap.copy()
    p[[3, 4]] = ap[[4, 3]]
    table = ScoreTable(("AP", "P@10"), tuple("abcde"), QUERIES, np.array([ap, p]))
    return difference_interval(table, rng=1)


def test_all_pairs_are_a_triangle(all_pairs, rows_of):
    ap = [one for one in all_pairs if one.measure == "AP"]
    cells = {
        (row["system"], row["minus"]): row
        for row in rows_of(draw_differences(ap))
        if "minus" in row
    }
    assert set(cells) == set(itertools.combinations("abcde", 2))
    for one in ap:
        key = tuple(sorted((one.system, one.baseline)))
        sign = 1 if key[0] == one.system else -1
        cell = cells[key]
        assert cell["difference"] == sign * one.value >= 0
        assert (cell["low"], cell["high"]) == tuple(
            sorted((sign * one.interval.low, sign * one.interval.high))
        )
        assert cell["adjusted_p"] == one.adjusted_p_value
    spec = draw_differences(ap).to_dict()
    assert "'domain': [0, " in str(spec["layer"])
    assert "mean difference in AP" in str(spec["layer"])


def test_triangles_of_all_measures_have_one_order(all_pairs, rows_of):
    figure = draw_differences(all_pairs)
    first, second = figure.to_dict()["vconcat"]
    orders = {str(panel["layer"][0]["encoding"]["y"]["sort"]) for panel in (first, second)}
    assert orders == {str(list("bcde"))}
    negative = {
        (r["system"], r["minus"]) for r in rows_of(figure) if "minus" in r and r["difference"] < 0
    }
    assert negative == {("d", "e")}
    assert "'domain': [-" in str(second)


def test_significant_pairs_have_a_dot(all_pairs, painted):
    ap = [one for one in all_pairs if one.measure == "AP"]
    few, many = ([replace(one, adjusted_p_value=p) for one in ap] for p in (0.9, 0.01))
    dark = "#1a1a1a"
    assert (
        painted(draw_differences(many), dark).sum()
        > painted(draw_differences(few), dark).sum() + 300
    )


def test_cells_leave_text_legible_and_signs_apart():
    """Dark text has a contrast of 4.5:1 or more on every cell."""
    for colour in DIVERGING:
        assert contrast(CELL_INK, colour) >= 4.5
    for matrix in VISIONS.values():
        low, _, high = (lab(matrix @ light(colour)) for colour in DIVERGING)
        assert np.linalg.norm(low - high) > 4 * SEEN_APART


def test_three_systems_have_intervals_and_more_than_25_the_least_certain(all_pairs, rows_of):
    three = [one for one in all_pairs if {one.system, one.baseline} <= set("abc")]
    assert pairs(rows_of(draw_differences(three)))
    names = [f"s{k:02}" for k in range(26)]
    many = [
        replace(all_pairs[0], system=a, baseline=b) for a, b in itertools.combinations(names, 2)
    ]
    assert len(pairs(rows_of(draw_differences(many)))) == 40
    fewer = [one for one in many if "s25" not in (one.system, one.baseline)]
    assert not pairs(rows_of(draw_differences(fewer)))
