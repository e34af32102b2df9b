"""Measures and queries on images of the corpus: how much a single score varies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from ..presentation.column_roles import Column, Count, Key
from ..presentation.phrases import pluralise_queries
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import (
    SPREAD_DECIMALS,
    fixed,
    percent,
)
from ..presentation.table import Table
from .corpus_systems import ImageSummary
from .interval import Interval
from .result import Result, records


@dataclass(frozen=True)
class QueryPrecision(Result):
    """A system's score on one query, on the corpus and on its images (Figure 2)."""

    measure: Key
    system: Key
    query_id: Annotated[str, Column("key", "query")]
    value: Annotated[float, Column(heading="corpus", name="root")]
    images: Annotated[ImageSummary, Column(name="image")]
    interval: Interval
    n_images: Count


def _query_title(rows: Sequence[QueryPrecision], view: View) -> str:
    first = rows[0]
    return (
        f"{first.measure} of {first.system} on each query, on the corpus and on "
        f"{first.n_images:,} images"
    )


present(
    QueryPrecision,
    Presentation(
        "Queries on images of the corpus",
        columns=(
            *("query_id", "root", "image_standard_deviation", "low", "image_lower_quartile"),
            *("image_median", "image_upper_quartile", "high"),
        ),
        title=_query_title,
        caption=lambda rows: (
            f"low to high: {percent(rows[0].interval.confidence_level)} of "
            "images, q1 to q3: half of them"
        ),
        spare=("median", "q1", "q3"),
        label="queries",
        figures=("corpus_measure_plots:draw_query_distributions",),
        topics=lambda rows: ["corpus-queries", "quantile"],
    ),
)


@dataclass(frozen=True)
class SpreadSummary:
    """Mean and standard deviation of standard deviations: mu +- sigma in the paper."""

    mean: float
    standard_deviation: float

    def text(self, places: int) -> str:
        """Return ``0.058 +- 0.054``, as in the paper.

        Parameters
        ----------
        places
            The number of decimals.

        Returns
        -------
        str
            Mean and standard deviation.
        """
        numbers = (fixed(x, places) for x in (self.mean, self.standard_deviation))
        return " \N{PLUS-MINUS SIGN} ".join(numbers)


@dataclass(frozen=True)
class MeasurePrecision(Result):
    """The precision of a measure: standard deviations over images, summarised (Table 3)."""

    measure: Key
    #: of a system's score on a query, over all systems and queries
    scores: Annotated[SpreadSummary, Column(name="score_spread")]
    #: of the difference of two systems' scores on a query, over all pairs and queries; None where
    #: there is one system
    differences: Annotated[SpreadSummary | None, Column(name="difference_spread")]
    n_systems: Count
    n_queries: Count
    n_images: Count


def _precision_tables(rows: Sequence[MeasurePrecision], view: View) -> list[Table]:
    """Return all measures in one table."""
    return [_measure_table(rows, SPREAD_DECIMALS if view.digits is None else view.digits)]


def _measure_table(rows: Sequence[MeasurePrecision], places: int) -> Table:
    """Return the standard deviation of a score and of a difference, a measure per row."""
    first, n = rows[0], rows[0].n_systems
    systems = f"{n:,} systems" if n > 1 else "one system"
    n_pairs = n * (n - 1) // 2
    several = f"{n_pairs:,} pairs" if n_pairs > 1 else "one pair"
    pairs = f", of differences over {several}" if first.differences else ""
    return Table(
        title=f"standard deviations over {first.n_images:,} images on a single query",
        headings=("measure", "of a score", *(["of a difference"] if pairs else [])),
        cells=tuple(
            (
                row.measure,
                *(spread.text(places) for spread in (row.scores, row.differences) if spread),
            )
            for row in rows
        ),
        records=tuple({"table": "measures", **row} for row in records(rows)),
        caption=f"mean \N{PLUS-MINUS SIGN} sd, of scores over {systems}{pairs}, each on "
        f"{pluralise_queries(first.n_queries)}",
    )


present(
    MeasurePrecision,
    Presentation(
        "Precision of measures",
        tables=_precision_tables,
        figures=("corpus_measure_plots:draw_measure_spreads",),
        topics=lambda rows: ["corpus-measures"],
    ),
)
