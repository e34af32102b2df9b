"""The figure of recall: estimates on their intervals, by method, quantity or retrieved set."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...results import RecallEstimate
from ...results.recall_estimates import format_numbers, is_recommended, places_of, recall_view
from ..phrases import SIDES
from ..rounding import percent
from . import MAX_SYSTEMS, vega
from .shapes import (
    draw_forest,
    get_ends,
    keep_first,
    make_end_tooltips,
    make_panel,
    make_value_axis,
    stack_panels,
)
from .style import EMPHASIS, QUIET, Figure, highlight, make_figure, tooltips, values

#: quantities that are not on the axis of recall, by their common axis
SCALES = {"yield": "documents", "prevalence": "rare", "elusion": "rare"}
KINDS = ["recommended", "other methods"]
LABELS = dict(labelLimit=320)  # pixels of a name to the left of a row


def draw_recall(estimates: Sequence[RecallEstimate], top: int | None = MAX_SYSTEMS) -> Figure:
    """Draw all estimates, one panel per scale of the quantities or per topic of retrieved sets."""
    kind = recall_view(estimates)
    if kind == "systems":
        estimates = sorted(estimates, key=_best_first)
    parts: dict[Any, list[RecallEstimate]] = {}
    for estimate in estimates:
        scale = SCALES.get(estimate.quantity) if kind == "quantities" else estimate.quantity
        owner = estimate.system if kind == "methods" else None
        side = estimate.interval.alternative
        parts.setdefault((scale, side, estimate.topic, owner), []).append(estimate)
    panels, note = keep_first(list(parts.values()), top if kind == "systems" else None)
    first = estimates[0]
    level = percent(first.interval.confidence_level)
    sides = {estimate.interval.alternative for estimate in estimates}
    interval = "one-sided limit" if len(sides) > 1 else SIDES[first.interval.alternative]
    method = "" if kind == "methods" else f" ({_name(first, 'methods')})"
    numbers = (
        f"{_name(row, kind)} {' to '.join(format_numbers(row, places_of(row, None)))}"
        for panel in panels
        for row in panel
    )
    title = f"Estimates from the samples, with {level} {interval}s{method}{note}"
    return make_figure(
        stack_panels([(_name_panel(panel, kind), _draw_panel(panel, kind)) for panel in panels]),
        name="recall",
        title=title,
        description=f"{title}: {'; '.join(numbers)}.",
    )


def _best_first(estimate: RecallEstimate) -> tuple[bool, float, str]:
    return math.isnan(estimate.value), -estimate.value, estimate.system or ""


def _name(estimate: RecallEstimate, kind: str) -> str:
    if kind == "methods":
        return estimate.interval.method + (f", prior {estimate.prior}" if estimate.prior else "")
    return estimate.quantity if kind == "quantities" else estimate.system or ""


def _name_panel(panel: Sequence[RecallEstimate], kind: str) -> str:
    first = panel[0]
    system = first.system if kind == "methods" else None
    topic = f"topic {first.topic}" if first.topic and kind != "quantities" else None
    return ", ".join(filter(None, (system, topic)))


def _draw_panel(panel: Sequence[RecallEstimate], kind: str) -> vega.Chart:
    """Draw estimates on intervals; methods that are not recommended are grey."""
    side = panel[0].interval.alternative
    places = max(places_of(estimate, None) for estimate in panel)
    form = ",.0f" if panel[0].quantity == "yield" else f",.{places}f"
    rows = [
        {
            "row": _name(estimate, kind),
            "kind": KINDS[not is_recommended(estimate)],
            "estimate": estimate.value,
            **({"system": estimate.system} if kind == "systems" else {}),
            **get_ends(estimate.interval),
        }
        for estimate in panel
    ]
    look: dict[str, Any] = {"opacity": highlight()} if kind == "systems" else {}
    if kind == "methods":
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
