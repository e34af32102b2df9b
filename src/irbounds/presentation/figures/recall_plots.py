"""The figure of recall: estimates on their intervals, by method or by quantity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...results import RecallEstimate
from ...results.recall_estimates import format_numbers, has_methods, places_of
from ..phrases import SIDES
from ..rounding import percent
from . import vega
from .shapes import (
    draw_forest,
    get_ends,
    make_end_tooltips,
    make_panel,
    make_value_axis,
    stack_panels,
)
from .style import EMPHASIS, QUIET, Figure, make_figure, tooltips, values

#: quantities that are not on the axis of recall, by their common axis
SCALES = {"yield": "documents", "prevalence": "rare", "elusion": "rare"}
KINDS = ["recommended", "other methods"]
LABELS = dict(labelLimit=320)  # pixels of a name to the left of a row


def draw_recall(estimates: Sequence[RecallEstimate]) -> Figure:
    """Draw all estimates, one panel per scale of the quantities."""
    by_method = has_methods(estimates)
    panels: dict[Any, list[RecallEstimate]] = {}
    for estimate in estimates:
        key = SCALES.get(estimate.quantity), estimate.interval.alternative
        panels.setdefault(key, []).append(estimate)
    first = estimates[0]
    sides = {estimate.interval.alternative for estimate in estimates}
    interval = "one-sided limit" if len(sides) > 1 else SIDES[first.interval.alternative]
    method = "" if by_method else f" ({_name_method(first)})"
    level = percent(first.interval.confidence_level)
    title = f"Estimates from the samples, with {level} {interval}s{method}"
    numbers = (
        f"{_name(row, by_method)} {' to '.join(format_numbers(row, places_of(row, None)))}"
        for panel in panels.values()
        for row in panel
    )
    return make_figure(
        stack_panels([("", _draw_panel(panel, by_method)) for panel in panels.values()]),
        name="recall",
        title=title,
        description=f"{title}: {'; '.join(numbers)}.",
    )


def _name_method(estimate: RecallEstimate) -> str:
    return estimate.interval.method + (f", prior {estimate.prior}" if estimate.prior else "")


def _name(estimate: RecallEstimate, by_method: bool) -> str:
    return _name_method(estimate) if by_method else estimate.quantity


def _draw_panel(panel: Sequence[RecallEstimate], by_method: bool) -> vega.Chart:
    """Draw estimates on intervals; methods that are not recommended are grey."""
    side = panel[0].interval.alternative
    places = max(places_of(estimate, None) for estimate in panel)
    form = ",.0f" if panel[0].quantity == "yield" else f",.{places}f"
    rows = [
        {
            "row": _name(estimate, by_method),
            "kind": KINDS[not estimate.is_recommended],
            "estimate": estimate.value,
            **get_ends(estimate.interval),
        }
        for estimate in panel
    ]
    look: dict[str, Any] = {}
    if by_method:
        scale = dict(domain=KINDS, range=[EMPHASIS, QUIET])
        look["color"] = vega.channel("kind:N", scale=scale, legend=dict(title=None, orient="top"))
    names = list(dict.fromkeys(estimate.quantity for estimate in panel))
    unit = " (relevant documents)" if names == ["yield"] else ""
    base = vega.Chart(values(rows)).encode(
        y=vega.Y("row:N", title=None, sort=[row["row"] for row in rows], axis=LABELS),
        tooltip=[
            *tooltips({"row": "estimate of"}, ["estimate"], form),
            *make_end_tooltips(rows, side, form),
        ],
        **look,
    )
    axis = make_value_axis(", ".join(names) + unit, len(rows))
    return make_panel(*draw_forest(base, "estimate", side, axis))
