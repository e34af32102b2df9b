"""From a checked sample to an estimate by its method, and a word where the sample is odd."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, DegenerateSampleWarning, IrboundsError
from ..parameters import check_choice
from ..resample.streams import seed_number
from ..results import Limits, RecallEstimate, interval_at
from .bayesian import PosteriorLimits
from .capped import Capped
from .estimator import bias_reduced_recall
from .inquiry import WITH_PRIOR, Inquiry
from .monte_carlo import monte_carlo
from .posterior import QuantityPosterior
from .quantities import RECALL, Quantity

__all__ = ["capped_at_one", "estimate", "estimate_or_refusal"]

DOUBTFUL = 0.01  # a probability of no relevant document at all that is worth a word


def estimate(quantity: Quantity, inquiry: Inquiry) -> RecallEstimate:
    """A quantity of a sample with its interval."""
    check_choice("method", inquiry.method, quantity.methods)
    if not quantity.has_posterior(inquiry.method):
        _refuse_unsampled(inquiry)
        limits = quantity.limits(inquiry.method, inquiry.counts, inquiry.finite)
        found = _result(quantity, inquiry, limits, None)
    else:
        _warn_of_unsampled(inquiry)
        found = _by_posterior(quantity, inquiry, quantity.posterior(inquiry.joint))
    _warn_of_interval(found)
    return found


def estimate_or_refusal(quantity: Quantity, inquiry: Inquiry) -> RecallEstimate:
    """The same, but an interval of NaN and a warning where the method refuses the inquiry."""
    try:
        return estimate(quantity, inquiry)
    except IrboundsError as refusal:
        _warn(str(refusal))
        return _result(quantity, inquiry, _NoLimits(inquiry.method), None)


def capped_at_one(found: RecallEstimate) -> RecallEstimate:
    """Recall with an upper end of 1, if the unretrieved sample holds nothing relevant."""
    if any(one.relevant for one in found.strata if not one.retrieved):
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
        interval=interval_at(limits, inquiry.confidence_level, inquiry.alternative, bounds),
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
    if quantity is not RECALL or inquiry.unsampled:
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


def _refuse_unsampled(inquiry: Inquiry) -> None:
    for one in inquiry.unsampled:
        raise DataError(
            f"stratum {one.name!r}: none of its {one.population:,} documents was sampled; method "
            f"{inquiry.method!r} has nothing to go by, beta-binomial has its prior"
        )


def _warn_of_unsampled(inquiry: Inquiry) -> None:
    for one in inquiry.unsampled:
        _warn(
            f"stratum {one.name!r}: none of its {one.population:,} documents was sampled; what is "
            "said of it is the prior's word alone"
        )


def _warn_of_interval(found: RecallEstimate) -> None:
    """Nothing, certainty, or a condition: none of them without a word."""
    interval, posterior = found.interval, found.posterior
    doubt = posterior.undefined if isinstance(posterior, QuantityPosterior) else 0.0
    what = f"{found.quantity}, {interval.method}"
    if math.isnan(interval.low):
        _warn(f"{what}: no interval, since the samples hold nothing relevant to go by")
    elif interval.low == interval.high and not _is_known(found):
        _warn(f"{what}: the interval is a single point, which claims a certainty nobody has")
    elif doubt > DOUBTFUL:
        _warn(
            f"{what}: with probability {doubt:.2g} there is no relevant document at all, and "
            "then no recall; the interval is for the case that there is one"
        )


def _is_known(found: RecallEstimate) -> bool:
    """Whether every document that matters was assessed, or a segment has none."""
    segments = [[one for one in found.strata if one.retrieved is side] for side in (True, False)]
    if found.quantity == "recall" and any(not sum(s.population for s in one) for one in segments):
        return True
    return all(one.sampled == one.population for one in found.strata)


def _warn(text: str) -> None:
    warnings.warn(text, DegenerateSampleWarning, stacklevel=5)
