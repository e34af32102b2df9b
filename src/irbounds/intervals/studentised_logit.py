"""Studentised logit bootstrap interval, for the mean of a measure with bounds.

The bootstrap means are mapped to the whole line by the logit, which takes away most of their skew;
their mean mu and standard deviation sigma (maximum likelihood) give mu -+ t(1 - alpha/2, n - 1)
sigma, which is mapped back. Stays within the bounds, and comes near its promise for few queries of
a skewed measure, where Student's t, the percentile and the BCa intervals are too short.

Bootstrap means at a bound have no logit: they are left out and counted. Where these are many,
nearly all scores are at that bound, and the interval is too short. Needs the measure's bounds; says
nothing where all scores are equal.

When not to use: Where nearly all scores are at a bound, as for very poor systems, the studentised
logit interval is too short. For a measure that is always 0 or 1, use an interval of a proportion.

Reference: Park (2011), section 4.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from .sample import AnySample

Floats = NDArray[np.float64]

ROUNDING = 1e-12  # a mean of scores at a bound may miss it by this much, and its logit by far more


@dataclass(frozen=True, eq=False)
class StudentisedLogit:
    """Limits expit(mu + t(p, n - 1) sigma), within the bounds."""

    method: ClassVar[str] = "studentised-logit"

    mu: Floats
    sigma: Floats
    n: int
    bounds: tuple[float, float]
    #: bootstrap means at a bound
    n_dropped: NDArray[np.intp]

    def limit(self, probability: float) -> Floats:
        """The confidence limit of a probability."""
        low, high = self.bounds
        if self.n < 2:
            return np.full(self.mu.shape, np.nan)
        t = special.stdtrit(self.n - 1, probability)
        return np.asarray(low + (high - low) * special.expit(self.mu + t * self.sigma))


def studentised_logit(sample: AnySample) -> StudentisedLogit:
    """Fit to a sample; scores without spread give NaN."""
    assert sample.bootstrap_means is not None
    assert sample.bounds is not None
    low, high = sample.bounds
    shares = (sample.bootstrap_means - low) / (high - low)
    at_a_bound = (shares < ROUNDING) | (shares > 1 - ROUNDING)
    dropped = np.count_nonzero(at_a_bound, axis=-1)
    logits = special.logit(shares)
    if dropped.any():
        logits[at_a_bound] = np.nan
    mu, sigma = _normal_fit(logits, dropped)
    # what is left may be all alike, as with the scores 0 and 1: no spread to go by
    nothing = sample.is_constant | (dropped > logits.shape[-1] - 2) | (sigma < ROUNDING)
    mu, sigma = np.where(nothing, np.nan, mu), np.where(nothing, np.nan, sigma)
    return StudentisedLogit(mu, sigma, sample.n, (low, high), dropped)


def _normal_fit(logits: Floats, dropped: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """Maximum-likelihood mean and standard deviation of what is not NaN."""
    if not dropped.any():
        return np.asarray(logits.mean(axis=-1)), np.asarray(logits.std(axis=-1))
    kept = logits.shape[-1] - dropped
    with np.errstate(invalid="ignore", divide="ignore"):
        mu = np.nansum(logits, axis=-1) / kept
        sigma = np.sqrt(np.nansum((logits - mu[..., None]) ** 2, axis=-1) / kept)
    return mu, sigma
