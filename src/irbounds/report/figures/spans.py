"""Intervals as lines through dots, a row each: what forest plots of all kinds share.

A one-sided interval is drawn from its end to the edge of the plot, where an arrowhead says that it
goes on. Where a sample allows no interval there is a hollow dot alone, and a word about it in what
the pointer shows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import altair as alt

from ...parameters import Alternative
from ...results import Interval
from ..evaluation import ENDS
from .style import EMPHASIS, QUIET, Figure

__all__ = ["axis_of", "end_fields", "end_tooltips", "panel_title", "spans", "stacked", "zero_line"]

MANY_ROWS = 30  # above which the axis stands on top, where a reader begins
NO_INTERVAL = "none: these scores allow no interval"


def end_fields(interval: Interval) -> dict[str, Any]:
    """The ends that say something, and a note where there are none."""
    ends = {end: getattr(interval, end) for end in ENDS[interval.alternative]}
    return {**ends, "note": NO_INTERVAL if any(map(math.isnan, ends.values())) else ""}


def end_tooltips(rows: Sequence[dict[str, Any]], side: Alternative, places: int) -> list[Any]:
    """What the pointer shows of intervals."""
    shown = [alt.Tooltip(f"{end}:Q", format=f".{places}f", title=end) for end in ENDS[side]]
    noted = any(row["note"] for row in rows)
    return [*shown, *([alt.Tooltip("note:N", title="interval")] if noted else [])]


def axis_of(title: str, n_rows: int) -> dict[str, Any]:
    """How the axis of values looks, for ``spans``."""
    orient: Literal["top", "bottom"] = "top" if n_rows > MANY_ROWS else "bottom"
    return {
        "title": title,
        "axis": alt.Axis(orient=orient),
        "scale": alt.Scale(zero=False),
    }


def spans(
    base: alt.Chart,
    centre: str,
    side: Alternative,
    axis: dict[str, Any],
    shape: alt.Shape | None = None,
) -> list[alt.Chart]:
    """Lines, arrowheads where one end is open, and dots; ``centre`` is the field of the dots."""
    known = " && ".join(f"isValid(datum.{end})" for end in ENDS[side])
    bounded, unbounded = base.transform_filter(known), base.transform_filter(f"!({known})")
    dots: dict[str, Any] = {"filled": True, "size": 60, "color": EMPHASIS, "opacity": 1}
    middle: dict[str, Any] = {"x": alt.X(f"{centre}:Q", **axis)}
    if shape is not None:
        middle["shape"] = shape
    return [
        *_lines(bounded, side, axis),
        bounded.mark_point(**dots).encode(**middle),
        unbounded.mark_point(**{**dots, "filled": False}).encode(**middle),
    ]


def _lines(base: alt.Chart, side: Alternative, axis: dict[str, Any]) -> list[alt.Chart]:
    rule = base.mark_rule(strokeWidth=2, color=EMPHASIS)
    if side == "two-sided":
        return [rule.encode(x=alt.X("low:Q", **axis), x2="high:Q")]
    (end,) = ENDS[side]
    edge, shape = ("width", "triangle-right") if side == "greater" else (0, "triangle-left")
    head = base.mark_point(shape=shape, filled=True, size=60, color=EMPHASIS)
    return [
        rule.encode(x=alt.X(f"{end}:Q", **axis), x2=alt.value(edge)),
        head.encode(x=alt.value(edge)),
    ]


def zero_line() -> alt.Chart:
    """Where there is no difference."""
    data = alt.InlineData(values=[{"zero": 0}])
    rule: alt.Chart = alt.Chart(data).mark_rule(color=QUIET, strokeDash=[4, 3]).encode(x="zero:Q")
    return rule


def panel_title(text: str) -> alt.TitleParams:
    """A title of one panel, below that of the whole figure in size."""
    return alt.TitleParams(text, fontSize=12, anchor="start", frame="group", offset=8)


def stacked(panels: Sequence[tuple[str, Figure]]) -> Figure:
    """Panels one below the other, each with a title; one panel alone needs none."""
    if len(panels) == 1:
        return panels[0][1]
    titled = [chart.properties(title=panel_title(title)) for title, chart in panels]
    return alt.vconcat(*titled, spacing=28)
