"""Variance components of a mean score: queries, documents and their interaction.

The score of query q on corpus C is mu + a_q + b(C) + e_q(C): an effect of the query, an effect of
the corpus on all queries, and an effect of the corpus on this query, with variances A, B and E. The
mean of Q queries on one corpus then has the variance

    A/Q + B + E/Q    over new queries and new corpora: queries, documents, interaction.

Each way of resampling shows a part of it. Resampled queries on the corpus itself show
V_Q = (A + E)/Q, since every score includes an e that cannot be separated from a. Images of the
corpus with the same queries show V_D = B + E/Q. Both crossed show A/Q + B + 3 E/Q, which is too
large (``resampling.two_way`` explains why).

E can be estimated from the images. Over images, the score of a query has the variance B + E, and
the mean of Q queries has B + E/Q. So E/Q is (the mean of the first - the second) / (Q - 1), and

    queries = V_Q - E/Q,   documents = V_D - E/Q,   total = V_Q + V_D - E/Q.

E/Q is never below 0. A component below 0 is set to 0, and the total is the sum of the components,
so that it is never below the variance that one way of resampling shows.

Variances over queries have the denominator Q - 1, as in a standard error; a bootstrap has Q. The
two-way variance is computed, not drawn: given an image, the mean of drawn queries has the variance
of the image's scores over Q.

When not to use: the document component is only as good as images are in place of new corpora, and
images repeat documents, which new corpora do not. docs/validation/published-zobel.md shows the
effect for each measure.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..comparisons.pairs import check_systems
from ..errors import DegenerateSampleWarning
from ..intervals.student_t import StudentT
from ..results import Results, VarianceSplit
from ..results.interval import compute_interval
from ..validation import check_confidence_level

if TYPE_CHECKING:
    from .bootstrap import CorpusBootstrap

Floats = NDArray[np.float64]

CHUNK = 1 << 20  # numbers in memory at a time, 8 MiB


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores on images (query x image), or their differences from others, computed in parts.

    They are in single precision and may fill the memory: only a part is in double precision at any
    time.
    """

    scores: NDArray[np.floating]
    minus: NDArray[np.floating] | None = None

    def over_images(self, function: Callable[[Floats], Floats]) -> Floats:
        """Return ``function`` of all images, computed for some images at a time."""
        n_queries, n_images = self.scores.shape
        step = max(CHUNK // n_queries, 1)
        parts = (np.s_[:, k : k + step] for k in range(0, n_images, step))
        return np.concatenate([function(self._part(part)) for part in parts])

    def over_queries(self, function: Callable[[Floats], Floats]) -> Floats:
        """Return ``function`` of all queries, computed for some queries at a time."""
        n_queries, n_images = self.scores.shape
        step = max(CHUNK // n_images, 1)
        parts = (np.s_[k : k + step] for k in range(0, n_queries, step))
        return np.concatenate([function(self._part(part)) for part in parts])

    def _part(self, part: Any) -> Floats:
        scores: Floats = self.scores[part].astype(np.float64)
        return scores if self.minus is None else scores - self.minus[part]


@dataclass(frozen=True)
class Variances:
    """Components of the variance of a mean over queries, and the variances of resampling."""

    queries: float
    documents: float
    interaction: float
    query_bootstrap: float
    document_bootstrap: float
    two_way_bootstrap: float

    @property
    def total(self) -> float:
        """Variance over new queries and new corpora."""
        return self.queries + self.documents + self.interaction


def variance_split(
    images: CorpusBootstrap, baseline: str | None, confidence_level: float
) -> Results[VarianceSplit]:
    """Return a row per measure and system, of its mean or of its difference from a baseline."""
    confidence_level = check_confidence_level(confidence_level)
    if baseline is not None:
        check_systems(images.systems, baseline)
    return Results(
        _make_row(images, (measure, system, baseline), root, scores, confidence_level)
        for measure, system, root, scores in _iterate_scores(images, baseline)
    )


def _iterate_scores(
    images: CorpusBootstrap, baseline: str | None
) -> Iterator[tuple[str, str, Floats, Scores]]:
    """Return measure, system, scores on the corpus (query) and on the stored images."""
    base = None if baseline is None else images.systems.index(baseline)
    for m, measure in enumerate(images.measures):
        for s, system in enumerate(images.systems):
            root, scores = images.root.values[m, s], images.scores[m, s]
            if base is None:
                yield measure, system, root, Scores(scores)
            elif s != base:
                others = images.scores[m, base]
                yield measure, system, root - images.root.values[m, base], Scores(scores, others)


def _make_row(
    images: CorpusBootstrap,
    names: tuple[str, str, str | None],
    root: Floats,
    scores: Scores,
    confidence_level: float,
) -> VarianceSplit:
    measure, system, baseline = names
    parts = split_variance(root, scores)
    error = np.sqrt(parts.total) if parts.total else np.nan  # as for scores without spread
    limits = StudentT(root.mean(), np.asarray(error), root.size)
    if np.isnan(error):
        label = system if baseline is None else f"{system} minus {baseline}"
        _warn(f"{label}, {measure}: no interval, {_reason(root, baseline)}")
    return VarianceSplit(
        measure=measure,
        system=system,
        baseline=baseline,
        value=float(root.mean()),
        queries=parts.queries,
        documents=parts.documents,
        interaction=parts.interaction,
        total=parts.total,
        query_bootstrap=parts.query_bootstrap,
        document_bootstrap=parts.document_bootstrap,
        two_way_bootstrap=parts.two_way_bootstrap,
        interval=compute_interval(limits, confidence_level, "two-sided"),
        n_queries=root.size,
        n_images=images.n_kept,
    )


def _reason(root: Floats, baseline: str | None) -> str:
    if root.size < 2:
        return "a single query has no spread"
    content = "scores" if baseline is None else "differences"
    return f"all {root.size} {content} are {root[0]:g} on the corpus and on its images"


def _warn(sentence: str) -> None:
    warnings.warn(sentence, DegenerateSampleWarning, stacklevel=6)


def split_variance(root: Floats, scores: Scores) -> Variances:
    """Return the components, from scores on the corpus (query) and on images (query x image).

    For a single query, all are NaN except the variance over images.
    """
    n = root.size
    documents = float(scores.over_images(lambda part: part.mean(axis=0)).var(ddof=1))
    if n < 2:
        return Variances(np.nan, np.nan, np.nan, np.nan, documents, np.nan)
    queries = float(root.var(ddof=1)) / n
    query_variance = float(scores.over_queries(lambda part: part.var(axis=1, ddof=1)).mean())
    interaction = max((query_variance - documents) / (n - 1), 0.0)  # rounding can go below 0
    within = scores.over_images(lambda part: part.var(axis=0, ddof=1))
    within_images = float(within.mean()) / n
    return Variances(
        queries=max(queries - interaction, 0.0),
        documents=max(documents - interaction, 0.0),
        interaction=interaction,
        query_bootstrap=queries,
        document_bootstrap=documents,
        two_way_bootstrap=documents + within_images,
    )
