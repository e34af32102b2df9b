"""The figure of recall: methods, quantities and systems."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import irbounds
from irbounds.presentation.figures.recall_plots import draw_recall
from irbounds.presentation.figures.style import EMPHASIS
from irbounds.results import Sample, Stratum
from irbounds.samples import all_recall_intervals, sample_estimates

COUNTS = {"retrieved": (2_000, 100, 50), "unretrieved": (100_000, 100, 3)}
HOSTILE = "<script>alert(\"x\")</script> a.b[c] 'quoted' " + "long " * 10


def sample(relevant: int, system: str | None = None, topic: str | None = None) -> Sample:
    strata = (
        Stratum("retrieved", True, 2_000, 100, relevant),
        Stratum("unretrieved", False, 100_000, 200, 3),
    )
    return Sample(strata, system, topic)


def drawn_rows(rows):
    return list({row["row"]: row for row in rows}.values())


def test_methods_are_drawn_as_they_are(rows_of, painted):
    estimates = all_recall_intervals(**COUNTS)
    figure = draw_recall(estimates)
    drawn = drawn_rows(rows_of(figure))
    assert [(row["low"], row["high"]) for row in drawn] == [
        (one.interval.low, one.interval.high) for one in estimates
    ]
    assert [row["kind"] for row in drawn] == ["other methods"] * 8 + ["recommended"]
    rows = np.nonzero(painted(figure, EMPHASIS, legend=False))[0]
    assert rows.max() - rows.min() < 40  # one row of nine in full colour


@pytest.mark.parametrize(("alternative", "end"), [("greater", "low"), ("less", "high")])
def test_a_limit_has_one_end(alternative, end, rows_of):
    other = {"low": "high", "high": "low"}[end]
    for found in (
        all_recall_intervals(**COUNTS, alternative=alternative),
        sample_estimates(sample(50), alternative=alternative, quantities=("recall", "F")),
    ):
        rows = drawn_rows(rows_of(draw_recall(found)))
        assert {row[end] for row in rows} == {getattr(one.interval, end) for one in found}
        assert not any(other in row for row in rows)


def test_an_interval_that_does_not_exist_is_not_drawn(rows_of):
    strata = (
        Stratum("a", True, 100, 50, 20),
        Stratum("b", True, 100, 50, 10),
        Stratum("c", False, 1_000, 100, 5),
    )
    with pytest.warns(irbounds.errors.DegenerateSampleWarning, match="koopman"):
        estimates = all_recall_intervals(strata)
    rows = {row["row"]: row for row in rows_of(draw_recall(estimates))}
    assert rows["koopman"]["low"] is None
    assert rows["koopman"]["note"] == "none: these data allow no interval"


def test_quantities_have_the_axes_of_their_scale(rows_of):
    estimates = sample_estimates(sample(50))
    figure = draw_recall(estimates)
    drawn = {row["row"]: row["estimate"] for row in rows_of(figure)}
    assert drawn == {one.quantity: one.value for one in estimates}
    titles = [panel["layer"][0]["encoding"]["x"]["title"] for panel in figure.to_dict()["vconcat"]]
    assert titles == ["recall, precision, F1", "yield (relevant documents)", "prevalence, elusion"]


def test_systems_are_best_first_by_topic(rows_of):
    samples = [sample(20, "weak", "7"), sample(80, "strong", "7"), sample(50, "other", "8")]
    estimates = [one for each in samples for one in sample_estimates(each, quantities=("recall",))]
    figure = draw_recall(estimates)
    panels = figure.to_dict()["vconcat"]
    assert [panel["title"]["text"] for panel in panels] == ["topic 7", "topic 8"]
    assert panels[0]["layer"][0]["encoding"]["y"]["sort"] == ["strong", "weak"]
    assert {row["system"]: row["estimate"] for row in rows_of(figure)} == {
        one.system: one.value for one in estimates
    }


def test_hostile_names_are_only_values(painted, rows_of):
    estimates = [
        one
        for name in (HOSTILE, "plain")
        for one in sample_estimates(sample(40, name, "1.a[b]"), quantities=("recall",))
    ]
    figure = draw_recall(estimates)
    assert {row["system"] for row in rows_of(figure)} == {HOSTILE, "plain"}
    assert painted(figure, EMPHASIS).any()


def test_of_many_systems_the_first_are_drawn(rows_of):
    one = irbounds.recall_interval(**COUNTS, method="normal")
    many = [replace(one, system=f"s{k}", value=k / 100) for k in range(41)]
    figure = draw_recall(many)
    assert {row["system"] for row in rows_of(figure)} == {f"s{k}" for k in range(1, 41)}
    assert figure.title.endswith(" (the first 40 of 41 systems)")
    assert {row["system"] for row in rows_of(draw_recall(many, top=2))} == {"s40", "s39"}
