"""Dots on lines, what they are set beside, and the figures that are made of them."""

from __future__ import annotations

import math

import numpy as np

from every_result import HOSTILE
from irbounds.presentation.figures.dots import (
    MAX_ROWS,
    Dot,
    draw_dots,
)
from irbounds.presentation.figures.style import CONTRAST, EMPHASIS


def by_label(rows):
    return {(row["label"], row["series"]): row for row in rows if "label" in row}


def columns_of(found: np.ndarray) -> np.ndarray:
    return np.nonzero(found.any(axis=0))[0]


def test_dots_equal_their_input(rows_of):
    given = [Dot("a", 1.0, 0.5, 2.0), Dot(HOSTILE, 3.0, system="s"), Dot("c", math.nan)]
    figure = draw_dots(given, axis="an axis", name="n", title="T")
    rows = by_label(rows_of(figure))
    assert rows["a", ""] == {
        "label": "a", "series": "", "system": "a", "value": 1.0, "low": 0.5, "high": 2.0
    }  # fmt: skip
    assert (rows[HOSTILE, ""]["system"], rows[HOSTILE, ""]["low"]) == ("s", None)
    assert rows["c", ""]["value"] is None
    assert figure.to_dict()["description"] == (
        f"T: 3 numbers, from a at 1 to {HOSTILE} at 3; lines: interval."
    )


def test_many_rows_are_cut_with_a_note_in_the_title(rows_of):
    figure = draw_dots([Dot(f"r{k}", k) for k in range(130)], axis="x", name="n", title="T")
    assert len({row["label"] for row in rows_of(figure)}) == MAX_ROWS
    assert figure.to_dict()["title"] == "T (the first 60 of 130)"


def test_a_dot_is_painted_where_its_number_is(painted):
    found = painted(
        draw_dots([Dot("a", 0.0), Dot("b", 1.0)], axis="x", name="n", title="T"), EMPHASIS
    )
    rows, columns = np.nonzero(found)
    middle = (rows.min() + rows.max()) / 2
    assert columns[rows < middle].max() < columns[rows > middle].min()


def test_a_line_is_as_long_as_its_interval(painted):
    ends = [Dot("b", 0.0), Dot("c", 1.0)]
    amounts = []
    for low, high in ((0.0, 1.0), (0.49, 0.51)):
        figure = draw_dots([Dot("a", 0.5, low, high), *ends], axis="x", name="n", title="T")
        amounts.append(painted(figure, EMPHASIS).sum())
    assert amounts[0] > amounts[1] + 500


def test_series_differ_in_colour_and_in_shape(painted):
    given = [Dot("a", 0.0, series="ours"), Dot("a", 1.0, series="paper")]
    figure = draw_dots(given, axis="x", name="n", title="T")
    ours, theirs = painted(figure, EMPHASIS), painted(figure, CONTRAST)
    below = ours.shape[0] // 2  # the legend is above
    assert columns_of(ours[below:]).max() < columns_of(theirs[below:]).min()
    text = str(figure.to_dict())
    assert "circle" in text
    assert "diamond" in text
