"""Two systems on shallow pools, depth by depth, and how the p-value changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from ..presentation.column_roles import Column, Count, Key, PValue
from ..presentation.phrases import group_by_measure
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import (
    CHANCE_DECIMALS,
    COUNT_DECIMALS,
    decimals_of_column,
    fixed,
    percentage,
)
from ..presentation.table import BarEnds
from .corpus import ImageSummary
from .result import Result


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
    #: the queries, and of each its differences summed up: the boxes of Figure 7
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


def _title(rows: Sequence[PoolPrecision], view: View) -> str:
    first = rows[0]
    return (
        f"{first.measure}: {first.system} minus {first.baseline}, with only the first documents of "
        "either judged"
    )


def _sentences(rows: Sequence[PoolPrecision], view: View) -> list[str]:
    """Return one sentence per measure: the shallowest pool compared with all judgments."""
    return [_sentence(part) for part in group_by_measure(rows)]


def _sentence(rows: Sequence[PoolPrecision]) -> str:
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
        title=_title,
        caption=lambda rows: (
            "relevant: documents per query; corpus, p: on the corpus, the rest on "
            f"{rows[0].n_images:,} images; query sd: of the difference over queries"
        ),
        places=_places,
        bar=_bar,
        spare=("query sd", "median p"),
        label="pools",
        sentences=_sentences,
        figures=("corpus:pools", "corpus:pool_query_differences"),
        topics=lambda rows: ["corpus-pools"],
    ),
)
