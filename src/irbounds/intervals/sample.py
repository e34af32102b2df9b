"""The sample that an interval method takes: scores with their bootstrap.

The last axis is that of the queries (or the resamples). Any axes before it are samples side by
side, so that a study of a hundred thousand samples uses the same code as one interval.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from ._kernels import ALL_EQUAL, interpolate_rows

Floats = NDArray[np.float64]


class AnySample(Protocol):
    """The attributes of a sample that methods use, wherever its numbers come from."""

    @property
    def n(self) -> int:
        """Number of queries."""
        ...

    @property
    def mean(self) -> Floats:
        """Mean score."""
        ...

    @property
    def standard_error(self) -> Floats:
        """Standard error of the mean; NaN for scores without spread and for a single score."""
        ...

    @property
    def skewness(self) -> Floats:
        """Skewness of the mean: that of the scores over the root of n; NaN without spread."""
        ...

    @property
    def is_constant(self) -> NDArray[np.bool_]:
        """Whether all scores are equal."""
        ...

    @property
    def bootstrap_means(self) -> Floats | None:
        """Means on resampled queries."""
        ...

    @property
    def bootstrap_errors(self) -> Floats | None:
        """Standard errors of those means."""
        ...

    @property
    def ordered_means(self) -> Ordered:
        """Bootstrap means, for quantiles; NaN where they, or the scores, are all equal."""
        ...

    def order(self, rows: Floats) -> Ordered:
        """Return rows for quantiles; NaN where their elements, or the scores, are all equal."""
        ...

    @property
    def weights(self) -> Literal["multinomial", "poisson"]:
        """Distribution of the weights of queries in a resample."""
        ...

    @property
    def n_empty(self) -> int:
        """Number of resamples that drew no query and have no mean."""
        ...

    @property
    def sigma(self) -> Floats | float | None:
        """Standard deviation of scores, if known."""
        ...

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Minimum and maximum of the measure."""
        ...


@dataclass(frozen=True, eq=False)
class Sample:
    """Scores of n queries, and their bootstrap if a method needs it."""

    scores: Floats
    #: means on resampled queries, and the standard errors of those means
    bootstrap_means: Floats | None = None
    bootstrap_errors: Floats | None = None
    #: the standard deviation of scores, if known
    sigma: Floats | float | None = None
    #: the minimum and maximum of the measure
    bounds: tuple[float, float] | None = None

    weights: ClassVar[Literal["multinomial"]] = "multinomial"
    n_empty: ClassVar[int] = 0

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
    def ordered_means(self) -> Ordered:
        """Bootstrap means, for quantiles; NaN where they, or the scores, are all equal."""
        assert self.bootstrap_means is not None
        return self.order(self.bootstrap_means)

    def order(self, rows: Floats) -> Ordered:
        """Return rows for quantiles; NaN where their elements, or the scores, are all equal."""
        return sort_rows(rows, self.is_constant)


class UnsortedRows:
    """Rows whose quantiles are found without sorting them: faster where few are needed."""

    def __init__(self, rows: Floats, is_constant: NDArray[np.bool_]) -> None:
        self.rows = rows
        self._ends = np.empty((2, *rows.shape), np.int64)
        self._n_kept = np.zeros((2, len(rows)), np.intp)
        self._n_kept[0, is_constant] = ALL_EQUAL

    def quantile(self, probability: Floats | float) -> Floats:
        """Return a quantile of each row, with the same bits as that of the sorted row."""
        quantiles = np.empty(len(self.rows))
        places = np.full(len(self.rows), np.asarray(probability) * (self.rows.shape[1] - 1))
        interpolate_rows(self.rows, places, self._ends, self._n_kept, quantiles)
        return quantiles


#: elements in rising order along the last axis, or rows that are not sorted
Ordered = Floats | UnsortedRows


@dataclass(frozen=True, eq=False)
class UnsortedSample(Sample):
    """Samples by row, whose bootstrap means are not sorted."""

    def order(self, rows: Floats) -> Ordered:
        """Return rows for quantiles; NaN where their elements, or the scores, are all equal."""
        return UnsortedRows(rows, self.is_constant)


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


def quantile_of(values: Ordered, probability: Floats | float) -> Floats:
    """Return quantiles by interpolation (type 7); ``probability`` is one number or one per row."""
    if isinstance(values, UnsortedRows):
        return values.quantile(probability)
    return quantile_of_sorted(values, probability)


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
