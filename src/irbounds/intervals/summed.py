"""A sample of which only sums are known, as whole numbers: what a stream of scores leaves behind.

Everything that a method asks of a sample is made from these sums, each number by one division of
whole numbers, so that no cancellation harms it. A mean is rounded once, and a standard error and a
skewness once more by their root.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..resampling.streamed import SystemSums
from .sample import sorted_means_of

Floats = NDArray[np.float64]
Objects = NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class SummedSample:
    """One system's scores, by their sums."""

    sums: SystemSums
    sigma: float | None = None
    bounds: tuple[float, float] | None = None

    @property
    def n(self) -> int:
        """How many queries."""
        return self.sums.n

    @cached_property
    def mean(self) -> Floats:
        """The mean score."""
        first, n = (np.array(one, object) for one in (self.sums.powers[0], self.n))
        return self._mean(first, n)

    @property
    def is_constant(self) -> NDArray[np.bool_]:
        """Whether all scores are equal."""
        return np.asarray(self.sums.grid.least == self.sums.grid.greatest)

    @cached_property
    def standard_error(self) -> Floats:
        """Of the mean; NaN where the scores have no spread, or there is but one."""
        if self.n < 2 or self.is_constant:
            return np.asarray(np.nan)
        first, second, _ = self.sums.powers
        variance = (self.n * second - first**2) / (self.n**2 * (self.n - 1))
        error = math.ldexp(math.sqrt(variance), self.sums.grid.exponent)
        return np.asarray(error or np.nan)  # of scores as small as doubles go it may vanish

    @cached_property
    def skewness(self) -> Floats:
        """Of the mean: that of the scores over the root of n; NaN where they have no spread."""
        if self.is_constant:
            return np.asarray(np.nan)
        first, second, third = self.sums.powers
        mean = Fraction(first, self.n)
        squares = second - first * mean
        cubes = third - 3 * mean * second + 2 * self.n * mean**3
        # cubes / squares**1.5; a root of the ratio itself, which no double need hold
        return np.asarray(math.copysign(math.sqrt(cubes**2 / squares**3), cubes))

    @cached_property
    def bootstrap_means(self) -> Floats | None:
        """Means on resampled queries; resamples that are empty have none and are left out."""
        if not self.sums.weights.size:
            return None
        drawn = self._drawn
        means = self._mean(self.sums.first[drawn], self.sums.weights[drawn])
        means = means if drawn.any() else np.full(1, np.nan)
        means.setflags(write=False)  # kept by results, whose limits must not change
        return means

    @cached_property
    def bootstrap_errors(self) -> Floats | None:
        """The standard errors of those means, exactly 0 where all of a resample is equal."""
        if self.sums.second is None:
            return None
        drawn = self._drawn
        if not drawn.any():
            return np.full(1, np.nan)
        weights, first = self.sums.weights[drawn], self.sums.first[drawn]
        squares = weights * self.sums.second[drawn] - first**2
        variances = squares / (weights**2 * np.maximum(weights - 1, 1))
        errors = np.ldexp(np.sqrt(variances.astype(np.float64)), self.sums.grid.exponent)
        return np.asarray(errors)

    @property
    def weights(self) -> Literal["poisson"]:
        """How queries were drawn again: by a number of its own each."""
        return "poisson"

    @property
    def n_empty(self) -> int:
        """Resamples without a query: with n queries, one in exp(n)."""
        return int(np.count_nonzero(~self._drawn))

    @cached_property
    def sorted_means(self) -> Floats:
        """The bootstrap means, least first; NaN where they, or the scores, are all equal."""
        assert self.bootstrap_means is not None
        return sorted_means_of(self.bootstrap_means, self.is_constant)

    @cached_property
    def _drawn(self) -> NDArray[np.bool_]:
        return self.sums.weights.astype(np.int64) > 0

    def _mean(self, total: Objects, n: Objects) -> Floats:
        """Of n scores whose k come to a total: one division, and never beyond the scores."""
        grid = self.sums.grid
        steps = np.asarray((total + grid.start * n) / n, np.float64)
        with np.errstate(over="ignore"):  # half a step beyond the largest double, which is clipped
            return np.asarray(np.clip(np.ldexp(steps, grid.exponent), grid.least, grid.greatest))
