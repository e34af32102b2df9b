"""Scores of single queries."""

from __future__ import annotations

import numpy as np
import pytest

from irbounds.presentation.figures.score_plots import MAX_LINES, draw_score_panels
from irbounds.presentation.figures.style import CONTRAST, EMPHASIS

GENERATOR = np.random.default_rng(3)


def scores(n_queries, **centres):
    return [
        (system, f"q{k}", float(score))
        for system, centre in centres.items()
        for k, score in enumerate(np.clip(GENERATOR.normal(centre, 0.05, n_queries), 0, 1))
    ]


def test_every_query_is_a_line_where_there_are_few(rows_of):
    given = scores(9, low=0.2, high=0.7)
    rows = rows_of(draw_score_panels({"AP": given}))
    lines = [(r["system"], r["query"], r["score"]) for r in rows if "query" in r]
    assert sorted(lines) == sorted(given)


def test_many_scores_are_counted_in_classes(rows_of):
    n = MAX_LINES // 2 + 1
    given = scores(n, low=0.2, high=0.7)
    rows = [row for row in rows_of(draw_score_panels({"AP": given})) if "queries" in row]
    for system in ("low", "high"):
        own = [row for row in rows if row["system"] == system]
        values = [score for name, _, score in given if name == system]
        assert sum(row["queries"] for row in own) == n
        for row in own[:-1]:
            within = sum(row["from"] <= value < row["to"] for value in values)
            assert abs(within - row["queries"]) <= 1  # an end is where rounding decides


@pytest.mark.parametrize("n", [2, 3, 8, 41])
def test_quartiles_are_numpys(rows_of, n):
    given = scores(n, only=0.4)
    row = next(row for row in rows_of(draw_score_panels({"AP": given})) if "median" in row)
    values = [score for *_, score in given]
    expected = np.quantile(values, [0.25, 0.5, 0.75])
    assert [row["first"], row["median"], row["third"]] == pytest.approx(expected)
    assert row["mean"] == pytest.approx(np.mean(values))


def test_one_query_has_quartiles_that_are_its_score(rows_of):
    rows = rows_of(draw_score_panels({"AP": [("s", "q", 0.3)]}))
    assert rows[-1]["first"] == rows[-1]["third"] == 0.3


def test_equal_scores_beyond_count_are_one_class(rows_of):
    given = [("s", f"q{k}", 0.5) for k in range(MAX_LINES + 1)]
    (row,) = [row for row in rows_of(draw_score_panels({"AP": given})) if "queries" in row]
    assert row["queries"] == MAX_LINES + 1


def test_title_and_description():
    figure = draw_score_panels({"nDCG@10": scores(9, low=0.2, high=0.7)})
    assert figure.name == "scores-nDCG-10"
    assert figure.description.startswith("nDCG@10 of 9 queries for each of 2 systems")
    spec = str(figure.to_dict())
    for words in ("nDCG@10 of a query", "first to third quartile", "median"):
        assert words in spec


@pytest.mark.parametrize("n", [9, MAX_LINES])
def test_the_better_system_is_painted_above_and_to_the_right(painted, n):
    figure = draw_score_panels({"AP": scores(n, low=0.2, high=0.7)})
    for colour in (CONTRAST, EMPHASIS):
        ink = painted(figure, colour)
        ink = ink[int(ink.shape[0] * 0.5) :]  # less the legend
        rows, columns = np.nonzero(ink)
        middle = (rows.min() + rows.max()) / 2
        assert columns[rows < middle - 2].min() > columns[rows > middle + 2].max()


def test_measures_are_panels():
    both = {"AP": scores(5, a=0.5), "P@10": scores(5, a=0.2)}
    figure = draw_score_panels(both)
    panels = figure.to_dict()["vconcat"]
    assert (figure.name, [panel["title"]["text"] for panel in panels]) == ("scores", ["AP", "P@10"])


def test_of_many_systems_the_first_are_drawn(rows_of):
    given = scores(3, **{f"s{k}": k / 9 for k in range(9)})
    figure = draw_score_panels({"AP": given}, top=4)
    assert {row["system"] for row in rows_of(figure)} == {"s8", "s7", "s6", "s5"}
    assert "the first 4 of 9 systems" in figure.description
