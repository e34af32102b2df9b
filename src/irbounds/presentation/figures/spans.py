"""Dots on intervals, one row each: what forest plots of all kinds share.

A one-sided interval is drawn from its end to the edge of the plot, where an arrowhead says that it
goes on. A sample that allows no interval has a hollow dot and a note at the pointer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...parameters import Alternative
from ...results import Interval
from ..phrases import ENDS, pluralise
from . import vega
from .style import EMPHASIS, tooltips

EDGE = 6  # pixels between the outermost end and the edge of the plot
ROOM = 14  # pixels between the outermost dot and an arrowhead
MANY_ROWS = 30  # above which the axis is on top, where a reader begins
NO_INTERVAL = "none: these data allow no interval"


def end_fields(interval: Interval) -> dict[str, Any]:
    """Return the ends that say something, and a note where there are none."""
    ends = {end: getattr(interval, end) for end in ENDS[interval.alternative]}
    return {**ends, "note": NO_INTERVAL if any(map(math.isnan, ends.values())) else ""}


def end_tooltips(
    rows: Sequence[dict[str, Any]], side: Alternative, form: int | str
) -> list[dict[str, Any]]:
    """Return what the pointer shows of intervals."""
    noted = any(row["note"] for row in rows)
    return [
        *tooltips((), ENDS[side], form),
        *tooltips({"note": "interval"} if noted else {}),
    ]


def axis_of(title: str | None, n_rows: int) -> dict[str, Any]:
    """Return the look of the axis of values, for ``spans``."""
    return {
        "title": title,
        "axis": dict(orient="top" if n_rows > MANY_ROWS else "bottom"),
        "scale": dict(zero=False, padding=EDGE),
    }


def note_of(n_shown: int, n: int, what: str = "system", which: str = "first {}") -> str:
    """Return ``the first 40 of 129 systems``; nothing where all are shown."""
    return f"the {which.format(n_shown)} of {pluralise(n, what)}" if n_shown < n else ""


def note_sentence(note: str) -> str:
    """Return a note as the last sentence of a description."""
    return f" Drawn: {note}." if note else ""


def row_axis(order: Sequence[str], note: str = "", field: str = "system", **look: Any) -> Any:
    """Return the axis with one row per system, in this order; ``note`` says which are shown."""
    return vega.Y(f"{field}:N", sort=list(order), title=note or None, **look)


def spans(
    base: vega.Chart,
    centre: str,
    side: Alternative,
    axis: dict[str, Any],
    shape: dict[str, Any] | None = None,
    **dots: Any,
) -> list[vega.Chart]:
    """Return lines, arrowheads where one end is open, and dots at the field ``centre``.

    A colour that ``base`` encodes replaces the usual one; ``dots`` are other channels of the dots.
    """
    if side != "two-sided":
        # a dot at the last tick would hide the arrowhead, which is at the edge
        axis = {**axis, "scale": {**axis["scale"], "padding": ROOM}}
    known = " && ".join(f"isValid(datum.{end})" for end in ENDS[side])
    bounded, unbounded = base.transform_filter(known), base.transform_filter(f"!({known})")
    look: dict[str, Any] = {"filled": True, "size": 60, "color": EMPHASIS, "opacity": 1}
    dots["x"] = vega.X(f"{centre}:Q", **axis)
    if shape is not None:
        dots["shape"] = shape
    return [
        *_lines(bounded, side, axis),
        bounded.mark_point(**look).encode(**dots),
        unbounded.mark_point(**{**look, "filled": False}).encode(**dots),
    ]


def _lines(base: vega.Chart, side: Alternative, axis: dict[str, Any]) -> list[vega.Chart]:
    rule = base.mark_rule(strokeWidth=2, color=EMPHASIS)
    if side == "two-sided":
        return [rule.encode(x=vega.X("low:Q", **axis), x2="high:Q")]
    (end,) = ENDS[side]
    edge, shape = ("width", "triangle-right") if side == "greater" else (0, "triangle-left")
    head = base.mark_point(shape=shape, filled=True, size=60, color=EMPHASIS, opacity=1)
    return [
        rule.encode(x=vega.X(f"{end}:Q", **axis), x2=vega.value(edge)),
        head.encode(x=vega.value(edge)),
    ]


def panel_title(text: str | list[str]) -> dict[str, Any]:
    """Return the title of one panel, smaller than that of the figure."""
    return dict(text=text, fontSize=12, anchor="start", frame="group", offset=8)


def stacked(panels: Sequence[tuple[str, vega.Chart]], *, shared_x: bool = False) -> vega.Chart:
    """Put panels below each other, each with its title if it has one; a single one needs none.

    ``shared_x`` puts all of them on one scale, where they show the same thing.
    """
    if len(panels) == 1:
        return panels[0][1]
    titled = [
        chart.properties(title=panel_title(title)) if title else chart for title, chart in panels
    ]
    spacing = 28 if any(title for title, _ in panels) else 14
    whole = vega.vconcat(*titled, spacing=spacing)
    return whole.resolve_scale(x="shared") if shared_x else whole
