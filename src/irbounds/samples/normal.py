"""Normal intervals: centre + z(p) standard error, by five methods.

``normal``, ``laplace`` and ``agresti-coull`` differ in how many documents they add to each sample
before the variance of recall is computed (Equation 25): none, one relevant and one irrelevant
document, or two of each. ``naive-binomial`` takes recall as a plain proportion.
``normal-official`` is the interval that the TREC Legal Track published.

References: Webber (2013), sections 2.10 and 3.1 to 3.3; Agresti and Coull (1998) for a proportion;
Oard et al. (2008) and Hedin et al. (2009), the overviews of the Legal Track.

When not to use normal: With a standard error from a small sample, a normal interval is too short,
and it claims certainty where the sample happens not to vary. Its limits can be outside the possible
values.

When not to use laplace: Where relevant documents are rare among many unretrieved ones, the
documents that laplace adds understate recall, the more so with many strata. Its limits can exceed
1.

When not to use agresti-coull: Where relevant documents are rare among the unretrieved ones,
agresti-coull understates recall: four documents that nobody drew can outweigh the sample. It is
good for one proportion only.

When not to use naive-binomial: Unless both segments were sampled at the same rate, the relevant
documents of both samples are not a random sample of all relevant ones, and the coverage of the
naive binomial can be far from nominal.

When not to use normal-official: Normal-official ignores a covariance, so that it is mostly too
wide. As a normal interval it is too certain where few relevant documents were drawn.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from .counts import Counts
from .point_estimates import (
    check_sampled,
    divide,
    estimate_recall_variance,
    estimate_segment_yields,
)

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class NormalLimits:
    """Limits centre + z(p) standard error (Equation 28), which can be below 0 or above 1."""

    method: str
    centre: Floats
    standard_error: Floats
    is_clipped: bool = False

    def limit(self, probability: float) -> Floats:
        """Return the confidence limit of a probability."""
        limits = np.asarray(self.centre + special.ndtri(probability) * self.standard_error)
        return np.clip(limits, 0.0, 1.0) if self.is_clipped else limits


def normal(counts: Counts) -> NormalLimits:
    """Return limits of recall by propagation of error, with the variance of Equation 25.

    This is accurate for large samples with many relevant documents in both. With few of them it is
    too narrow and wrongly symmetric: where the unretrieved sample contains no relevant document,
    the interval is the single point 1. Where no sample contains one, the limits are NaN.
    """
    return _limit_recall("normal", counts, added=0)


def laplace(counts: Counts) -> NormalLimits:
    """Return limits of recall after adding one relevant and one irrelevant document per sample.

    They move the centre (not the point estimate) away from 0 and 1. The addition is made to every
    stratum, so a fully assessed stratum is not exact.
    """
    return _limit_recall("laplace", counts, added=1)


def agresti_coull(counts: Counts) -> NormalLimits:
    """Return limits of recall after adding two documents of each kind to each sample."""
    return _limit_recall("agresti-coull", counts, added=2)


def naive_binomial(counts: Counts) -> NormalLimits:
    """Return limits Rec -+ z sqrt(Rec (1 - Rec) / n): recall as a plain proportion (Equation 27).

    The paper does not say what n is. Here it is the number of relevant documents in the samples,
    because recall is a proportion of relevant documents. None of the interpretations that were
    tried gives the paper's numbers; with this one, mean coverage and width in its three scenarios
    are .78 and .14 (paper .83 and .23), .72 and .13 (.80 and .21), .90 and .24 (.95 and .29).
    """
    check_sampled(counts, "naive-binomial")
    recall = estimate_segment_yields(counts).recall
    n_relevant = counts.relevant.sum(axis=-1)
    return NormalLimits(
        "naive-binomial", recall, np.sqrt(divide(recall * (1 - recall), n_relevant))
    )


def _limit_recall(method: str, counts: Counts, *, added: float) -> NormalLimits:
    """Return limits of recall with documents added to each sample, which every stratum needs."""
    check_sampled(counts, method)
    yields = estimate_segment_yields(counts, added)
    return NormalLimits(method, yields.recall, np.sqrt(estimate_recall_variance(yields)))


def normal_official(counts: Counts) -> NormalLimits:
    """Return the limits of recall that the TREC Legal Track published.

    A variance is divided by n - 1 instead of n, and is 0 for a sample of one. Recall
    is retrieved yield over total yield without their covariance, so that the variance of the
    retrieved yield counts twice. The limits are clipped to possible values.
    """
    check_sampled(counts, "normal-official")
    retrieved, variance = _estimate_total(counts.segment(True))
    total, total_variance = _estimate_total(counts)
    recall = divide(retrieved, total)
    of_retrieved = divide(variance, total**2)
    of_total = recall**2 * divide(total_variance, total**2)
    error = np.sqrt(of_retrieved + of_total)
    return NormalLimits("normal-official", recall, error, is_clipped=True)


def _estimate_total(counts: Counts) -> tuple[Floats, Floats]:
    """Return the number of relevant documents, and its variance."""
    sampled = np.where(counts.sampled > 0, counts.sampled, 1.0)
    population = np.where(counts.population > 0, counts.population, 1.0)
    fraction = counts.relevant / sampled
    spread = fraction * (1 - fraction) * (1 - counts.sampled / population)
    several = counts.sampled > 1
    spread = np.where(several, spread / np.where(several, counts.sampled - 1, 1.0), 0.0)
    return (
        np.asarray((counts.population * fraction).sum(axis=-1)),
        np.asarray((counts.population**2 * spread).sum(axis=-1)),
    )
