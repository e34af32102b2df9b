"""Estimates and per-query scores as tables, best system first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..results import Estimate
from .rounding import decimals_of_column, fixed
from .tables import Table

__all__ = ["estimate_tables", "score_tables"]

METHOD_WORDS = {"student-t": "Student t"}
PER_QUERY_DECIMALS = 4  # a single score has no interval to go by


def estimate_tables(
    estimates: Sequence[Estimate], rule: str, digits: int | None = None
) -> list[Table]:
    """One table a measure: systems with mean and interval, best first."""
    measures = dict.fromkeys(estimate.measure for estimate in estimates)
    return [
        _estimate_table([e for e in estimates if e.measure == measure], rule, digits)
        for measure in measures
    ]


def _estimate_table(estimates: Sequence[Estimate], rule: str, digits: int | None) -> Table:
    best_first = sorted(estimates, key=lambda e: (-e.value, e.system))
    first = best_first[0]
    places = digits
    if places is None:
        places = decimals_of_column(e.interval.half_width for e in best_first)
    level = f"{first.interval.confidence_level * 100:g} %"
    words = METHOD_WORDS[first.interval.method]
    return Table(
        title=f"{first.measure}: mean over {first.n:,} {rule} with its {level} {words} interval",
        headings=("system", "mean", "low", "high"),
        cells=tuple(
            (e.system, *(fixed(x, places) for x in (e.value, e.interval.low, e.interval.high)))
            for e in best_first
        ),
        records=tuple(_record(e) for e in best_first),
    )


def _record(estimate: Estimate) -> dict[str, Any]:
    interval = estimate.interval
    return {
        "measure": estimate.measure,
        "system": estimate.system,
        "mean": estimate.value,
        "low": interval.low,
        "high": interval.high,
        "standard_error": estimate.standard_error,
        "n": estimate.n,
        "method": interval.method,
        "confidence_level": interval.confidence_level,
    }


def score_tables(table: Any, digits: int | None = None) -> list[Table]:
    """One table a measure: queries by systems; ``table`` is a ScoreTable."""
    places = PER_QUERY_DECIMALS if digits is None else digits
    tables = []
    for measure, values in zip(table.measures, table.values, strict=True):
        records = [
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
        tables.append(Table(title, headings, tuple(cells), tuple(records)))
    return tables
