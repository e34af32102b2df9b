"""Intervals of recall, precision, F, yield, prevalence and elusion.

Warnings are issued for unusual samples: no interval or no point estimate, an interval that is a
single point, a posterior that is conditional on a relevant document, strata without a sample,
judgments that a second assessment left out, and a posterior dominated by its prior.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, DegenerateSampleWarning, IrboundsError
from ..results import RecallEstimate, Results
from ..results.interval import Limits, compute_interval
from ..results.samples import get_segment
from ..validation import Alternative
from .posterior import PosteriorLimits, QuantityPosterior, monte_carlo
from .priors import parse_prior, prior_pull
from .quantities import EXACT, MONTE_CARLO, QUANTITIES, RECALL, Quantity, SampleRequest

METHODS_WITH_PRIOR = ("beta-binomial", MONTE_CARLO)
DOUBLE_SAMPLING = "beta-binomial"  # the method for samples that were assessed again in part
STRONG_PULL = 0.8  # a pull of priors from which a warning is issued
DOUBTFUL = 0.01  # a probability of no relevant document from which a warning is issued
#: quantities of which a good result has little
LESS_IS_BETTER = ("elusion", "prevalence", "yield")
OPPOSITE: dict[Alternative, Alternative] = {"greater": "less", "less": "greater"}
#: the nine methods of Webber's Table IV, with their priors
ALL_METHODS: tuple[tuple[str, str | None], ...] = (
    ("naive-binomial", None),
    ("normal", None),
    ("laplace", None),
    ("agresti-coull", None),
    ("koopman", None),
    ("beta-jeffreys", None),
    ("beta-binomial", "uniform"),
    ("beta-binomial", "most-conservative"),
    ("beta-binomial", "0.5"),
)


def estimate_quantities(request: SampleRequest, names: Iterable[str]) -> Results[RecallEstimate]:
    """Return several quantities of one sample.

    One-sided limits are those of one claim: with ``"greater"``, lower limits of recall, precision
    and F, and upper limits of elusion, prevalence and yield.
    """
    quantities = [QUANTITIES[name] for name in names]
    requested = [quantity.name for quantity in quantities]
    results = []
    for quantity in quantities:
        result = estimate(quantity, request)
        side = side_of_limit(quantity.name, request.alternative, requested)
        if side != request.alternative:
            result = result.at(request.confidence_level, side)
        results.append(result)
    return Results(results)


def side_of_limit(quantity: str, alternative: Alternative, requested: Iterable[str]) -> Alternative:
    """Return the side of a quantity's limit for a claim that the requested quantities make.

    Elusion on its own has an upper limit. Prevalence and yield on their own say nothing about the
    retrieved set, and have the side that was requested.
    """
    if alternative == "two-sided" or quantity not in LESS_IS_BETTER:
        return alternative
    if set(requested) - set(LESS_IS_BETTER):
        return OPPOSITE[alternative]
    return "less" if quantity == "elusion" else alternative


def estimate_by_all_methods(request: SampleRequest) -> Results[RecallEstimate]:
    """Return the intervals of recall by the nine methods of Webber's (2013) Table IV.

    A method that rejects the sample has an interval of NaN, and a warning gives the reason.
    """
    results = []
    for method, prior in ALL_METHODS:
        by_method = replace(request, method=method, prior=parse_prior(prior))
        try:
            results.append(estimate(RECALL, by_method))
        except IrboundsError as error:
            _warn(str(error))
            results.append(_make_estimate(RECALL, by_method, _NoLimits(method)))
    return Results(results)


def estimate(quantity: Quantity, request: SampleRequest) -> RecallEstimate:
    """Return the estimate of a quantity with its interval; warn about unusual samples."""
    _check_second_assessment(quantity, request)
    _check_sampled(quantity, request)
    if request.has_posterior:
        _warn_about_pull(quantity, request)
    result = _estimate_as_counted(quantity, request)
    if any(part.judged < part.sampled for part in request.strata):
        result = replace(result, limits=_CautiousLimits(quantity, request, result.limits))
        result = result.at(request.confidence_level)
    _warn_about_interval(quantity, result)
    return result


def estimate_silently(quantity: Quantity, request: SampleRequest) -> RecallEstimate:
    """Return the estimate without warnings, of a sample that is only tried."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateSampleWarning)
        return estimate(quantity, request)


def _estimate_as_counted(quantity: Quantity, request: SampleRequest) -> RecallEstimate:
    """Return the estimate, with documents that could not be judged as the request counts them."""
    if not request.has_posterior:
        return _make_estimate(quantity, request, quantity.limits(request))
    posterior = quantity.posterior(request.posterior)
    if request.method != MONTE_CARLO:
        limits = PosteriorLimits(request.method, posterior)
        return _make_estimate(quantity, request, limits, posterior)
    draws = monte_carlo(
        request.counts, request.prior, posterior.formula, request.n_draws, request.seed
    )
    result = _make_estimate(quantity, request, draws)
    return replace(result, n_draws=request.n_draws, seed=request.seed)


def _make_estimate(
    quantity: Quantity,
    request: SampleRequest,
    limits: Limits,
    posterior: QuantityPosterior | None = None,
) -> RecallEstimate:
    bounds = quantity.bounds(request.counts)
    return RecallEstimate(
        quantity=quantity.name,
        value=quantity.estimate_with_credit(request),
        interval=compute_interval(limits, request.confidence_level, request.alternative, bounds),
        strata=request.strata,
        limits=limits,
        bounds=bounds,
        prior=request.prior.name if request.method in METHODS_WITH_PRIOR else None,
        posterior=posterior,
        credit_found=request.credit_found,
    )


@dataclass(frozen=True, eq=False)
class _CautiousLimits:
    """Limits that are those of the worst case of documents that could not be judged.

    Those of intervals are as counted: the documents are not relevant.
    """

    quantity: Quantity
    request: SampleRequest
    counted: Limits

    @property
    def method(self) -> str:
        return self.counted.method

    def limit(self, probability: float) -> NDArray[np.float64]:
        return self.counted.limit(probability)

    def choose(self, alternative: Alternative) -> Limits:
        """Return the limits of an interval, or of a limit on one side."""
        if alternative == "two-sided":
            return self.counted
        sign = 1 if alternative == "greater" else -1
        inside, outside = self.quantity.ratio(self.request.counts, 0.0).signs
        worst = replace(self.request, signs=(sign * inside, sign * outside))
        return _estimate_as_counted(self.quantity, worst).limits


@dataclass(frozen=True)
class _NoLimits:
    """The limits of a method that rejects the sample."""

    method: str

    def limit(self, probability: float) -> NDArray[np.float64]:
        return np.asarray(math.nan)


# ---- unusual samples ----


def _check_sampled(quantity: Quantity, request: SampleRequest) -> None:
    """Warn about strata without a sample; raise ``DataError`` for a method without a prior."""
    for stratum in quantity.select(request.strata):
        if not stratum.population or stratum.sampled:
            continue
        what = f"stratum {stratum.name!r}: none of its {stratum.population:,} documents was sampled"
        if request.method == EXACT:
            _warn(f"{what}; it may have any yield")
        elif request.has_posterior:
            _warn(f"{what}; its yield is estimated from the prior only")
        else:
            raise DataError(
                f"{what}; method {request.method!r} needs a sample of every stratum; use "
                "beta-binomial, which has a prior"
            )


def _check_second_assessment(quantity: Quantity, request: SampleRequest) -> None:
    """Warn about judgments taken as correct; raise an error where a method cannot correct them."""
    strata = quantity.select(request.strata)
    for stratum in strata:
        what = f"stratum {stratum.name!r}: some of its documents were assessed again"
        if stratum.is_partly_checked and request.method != DOUBLE_SAMPLING:
            raise DataError(
                f"{what}; method {request.method!r} cannot take this into account; use "
                f"{DOUBLE_SAMPLING}"
            )
        if stratum.is_partly_checked and request.credit_found:
            raise DataError(
                f"{what}, so it is not known which are relevant; credit_found needs a second "
                "assessment of all"
            )
    if not any(stratum.is_checked for stratum in strata):
        return
    for judgment, checked, count in (
        ("not relevant", "irrelevant_checked", "irrelevant"),
        ("relevant", "relevant_checked", "relevant"),
    ):
        parts = [part for part in strata if getattr(part, count) and not getattr(part, checked)]
        if parts:
            where = f"stratum {parts[0].name!r}" if len(parts) == 1 else f"{len(parts)} strata"
            n = sum(getattr(part, count) for part in parts)
            _warn(
                f"none of the {n:,} documents judged {judgment} in {where} was assessed again, so "
                f"all of them are taken as {judgment}"
            )


def _warn_about_pull(quantity: Quantity, request: SampleRequest) -> None:
    """Warn where the priors of many empty or full samples add up, and the coverage suffers."""
    prior = parse_prior(None) if request.method == "beta-jeffreys" else request.prior
    for retrieved, segment in ((True, "retrieved"), (False, "unretrieved")):
        if quantity.segment not in (None, retrieved):
            continue
        for full, contents in ((False, "nothing relevant"), (True, "only relevant documents")):
            pull = prior_pull(request.counts.segment(retrieved), prior, full=full)
            if pull > STRONG_PULL:
                _warn(
                    f"{quantity.name}: the priors of {segment} strata whose samples contain "
                    f"{contents} add up to {pull:.1f} standard deviations, so that intervals may "
                    "not contain the true value: merge strata or draw more from each"
                )


def _warn_about_interval(quantity: Quantity, result: RecallEstimate) -> None:
    """Warn where there is no interval, a single point, a condition or no point estimate."""
    interval, posterior = result.interval, result.posterior
    name = f"{result.quantity}, {interval.method}"
    if quantity.segment is False:
        reason = "everything was retrieved"
    elif quantity.name in ("precision", "F1") and not any(
        stratum.judged for stratum in get_segment(result.strata, True)
    ):
        reason = "no retrieved document was judged"
    else:
        reason = "the samples contain no relevant document"
    if math.isnan(interval.low):
        _warn(f"{name}: no interval, since {reason}")
    elif interval.low == interval.high and posterior is None and not _is_certain(result):
        _warn(f"{name}: the interval is a single point, although the value is uncertain")
    elif isinstance(posterior, QuantityPosterior) and posterior.undefined > DOUBTFUL:
        _warn(
            f"{name}: with probability {posterior.undefined:.2g} there is no relevant document, "
            "and recall is not defined; the interval is conditional on a relevant document"
        )
    elif math.isnan(result.value) and all(
        part.sampled or not part.population for part in result.strata_that_matter
    ):
        _warn(f"{name}: no point estimate, since {reason}")


def _is_certain(result: RecallEstimate) -> bool:
    """Return whether the assessed documents determine the quantity."""
    if result.quantity == "recall":  # 0 or 1 if a segment has no relevant document
        for side in (True, False):
            segment = get_segment(result.strata, side)
            if all(stratum.is_known and not stratum.corrected_relevant for stratum in segment):
                return True
    return result.is_known


def _warn(text: str) -> None:
    warnings.warn(text, DegenerateSampleWarning, stacklevel=3)
