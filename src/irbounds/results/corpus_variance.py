"""Queries, documents or both: where the uncertainty of a mean comes from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Annotated

from ..presentation.column_roles import Column, Count, Key
from ..presentation.phrases import group_by_measure, pluralise_queries
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import percent, percentage
from .estimates import best_first
from .intervals import Interval
from .result import Result


@dataclass(frozen=True)
class VarianceSplit(Result):
    """The variance of a mean score, or of a difference, by what is resampled."""

    measure: Key
    system: Key
    #: None for a score, else the system that is subtracted
    baseline: Annotated[str | None, Column("key", "minus")]
    #: on the corpus as it is
    value: Annotated[float, Column(heading="corpus", name="root")]
    #: variances of the mean: queries, documents, and what belongs to a query and documents together
    queries: Annotated[float, Column(name="query_variance")]
    documents: Annotated[float, Column(name="document_variance")]
    interaction: Annotated[float, Column(name="interaction_variance")]
    #: their sum: what a new set of queries on a new corpus would show
    total: Annotated[float, Column(name="total_variance")]
    #: what each way of resampling by itself shows: queries on the corpus, the corpus for the
    #: queries, and both crossed; over queries with n - 1 below the line, as in a standard error
    query_bootstrap: Annotated[float, Column(name="query_bootstrap_variance")]
    document_bootstrap: Annotated[float, Column(name="document_bootstrap_variance")]
    two_way_bootstrap: Annotated[float, Column(name="two_way_bootstrap_variance")]
    #: from the total, by Student's t with a degree of freedom less than there are queries
    interval: Interval
    n_queries: Count
    #: those of which every score is kept
    n_images: Count

    @property
    def standard_error(self) -> Annotated[float, Column("spread", "se")]:
        """The square root of the total variance."""
        return math.sqrt(self.total)

    @property
    def query_share(self) -> Annotated[float, Column("percentage", "queries", recorded=False)]:
        """The fraction of the variance that is due to queries; NaN where nothing varies."""
        return self._share(self.queries)

    @property
    def document_share(self) -> Annotated[float, Column("percentage", "documents", recorded=False)]:
        """The fraction that is due to documents."""
        return self._share(self.documents)

    @property
    def interaction_share(self) -> Annotated[float, Column("percentage", "both", recorded=False)]:
        """The fraction that is due to both together."""
        return self._share(self.interaction)

    def _share(self, part: float) -> float:
        return part / self.total if self.total > 0 else math.nan


def _title(rows: Sequence[VarianceSplit], view: View) -> str:
    first = rows[0]
    what = "mean" if first.baseline is None else f"mean difference from {first.baseline}"
    return (
        f"{first.measure}: {what} over {pluralise_queries(first.n_queries, view.queries)} with its "
        f"{percent(first.interval.confidence_level)} interval (Student t) for new queries on a new "
        "corpus"
    )


def _sentences(rows: Sequence[VarianceSplit], view: View) -> list[str]:
    """Return one sentence per measure: the fractions of a typical system."""
    return [_sentence(part) for part in group_by_measure(rows)]


def _sentence(rows: Sequence[VarianceSplit]) -> str:
    first, known = rows[0], [row for row in rows if row.total > 0]
    if not known:
        return f"{first.measure}: nothing varies, so there is nothing to split."
    queries, documents, both = (
        percentage(median(getattr(row, f"{name}_share") for row in known))
        for name in ("query", "document", "interaction")
    )
    alone, images, crossed = (
        percentage(median(getattr(row, f"{name}_bootstrap") / row.total for row in known))
        for name in ("query", "document", "two_way")
    )
    what = "mean" if first.baseline is None else "difference"
    return (
        f"{first.measure}: of the variance of a {what}, {queries} is due to the choice of "
        f"queries, {documents} to that of documents, {both} to both together. Resampling only the "
        f"queries shows {alone} of it, only the documents {images}; resampling both at once shows "
        f"{crossed}, because it counts what is due to both three times."
        f"{f' These are medians over {len(known):,} systems.' if len(known) > 1 else ''}"
    )


present(
    VarianceSplit,
    Presentation(
        "Variance from queries and documents",
        columns=(
            *("system", "root", "interval", "standard_error"),
            *("query_share", "document_share", "interaction_share"),
        ),
        title=_title,
        caption=lambda rows: (
            "se: the standard error; shares of its square due to queries, "
            f"documents and both together; {rows[0].n_images:,} images"
        ),
        order=best_first,
        spare=("se",),
        label="variance",
        sentences=_sentences,
        figures=("corpus:variances",),
        topics=lambda rows: ["variance-split"],
    ),
)
