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
from .monte_carlo import monte_carlo
from .posterior import QuantityPosterior
from .quantities import RECALL, Quantity
from .samples import WITH_PRIOR, Sample

__all__ = ["capped_at_one", "estimate", "estimate_or_refusal"]

DOUBTFUL = 0.01  # a probability of no relevant document at all that is worth a word


def estimate(quantity: Quantity, sample: Sample) -> RecallEstimate:
    """A quantity of a sample with its interval."""
    check_choice("method", sample.method, quantity.methods)
    if not quantity.has_posterior(sample.method):
        _refuse_unsampled(sample)
        limits = quantity.limits(sample.method, sample.counts, sample.finite)
        found = _result(quantity, sample, limits, None)
    else:
        _warn_of_unsampled(sample)
        found = _by_posterior(quantity, sample, quantity.posterior(sample.joint))
    _warn_of_interval(found)
    return found


def estimate_or_refusal(quantity: Quantity, sample: Sample) -> RecallEstimate:
    """The same, but an interval of NaN and a warning where the method refuses the sample."""
    try:
        return estimate(quantity, sample)
    except IrboundsError as refusal:
        _warn(str(refusal))
        return _result(quantity, sample, _NoLimits(sample.method), None)


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
    quantity: Quantity, sample: Sample, limits: Limits, posterior: QuantityPosterior | None
) -> RecallEstimate:
    bounds = quantity.bounds(sample.counts)
    return RecallEstimate(
        quantity=quantity.name,
        value=float(quantity.estimate(sample.counts)),
        bias_reduced=_bias_reduced(quantity, sample),
        interval=interval_at(limits, sample.confidence_level, sample.alternative, bounds),
        strata=sample.strata,
        limits=limits,
        bounds=bounds,
        prior=sample.prior.name if sample.method in WITH_PRIOR else None,
        posterior=posterior,
    )


def _bias_reduced(quantity: Quantity, sample: Sample) -> float:
    if quantity is not RECALL or sample.unsampled:
        return math.nan
    return float(bias_reduced_recall(sample.counts))


def _by_posterior(
    quantity: Quantity, sample: Sample, posterior: QuantityPosterior
) -> RecallEstimate:
    if sample.method != "monte-carlo":
        limits = PosteriorLimits(sample.method, posterior)
        return _result(quantity, sample, limits, posterior)
    seed = seed_number(sample.rng)
    draws = monte_carlo(sample.counts, sample.prior, posterior.formula, sample.n_draws, seed)
    found = _result(quantity, sample, draws, None)
    return replace(found, n_draws=sample.n_draws, seed=seed)


def _refuse_unsampled(sample: Sample) -> None:
    for one in sample.unsampled:
        raise DataError(
            f"stratum {one.name!r}: none of its {one.population:,} documents was sampled; method "
            f"{sample.method!r} has nothing to go by, beta-binomial has its prior"
        )


def _warn_of_unsampled(sample: Sample) -> None:
    for one in sample.unsampled:
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
    """Whether every document of every stratum was assessed."""
    return all(one.sampled == one.population for one in found.strata)


def _warn(text: str) -> None:
    warnings.warn(text, DegenerateSampleWarning, stacklevel=5)
