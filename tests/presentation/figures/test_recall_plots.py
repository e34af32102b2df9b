"""Figures of recall: posterior, methods, quantities and systems."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import irbounds
from irbounds.presentation.figures.recall_plots import (
    draw_methods,
    draw_posterior,
    draw_quantities,
    draw_systems,
)
from irbounds.presentation.figures.style import CONTRAST, EMPHASIS
from irbounds.results import Sample, Stratum
from irbounds.samples.recall_intervals import sample_estimates

COUNTS = {"retrieved": (2_000, 100, 50), "unretrieved": (100_000, 100, 3)}
SHADED = "#A6CDE5"  # what EMPHASIS is on white at the shade's opacity
MANY = 20  # pixels of a column: edges of lines have some of that colour
HOSTILE = "<script>alert(\"x\")</script> a.b[c] 'quoted' " + "long " * 10


def sample(relevant: int, system: str | None = None, topic: str | None = None) -> Sample:
    strata = (
        Stratum("retrieved", True, 2_000, 100, relevant),
        Stratum("unretrieved", False, 100_000, 200, 3),
    )
    return Sample(strata, system, topic)


def density_rows(rows):
    """The line's points: the longest run of rows with a density."""
    return [row for row in rows if "density" in row]


def test_the_density_is_the_posteriors_own(rows_of):
    found = irbounds.recall_interval(**COUNTS)
    rows = density_rows(rows_of(draw_posterior(found)))
    line = {row["value"]: row["density"] for row in rows}
    x = np.array(sorted(line))
    y = np.array([line[one] for one in x])
    area = float(((y[1:] + y[:-1]) / 2 * np.diff(x)).sum())
    assert area == pytest.approx(0.999, abs=0.004)  # all but the tails of 0.0005
    inside = (x >= found.interval.low) & (x <= found.interval.high)
    shaded = float(((y[1:] + y[:-1]) / 2 * np.diff(x))[inside[1:] & inside[:-1]].sum())
    assert shaded == pytest.approx(0.95, abs=0.01)


def test_marks_are_the_estimate_the_interval_and_the_lower_limit(rows_of):
    found = irbounds.recall_interval(**COUNTS)
    marks = {row["mark"]: row for row in rows_of(draw_posterior(found)) if "mark" in row}
    assert marks["estimate"]["value"] == found.value
    assert (marks["interval"]["low"], marks["interval"]["high"]) == (
        found.interval.low,
        found.interval.high,
    )
    assert marks["lower limit"]["value"] == found.at(0.95, "greater").interval.low
    description = draw_posterior(found).description
    assert "estimate 0.25; 95 % interval 0.11 to 0.54; 95 % lower limit 0.12" in description


def test_an_upper_limit_is_marked_as_one(rows_of):
    found = irbounds.recall_interval(**COUNTS, alternative="less")
    marks = {row["mark"] for row in rows_of(draw_posterior(found)) if "mark" in row}
    assert marks == {"estimate", "interval", "upper limit"}


def test_without_a_posterior_only_marks_are_drawn(rows_of, painted):
    bounded = draw_posterior(
        irbounds.recall_interval(**COUNTS, method="normal", alternative="greater")
    )
    assert not density_rows(rows_of(bounded))
    figure = draw_posterior(irbounds.recall_interval(**COUNTS, method="normal"))
    assert not density_rows(rows_of(figure))
    assert not (painted(figure, SHADED).sum(axis=0) > MANY).any()


def test_a_certain_value_has_no_density(rows_of):
    found = irbounds.recall_interval(retrieved=(10, 10, 5), unretrieved=(10, 10, 5))
    rows = rows_of(draw_posterior(found))
    assert not density_rows(rows)
    assert {row.get("value") for row in rows} >= {0.5}


def test_no_relevant_documents_draws_the_marks(rows_of):
    with pytest.warns(
        irbounds.errors.DegenerateSampleWarning, match="conditional on a relevant document"
    ):
        found = irbounds.recall_interval(retrieved=(100, 10, 0), unretrieved=(100, 10, 0))
    marks = {row["mark"] for row in rows_of(draw_posterior(found)) if "mark" in row}
    assert "estimate" not in marks
    assert "interval" in marks


def test_the_shade_is_as_wide_as_the_bar_and_the_limit_within(painted):
    figure = draw_posterior(irbounds.recall_interval(**COUNTS))
    shade = np.flatnonzero(painted(figure, SHADED).sum(axis=0) > MANY)
    rows, columns = np.nonzero(painted(figure, EMPHASIS))
    row = max(np.unique(rows), key=lambda one: (rows == one).sum())  # the interval's bar
    bar = columns[rows == row]
    assert abs(int(shade.min()) - int(bar.min())) <= 4
    assert abs(int(shade.max()) - int(bar.max())) <= 4
    limit = np.nonzero(painted(figure, CONTRAST))[1]
    assert shade.min() < limit.mean() < (shade.min() + shade.max()) / 2


def test_methods_are_drawn_as_they_are(rows_of):
    estimates = irbounds.samples.all_recall_intervals(**COUNTS)
    rows = rows_of(draw_methods(estimates))
    drawn = list({row["method"]: row for row in rows}.values())
    assert [(row["low"], row["high"]) for row in drawn] == [
        (one.interval.low, one.interval.high) for one in estimates
    ]
    assert [row["kind"] for row in drawn] == ["other methods"] * 8 + ["recommended"]
    figure = draw_methods(estimates)
    assert "the narrowest is naive-binomial" in figure.description
    assert figure.title == "Recall and its 95 % interval by 9 methods"


def test_only_the_recommended_method_is_in_full_colour(painted):
    figure = draw_methods(irbounds.samples.all_recall_intervals(**COUNTS))
    rows = np.nonzero(painted(figure, EMPHASIS, legend=False))[0]
    assert rows.max() - rows.min() < 40  # one row of nine


def arrowheads(figure, shape):
    """Layers of arrowheads, with where they stand."""
    panels = figure.to_dict().get("vconcat", [figure.to_dict()])
    marks = [layer for panel in panels for layer in panel["layer"]]
    return [
        layer["encoding"]["x"]["value"] for layer in marks if layer["mark"].get("shape") == shape
    ]


@pytest.mark.parametrize(
    ("alternative", "end", "shape", "edge"),
    [("greater", "low", "triangle-right", "width"), ("less", "high", "triangle-left", 0)],
)
def test_a_limit_is_drawn_with_an_arrowhead_and_one_end(alternative, end, shape, edge, rows_of):
    other = {"low": "high", "high": "low"}[end]
    estimates = irbounds.samples.all_recall_intervals(**COUNTS, alternative=alternative)
    some = sample_estimates(sample(50, "a"), alternative=alternative, quantities=("recall", "F"))
    for figure, found in (
        (draw_methods(estimates), estimates),
        (draw_quantities(some), some),
        (draw_systems(some[:1]), some[:1]),
    ):
        rows = [row for row in rows_of(figure) if "estimate" in row]
        assert {row[end] for row in rows} == {getattr(one.interval, end) for one in found}
        assert not any(other in row for row in rows)
        assert arrowheads(figure, shape) == [edge]


def test_an_arrow_is_painted_from_the_limit_to_the_edge(painted):
    """The row in full colour begins where its limit is and ends beyond every other mark."""
    estimates = irbounds.samples.all_recall_intervals(**COUNTS, alternative="greater")
    figure = draw_methods(estimates)
    rows, columns = np.nonzero(painted(figure, EMPHASIS, legend=False))
    edge = columns.max()
    head = rows[columns > edge - 10]
    line = rows[(columns > columns.min()) & (columns < columns.min() + 10)]
    assert np.ptp(head) > 2 * np.ptp(line)  # a triangle at the right end, a thin line at the left
    assert not arrowheads(
        draw_methods(irbounds.samples.all_recall_intervals(**COUNTS)), "triangle-right"
    )


def test_an_interval_that_does_not_exist_is_not_drawn(rows_of):
    strata = (
        Stratum("a", True, 100, 50, 20),
        Stratum("b", True, 100, 50, 10),
        Stratum("c", False, 1_000, 100, 5),
    )
    with pytest.warns(irbounds.errors.DegenerateSampleWarning, match="koopman"):
        estimates = irbounds.samples.all_recall_intervals(strata)
    rows = {row["method"]: row for row in rows_of(draw_methods(estimates))}
    assert rows["koopman"]["low"] is None
    # a hollow dot, and a note at the pointer
    assert rows["koopman"]["note"] == "none: these data allow no interval"
    assert rows["normal"]["note"] == ""
    hollow = draw_methods(estimates).to_dict()["layer"][-1]
    assert hollow["mark"]["filled"] is False
    assert hollow["transform"] == [{"filter": "!(isValid(datum.low) && isValid(datum.high))"}]


def test_a_long_name_is_short_in_a_title():
    name = "s" * 80
    some = sample_estimates(sample(50, name, "7"), quantities=("recall", "F"))
    for figure in (draw_quantities(some), draw_posterior(some[0])):
        assert "s" * 40 not in figure.title
        assert "s, topic 7" in figure.title
    assert name in draw_posterior(some[0]).description


def test_quantities_have_the_axes_of_their_scale(rows_of):
    estimates = sample_estimates(
        sample(50), quantities=("recall", "precision", "F", "yield", "prevalence", "elusion")
    )
    figure = draw_quantities(estimates)
    drawn = {row["quantity"]: row for row in rows_of(figure)}
    assert {name: row["estimate"] for name, row in drawn.items()} == {
        one.quantity: one.value for one in estimates
    }
    titles = [panel["layer"][0]["encoding"]["x"]["title"] for panel in figure.to_dict()["vconcat"]]
    assert titles == ["recall, precision, F1", "yield (relevant documents)", "prevalence, elusion"]


def test_systems_are_best_first_by_topic(rows_of, painted):
    samples = [sample(20, "weak", "7"), sample(80, "strong", "7"), sample(50, "other", "8")]
    estimates = [one for each in samples for one in sample_estimates(each, quantities=("recall",))]
    figure = draw_systems(estimates)
    panels = figure.to_dict()["vconcat"]
    assert [panel["title"]["text"] for panel in panels] == ["topic 7", "topic 8"]
    assert panels[0]["layer"][0]["encoding"]["y"]["sort"] == ["strong", "weak"]
    assert {row["system"]: row["estimate"] for row in rows_of(figure)} == {
        one.system: one.value for one in estimates
    }
    rows, columns = np.nonzero(painted(draw_systems(estimates[:2]), EMPHASIS))
    middle = (rows.min() + rows.max()) / 2
    assert columns[rows < middle].max() > columns[rows > middle].max()


def test_hostile_names_are_only_values(painted, rows_of):
    estimates = [
        one
        for name in (HOSTILE, "plain")
        for one in sample_estimates(sample(40, name, "1.a[b]"), quantities=("recall",))
    ]
    figure = draw_systems(estimates)
    assert {row["system"] for row in rows_of(figure)} == {HOSTILE, "plain"}
    assert painted(figure, EMPHASIS).any()


def test_of_many_systems_the_first_are_drawn(rows_of):
    one = irbounds.recall_interval(**COUNTS, method="normal")
    many = [replace(one, system=f"s{k}", value=k / 100) for k in range(41)]
    figure = draw_systems(many)
    assert {row["system"] for row in rows_of(figure)} == {f"s{k}" for k in range(1, 41)}
    assert figure.title.endswith(" (the first 40 of 41 systems)")
    assert {row["system"] for row in rows_of(draw_systems(many, top=2))} == {"s40", "s39"}
