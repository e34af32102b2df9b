"""Actual against nominal error."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from irbounds.planning import CalibrationRow
from irbounds.presentation.figures.coverage import calibration
from irbounds.presentation.figures.style import COLOURS, QUIET
from irbounds.presentation.registry import tables_of


def row(method, n, error, **more):
    numbers = (error, 0.004, error / 2, error / 2, 0.0, 0.3, 0.01, 0.5, 0.02, 2 * error)
    made = CalibrationRow("AP", n, method, 0.95, *numbers, "s1", "honest", False)
    return replace(made, **more)


ROWS = (
    row("student-t", 5, 0.06),
    row("percentile", 5, 0.18, verdict="short"),
    row("student-t", 20, 0.05, recommended=True),
    row("percentile", 20, 0.09, verdict="short"),
)


def test_what_is_drawn_is_what_was_found(rows_of):
    drawn = {(r["method"], r["n"]): r for r in rows_of(calibration(ROWS)) if "method" in r}
    for one in ROWS:
        found = drawn[one.method, one.n]
        assert (found["error"], found["nominal"]) == (one.error, 0.05)
        assert found["low"] == pytest.approx(one.error - 0.008)
        assert found["high"] == pytest.approx(one.error + 0.008)
    assert drawn["student-t", 20]["verdict"] == "honest, recommended"
    assert drawn["percentile", 5]["verdict"] == "misses too often"
    assert {"place": 0.05} in rows_of(calibration(ROWS))


def test_noise_ends_where_shares_do(rows_of):
    (found,) = {
        (r["low"], r["high"]) for r in rows_of(calibration([row("bca", 5, 0.002)])) if "low" in r
    }
    assert found == (0.0, pytest.approx(0.01))
    # the bar of the table is the same
    (table,) = tables_of([row("bca", 5, 0.002)])
    assert table.bars == ((0.0, 0.002, pytest.approx(0.01)),)


def test_words():
    figure = calibration(ROWS)
    assert figure.title == (
        "Fraction of 95 % intervals of mean AP that miss it; dashed: the nominal 0.05"
    )
    assert "5, 20 queries; with 5 queries: student-t 0.060, percentile 0.180" in figure.description
    assert "fraction of intervals that miss" in str(figure.to_dict())
    assert "queries in a sample" in str(figure.to_dict())


def test_the_line_is_between_what_misses_less_and_what_misses_more(painted):
    rows = [row("student-t", 5, 0.02), row("percentile", 5, 0.18)]
    figure = calibration(rows)
    line = np.flatnonzero(painted(figure, QUIET).sum(axis=1) > 200)
    less, more = (_plot(painted(figure, colour)) for colour in COLOURS[:2])
    assert more.max() < line.min() < line.max() < less.min()  # rows count from above


def _plot(ink):
    """Rows of a colour, less the legend on the right."""
    return np.nonzero(ink[:, : int(ink.shape[1] * 0.75)])[0]


def test_levels_and_measures_are_panels():
    rows = [*ROWS, *(replace(one, confidence_level=0.9) for one in ROWS)]
    figure = calibration([*rows, *(replace(one, measure="P@10") for one in rows)])
    assert (figure.name, len(figure.to_dict()["vconcat"])) == ("calibration", 4)
    assert "nominal" in figure.to_dict()["vconcat"][1]["title"]["text"]
    assert "0.1" in figure.to_dict()["vconcat"][1]["title"]["text"]
