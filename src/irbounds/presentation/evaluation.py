"""Estimates and per-query scores as tables, best system first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..results import Estimate, Interval, records
from .bars import bar_of
from .captions import caption_of, drawn
from .rounding import UNKNOWN, decimals_of_column, fixed, percent
from .tables import Table
from .words import counted_queries

__all__ = [
    "ENDS",
    "SIDES",
    "end_values",
    "estimate_tables",
    "half_width",
    "interval_words",
    "score_tables",
    "unknown_bounds",
]

METHOD_WORDS = {
    "normal": "normal",
    "student-t": "Student t",
    "percentile": "percentile bootstrap",
    "basic": "basic bootstrap",
    "bca": "BCa bootstrap",
    "studentised": "studentised bootstrap",
    "studentised-logit": "studentised logit bootstrap",
}
#: the ends of an interval that say something
ENDS = {"two-sided": ("low", "high"), "less": ("high",), "greater": ("low",)}
#: what a one-sided interval is called
SIDES = {"two-sided": "interval", "less": "upper limit", "greater": "lower limit"}


def estimate_tables(
    estimates: Sequence[Estimate], rule: str, digits: int | None = None
) -> list[Table]:
    """One table a measure and method: systems with mean and interval, best first."""
    parts: dict[tuple[str, str], list[Estimate]] = {}
    for estimate in estimates:
        parts.setdefault((estimate.measure, estimate.interval.method), []).append(estimate)
    return [_estimate_table(part, rule, digits) for part in parts.values()]


def _estimate_table(estimates: Sequence[Estimate], rule: str, digits: int | None) -> Table:
    best_first = sorted(estimates, key=lambda e: (-e.value, e.system))
    first = best_first[0]
    places = digits
    if places is None:
        places = decimals_of_column(half_width(e.value, e.interval) for e in best_first)
    ends = ENDS[first.interval.alternative]
    words = interval_words(first.interval)
    return Table(
        title=f"{first.measure}: mean over {counted_queries(first.n, rule)} with its {words}",
        headings=("system", "mean", *ends),
        cells=tuple(
            (e.system, *(fixed(x, places) for x in (e.value, *end_values(e.interval))))
            for e in best_first
        ),
        records=tuple(records(best_first)),
        caption=_drawn(first),
        bars=tuple(bar_of(e.value, e.interval) for e in best_first),
    )


def _drawn(estimate: Estimate) -> str:
    n = None if estimate.distribution is None else len(estimate.distribution)
    how = " by Poisson weights" if estimate.weights == "poisson" else ""
    return caption_of(drawn(n, f"resamples of the queries{how}", estimate.seed))


def end_values(interval: Interval) -> tuple[float, ...]:
    """The ends that say something."""
    return tuple(getattr(interval, end) for end in ENDS[interval.alternative])


def interval_words(interval: Interval) -> str:
    """``95 % Student t interval``, or a limit where it is one-sided."""
    level = percent(interval.confidence_level)
    return f"{level} {METHOD_WORDS[interval.method]} {SIDES[interval.alternative]}"


def half_width(value: float, interval: Interval) -> float:
    """What decides the digits: half the interval, or the way to its one end."""
    if interval.alternative == "two-sided":
        return interval.half_width
    return abs(value - end_values(interval)[0])


def unknown_bounds(estimates: Sequence[Estimate]) -> list[str]:
    """What to say where a default was chosen for want of a measure's bounds, a line a measure."""
    measures = dict.fromkeys(
        e.measure
        for e in estimates
        if e.interval.method == "student-t" and not e.measure.startswith("z(")
    )
    return [
        f"the bounds of {measure} are not known, so Student t: name the measure (AP=FILE) or give "
        "--bounds for studentised-logit, which is better with few queries"
        for measure in measures
    ]


def score_tables(table: Any, digits: int | None = None) -> list[Table]:
    """One table a measure: queries by systems; ``table`` is a ScoreTable."""
    places = UNKNOWN if digits is None else digits
    tables = []
    for measure, values in zip(table.measures, table.values, strict=True):
        scores = [
            {"query_id": query, "system": system, "measure": measure, "value": float(values[s, q])}
            for q, query in enumerate(table.queries)
            for s, system in enumerate(table.systems)
        ]
        cells = [
            (query, *(fixed(float(value), places) for value in values[:, q]))
            for q, query in enumerate(table.queries)
        ]
        title = f"{measure} of each query"
        headings = ("query", *table.systems)
        spare = tuple(reversed(table.systems[1:]))
        tables.append(Table(title, headings, tuple(cells), tuple(scores), spare=spare))
    return tables
