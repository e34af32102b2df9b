"""What a method sees: scores with what was drawn from them.

The last axis is the queries (or the resamples); any axes before it are samples side by side, so
that a study of a hundred thousand samples is the same code as one interval.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

__all__ = ["Sample", "quantile_of_sorted"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Sample:
    """Scores of n queries, and their bootstrap where a method needs it."""

    scores: Floats
    #: means on resampled queries, and the standard errors of those means
    bootstrap_means: Floats | None = None
    bootstrap_errors: Floats | None = None
    #: the standard deviation of scores, where it is known
    sigma: Floats | float | None = None
    #: the lowest and highest score that the measure can give
    bounds: tuple[float, float] | None = None

    @property
    def n(self) -> int:
        """How many queries."""
        return int(self.scores.shape[-1])

    @cached_property
    def mean(self) -> Floats:
        """The mean score."""
        return np.asarray(self.scores.mean(axis=-1))

    @cached_property
    def standard_error(self) -> Floats:
        """Of the mean; NaN where the scores have no spread, or there is but one."""
        if self.n < 2:
            return np.full(self.mean.shape, np.nan)
        error = self.scores.std(axis=-1, ddof=1) / np.sqrt(self.n)
        return np.where(self.is_constant, np.nan, error)

    @cached_property
    def is_constant(self) -> NDArray[np.bool_]:
        """Whether all scores are equal; rounding can give those a spread that is not there."""
        return np.asarray((self.scores == self.scores[..., :1]).all(axis=-1))

    @cached_property
    def sorted_means(self) -> Floats:
        """The bootstrap means, least first; NaN where the scores have no spread to resample."""
        assert self.bootstrap_means is not None
        ordered = np.sort(self.bootstrap_means, axis=-1)
        ordered[self.is_constant] = np.nan
        return ordered


def quantile_of_sorted(values: Floats, probability: Floats | float) -> Floats:
    """Quantiles of ``values``, sorted along the last axis, by linear interpolation (type 7).

    ``probability`` is one number, or one for each sample. Infinite values may stand at the ends.
    """
    last = values.shape[-1] - 1
    place = np.broadcast_to(np.asarray(probability) * last, values.shape[:-1])
    known = np.isfinite(place)
    below = np.floor(np.where(known, place, 0)).astype(np.intp)
    above = np.minimum(below + 1, last)
    low, high = (np.take_along_axis(values, k[..., None], axis=-1)[..., 0] for k in (below, above))
    share = place - below
    with np.errstate(invalid="ignore"):
        step = high - low
        between = np.where(share < 0.5, low + step * share, high - step * (1 - share))
    # arithmetic with infinite values would give NaN
    between = np.where(np.isinf(low), low, np.where(np.isinf(high), high, between))
    quantile = np.where((low == high) | (share == 0), low, between)
    return np.where(known, quantile, np.nan)
