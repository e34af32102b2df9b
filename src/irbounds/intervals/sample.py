"""The sample that an interval method takes: scores with their bootstrap.

The last axis is that of the queries (or the resamples). Any axes before it are samples side by
side, so that a study of a hundred thousand samples uses the same code as one interval.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.bootstrap_means import compute_odds, count_below, fit_normal
from .variance_prior import VariancePrior

Floats = NDArray[np.float64]

ROUNDING = 1e-12  # rounding error of a mean of scores at a bound; that of its logit is far larger


class LogitFit(NamedTuple):
    """Mean and standard deviation (maximum likelihood) of the logits of bootstrap means."""

    mean: Floats
    deviation: Floats
    #: bootstrap means at a bound, which have no logit
    n_dropped: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Sample:
    """Scores of n queries, and their bootstrap if a method needs it."""

    scores: Floats
    #: means on resampled queries
    bootstrap_means: Floats | None = None
    #: the standard deviation of scores, if known
    sigma: Floats | float | None = None
    #: the minimum and maximum of the measure
    bounds: tuple[float, float] | None = None
    #: the prior variance of the measure
    prior: VariancePrior | None = None

    @property
    def n(self) -> int:
        """Number of queries."""
        return int(self.scores.shape[-1])

    @cached_property
    def mean(self) -> Floats:
        """Mean score."""
        return np.asarray(self.scores.mean(axis=-1))

    @cached_property
    def standard_error(self) -> Floats:
        """Standard error of the mean; NaN for scores without spread and for a single score."""
        if self.n < 2:
            return np.full(self.mean.shape, np.nan)
        error = deviation_of(self.scores) / np.sqrt(self.n)
        # the spread of scores near the smallest double may underflow
        return np.where(self.is_constant | (error == 0), np.nan, error)

    @cached_property
    def skewness(self) -> Floats:
        """Skewness of the mean: that of the scores over the root of n; NaN without spread."""
        deviations = (self.scores - self.mean[..., None]) / scale_of(self.scores)
        squares = deviations**2
        with np.errstate(invalid="ignore", divide="ignore"):
            skew = (squares * deviations).sum(axis=-1) / squares.sum(axis=-1) ** 1.5
        return np.where(self.is_constant, np.nan, skew)

    @cached_property
    def is_constant(self) -> NDArray[np.bool_]:
        """Whether all scores are equal; rounding can give equal scores a spread."""
        return np.asarray((self.scores == self.scores[..., :1]).all(axis=-1))

    @cached_property
    def ordered_means(self) -> Floats:
        """Bootstrap means for quantiles; NaN where they, or the scores, are all equal."""
        assert self.bootstrap_means is not None
        return sort_rows(self.bootstrap_means, self.is_constant)

    @cached_property
    def fraction_below(self) -> Floats:
        """Fraction of bootstrap means below the mean; a tie counts half."""
        means = self.bootstrap_means
        assert means is not None
        counts = np.empty(self.mean.size, np.intp)
        count_below(means.reshape(-1, means.shape[-1]), self.mean.reshape(-1), counts)
        return np.asarray(counts.reshape(self.mean.shape) / (2 * means.shape[-1]))

    @cached_property
    def logit_fit(self) -> LogitFit:
        """Mean and standard deviation of the logits of bootstrap means that are not at a bound."""
        means = self.bootstrap_means
        assert means is not None
        assert self.bounds is not None
        low, high = map(float, self.bounds)
        odds = np.empty((self.mean.size, means.shape[-1]))
        compute_odds(means.reshape(odds.shape), low, high, ROUNDING, odds)
        mean, deviation, n_dropped = fit_logits(odds)
        shape = self.mean.shape
        return LogitFit(mean.reshape(shape), deviation.reshape(shape), n_dropped.reshape(shape))


def fit_logits(odds: Floats) -> LogitFit:
    """Fit a normal distribution to the logarithms of each row of ``odds``, which are overwritten.

    NaN are left out, and counted.
    """
    means, deviations = np.empty((2, len(odds)))
    n_dropped = np.empty(len(odds), np.intp)
    fit_normal(np.log(odds, out=odds), means, deviations, n_dropped)
    return LogitFit(means, deviations, n_dropped)


def sort_rows(rows: Floats, is_constant: NDArray[np.bool_]) -> Floats:
    """Return rows in rising order; NaN where their elements, or the scores, are all equal."""
    ordered = np.sort(rows, axis=-1)
    ordered[is_constant | (ordered[..., 0] == ordered[..., -1])] = np.nan
    ordered.setflags(write=False)
    return ordered


def deviation_of(scores: Floats) -> Floats:
    """Return the standard deviation with n - 1; its squares neither underflow nor overflow."""
    scale = scale_of(scores)
    return np.asarray((scores / scale).std(axis=-1, ddof=1) * scale[..., 0])


def scale_of(scores: Floats) -> Floats:
    """Return a power of two near the largest score; dividing by it is exact.

    The squares of the scaled scores neither underflow nor overflow.
    """
    largest = np.abs(scores).max(axis=-1, keepdims=True)
    return np.asarray(np.ldexp(1.0, np.frexp(largest)[1]))


def scale_to_bounds(
    sample: Sample, bounds: tuple[float, float] | None = None
) -> tuple[Floats, Floats]:
    """Return mean and variance of the scores, scaled so that the bounds are 0 and 1."""
    limits = bounds or sample.bounds
    assert limits is not None
    low, high = limits
    mean = np.clip((sample.mean - low) / (high - low), 0.0, 1.0)
    error = sample.standard_error / (high - low)  # NaN without spread
    return mean, np.where(np.isnan(error), 0.0, sample.n * error**2)


def is_at_bound(sample: Sample) -> NDArray[np.bool_]:
    """Return whether all scores are at a bound, except for rounding of their mean."""
    mean, _ = scale_to_bounds(sample)
    return np.asarray((mean < ROUNDING) | (mean > 1 - ROUNDING))


def quantile_of_sorted(values: Floats, probability: Floats | float) -> Floats:
    """Return quantiles of ``values``, sorted along the last axis, by interpolation (type 7).

    ``probability`` is one number, or one per sample. The extreme values may be infinite.
    """
    shape, last = values.shape[:-1], values.shape[-1] - 1
    rows = values.reshape(-1, last + 1)
    place = np.broadcast_to(np.asarray(probability) * last, shape).ravel()
    below = np.where(np.isnan(place), 0, place).astype(np.intp)
    fraction = place - below
    each = np.arange(len(rows))
    low, high = rows[each, below], rows[each, np.minimum(below + 1, last)]
    with np.errstate(invalid="ignore"):  # infinite values, which are replaced below
        step = high - low
        between = np.where(fraction < 0.5, low + step * fraction, high - step * (1 - fraction))
    between = np.where(np.isinf(low), low, np.where(np.isinf(high), high, between))
    quantile = np.where((low == high) | (fraction == 0), low, between)
    return np.where(np.isnan(place), np.nan, quantile).reshape(shape)
