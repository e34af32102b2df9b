"""AP and ROC AUC of one test set: values, influence of rows, bias, and limits."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

import irbounds
import naive
from irbounds.intervals.ranked_rows import (
    BOOTSTRAPS,
    average_precision,
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
    ranked = rank_rows(labels, scores)
    ap, auc = average_precision(labels, ranked).value, roc_auc(labels, ranked).value
    assert ap == pytest.approx(average_precision_score(labels, scores), abs=1e-12)
    assert auc == pytest.approx(roc_auc_score(labels, scores), abs=1e-12)
    columns = labels.tolist(), scores.tolist()
    assert ap == pytest.approx(naive.rows_average_precision(*columns), abs=1e-12)
    assert auc == pytest.approx(naive.rows_roc_auc(*columns), abs=1e-12)


@pytest.mark.parametrize("decimals", ROUND.values(), ids=ROUND)
def test_influence_is_the_derivative_by_the_weight_of_a_row(decimals):
    labels, scores = draw(3, decimals)
    ranked = rank_rows(labels, scores)
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
@pytest.mark.parametrize("ties", ["threshold", "expected", "worst", "best"])
def test_bias_is_that_of_the_jackknife(decimals, ties):
    labels, scores = draw(4, decimals)

    def value(some_labels, some_scores):
        kept = np.array(some_labels)
        return average_precision(kept, rank_rows(kept, np.array(some_scores), ties)).value

    statistic = average_precision(labels, rank_rows(labels, scores, ties))
    expected = naive.leave_one_out_bias(value, labels.tolist(), scores.tolist())
    assert statistic.bias == pytest.approx(expected, abs=1e-10)


def test_orders_of_ties():
    labels = np.array([True, False, False, True, False, True])
    scores = np.array([0.9, 0.5, 0.5, 0.5, 0.5, 0.1])
    values = []
    for order in itertools.permutations(range(1, 5)):
        noise = dict(zip(order, range(4), strict=True))
        broken = [score + 0.01 * noise.get(k, 0) for k, score in enumerate(scores.tolist())]
        values.append(average_precision_score(labels, broken))
    by_rule = {
        ties: average_precision(labels, rank_rows(labels, scores, ties)).value
        for ties in ("worst", "best", "expected")
    }
    assert by_rule == pytest.approx(
        {"worst": min(values), "best": max(values), "expected": np.mean(values)}, abs=1e-12
    )


@pytest.mark.parametrize("ties", ["trec", "expected", "worst", "best"])
@pytest.mark.parametrize("decimals", ROUND.values(), ids=ROUND)
def test_rules_are_those_of_score(ties, decimals):
    labels, scores = draw(6, decimals)
    ids = [f"d{k}" for k in range(len(labels))]
    judged = {"q": dict(zip(ids, map(int, labels), strict=True))}
    run = {"q": dict(zip(ids, scores.tolist(), strict=True))}
    expected = irbounds.score(judged, {"run": run}, "AP", ties=ties).values.item()
    value = average_precision(labels, rank_rows(labels, scores, ties, ids)).value
    assert value == pytest.approx(expected, abs=1e-12)


# R 4.2, pROC 1.18: roc(label, a, direction = "<"); auc, var, cov, roc.test(method = "delong")
LABELS = np.array([1, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 0], dtype=bool)
FIRST = np.array([0.9, 0.8, 0.7, 0.7, 0.6, 0.5, 0.4, 0.3, 0.3, 0.2, 0.2, 0.1])
SECOND = np.array([0.5, 0.9, 0.8, 0.6, 0.6, 0.1, 0.7, 0.2, 0.4, 0.3, 0.3, 0.1])
PROC = {"first": (0.7, 0.0295918367346939), "second": (0.742857142857143, 0.0243197278911565)}
PROC_Z = -0.322251693317745


def test_auc_and_its_difference_match_proc():
    first, second = (roc_auc(LABELS, rank_rows(LABELS, s)) for s in (FIRST, SECOND))
    for statistic, (value, variance) in zip((first, second), PROC.values(), strict=True):
        assert statistic.value == pytest.approx(value, abs=1e-14)
        assert statistic.variance(is_fixed=True) == pytest.approx(variance, abs=1e-14)
    difference = first - second
    z = difference.value / math.sqrt(difference.variance(is_fixed=True))
    assert z == pytest.approx(PROC_Z, abs=1e-13)


@pytest.mark.parametrize("decimals", ROUND.values(), ids=ROUND)
def test_auc_variance_matches_naive(decimals):
    labels, scores = draw(8, decimals)
    _, others = draw(9, decimals)
    one, other = (roc_auc(labels, rank_rows(labels, s)) for s in (scores, others))
    columns = labels.tolist(), scores.tolist(), others.tolist()
    variance = naive.delong_covariance(columns[0], columns[1], columns[1])
    assert one.variance(is_fixed=True) == pytest.approx(variance, abs=1e-14)
    expected = (
        variance
        + naive.delong_covariance(columns[0], columns[2], columns[2])
        - 2 * naive.delong_covariance(*columns)
    )
    assert (one - other).variance(is_fixed=True) == pytest.approx(expected, abs=1e-13)


def interval_of(labels, scores, method="moderated-logit-t", **options):
    statistic = average_precision(labels, rank_rows(labels, scores))
    limits = fit_limits(statistic, method, is_fixed=False, **options)
    return compute_interval(limits, 0.95, "two-sided", (0.0, 1.0))


def test_default_interval_is_the_formula():
    labels, scores = draw(10, None)
    statistic = average_precision(labels, rank_rows(labels, scores))
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
    assert tuple(interval_of(labels, scores)) == pytest.approx(tuple(expected), rel=1e-12)


def test_perfect_and_reversed_orders_have_an_interval():
    labels = np.arange(40) < 10
    interval = interval_of(labels, -np.arange(40.0))
    assert tuple(interval) == pytest.approx((0.025**0.1, 1.0))
    statistic = roc_auc(labels, rank_rows(labels, np.arange(40.0)))
    limits = fit_limits(statistic, "moderated-logit-t", is_fixed=True)
    reversed_order = compute_interval(limits, 0.95, "two-sided", (0.0, 1.0))
    assert tuple(reversed_order) == pytest.approx((0.0, 1 - 0.025**0.1))


@pytest.mark.parametrize("method", ["moderated-logit-t", "logit-t", *BOOTSTRAPS])
def test_one_row_of_a_class_has_no_interval(method):
    labels = np.arange(9) < 1
    values = np.linspace(0.1, 0.9, 50) if method in BOOTSTRAPS else None
    interval = interval_of(
        labels, np.random.default_rng(1).normal(size=9), method, resamples=values
    )
    assert math.isnan(interval.low)
    assert math.isnan(interval.high)


def test_bootstrap_limits_leave_out_resamples_without_a_class():
    labels, scores = draw(11, None)
    values = np.r_[np.linspace(0.2, 0.8, 999), np.nan]
    interval = interval_of(labels, scores, "percentile", resamples=values)
    assert tuple(interval) == pytest.approx((0.215, 0.785))


def test_same_order_has_no_test():
    labels, scores = draw(12, None)
    first = average_precision(labels, rank_rows(labels, scores))
    second = average_precision(labels, rank_rows(labels, np.exp(scores)))
    limits = fit_difference(first - second, is_fixed=False)
    assert math.isnan(limits.p_value)


def test_fixed_prevalence_has_a_smaller_variance():
    labels, scores = draw(13, None)
    statistic = average_precision(labels, rank_rows(labels, scores))
    assert statistic.variance(is_fixed=True) < statistic.variance(is_fixed=False)
