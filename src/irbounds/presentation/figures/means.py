"""Systems with their means and intervals: the forest plot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...results import Estimate, RandomBaseline
from ..evaluation import half_width, interval_words
from ..rounding import decimals_of_column, fixed
from ..words import counted, counted_queries
from . import vega
from .spans import axis_of, end_fields, end_tooltips, spans, stacked
from .style import CONTRAST, ROW, WIDTH, Figure, finished, highlight, tooltips, values

__all__ = ["forest", "forests"]


def forest(estimates: Sequence[Estimate], chance: Iterable[RandomBaseline] = ()) -> Figure:
    """One measure's systems by one method, best first, each a dot on its interval.

    ``chance`` adds a tick for what a random ranking scores beside each system.
    """
    levels = _levels(chance)
    first = estimates[0]
    return finished(
        _panel(estimates, levels),
        name=f"means-{first.measure}",
        title=_title(first),
        description=_description(estimates, levels),
    )


def forests(estimates: Sequence[Estimate], chance: Iterable[RandomBaseline] = ()) -> Figure:
    """Forest plots of all measures and methods, one below the other."""
    parts, chance = _parts(estimates), list(chance)
    if len(parts) == 1:
        return forest(parts[0], chance)
    levels = _levels(chance)
    return finished(
        stacked([(_title(part[0]), _panel(part, levels)) for part in parts]),
        name="means",
        title=f"Means over {counted_queries(estimates[0].n)} with their intervals",
        description=" ".join(_description(part, levels) for part in parts),
    )


def _parts(estimates: Iterable[Estimate]) -> list[list[Estimate]]:
    """Those that share a panel: of one measure, by one method, at one level and side."""
    parts: dict[Any, list[Estimate]] = {}
    for one in estimates:
        made = (one.interval.method, one.interval.confidence_level, one.interval.alternative)
        parts.setdefault((one.measure, *made), []).append(one)
    return list(parts.values())


def _levels(chance: Iterable[RandomBaseline]) -> dict[tuple[str, str | None], float]:
    return {(level.measure, level.system): level.expected for level in chance}


def _panel(
    estimates: Sequence[Estimate], levels: dict[tuple[str, str | None], float]
) -> vega.Chart:
    best_first = _best_first(estimates)
    first, side = best_first[0], best_first[0].interval.alternative
    places = decimals_of_column(half_width(e.value, e.interval) for e in best_first)
    rows = [_row(e, levels.get((e.measure, e.system))) for e in best_first]
    shown = [
        *tooltips(["system"], ["mean"], places),
        *end_tooltips(rows, side, places),
        *tooltips((), {"chance": "a random ranking"} if levels else {}, ".2g"),
    ]
    base = vega.Chart(values(rows)).encode(
        y=vega.Y("system:N", sort=[e.system for e in best_first], title=None),
        opacity=highlight(),
        tooltip=shown,
    )
    axis = axis_of(_axis_title(first.measure, bool(levels)), len(rows))
    layers = spans(base, "mean", side, axis)
    if levels:
        tick = base.mark_tick(color=CONTRAST, thickness=3, size=ROW - 4)
        layers.append(tick.encode(x=vega.X("chance:Q", **axis)))
    return vega.layer(*layers).properties(width=WIDTH, height=vega.step(ROW))


def _axis_title(measure: str, has_chance: bool) -> str:
    return f"mean {measure}" + ("; tick: what a random ranking scores" if has_chance else "")


def _best_first(estimates: Sequence[Estimate]) -> list[Estimate]:
    return sorted(estimates, key=lambda e: (-e.value, e.system))


def _title(first: Estimate) -> str:
    words = interval_words(first.interval)
    return f"Mean {first.measure} over {counted_queries(first.n)} with its {words}"


def _description(estimates: Sequence[Estimate], levels: dict[tuple[str, str | None], float]) -> str:
    best_first = _best_first(estimates)
    first, last = best_first[0], best_first[-1]
    places = decimals_of_column(half_width(e.value, e.interval) for e in best_first)
    systems = counted(len(best_first), "system")
    reach = f"{first.system} at {fixed(first.value, places)}"
    if len(best_first) > 1:
        reach = f"from {reach} to {last.system} at {fixed(last.value, places)}"
    beside = " A tick marks what a random ranking scores." if levels else ""
    words = interval_words(first.interval)
    return f"{systems} by mean {first.measure}, each with its {words}: {reach}.{beside}"


def _row(estimate: Estimate, chance: float | None) -> dict[str, Any]:
    row = {"system": estimate.system, "mean": estimate.value, **end_fields(estimate.interval)}
    return row if chance is None else {**row, "chance": chance}
