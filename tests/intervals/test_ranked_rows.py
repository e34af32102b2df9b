"""AP and ROC AUC of one test set: values, influence of rows, bias, and limits."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

import naive
from irbounds.intervals.ranked_rows import (
    average_precision,
    fit_bca,
    fit_difference,
    fit_limits,
    rank_rows,
    roc_auc,
)
from irbounds.results.interval import compute_interval

#: random, tied, coarse and constant scores
ROUND = {"random": None, "tenths": 1, "integers": 0, "constant": -3}


def draw(seed: int, decimals: int | None, n: int = 40, prevalence: float = 0.4):
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < prevalence
    labels[:2], labels[2:4] = True, False
    scores = rng.normal(size=n) + labels
    return labels, scores if decimals is None else np.round(scores, decimals)


@pytest.mark.parametrize("decimals", ROUND.values(), ids=ROUND)
@pytest.mark.parametrize("seed", range(20))
def test_values_match_scikit_learn_and_naive(seed, decimals):
    labels, scores = draw(seed, decimals, n=5 + 7 * seed)
    ranked = rank_rows(scores)
    ap, auc = average_precision(labels, ranked).value, roc_auc(labels, ranked).value
    assert ap == pytest.approx(average_precision_score(labels, scores), abs=1e-12)
    assert auc == pytest.approx(roc_auc_score(labels, scores), abs=1e-12)
    columns = labels.tolist(), scores.tolist()
    assert ap == pytest.approx(naive.rows_average_precision(*columns), abs=1e-12)
    assert auc == pytest.approx(naive.rows_roc_auc(*columns), abs=1e-12)


@pytest.mark.parametrize("decimals", ROUND.values(), ids=ROUND)
def test_influence_is_the_derivative_by_the_weight_of_a_row(decimals):
    labels, scores = draw(3, decimals)
    ranked = rank_rows(scores)
    step, weights = 1e-6, np.ones(len(labels))
    for statistic, reference in (
        (average_precision(labels, ranked), average_precision_score),
        (roc_auc(labels, ranked), roc_auc_score),
    ):
        expected = [
            (
                reference(
                    labels, scores, sample_weight=weights + step * (weights.cumsum() == k + 1)
                )
                - statistic.value
            )
            / step
            for k in range(len(labels))
        ]
        assert statistic.influence == pytest.approx(np.array(expected), abs=1e-6)
        assert statistic.influence.sum() == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("decimals", ROUND.values(), ids=ROUND)
def test_bias_is_that_of_the_jackknife(decimals):
    labels, scores = draw(4, decimals)

    def value(some_labels, some_scores):
        return average_precision(np.array(some_labels), rank_rows(np.array(some_scores))).value

    statistic = average_precision(labels, rank_rows(scores))
    expected = naive.leave_one_out_bias(value, labels.tolist(), scores.tolist())
    assert statistic.bias == pytest.approx(expected, abs=1e-10)


# R 4.2, pROC 1.18: roc(label, a, direction = "<"); auc, var, cov, roc.test(method = "delong")
LABELS = np.array([1, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 0], dtype=bool)
FIRST = np.array([0.9, 0.8, 0.7, 0.7, 0.6, 0.5, 0.4, 0.3, 0.3, 0.2, 0.2, 0.1])
SECOND = np.array([0.5, 0.9, 0.8, 0.6, 0.6, 0.1, 0.7, 0.2, 0.4, 0.3, 0.3, 0.1])
PROC = {"first": (0.7, 0.0295918367346939), "second": (0.742857142857143, 0.0243197278911565)}
PROC_Z = -0.322251693317745


def test_auc_and_its_difference_match_proc():
    first, second = (roc_auc(LABELS, rank_rows(s)) for s in (FIRST, SECOND))
    for statistic, (value, variance) in zip((first, second), PROC.values(), strict=True):
        assert statistic.value == pytest.approx(value, abs=1e-14)
        assert statistic.variance == pytest.approx(variance, abs=1e-14)
    difference = first - second
    z = difference.value / math.sqrt(difference.variance)
    assert z == pytest.approx(PROC_Z, abs=1e-13)


@pytest.mark.parametrize("decimals", ROUND.values(), ids=ROUND)
def test_auc_variance_matches_naive(decimals):
    labels, scores = draw(8, decimals)
    _, others = draw(9, decimals)
    one, other = (roc_auc(labels, rank_rows(s)) for s in (scores, others))
    columns = labels.tolist(), scores.tolist(), others.tolist()
    variance = naive.delong_covariance(columns[0], columns[1], columns[1])
    assert one.variance == pytest.approx(variance, abs=1e-14)
    expected = (
        variance
        + naive.delong_covariance(columns[0], columns[2], columns[2])
        - 2 * naive.delong_covariance(*columns)
    )
    assert (one - other).variance == pytest.approx(expected, abs=1e-13)


def compute(limits):
    return compute_interval(limits, 0.95, "two-sided", (0.0, 1.0))


def test_default_interval_is_the_formula():
    labels, scores = draw(10, None)
    statistic = average_precision(labels, rank_rows(scores))
    n, m = len(labels), min(labels.sum(), (~labels).sum())
    u = statistic.influence
    center = statistic.value - statistic.bias
    nu = min(m - 1, (u**2).sum() ** 2 / (u**4).sum() - 1)
    h = n / (n - 1) * (u**2).sum() / (center * (1 - center))
    moderated = max(h, (2 * center / m + nu * h) / (2 + nu))
    from scipy import special, stats

    t = stats.t.ppf(0.975, 2 + nu)
    width = t * math.sqrt(moderated / (center * (1 - center)))
    expected = special.expit(special.logit(center) + np.array([-width, width]))
    assert tuple(compute(fit_limits(statistic))) == pytest.approx(tuple(expected), rel=1e-12)


def test_perfect_and_reversed_orders_have_an_interval():
    labels = np.arange(40) < 10
    perfect = average_precision(labels, rank_rows(-np.arange(40.0)))
    assert tuple(compute(fit_limits(perfect))) == pytest.approx((0.025**0.1, 1.0))
    reverse = roc_auc(labels, rank_rows(np.arange(40.0)))
    assert tuple(compute(fit_limits(reverse))) == pytest.approx((0.0, 1 - 0.025**0.1))


def test_one_row_of_a_class_has_no_interval():
    labels = np.arange(9) < 1
    statistic = average_precision(labels, rank_rows(np.random.default_rng(1).normal(size=9)))
    for limits in (fit_limits(statistic), fit_bca(statistic, np.linspace(0.1, 0.9, 50))):
        assert np.isnan([*compute(limits)]).all()


def test_bca_leaves_out_resamples_without_a_class():
    labels, scores = draw(11, None)
    statistic = average_precision(labels, rank_rows(scores))
    values = np.linspace(0.7, 1.0, 999)
    expected = compute(fit_bca(statistic, values))
    assert expected.low < statistic.value < expected.high
    assert compute(fit_bca(statistic, np.r_[values, np.nan])) == expected


def test_same_order_has_no_test():
    labels, scores = draw(12, None)
    first = average_precision(labels, rank_rows(scores))
    second = average_precision(labels, rank_rows(np.exp(scores)))
    limits = fit_difference(first - second)
    assert math.isnan(limits.p_value)
