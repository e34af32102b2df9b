"""Ranks, their intervals and tied groups."""

from __future__ import annotations

import numpy as np

from irbounds import ScoreTable, rank_interval
from irbounds.presentation.figures.rank_plots import choose_rank_ticks, draw_ranks
from irbounds.presentation.figures.style import CONTRAST, EMPHASIS
from irbounds.results import RankEstimate, RankInterval


def rank(system, place, low, high, letters, measure="AP"):
    interval = RankInterval(low, high, 0.95, "holm")
    return RankEstimate(measure, system, letters, 1 - place / 10, place, interval, 20)


RANKS = (rank("best", 1, 1, 2, "a"), rank("next", 2, 1, 2, "a"), rank("last", 3, 3, 3, "b"))


def test_drawn_rows_equal_the_results(rows_of):
    rows = rows_of(draw_ranks(RANKS))
    found = {row["system"]: row for row in rows if "rank" in row}
    for one in RANKS:
        row = found[one.system]
        assert (row["rank"], row["low"], row["high"]) == (one.value, *one.interval)
        assert row["mean"] == one.mean
    groups = [(row["system"], row["group"]) for row in rows if "group" in row]
    assert groups == [("best", "a"), ("next", "a"), ("last", "b")]


def test_title_and_description():
    figure = draw_ranks(RANKS)
    assert figure.name == "ranks-AP"
    assert figure.description == (
        "3 systems by rank in AP, each with the ranks that it might have at 95 %: best comes "
        "first, 2 may be the best; 2 bars of systems that are not significantly different."
    )
    assert "rank by mean AP, 1 is best" in str(figure.to_dict())
    assert figure.title == "Ranks with simultaneous 95 % intervals, 20 queries"


def test_ticks_are_at_ranks_and_nowhere_between():
    (axis,) = {
        tuple(layer["encoding"]["x"]["axis"].get("values", ()))
        for layer in draw_ranks(RANKS).to_dict()["hconcat"][0]["layer"]
    }
    assert axis == (1, 2, 3)
    assert choose_rank_ticks(129) == {"tickMinStep": 1}


def test_ranks_and_groups_step_down_to_the_right(painted):
    for colour in (EMPHASIS, CONTRAST):
        ink = painted(draw_ranks(RANKS), colour)
        rows, columns = np.nonzero(ink)
        lowest = rows > rows.max() - 8
        assert columns[lowest].min() > columns[rows < rows.min() + 8].max()


def test_one_group_for_all_is_one_bar(painted):
    tied = [rank(name, place, 1, 3, "a") for place, name in enumerate("xyz", 1)]
    figure = draw_ranks(tied)
    lines = painted(figure, EMPHASIS).sum(axis=1)
    assert lines.max() > 400 * 2 * 0.9  # from rank 1 to 3: all of 400 pixels, at two a point
    ink = painted(figure, CONTRAST)
    heights = ink.sum(axis=0)
    assert set(np.flatnonzero(heights)) == set(range(*_ends(heights)))
    assert heights.max() > 3 * 16 * 2 * 0.9  # three rows of 16 pixels, at two a point


def _ends(heights):
    there = np.flatnonzero(heights)
    return there[0], there[-1] + 1


def test_many_systems_from_scores(rows_of):
    generator = np.random.default_rng(5)
    values = np.linspace(0.1, 0.8, 60)[:, None] + generator.normal(0, 0.05, (60, 20))
    systems = tuple(f"s{k}" for k in range(60))
    queries = tuple(f"q{k}" for k in range(20))
    ranks = rank_interval(ScoreTable(("AP",), systems, queries, values[None]))
    for figure, n in ((draw_ranks(ranks, top=60), 60), (draw_ranks(ranks), 40)):
        rows = rows_of(figure)
        shown = [one.system for one in ranks[:n]]
        assert [row["system"] for row in rows if "rank" in row] == shown
        assert not any("group" in row for row in rows)  # more than 26 groups
        assert ("the first 40 of 60 systems" in str(figure.to_dict())) == (n == 40)
        assert ("the first 40 of 60 systems" in figure.description) == (n == 40)


def test_measures_are_panels():
    both = [*RANKS, *(rank(one.system, one.value, 1, 3, "a", "P@10") for one in RANKS)]
    panels = draw_ranks(both).to_dict()["vconcat"]
    assert [panel["title"]["text"] for panel in panels] == ["AP", "P@10"]
