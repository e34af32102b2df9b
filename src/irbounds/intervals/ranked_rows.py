"""Intervals of AP and ROC AUC on one test set, and of their differences between classifiers.

Rows are in descending order of their scores, and rows of equal score are one group, as in
scikit-learn. With TP(g) the positives and N(g) the rows down to the end of group g, p(g) positives
in it, and R positives and M negatives in all,

    AP = sum over g of p(g) TP(g) / N(g) / R

Rows are the sample: AP is a function of their weights w, and the derivative u(k) = dAP / dw(k) is
the influence of row k. Both are computed in O(n) from cumulative sums:

    u(k) = (TP(g) / N(g) - AP + sum over h >= g of p(h) (N(h) - TP(h)) / N(h)^2) / R   positives
    u(k) = - sum over h >= g of p(h) TP(h) / N(h)^2 / R                                negatives

The variance is n / (n - 1) sum of u^2 (the infinitesimal jackknife). That of ROC AUC is DeLong's:
it does not depend on the fraction of positives, so that u is centred within each class first.

AP has a bias: each positive row counts itself. The jackknife estimates it, from AP without row k,
again in O(n). The moderated logit-t interval has its centre at c = AP - bias, and

    nu = min(R - 1, M - 1, (sum u^2)^2 / sum u^4 - 1), at least 1/2
    h = variance / (c (1 - c)),    h^ = max(h, (2 c / m + nu h) / (2 + nu)), m = min(R, M)
    limits expit(logit(c) -+ t(2 + nu) sqrt(h^ / (c (1 - c))))

nu is smaller where few rows decide the variance: the highest negatives, or the lowest positives.
The prior variance c^2 (1 - c) / m counts as much as two degrees of freedom. It matters where the
order is nearly perfect and hardly any row has an influence. Where it is perfect, the low limit is
that of m scores of 1, (alpha / 2)^(1 / m). ``docs/validation/classifier-coverage.md`` has the
measured coverage.

With fewer than two rows of a class there is no interval.

Reference: infinitesimal jackknife, Jaeckel (1972); AUC, DeLong, DeLong and Clarke-Pearson (1988);
the logit scale for AP, Boyd, Eng and Page (2013).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..results.interval import Limits
from .bca import Bca
from .sample import ROUNDING, sort_rows

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.intp]

PRIOR_WEIGHT = 2.0  # degrees of freedom of the prior variance
MIN_DEGREES = 0.5
MAX_CORRECTION = 0.75  # of the distance of AP from 0 and from 1 that the bias may take
MIN_ROWS = 2  # of each class


@dataclass(frozen=True, eq=False)
class RankedRows:
    """The rows of a test set in the order of a classifier, and the groups of tied rows."""

    #: rows by descending score
    order: Ints
    #: whether a row of this order is the last of its group
    ends: Bools

    @property
    def n_tied(self) -> int:
        """Number of rows that share their score with another row."""
        starts = np.r_[True, self.ends[:-1]]
        return int(np.count_nonzero(~(starts & self.ends)))


def rank_rows(scores: Floats) -> RankedRows:
    """Return the rows by descending score."""
    order = np.argsort(-scores, kind="stable")
    in_order = scores[order]
    return RankedRows(order, np.r_[in_order[1:] != in_order[:-1], True])


@dataclass(frozen=True, eq=False)
class Statistic:
    """A score of a classifier, or a difference of two, with the influence of each row."""

    value: float
    bias: float
    influence: Floats
    labels: Bools
    #: whether the variance is that within classes
    is_within: bool = False

    def __sub__(self, other: Statistic) -> Statistic:
        return Statistic(
            self.value - other.value,
            self.bias - other.bias,
            self.influence - other.influence,
            self.labels,
            self.is_within,
        )

    @property
    def smaller_class(self) -> int:
        """Number of rows of the smaller class."""
        n_positive = int(np.count_nonzero(self.labels))
        return min(n_positive, len(self.labels) - n_positive)

    @property
    def variance(self) -> float:
        """The variance of the value."""
        if not self.is_within:
            n = len(self.labels)
            return float(self.influence @ self.influence) * n / max(n - 1, 1)
        total = 0.0
        for part in (self.influence[self.labels], self.influence[~self.labels]):
            deviations = part - part.mean()
            total += float(deviations @ deviations) * len(part) / max(len(part) - 1, 1)
        return total

    @property
    def degrees_of_freedom(self) -> float:
        """Degrees of freedom of the variance: fewer where few rows decide it."""
        squares = self.influence**2
        fourth = float(squares @ squares)
        effective = math.inf if fourth == 0 else float(squares.sum()) ** 2 / fourth
        return max(min(self.smaller_class - 1.0, effective - 1), MIN_DEGREES)

    @property
    def acceleration(self) -> float:
        """A sixth of the skewness of the value, for BCa."""
        spread = float((self.influence**2).sum())
        return float((self.influence**3).sum()) / spread**1.5 / 6 if spread else math.nan


def average_precision(labels: Bools, ranked: RankedRows) -> Statistic:
    """Return AP with its bias and the influence of each row."""
    groups, positives, negatives = _count_groups(labels, ranked)
    rows = positives + negatives
    true, all_rows = np.cumsum(positives), np.cumsum(rows)
    n_positive, n = positives.sum(), float(len(labels))
    contributions = positives * true / all_rows
    value = float(contributions.sum() / n_positive)

    # AP without a positive and without a negative of each group; of a group that has no such row,
    # the values have no meaning and no weight
    above = np.cumsum(contributions) - contributions
    before = np.maximum(all_rows - rows - 1, 0)  # rows above the group, without one
    true_before = np.maximum(true - positives - 1, 0)
    fewer = np.maximum(positives - 1, 0)
    own_positive = fewer * (true - positives + fewer) / np.maximum(all_rows - positives + fewer, 1)
    own_negative = (
        positives * true / np.maximum(all_rows - negatives + np.maximum(negatives - 1, 0), 1)
    )
    after_positive = positives * (true_before + positives) / np.maximum(before + rows, 1)
    after_negative = positives * true / np.maximum(before + rows, 1)
    below_positive = _sum_from_end(after_positive) - after_positive
    below_negative = _sum_from_end(after_negative) - after_negative
    without_positive = (above + own_positive + below_positive) / max(n_positive - 1, 1)
    without_negative = (above + own_negative + below_negative) / n_positive
    mean_positive = float((without_positive * positives).sum() / n_positive)
    mean_negative = float((without_negative * negatives).sum() / (n - n_positive))
    mean = (n_positive * mean_positive + (n - n_positive) * mean_negative) / n

    below = _sum_from_end(positives * (all_rows - true) / all_rows**2)
    of_positives = (true / all_rows - value + below) / n_positive
    of_negatives = -_sum_from_end(positives * true / all_rows**2) / n_positive
    influence = np.where(labels, of_positives[groups], of_negatives[groups])
    return Statistic(value, float((n - 1) * (mean - value)), influence, labels)


def roc_auc(labels: Bools, ranked: RankedRows) -> Statistic:
    """Return the area under the ROC curve with the influence of each row; ties count half."""
    groups, positives, negatives = _count_groups(labels, ranked)
    n_positive, n_negative = positives.sum(), negatives.sum()
    above = (np.cumsum(positives) - positives / 2) / n_positive
    below = (n_negative - np.cumsum(negatives) + negatives / 2) / n_negative
    value = float((positives * below).sum() / n_positive)
    influence = np.where(
        labels, (below[groups] - value) / n_positive, (above[groups] - value) / n_negative
    )
    return Statistic(value, 0.0, influence, labels, is_within=True)


MEASURES: Mapping[str, Callable[[Bools, RankedRows], Statistic]] = {
    "AP": average_precision,
    "ROC AUC": roc_auc,
}


def _count_groups(labels: Bools, ranked: RankedRows) -> tuple[Ints, Floats, Floats]:
    """Return the group of each row, and the positives and negatives of each group."""
    group_in_order: Ints = np.cumsum(ranked.ends) - ranked.ends
    groups = np.empty(len(labels), np.intp)
    groups[ranked.order] = group_in_order
    n_groups = int(group_in_order[-1]) + 1
    positives = np.bincount(groups[labels], minlength=n_groups).astype(float)
    rows = np.bincount(groups, minlength=n_groups).astype(float)
    return groups, positives, rows - positives


def _sum_from_end(values: Floats) -> Floats:
    return np.cumsum(values[::-1])[::-1]


@dataclass(frozen=True, eq=False)
class LogitLimits:
    """Limits expit(center + t(p, df) error)."""

    method: ClassVar[str] = "moderated-logit-t"

    center: float
    error: float
    degrees_of_freedom: float

    def limit(self, probability: float) -> Floats:
        """Return the confidence limit of a probability."""
        t = special.stdtrit(self.degrees_of_freedom, probability)
        return np.asarray(special.expit(self.center + t * self.error))


@dataclass(frozen=True, eq=False)
class BoundLimits:
    """Limits of a value of 0 or 1: those of n scores of that value."""

    method: ClassVar[str] = "moderated-logit-t"

    value: float
    n: int

    def limit(self, probability: float) -> Floats:
        """Return the confidence limit of a probability: a lower one up to 0.5, else an upper."""
        if self.value < 0.5:
            return np.asarray(1 - (1 - probability) ** (1 / self.n) if probability > 0.5 else 0.0)
        return np.asarray(probability ** (1 / self.n) if probability <= 0.5 else 1.0)


@dataclass(frozen=True, eq=False)
class DifferenceLimits:
    """Limits difference + t(p, df) error, between -1 and 1."""

    method: ClassVar[str] = "student-t"

    center: float
    error: float
    degrees_of_freedom: float

    def limit(self, probability: float) -> Floats:
        """Return the confidence limit of a probability."""
        t = special.stdtrit(self.degrees_of_freedom, probability)
        return np.asarray(np.clip(self.center + t * self.error, -1.0, 1.0))

    @property
    def p_value(self) -> float:
        """The p-value of a difference of 0, two-sided."""
        if not self.error > 0:
            return math.nan
        t = -abs(self.center) / self.error
        return float(2 * special.stdtr(self.degrees_of_freedom, t))


def fit_limits(statistic: Statistic) -> Limits:
    """Return the moderated logit-t limits of a score."""
    value, n = statistic.value, statistic.smaller_class
    if n < MIN_ROWS:
        return LogitLimits(math.nan, math.nan, 1.0)
    if not ROUNDING < value < 1 - ROUNDING:
        return BoundLimits(value, n)
    keep = 1 - MAX_CORRECTION
    center = float(np.clip(value - statistic.bias, keep * value, 1 - keep * (1 - value)))
    product = max(center * (1 - center), ROUNDING**2)
    degrees = statistic.degrees_of_freedom
    relative = statistic.variance / product
    moderated = (PRIOR_WEIGHT * center / n + degrees * relative) / (PRIOR_WEIGHT + degrees)
    error = math.sqrt(max(relative, moderated) / product)
    return LogitLimits(float(special.logit(center)), error, PRIOR_WEIGHT + degrees)


def fit_difference(statistic: Statistic) -> DifferenceLimits:
    """Return the limits of a difference; NaN where both classifiers have the same order."""
    variance = statistic.variance
    if statistic.smaller_class < MIN_ROWS or not variance > 0:
        return DifferenceLimits(math.nan, math.nan, 1.0)
    center = statistic.value - statistic.bias
    return DifferenceLimits(center, math.sqrt(variance), statistic.degrees_of_freedom)


def fit_bca(statistic: Statistic, resamples: Floats) -> Bca:
    """Return the BCa limits of values on resampled rows; those without a class are left out."""
    known = resamples[np.isfinite(resamples)]
    if statistic.smaller_class < MIN_ROWS or not len(known):
        known = np.full(2, np.nan)
    value = statistic.value
    fraction = (np.count_nonzero(known < value) + np.count_nonzero(known <= value)) / (
        2 * len(known)
    )
    bias = special.ndtri(fraction) if 0 < fraction < 1 else math.nan
    ordered = sort_rows(known, np.asarray(False))
    return Bca(ordered, np.asarray(bias), np.asarray(statistic.acceleration))
