"""Dots, one row per label, on a line if there is an interval or a range: for small results.

A row may have several series, such as our numbers and those of a paper. Of more than ``MAX_ROWS``
rows the first are drawn, and the title states it. The figures of ties are drawn here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..rounding import significant
from . import vega
from .style import (
    ROW,
    WIDTH,
    Figure,
    colour_scale,
    highlight,
    make_figure,
    tooltips,
    values,
)

MAX_ROWS = 60
SHAPES = ("circle", "diamond", "square", "triangle-up", "cross")
REACH = ("low", "high")
DIGITS = 4  # of numbers that may be of any size


@dataclass(frozen=True)
class Dot:
    """A number to be drawn, with its label and its range."""

    label: str
    value: float
    low: float = math.nan
    high: float = math.nan
    #: name of its series, for several dots in a row
    series: str = ""
    #: the system that it belongs to, for the highlight; by default the label
    system: str | None = None

    def row(self) -> dict[str, Any]:
        """Return its row of data."""
        system = self.label if self.system is None else self.system
        ends = {"low": self.low, "high": self.high}
        names = {"label": self.label, "series": self.series, "system": system}
        return {**names, "value": self.value, **ends}


def draw_dots(
    points: Sequence[Dot],
    *,
    axis: str,
    name: str,
    title: str,
    reach: str = "interval",
) -> Figure:
    """Draw dots; ``reach`` describes their lines."""
    n_rows = len({dot.label for dot in points})
    cut = f" (the first {MAX_ROWS} of {n_rows:,})" if n_rows > MAX_ROWS else ""
    lines = f"; lines: {reach}" if any(math.isfinite(dot.low) for dot in points) else ""
    return make_figure(
        _draw_panel(points, axis),
        name=name,
        title=f"{title}{cut}",
        description=f"{title}{cut}: {_describe_extremes(points)}{lines}.",
    )


def _draw_panel(points: Sequence[Dot], axis: str) -> vega.Chart:
    labels = list(dict.fromkeys(dot.label for dot in points))[:MAX_ROWS]
    visible = [dot for dot in points if dot.label in set(labels)]
    series = list(dict.fromkeys(dot.series for dot in visible))
    base = vega.Chart(values(dot.row() for dot in visible)).encode(
        y=vega.Y("label:N", sort=labels, title=None),
        color=_make_colour(series),
        opacity=highlight(),
        tooltip=_make_tooltips(series, any(math.isfinite(dot.low) for dot in visible)),
    )
    scale = dict(zero=False, padding=8)
    lines = base.mark_rule(strokeWidth=2).encode(
        x=vega.X("low:Q", title=axis, scale=scale), x2="high:Q"
    )
    marks = base.mark_point(filled=True, size=60).encode(
        x=vega.X("value:Q", title=axis, scale=scale), shape=_make_shape(series)
    )
    return vega.layer(lines, marks).properties(width=WIDTH, height=vega.step(ROW))


def _make_legend(series: Sequence[str]) -> dict[str, Any] | None:
    """Return the properties of a legend; None for a single series."""
    return dict(title=None, orient="top") if len(series) > 1 else None


def _make_colour(series: Sequence[str]) -> dict[str, Any]:
    return vega.channel("series:N", scale=colour_scale(series), legend=_make_legend(series))


def _make_shape(series: Sequence[str]) -> dict[str, Any]:
    shapes = [SHAPES[k % len(SHAPES)] for k in range(len(series))]
    scale = dict(domain=list(series), range=shapes)
    return vega.channel("series:N", scale=scale, legend=_make_legend(series))


def _make_tooltips(series: Sequence[str], has_lines: bool) -> list[dict[str, Any]]:
    names = {"label": "row", **({"series": "which"} if len(series) > 1 else {})}
    return tooltips(names, ("value", *(REACH if has_lines else ())), f".{DIGITS}~g")


def _describe_extremes(points: Sequence[Dot]) -> str:
    """Return the rows of the lowest and the highest value."""
    known = [dot for dot in points if math.isfinite(dot.value)]
    if not known:
        return "no number is known"
    lowest, highest = min(known, key=lambda dot: dot.value), max(known, key=lambda dot: dot.value)
    ends = [
        f"{_describe_dot(dot)} at {significant(dot.value, DIGITS)}" for dot in (lowest, highest)
    ]
    return (
        f"{len(points):,} numbers, from {ends[0]} to {ends[1]}"
        if lowest is not highest
        else ends[0]
    )


def _describe_dot(dot: Dot) -> str:
    return f"{dot.label} ({dot.series})" if dot.series else dot.label
