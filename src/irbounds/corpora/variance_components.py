"""Queries, documents or both: what a mean score's uncertainty is made of.

A score of query q on corpus C is mu + a_q + b(C) + e_q(C): the query's own part, what the corpus
does to all queries alike, and what it does to this one, with variances A, B and E. The mean of Q
queries on one corpus then varies by

    A/Q + B + E/Q    over new queries and new corpora: queries, documents, and both together.

Each way of resampling sees a part of it. Queries on the corpus as it is: V_Q = (A + E)/Q, since an
e is in every score and cannot be told from an a. Images of the corpus for the queries as they are:
V_D = B + E/Q. Both crossed: A/Q + B + 3 E/Q, which is too much (``resample.two_way`` says why).

E can be told from the images. Over images a query's score varies by B + E, and the mean of Q of
them by B + E/Q; so E/Q is (the mean of the first - the second) / (Q - 1), and

    queries = V_Q - E/Q,   documents = V_D - E/Q,   total = V_Q + V_D - E/Q.

E/Q is never below 0. A part that comes out below 0 is set to 0, and the total is the sum of the
parts as they are shown: so it is never below what one way of resampling shows by itself.

Variances over queries have Q - 1 below the line, as in a standard error: a bootstrap, which has Q,
falls short by that factor. The two-way variance is computed, not drawn: given its image, a mean of
drawn queries varies by the variance of the image's scores over Q.

When not to trust it: the document part is as good as images are as stand-ins for new corpora, and
they repeat documents, which new ones do not. docs/corpus.md shows how far that takes each measure.
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

CHUNK = 1 << 20  # numbers worked on at once, 8 MiB


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores on images (query x image), or their differences from others, a part at a time.

    They may be as many as fit into memory, and in single precision: none but a part of them is
    there in double precision at any time.
    """

    scores: NDArray[np.floating]
    minus: NDArray[np.floating] | None = None

    def over_images(self, function: Callable[[Floats], Floats]) -> Floats:
        """What ``function`` gives for some images, put together for all."""
        n_queries, n_images = self.scores.shape
        step = max(CHUNK // n_queries, 1)
        parts = (np.s_[:, k : k + step] for k in range(0, n_images, step))
        return np.concatenate([function(self._some(part)) for part in parts])

    def over_queries(self, function: Callable[[Floats], Floats]) -> Floats:
        """What ``function`` gives for some queries, put together for all."""
        n_queries, n_images = self.scores.shape
        step = max(CHUNK // n_images, 1)
        parts = (np.s_[k : k + step] for k in range(0, n_queries, step))
        return np.concatenate([function(self._some(part)) for part in parts])

    def _some(self, part: Any) -> Floats:
        some: Floats = self.scores[part].astype(np.float64)
        return some if self.minus is None else some - self.minus[part]


@dataclass(frozen=True)
class Variances:
    """Of a mean over queries: its parts, and what each way of resampling shows."""

    queries: float
    documents: float
    interaction: float
    query_bootstrap: float
    document_bootstrap: float
    two_way_bootstrap: float

    @property
    def total(self) -> float:
        """Over new queries and new corpora."""
        return self.queries + self.documents + self.interaction


def variance_split(
    images: CorpusBootstrap, baseline: str | None, confidence_level: float
) -> Results[VarianceSplit]:
    """Every system's mean by every measure, or every other system's difference from a baseline."""
    confidence_level = check_confidence_level(confidence_level)
    if baseline is not None:
        check_systems(images.systems, baseline)
    return Results(
        _row(images, (measure, system, baseline), root, scores, confidence_level)
        for measure, system, root, scores in _scores(images, baseline)
    )


def _scores(
    images: CorpusBootstrap, baseline: str | None
) -> Iterator[tuple[str, str, Floats, Scores]]:
    """Measure, system, scores on the corpus (query) and on the kept images."""
    base = None if baseline is None else images.systems.index(baseline)
    for m, measure in enumerate(images.measures):
        for s, system in enumerate(images.systems):
            root, scores = images.root.values[m, s], images.scores[m, s]
            if base is None:
                yield measure, system, root, Scores(scores)
            elif s != base:
                others = images.scores[m, base]
                yield measure, system, root - images.root.values[m, base], Scores(scores, others)


def _row(
    images: CorpusBootstrap,
    names: tuple[str, str, str | None],
    root: Floats,
    scores: Scores,
    confidence_level: float,
) -> VarianceSplit:
    measure, system, baseline = names
    parts = split_variance(root, scores)
    error = np.sqrt(parts.total) if parts.total else np.nan  # as for scores without any spread
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
    what = "scores" if baseline is None else "differences"
    return f"all {root.size} {what} are {root[0]:g} on the corpus and on its images"


def _warn(sentence: str) -> None:
    warnings.warn(sentence, DegenerateSampleWarning, stacklevel=6)


def split_variance(root: Floats, scores: Scores) -> Variances:
    """The parts of a mean's variance, from scores on the corpus (query) and images (query x image).

    Of one query alone, all is NaN but what the images show.
    """
    n = root.size
    documents = float(scores.over_images(lambda some: some.mean(axis=0)).var(ddof=1))
    if n < 2:
        return Variances(np.nan, np.nan, np.nan, np.nan, documents, np.nan)
    queries = float(root.var(ddof=1)) / n
    of_a_query = float(scores.over_queries(lambda some: some.var(axis=1, ddof=1)).mean())
    interaction = max((of_a_query - documents) / (n - 1), 0.0)  # rounding can leave crumbs below 0
    within = scores.over_images(lambda some: some.var(axis=0, ddof=1))
    within_images = float(within.mean()) / n
    return Variances(
        queries=max(queries - interaction, 0.0),
        documents=max(documents - interaction, 0.0),
        interaction=interaction,
        query_bootstrap=queries,
        document_bootstrap=documents,
        two_way_bootstrap=documents + within_images,
    )
