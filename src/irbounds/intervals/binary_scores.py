"""Clopper and Pearson's interval for the mean of scores that are 0 or 1.

The mean of such scores, as of Success@k or P@1, is a proportion. Its interval is that of
``samples.proportions``: n queries, of which a number has the score 1. It is the default for scores
that are all at a bound of the measure, since it misses in at most the nominal fraction of samples,
for every true mean.

Reference: Clopper and Pearson (1934).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..results.interval import Limits, Side
from ..samples.proportions import PROPORTION_METHODS
from .sample import Sample, scale_to_bounds

Floats = NDArray[np.float64]


def are_binary(scores: Floats, bounds: tuple[float, float] | None) -> bool:
    """Return whether all scores are at a bound; the bounds are 0 and 1 where they are not known."""
    low, high = bounds or (0.0, 1.0)
    return bool(((scores == low) | (scores == high)).all())


@dataclass(frozen=True, eq=False)
class ScaledLimits:
    """Limits of a proportion, scaled to the bounds of the measure."""

    method: str
    proportion: Limits
    bounds: tuple[float, float]

    def limit(self, probability: float) -> Floats:
        """Return the confidence limit of a probability."""
        return self.limit_at(probability, "low" if probability <= 0.5 else "high")

    def limit_at(self, probability: float, side: Side) -> Floats:
        """Return the limit as the low or the high end of an interval."""
        low, high = self.bounds
        limit_at = getattr(self.proportion, "limit_at", None)
        limit = limit_at(probability, side) if limit_at else self.proportion.limit(probability)
        return np.asarray(low + (high - low) * limit)


def clopper_pearson(sample: Sample) -> ScaledLimits:
    """Fit Clopper and Pearson's limits to a sample of scores that are 0 or 1."""
    bounds = sample.bounds or (0.0, 1.0)
    mean, _ = scale_to_bounds(sample, bounds)
    n_ones = np.rint(mean * sample.n)
    population = np.where(sample.n > 1, np.inf, 0.0)  # a single query has no interval
    limits = PROPORTION_METHODS["clopper-pearson"](
        np.broadcast_to(population, mean.shape), np.full(mean.shape, float(sample.n)), n_ones
    )
    return ScaledLimits("clopper-pearson", limits, bounds)
