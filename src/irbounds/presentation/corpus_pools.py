"""Two systems on shallow pools, depth by depth, and what became of the p-value."""

from __future__ import annotations

from collections.abc import Sequence

from ..results import PoolPrecision, records
from .families import by_measure
from .rounding import (
    CHANCE_DECIMALS,
    COUNT_DECIMALS,
    decimals_of_column,
    fixed,
    percentage,
    small_p,
)
from .tables import BarEnds, Table, labelled

__all__ = ["pool_sentences", "pool_tables"]


def pool_tables(rows: Sequence[PoolPrecision], digits: int | None = None) -> list[Table]:
    """One table a measure: depth by depth, all judgments last."""
    return [_table(part, digits) for part in by_measure(rows)]


def pool_sentences(rows: Sequence[PoolPrecision]) -> list[str]:
    """One sentence a measure: the shallowest pool beside all judgments."""
    return [_sentence(part) for part in by_measure(rows)]


def _table(rows: Sequence[PoolPrecision], digits: int | None) -> Table:
    first, places = rows[0], digits
    if places is None:  # as for an interval: two standard deviations
        places = decimals_of_column(2 * row.differences.standard_deviation for row in rows)
    return Table(
        title=f"{first.measure}: {first.system} minus {first.baseline}, with only the first "
        "documents of either judged",
        headings=("depth", "relevant", "corpus", "p", "mean", "median p", "query sd", "p<0.05"),
        cells=tuple(_cells(row, places) for row in rows),
        records=labelled("pools", records(rows)),
        caption="relevant: documents per query; corpus, p: on the corpus, the rest on "
        f"{first.n_images:,} images; query sd: of the difference over queries",
        bars=tuple(map(_bar, rows)),
        spare=("query sd", "median p"),
    )


def _bar(row: PoolPrecision) -> BarEnds:
    """Two standard deviations of images about their mean."""
    reach = 2 * row.differences.standard_deviation
    return row.differences.mean - reach, row.differences.mean, row.differences.mean + reach


def _cells(row: PoolPrecision, places: int) -> tuple[str, ...]:
    return (
        "all" if row.depth is None else f"{row.depth:,}",
        fixed(row.n_relevant, COUNT_DECIMALS),
        fixed(row.difference, places),
        small_p(row.p_value),
        fixed(row.differences.mean, places),
        small_p(row.p_values.median),
        fixed(row.query_spreads.mean, places),
        fixed(row.significant, CHANCE_DECIMALS),
    )


def _sentence(rows: Sequence[PoolPrecision]) -> str:
    shallow = min(rows, key=lambda row: float("inf") if row.depth is None else row.depth)
    full = next((row for row in rows if row.depth is None), rows[-1])
    places = decimals_of_column(2 * row.differences.standard_deviation for row in rows)
    apart, whole = (fixed(row.differences.mean, places) for row in (shallow, full))
    return (
        f"{full.measure}: judged to depth {shallow.depth}, {full.system} minus {full.baseline} is "
        f"{apart} on images, with p < 0.05 in {percentage(shallow.significant)}; with all "
        f"judgments {whole} and {percentage(full.significant)}"
    )
