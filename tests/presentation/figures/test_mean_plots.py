"""The forest plot."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from irbounds import ScoreTable, difference_interval, mean_interval
from irbounds.errors import DegenerateSampleWarning, ParameterError
from irbounds.presentation.figures.mean_plots import (
    draw_means,
    draw_overview,
)
from irbounds.presentation.figures.style import CONTRAST, EMPHASIS, QUIET

HOSTILE = "<script>alert('x')</script> \"a.b[0]\" " + "n" * 44
QUERIES = tuple(f"q{k}" for k in range(8))


def table(*rows, measures=("AP",), systems=("weak", "strong")):
    return ScoreTable(measures, systems, QUERIES, np.array([rows] * len(measures)))


WEAK, STRONG = 0.1 + 0.01 * np.arange(8), 0.6 + 0.02 * np.arange(8)


@pytest.fixture
def estimates():
    return mean_interval(table(WEAK, STRONG))


def test_forest_equals_the_estimates(estimates, rows_of):
    drawn = {row["system"]: row for row in rows_of(draw_means(estimates))}
    for one in estimates:
        row = drawn[one.system]
        ends = (one.interval.low, one.interval.high)
        assert (row["mean"], row["low"], row["high"]) == (one.value, *ends)


def test_forest_paints_the_better_system_above_and_to_the_right(estimates, painted):
    rows, columns = np.nonzero(painted(draw_means(estimates), EMPHASIS))
    middle = (rows.min() + rows.max()) / 2
    assert columns[rows < middle].min() > columns[rows > middle].max()


def test_forest_title_and_description(estimates):
    figure = draw_means(estimates)
    assert figure.name == "means-AP"
    assert figure.description == (
        "2 systems by mean AP, each with its 95 % moderated Wilson interval: "
        "from strong at 0.67 to weak at 0.14."
    )
    assert figure.title == "Means with 95 % moderated Wilson intervals, 8 queries"
    assert axis_titles(figure) == {"mean AP"}


def test_measures_are_panels_and_methods_are_in_one_row(rows_of):
    two = table(WEAK, STRONG, measures=("AP", "nDCG@10"))
    estimates = mean_interval(two, method=["student-t", "normal"], sigma=0.1)
    figure = draw_means(estimates)
    panels = figure.to_dict()["vconcat"]
    assert [panel["title"]["text"] for panel in panels] == ["AP", "nDCG@10"]
    assert (figure.name, figure.title) == ("means", "Means with 95 % intervals, 8 queries")
    assert axis_titles(figure) == {"mean"}
    drawn = {(row["mean"], row["low"], row["entry"]) for row in rows_of(figure)}
    words = {"student-t": "Student t", "normal": "normal"}
    given = {(e.value, e.interval.low, words[e.interval.method]) for e in estimates}
    assert drawn == given
    assert figure.description.count("2 systems") == 2


def test_methods_are_painted_below_each_other(painted):
    figure = draw_means(
        mean_interval(table(STRONG, systems=("one",)), method=["student-t", "bca"], rng=1)
    )
    below = painted(figure, EMPHASIS).shape[0] // 2  # the legend is above
    first, second = (
        np.nonzero(painted(figure, colour)[below:])[0] for colour in (EMPHASIS, CONTRAST)
    )
    assert 0 < second.mean() - first.mean() < 30
    assert first.max() < second.max()


def test_of_many_systems_the_first_are_drawn_with_a_note(rows_of):
    many = table(*(WEAK + k / 100 for k in range(50)), systems=tuple(f"s{k}" for k in range(50)))
    estimates = mean_interval(many, method="student-t")
    for options, n in ({}, 40), ({"top": 7}, 7), ({"top": 50}, 50):
        for figure in (draw_means(estimates, **options), draw_overview(estimates, **options)):
            assert {row["system"] for row in rows_of(figure)} == {f"s{49 - k}" for k in range(n)}
            said = f"the first {n} of 50 systems"
            assert (said in str(figure.to_dict())) == (n < 50)
        assert (said in draw_means(estimates, **options).description) == (n < 50)
    with pytest.raises(ParameterError, match=r"top must be .* at least 1; got 0"):
        estimates.plot(top=0)


def axis_titles(figure):
    found = []

    def look(part):
        if isinstance(part, list):
            list(map(look, part))
        elif isinstance(part, dict):
            if "title" in part.get("x", {}) and part["x"].get("type") == "quantitative":
                found.append(part["x"]["title"])
            list(map(look, part.values()))

    look({key: part for key, part in figure.to_dict().items() if key != "datasets"})
    return set(found)


@pytest.fixture
def four():
    """Close is not told from best, far is; odd is compared with nothing."""
    wave = 0.1 * np.sin(np.arange(8))
    rows = (0.5 + wave, 0.49 + wave[::-1], 0.2 + wave / 2, 0.3 - wave)
    made = table(*rows, measures=("AP", "P@10"), systems=("best", "close", "far", "odd"))
    pairs = [c for c in difference_interval(made) if "odd" not in (c.system, c.baseline)]
    return mean_interval(made, method=["student-t", "bca"], rng=1), pairs


def test_overview_describes_which_systems_differ_from_the_best(four, rows_of):
    estimates, pairs = four
    figure = draw_overview(estimates, pairs)
    assert len(figure.to_dict()["hconcat"]) == 2
    rows = {row["system"]: row for row in rows_of(figure)}
    verdicts = {"best": "best", "close": "tied", "odd": "untested", "far": "different"}
    assert {system: row["verdict"] for system, row in rows.items()} == verdicts
    (pair,) = {c.adjusted_p_value for c in pairs if {c.system, c.baseline} == {"best", "far"}}
    assert rows["far"]["p"] == pair
    assert rows["far"]["entry"] == "significantly different"
    assert "adjusted p above 0.05" in rows["close"]["entry"]
    assert figure.description.startswith("By AP, best has the highest mean (0.507) ")
    assert "of 4 systems; 1 not significantly different from it: close." in figure.description


def test_the_overview_without_comparisons_has_no_verdicts(four):
    estimates, _ = four
    spec = str(draw_overview(estimates).to_dict()["hconcat"])
    assert "significantly" not in spec
    assert "legend" not in spec


def test_systems_that_differ_are_hollow_and_grey(four, painted):
    estimates, pairs = four
    figure = draw_overview([e for e in estimates if e.measure == "AP"], pairs)
    ink = {colour: painted(figure, colour) for colour in (EMPHASIS, QUIET)}
    below = ink[EMPHASIS].shape[0] // 2
    blue, grey = (np.nonzero(one[below:]) for one in ink.values())
    assert grey[1].min() < blue[1].min()
    assert blue[0].max() < grey[0].max()


def test_a_measure_may_have_a_method_of_its_own(rows_of):
    """As z-scores do, whose bounds are not known: rows stay in the middle of their places."""
    two = table(WEAK, STRONG, measures=("AP", "z(AP)"))
    first, second = two.select(["AP"]), two.select(["z(AP)"])
    estimates = mean_interval(first, method="student-t") + mean_interval(
        second, method="normal", sigma=1
    )
    for figure in (draw_means(estimates), draw_overview(estimates)):
        assert {row["low"] for row in rows_of(figure)} == {e.interval.low for e in estimates}
        assert "yOffset" not in str(figure.to_dict())
        assert figure.title == "Means with 95 % intervals, 8 queries"


@pytest.mark.parametrize(("side", "end"), [("greater", "low"), ("less", "high")])
def test_a_one_sided_interval_reaches_the_edge(painted, rows_of, side, end):
    """Of the better system's line, which is drawn above: two-sided it stops before the edge."""

    def reach(alternative):
        found = draw_means(
            mean_interval(table(WEAK, STRONG), method="student-t", alternative=alternative)
        )
        ink = painted(found, EMPHASIS)
        edges = np.nonzero(ink.any(axis=0))[0]
        return found, (ink.shape[1] - edges[-1] if side == "greater" else edges[0])

    figure, gap = reach(side)
    assert {key for row in rows_of(figure) for key in row} - {"entry"} == {
        *("system", "mean", end, "note")
    }
    _, ordinary = reach("two-sided")
    assert gap < ordinary


def test_a_mean_without_an_interval_is_a_hollow_dot_with_a_note(painted, rows_of):
    flat = table(np.full(8, 0.3), systems=("flat",))
    with pytest.warns(DegenerateSampleWarning):
        figure = draw_means(mean_interval(flat, method="student-t"))
    (row,) = rows_of(figure)
    assert row["low"] is row["high"] is None
    assert row["note"] == "none: these data allow no interval"
    rows, columns = np.nonzero(painted(figure, EMPHASIS))
    centre = (round(rows.mean()), round(columns.mean()))
    assert not painted(figure, EMPHASIS)[centre]


def test_chance_is_a_tick_in_the_row_of_each_system(estimates, painted, rows_of):
    chance = {"weak": 0.3, "strong": 0.02}  # not in the order of the means
    levels = [
        SimpleNamespace(measure="AP", system=name, expected=level) for name, level in chance.items()
    ]
    figure = draw_means(estimates, levels)
    drawn = {row["system"]: row["chance"] for row in rows_of(figure) if "chance" in row}
    assert drawn == chance
    ink = painted(figure, CONTRAST)
    rows, columns = np.nonzero(ink[ink.shape[0] // 3 :])  # the legend is above
    middle = (rows.min() + rows.max()) / 2
    assert columns[rows < middle].max() < columns[rows > middle].min()
    assert "a random ranking" in figure.description
    assert not painted(draw_means(estimates), CONTRAST).any()


def test_hostile_names_are_only_data(painted, rows_of):
    figure = draw_means(mean_interval(table(WEAK, STRONG, systems=("weak", HOSTILE))))
    assert rows_of(figure)[0]["system"] == HOSTILE
    assert painted(figure, EMPHASIS).sum() > 100


def test_many_systems_have_their_axis_on_top():
    many = table(*(WEAK + k / 100 for k in range(40)), systems=tuple(f"s{k}" for k in range(40)))
    spec = draw_means(mean_interval(many, method="student-t")).to_dict()
    assert orients(spec) == {"top"}
    few = draw_means(mean_interval(table(WEAK, STRONG), method="student-t")).to_dict()
    assert orients(few) == {"bottom"}


def orients(spec):
    channels = [layer["encoding"]["x"] for layer in spec["layer"]]
    return {x["axis"]["orient"] for x in channels if "axis" in x}
