"""Figures: what their specification says, and what is painted."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image

from irbounds.presentation.figures.export import figure_bytes

NEARNESS = 12  # of 255, a channel: antialiased edges are not counted


def picture(figure: Any) -> np.ndarray:
    """Height x width x (red, green, blue) of a figure as it is drawn."""
    with Image.open(io.BytesIO(figure_bytes(figure, ".png"))) as image:
        return np.asarray(image.convert("RGB")).astype(int)


@pytest.fixture
def painted():
    """Where a figure has a colour: an array of height x width, True where it is that colour.

    ``legend=False`` leaves out the legend on top, which is the first band of painted rows.
    """

    pictures: dict[int, tuple[Any, np.ndarray]] = {}  # with its figure, whose id is the key

    def found(figure: Any, colour: str, *, legend: bool = True) -> np.ndarray:
        if id(figure) not in pictures:
            pictures[id(figure)] = figure, picture(figure)
        wanted = [int(colour[k : k + 2], 16) for k in (1, 3, 5)]
        mask = (np.abs(pictures[id(figure)][1] - wanted) <= NEARNESS).all(axis=2)
        rows = mask.any(axis=1)
        return mask if legend else mask[np.flatnonzero(rows[:-1] & ~rows[1:])[0] + 1 :]

    return found


@pytest.fixture
def symbol(painted):
    """The shape of the legend's symbol of a colour: how much of its box, and height by width."""

    def found(figure: Any, colour: str) -> tuple[float, float]:
        mask = painted(figure, colour)
        rows = np.flatnonzero(mask.any(axis=1))
        ends = rows[np.flatnonzero(np.diff(rows, append=len(mask) + 1) > 1)]
        band = mask[rows[0] : ends[0] + 1]  # the legend is the first band of painted rows
        columns = np.flatnonzero(band.any(axis=0))
        box = band[:, columns[0] : columns[-1] + 1]
        return float(box.mean()), box.shape[0] / box.shape[1]

    return found


@pytest.fixture
def rows_of():
    """The data behind a figure, all layers and panels together; names are not yet drawable."""

    def found(figure: Any) -> list[dict[str, Any]]:
        return [row for rows in figure.chart.to_dict()["datasets"].values() for row in rows]

    return found
