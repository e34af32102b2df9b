"""Bias-corrected and accelerated bootstrap interval.

Quantiles of the bootstrap means at levels shifted for bias (the fraction of bootstrap means below
the mean) and skewness (the acceleration, from the scores' third moment). Better than the percentile
interval for a skewed measure.

Where the correction has no finite level, since the skewness is large and the level is high, the
limit is the largest or the smallest bootstrap mean.

Where all bootstrap means are on one side of the mean, the bias is not defined and there is no
interval.

When not to use: With few queries, the correction in the BCa interval does not compensate for the
small sample: with ten queries it is nearly as short as the percentile interval.

Reference: Efron (1987); for mean average precision, Park (2011), section 4.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from .sample import Sample, quantile_of_sorted

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Bca:
    """Limits that are quantiles of the bootstrap means at corrected levels."""

    method: ClassVar[str] = "bca"

    #: bootstrap means
    means: Floats
    bias: Floats
    acceleration: Floats

    def limit(self, probability: float) -> Floats:
        """Return the confidence limit of a probability."""
        shifted = self.bias + special.ndtri(probability)
        room = 1 - self.acceleration * shifted
        with np.errstate(divide="ignore", invalid="ignore"):
            level = special.ndtr(self.bias + shifted / room)
        # the correction has a pole, near which the limit tends to the extreme means
        level = np.where(room > 0, level, np.where(room <= 0, shifted > 0, np.nan))
        return quantile_of_sorted(self.means, level)


def bca(sample: Sample) -> Bca:
    """Fit the limits to a sample; scores without spread give NaN."""
    fraction = sample.fraction_below
    is_defined = (fraction > 0) & (fraction < 1) & ~sample.is_constant
    bias = special.ndtri(np.where(is_defined, fraction, np.nan))
    return Bca(sample.ordered_means, bias, acceleration(sample))


def acceleration(sample: Sample) -> Floats:
    """Return a sixth of the scores' skewness over the root of n: the jackknife's for a mean."""
    return np.asarray(sample.skewness / 6)
