"""Intervals as lines through dots, a row each: what forest plots of all kinds share.

A one-sided interval is drawn from its end to the edge of the plot, where an arrowhead says that it
goes on. Where a sample allows no interval there is a hollow dot alone, and a word about it in what
the pointer shows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

from ...parameters import Alternative
from ...results import Interval
from ..evaluation import ENDS
from . import vega
from .style import EMPHASIS, tooltips

__all__ = ["axis_of", "end_fields", "end_tooltips", "panel_title", "spans", "stacked"]

ROOM = 14  # pixels between the outermost dot and an arrowhead
MANY_ROWS = 30  # above which the axis stands on top, where a reader begins
NO_INTERVAL = "none: these data allow no interval"


def end_fields(interval: Interval) -> dict[str, Any]:
    """The ends that say something, and a note where there are none."""
    ends = {end: getattr(interval, end) for end in ENDS[interval.alternative]}
    return {**ends, "note": NO_INTERVAL if any(map(math.isnan, ends.values())) else ""}


def end_tooltips(
    rows: Sequence[dict[str, Any]], side: Alternative, form: int | str
) -> list[dict[str, Any]]:
    """What the pointer shows of intervals."""
    noted = any(row["note"] for row in rows)
    return [
        *tooltips((), ENDS[side], form),
        *tooltips({"note": "interval"} if noted else {}),
    ]


def axis_of(title: str | None, n_rows: int) -> dict[str, Any]:
    """How the axis of values looks, for ``spans``."""
    orient: Literal["top", "bottom"] = "top" if n_rows > MANY_ROWS else "bottom"
    return {
        "title": title,
        "axis": dict(orient=orient),
        "scale": dict(zero=False),
    }


def spans(
    base: vega.Chart,
    centre: str,
    side: Alternative,
    axis: dict[str, Any],
    shape: dict[str, Any] | None = None,
) -> list[vega.Chart]:
    """Lines, arrowheads where one end is open, and dots; ``centre`` is the field of the dots.

    A colour that ``base`` encodes takes the place of the usual one.
    """
    if side != "two-sided":
        # a dot at the last tick would hide the arrowhead, which is at the edge
        axis = {**axis, "scale": {**axis["scale"], "padding": ROOM}}
    known = " && ".join(f"isValid(datum.{end})" for end in ENDS[side])
    bounded, unbounded = base.transform_filter(known), base.transform_filter(f"!({known})")
    dots: dict[str, Any] = {"filled": True, "size": 60, "color": EMPHASIS, "opacity": 1}
    middle: dict[str, Any] = {"x": vega.X(f"{centre}:Q", **axis)}
    if shape is not None:
        middle["shape"] = shape
    return [
        *_lines(bounded, side, axis),
        bounded.mark_point(**dots).encode(**middle),
        unbounded.mark_point(**{**dots, "filled": False}).encode(**middle),
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
    """A title of one panel, below that of the whole figure in size."""
    return dict(text=text, fontSize=12, anchor="start", frame="group", offset=8)


def stacked(panels: Sequence[tuple[str, vega.Chart]], *, shared_x: bool = False) -> vega.Chart:
    """Panels one below the other, each with a title if it has one; one panel alone needs none.

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
