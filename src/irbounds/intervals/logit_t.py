"""Student's t interval on the logit scale, for the mean of a measure with bounds.

logit(m) -+ t(1 - alpha/2, n - 1) s / (sqrt(n) m (1 - m)), mapped back; scores are scaled so that
the bounds are 0 and 1. The logit removes most of the skew of the mean, as in the studentised logit
bootstrap, and nothing is drawn at random. For scores with a beta distribution whose variance is a
third of the largest possible one, m (1 - m), it removes most of the leading term of the error of
Student's t interval, which comes from the skewness.

When not to use: With few queries the logit-t interval is too short wherever a rare easy query is
missing from the sample, and there is no interval where all scores are equal.

Reference: the delta method (Casella and Berger 2002, section 5.5.4); for the bootstrap counterpart,
Park (2011), section 4.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from .sample import Sample, scale_to_bounds

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LogitT:
    """Limits expit(logit(m) + t(p, df) error), within the bounds."""

    method: ClassVar[str] = "logit-t"

    #: the logit of the mean, and its standard error
    center: Floats
    error: Floats
    degrees_of_freedom: float
    bounds: tuple[float, float]

    def limit(self, probability: float) -> Floats:
        """Return the confidence limit of a probability."""
        low, high = self.bounds
        if self.degrees_of_freedom <= 0:
            return np.full(self.center.shape, np.nan)
        t = special.stdtrit(self.degrees_of_freedom, probability)
        limit = special.expit(self.center + t * self.error)
        return np.clip(low + (high - low) * limit, low, high)


@dataclass(frozen=True, eq=False)
class ModeratedLogitT(LogitT):
    """Limits of a logit-t interval whose variance is moderated by a prior variance."""

    method: ClassVar[str] = "moderated-logit-t"

    prior_variance: float


def logit_t(sample: Sample) -> LogitT:
    """Fit the limits to a sample; scores without spread give NaN."""
    assert sample.bounds is not None
    mean, variance = scale_to_bounds(sample)
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.sqrt(variance / sample.n) / (mean * (1 - mean))
    # without spread there is no standard error, nor at a bound, where the logit is infinite
    error = np.where((variance > 0) & np.isfinite(error), error, np.nan)
    return LogitT(special.logit(mean), error, sample.n - 1, sample.bounds)
