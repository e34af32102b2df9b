"""The quantities of a retrieved set, their methods, and their estimates with intervals.

Recall has Webber's methods. Precision and elusion are fractions of one segment: where the segment
has no strata, the intervals of a proportion apply. The posterior methods provide every quantity, F
with recall and precision jointly.

Warnings are issued for unusual samples: no interval or no point estimate, an interval that is a
single point, a posterior that is conditional on a relevant document, strata without a sample, and a
posterior dominated by its prior.

The posterior of recall may not reach 1 where the unretrieved sample contains no relevant document,
since the segment may contain one that the sample missed. With a very small sample the upper end can
be well below 1, although nothing in the sample contradicts a recall of 1. ``cap_at_one`` raises the
upper end to 1 in this case. The paper mentions this remedy and does not use it (Webber 2013,
sections 3.5 and 3.6), so it is off by default.
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
from ..results.interval import Limits, Side, choose_limits, compute_interval
from ..validation import Alternative, check_choice
from .counts import Counts, restrict_to_judged
from .double_sampling import unchecked_warnings
from .estimator import bias_reduced_recall
from .exact import ExactLimits
from .koopman import koopman
from .normal import (
    agresti_coull,
    laplace,
    naive_binomial,
    normal,
    normal_official,
    official_f1,
    official_precision,
    official_prevalence,
    official_yield,
)
from .point_estimates import (
    estimate_elusion,
    estimate_f,
    estimate_precision,
    estimate_prevalence,
    estimate_recall,
    estimate_yield,
)
from .posterior import JointPosterior, PosteriorLimits, QuantityPosterior, monte_carlo
from .priors import parse_prior, prior_pull
from .proportions import PROPORTION_METHODS
from .request import METHODS_WITH_PRIOR, SampleRequest
from .uncertain_strata import (
    Ratio,
    elusion_ratio,
    f_ratio,
    precision_ratio,
    recall_ratio,
    total_ratio,
)

Floats = NDArray[np.float64]
ClosedForm = Callable[[Counts], Limits]

EXACT = ExactLimits.method
STRONG_PULL = 0.8  # a pull of priors from which a warning is issued
DOUBLE_SAMPLING = "beta-binomial"  # the method for samples that were assessed again in part
DOUBTFUL = 0.01  # a probability of no relevant document from which a warning is issued


@dataclass(frozen=True)
class Quantity:
    """A quantity to estimate, with its methods other than those with a posterior."""

    name: str
    estimate: Callable[[Counts], Floats]
    posterior: Callable[[JointPosterior], QuantityPosterior]
    #: methods that need only the counts
    closed: Mapping[str, ClosedForm]
    #: the quantity as a ratio of yields, by the counts and the documents that are added to the set
    ratio: Callable[[Counts, float], Ratio]
    #: True for a fraction of the retrieved segment, False of the unretrieved one; None otherwise
    segment: bool | None = None
    #: True if the paper's random draws are provided for comparison
    is_drawn: bool = False
    #: True for a number of documents; False for a value between 0 and 1
    is_number: bool = False

    @property
    def methods(self) -> tuple[str, ...]:
        """All methods by name."""
        of_proportion = PROPORTION_METHODS if self.segment is not None else ()
        drawn = ("monte-carlo",) if self.is_drawn else ()
        return (*self.closed, *of_proportion, "beta-jeffreys", "beta-binomial", EXACT, *drawn)

    def concerns(self, stratum: Stratum) -> bool:
        """Return whether the quantity depends on a stratum."""
        return self.segment is None or stratum.retrieved is self.segment

    def has_posterior(self, method: str) -> bool:
        """Return whether a method has a posterior."""
        return method != EXACT and method not in (*self.closed, *PROPORTION_METHODS)

    def limits(self, request: SampleRequest) -> Limits:
        """Return the limits of a method without a posterior."""
        method, counts = request.method, request.counts
        if method == EXACT:
            return ExactLimits(counts, self.ratio(counts.judge_all(0, 0), request.credited))
        if method in self.closed:
            return self.closed[method](counts)
        assert self.segment is not None
        return _proportion_limits(method, counts.segment(self.segment), request.finite)

    def estimate_with_credit(self, request: SampleRequest) -> float:
        """Return the estimate; documents that are added to the retrieved set count as retrieved."""
        if not request.credited:
            return float(self.estimate(request.counts))
        inside, outside = (
            estimate_yield(request.counts.segment(side)) if self.segment in (None, side) else 0.0
            for side in (True, False)
        )
        return float(self.ratio(request.counts, request.credited).values(inside, outside))

    def bounds(self, counts: Counts) -> tuple[float, float]:
        """Return the minimum and the maximum possible value."""
        return 0.0, float(counts.population.sum()) if self.is_number else 1.0


def _proportion_limits(method: str, segment: Counts, finite: bool | None) -> Limits:
    """Return the limits of a proportion, for a segment without strata.

    By default the population is finite, except for Jeffreys' interval, whose finite counterpart is
    beta-binomial.
    """
    if len(segment.population) != 1:
        side = "retrieved" if segment.retrieved[0] else "unretrieved"
        raise DataError(
            f"method {method!r} is for one simple random sample; the {side} segment has "
            f"{len(segment.population)} strata: use beta-binomial"
        )
    if segment.retrieved[0]:  # precision counts only documents that can be judged
        segment = restrict_to_judged(segment)
    if finite is None:
        finite = method != "jeffreys"
    find_limits = PROPORTION_METHODS[method]
    return find_limits(
        segment.population[0], segment.sampled[0], segment.relevant[0], finite=finite
    )


RECALL = Quantity(
    "recall",
    estimate_recall,
    JointPosterior.recall,
    {
        "naive-binomial": naive_binomial,
        "normal": normal,
        "normal-official": normal_official,
        "laplace": laplace,
        "agresti-coull": agresti_coull,
        "koopman": koopman,
    },
    lambda counts, credited: recall_ratio(credited),
    is_drawn=True,
)
PRECISION = Quantity(
    "precision",
    estimate_precision,
    JointPosterior.precision,
    {"normal-official": official_precision},
    lambda counts, credited: precision_ratio(_judgeable(counts), credited),
    segment=True,
)
ELUSION = Quantity(
    "elusion",
    estimate_elusion,
    JointPosterior.elusion,
    {},
    lambda counts, credited: elusion_ratio(float(counts.segment(False).population.sum()), credited),
    segment=False,
)
YIELD = Quantity(
    "yield",
    estimate_yield,
    JointPosterior.total,
    {"normal-official": official_yield},
    lambda counts, credited: total_ratio(),
    is_number=True,
)
PREVALENCE = Quantity(
    "prevalence",
    estimate_prevalence,
    JointPosterior.prevalence,
    {"normal-official": official_prevalence},
    lambda counts, credited: total_ratio(float(counts.population.sum())),
)


#: every method of any quantity
METHODS = (*RECALL.methods, *PROPORTION_METHODS)


def f_quantity(beta: float) -> Quantity:
    """Return F with this weight of recall; the Legal Track's interval is for F1 only."""
    return Quantity(
        f"F{beta:g}",
        partial(estimate_f, beta=beta),
        lambda joint: joint.f(beta),
        {"normal-official": official_f1} if beta == 1 else {},
        lambda counts, credited: f_ratio(_judgeable(counts), beta, credited),
        is_drawn=True,
    )


def _judgeable(counts: Counts) -> float:
    """Return the number of retrieved documents that can be judged, estimated if need be."""
    return float(restrict_to_judged(counts.segment(True)).population.sum())


def estimate(quantity: Quantity, request: SampleRequest) -> RecallEstimate:
    """Return the estimate of a quantity with its interval; warn about unusual samples."""
    check_choice("method", request.method, quantity.methods)
    _check_second_assessment(quantity, request)
    if quantity.has_posterior(request.method):
        _warn_about_priors(quantity, request)
    else:
        _check_sampled(quantity, request)
    result = _estimate_as_counted(quantity, request)
    if any(part.judged < part.sampled for part in request.strata):
        result = replace(result, limits=_CautiousLimits(quantity, request, result))
        result = result.at(request.confidence_level)
    _warn_about_interval(quantity, result)
    return result


def _estimate_as_counted(quantity: Quantity, request: SampleRequest) -> RecallEstimate:
    """Return the estimate, with documents that could not be judged as the request counts them."""
    if not quantity.has_posterior(request.method):
        return _make_estimate(quantity, request, quantity.limits(request), None)
    return _estimate_by_posterior(quantity, request, quantity.posterior(request.posterior))


def estimate_silently(quantity: Quantity, request: SampleRequest) -> RecallEstimate:
    """Return the estimate without warnings, of a sample that is only tried."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateSampleWarning)
        return estimate(quantity, request)


def estimate_or_warn(quantity: Quantity, request: SampleRequest) -> RecallEstimate:
    """Return the estimate; if the method rejects the sample, warn and return NaN limits."""
    try:
        return estimate(quantity, request)
    except IrboundsError as error:
        _warn(str(error))
        return _make_estimate(quantity, request, _NoLimits(request.method), None)


def raise_upper_end(result: RecallEstimate) -> RecallEstimate:
    """Return recall with an upper end of 1 if no relevant document was missed in the samples."""
    missed = any(stratum.corrected_relevant for stratum in result.strata if not stratum.retrieved)
    possible = any(
        stratum.corrected_relevant or stratum.sampled < stratum.population
        for stratum in result.strata
        if stratum.retrieved
    )
    if missed or not possible:
        return replace(result, cap_at_one=True)
    capped = replace(result, limits=CappedLimits(result.limits), cap_at_one=True)
    return capped.at(result.interval.confidence_level)


@dataclass(frozen=True, eq=False)
class CappedLimits:
    """The limits of another method, with an upper end of 1."""

    limits: Limits

    @property
    def method(self) -> str:
        """The name of the other method."""
        return self.limits.method

    def limit(self, probability: float) -> Floats:
        """Return the confidence limit of a probability."""
        return self.limit_at(probability, "high" if probability > 0.5 else "low")

    def choose(self, alternative: Alternative) -> Limits:
        """Return the limits of an interval, or of a limit on one side."""
        return CappedLimits(choose_limits(self.limits, alternative))

    def limit_at(self, probability: float, side: Side) -> Floats:
        """Return the limit as the low or the high end of an interval."""
        if side == "high":
            return np.asarray(1.0)
        limit_at = getattr(self.limits, "limit_at", None)
        return self.limits.limit(probability) if limit_at is None else limit_at(probability, side)


@dataclass(frozen=True, eq=False)
class _CautiousLimits:
    """Limits that are those of the worst case of documents that could not be judged.

    Those of intervals are as counted: the documents are not relevant.
    """

    quantity: Quantity
    request: SampleRequest
    counted: RecallEstimate

    @property
    def method(self) -> str:
        return self.counted.limits.method

    def limit(self, probability: float) -> Floats:
        return self.counted.limits.limit(probability)

    def choose(self, alternative: Alternative) -> Limits:
        """Return the limits of an interval, or of a limit on one side."""
        if alternative == "two-sided":
            return self.counted.limits
        sign = 1 if alternative == "greater" else -1
        inside, outside = self.quantity.ratio(self.request.counts, 0.0).signs
        worst = replace(self.request, signs=(sign * inside, sign * outside), rng=self.counted.seed)
        return _estimate_as_counted(self.quantity, worst).limits


@dataclass(frozen=True)
class _NoLimits:
    """The limits of a method that rejects the sample."""

    method: str

    def limit(self, probability: float) -> Floats:
        return np.asarray(math.nan)


def _make_estimate(
    quantity: Quantity, request: SampleRequest, limits: Limits, posterior: QuantityPosterior | None
) -> RecallEstimate:
    bounds = quantity.bounds(request.counts)
    return RecallEstimate(
        quantity=quantity.name,
        value=quantity.estimate_with_credit(request),
        bias_reduced=_bias_reduced_value(quantity, request),
        interval=compute_interval(limits, request.confidence_level, request.alternative, bounds),
        strata=request.strata,
        limits=limits,
        bounds=bounds,
        prior=request.prior.name if request.method in METHODS_WITH_PRIOR else None,
        posterior=posterior,
        credit_found=request.credit_found,
        is_control_set=request.is_control_set,
        system=request.system,
        topic=request.topic,
        inputs=request.inputs,
    )


def _bias_reduced_value(quantity: Quantity, request: SampleRequest) -> float:
    if quantity is not RECALL or request.credited or request.counts.checks:
        return math.nan
    if _unsampled_strata(quantity, request):
        return math.nan
    return float(bias_reduced_recall(request.counts))


def _estimate_by_posterior(
    quantity: Quantity, request: SampleRequest, posterior: QuantityPosterior
) -> RecallEstimate:
    if request.method != "monte-carlo":
        limits = PosteriorLimits(request.method, posterior)
        return _make_estimate(quantity, request, limits, posterior)
    seed = seed_number(request.rng)
    draws = monte_carlo(request.counts, request.prior, posterior.formula, request.n_draws, seed)
    result = _make_estimate(quantity, request, draws, None)
    return replace(result, n_draws=request.n_draws, seed=seed)


# Errors and warnings about unusual samples


def _unsampled_strata(quantity: Quantity, sample: SampleRequest | RecallEstimate) -> list[Stratum]:
    """Return the strata that a quantity depends on and that have no sample."""
    return [
        stratum
        for stratum in sample.strata
        if quantity.concerns(stratum) and stratum.population and not stratum.sampled
    ]


def _describe_unsampled(stratum: Stratum) -> str:
    return f"stratum {stratum.name!r}: none of its {stratum.population:,} documents was sampled"


def _check_sampled(quantity: Quantity, request: SampleRequest) -> None:
    """Raise ``DataError`` if a method without a prior meets a stratum without a sample.

    Guaranteed limits allow for any yield of it, with a warning.
    """
    if request.method == EXACT:
        for stratum in _unsampled_strata(quantity, request):
            _warn(f"{_describe_unsampled(stratum)}; it may have any yield")
        return
    for stratum in _unsampled_strata(quantity, request):
        raise DataError(
            f"{_describe_unsampled(stratum)}; method {request.method!r} needs a sample of every "
            "stratum; use beta-binomial, which has a prior"
        )


def _check_second_assessment(quantity: Quantity, request: SampleRequest) -> None:
    """Warn about judgments taken as correct; raise an error where a method cannot correct them."""
    strata = [stratum for stratum in request.strata if quantity.concerns(stratum)]
    for stratum in strata:
        if stratum.is_partly_checked and request.method != DOUBLE_SAMPLING:
            raise DataError(
                f"stratum {stratum.name!r}: some of its documents were assessed again; method "
                f"{request.method!r} cannot take this into account; use {DOUBLE_SAMPLING}"
            )
        if stratum.is_partly_checked and request.credit_found:
            raise DataError(
                f"stratum {stratum.name!r}: some of its documents were assessed again, so it is "
                "not known which are relevant; credit_found needs a second assessment of all"
            )
    if any(stratum.is_checked for stratum in strata):
        for text in unchecked_warnings(strata):
            _warn(text)


def is_about_judged(quantity: Quantity, request: SampleRequest) -> bool:
    """Return whether a quantity counts only documents that can be judged, and some cannot."""
    is_of_judged = quantity is PRECISION or quantity.name.startswith("F")
    return is_of_judged and any(
        stratum.judged < stratum.sampled for stratum in request.strata if stratum.retrieved
    )


def _warn_about_priors(quantity: Quantity, request: SampleRequest) -> None:
    """Warn where the prior dominates: strata without a sample, and many empty samples."""
    for stratum in _unsampled_strata(quantity, request):
        _warn(f"{_describe_unsampled(stratum)}; its yield is estimated from the prior only")
    _warn_about_pull(quantity, request)


def _warn_about_pull(quantity: Quantity, request: SampleRequest) -> None:
    """Warn where the priors of many empty or full samples add up, and the coverage suffers.

    The coverage is computed only where the priors are strong enough to matter.
    """
    prior = parse_prior(None) if request.method == "beta-jeffreys" else request.prior
    pulls = [
        (prior_pull(request.counts.segment(retrieved), prior, full=full), segment, contents)
        for retrieved, segment in ((True, "retrieved"), (False, "unretrieved"))
        if quantity.segment in (None, retrieved)
        for full, contents in ((False, "nothing relevant"), (True, "only relevant documents"))
    ]
    strong = [row for row in pulls if row[0] > STRONG_PULL]
    if not strong:
        return
    from .design_coverage import NEAR, coverage_at_estimate

    coverage = coverage_at_estimate(quantity, request)
    if abs(coverage - request.confidence_level) <= NEAR:
        return
    for pull, segment, contents in strong:
        rate = "below nominal" if math.isnan(coverage) else f"{100 * coverage:.0f} in 100"
        _warn(
            f"{quantity.name}: the priors of {segment} strata whose samples contain {contents} add "
            f"up to {pull:.1f} standard deviations; if the yields are as estimated, the coverage "
            f"is {rate}"
        )


def _warn_about_interval(quantity: Quantity, result: RecallEstimate) -> None:
    """Warn where there is no interval, a single point, a condition or no point estimate."""
    interval, posterior = result.interval, result.posterior
    name = f"{result.quantity}, {interval.method}"
    if math.isnan(interval.low):
        _warn(f"{name}: no interval, since {_reason(quantity, result)}")
    elif posterior is None and interval.low == interval.high and not _is_known(quantity, result):
        _warn(f"{name}: the interval is a single point, although the value is uncertain")
    elif isinstance(posterior, QuantityPosterior) and posterior.undefined > DOUBTFUL:
        _warn(
            f"{name}: with probability {posterior.undefined:.2g} there is no relevant document, "
            "and recall is not defined; the interval is conditional on a relevant document"
        )
    elif math.isnan(result.value) and not _unsampled_strata(quantity, result):
        _warn(f"{name}: no point estimate, since {_reason(quantity, result)}")


def _reason(quantity: Quantity, result: RecallEstimate) -> str:
    """Return the reason why there is no interval or no estimate."""
    inside = [stratum for stratum in result.strata if stratum.retrieved]
    outside = [stratum for stratum in result.strata if not stratum.retrieved]
    if quantity.segment is not False and result.quantity != "recall":
        if not any(stratum.population for stratum in inside):
            return "nothing was retrieved"
        if not any(stratum.assessable is None or stratum.assessable for stratum in inside):
            return "no retrieved document could be judged"
    if quantity.segment is False and not any(stratum.population for stratum in outside):
        return "everything was retrieved"
    return "the samples contain no relevant document"


def _is_known(quantity: Quantity, result: RecallEstimate) -> bool:
    """Return whether the assessed documents determine the quantity."""
    if quantity is RECALL:
        for side in (True, False):
            segment = [stratum for stratum in result.strata if stratum.retrieved is side]
            if all(stratum.is_known and not stratum.corrected_relevant for stratum in segment):
                return True
    return all(stratum.is_known for stratum in result.strata if quantity.concerns(stratum))


def _warn(text: str) -> None:
    """Issue a warning that points to the caller of the public function."""
    warnings.warn(text, DegenerateSampleWarning, stacklevel=5)
