"""Point estimates from the counts of a sample, and the variance of recall.

The estimates are recall, precision, F, yield, prevalence and elusion. All follow from estimated
yields. The yield of a stratum is its size times the fraction of relevant documents in its sample
(Equation 4), the yield of a segment the sum over its strata (Equation 5). A document that nobody
could assess counts as not relevant in a yield, since a yield is an absolute number. It is not
counted in precision, which is relevant over assessable documents, as in the Legal Track. Elusion
and prevalence are yields divided by all documents of the segment or of the corpus.

An estimate of 0 / 0 is NaN: recall where no sample contains a relevant document, precision where
nothing was retrieved, elusion where the whole corpus was retrieved. F is 0 where there are relevant
or retrieved documents but none that are both. A stratum with documents but without a sample makes
every estimate NaN that it is part of, and the normal methods reject it. A stratum without documents
has a yield of 0.

The variance of a fraction is p(1 - p)/n, the biased estimate that the paper uses throughout
(Equation 11), times the finite population correction 1 - n/N. Without the correction, 18 of the 48
normal limits of Table XII are missed; with it, none is. Variances add up over the strata of a
segment (Equation 26). The retrieved and the unretrieved yield come from different samples, so they
are independent, and recall as a function of these two needs no covariance (Equation 25).

Reference: Webber (2013), sections 2.1, 2.2, 2.6 and 2.10.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError
from .counts import Counts

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Yields:
    """The estimated yields of both segments, and the variances of these estimates."""

    retrieved: Floats
    unretrieved: Floats
    retrieved_variance: Floats
    unretrieved_variance: Floats

    @property
    def recall(self) -> Floats:
        """Retrieved yield over total yield (Equation 2); NaN where both yields are 0."""
        return divide(self.retrieved, self.retrieved + self.unretrieved)


def is_unsampled(counts: Counts) -> NDArray[np.bool_]:
    """Return which strata have documents but no sample of them."""
    return np.asarray((counts.population > 0) & (counts.sampled <= 0))


def check_sampled(counts: Counts, method: str) -> None:
    """Raise ``DataError`` unless every stratum with documents has a sample."""
    for index in np.flatnonzero(is_unsampled(counts)):
        raise DataError(
            f"method {method!r} needs a sample of every stratum; stratum {index + 1} has "
            f"{counts.population[index]:,.0f} documents and 0 sampled"
        )


def divide(part: Floats, whole: Floats) -> Floats:
    """Return part / whole, NaN where the whole is 0."""
    part, whole = np.broadcast_arrays(part, whole)
    empty = np.full(part.shape, np.nan)
    return np.asarray(np.divide(part, whole, out=empty, where=whole > 0))


def estimate_recall(counts: Counts) -> Floats:
    """Return the retrieved yield over the total yield (Equation 2)."""
    return divide(estimate_yield(counts.segment(True)), estimate_yield(counts))


def estimate_precision(counts: Counts) -> Floats:
    """Return the retrieved yield over the retrieved documents that could be assessed."""
    retrieved = counts.segment(True)
    return divide(estimate_yield(retrieved), _estimate_assessable(retrieved))


def estimate_f1(counts: Counts) -> Floats:
    """Return F1, written with yields, so that it is defined where precision and recall are 0."""
    retrieved = counts.segment(True)
    whole = estimate_yield(counts) + _estimate_assessable(retrieved)
    return divide(2 * estimate_yield(retrieved), whole)


def estimate_yield(counts: Counts) -> Floats:
    """Return the number of relevant documents in all strata (Equation 5)."""
    return np.asarray(estimate_stratum_yields(counts).sum(axis=-1))


def estimate_prevalence(counts: Counts) -> Floats:
    """Return the fraction of the corpus that is relevant."""
    return divide(estimate_yield(counts), counts.population.sum())


def estimate_elusion(counts: Counts) -> Floats:
    """Return the fraction of the unretrieved documents that is relevant."""
    unretrieved = counts.segment(False)
    return divide(estimate_yield(unretrieved), unretrieved.population.sum())


def estimate_stratum_yields(counts: Counts, added: float = 0.0) -> Floats:
    """Return the estimated yield of each stratum (Equation 4).

    ``added`` is added to the relevant and to the irrelevant documents of each sample. The yield is
    NaN where there are documents but no sample.
    """
    population = np.where(is_unsampled(counts), np.nan, counts.population)
    return np.asarray(population * _sample_prevalence(counts, added))


def estimate_stratum_variances(counts: Counts, added: float = 0.0) -> Floats:
    """Return the variance of each stratum's yield (Equation 11, finite population correction).

    The correction ignores ``added``: added documents are not taken from the population. With
    (n + 2)/N in the correction, one Laplace limit of Table XII is missed.
    """
    prevalence = _sample_prevalence(counts, added)
    variance = prevalence * (1 - prevalence) / _sample_size(counts, added)
    correction = 1 - counts.sampled / np.where(counts.population > 0, counts.population, 1.0)
    return np.asarray(counts.population**2 * variance * correction)


def estimate_segment_yields(counts: Counts, added: float = 0.0) -> Yields:
    """Return the yields of both segments and their variances (Equations 5 and 26)."""
    yields = estimate_stratum_yields(counts, added)
    variances = estimate_stratum_variances(counts, added)
    inside = counts.retrieved
    return Yields(
        np.asarray(yields[..., inside].sum(axis=-1)),
        np.asarray(yields[..., ~inside].sum(axis=-1)),
        np.asarray(variances[..., inside].sum(axis=-1)),
        np.asarray(variances[..., ~inside].sum(axis=-1)),
    )


def estimate_recall_variance(yields: Yields) -> Floats:
    """Return the variance of the estimated recall (Equation 25); NaN where both yields are 0."""
    total = yields.retrieved + yields.unretrieved
    recall, missed = divide(yields.retrieved, total), divide(yields.unretrieved, total)
    spread = yields.retrieved_variance * missed**2 + yields.unretrieved_variance * recall**2
    return divide(spread, total**2)


def _sample_prevalence(counts: Counts, added: float) -> Floats:
    return np.asarray((counts.relevant + added) / _sample_size(counts, added))


def _sample_size(counts: Counts, added: float) -> Floats:
    size = counts.sampled + 2 * added
    return np.asarray(np.where(size > 0, size, 1.0))


def _estimate_assessable(counts: Counts) -> Floats:
    """Return the number of documents that could be assessed, from their fraction of each sample."""
    sampled = np.where(counts.sampled > 0, counts.sampled, 1.0)
    population = np.where(is_unsampled(counts), np.nan, counts.population)
    return np.asarray((population * (counts.assessable / sampled)).sum(axis=-1))
