"""Limits for two uncertain strata: equal to brute force, monotone orders, nested levels."""

import itertools

import numpy as np
import pytest

import naive
from irbounds.samples.buehler import _find_thresholds, _make_order, _Range
from irbounds.samples.counts import make_counts
from irbounds.samples.uncertain_strata import (
    elusion_ratio,
    f1_ratio,
    make_problem,
    precision_ratio,
    recall_ratio,
    total_ratio,
)
from recall_calls import estimate_recall, segments


def exact_recall(retrieved, unretrieved, alternative, level):
    result = estimate_recall(
        retrieved=retrieved,
        unretrieved=unretrieved,
        method="exact",
        alternative=alternative,
        confidence_level=level,
    )
    return result.interval


@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
@pytest.mark.parametrize("side", ["low", "high"])
def test_limits_are_those_of_brute_force(side):
    generator = np.random.default_rng(20)
    alternative = "greater" if side == "low" else "less"
    for _ in range(60):
        N1, N0 = (int(n) for n in generator.integers(2, 15, 2))
        n1, n0 = int(generator.integers(1, N1)), int(generator.integers(1, N0))
        x1, x0 = int(generator.integers(0, n1 + 1)), int(generator.integers(0, n0 + 1))
        level = float(generator.choice([0.8, 0.95, 0.99]))
        counts = (N1, n1, x1), (N0, n0, x0)
        expected = naive.exact_limit_of_recall(*counts, 1 - level, side)
        interval = exact_recall(*counts, alternative, level)
        assert getattr(interval, side) == pytest.approx(expected, abs=1e-12), (counts, level)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    "ratio",
    [recall_ratio(), recall_ratio(3), f1_ratio(50), total_ratio()],
    ids=["recall", "credited", "F1", "yield"],
)
def test_order_increases_with_both_counts(ratio, sign):
    """Otherwise the region of a sample would not be one that grows with the evidence."""
    designs = [(50, 10, 300, 40), (60, 59, 90, 2), (40, 2, 4000, 900), (2000, 500, 10**6, 3000)]
    for N1, n1, N0, n0 in designs:
        for x1, x0 in ((0, 0), (n1 // 2, 1), (n1, n0)):
            counts = make_counts(segments((N1, n1, x1), (N0, n0, x0)))
            problem = make_problem(counts, ratio, sign)
            first, second = (_Range(part, 1e-6) for part in problem.parts)
            height = _make_order(problem, first, second)
            places = np.arange(min(len(first.counts), 60))
            others = np.arange(min(len(second.counts), 60))
            grid = np.array([height(places, np.full_like(places, other)) for other in others])
            assert (np.diff(grid, axis=0) > 0).all(), (ratio, N1, n1, N0, n0)
            assert (np.diff(grid, axis=1) > 0).all(), (ratio, N1, n1, N0, n0)


def test_thresholds_contain_the_observed_sample():
    for x1, x0 in itertools.product((0, 3, 10), (0, 2, 20)):
        counts = make_counts(segments((50, 10, x1), (300, 20, x0)))
        problem = make_problem(counts, recall_ratio(), 1)
        first, second = (_Range(part, 1e-6) for part in problem.parts)
        thresholds = _find_thresholds(problem, first, second)
        place = second.part.count - second.first
        assert first.part.count - first.first == thresholds[place]
        assert (np.diff(thresholds) <= 0).all()


def test_limits_of_different_levels_are_nested():
    counts = (5000, 500, 100), (95_000, 1500, 5)
    lows = [exact_recall(*counts, "greater", level).low for level in (0.5, 0.8, 0.9, 0.95, 0.999)]
    highs = [exact_recall(*counts, "less", level).high for level in (0.5, 0.8, 0.9, 0.95, 0.999)]
    assert lows == sorted(lows, reverse=True)
    assert highs == sorted(highs)


def test_limits_are_close_to_those_of_the_posterior():
    """The guarantee costs little: measured when the order was chosen."""
    for counts, expected in [
        (((5000, 500, 100), (95_000, 1500, 5)), 0.6116),
        (((50_000, 1500, 800), (950_000, 3000, 5)), 0.8928),
        (((2000, 100, 50), (100_000, 100, 3)), 0.1229),
    ]:
        low = exact_recall(*counts, "greater", 0.95).low
        assert low == pytest.approx(expected, abs=5e-5)
        posterior = estimate_recall(
            retrieved=counts[0], unretrieved=counts[1], alternative="greater"
        )
        assert posterior.interval.low - 0.01 < low <= posterior.interval.low


def test_ratios():
    assert recall_ratio(2).values(10, 5) == pytest.approx(12 / 15)
    assert precision_ratio(20, 2).values(10, 5) == pytest.approx(12 / 22)
    assert elusion_ratio(100, 2).values(10, 5) == pytest.approx(3 / 98)
    # recall 12/15 and precision 12/22
    assert f1_ratio(20, 2).values(10, 5) == pytest.approx(2 * 12 / (15 + 22))
    assert total_ratio(3).values(10, 5) == 5
    assert np.isnan(recall_ratio().values(0, 0))


def test_limits_are_not_below_those_of_two_separate_limits():
    """Bonferroni: a lower limit of R1 and an upper limit of R0, at half the error each."""
    generator = np.random.default_rng(3)
    for _ in range(40):
        N1, N0 = (int(n) for n in np.exp(generator.uniform(np.log(50), np.log(50_000), 2)))
        n1, n0 = (int(generator.integers(5, min(N, 800))) for N in (N1, N0))
        x1, x0 = int(generator.integers(1, n1 + 1)), int(generator.integers(0, min(n0, 8)))
        counts = make_counts(segments((N1, n1, x1), (N0, n0, x0)))
        first, second = make_problem(counts, recall_ratio(), 1).parts
        low, high = first.least(0.025), N0 - second.least(0.025)
        exact = exact_recall((N1, n1, x1), (N0, n0, x0), "greater", 0.95).low
        assert exact >= low / (low + high), (N1, n1, x1, N0, n0, x0)
