"""Intervals of AP and ROC AUC on one test set, and of their differences between classifiers.

Rows are in descending order of their scores. Rows of one group are one step: with
``ties="threshold"``, as scikit-learn has it, rows of equal score are one group; by the other rules
every row is. With TP(g) the positives and N(g) the rows down to the end of group g, p(g) positives
in it and R in all,

    AP = sum over g of p(g) TP(g) / N(g) / R

Rows are the sample: AP is a function of their weights w, and the derivative u(k) = dAP / dw(k) is
the influence of row k. Both are computed in O(n) from cumulative sums:

    u(k) = (TP(g) / N(g) - AP + sum over h >= g of p(h) (N(h) - TP(h)) / N(h)^2) / R   positives
    u(k) = - sum over h >= g of p(h) TP(h) / N(h)^2 / R                                negatives

The variance is n / (n - 1) sum of u^2 (the infinitesimal jackknife). With a fixed prevalence, u is
centred within each class first. That of ROC AUC is DeLong's, from the same u of placement values.

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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..results.interval import Limits, Side
from .bca import Bca
from .logit_t import LogitT, ModeratedLogitT
from .percentile import Percentile
from .sample import ROUNDING, sort_rows

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.intp]
#: terms of AP per group, from the positives and rows above it and those in it
Terms = Callable[[Floats, Floats, Floats, Floats], Floats]

PRIOR_WEIGHT = 2.0  # degrees of freedom of the prior variance
MIN_DEGREES = 0.5
MAX_CORRECTION = 0.75  # of the distance of AP from 0 and from 1 that the bias may take
MIN_ROWS = 2  # of each class
METHODS = ("moderated-logit-t", "logit-t", "percentile", "bca")
BOOTSTRAPS = ("percentile", "bca")


@dataclass(frozen=True, eq=False)
class RankedRows:
    """The rows of a test set in the order of a classifier, and the groups of tied rows."""

    #: rows by descending score
    order: Ints
    #: whether a row is the last of its group, for AP and for ROC AUC, where ties count half
    ends: Bools
    score_ends: Bools
    #: whether AP is the mean over all orders within groups
    is_expected: bool = False

    @property
    def n_tied(self) -> int:
        """Number of rows that share their score with another row."""
        starts = np.r_[True, self.score_ends[:-1]]
        return int(np.count_nonzero(~(starts & self.score_ends)))


def rank_rows(
    labels: Bools, scores: Floats, ties: str = "threshold", ids: Sequence[str] | None = None
) -> RankedRows:
    """Return the rows by descending score, with ties by a rule; ``trec`` needs ids."""
    falling = -scores
    if ties == "trec":
        assert ids is not None
        encoded = np.array([text.encode() for text in ids], dtype=object)
        places = np.empty(len(encoded), np.intp)
        places[np.argsort(encoded, kind="stable")] = np.arange(len(encoded))
        order = np.lexsort((-places, falling))
    elif ties in ("worst", "best"):
        order = np.lexsort((labels if ties == "worst" else ~labels, falling))
    else:
        order = np.argsort(falling, kind="stable")
    in_order = scores[order]
    score_ends = np.r_[in_order[1:] != in_order[:-1], True]
    ends = score_ends if ties in ("threshold", "expected") else np.ones_like(score_ends)
    return RankedRows(order, ends, score_ends, ties == "expected")


@dataclass(frozen=True, eq=False)
class Statistic:
    """A score of a classifier, or a difference of two, with the influence of each row."""

    value: float
    #: estimates of the bias: rows drawn from one population, and from either class
    bias: float
    bias_within: float
    influence: Floats
    labels: Bools
    #: whether the value is between 0 and 1, as differences are not
    is_score: bool = True

    def __sub__(self, other: Statistic) -> Statistic:
        return Statistic(
            self.value - other.value,
            self.bias - other.bias,
            self.bias_within - other.bias_within,
            self.influence - other.influence,
            self.labels,
            is_score=False,
        )

    @property
    def smaller_class(self) -> int:
        """Number of rows of the smaller class."""
        n_positive = int(np.count_nonzero(self.labels))
        return min(n_positive, len(self.labels) - n_positive)

    def variance(self, *, is_fixed: bool) -> float:
        """Return the variance of the value; ``is_fixed``: for a fixed number of positives."""
        if not is_fixed:
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
    groups, positives, negatives = _count_groups(labels, ranked.order, ranked.ends)
    n_positive, n = positives.sum(), float(len(labels))
    rows = positives + negatives
    true_before, rows_before = np.cumsum(positives) - positives, np.cumsum(rows) - rows
    terms = _expected_terms if ranked.is_expected else _threshold_terms
    contributions = terms(true_before, rows_before, positives, negatives)
    value = float(contributions.sum() / n_positive)
    without_positive, without_negative = _leave_one_out(
        terms, contributions, (true_before, rows_before, positives, negatives)
    )
    mean_positive = _weighted_mean(without_positive, positives, value)
    mean_negative = _weighted_mean(without_negative, negatives, value)
    mean = (n_positive * mean_positive + (n - n_positive) * mean_negative) / n
    if ranked.is_expected:
        of_positives, of_negatives = mean - without_positive, mean - without_negative
        scale = (n - 1) / n
        of_positives, of_negatives = scale * of_positives, scale * of_negatives
    else:
        true, all_rows = true_before + positives, rows_before + rows
        below = _sum_from_end(positives * (all_rows - true) / all_rows**2)
        of_positives = (true / all_rows - value + below) / n_positive
        of_negatives = -_sum_from_end(positives * true / all_rows**2) / n_positive
    return Statistic(
        value,
        float((n - 1) * (mean - value)),
        float(
            (n_positive - 1) * (mean_positive - value)
            + (n - n_positive - 1) * (mean_negative - value)
        ),
        np.where(labels, of_positives[groups], of_negatives[groups]),
        labels,
    )


def roc_auc(labels: Bools, ranked: RankedRows) -> Statistic:
    """Return the area under the ROC curve with the influence of each row; ties count half."""
    groups, positives, negatives = _count_groups(labels, ranked.order, ranked.score_ends)
    n_positive, n_negative = positives.sum(), negatives.sum()
    above = (np.cumsum(positives) - positives / 2) / n_positive
    below = (n_negative - np.cumsum(negatives) + negatives / 2) / n_negative
    value = float((positives * below).sum() / n_positive)
    influence = np.where(
        labels, (below[groups] - value) / n_positive, (above[groups] - value) / n_negative
    )
    return Statistic(value, 0.0, 0.0, influence, labels)


MEASURES: Mapping[str, Callable[[Bools, RankedRows], Statistic]] = {
    "AP": average_precision,
    "ROC AUC": roc_auc,
}


def _count_groups(labels: Bools, order: Ints, ends: Bools) -> tuple[Ints, Floats, Floats]:
    """Return the group of each row, and the positives and negatives of each group."""
    group_in_order: Ints = np.cumsum(ends) - ends
    groups = np.empty(len(order), np.intp)
    groups[order] = group_in_order
    n_groups = int(group_in_order[-1]) + 1
    positives = np.bincount(groups[labels], minlength=n_groups).astype(float)
    rows = np.bincount(groups, minlength=n_groups).astype(float)
    return groups, positives, rows - positives


def _threshold_terms(
    true_before: Floats, rows_before: Floats, positives: Floats, negatives: Floats
) -> Floats:
    """Return each group's precision at its end, times its positives."""
    rows = rows_before + positives + negatives
    return positives * (true_before + positives) / np.maximum(rows, 1)


def _expected_terms(
    true_before: Floats, rows_before: Floats, positives: Floats, negatives: Floats
) -> Floats:
    """Return each group's mean sum of precisions over all orders of its rows.

    The k-th row of a group of s rows is positive with probability p / s, and then has
    (p - 1) / (s - 1) times k - 1 positives of the group above it.
    """
    rows = positives + negatives
    slope = (positives - 1) / np.maximum(rows - 1, 1)
    harmonic = special.digamma(rows_before + rows + 1) - special.digamma(rows_before + 1)
    sums = (true_before + 1 - (rows_before + 1) * slope) * harmonic + slope * rows
    return np.where(positives > 0, positives / np.maximum(rows, 1) * sums, 0.0)


def _leave_one_out(
    terms: Terms, contributions: Floats, counts: tuple[Floats, Floats, Floats, Floats]
) -> tuple[Floats, Floats]:
    """Return AP without a positive, and without a negative, of each group.

    Values of groups without such a row, and of a single positive, have no meaning.
    """
    true_before, rows_before, positives, negatives = counts
    above = np.cumsum(contributions) - contributions
    fewer_true, fewer_rows = np.maximum(true_before - 1, 0), np.maximum(rows_before - 1, 0)
    after_positive = terms(fewer_true, fewer_rows, positives, negatives)
    after_negative = terms(true_before, fewer_rows, positives, negatives)
    own_positive = terms(true_before, rows_before, np.maximum(positives - 1, 0), negatives)
    own_negative = terms(true_before, rows_before, positives, np.maximum(negatives - 1, 0))
    below_positive = _sum_from_end(after_positive) - after_positive
    below_negative = _sum_from_end(after_negative) - after_negative
    n_positive = positives.sum()
    return (
        (above + own_positive + below_positive) / max(n_positive - 1, 1),
        (above + own_negative + below_negative) / n_positive,
    )


def _sum_from_end(values: Floats) -> Floats:
    return np.cumsum(values[::-1])[::-1]


def _weighted_mean(values: Floats, weights: Floats, otherwise: float) -> float:
    total = weights.sum()
    return float((values * weights).sum() / total) if total else otherwise


@dataclass(frozen=True, eq=False)
class BoundLimits:
    """Limits of a value of 0 or 1: those of n scores of that value."""

    method: ClassVar[str] = "moderated-logit-t"

    value: float
    n: int

    def limit(self, probability: float) -> Floats:
        """Return the confidence limit of a probability: a lower one up to 0.5, else an upper."""
        return self.limit_at(probability, "low" if probability <= 0.5 else "high")

    def limit_at(self, probability: float, side: Side) -> Floats:
        """Return the limit as the low or the high end of an interval."""
        if self.value < 0.5:
            return np.asarray(1 - (1 - probability) ** (1 / self.n) if side == "high" else 0.0)
        return np.asarray(probability ** (1 / self.n) if side == "low" else 1.0)


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


def fit_limits(
    statistic: Statistic, method: str, *, is_fixed: bool, resamples: Floats | None = None
) -> Limits:
    """Return the limits of a score; ``resamples`` are its values on resampled rows."""
    if resamples is not None:
        return _fit_bootstrap(statistic, method, resamples)
    value, n = statistic.value, statistic.smaller_class
    variance = statistic.variance(is_fixed=is_fixed)
    if n < MIN_ROWS:
        nothing = np.asarray(math.nan)
        if method == "logit-t":
            return LogitT(nothing, nothing, 1.0, (0.0, 1.0))
        return ModeratedLogitT(nothing, nothing, 1.0, (0.0, 1.0), math.nan)
    if method == "logit-t":
        with np.errstate(divide="ignore", invalid="ignore"):
            error = np.sqrt(variance) / np.asarray(value * (1 - value))
        usable = np.where(np.isfinite(error) & (error > 0), error, np.nan)
        return LogitT(special.logit(np.asarray(value)), usable, n - 1, (0.0, 1.0))
    if not ROUNDING < value < 1 - ROUNDING:
        return BoundLimits(value, n)
    bias = statistic.bias_within if is_fixed else statistic.bias
    keep = 1 - MAX_CORRECTION
    center = float(np.clip(value - bias, keep * value, 1 - keep * (1 - value)))
    product = max(center * (1 - center), ROUNDING**2)
    degrees = statistic.degrees_of_freedom
    relative = variance / product
    moderated = (PRIOR_WEIGHT * center / n + degrees * relative) / (PRIOR_WEIGHT + degrees)
    error = np.asarray(math.sqrt(max(relative, moderated) / product))
    return ModeratedLogitT(
        special.logit(np.asarray(center)),
        error,
        PRIOR_WEIGHT + degrees,
        (0.0, 1.0),
        center,
    )


def fit_difference(statistic: Statistic, *, is_fixed: bool) -> DifferenceLimits:
    """Return the limits of a difference; NaN where both classifiers have the same order."""
    variance = statistic.variance(is_fixed=is_fixed)
    if statistic.smaller_class < MIN_ROWS or not variance > 0:
        return DifferenceLimits(math.nan, math.nan, 1.0)
    bias = statistic.bias_within if is_fixed else statistic.bias
    return DifferenceLimits(
        statistic.value - bias, math.sqrt(variance), statistic.degrees_of_freedom
    )


def _fit_bootstrap(statistic: Statistic, method: str, resamples: Floats) -> Limits:
    """Return the limits of a bootstrap; resamples without a class have no value."""
    known = resamples[np.isfinite(resamples)]
    value = statistic.value
    if statistic.smaller_class < MIN_ROWS or not len(known):
        known = np.full(2, np.nan)
    ordered = sort_rows(known, np.asarray(False))
    if method == "percentile":
        return Percentile(ordered)
    fraction = (np.count_nonzero(known < value) + np.count_nonzero(known <= value)) / (
        2 * len(known)
    )
    bias = special.ndtri(fraction) if 0 < fraction < 1 else math.nan
    return Bca(ordered, np.asarray(bias), np.asarray(statistic.acceleration))
