"""Clopper and Pearson's interval for the mean of scores that are 0 or 1.

The mean of such scores, as of Success@k or P@1, is a proportion: n queries, of which a number has
the score 1. The interval is the default for scores that are all at a bound of the measure, since it
misses in at most the nominal fraction of samples, for every true mean.

When not to use clopper-pearson: Where coverage equal to the level on average is enough, Clopper and
Pearson's interval is wider than necessary: "exact" means coverage of at least the level.

Reference: Clopper and Pearson (1934).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..results.interval import Side
from .sample import Sample, scale_to_bounds

Floats = NDArray[np.float64]


def are_binary(scores: Floats, bounds: tuple[float, float] | None) -> bool:
    """Return whether all scores are at a bound; the bounds are 0 and 1 where they are not known."""
    low, high = bounds or (0.0, 1.0)
    return bool(((scores == low) | (scores == high)).all())


def find_clopper_pearson_limit(n: float, n_ones: Floats, probability: float, side: Side) -> Floats:
    """Return the proportion that an exact one-sided test does not reject, a beta quantile."""
    n_zeros = n - n_ones
    # 1.0 is a placeholder where the limit does not depend on the quantile
    if side == "low":
        quantile = special.betaincinv(np.where(n_ones > 0, n_ones, 1.0), n_zeros + 1, probability)
        return np.where(n_ones > 0, quantile, 0.0)
    quantile = special.betaincinv(n_ones + 1, np.where(n_zeros > 0, n_zeros, 1.0), probability)
    return np.where(n_zeros > 0, quantile, 1.0)


@dataclass(frozen=True, eq=False)
class ClopperPearson:
    """Limits of a proportion, scaled to the bounds of the measure; NaN for a single query."""

    n: int
    n_ones: Floats
    bounds: tuple[float, float]
    method: str = "clopper-pearson"

    def limit(self, probability: float) -> Floats:
        """Return the confidence limit of a probability."""
        return self.limit_at(probability, "low" if probability <= 0.5 else "high")

    def limit_at(self, probability: float, side: Side) -> Floats:
        """Return the limit as the low or the high end of an interval."""
        low, high = self.bounds
        limit = find_clopper_pearson_limit(float(self.n), self.n_ones, probability, side)
        return np.asarray(low + (high - low) * np.where(self.n > 1, limit, np.nan))


def clopper_pearson(sample: Sample) -> ClopperPearson:
    """Fit Clopper and Pearson's limits to a sample of scores that are 0 or 1."""
    bounds = sample.bounds or (0.0, 1.0)
    mean, _ = scale_to_bounds(sample, bounds)
    return ClopperPearson(sample.n, np.rint(mean * sample.n), bounds)
