"""Chance by itself: what it scores on single queries, and its distribution in a few numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..results import NullDistribution, QueryBaseline, records
from .baseline import QUANTILES
from .rounding import UNKNOWN, fixed, given, percent, significant, small_p
from .tables import Table

__all__ = ["null_distribution_tables", "query_baseline_tables"]

DIGITS = 4  # of numbers that may be very small


def query_baseline_tables(rows: Sequence[QueryBaseline]) -> list[Table]:
    """What chance scores on each query, and what the system did where one is at hand."""
    beside = any(row.observed is not None for row in rows)
    scores = ("score", "corrected", "p") if beside else ()
    return [
        Table(
            title="what chance scores on each query",
            headings=("query", "documents", "relevant", "chance", "sd of chance", *scores),
            cells=tuple(_baseline_cells(row, beside) for row in rows),
            records=tuple(records(rows)),
        )
    ]


def _baseline_cells(row: QueryBaseline, beside: bool) -> tuple[str, ...]:
    counts = (f"{row.n_documents:,}", f"{row.n_relevant:,}")
    chance = (significant(x, DIGITS) for x in (row.expected, row.standard_deviation))
    cells = (row.query_id, *counts, *chance)
    if not beside:
        return cells
    known = ("-" if x is None else fixed(x, UNKNOWN) for x in (row.observed, row.corrected))
    return *cells, *known, "-" if row.p_value is None else small_p(row.p_value)


def null_distribution_tables(distributions: Sequence[NullDistribution]) -> list[Table]:
    """Mean, standard deviation and quantiles of what chance scores."""
    return [
        Table(
            title="scores of random rankings: mean, standard deviation and quantiles",
            headings=("method", "mean", "sd", *(percent(q) for q in QUANTILES)),
            cells=tuple(
                (one.method, *(significant(x, DIGITS) for x in _moments_and_quantiles(one)))
                for one in distributions
            ),
            records=tuple(_null_record(one) for one in distributions),
        )
    ]


def _moments_and_quantiles(one: NullDistribution) -> tuple[float, ...]:
    return one.mean, one.standard_deviation, *(one.quantile(q) for q in QUANTILES)


def _null_record(one: NullDistribution) -> dict[str, Any]:
    names = ("mean", "standard_deviation", *(f"quantile_{given(q)}" for q in QUANTILES))
    return {"method": one.method, **dict(zip(names, _moments_and_quantiles(one), strict=True))}
