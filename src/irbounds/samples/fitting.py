"""From a checked sample to an estimate by its method, and a word where the sample is odd."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..errors import IrboundsError
from ..parameters import check_choice
from ..resampling.seeds import seed_number
from ..results import RecallEstimate
from ..results.intervals import Limits, interval_at
from .bayesian import PosteriorLimits
from .capped import Capped
from .cautions import caution_of_interval, caution_of_priors, refuse_unsampled, unsampled, warn
from .estimator import bias_reduced_recall
from .inquiry import WITH_PRIOR, Inquiry
from .monte_carlo import monte_carlo
from .posterior import QuantityPosterior
from .quantities import RECALL, Quantity


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
