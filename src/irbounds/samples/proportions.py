"""Intervals on a proportion by name, and how often they cover.

What a method promises is its coverage: the probability, for a given true prevalence, that a sample
gives an interval which holds it. At a sample size of n there are only n + 1 samples to look at, so
coverage is a sum and not a simulation (Figures 4 to 7), and its mean over all prevalences a sum of
beta integrals.

Reference: Webber (2013), sections 2.5 to 2.7.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..parameters import check_choice, check_confidence_level, check_count
from ..results.interval import Limits
from .proportion.clopper_pearson import clopper_pearson
from .proportion.jeffreys import jeffreys
from .proportion.wald import wald
from .proportion.wilson import wilson

Floats = NDArray[np.float64]


class ProportionMethod(Protocol):
    """Limits of the share of relevant documents, from counts that may be arrays."""

    def __call__(
        self, population: Floats, sampled: Floats, relevant: Floats, *, finite: bool = False
    ) -> Limits:
        """Fit to counts; ``finite`` takes the size of the population into account."""
        ...


PROPORTION_METHODS: dict[str, ProportionMethod] = {
    "wald": wald,
    "wilson": wilson,
    "jeffreys": jeffreys,
    "clopper-pearson": clopper_pearson,
}


def binomial_coverage(
    method: str | ProportionMethod, n: int, prevalences: Any, confidence_level: float = 0.95
) -> Floats:
    """How often an interval from n documents holds the true prevalence, for each of several."""
    low, high = interval_ends(method, n, confidence_level)
    truth = np.asarray(prevalences, dtype=np.float64)[..., None]
    count = np.arange(n + 1.0)
    ways = special.gammaln(n + 1) - special.gammaln(count + 1) - special.gammaln(n - count + 1)
    mass = np.exp(ways + special.xlogy(count, truth) + special.xlog1py(n - count, -truth))
    return np.asarray(np.where((low <= truth) & (truth <= high), mass, 0.0).sum(axis=-1))


def mean_binomial_coverage(
    method: str | ProportionMethod, n: int, confidence_level: float = 0.95
) -> float:
    """Coverage on average over all prevalences from 0 to 1, each as likely as the other."""
    low, high = (np.clip(end, 0.0, 1.0) for end in interval_ends(method, n, confidence_level))
    count = np.arange(n + 1.0)
    inside = special.betainc(count + 1, n - count + 1, high)
    inside = inside - special.betainc(count + 1, n - count + 1, low)
    return float(inside.mean())


def interval_ends(
    method: str | ProportionMethod, n: int, confidence_level: float
) -> tuple[Floats, Floats]:
    """Both ends for each of the n + 1 samples there are."""
    if isinstance(method, str):
        check_choice("method", method, PROPORTION_METHODS)
        method = PROPORTION_METHODS[method]
    n = check_count("n", n)
    confidence_level = check_confidence_level(confidence_level)
    relevant = np.arange(n + 1.0)
    endless = np.full(n + 1, np.inf)
    limits = method(endless, np.full(n + 1, float(n)), relevant)
    outside = (1 - confidence_level) / 2
    return limits.limit(outside), limits.limit(1 - outside)
