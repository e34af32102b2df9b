"""The normal intervals that the TREC Legal Track published: recall, precision, F1 and yield.

They differ from ``normal`` in three ways. The variance of a share has n - 1 below it, not n, and is
0 for a sample of one. Recall is taken as retrieved yield over all yield with their covariance left
out, so that the retrieved yield's variance counts twice and the interval is mostly too wide.
And the ends are clipped to what is possible.

Documents that nobody could assess are no part of precision: it is the retrieved yield over the
retrieved documents that could have been assessed, both estimated, and again without their
covariance. F1 comes from recall and precision as if these were independent. Everything that the
2009 track printed follows from this to the last digit: 24 runs with 9 numbers each, and 7 yields.

When not to use: Normal-official ignores a covariance, so that it is mostly too wide. As a normal
interval it is too certain where few relevant documents were drawn.

Reference: Oard et al. (2008) and Hedin et al. (2009), the overviews of the track; Webber (2013),
end of section 2.10.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .counts import Counts
from .propagation import NormalLimits, check_sampled, share

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class NormalOfficial(NormalLimits):
    """Limits centre + z(p) s, clipped to 0 and the greatest value that is possible."""

    method: ClassVar[str] = "normal-official"

    highest: float = 1.0

    def limit(self, probability: float) -> Floats:
        """The confidence limit of a probability."""
        return np.clip(super().limit(probability), 0.0, self.highest)


@dataclass(frozen=True, eq=False)
class _Total:
    """An estimated number of documents, and its variance."""

    size: Floats
    variance: Floats


def normal_official(counts: Counts) -> NormalOfficial:
    """Recall; every stratum with documents needs a sample."""
    return NormalOfficial(*_recall(counts))


def official_precision(counts: Counts) -> NormalOfficial:
    """Precision: the share of relevant ones among the retrieved that could be assessed."""
    return NormalOfficial(*_precision(counts))


def official_f1(counts: Counts) -> NormalOfficial:
    """F1, by the delta method from recall and precision, taken as independent.

    NaN where both are 0: they have no slope there.
    """
    (recall, recall_error), (precision, precision_error) = _recall(counts), _precision(counts)
    total = recall + precision
    by_precision = 2 * share(recall, total) ** 2 * precision_error
    by_recall = 2 * share(precision, total) ** 2 * recall_error
    return NormalOfficial(
        2 * share(recall * precision, total), np.sqrt(by_precision**2 + by_recall**2)
    )


def official_yield(counts: Counts) -> NormalOfficial:
    """All relevant documents of the corpus; no more than there are documents."""
    check_sampled(counts, NormalOfficial.method)
    relevant = _total(counts, counts.relevant)
    documents = float(counts.population.sum())
    return NormalOfficial(relevant.size, np.sqrt(relevant.variance), documents)


def _recall(counts: Counts) -> tuple[Floats, Floats]:
    check_sampled(counts, NormalOfficial.method)
    inside = counts.segment(True)
    return _ratio(_total(inside, inside.relevant), _total(counts, counts.relevant))


def _precision(counts: Counts) -> tuple[Floats, Floats]:
    inside = counts.segment(True)
    check_sampled(inside, NormalOfficial.method)
    return _ratio(_total(inside, inside.relevant), _total(inside, inside.assessable))


def _total(counts: Counts, number: Floats) -> _Total:
    """Documents of a kind, of which each sample held this number."""
    sampled = np.where(counts.sampled > 0, counts.sampled, 1.0)
    population = np.where(counts.population > 0, counts.population, 1.0)
    kind = number / sampled
    spread = kind * (1 - kind) * (1 - counts.sampled / population)
    several = counts.sampled > 1
    spread = np.where(several, spread / np.where(several, counts.sampled - 1, 1.0), 0.0)
    return _Total(
        np.asarray((counts.population * kind).sum(axis=-1)),
        np.asarray((counts.population**2 * spread).sum(axis=-1)),
    )


def _ratio(part: _Total, whole: _Total) -> tuple[Floats, Floats]:
    """Part over whole with its standard error, the covariance left out; NaN for 0 over 0."""
    ratio = share(part.size, whole.size)
    of_part = share(part.variance, whole.size**2)
    of_whole = ratio**2 * share(whole.variance, whole.size**2)
    return ratio, np.sqrt(of_part + of_whole)
