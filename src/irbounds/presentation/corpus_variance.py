"""Queries, documents or both: where the uncertainty of a mean comes from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

from ..results import VarianceSplit, records
from .bars import bar_of
from .families import by_measure
from .rounding import decimals_of_column, fixed, percent, percentage
from .tables import Table, labelled
from .words import counted_queries

__all__ = ["variance_sentences", "variance_tables"]


def variance_tables(
    rows: Sequence[VarianceSplit], rule: str, digits: int | None = None
) -> list[Table]:
    """One table a measure, best first; ``rule`` says what queries a mean is over."""
    return [_table(part, rule, digits) for part in by_measure(rows)]


def variance_sentences(rows: Sequence[VarianceSplit]) -> list[str]:
    """One sentence a measure: the shares of a typical system."""
    return [_sentence(part) for part in by_measure(rows)]


def _table(rows: Sequence[VarianceSplit], rule: str, digits: int | None) -> Table:
    best_first = sorted(rows, key=lambda row: (-row.root, row.system))
    first, places = rows[0], digits
    if places is None:
        places = decimals_of_column(row.interval.half_width for row in rows)
    what = "mean" if first.baseline is None else f"mean difference from {first.baseline}"
    return Table(
        title=f"{first.measure}: {what} over {counted_queries(first.n_queries, rule)} with its "
        f"{percent(first.interval.confidence_level)} interval (Student t) for new queries on a new "
        "corpus",
        headings=("system", "corpus", "low", "high", "se", "queries", "documents", "both"),
        cells=tuple(_cells(row, places) for row in best_first),
        records=labelled("variance", records(best_first)),
        caption="se: the standard error; shares of its square due to queries, documents and both "
        f"together; {first.n_images:,} images",
        bars=tuple(bar_of(row.root, row.interval) for row in best_first),
        spare=("se",),
    )


def _cells(row: VarianceSplit, places: int) -> tuple[str, ...]:
    return (
        row.system,
        *(fixed(x, places) for x in (row.root, row.interval.low, row.interval.high)),
        fixed(math.sqrt(row.total), places + 1),
        *(percentage(part) for part in _shares(row)),
    )


def _sentence(rows: Sequence[VarianceSplit]) -> str:
    first = rows[0]
    known = [_shares(row) for row in rows if row.total > 0]
    if not known:
        return f"{first.measure}: nothing varies, so there is nothing to split."
    queries, documents, both = (percentage(median(shares[k] for shares in known)) for k in range(3))
    what = "mean" if first.baseline is None else "difference"
    alone, images, crossed = (
        percentage(median(getattr(row, name) / row.total for row in rows if row.total > 0))
        for name in ("query_bootstrap", "document_bootstrap", "two_way_bootstrap")
    )
    return (
        f"{first.measure}: of the variance of a {what}, {queries} is due to the choice of "
        f"queries, {documents} to that of documents, {both} to both together. Resampling only the "
        f"queries shows {alone} of it, only the documents {images}; resampling both at once shows "
        f"{crossed}, because it counts what is due to both three times."
        f"{f' These are medians over {len(known):,} systems.' if len(known) > 1 else ''}"
    )


def _shares(row: VarianceSplit) -> tuple[float, ...]:
    """Of the total; NaN, shown as a dash, where there is none."""
    parts = (row.queries, row.documents, row.interaction)
    return tuple(part / row.total if row.total > 0 else math.nan for part in parts)
