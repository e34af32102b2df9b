"""Yields with their variances, and what these make of the variance of recall.

A stratum's yield is its size times the share of relevant documents in its sample (Equation 4), a
segment's yield the sum over its strata (Equation 5). The variance of a share is p(1 - p)/n, the
biased estimate that the paper uses throughout (Equation 11), times the finite population
correction 1 - n/N: without the correction 18 of the 48 normal limits of Table XII are missed, with
it none is. Variances add up over the strata of a segment (Equation 26). Retrieved and unretrieved
yield come from different samples, so they are independent, and recall as a function of these two
needs no covariance (Equation 25).

A stratum without documents holds nothing and counts for nothing. One that has documents but no
sample says nothing of its yield: the normal methods refuse it.

Reference: Webber (2013), sections 2.1, 2.2, 2.6 and 2.10.

Point estimates of a retrieved set: recall, precision, F, yield, prevalence and elusion.

All come from estimated yields, a stratum's size times the share of relevant documents in its
sample. A document that nobody could assess counts as not relevant in a yield, since the yield is
an absolute number, but is no part of precision: that is relevant over assessable documents, as the
Legal Track did it. Elusion and prevalence are yields over all documents.

What is 0 over 0 has no estimate and is NaN: recall where no sample holds anything relevant,
precision of nothing retrieved, elusion of a corpus retrieved whole. F is 0 where there is
something to be found or retrieved and nothing is both. A stratum with documents but no sample
makes NaN of every estimate that it is part of.

Reference: Webber (2013), section 2.1, Equation 2, and section 2.2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..errors import DataError
from .counts import Counts

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Yields:
    """Estimated relevant documents in both segments, and the variances of these estimates."""

    retrieved: Floats
    unretrieved: Floats
    retrieved_variance: Floats
    unretrieved_variance: Floats

    @property
    def recall(self) -> Floats:
        """Retrieved yield over all yield (Equation 2); NaN where nothing relevant was seen."""
        return share(self.retrieved, self.retrieved + self.unretrieved)


@dataclass(frozen=True, eq=False)
class NormalLimits:
    """Limits centre + z(p) standard error (Equation 28), which may lie outside of 0 to 1."""

    centre: Floats
    standard_error: Floats

    def limit(self, probability: float) -> Floats:
        """The confidence limit of a probability."""
        return np.asarray(self.centre + special.ndtri(probability) * self.standard_error)


def unsampled(counts: Counts) -> NDArray[np.bool_]:
    """Which strata have documents but no sample of them."""
    return np.asarray((counts.population > 0) & (counts.sampled <= 0))


def check_sampled(counts: Counts, method: str) -> None:
    """Refuse a stratum of which nothing is known."""
    for index in np.flatnonzero(unsampled(counts)):
        raise DataError(
            f"method {method!r} needs a sample of every stratum; stratum {index + 1} has "
            f"{counts.population[index]:,.0f} documents and 0 sampled"
        )


def share(part: Floats, whole: Floats) -> Floats:
    """Part over whole, NaN where the whole is 0."""
    part, whole = np.broadcast_arrays(part, whole)
    empty = np.full(part.shape, np.nan)
    return np.asarray(np.divide(part, whole, out=empty, where=whole > 0))


def stratum_yields(counts: Counts, added: float = 0.0) -> Floats:
    """Estimated yield of each stratum (Equation 4).

    ``added`` documents are put to the relevant ones of each sample, and as many to the others. NaN
    where there are documents but no sample.
    """
    known = np.where(unsampled(counts), np.nan, counts.population)
    return np.asarray(known * _prevalence(counts, added))


def stratum_variances(counts: Counts, added: float = 0.0) -> Floats:
    """Variance of each stratum's yield (Equation 11, with the finite population correction).

    The correction knows nothing of ``added``: a document that nobody drew uses up no population.
    With (n + 2)/N in its place one Laplace limit of Table XII is missed.
    """
    prevalence = _prevalence(counts, added)
    of_share = prevalence * (1 - prevalence) / _sampled(counts, added)
    unseen = 1 - counts.sampled / np.where(counts.population > 0, counts.population, 1.0)
    return np.asarray(counts.population**2 * of_share * unseen)


def segment_yields(counts: Counts, added: float = 0.0) -> Yields:
    """Both segments' yields and variances (Equations 5 and 26)."""
    yields, variances = stratum_yields(counts, added), stratum_variances(counts, added)
    inside = counts.retrieved
    return Yields(
        np.asarray(yields[..., inside].sum(axis=-1)),
        np.asarray(yields[..., ~inside].sum(axis=-1)),
        np.asarray(variances[..., inside].sum(axis=-1)),
        np.asarray(variances[..., ~inside].sum(axis=-1)),
    )


def recall_variance(yields: Yields) -> Floats:
    """Variance of the estimated recall (Equation 25); NaN where nothing relevant was seen."""
    total = yields.retrieved + yields.unretrieved
    found, missed = share(yields.retrieved, total), share(yields.unretrieved, total)
    spread = yields.retrieved_variance * missed**2 + yields.unretrieved_variance * found**2
    return share(spread, total**2)


def _prevalence(counts: Counts, added: float) -> Floats:
    return np.asarray((counts.relevant + added) / _sampled(counts, added))


def _sampled(counts: Counts, added: float) -> Floats:
    size = counts.sampled + 2 * added
    return np.asarray(np.where(size > 0, size, 1.0))


def recall_estimate(counts: Counts) -> Floats:
    """Retrieved yield over all yield (Equation 2)."""
    return share(yield_estimate(counts.segment(True)), yield_estimate(counts))


def precision_estimate(counts: Counts) -> Floats:
    """Retrieved yield over the retrieved documents that could be assessed."""
    retrieved = counts.segment(True)
    return share(yield_estimate(retrieved), _assessable(retrieved))


def f_estimate(counts: Counts, beta: float = 1.0) -> Floats:
    """F, which weighs recall ``beta`` times as much as precision.

    (1 + b^2) P R / (b^2 P + R) with the yields put in, so that it is there where P and R are 0.
    """
    retrieved = counts.segment(True)
    weight = beta**2
    whole = weight * yield_estimate(counts) + _assessable(retrieved)
    return share((1 + weight) * yield_estimate(retrieved), whole)


def yield_estimate(counts: Counts) -> Floats:
    """Relevant documents in all strata (Equation 5)."""
    return np.asarray(stratum_yields(counts).sum(axis=-1))


def prevalence_estimate(counts: Counts) -> Floats:
    """The share of relevant documents in the corpus."""
    return share(yield_estimate(counts), counts.population.sum())


def elusion_estimate(counts: Counts) -> Floats:
    """The share of relevant documents among those not retrieved."""
    unretrieved = counts.segment(False)
    return share(yield_estimate(unretrieved), unretrieved.population.sum())


def _assessable(counts: Counts) -> Floats:
    """Documents that could be assessed, from their share in each sample."""
    sampled = np.where(counts.sampled > 0, counts.sampled, 1.0)
    known = np.where(unsampled(counts), np.nan, counts.population)
    return np.asarray((known * (counts.assessable / sampled)).sum(axis=-1))
