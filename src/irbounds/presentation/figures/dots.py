"""A dot a row, on a line where it has an interval or a range: the plain figure of small results.

Results that are part of something else elsewhere, as ties and a paper's numbers are, have
their figure here. Several series share a row: ours beside the paper's, or both ends of what is
possible. Very many rows are cut, and the title says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...results import Diagnosis, TieEffect
from ..rounding import significant
from . import vega
from .style import (
    ROW,
    WIDTH,
    Figure,
    colour_scale,
    draw_reference_line,
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
    """A number to be drawn, with what it is called and how far it reaches."""

    label: str
    value: float
    low: float = math.nan
    high: float = math.nan
    #: what tells dots of one row apart
    series: str = ""
    #: whose number it is, for the highlight; the label unless given
    system: str | None = None

    def row(self) -> dict[str, Any]:
        """Its row of data."""
        system = self.label if self.system is None else self.system
        ends = {"low": self.low, "high": self.high}
        names = {"label": self.label, "series": self.series, "system": system}
        return {**names, "value": self.value, **ends}


def draw_dots(
    given: Sequence[Dot],
    *,
    axis: str,
    name: str,
    title: str,
    reference: float | None = None,
    reach: str = "interval",
) -> Figure:
    """A finished figure of dots; ``reach`` says what the lines are, ``reference`` draws one."""
    n_rows = len({dot.label for dot in given})
    cut = f" (the first {MAX_ROWS} of {n_rows:,})" if n_rows > MAX_ROWS else ""
    has_lines = any(math.isfinite(dot.low) for dot in given)
    return make_figure(
        _panel(given, axis=axis, reference=reference),
        name=name,
        title=f"{title}{cut}",
        description=f"{title}{cut}: {_extremes(given)}{f'; lines: {reach}' if has_lines else ''}.",
    )


def _panel(given: Sequence[Dot], *, axis: str, reference: float | None = None) -> vega.Chart:
    labels = list(dict.fromkeys(dot.label for dot in given))[:MAX_ROWS]
    shown = [dot for dot in given if dot.label in set(labels)]
    series = list(dict.fromkeys(dot.series for dot in shown))
    base = vega.Chart(values(dot.row() for dot in shown)).encode(
        y=vega.Y("label:N", sort=labels, title=None),
        color=_colour(series),
        opacity=highlight(),
        tooltip=_tooltips(series, any(math.isfinite(dot.low) for dot in shown)),
    )
    scale = dict(zero=False, padding=8)
    lines = base.mark_rule(strokeWidth=2).encode(
        x=vega.X("low:Q", title=axis, scale=scale), x2="high:Q"
    )
    marks = base.mark_point(filled=True, size=60).encode(
        x=vega.X("value:Q", title=axis, scale=scale), shape=_shape(series)
    )
    layers = [lines, marks] if reference is None else [draw_reference_line(reference), lines, marks]
    return vega.layer(*layers).properties(width=WIDTH, height=vega.step(ROW))


def _legend(series: Sequence[str]) -> dict[str, Any] | None:
    """None where there is nothing to tell apart."""
    return dict(title=None, orient="top") if len(series) > 1 else None


def _colour(series: Sequence[str]) -> dict[str, Any]:
    return vega.channel("series:N", scale=colour_scale(series), legend=_legend(series))


def _shape(series: Sequence[str]) -> dict[str, Any]:
    shapes = [SHAPES[k % len(SHAPES)] for k in range(len(series))]
    scale = dict(domain=list(series), range=shapes)
    return vega.channel("series:N", scale=scale, legend=_legend(series))


def _tooltips(series: Sequence[str], has_lines: bool) -> list[dict[str, Any]]:
    names = {"label": "row", **({"series": "which"} if len(series) > 1 else {})}
    return tooltips(names, ("value", *(REACH if has_lines else ())), f".{DIGITS}~g")


def _extremes(given: Sequence[Dot]) -> str:
    """From which row at what to which at what, by value."""
    known = [dot for dot in given if math.isfinite(dot.value)]
    if not known:
        return "no number is known"
    least, most = min(known, key=lambda dot: dot.value), max(known, key=lambda dot: dot.value)
    ends = [f"{_called(dot)} at {significant(dot.value, DIGITS)}" for dot in (least, most)]
    return f"{len(given):,} numbers, from {ends[0]} to {ends[1]}" if least is not most else ends[0]


def _called(dot: Dot) -> str:
    return f"{dot.label} ({dot.series})" if dot.series else dot.label


def draw_tie_effects(effects: Sequence[TieEffect]) -> Figure:
    """Draw how far the order within ties can move the mean of each run."""
    several = len({one.measure for one in effects}) > 1
    points = []
    for one in effects:
        label = f"{one.system}, {one.measure}" if several else one.system
        points.append(Dot(label, one.trec, one.worst, one.best, system=one.system))
    return draw_dots(
        points,
        axis="mean score" if several else f"mean {effects[0].measure}",
        name="ties",
        title="Mean scores, and how far the order within ties can move them",
        reach="from the worst order within ties to the best",
    )


def draw_diagnosis(diagnosis: Diagnosis) -> Figure:
    """Draw how far the order within ties can move the mean AP of each run."""
    points = [
        Dot(run.name, (run.tie_low + run.tie_high) / 2, run.tie_low, run.tie_high)
        for run in diagnosis.runs
    ]
    return draw_dots(
        points,
        axis="mean AP",
        name="diagnosis",
        title="Mean AP of each run, and how far the order within ties can move it",
        reach="from the worst order within ties to the best, with a dot halfway",
    )
