"""What images of the corpus say: how precise scores, differences, ranks and measures are."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .intervals import Interval
from .shown import Shown

__all__ = [
    "DifferencePrecision",
    "ImageSummary",
    "MeasurePrecision",
    "PoolPrecision",
    "QueryPrecision",
    "QuerySpread",
    "RankPrecision",
    "ScorePrecision",
    "SpreadSummary",
    "ValidityRow",
    "VarianceSplit",
]


@dataclass(frozen=True)
class ImageSummary:
    """A number on many images: mean, standard deviation and the five numbers of a box plot."""

    mean: float
    standard_deviation: float
    minimum: float
    lower_quartile: float
    median: float
    upper_quartile: float
    maximum: float


@dataclass(frozen=True)
class ScorePrecision(Shown):
    """A system's mean score over queries, on the corpus and on its images."""

    measure: str
    system: str
    #: on the corpus as it is
    root: float
    images: ImageSummary
    #: quantiles over the images
    interval: Interval
    #: up to the place of the standard deviation's first digit; more would be noise
    decimals: int
    n_queries: int
    n_images: int

    @property
    def shift(self) -> float:
        """How much higher the mean over images is than the score on the corpus."""
        return self.images.mean - self.root


@dataclass(frozen=True)
class DifferencePrecision(Shown):
    """The difference of two systems' mean scores, on the corpus and on its images."""

    measure: str
    system: str
    baseline: str
    root: float
    images: ImageSummary
    interval: Interval
    #: share of images in which the system's mean is the higher one; equal ones count half
    higher_probability: float
    n_queries: int
    n_images: int


@dataclass(frozen=True)
class RankPrecision(Shown):
    """A system's rank among all, on the corpus and on its images."""

    measure: str
    system: str
    #: its mean score, and its rank: 1 for the highest mean, equal ones share the better rank
    root: float
    rank: int
    #: of its ranks on the images
    images: ImageSummary
    #: quantiles of its ranks, rounded outwards
    low: int
    high: int
    #: share of images in which it has the highest mean; equal ones share it
    best_probability: float
    #: share of images in which it is above the system that follows it here, equal ones counting
    #: half; None for the last
    over_next: float | None
    confidence_level: float
    n_systems: int
    n_images: int


@dataclass(frozen=True)
class QueryPrecision(Shown):
    """A system's score on one query, on the corpus and on its images (Figure 2)."""

    measure: str
    system: str
    query_id: str
    root: float
    images: ImageSummary
    interval: Interval
    n_images: int


@dataclass(frozen=True)
class SpreadSummary:
    """Mean and standard deviation of standard deviations: the paper's mu +- sigma."""

    mean: float
    standard_deviation: float


@dataclass(frozen=True)
class MeasurePrecision(Shown):
    """How precise a measure is: standard deviations over images, summed up (Tables 3 and 4)."""

    measure: str
    #: of a system's score on a query, over all systems and queries, or of one system over queries
    scores: SpreadSummary
    #: of the difference of two systems' scores on a query, over all pairs and queries; None where
    #: there is one system
    differences: SpreadSummary | None
    #: whose scores, None for all systems
    system: str | None
    n_systems: int
    n_queries: int
    n_images: int


@dataclass(frozen=True)
class QuerySpread(Shown):
    """How precise a measure is on one query: over systems, of standard deviations (Figure 1)."""

    measure: str
    query_id: str
    median: float
    #: the 95th percentile
    percentile_95: float
    maximum: float
    n_systems: int
    n_images: int


@dataclass(frozen=True)
class ValidityRow(Shown):
    """Where left-out images fall by intervals from all others (Table 2)."""

    measure: str
    #: ``"quantile"``, or ``"normal"``: mean +- 1.96 standard deviations at 0.95
    rule: str
    confidence_level: float
    #: shares of left-out differences of two systems on a query
    below: float
    inside: float
    above: float
    #: differences of two systems on a query, and how many images were left out in turn
    n_differences: int
    n_left_out: int
    n_images: int


@dataclass(frozen=True)
class PoolPrecision(Shown):
    """Two systems compared on judgments of their own first documents (Figures 6 and 7)."""

    measure: str
    system: str
    baseline: str
    #: documents pooled from each of the two; None for all judgments
    depth: int | None
    #: relevant documents judged per query, on the corpus
    n_relevant: float
    #: mean difference and p-value of the paired t test, on the corpus
    difference: float
    p_value: float
    #: on the images: the mean difference, the p-value, and the standard deviation over queries of
    #: the difference
    differences: ImageSummary
    p_values: ImageSummary
    query_spreads: ImageSummary
    #: share of images whose p-value is below 0.05
    significant: float
    n_queries: int
    n_images: int
    #: mean difference and p-value of every image (Figure 6)
    image_differences: NDArray[np.float64] = field(repr=False, compare=False)
    image_p_values: NDArray[np.float64] = field(repr=False, compare=False)
    #: query x image: the difference on every query, of the first images (Figure 7)
    query_differences: NDArray[np.float32] = field(repr=False, compare=False)
    #: the queries, and of each its differences summed up: the boxes of Figure 7
    query_ids: tuple[str, ...] = field(default=(), repr=False, compare=False)
    on_queries: tuple[ImageSummary, ...] = field(default=(), repr=False, compare=False)


@dataclass(frozen=True)
class VarianceSplit(Shown):
    """The variance of a mean score, or of a difference, by what is resampled."""

    measure: str
    system: str
    #: None for a score, else the system that is subtracted
    baseline: str | None
    #: on the corpus as it is
    root: float
    #: variances of the mean: queries, documents, and what belongs to a query and documents together
    queries: float
    documents: float
    interaction: float
    #: their sum: what a new set of queries on a new corpus would show
    total: float
    #: what each way of resampling by itself shows: queries on the corpus, the corpus for the
    #: queries, and both crossed; over queries with n - 1 below the line, as in a standard error
    query_bootstrap: float
    document_bootstrap: float
    two_way_bootstrap: float
    #: from the total, by Student's t with a degree of freedom less than there are queries
    interval: Interval
    n_queries: int
    #: those of which every score is kept
    n_images: int
