"""The max-statistic, against naive code and the sign-flip test of two systems."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import naive
from irbounds import execution
from irbounds.comparisons import max_statistic as module
from irbounds.comparisons.adjustments import is_undecided
from irbounds.comparisons.max_statistic import find_uncertain_differences
from irbounds.comparisons.max_statistic import max_statistic as compute_max_statistic
from irbounds.comparisons.pairs import PValues, pair_systems
from irbounds.comparisons.sign_flip import sign_flip
from irbounds.resampling.label_shuffles import shuffle_labels

SCORES = np.random.default_rng(3).beta(0.6, 2, size=(5, 20)) + np.array([[0, 0.1, 0.2, 0, 0.05]]).T


def max_statistic(pairs, plan):
    """Return the adjusted p-values only."""
    return compute_max_statistic(pairs, plan)[0].values


def collect_shuffled_means(scores, n, seed):
    """Return the means of every draw, collected by the statistic."""
    calls = {}

    def keep(means):
        calls[len(calls)] = means.copy()
        return means[:, 0]

    with execution(threads=1):
        shuffle_labels(scores, n, seed, keep)
    return np.vstack([calls[k] for k in range(len(calls))])[:n]


def test_max_statistic_of_all_pairs_is_the_range(table, plan):
    (pairs,) = pair_systems(table(SCORES), None)
    actual = max_statistic(pairs, plan(n_resamples=200, seed=7))
    drawn = [max(means) - min(means) for means in collect_shuffled_means(SCORES, 200, 7)]
    expected = [naive.drawn_p_value(drawn, mean) for mean in pairs.means]
    assert actual.tolist() == expected
    assert len(set(actual)) > 5


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_max_statistic_with_a_baseline_is_the_largest_difference(table, plan, alternative):
    (pairs,) = pair_systems(table(SCORES), "s2")
    actual = max_statistic(pairs, plan(alternative, n_resamples=200, seed=7))
    drawn = []
    for means in collect_shuffled_means(SCORES, 200, 7):
        others = [mean - means[2] for k, mean in enumerate(means) if k != 2]
        side = {"two-sided": lambda d: abs(d), "greater": lambda d: d, "less": lambda d: -d}
        drawn.append(max(map(side[alternative], others)))
    sign = -1 if alternative == "less" else 1
    observed = [abs(m) if alternative == "two-sided" else sign * m for m in pairs.means]
    assert actual.tolist() == [naive.drawn_p_value(drawn, row, "greater") for row in observed]


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_max_statistic_of_two_systems_is_the_sign_flip_test(table, plan, alternative):
    # scores in tenths, so that ties with the observed mean have a large fraction; 4 sigma of 20,000
    rng = np.random.default_rng(12)
    for _ in range(5):
        (pairs,) = pair_systems(table(rng.integers(0, 7, (2, 12)) / 10), "s0")
        exact = sign_flip(pairs, plan(alternative)).values
        actual = max_statistic(pairs, plan(alternative, n_resamples=20_000))
        error = 4 * np.sqrt(exact * (1 - exact) / 20_000) + 1e-4
        assert (np.abs(actual - exact) < error).all()


def test_max_statistic_of_equal_systems_is_one(table, plan):
    (pairs,) = pair_systems(table(np.tile(SCORES[:1], (3, 1))), None)
    assert max_statistic(pairs, plan()).tolist() == [1.0, 1.0, 1.0]
    (pairs,) = pair_systems(
        table(np.zeros((3, 20))), None
    )  # where there is no rounding to allow for
    assert max_statistic(pairs, plan()).tolist() == [1.0, 1.0, 1.0]


def test_max_statistic_counts_draws_equal_up_to_rounding(table, plan):
    # one query: any shuffle has the same range, so the largest difference is always reached
    (pairs,) = pair_systems(table([[0.3], [0.1], [0.7]]), None)
    assert max_statistic(pairs, plan()).tolist()[1] == 1.0


def test_max_statistic_progress(table, plan):
    calls = []
    (pairs,) = pair_systems(table(SCORES), None)
    max_statistic(pairs, plan(n_resamples=100, progress=lambda *done: calls.append(done)))
    assert calls == [(k, 100) for k in (16, 32, 48, 64, 80, 96, 100)]


def test_max_statistic_shuffles_until_decisions_are_certain(table, plan, monkeypatch):
    # two groups of equal systems far apart: 9 pairs differ, and 6 have p-values around 0.5
    scores = np.random.default_rng(5).normal(0, 1, (6, 40)) + np.repeat([[0.0], [9.0]], 3, axis=0)
    (pairs,) = pair_systems(table(scores), None)
    default = replace(plan(), n_shuffles=None)
    monkeypatch.setattr(module, "DRAWS", 39)
    p, n_shuffles = compute_max_statistic(pairs, default)
    assert not is_undecided(p.low, p.high, 0.05).any()
    assert n_shuffles == 40 * 4 * 4 - 1  # no hit among 159 could still be 0.05
    assert compute_max_statistic(pairs, plan(n_resamples=39))[1] == 39
    monkeypatch.setattr(module, "MAX_SWAPS", 159 * scores.size)
    p, n_shuffles = compute_max_statistic(pairs, default)
    assert n_shuffles == 159
    assert is_undecided(p.low, p.high, 0.05).any()


@pytest.mark.parametrize("n", [39, 500])
def test_uncertain_differences_are_those_whose_limits_contain_the_level(n):
    largest = np.sort(np.random.default_rng(n).integers(0, 200, n) / 10)  # with ties
    low, high = find_uncertain_differences(largest, 0.05)
    for difference in np.arange(-1, 22, 0.05):
        hits = np.array([np.count_nonzero(largest >= difference)])
        p = PValues.from_hits(hits, n)
        assert is_undecided(p.low, p.high, 0.05)[0] == (low < difference <= high)
