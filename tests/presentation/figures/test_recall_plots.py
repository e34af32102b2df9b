"""The figure of recall: methods, quantities and systems."""

from __future__ import annotations

import numpy as np
import pytest

import irbounds
from irbounds.presentation.figures.recall_plots import draw_recall
from irbounds.presentation.figures.style import EMPHASIS
from irbounds.results import Stratum
from recall_calls import estimate_all

COUNTS = {"retrieved": (2_000, 100, 50), "unretrieved": (100_000, 100, 3)}


def sample(relevant: int) -> tuple[Stratum, ...]:
    return (
        Stratum("retrieved", True, 2_000, 100, relevant),
        Stratum("unretrieved", False, 100_000, 200, 3),
    )


def drawn_rows(rows):
    return list({row["row"]: row for row in rows}.values())


def test_methods_are_drawn_as_they_are(rows_of, painted):
    estimates = estimate_all(**COUNTS, all_methods=True)
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
        estimate_all(**COUNTS, alternative=alternative, all_methods=True),
        estimate_all(sample(50), alternative=alternative, quantity=("recall", "F")),
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
        estimates = estimate_all(strata, all_methods=True)
    rows = {row["row"]: row for row in rows_of(draw_recall(estimates))}
    assert rows["koopman"]["low"] is None
    assert rows["koopman"]["note"] == "none: these data allow no interval"


def test_quantities_have_the_axes_of_their_scale(rows_of):
    estimates = estimate_all(sample(50))
    figure = draw_recall(estimates)
    drawn = {row["row"]: row["estimate"] for row in rows_of(figure)}
    assert drawn == {one.quantity: one.value for one in estimates}
    titles = [panel["layer"][0]["encoding"]["x"]["title"] for panel in figure.to_dict()["vconcat"]]
    assert titles == ["recall, precision, F1", "yield (relevant documents)", "prevalence, elusion"]
