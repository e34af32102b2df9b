"""Recall and its relatives with intervals: methods side by side, quantities, and systems.

Every row is an estimate on its interval, or on a limit with an arrow, as ``spans`` draws them. The
posterior has a figure of its own, in ``recall_posterior``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ...results import RecallEstimate
from ..evaluation import half_width
from ..recall import is_recommended, places_of, shown_numbers
from ..rounding import decimals_of_column, fixed
from ..words import capital
from . import vega
from .recall_labels import LABEL_LIMIT, axis_title, level_label, method_label, of_whom, side_label
from .spans import axis_of, end_fields, end_tooltips, spans, stacked
from .style import EMPHASIS, QUIET, ROW, WIDTH, Figure, finished, highlight, tooltips, values

__all__ = ["methods_side_by_side", "quantities", "systems"]

#: quantities that are not on the axis of recall, and which of them share one
SCALES = {"yield": "documents", "prevalence": "rare", "elusion": "rare"}


def methods_side_by_side(estimates: Sequence[RecallEstimate]) -> Figure:
    """The same samples by several methods, each with its interval; a panel a retrieved set."""
    parts = _parts(estimates, lambda one: (one.topic, one.system))
    panels = []
    for part in parts:
        rows = [{"method": method_label(one), "recommended": is_recommended(one), **_row(one)}
                for one in part]  # fmt: skip
        x_title = "recall" if part is parts[-1] else ""
        title = of_whom(part[0]).removeprefix(" of ")
        panels.append((title, _forest(part, rows, "method", x_title)))
    first = estimates[0]
    return finished(
        stacked(panels, shared_x=True),
        name="recall-methods",
        title=f"Recall and its {level_label(first)} {side_label(first)} by {len(parts[0])} methods",
        description=f"Recall by method, each with its {level_label(first)} {side_label(first)}. "
        + " ".join(map(_on_methods, parts)),
    )


def quantities(estimates: Sequence[RecallEstimate]) -> Figure:
    """The quantities of one sample with their intervals; those of one scale share an axis."""
    parts = _parts(estimates, lambda one: SCALES.get(one.quantity))
    panels = [
        (
            "",
            _forest(
                part,
                [{"quantity": one.quantity, **_row(one)} for one in part],
                "quantity",
                ", ".join(map(axis_title, part)),
            ),
        )
        for part in parts
    ]
    first = estimates[0]
    said = "; ".join(f"{one.quantity} {_in_words(one)}" for one in estimates)
    return finished(
        stacked(panels),
        name="recall-quantities",
        title=f"What the samples tell{of_whom(first, in_title=True)}, with {level_label(first)} "
        f"{side_label(first)}s ({method_label(first)})",
        description=f"Estimates with their {level_label(first)} {side_label(first)}s: {said}.",
    )


def systems(estimates: Sequence[RecallEstimate]) -> Figure:
    """Many retrieved sets, best first; a panel a topic and quantity."""
    parts = _parts(estimates, lambda one: (one.quantity, one.topic))
    panels = []
    for part in parts:
        best_first = sorted(part, key=lambda one: (-_sortable(one.value), one.system or ""))
        first = best_first[0]
        title = f"topic {first.topic}" if first.topic is not None else ""
        rows = [{"system": one.system or "", **_row(one)} for one in best_first]
        x_title = "" if _is_followed(part, parts) else axis_title(first)
        panels.append((title, _forest(part, rows, "system", x_title)))
    first = estimates[0]
    names = list(dict.fromkeys(one.quantity for one in estimates))
    sets = len({one.system for one in estimates})
    intervals = f"{level_label(first)} {side_label(first)}s"
    return finished(
        stacked(panels, shared_x=len(names) == 1),
        name=f"{'-'.join(names)}-systems",
        title=f"{capital(', '.join(names))} of {sets:,} systems with {intervals} "
        f"({method_label(first)})",
        description=f"{len(estimates):,} estimates with their {intervals}. "
        + " ".join(map(_on_systems, parts)),
    )


def _forest(
    part: Sequence[RecallEstimate], rows: Sequence[dict[str, Any]], field: str, x_title: str
) -> vega.Chart:
    """Rows with an estimate and an interval each; what is recommended, or all, in full colour."""
    side = part[0].interval.alternative
    form = ",.0f" if part[0].quantity == "yield" else f",.{_places(part)}f"
    base = vega.Chart(values(rows)).encode(
        y=vega.Y(f"{field}:N", title=None, sort=[row[field] for row in rows],
                axis=dict(labelLimit=LABEL_LIMIT)),
        color=vega.condition("datum.recommended === false", QUIET, EMPHASIS),
        tooltip=[*tooltips([field], ["estimate"], form), *end_tooltips(rows, side, form)],
    )  # fmt: skip
    if field == "system":
        base = base.encode(opacity=highlight())
    layers = spans(base, "estimate", side, axis_of(x_title or None, len(rows)))
    return vega.layer(*layers).properties(width=WIDTH, height=vega.step(ROW))


def _parts(
    estimates: Sequence[RecallEstimate], key: Callable[[RecallEstimate], Any]
) -> list[list[RecallEstimate]]:
    found: dict[Any, list[RecallEstimate]] = {}
    for one in estimates:
        found.setdefault(key(one), []).append(one)
    return list(found.values())


def _is_followed(part: Sequence[RecallEstimate], parts: Sequence[Sequence[RecallEstimate]]) -> bool:
    """Whether the next panel shows the same quantity, and so names the axis."""
    after = [one[0].quantity for one in parts][parts.index(part) + 1 :]
    return after[:1] == [part[0].quantity]


def _row(one: RecallEstimate) -> dict[str, Any]:
    return {"estimate": one.value, **end_fields(one.interval)}


def _places(part: Iterable[RecallEstimate]) -> int:
    return decimals_of_column(half_width(one.value, one.interval) for one in part)


def _sortable(value: float) -> float:
    return -math.inf if math.isnan(value) else value


def _in_words(one: RecallEstimate) -> str:
    number, *ends = shown_numbers(one, places_of(one, None))
    return f"{number} ({' to '.join(ends)})"


def _on_methods(part: Sequence[RecallEstimate]) -> str:
    """The estimate, and the widest and the narrowest interval."""
    known = [one for one in part if not math.isnan(one.interval.low)]
    places = _places(part)
    whom = of_whom(part[0]).removeprefix(" of ")
    said = f"{whom}{': ' if whom else ''}recall {fixed(part[0].value, places)}"
    if not known:
        return f"{said}, without intervals."
    ordered = sorted(known, key=lambda one: one.interval.half_width)
    narrow, wide = (f"{method_label(one)} at {_in_words(one)}" for one in (ordered[0], ordered[-1]))
    return f"{said}; the narrowest is {narrow}, the widest {wide}."


def _on_systems(part: Sequence[RecallEstimate]) -> str:
    """The best and the worst."""
    ordered = sorted(part, key=lambda one: -_sortable(one.value))
    first, last = ordered[0], ordered[-1]
    topic = f"Topic {first.topic}: " if first.topic else ""
    return (
        f"{topic}{first.quantity} from {first.system} at {_in_words(first)} to {last.system} at "
        f"{_in_words(last)}."
    )
