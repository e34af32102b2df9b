"""Limits for three uncertain strata or more: never beyond brute force, and near it."""

import numpy as np
import pytest

import naive
from irbounds.results import Stratum
from irbounds.samples.counts import make_counts
from irbounds.samples.uncertain_strata import make_problem, recall_ratio
from irbounds.samples.weighted_fisher import _choose_weights, find_critical_value
from recall_calls import estimate_recall


def make_strata(rows):
    return [Stratum(str(place), bool(r), N, n, x) for place, (r, N, n, x) in enumerate(rows)]


@pytest.mark.parametrize("weights", [[1.0], [1.0, 1.0, 1.0], [1.0, 0.3, 0.05, 0.05], [2.0, 1.0]])
@pytest.mark.parametrize("alpha", [0.2, 0.05, 0.001])
def test_critical_value_has_its_probability(weights, alpha):
    value = find_critical_value(np.array(weights), alpha)
    generator = np.random.default_rng(5)
    draws = generator.exponential(size=(400_000, len(weights))) @ np.array(weights)
    # 4.9 standard errors: a false alarm in one of a million tests
    error = 4.9 * np.sqrt(alpha * (1 - alpha) / len(draws))
    assert abs((draws > value).mean() - alpha) < error


def test_critical_value_of_equal_weights_is_chi_square():
    from scipy.stats import chi2

    for k in (1, 3, 12):
        value = find_critical_value(np.ones(k), 0.05)
        assert 2 * value == pytest.approx(chi2.ppf(0.95, 2 * k), rel=1e-9)


@pytest.mark.parametrize("side", ["low", "high"])
def test_limits_are_valid_bounds_of_brute_force(side):
    """Duality gives a bound: never above the minimum, and here within 0.05 of it."""
    generator = np.random.default_rng(8)
    alternative = "greater" if side == "low" else "less"
    gaps = []
    for _ in range(25):
        rows = []
        for retrieved in (1, 0, int(generator.integers(0, 2))):
            N = int(generator.integers(4, 11))
            n = int(generator.integers(2, N))
            rows.append((retrieved, N, n, int(generator.integers(0, n + 1))))
        strata = make_strata(rows)
        problem = make_problem(make_counts(strata), recall_ratio(), 1 if side == "low" else -1)
        weights = _choose_weights(problem)
        critical = find_critical_value(weights, 0.1)
        expected = naive.fisher_limit_of_recall(rows, weights.tolist(), critical, side)
        result = estimate_recall(
            strata, method="exact", alternative=alternative, confidence_level=0.9
        )
        gap = expected - result.interval.low if side == "low" else result.interval.high - expected
        assert gap > -1e-9, rows
        gaps.append(gap)
    assert np.mean(gaps) < 0.02
    assert max(gaps) < 0.2  # yields of few documents are far apart


def test_large_strata_are_tabulated_in_part():
    """With more yields tabulated, the limit would be larger by less than 0.002."""
    from irbounds.samples import weighted_fisher

    rows = [(1, 20_000, 200, 120), (0, 200_000, 400, 3), (0, 100_000, 300, 2)]
    strata = make_strata(rows)
    limits = []
    for points in (1024, 16_384):
        weighted_fisher._tabulate_surprise.cache_clear()
        original, weighted_fisher.MAX_POINTS = weighted_fisher.MAX_POINTS, points
        try:
            limits.append(
                estimate_recall(strata, method="exact", alternative="greater").interval.low
            )
        finally:
            weighted_fisher.MAX_POINTS = original
            weighted_fisher._tabulate_surprise.cache_clear()
    assert limits[0] <= limits[1] < limits[0] + 0.002


def test_order_of_strata_does_not_matter():
    rows = [(1, 800, 60, 55), (1, 1200, 60, 9), (0, 12_000, 100, 6), (0, 88_000, 100, 0)]
    first = estimate_recall(make_strata(rows), method="exact").interval
    second = estimate_recall(make_strata(rows[::-1]), method="exact").interval
    assert (first.low, first.high) == pytest.approx((second.low, second.high), abs=1e-9)


def test_critical_value_at_high_levels_is_found_quickly():
    """The series ends although rounding keeps its sum from 1: it once ran to 20,000 terms."""
    from irbounds.samples import weighted_fisher

    weights = np.array([1.0, 0.31, 0.05])
    for alpha in (1e-3, 5e-4, 1e-6):
        value = find_critical_value(weights, alpha)
        # hypoexponential tail, by partial fractions
        tail = sum(
            np.prod([w / (w - v) for v in weights if v != w]) * np.exp(-value / w) for w in weights
        )
        assert tail == pytest.approx(alpha, rel=1e-4)
    assert weighted_fisher.MAX_TERMS <= 5000
