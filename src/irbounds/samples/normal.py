"""Normal interval of recall, by propagation of error.

Rec -+ z(1 - alpha/2) s, with the variance of Equation 25. Simple, and right for large samples that
hold many relevant documents on both sides. With few of them it is too narrow and wrongly
symmetric: it may end beyond 1, and when the unretrieved sample holds nothing relevant it claims a
recall of 1 without any doubt. The ends are left as they come, as in the paper's Table XII. Where
no sample holds anything relevant there is no estimate, and the ends are NaN.

When not to use normal: With a standard error from a small sample, a normal interval is too short,
and it claims certainty where the sample happens not to vary. Its limits can be outside the possible
values.

Reference: Webber (2013), section 3.2, Equations 25 and 28.

Normal interval of recall after one relevant and one irrelevant document more in each sample.

The added documents keep a sample without anything relevant from claiming that there is nothing,
and move the centre (not the point estimate) away from the ends, which makes the interval lopsided
in the right direction. Mostly better than ``normal``; but the addition overstates the yield of a
large unretrieved segment in which relevant documents are rare. It is made to every stratum, so a
fully assessed stratum is not exact.

When not to use laplace: Where relevant documents are rare among many unretrieved ones, the
documents that laplace adds understate recall, the more so with many strata. Its limits can exceed
1.

Reference: Webber (2013), section 3.3.

Normal interval of recall after two relevant and two irrelevant documents more in each sample.

The addition that makes the Wald interval of a proportion nearly as good as Wilson's. For recall it
is too large, and here to be compared with.

When not to use agresti-coull: Where relevant documents are rare among the unretrieved ones,
agresti-coull understates recall: four documents that nobody drew can outweigh the sample. It is
good for one proportion only.

Reference: Webber (2013), section 3.3; Agresti and Coull (1998) for a proportion.

Recall taken for a plain proportion of the relevant documents seen: the naive binomial.

Rec -+ z(1 - alpha/2) sqrt(Rec (1 - Rec) / n), as if the relevant documents of both samples were
one random sample of all relevant documents. It is here because it is in use for diagnostic tests,
and to be compared with.

The paper does not say what n is. Here it is the number of relevant documents in the samples, which
is what a proportion of relevant documents is a proportion of. A simulation of the paper's three
scenarios (1,000 realisations, 500 samples) gave the following; no reading that was tried gives the
paper's numbers, and the small scenario's RMSE of 0.063 is missed by every Wald interval around
the plain estimate.

=======================================  ===============  ===============  ===============
RMSE / mean coverage / mean width        neutral          legal            small
=======================================  ===============  ===============  ===============
paper (Tables IX and X)                  .25 / .83 / .23  .28 / .80 / .21  .06 / .95 / .29
n = relevant in both samples (taken)     .34 / .78 / .14  .37 / .72 / .13  .16 / .90 / .24
n = relevant in the retrieved sample     .33 / .80 / .22  .37 / .74 / .18  .16 / .91 / .32
n = both samples                         .47 / .59 / .07  .64 / .37 / .03  .49 / .51 / .07
n = both samples x estimated prevalence  .29 / .82 / .17  .21 / .88 / .26  .15 / .93 / .29
=======================================  ===============  ===============  ===============

When not to use naive-binomial: Unless both segments were sampled at the same rate, the relevant
documents of both samples are not a random sample of all relevant ones, and the coverage of the
naive binomial can be far from nominal.

Reference: Webber (2013), section 3.1, Equation 27.

The normal intervals that the TREC Legal Track published: recall, precision, F1 and yield.

They differ from ``normal`` in three ways. The variance of a share has n - 1 below it, not n, and is
0 for a sample of one. Recall is taken as retrieved yield over all yield with their covariance left
out, so that the retrieved yield's variance counts twice and the interval is mostly too wide.
And the ends are clipped to what is possible.

Documents that nobody could assess are no part of precision: it is the retrieved yield over the
retrieved documents that could have been assessed, both estimated, and again without their
covariance. F1 comes from recall and precision as if these were independent. Everything that the
2009 track printed follows from this to the last digit: 24 runs with 9 numbers each, and 7 yields.

When not to use normal-official: Normal-official ignores a covariance, so that it is mostly too
wide. As a normal interval it is too certain where few relevant documents were drawn.

Reference: Oard et al. (2008) and Hedin et al. (2009), the overviews of the track; Webber (2013),
end of section 2.10.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .counts import Counts
from .point_estimates import NormalLimits, check_sampled, recall_variance, segment_yields, share


@dataclass(frozen=True, eq=False)
class Normal(NormalLimits):
    """Limits Rec + z(p) s."""

    method: ClassVar[str] = "normal"


def normal(counts: Counts) -> Normal:
    """Fit to counts; every stratum with documents needs a sample."""
    check_sampled(counts, Normal.method)
    yields = segment_yields(counts)
    return Normal(yields.recall, np.sqrt(recall_variance(yields)))


@dataclass(frozen=True, eq=False)
class Laplace(NormalLimits):
    """Limits centre + z(p) s of the counts with one added to each."""

    method: ClassVar[str] = "laplace"


def laplace(counts: Counts) -> Laplace:
    """Fit to counts; every stratum with documents needs a sample."""
    check_sampled(counts, Laplace.method)
    yields = segment_yields(counts, added=1)
    return Laplace(yields.recall, np.sqrt(recall_variance(yields)))


@dataclass(frozen=True, eq=False)
class AgrestiCoull(NormalLimits):
    """Limits centre + z(p) s of the counts with two added to each."""

    method: ClassVar[str] = "agresti-coull"


def agresti_coull(counts: Counts) -> AgrestiCoull:
    """Fit to counts; every stratum with documents needs a sample."""
    check_sampled(counts, AgrestiCoull.method)
    yields = segment_yields(counts, added=2)
    return AgrestiCoull(yields.recall, np.sqrt(recall_variance(yields)))


@dataclass(frozen=True, eq=False)
class NaiveBinomial(NormalLimits):
    """Limits Rec + z(p) sqrt(Rec (1 - Rec) / n)."""

    method: ClassVar[str] = "naive-binomial"


def naive_binomial(counts: Counts) -> NaiveBinomial:
    """Fit to counts; every stratum with documents needs a sample."""
    check_sampled(counts, NaiveBinomial.method)
    recall = segment_yields(counts).recall
    seen = np.asarray(counts.relevant.sum(axis=-1))
    return NaiveBinomial(recall, np.sqrt(share(recall * (1 - recall), seen)))


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
