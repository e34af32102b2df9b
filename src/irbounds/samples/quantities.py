"""What can be asked about a retrieved set, and by which methods each is answered.

Recall has Webber's methods. Precision and elusion are shares of one segment: where it is not
stratified, the intervals of a proportion apply. The posterior answers everything, and jointly.

An upper end of 1 where the unretrieved sample holds nothing relevant.

The posterior of recall may not reach 1 there, since the unretrieved segment may hold a relevant
document that the sample missed; with a very small sample the upper end can fall well short of 1,
though nothing speaks against it. The paper mentions this remedy and does not use it (sections
3.5 and 3.6), so it is off by default.

A word where a sample is odd: no silence about nothing, certainty, conditions and priors.

From a checked sample to an estimate by its method, and a word where the sample is odd.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, DegenerateSampleWarning, IrboundsError
from ..resampling.seeds import seed_number
from ..results import RecallEstimate, Stratum
from ..results.interval import Limits, Side, compute_interval
from ..validation import check_choice
from .counts import Counts, judged_part
from .estimator import bias_reduced_recall
from .koopman import koopman
from .normal import (
    NormalOfficial,
    agresti_coull,
    laplace,
    naive_binomial,
    normal,
    normal_official,
    official_f1,
    official_precision,
    official_yield,
)
from .point_estimates import (
    elusion_estimate,
    f_estimate,
    precision_estimate,
    prevalence_estimate,
    recall_estimate,
    yield_estimate,
)
from .posterior import JointPosterior, PosteriorLimits, QuantityPosterior, monte_carlo
from .priors import parse_prior, prior_pull
from .proportions import PROPORTION_METHODS
from .request import WITH_PRIOR, Inquiry

Floats = NDArray[np.float64]
Fit = Callable[[Counts], Limits]


@dataclass(frozen=True)
class Quantity:
    """Something to estimate, with its methods besides those that have a posterior."""

    name: str
    estimate: Callable[[Counts], Floats]
    posterior: Callable[[JointPosterior], QuantityPosterior]
    #: methods that need nothing but the counts
    closed: Mapping[str, Fit]
    #: the segment that it is a share of, retrieved or not; None if of neither
    segment: bool | None = None
    #: whether the paper's draws are offered for comparison
    is_drawn: bool = False
    #: whether it is a number of documents; else it lies between 0 and 1
    is_number: bool = False

    @property
    def methods(self) -> tuple[str, ...]:
        """All methods by name."""
        of_share = PROPORTION_METHODS if self.segment is not None else ()
        drawn = ("monte-carlo",) if self.is_drawn else ()
        return (*self.closed, *of_share, "beta-jeffreys", "beta-binomial", *drawn)

    def concerns(self, stratum: Stratum) -> bool:
        """Whether a stratum matters to it."""
        return self.segment is None or stratum.retrieved is self.segment

    def has_posterior(self, method: str) -> bool:
        """Whether a method is one of those that have a posterior."""
        return method not in self.closed and method not in PROPORTION_METHODS

    def limits(self, method: str, counts: Counts, finite: bool | None) -> Limits:
        """The limits of a method without a posterior."""
        if method in self.closed:
            return self.closed[method](counts)
        assert self.segment is not None
        return _share_limits(method, counts.segment(self.segment), finite)

    def bounds(self, counts: Counts) -> tuple[float, float]:
        """The lowest and the highest value that is possible."""
        return 0.0, float(counts.population.sum()) if self.is_number else 1.0


def _share_limits(method: str, segment: Counts, finite: bool | None) -> Limits:
    """The interval of a proportion, in a segment that is one stratum.

    By default for a finite population; of Jeffreys' interval, that is the beta-binomial.
    """
    if len(segment.population) != 1:
        side = "retrieved" if segment.retrieved[0] else "unretrieved"
        raise DataError(
            f"method {method!r} is for one simple random sample; the {side} segment has "
            f"{len(segment.population)} strata: take beta-binomial"
        )
    if segment.retrieved[0]:  # precision is of what can be judged
        segment = judged_part(segment)
    if finite is None:
        finite = method != "jeffreys"
    fit = PROPORTION_METHODS[method]
    return fit(segment.population[0], segment.sampled[0], segment.relevant[0], finite=finite)


def _prevalence_of_yield(counts: Counts) -> Limits:
    found, size = official_yield(counts), counts.population.sum()
    return NormalOfficial(found.centre / size, found.standard_error / size)


RECALL = Quantity(
    "recall",
    recall_estimate,
    JointPosterior.recall,
    {
        "naive-binomial": naive_binomial,
        "normal": normal,
        "normal-official": normal_official,
        "laplace": laplace,
        "agresti-coull": agresti_coull,
        "koopman": koopman,
    },
    is_drawn=True,
)
PRECISION = Quantity(
    "precision",
    precision_estimate,
    JointPosterior.precision,
    {"normal-official": official_precision},
    segment=True,
)
ELUSION = Quantity(
    "elusion",
    elusion_estimate,
    JointPosterior.elusion,
    {},
    segment=False,
)
YIELD = Quantity(
    "yield",
    yield_estimate,
    JointPosterior.total,
    {"normal-official": official_yield},
    is_number=True,
)
PREVALENCE = Quantity(
    "prevalence",
    prevalence_estimate,
    JointPosterior.prevalence,
    {"normal-official": _prevalence_of_yield},
)


#: every method of any quantity
METHODS = (*RECALL.methods, *PROPORTION_METHODS)


def f_quantity(beta: float) -> Quantity:
    """F with this weight of recall; the track's own interval is of F1 alone."""
    return Quantity(
        f"F{beta:g}",
        partial(f_estimate, beta=beta),
        lambda joint: joint.f(beta),
        {"normal-official": official_f1} if beta == 1 else {},
        is_drawn=True,
    )


@dataclass(frozen=True, eq=False)
class Capped:
    """Another method's limits, with upper ones of 1."""

    limits: Limits

    @property
    def method(self) -> str:
        """The other method's name."""
        return self.limits.method

    def limit(self, probability: float) -> NDArray[np.float64]:
        """The confidence limit of a probability."""
        return self.limit_at(probability, "high" if probability > 0.5 else "low")

    def limit_at(self, probability: float, side: Side) -> NDArray[np.float64]:
        """The same as one end of an interval: 1 as the high one."""
        return np.asarray(1.0) if side == "high" else self.limits.limit(probability)


STRONG = 0.8  # a pull of priors that is worth a word
DOUBTFUL = 0.01  # a probability of no relevant document at all that is worth a word


def refuse_unsampled(quantity: Quantity, inquiry: Inquiry) -> None:
    """A method without a prior has nothing to say of a stratum without a sample."""
    for one in unsampled(quantity, inquiry):
        raise DataError(
            f"stratum {one.name!r}: none of its {one.population:,} documents was sampled; method "
            f"{inquiry.method!r} has nothing to go by, beta-binomial has its prior"
        )


def caution_of_priors(quantity: Quantity, inquiry: Inquiry) -> None:
    """Where the prior has much to say: strata without a sample, and many empty samples."""
    for one in unsampled(quantity, inquiry):
        warn(
            f"stratum {one.name!r}: none of its {one.population:,} documents was sampled; what is "
            "said of it is the prior's word alone"
        )
    _caution_of_pull(quantity, inquiry)


def unsampled(quantity: Quantity, sample: Inquiry | RecallEstimate) -> list[Stratum]:
    """Strata that matter to a quantity and have no sample."""
    return [
        one
        for one in sample.strata
        if quantity.concerns(one) and one.population and not one.sampled
    ]


def caution_of_interval(quantity: Quantity, found: RecallEstimate) -> None:
    """Nothing, certainty, a condition, a prior that outweighs the samples: none without a word."""
    interval, posterior = found.interval, found.posterior
    what = f"{found.quantity}, {interval.method}"
    if math.isnan(interval.low):
        warn(f"{what}: no interval, since {_reason(quantity, found)}")
    elif posterior is None and interval.low == interval.high and not _is_known(quantity, found):
        warn(f"{what}: the interval is a single point, which claims a certainty nobody has")
    elif isinstance(posterior, QuantityPosterior) and posterior.undefined > DOUBTFUL:
        warn(
            f"{what}: with probability {posterior.undefined:.2g} there is no relevant document at "
            "all, and then no recall; the interval is for the case that there is one"
        )
    elif math.isnan(found.value) and not unsampled(quantity, found):
        warn(f"{what}: no point estimate, since {_reason(quantity, found)}")


def _caution_of_pull(quantity: Quantity, inquiry: Inquiry) -> None:
    """Many strata without a relevant document, whose priors add up."""
    prior = parse_prior(None) if inquiry.method == "beta-jeffreys" else inquiry.prior
    for retrieved, word in ((True, "retrieved"), (False, "unretrieved")):
        if quantity.segment in (None, retrieved):
            pull = prior_pull(inquiry.counts.segment(retrieved), prior)
            if pull > STRONG:
                warn(
                    f"{quantity.name}: the priors of {word} strata whose samples hold nothing "
                    f"relevant add up to {pull:.1f} standard deviations; if these strata are empty "
                    "indeed, the interval misses more often than it says"
                )


def _reason(quantity: Quantity, found: RecallEstimate) -> str:
    """Why there is no interval."""
    inside = [one for one in found.strata if one.retrieved]
    outside = [one for one in found.strata if not one.retrieved]
    if quantity.segment is not False and found.quantity != "recall":
        if not any(one.population for one in inside):
            return "nothing was retrieved"
        if not any(one.assessable is None or one.assessable for one in inside):
            return "no retrieved document could be judged"
    if quantity.segment is False and not any(one.population for one in outside):
        return "everything was retrieved"
    return "the samples hold nothing relevant to go by"


def _is_known(quantity: Quantity, found: RecallEstimate) -> bool:
    """Whether every document that matters was assessed, or one segment settles recall."""
    if quantity is RECALL:
        for side in (True, False):
            segment = [one for one in found.strata if one.retrieved is side]
            if all(one.sampled == one.population and not one.relevant for one in segment):
                return True
    return all(one.sampled == one.population for one in found.strata if quantity.concerns(one))


def warn(text: str) -> None:
    """A warning that points to who called the verb."""
    warnings.warn(text, DegenerateSampleWarning, stacklevel=5)


def estimate(quantity: Quantity, inquiry: Inquiry) -> RecallEstimate:
    """A quantity of a sample with its interval."""
    check_choice("method", inquiry.method, quantity.methods)
    if not quantity.has_posterior(inquiry.method):
        refuse_unsampled(quantity, inquiry)
        limits = quantity.limits(inquiry.method, inquiry.counts, inquiry.finite)
        found = _result(quantity, inquiry, limits, None)
    else:
        caution_of_priors(quantity, inquiry)
        found = _by_posterior(quantity, inquiry, quantity.posterior(inquiry.joint))
    caution_of_interval(quantity, found)
    return found


def estimate_or_refusal(quantity: Quantity, inquiry: Inquiry) -> RecallEstimate:
    """The same, but an interval of NaN and a warning where the method refuses the inquiry."""
    try:
        return estimate(quantity, inquiry)
    except IrboundsError as refusal:
        warn(str(refusal))
        return _result(quantity, inquiry, _NoLimits(inquiry.method), None)


def capped_at_one(found: RecallEstimate) -> RecallEstimate:
    """Recall with an upper end of 1, if the unretrieved sample holds nothing relevant."""
    missed = any(one.relevant for one in found.strata if not one.retrieved)
    possible = any(
        one.relevant or one.sampled < one.population for one in found.strata if one.retrieved
    )
    if missed or not possible:
        return replace(found, cap_at_one=True)
    capped = replace(found, limits=Capped(found.limits), cap_at_one=True)
    return capped.at(found.interval.confidence_level)


@dataclass(frozen=True)
class _NoLimits:
    """What a method that refuses a sample gives."""

    method: str

    def limit(self, probability: float) -> NDArray[np.float64]:
        return np.asarray(math.nan)


def _result(
    quantity: Quantity, inquiry: Inquiry, limits: Limits, posterior: QuantityPosterior | None
) -> RecallEstimate:
    bounds = quantity.bounds(inquiry.counts)
    return RecallEstimate(
        quantity=quantity.name,
        value=float(quantity.estimate(inquiry.counts)),
        bias_reduced=_bias_reduced(quantity, inquiry),
        interval=compute_interval(limits, inquiry.confidence_level, inquiry.alternative, bounds),
        strata=inquiry.strata,
        limits=limits,
        bounds=bounds,
        prior=inquiry.prior.name if inquiry.method in WITH_PRIOR else None,
        posterior=posterior,
        system=inquiry.system,
        topic=inquiry.topic,
        inputs=inquiry.inputs,
    )


def _bias_reduced(quantity: Quantity, inquiry: Inquiry) -> float:
    if quantity is not RECALL or unsampled(quantity, inquiry):
        return math.nan
    return float(bias_reduced_recall(inquiry.counts))


def _by_posterior(
    quantity: Quantity, inquiry: Inquiry, posterior: QuantityPosterior
) -> RecallEstimate:
    if inquiry.method != "monte-carlo":
        limits = PosteriorLimits(inquiry.method, posterior)
        return _result(quantity, inquiry, limits, posterior)
    seed = seed_number(inquiry.rng)
    draws = monte_carlo(inquiry.counts, inquiry.prior, posterior.formula, inquiry.n_draws, seed)
    found = _result(quantity, inquiry, draws, None)
    return replace(found, n_draws=inquiry.n_draws, seed=seed)
