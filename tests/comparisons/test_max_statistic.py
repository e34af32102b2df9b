"""The randomised Tukey adjustment: its twin, and the sign-flip test where there are two systems."""

from __future__ import annotations

import numpy as np
import pytest

import naive
from irbounds import execution
from irbounds.comparisons.max_statistic import max_statistic
from irbounds.comparisons.pairs import pair_systems
from irbounds.comparisons.sign_flip import sign_flip
from irbounds.resampling.label_shuffles import shuffle_labels

SCORES = np.random.default_rng(3).beta(0.6, 2, size=(5, 20)) + np.array([[0, 0.1, 0.2, 0, 0.05]]).T


def shuffled_means(scores, n, seed):
    """Every draw's means; the statistic that is asked for hands them over."""
    seen = {}

    def keep(means):
        seen[len(seen)] = means.copy()
        return means[:, 0]

    with execution(threads=1):
        shuffle_labels(scores, n, seed, keep)
    return np.vstack([seen[k] for k in range(len(seen))])[:n]


def test_all_pairs_are_held_against_the_range(table, plan):
    (pairs,) = pair_systems(table(SCORES), None)
    found = max_statistic(pairs, plan(n_resamples=200, seed=7))
    drawn = [max(means) - min(means) for means in shuffled_means(SCORES, 200, 7)]
    expected = [naive.drawn_p_value(drawn, mean) for mean in pairs.means]
    assert found.tolist() == expected
    assert len(set(found)) > 5


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_a_baseline_is_held_against_the_largest_difference_from_it(table, plan, alternative):
    (pairs,) = pair_systems(table(SCORES), "s2")
    found = max_statistic(pairs, plan(alternative, n_resamples=200, seed=7))
    drawn = []
    for means in shuffled_means(SCORES, 200, 7):
        others = [mean - means[2] for k, mean in enumerate(means) if k != 2]
        side = {"two-sided": lambda d: abs(d), "greater": lambda d: d, "less": lambda d: -d}
        drawn.append(max(map(side[alternative], others)))
    sign = -1 if alternative == "less" else 1
    observed = [abs(m) if alternative == "two-sided" else sign * m for m in pairs.means]
    assert found.tolist() == [naive.drawn_p_value(drawn, one, "greater") for one in observed]


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_with_two_systems_it_is_the_sign_flip_test(table, plan, alternative):
    # scores in tenths, so that ties with the observed mean have a large share; 4 sigma of 20,000
    rng = np.random.default_rng(12)
    for _ in range(5):
        (pairs,) = pair_systems(table(rng.integers(0, 7, (2, 12)) / 10), "s0")
        exact = sign_flip(pairs, plan(alternative)).values
        found = max_statistic(pairs, plan(alternative, n_resamples=20_000))
        error = 4 * np.sqrt(exact * (1 - exact) / 20_000) + 1e-4
        assert (np.abs(found - exact) < error).all()


def test_equal_systems_have_the_p_value_one(table, plan):
    (pairs,) = pair_systems(table(np.tile(SCORES[:1], (3, 1))), None)
    assert max_statistic(pairs, plan()).tolist() == [1.0, 1.0, 1.0]
    (pairs,) = pair_systems(
        table(np.zeros((3, 20))), None
    )  # where there is no rounding to allow for
    assert max_statistic(pairs, plan()).tolist() == [1.0, 1.0, 1.0]


def test_a_draw_as_large_but_for_rounding_is_a_hit(table, plan):
    # one query: any shuffle has the same range, so the largest difference is always reached
    (pairs,) = pair_systems(table([[0.3], [0.1], [0.7]]), None)
    assert max_statistic(pairs, plan()).tolist()[1] == 1.0


def test_the_progress_is_told(table, plan):
    calls = []
    (pairs,) = pair_systems(table(SCORES), None)
    max_statistic(pairs, plan(n_resamples=100, progress=lambda *done: calls.append(done)))
    assert calls == [(k, 100) for k in (16, 32, 48, 64, 80, 96, 100)]
