"""Scores, ranks, differences and variances of systems on images of the corpus.

In tables ``corpus`` is the number on the corpus itself; all other numbers of a row are from the
images. Records also have quartiles and extremes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from ..presentation.column_roles import Column, Count, Key
from ..presentation.phrases import pluralise_queries
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import (
    FRACTION_DECIMALS,
    decimals_of_fraction,
    fixed,
    percent,
)
from .comparisons import RankInterval
from .evaluation import best_first
from .interval import Interval
from .result import Result, Results

if TYPE_CHECKING:
    from ..corpora.images import CorpusBootstrap


@dataclass(frozen=True)
class ImageSummary:
    """A number on many images: mean, standard deviation and the five numbers of a box plot."""

    mean: Annotated[float, Column(heading="mean")]
    standard_deviation: Annotated[float, Column("spread", "sd")]
    minimum: float
    lower_quartile: Annotated[float, Column(heading="q1")]
    median: Annotated[float, Column(heading="median")]
    upper_quartile: Annotated[float, Column(heading="q3")]
    maximum: float


def _make_fraction_cell(name: str) -> Any:
    """Return the cell of a fraction of images, to no more digits than these give."""

    def cell(row: Any, places: int) -> str:
        value = getattr(row, name)
        return "" if value is None else fixed(value, decimals_of_fraction(row.n_images))

    return cell


@dataclass(frozen=True)
class ScorePrecision(Result):
    """A system's mean score over queries, on the corpus and on its images."""

    measure: Key
    system: Key
    #: on the corpus as it is
    value: Annotated[float, Column(heading="corpus", name="root")]
    images: Annotated[ImageSummary, Column(name="image")]
    #: quantiles over the images
    interval: Interval
    #: up to the place of the standard deviation's first digit; a dash if all images agree
    decimals: Annotated[
        int,
        Column(
            "count",
            text=lambda row, _: str(row.decimals) if row.images.standard_deviation else "-",
        ),
    ]
    n_queries: Count
    n_images: Count

    @property
    def shift(self) -> Annotated[float, Column("change")]:
        """The mean over images minus the score on the corpus."""
        return self.images.mean - self.value


@dataclass(frozen=True)
class DifferencePrecision(Result):
    """The difference of two systems' mean scores, on the corpus and on its images."""

    measure: Key
    system: Key
    baseline: Annotated[str, Column("key", "minus")]
    value: Annotated[float, Column(heading="corpus", name="root")]
    images: Annotated[ImageSummary, Column(name="image")]
    interval: Interval
    #: fraction of images in which the system has the higher mean; equal means count half
    higher_probability: Annotated[
        float, Column("fraction", "higher", text=_make_fraction_cell("higher_probability"))
    ]
    n_queries: Count
    n_images: Count


@dataclass(frozen=True)
class RankPrecision(Result):
    """A system's rank among all, on the corpus and on its images."""

    measure: Key
    system: Key
    #: its mean score on the corpus
    mean: Annotated[float, Column(heading="corpus", name="root")]
    #: its rank: 1 for the highest mean; systems of equal mean have the better rank
    value: Annotated[int, Column("count", name="rank")]
    #: of its ranks on the images
    images: Annotated[ImageSummary, Column(name="image_rank")]
    #: quantiles of its ranks, rounded outwards
    interval: RankInterval
    #: fraction of images in which it has the highest mean; ties are split
    best_probability: Annotated[
        float, Column("fraction", "best", text=_make_fraction_cell("best_probability"))
    ]
    #: fraction of images in which it is above the next system in this order, ties counting half;
    #: None for the last
    over_next: Annotated[
        float | None, Column("fraction", "above next", text=_make_fraction_cell("over_next"))
    ]
    n_systems: Count
    n_images: Count


def _images(row: Any) -> str:
    return f"on the corpus and on {row.n_images:,} images"


def _level(row: Any) -> str:
    return f"{percent(row.interval.confidence_level)} of images"


def _difference_title(rows: Sequence[DifferencePrecision], view: View) -> str:
    first = rows[0]
    against = f" from {first.baseline}" if len({row.baseline for row in rows}) == 1 else ""
    queries = pluralise_queries(first.n_queries)
    return f"{first.measure}: differences{against} over {queries}, {_images(first)}"


present(
    ScorePrecision,
    Presentation(
        "Scores on images of the corpus",
        columns=(
            *("system", "root", "image_mean", "shift", "image_standard_deviation"),
            *("interval", "decimals"),
        ),
        title=lambda rows, view: (
            f"{rows[0].measure} over {pluralise_queries(rows[0].n_queries, view.queries)}: "
            f"{_images(rows[0])}"
        ),
        caption=lambda rows: (
            f"low to high: {_level(rows[0])}; shift: mean - corpus; decimals: the "
            "most that can be relied on"
        ),
        order=best_first,
        spare=("shift", "mean", "sd"),
        label="scores",
        figures=("corpus_plots:draw_images",),
        topics=lambda rows: ["corpus-scores", "quantile"],
    ),
)
present(
    DifferencePrecision,
    Presentation(
        "Differences on images of the corpus",
        columns=(
            *("system", "baseline?", "root", "image_mean", "image_standard_deviation"),
            *("interval", "higher_probability"),
        ),
        title=_difference_title,
        caption=lambda rows: (
            f"low to high: {_level(rows[0])}; higher: fraction where the system is higher"
        ),
        order=lambda row: -row.value,
        spare=("mean", "sd"),
        label="differences",
        figures=("corpus_plots:draw_images",),
        topics=lambda rows: ["corpus-differences", "quantile"],
    ),
)
present(
    RankPrecision,
    Presentation(
        "Ranks on images of the corpus",
        columns=(
            *("system", "root", "rank", "rank_low", "rank_high", "best_probability", "over_next"),
        ),
        title=lambda rows, view: f"{rows[0].measure}: ranks {_images(rows[0])}",
        caption=lambda rows: (
            f"from, to: {_level(rows[0])}; best, above next: fraction where it leads "
            "all, or the next below"
        ),
        places=lambda rows: FRACTION_DECIMALS,
        label="ranks",
        figures=("corpus_plots:draw_images",),
        topics=lambda rows: ["corpus-ranks", "quantile"],
    ),
)


class CorpusResults(Results[Any]):
    """Analyses of images of the corpus: a tuple of the rows of all tables that are shown."""

    #: the images, for further analyses
    images: CorpusBootstrap

    def __new__(cls, rows: Iterable[Any], images: CorpusBootstrap) -> CorpusResults:
        """Return rows with the images that they are about."""
        made = super().__new__(cls, rows)
        made.images = images
        return made


@dataclass(frozen=True)
class VarianceSplit(Result):
    """The variance of a mean score, or of a difference, by what is resampled."""

    measure: Key
    system: Key
    #: None for a score, else the system that is subtracted
    baseline: Annotated[str | None, Column("key", "minus")]
    #: on the corpus as it is
    value: Annotated[float, Column(heading="corpus", name="root")]
    #: variances of the mean due to queries, to documents, and to their interaction
    queries: Annotated[float, Column(name="query_variance")]
    documents: Annotated[float, Column(name="document_variance")]
    interaction: Annotated[float, Column(name="interaction_variance")]
    #: their sum: the variance over new queries on a new corpus
    total: Annotated[float, Column(name="total_variance")]
    #: variances by each way of resampling: queries on the corpus, the corpus for the queries, and
    #: both crossed; those over queries are divided by n - 1, as in a standard error
    query_bootstrap: Annotated[float, Column(name="query_bootstrap_variance")]
    document_bootstrap: Annotated[float, Column(name="document_bootstrap_variance")]
    two_way_bootstrap: Annotated[float, Column(name="two_way_bootstrap_variance")]
    #: from the total, by Student's t with n - 1 degrees of freedom for n queries
    interval: Interval
    n_queries: Count
    #: images of which every score is stored
    n_images: Count

    @property
    def standard_error(self) -> Annotated[float, Column("spread", "se")]:
        """The square root of the total variance."""
        return math.sqrt(self.total)

    @property
    def query_share(self) -> Annotated[float, Column("percentage", "queries", recorded=False)]:
        """The fraction of the variance that is due to queries; NaN if nothing varies."""
        return self.queries / (self.total or math.nan)

    @property
    def document_share(self) -> Annotated[float, Column("percentage", "documents", recorded=False)]:
        """The fraction that is due to documents."""
        return self.documents / (self.total or math.nan)

    @property
    def interaction_share(self) -> Annotated[float, Column("percentage", "both", recorded=False)]:
        """The fraction that is due to both together."""
        return self.interaction / (self.total or math.nan)


def _variance_title(rows: Sequence[VarianceSplit], view: View) -> str:
    first = rows[0]
    quantity = "mean" if first.baseline is None else f"mean difference from {first.baseline}"
    queries = pluralise_queries(first.n_queries, view.queries)
    return (
        f"{first.measure}: {quantity} over {queries} with its "
        f"{percent(first.interval.confidence_level)} interval (Student t) for new queries on a new "
        "corpus"
    )


present(
    VarianceSplit,
    Presentation(
        "Variance from queries and documents",
        columns=(
            *("system", "root", "interval", "standard_error"),
            *("query_share", "document_share", "interaction_share"),
        ),
        title=_variance_title,
        caption=lambda rows: (
            "se: the standard error; fractions of its square due to queries, "
            f"documents and both together; {rows[0].n_images:,} images"
        ),
        order=best_first,
        spare=("se",),
        label="variance",
        figures=("corpus_plots:draw_variances",),
        topics=lambda rows: ["variance-split"],
    ),
)
