"""What images of the corpus say of measures and queries: how much a single score varies."""

from __future__ import annotations

from collections.abc import Sequence

from ..results import (
    MeasurePrecision,
    QueryPrecision,
    QuerySpread,
    SpreadSummary,
    ValidityRow,
    records,
)
from .bars import bar_of
from .families import by_measure
from .rounding import PERCENT_DECIMALS, SPREAD_DECIMALS, decimals_of_column, fixed, percent
from .tables import Table, labelled
from .words import counted_queries

__all__ = [
    "measure_precision_tables",
    "query_precision_tables",
    "query_spread_tables",
    "system_precision_tables",
    "validity_tables",
]

RULE_WORDS = {"quantile": "quantiles", "normal": "mean \N{PLUS-MINUS SIGN} z sd"}


def measure_precision_tables(
    rows: Sequence[MeasurePrecision], digits: int | None = None
) -> list[Table]:
    """All measures in one table: the standard deviation of a score and of a difference."""
    first, places = rows[0], SPREAD_DECIMALS if digits is None else digits
    n = first.n_systems
    what = f"{n:,} systems" if n > 1 else "one system"
    n_pairs = n * (n - 1) // 2
    several = f"{n_pairs:,} pairs" if n_pairs > 1 else "one pair"
    pairs = f", of differences over {several}" if first.differences else ""
    cells = [
        (row.measure, *(_spread(one, places) for one in (row.scores, row.differences) if one))
        for row in rows
    ]
    return [
        Table(
            title=f"standard deviations over {first.n_images:,} images on a single query",
            headings=("measure", "of a score", *(["of a difference"] if pairs else [])),
            cells=tuple(cells),
            records=labelled("measures", records(rows)),
            caption=f"mean \N{PLUS-MINUS SIGN} sd, of scores over {what}{pairs}, each on "
            f"{counted_queries(first.n_queries)}",
        )
    ]


def system_precision_tables(
    rows: Sequence[MeasurePrecision], digits: int | None = None
) -> list[Table]:
    """One table a measure: the standard deviation of each system's score on a query."""
    places = SPREAD_DECIMALS if digits is None else digits
    return [
        Table(
            title=f"{part[0].measure}: standard deviation of a score on a single query over "
            f"{part[0].n_images:,} images",
            headings=("system", "of a score"),
            cells=tuple((row.system or "", _spread(row.scores, places)) for row in part),
            records=labelled("systems", records(part)),
            caption=f"mean \N{PLUS-MINUS SIGN} sd over {counted_queries(part[0].n_queries)}",
        )
        for part in by_measure(rows)
    ]


def query_precision_tables(
    rows: Sequence[QueryPrecision], digits: int | None = None
) -> list[Table]:
    """One table a measure: one system's score on every query."""
    return [_query_table(part, digits) for part in by_measure(rows)]


def _query_table(rows: Sequence[QueryPrecision], digits: int | None) -> Table:
    first, places = rows[0], digits
    if places is None:
        places = decimals_of_column(row.interval.half_width for row in rows)
    return Table(
        title=f"{first.measure} of {first.system} on each query, on the corpus and on "
        f"{first.n_images:,} images",
        headings=("query", "corpus", "sd", "low", "q1", "median", "q3", "high"),
        cells=tuple((row.query_id, *_query_cells(row, places)) for row in rows),
        records=labelled("queries", records(rows)),
        caption=f"low to high: {percent(first.interval.confidence_level)} of images, q1 to q3: "
        "half of them",
        bars=tuple(bar_of(row.root, row.interval) for row in rows),
        spare=("median", "q1", "q3"),
    )


def _query_cells(row: QueryPrecision, places: int) -> tuple[str, ...]:
    images = row.images
    numbers = (
        *(row.root, images.standard_deviation, row.interval.low),
        *(images.lower_quartile, images.median, images.upper_quartile, row.interval.high),
    )
    return tuple(fixed(number, places) for number in numbers)


def query_spread_tables(rows: Sequence[QuerySpread], digits: int | None = None) -> list[Table]:
    """One table a measure: on every query, standard deviations summed up over systems."""
    places = SPREAD_DECIMALS if digits is None else digits
    return [
        Table(
            title=f"{part[0].measure}: standard deviation of a score over {part[0].n_images:,} "
            f"images, of {part[0].n_systems:,} systems, on each query",
            headings=("query", "median", "95th percentile", "largest"),
            cells=tuple(
                (
                    row.query_id,
                    *(fixed(x, places) for x in (row.median, row.percentile_95, row.maximum)),
                )
                for row in part
            ),
            records=labelled("query-spreads", records(part)),
        )
        for part in by_measure(rows)
    ]


def validity_tables(rows: Sequence[ValidityRow], digits: int | None = None) -> list[Table]:
    """All measures and rules in one table: where left-out images fall, in percent."""
    first, places = rows[0], PERCENT_DECIMALS if digits is None else digits
    left_out = "each image in turn" if first.n_left_out > 1 else "the last image"
    return [
        Table(
            title=f"where {first.n_differences:,} differences of two systems on a query fall in an "
            "image that was left out",
            headings=("measure", "interval", "below", "inside", "above"),
            cells=tuple(
                (
                    row.measure,
                    RULE_WORDS.get(row.rule, row.rule),
                    *(fixed(x * 100, places) for x in (row.below, row.inside, row.above)),
                )
                for row in rows
            ),
            records=labelled("validity", records(rows)),
            first_number=2,
            caption=f"percent below, inside and above {percent(first.confidence_level)} intervals "
            f"from the other images; left out: {left_out} of {first.n_images:,}",
        )
    ]


def _spread(found: SpreadSummary, places: int) -> str:
    """``0.058 +- 0.054``, as the paper has it."""
    numbers = (fixed(x, places) for x in (found.mean, found.standard_deviation))
    return " \N{PLUS-MINUS SIGN} ".join(numbers)
