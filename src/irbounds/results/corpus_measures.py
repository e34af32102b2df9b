"""Measures, queries and shallow pools on images of the corpus: how much a single score varies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from ..presentation.column_roles import Column, Count, Key, PValue
from ..presentation.phrases import group_by_measure, pluralise_queries
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import (
    CHANCE_DECIMALS,
    COUNT_DECIMALS,
    PERCENT_DECIMALS,
    SPREAD_DECIMALS,
    decimals_of_column,
    fixed,
    percent,
    percentage,
)
from ..presentation.table import BarEnds, Table
from .corpus_systems import ImageSummary
from .interval import Interval
from .result import Result, records

RULE_WORDS = {"quantile": "quantiles", "normal": "mean \N{PLUS-MINUS SIGN} z sd"}


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
    """The precision of a measure: standard deviations over images, summarised (Tables 3, 4)."""

    measure: Key
    #: of a system's score on a query, over all systems and queries, or of one system over queries
    scores: Annotated[SpreadSummary, Column(name="score_spread")]
    #: of the difference of two systems' scores on a query, over all pairs and queries; None where
    #: there is one system
    differences: Annotated[SpreadSummary | None, Column(name="difference_spread")]
    #: whose scores, None for all systems
    system: Annotated[str | None, Column("key")]
    n_systems: Count
    n_queries: Count
    n_images: Count


def _precision_tables(rows: Sequence[MeasurePrecision], view: View) -> list[Table]:
    """Return all measures in one table, or one table per measure of the systems."""
    places = SPREAD_DECIMALS if view.digits is None else view.digits
    whole = [row for row in rows if row.system is None]
    single = group_by_measure(row for row in rows if row.system is not None)
    tables = [_measure_table(whole, places)] if whole else []
    return tables + [_system_table(part, places) for part in single]


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


def _system_table(rows: Sequence[MeasurePrecision], places: int) -> Table:
    first = rows[0]
    return Table(
        title=f"{first.measure}: standard deviation of a score on a single query over "
        f"{first.n_images:,} images",
        headings=("system", "of a score"),
        cells=tuple((row.system or "", row.scores.text(places)) for row in rows),
        records=tuple({"table": "systems", **row} for row in records(rows)),
        caption=f"mean \N{PLUS-MINUS SIGN} sd over {pluralise_queries(first.n_queries)}",
    )


present(
    MeasurePrecision,
    Presentation(
        "Precision of measures",
        tables=_precision_tables,
        figures=("corpus_measure_plots:draw_spreads",),
        topics=lambda rows: [f"corpus-{'measures' if rows[0].system is None else 'systems'}"],
    ),
)


def _deviation(heading: str, name: str) -> Any:
    return Column(heading=heading, name=f"spread_{name}")


@dataclass(frozen=True)
class QuerySpread(Result):
    """The precision of a measure on one query: standard deviations over systems (Figure 1)."""

    measure: Key
    query_id: Annotated[str, Column("key", "query")]
    median: Annotated[float, _deviation("median", "median")]
    #: the 95th percentile
    percentile_95: Annotated[float, _deviation("95th percentile", "percentile_95")]
    maximum: Annotated[float, _deviation("largest", "maximum")]
    n_systems: Count
    n_images: Count


def _spread_title(rows: Sequence[QuerySpread], view: View) -> str:
    first = rows[0]
    return (
        f"{first.measure}: standard deviation of a score over {first.n_images:,} images, of "
        f"{first.n_systems:,} systems, on each query"
    )


present(
    QuerySpread,
    Presentation(
        "Spread of scores on each query",
        columns=("query_id", "spread_median", "spread_percentile_95", "spread_maximum"),
        title=_spread_title,
        places=lambda rows: SPREAD_DECIMALS,
        label="query-spreads",
        figures=("corpus_measure_plots:draw_query_spreads",),
        topics=lambda rows: ["corpus-query-spreads"],
    ),
)


@dataclass(frozen=True)
class ValidityRow(Result):
    """Fractions of left-out images inside and outside of intervals from all others (Table 2)."""

    measure: Key
    #: ``"quantile"``, or ``"normal"``: mean +- 1.96 standard deviations at 0.95
    rule: str
    confidence_level: float
    #: fractions of left-out differences of two systems on a query
    below: float
    inside: float
    above: float
    #: differences of two systems on a query, and how many images were left out in turn
    n_differences: Count
    n_left_out: Count
    n_images: Count


def _validity_tables(rows: Sequence[ValidityRow], view: View) -> list[Table]:
    """Return all measures and rules in one table: where left-out images fall, in percent."""
    first, places = rows[0], PERCENT_DECIMALS if view.digits is None else view.digits
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
            records=tuple({"table": "validity", **row} for row in records(rows)),
            first_number=2,
            caption=f"percent below, inside and above {percent(first.confidence_level)} intervals "
            f"from the other images; left out: {left_out} of {first.n_images:,}",
        )
    ]


present(
    ValidityRow,
    Presentation(
        "Images that were left out",
        tables=_validity_tables,
        figures=("corpus_measure_plots:draw_left_out_images",),
        topics=lambda rows: ["corpus-validity", "quantile", "normal"],
    ),
)


@dataclass(frozen=True)
class PoolPrecision(Result):
    """Two systems compared on judgments of their own first documents (Figures 6 and 7)."""

    measure: Key
    system: Key
    baseline: Annotated[str, Column("key", "minus")]
    #: documents pooled from each of the two; None for all judgments
    depth: Annotated[
        int | None,
        Column("key", text=lambda row, _: "all" if row.depth is None else f"{row.depth:,}"),
    ]
    #: relevant documents judged per query, on the corpus
    n_relevant: Annotated[float, Column(heading="relevant", places=COUNT_DECIMALS)]
    #: mean difference and p-value of the paired t test, on the corpus
    difference: Annotated[float, Column(heading="corpus")]
    p_value: PValue
    #: on the images: the mean difference, the p-value, and the standard deviation over queries of
    #: the difference
    differences: Annotated[ImageSummary, Column(name="image_difference")]
    p_values: Annotated[ImageSummary, Column(name="image_p_value")]
    query_spreads: Annotated[ImageSummary, Column(name="image_query_spread")]
    #: fraction of images whose p-value is below 0.05
    significant: Annotated[float, Column("fraction", "p<0.05", places=CHANCE_DECIMALS)]
    n_queries: Count
    n_images: Count
    #: mean difference and p-value of every image (Figure 6)
    image_differences: NDArray[np.float64] = field(repr=False, compare=False)
    image_p_values: NDArray[np.float64] = field(repr=False, compare=False)
    #: query x image: the difference on every query, of the first images (Figure 7)
    query_differences: NDArray[np.float32] = field(repr=False, compare=False)
    #: the queries, and a summary of the differences on each: the boxes of Figure 7
    query_ids: tuple[str, ...] = field(default=(), repr=False, compare=False)
    on_queries: tuple[ImageSummary, ...] = field(default=(), repr=False, compare=False)

    @property
    def median_p(self) -> Annotated[float, Column("p-value", "median p", recorded=False)]:
        """The median p-value of the images."""
        return self.p_values.median

    @property
    def query_spread(self) -> Annotated[float, Column(heading="query sd", recorded=False)]:
        """The mean over images of the standard deviation of the difference over queries."""
        return self.query_spreads.mean


def _places(rows: Sequence[PoolPrecision]) -> int:
    """Return decimals as for an interval: two standard deviations."""
    return decimals_of_column(2 * row.differences.standard_deviation for row in rows)


def _bar(row: PoolPrecision) -> BarEnds:
    """Return two standard deviations of images about their mean."""
    reach = 2 * row.differences.standard_deviation
    return row.differences.mean - reach, row.differences.mean, row.differences.mean + reach


def _pool_title(rows: Sequence[PoolPrecision], view: View) -> str:
    first = rows[0]
    return (
        f"{first.measure}: {first.system} minus {first.baseline}, with only the first documents of "
        "either judged"
    )


def _pool_sentences(rows: Sequence[PoolPrecision], view: View) -> list[str]:
    """Return one sentence per measure: the shallowest pool compared with all judgments."""
    return [_pool_sentence(part) for part in group_by_measure(rows)]


def _pool_sentence(rows: Sequence[PoolPrecision]) -> str:
    shallow = min(rows, key=lambda row: float("inf") if row.depth is None else row.depth)
    full = next((row for row in rows if row.depth is None), rows[-1])
    apart, whole = (fixed(row.differences.mean, _places(rows)) for row in (shallow, full))
    return (
        f"{full.measure}: judged to depth {shallow.depth}, {full.system} minus {full.baseline} is "
        f"{apart} on images, with p < 0.05 in {percentage(shallow.significant)}; with all "
        f"judgments {whole} and {percentage(full.significant)}"
    )


present(
    PoolPrecision,
    Presentation(
        "Shallow pools",
        columns=(
            *("depth", "n_relevant", "difference", "p_value", "image_difference_mean"),
            *("median_p", "query_spread", "significant"),
        ),
        title=_pool_title,
        caption=lambda rows: (
            "relevant: documents per query; corpus, p: on the corpus, the rest on "
            f"{rows[0].n_images:,} images; query sd: of the difference over queries"
        ),
        places=_places,
        bar=_bar,
        spare=("query sd", "median p"),
        label="pools",
        sentences=_pool_sentences,
        figures=(
            "corpus_measure_plots:draw_pool_p_values",
            "corpus_measure_plots:draw_pool_differences",
        ),
        topics=lambda rows: ["corpus-pools"],
    ),
)
