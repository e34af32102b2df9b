"""Intervals of recall, precision, F, yield, prevalence and elusion.

Warnings are issued for unusual samples: no interval or no point estimate, an interval that is a
single point, a posterior that is conditional on a relevant document, strata without a sample,
judgments that a second assessment left out, and a posterior dominated by its prior.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, DegenerateSampleWarning, IrboundsError, ParameterError, quote
from ..presentation.phrases import join_names
from ..resampling.seeds import SeedLike, seed_number
from ..results import RecallEstimate, Results, Sample, Stratum
from ..results.interval import Limits, compute_interval
from ..results.recall_estimates import is_known
from ..validation import (
    Alternative,
    check_alternative,
    check_choice,
    check_confidence_level,
    check_count,
)
from .claims import judge_claim, side_of_limit
from .counts import check_strata, segment_strata
from .posterior import PosteriorLimits, QuantityPosterior, monte_carlo
from .priors import Prior, parse_prior, prior_pull
from .quantities import EXACT, METHODS, QUANTITIES, RECALL, Quantity, SampleRequest

METHODS_WITH_PRIOR = ("beta-binomial", "monte-carlo")
METHODS_WITH_CREDIT = ("beta-binomial", "beta-jeffreys", "exact")
DOUBLE_SAMPLING = "beta-binomial"  # the method for samples that were assessed again in part
MIN_DRAWS = 100  # with fewer draws, a 2.5 % quantile means little
STRONG_PULL = 0.8  # a pull of priors from which a warning is issued
DOUBTFUL = 0.01  # a probability of no relevant document from which a warning is issued
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


def recall_interval(
    strata: Iterable[Stratum] | None = None,
    *,
    retrieved: Any = None,
    unretrieved: Any = None,
    method: str = "beta-binomial",
    prior: Any = None,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    n_draws: int = 10_000,
    rng: SeedLike = 0,
    credit_found: bool = False,
) -> RecallEstimate:
    """Return the recall of a retrieved set, from samples of the retrieved and the other documents.

    Parameters
    ----------
    strata
        Several ``Stratum``, each of the retrieved or of the unretrieved segment; or a ``Sample``.
    retrieved, unretrieved
        Instead of strata, the two segments as (documents, sampled, relevant), with the number of
        documents that could be assessed as a fourth number if it is less than sampled.
    method
        ``"beta-binomial"`` describes: on average over corpora, its intervals have their level.
        ``"exact"`` guarantees: its limits have at least their level, whatever the corpus is like;
        use it for claims. Also ``"beta-jeffreys"``, ``"koopman"`` (without strata),
        ``"laplace"``, ``"agresti-coull"``, ``"normal"``, ``"normal-official"``,
        ``"naive-binomial"`` and ``"monte-carlo"``.
    prior
        The prior of the beta-binomial on the prevalence of every stratum: 0.5, the default, for
        alpha = beta = 0.5; ``"uniform"``, ``"most-conservative"``, or alpha and beta.
    confidence_level
        A fraction between 0 and 1.
    alternative
        ``"two-sided"``; ``"greater"`` for a lower bound, ``"less"`` for an upper one.
    n_draws, rng
        For ``"monte-carlo"``, which draws from the posterior that ``"beta-binomial"`` computes: the
        number of draws, and a seed or generator. None draws a new seed, which the result records.
    credit_found
        Add the relevant documents of the unretrieved samples to the retrieved set: recall is that
        of the final set. For ``"beta-binomial"``, ``"beta-jeffreys"`` and ``"exact"``.

    Returns
    -------
    RecallEstimate
        ``value`` is the estimate, ``interval`` its interval.

    Examples
    --------
    >>> result = recall_interval(retrieved=(2000, 100, 50), unretrieved=(100_000, 100, 3))
    >>> round(result.value, 3), round(result.interval.low, 3), round(result.interval.high, 3)
    (0.25, 0.111, 0.542)
    >>> round(result.at(0.9, "greater").interval.low, 3)
    0.143
    """
    request = make_request(
        strata,
        retrieved,
        unretrieved,
        method=method,
        prior=prior,
        confidence_level=confidence_level,
        alternative=alternative,
        n_draws=n_draws,
        rng=rng,
        credit_found=credit_found,
    )
    return estimate(RECALL, request)


def sample_estimates(
    strata: Iterable[Stratum] | None = None,
    *,
    retrieved: Any = None,
    unretrieved: Any = None,
    quantities: Iterable[str] = tuple(QUANTITIES),
    at_least: float | None = None,
    **options: Any,
) -> Results[RecallEstimate]:
    """Return several quantities of one sample; options as for ``recall_interval``.

    Quantities that the method does not provide are left out; it is an error if it provides none.
    One-sided limits are those of one claim: with ``"greater"``, lower limits of recall, precision
    and F, and upper limits of elusion, prevalence and yield. ``at_least`` is a claim about recall,
    which the result judges.
    """
    request = make_request(strata, retrieved, unretrieved, **options)
    provided = _select_provided(quantities, request.method)
    names = [quantity.name for quantity in provided]
    results = []
    for quantity in provided:
        result = estimate(quantity, request)
        side = side_of_limit(quantity.name, request.alternative, names)
        if side != request.alternative:
            result = result.at(request.confidence_level, side)
        if quantity is RECALL and at_least is not None:
            result = judge_claim(request, result, at_least)
        results.append(result)
    return Results(results)


def all_recall_intervals(
    strata: Iterable[Stratum] | None = None,
    *,
    retrieved: Any = None,
    unretrieved: Any = None,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Results[RecallEstimate]:
    """Return the intervals of recall by the nine methods of Webber's (2013) Table IV.

    A method that rejects the sample has an interval of NaN, and a warning gives the reason.
    """
    request = make_request(
        strata, retrieved, unretrieved, confidence_level=confidence_level, alternative=alternative
    )
    results = []
    for method, prior in ALL_METHODS:
        by_method = replace(request, method=method, prior=parse_prior(prior))
        try:
            results.append(estimate(RECALL, by_method))
        except IrboundsError as error:
            _warn(str(error))
            results.append(_make_estimate(RECALL, by_method, _NoLimits(method)))
    return Results(results)


def make_request(
    strata: Any,
    retrieved: Any,
    unretrieved: Any,
    *,
    method: str = "beta-binomial",
    prior: Any = None,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    n_draws: int = 10_000,
    rng: SeedLike = 0,
    credit_found: bool = False,
) -> SampleRequest:
    """Return a validated request; raise an error that names the invalid parameter or stratum."""
    level = check_confidence_level(confidence_level)
    n_segments = (retrieved is not None) + (unretrieved is not None)
    if n_segments != (2 if strata is None else 0):
        raise ParameterError("needs strata, or retrieved and unretrieved")
    sample = strata if isinstance(strata, Sample) else Sample(())
    if strata is None:
        strata = segment_strata(retrieved, unretrieved)
    return SampleRequest(
        replace(sample, strata=check_strata(strata)),
        method,
        check_options(method, prior, n_draws, credit_found),
        level,
        check_alternative(alternative),
        n_draws,
        seed_number(rng) if method == "monte-carlo" else 0,
        credit_found,
    )


def check_options(
    method: Any, prior: Any, n_draws: Any, credit_found: bool, quantities: Iterable[str] = ()
) -> Prior:
    """Return the prior; raise ``ParameterError`` for options that a method does not have."""
    if prior is not None and method not in METHODS_WITH_PRIOR:
        raise ParameterError(
            f"prior is for {' and '.join(METHODS_WITH_PRIOR)}; the method is {quote(method)}"
        )
    if credit_found and method not in METHODS_WITH_CREDIT:
        raise ParameterError(
            f"credit_found is for {join_names(METHODS_WITH_CREDIT)}; the method is {quote(method)}"
        )
    check_count("n_draws", n_draws, minimum=MIN_DRAWS)
    requested = list(quantities)
    provided = _select_provided(requested, method) if requested else []
    missing = [name for name in requested if QUANTITIES[name] not in provided]
    if missing:
        raise ParameterError(
            f"method={method!r} provides {', '.join(quantity.name for quantity in provided)}, not "
            f"{', '.join(missing)}; use method='beta-binomial' for all quantities"
        )
    return parse_prior(prior)


def _select_provided(names: Iterable[str], method: str) -> list[Quantity]:
    """Return the quantities that a method provides; raise ``ParameterError`` if there are none."""
    check_choice("method", method, METHODS)
    names = list(names)
    for name in names:
        check_choice("quantity", name, tuple(QUANTITIES))
    provided = [QUANTITIES[name] for name in names if method in QUANTITIES[name].methods]
    if not provided:
        raise ParameterError(f"method={method!r} provides none of: {', '.join(names)}")
    return provided


def estimate(quantity: Quantity, request: SampleRequest) -> RecallEstimate:
    """Return the estimate of a quantity with its interval; warn about unusual samples."""
    check_choice("method", request.method, quantity.methods)
    _check_second_assessment(quantity, request)
    _check_sampled(quantity, request)
    if quantity.has_posterior(request.method):
        _warn_about_pull(quantity, request)
    result = _estimate_as_counted(quantity, request)
    if any(part.judged < part.sampled for part in request.sample):
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
    if not quantity.has_posterior(request.method):
        return _make_estimate(quantity, request, quantity.limits(request))
    posterior = quantity.posterior(request.posterior)
    if request.method != "monte-carlo":
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
        strata=request.sample.strata,
        limits=limits,
        bounds=bounds,
        prior=request.prior.name if request.method in METHODS_WITH_PRIOR else None,
        posterior=posterior,
        credit_found=request.credit_found,
        system=request.sample.system,
        topic=request.sample.topic,
        inputs=request.sample.inputs,
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


def _check_sampled(quantity: Quantity, request: SampleRequest) -> None:
    """Warn about strata without a sample; raise ``DataError`` for a method without a prior."""
    for stratum in quantity.list_unsampled(request.sample):
        what = f"stratum {stratum.name!r}: none of its {stratum.population:,} documents was sampled"
        if request.method == EXACT:
            _warn(f"{what}; it may have any yield")
        elif quantity.has_posterior(request.method):
            _warn(f"{what}; its yield is estimated from the prior only")
        else:
            raise DataError(
                f"{what}; method {request.method!r} needs a sample of every stratum; use "
                "beta-binomial, which has a prior"
            )


def _check_second_assessment(quantity: Quantity, request: SampleRequest) -> None:
    """Warn about judgments taken as correct; raise an error where a method cannot correct them."""
    strata = [part for part in request.sample if quantity.segment in (None, part.retrieved)]
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
    if not any(stratum.is_checked for stratum in strata):
        return
    unchecked = {
        "not relevant": [s for s in strata if s.irrelevant and not s.irrelevant_checked],
        "relevant": [s for s in strata if s.relevant and not s.relevant_checked],
    }
    for judgment, parts in unchecked.items():
        n = sum(part.relevant if judgment == "relevant" else part.irrelevant for part in parts)
        if n:
            _warn(
                f"none of the {n:,} documents judged {judgment} in {_name_strata(parts)} was "
                f"assessed again, so all of them are taken as {judgment}"
            )


def _name_strata(strata: Sequence[Stratum]) -> str:
    return f"stratum {strata[0].name!r}" if len(strata) == 1 else f"{len(strata)} strata"


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
    if math.isnan(interval.low):
        _warn(f"{name}: no interval, since {_reason(quantity, result)}")
    elif interval.low == interval.high and posterior is None and not _is_certain(quantity, result):
        _warn(f"{name}: the interval is a single point, although the value is uncertain")
    elif isinstance(posterior, QuantityPosterior) and posterior.undefined > DOUBTFUL:
        _warn(
            f"{name}: with probability {posterior.undefined:.2g} there is no relevant document, "
            "and recall is not defined; the interval is conditional on a relevant document"
        )
    elif math.isnan(result.value) and not quantity.list_unsampled(Sample(result.strata)):
        _warn(f"{name}: no point estimate, since {_reason(quantity, result)}")


def _reason(quantity: Quantity, result: RecallEstimate) -> str:
    """Return the reason why there is no interval or no estimate."""
    if quantity.segment is False:
        return "everything was retrieved"
    judged = any(stratum.judged for stratum in result.strata if stratum.retrieved)
    if quantity.name in ("precision", "F1") and not judged:
        return "no retrieved document was judged"
    return "the samples contain no relevant document"


def _is_certain(quantity: Quantity, result: RecallEstimate) -> bool:
    """Return whether the assessed documents determine the quantity."""
    if quantity is RECALL:  # 0 or 1 if a segment has no relevant document
        for side in (True, False):
            segment = [stratum for stratum in result.strata if stratum.retrieved is side]
            if all(stratum.is_known and not stratum.corrected_relevant for stratum in segment):
                return True
    return is_known(result)


def _warn(text: str) -> None:
    """Issue a warning that points to the caller of the public function."""
    warnings.warn(text, DegenerateSampleWarning, stacklevel=5)
