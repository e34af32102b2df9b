"""Figures of Park's studies."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from irbounds.presentation.figures.style import COLOURS, QUIET
from irbounds.replications.paper_tables import StudyTable
from irbounds.replications.park2010 import ALPHAS, THEIRS, TITLES
from irbounds.replications.park2011 import SIZES
from irbounds.replications.park2011 import THEIRS as THEIRS_2011
from irbounds.replications.park_presentation import draw_park_figures

ROWS = tuple(f"{alpha:.2f}" for alpha in ALPHAS)
BY_LEVEL = StudyTable(
    "park2010", 2, TITLES[2], "alpha", ROWS, ("mean", "sd", "max"),
    tuple((alpha + 0.1, 0.01, alpha + 0.2) for alpha in ALPHAS), THEIRS[2],
    tuple((0.004, math.nan, math.nan) for _ in ALPHAS),
)  # fmt: skip
BY_SIZE = StudyTable(
    "park2010", 6, TITLES[6], "", ("AP error", "sAP error"), ("n = 2", "n = 5"),
    ((0.12, 0.11), (0.02, 0.01)), ((0.1, 0.1), (0.03, 0.03)), ((0.001, 0.001),) * 2,
)  # fmt: skip
BY_METHOD = StudyTable(
    "park2011", 1, "errors", "alpha", ROWS, tuple(f"n = {n}" for n in SIZES),
    THEIRS_2011[0], THEIRS_2011[0], tuple((0.004,) * 3 for _ in ALPHAS), 4,
)  # fmt: skip


def test_error_rates_by_level_match_the_tables(rows_of):
    (figure,) = draw_park_figures([BY_LEVEL])
    rows = [row for row in rows_of(figure) if "series" in row]
    means = {row["x"]: row for row in rows if row["series"] == "mean of systems"}
    for alpha, ours, theirs in zip(ALPHAS, BY_LEVEL.ours, BY_LEVEL.theirs, strict=True):
        row = means[alpha]
        assert (row["ours"], row["theirs"]) == (ours[0], theirs[0])
        assert row["high"] - row["low"] == pytest.approx(4 * 0.004)
    assert {row["series"] for row in rows} == {"mean of systems", "worst system"}
    promised = [row for row in rows_of(figure) if "nominal" in row]
    assert all(row["nominal"] == row["x"] for row in promised)


def test_error_rates_by_size_have_a_line_at_five_percent(rows_of):
    (figure,) = draw_park_figures([BY_SIZE])
    rows = rows_of(figure)
    assert [row["nominal"] for row in rows if "nominal" in row] == [0.05, 0.05]
    values = {(r["series"], r["x"]): r["ours"] for r in rows if "series" in r}
    assert values["sAP error", 5] == 0.01


def test_widths_have_no_nominal_line(rows_of):
    widths = replace(
        BY_SIZE, number=7, rows=("CI width",), ours=((20.0, 3.0),), theirs=((19.0, 3.1),)
    )
    (figure,) = draw_park_figures([widths])
    assert not [row for row in rows_of(figure) if "nominal" in row]
    assert "'type': 'log'" in str(figure.to_dict())


def test_title_and_description():
    first, second, third = draw_park_figures([BY_LEVEL, BY_SIZE, BY_METHOD])
    names = [figure.name for figure in (first, second, third)]
    assert names == ["park2010-table-2", "park2010-table-6", "park2011-table-1"]
    assert first.title == f"Table 2: {TITLES[2]}"
    assert "from mean of systems at 0.05, 0.150 against 0.082" in first.description
    assert "nominal error rate" in str(first.to_dict())
    assert "the largest difference is +0.0000" in third.description


def test_error_rates_above_nominal_are_drawn_above_the_line(painted):
    """And with the signs of the differences turned round, below."""
    (above,) = draw_park_figures([BY_SIZE])
    turned = replace(BY_SIZE, ours=BY_SIZE.ours[::-1])
    (below,) = draw_park_figures([turned])
    heights = []
    for figure in (above, below):
        ink = painted(figure, COLOURS[0])
        plot = ink[int(ink.shape[0] * 0.15) :]  # below the legend
        grey = painted(figure, QUIET)[int(ink.shape[0] * 0.15) :]
        line = np.flatnonzero(grey.sum(axis=1) > 200).mean()
        heights.append(np.median(np.nonzero(plot)[0]) < line)
    assert heights == [True, False]
