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
from typing import ClassVar

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

    centre: Floats
    standard_error: Floats

    def limit(self, probability: float) -> Floats:
        """Return the confidence limit of a probability."""
        return np.asarray(self.centre + special.ndtri(probability) * self.standard_error)


@dataclass(frozen=True, eq=False)
class Normal(NormalLimits):
    """Limits of recall by propagation of error.

    The limits are Rec -+ z(1 - alpha/2) s, with the variance of Equation 25. This is accurate for
    large samples with many relevant documents in both. With few of them it is too narrow and
    wrongly symmetric: a limit can exceed 1, and where the unretrieved sample contains no relevant
    document the interval is the single point 1. The limits are not clipped, as in the paper's Table
    XII. Where no sample contains a relevant document there is no estimate, and the limits are NaN.

    Reference: Webber (2013), section 3.2, Equations 25 and 28.
    """

    method: ClassVar[str] = "normal"


@dataclass(frozen=True, eq=False)
class Laplace(NormalLimits):
    """Limits of recall after adding one relevant and one irrelevant document to each sample.

    With the added documents, a sample without relevant documents does not imply a yield of 0. They
    also move the centre (not the point estimate) away from 0 and 1, which makes the interval
    asymmetric in the right direction. Mostly better than ``normal``, but the addition overstates
    the yield of a large unretrieved segment in which relevant documents are rare. It is made to
    every stratum, so a fully assessed stratum is not exact.

    Reference: Webber (2013), section 3.3.
    """

    method: ClassVar[str] = "laplace"


@dataclass(frozen=True, eq=False)
class AgrestiCoull(NormalLimits):
    """Limits of recall after adding two relevant and two irrelevant documents to each sample.

    This addition makes the Wald interval of a proportion nearly as good as Wilson's. For recall it
    is too large. The method is provided for comparison.

    Reference: Webber (2013), section 3.3; Agresti and Coull (1998) for a proportion.
    """

    method: ClassVar[str] = "agresti-coull"


@dataclass(frozen=True, eq=False)
class NaiveBinomial(NormalLimits):
    """Limits Rec -+ z(1 - alpha/2) sqrt(Rec (1 - Rec) / n): recall as a plain proportion.

    The relevant documents of both samples are taken as one random sample of all relevant documents.
    The method is provided for comparison, because it is in use for diagnostic tests.

    The paper does not say what n is. Here it is the number of relevant documents in the samples,
    because recall is a proportion of relevant documents. A simulation of the paper's three
    scenarios (1,000 realisations, 500 samples) gave the following numbers. No interpretation that
    was tried gives the paper's numbers, and no Wald interval around the plain estimate has the
    small scenario's RMSE of 0.063.

    =======================================  ===============  ===============  ===============
    RMSE / mean coverage / mean width        neutral          legal            small
    =======================================  ===============  ===============  ===============
    paper (Tables IX and X)                  .25 / .83 / .23  .28 / .80 / .21  .06 / .95 / .29
    n = relevant in both samples (used)      .34 / .78 / .14  .37 / .72 / .13  .16 / .90 / .24
    n = relevant in the retrieved sample     .33 / .80 / .22  .37 / .74 / .18  .16 / .91 / .32
    n = both samples                         .47 / .59 / .07  .64 / .37 / .03  .49 / .51 / .07
    n = both samples x estimated prevalence  .29 / .82 / .17  .21 / .88 / .26  .15 / .93 / .29
    =======================================  ===============  ===============  ===============

    Reference: Webber (2013), section 3.1, Equation 27.
    """

    method: ClassVar[str] = "naive-binomial"


@dataclass(frozen=True, eq=False)
class NormalOfficial(NormalLimits):
    """Limits as the TREC Legal Track published them: recall, precision, F1 and yield.

    They differ from ``normal`` in three ways. The variance of a fraction is divided by n - 1
    instead of n, and is 0 for a sample of one. Recall is retrieved yield over total yield without
    their covariance, so that the variance of the retrieved yield counts twice and the interval is
    mostly too wide. The limits are clipped to possible values.

    Documents that nobody could assess are not counted in precision. It is the retrieved yield over
    the retrieved documents that could have been assessed, both estimated, and again without their
    covariance. F1 is computed from recall and precision as if these were independent. All numbers
    that the 2009 track printed follow from this to the last digit: 24 runs with 9 numbers each, and
    7 yields.

    Reference: Oard et al. (2008) and Hedin et al. (2009), the overviews of the track; Webber
    (2013), end of section 2.10.
    """

    method: ClassVar[str] = "normal-official"

    #: the maximum possible value
    highest: float = 1.0

    def limit(self, probability: float) -> Floats:
        """Return the confidence limit of a probability."""
        return np.clip(super().limit(probability), 0.0, self.highest)


def normal(counts: Counts) -> Normal:
    """Return the limits of recall; every stratum with documents needs a sample."""
    return Normal(*_estimate_recall(counts, Normal.method, added=0))


def laplace(counts: Counts) -> Laplace:
    """Return the limits of recall; every stratum with documents needs a sample."""
    return Laplace(*_estimate_recall(counts, Laplace.method, added=1))


def agresti_coull(counts: Counts) -> AgrestiCoull:
    """Return the limits of recall; every stratum with documents needs a sample."""
    return AgrestiCoull(*_estimate_recall(counts, AgrestiCoull.method, added=2))


def naive_binomial(counts: Counts) -> NaiveBinomial:
    """Return the limits of recall; every stratum with documents needs a sample."""
    check_sampled(counts, NaiveBinomial.method)
    recall = estimate_segment_yields(counts).recall
    n_relevant = np.asarray(counts.relevant.sum(axis=-1))
    return NaiveBinomial(recall, np.sqrt(divide(recall * (1 - recall), n_relevant)))


def normal_official(counts: Counts) -> NormalOfficial:
    """Return the limits of recall; every stratum with documents needs a sample."""
    return NormalOfficial(*_official_recall(counts))


def official_precision(counts: Counts) -> NormalOfficial:
    """Return the limits of precision: relevant over assessable retrieved documents."""
    return NormalOfficial(*_official_precision(counts))


def official_f1(counts: Counts) -> NormalOfficial:
    """Return the limits of F1, by the delta method from recall and precision as independent.

    They are NaN where recall and precision are 0, since F1 has no slope there.
    """
    recall, recall_error = _official_recall(counts)
    precision, precision_error = _official_precision(counts)
    total = recall + precision
    by_precision = 2 * divide(recall, total) ** 2 * precision_error
    by_recall = 2 * divide(precision, total) ** 2 * recall_error
    return NormalOfficial(
        2 * divide(recall * precision, total), np.sqrt(by_precision**2 + by_recall**2)
    )


def official_yield(counts: Counts) -> NormalOfficial:
    """Return the limits of the yield of the corpus; they do not exceed its size."""
    check_sampled(counts, NormalOfficial.method)
    relevant = _estimate_total(counts, counts.relevant)
    n_documents = float(counts.population.sum())
    return NormalOfficial(relevant.size, np.sqrt(relevant.variance), n_documents)


def official_prevalence(counts: Counts) -> NormalOfficial:
    """Return the limits of prevalence: those of the yield over the size of the corpus."""
    limits, n_documents = official_yield(counts), counts.population.sum()
    return NormalOfficial(limits.centre / n_documents, limits.standard_error / n_documents)


def _estimate_recall(counts: Counts, method: str, *, added: float) -> tuple[Floats, Floats]:
    """Return recall and its standard error, with documents added to each sample."""
    check_sampled(counts, method)
    yields = estimate_segment_yields(counts, added)
    return yields.recall, np.sqrt(estimate_recall_variance(yields))


@dataclass(frozen=True, eq=False)
class _Total:
    """An estimated number of documents, and its variance."""

    size: Floats
    variance: Floats


def _official_recall(counts: Counts) -> tuple[Floats, Floats]:
    check_sampled(counts, NormalOfficial.method)
    inside = counts.segment(True)
    relevant = _estimate_total(inside, inside.relevant)
    return _estimate_ratio(relevant, _estimate_total(counts, counts.relevant))


def _official_precision(counts: Counts) -> tuple[Floats, Floats]:
    inside = counts.segment(True)
    check_sampled(inside, NormalOfficial.method)
    relevant = _estimate_total(inside, inside.relevant)
    return _estimate_ratio(relevant, _estimate_total(inside, inside.assessable))


def _estimate_total(counts: Counts, in_samples: Floats) -> _Total:
    """Return the number of documents of one kind, from their number in each sample."""
    sampled = np.where(counts.sampled > 0, counts.sampled, 1.0)
    population = np.where(counts.population > 0, counts.population, 1.0)
    fraction = in_samples / sampled
    spread = fraction * (1 - fraction) * (1 - counts.sampled / population)
    several = counts.sampled > 1
    spread = np.where(several, spread / np.where(several, counts.sampled - 1, 1.0), 0.0)
    return _Total(
        np.asarray((counts.population * fraction).sum(axis=-1)),
        np.asarray((counts.population**2 * spread).sum(axis=-1)),
    )


def _estimate_ratio(part: _Total, whole: _Total) -> tuple[Floats, Floats]:
    """Return part / whole and its standard error without the covariance; NaN for 0 / 0."""
    ratio = divide(part.size, whole.size)
    of_part = divide(part.variance, whole.size**2)
    of_whole = ratio**2 * divide(whole.variance, whole.size**2)
    return ratio, np.sqrt(of_part + of_whole)
