"""The forest plot."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from irbounds import DegenerateSampleWarning, ScoreTable, mean_interval
from irbounds.presentation.figures.means import forest, forests
from irbounds.presentation.figures.style import CONTRAST, EMPHASIS

HOSTILE = "<script>alert('x')</script> \"a.b[0]\" " + "n" * 44
QUERIES = tuple(f"q{k}" for k in range(8))


def table(*rows, measures=("AP",), systems=("weak", "strong")):
    return ScoreTable(measures, systems, QUERIES, np.array([rows] * len(measures)))


WEAK, STRONG = 0.1 + 0.01 * np.arange(8), 0.6 + 0.02 * np.arange(8)


@pytest.fixture
def estimates():
    return mean_interval(table(WEAK, STRONG))


def test_forest_draws_what_it_is_given(estimates, rows_of):
    drawn = {row["system"]: row for row in rows_of(forest(estimates))}
    for one in estimates:
        row = drawn[one.system]
        ends = (one.interval.low, one.interval.high)
        assert (row["mean"], row["low"], row["high"]) == (one.value, *ends)


def test_forest_paints_the_better_system_above_and_to_the_right(estimates, painted):
    rows, columns = np.nonzero(painted(forest(estimates), EMPHASIS))
    middle = (rows.min() + rows.max()) / 2
    assert columns[rows < middle].min() > columns[rows > middle].max()


def test_a_forest_says_what_it_shows(estimates):
    figure = forest(estimates)
    assert figure.name == "means-AP"
    assert figure.description == (
        "2 systems by mean AP, each with its 95 % studentised logit bootstrap interval: "
        "from strong at 0.670 to weak at 0.135."
    )
    assert "mean AP" in figure.to_json()


def test_measures_and_methods_are_panels(rows_of):
    two = table(WEAK, STRONG, measures=("AP", "nDCG@10"))
    estimates = mean_interval(two, method=["student-t", "normal"], sigma=0.1)
    figure = forests(estimates)
    assert figure.name == "means"
    assert len(figure.vconcat) == 4
    assert len({(row["mean"], row["low"]) for row in rows_of(figure)}) == 4
    assert [panel.title.text for panel in figure.vconcat][-1] == (
        "Mean nDCG@10 over 8 queries with its 95 % normal interval"
    )
    assert figure.description.count("2 systems") == 4


@pytest.mark.parametrize(("side", "end"), [("greater", "low"), ("less", "high")])
def test_a_one_sided_interval_reaches_the_edge(painted, rows_of, side, end):
    """Of the better system's line, which is drawn above: two-sided it stops before the edge."""

    def reach(alternative):
        found = forest(
            mean_interval(table(WEAK, STRONG), method="student-t", alternative=alternative)
        )
        ink = painted(found, EMPHASIS)
        edges = np.nonzero(ink.any(axis=0))[0]
        return found, (ink.shape[1] - edges[-1] if side == "greater" else edges[0])

    figure, gap = reach(side)
    assert {key for row in rows_of(figure) for key in row} == {"system", "mean", end, "note"}
    _, ordinary = reach("two-sided")
    assert gap < ordinary


def test_a_mean_without_an_interval_is_a_hollow_dot_and_says_so(painted, rows_of):
    flat = table(np.full(8, 0.3), systems=("flat",))
    with pytest.warns(DegenerateSampleWarning):
        figure = forest(mean_interval(flat, method="student-t"))
    (row,) = rows_of(figure)
    assert row["low"] is row["high"] is None
    assert row["note"] == "none: these data allow no interval"
    rows, columns = np.nonzero(painted(figure, EMPHASIS))
    centre = (round(rows.mean()), round(columns.mean()))
    assert not painted(figure, EMPHASIS)[centre]


def test_chance_is_a_tick_beside_each_system(estimates, painted, rows_of):
    chance = {"weak": 0.3, "strong": 0.02}  # not in the order of the means
    levels = [
        SimpleNamespace(measure="AP", system=name, expected=level) for name, level in chance.items()
    ]
    figure = forest(estimates, levels)
    assert {row["system"]: row["chance"] for row in rows_of(figure)} == chance
    rows, columns = np.nonzero(painted(figure, CONTRAST))
    middle = (rows.min() + rows.max()) / 2
    assert columns[rows < middle].max() < columns[rows > middle].min()
    assert "a random ranking" in figure.description
    assert not painted(forest(estimates), CONTRAST).any()


def test_hostile_names_are_data_alone(painted, rows_of):
    figure = forests(mean_interval(table(WEAK, STRONG, systems=("weak", HOSTILE))))
    assert rows_of(figure)[0]["system"] == HOSTILE
    assert painted(figure, EMPHASIS).sum() > 100


def test_many_systems_have_their_axis_on_top():
    many = table(*(WEAK + k / 100 for k in range(40)), systems=tuple(f"s{k}" for k in range(40)))
    spec = forest(mean_interval(many, method="student-t")).to_json()
    assert '"orient": "top"' in spec
    few = forest(mean_interval(table(WEAK, STRONG), method="student-t")).to_json()
    assert '"orient": "top"' not in few
