"""Studentised logit bootstrap interval, for the mean of a measure with bounds.

The bootstrap means are mapped to the real line by the logit, which removes most of their skew.
Their mean mu and standard deviation sigma (maximum likelihood) give mu -+ t(1 - alpha/2, n - 1)
sigma, which is mapped back. The interval stays within the bounds. Its coverage is near nominal for
few queries of a skewed measure, where Student's t, the percentile and the BCa intervals are too
short.

Bootstrap means at a bound have no logit: they are left out and counted. Where there are many of
them, nearly all scores are at that bound, and the interval is too short. The method needs the
bounds of the measure. There is no interval where all scores are equal.

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

from ._kernels import compute_odds, fit_normal
from .sample import AnySample

Floats = NDArray[np.float64]

ROUNDING = 1e-12  # rounding error of a mean of scores at a bound; that of its logit is far larger


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
        """Return the confidence limit of a probability."""
        low, high = self.bounds
        if self.n < 2:
            return np.full(self.mu.shape, np.nan)
        t = special.stdtrit(self.n - 1, probability)
        return np.asarray(low + (high - low) * special.expit(self.mu + t * self.sigma))


def studentised_logit(sample: AnySample) -> StudentisedLogit:
    """Fit the limits to a sample; scores without spread give NaN."""
    means = sample.bootstrap_means
    assert means is not None
    assert sample.bounds is not None
    low, high = map(float, sample.bounds)
    rows = means.reshape(-1, means.shape[-1])
    odds = np.empty(rows.shape)
    compute_odds(rows, low, high, ROUNDING, odds)
    fitted, n_missing = np.empty((2, len(rows))), np.empty(len(rows), np.intp)
    fit_normal(np.log(odds, out=odds), *fitted, n_missing)
    mu, sigma = fitted.reshape(2, *means.shape[:-1])
    dropped = n_missing.reshape(means.shape[:-1])
    # the others may all be equal, as with the scores 0 and 1: there is no spread
    undefined = sample.is_constant | (dropped > means.shape[-1] - 2) | (sigma < ROUNDING)
    mu, sigma = np.where(undefined, np.nan, mu), np.where(undefined, np.nan, sigma)
    return StudentisedLogit(mu, sigma, sample.n, (low, high), dropped)
