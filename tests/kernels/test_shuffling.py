"""Shuffling against its twin, and every order with the same chance."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from scipy import stats

import naive
from irbounds.resampling._kernels import add_shuffled


def words_for(n_queries, n_draws, n_systems, seed=3):
    size = (n_queries, n_draws, n_systems // 2)
    return np.random.default_rng(seed).integers(0, 2**64, size=size, dtype=np.uint64)


@pytest.mark.parametrize("n_systems", [1, 2, 3, 4, 5, 8, 111])
def test_equal_to_the_twin(n_systems):
    rows = np.random.default_rng(1).random((4, n_systems))
    words = words_for(4, 3, n_systems)
    sums = np.zeros((3, n_systems))
    expected = np.zeros_like(sums)
    for q, row in enumerate(rows.tolist()):
        for r in range(3):
            row = naive.shuffled(row, [int(word) for word in words[q, r]])
            expected[r] += row
    add_shuffled(rows.copy(), words, sums)
    np.testing.assert_allclose(sums, expected, rtol=1e-14)


def test_the_first_and_the_last_number_are_within_reach():
    rows = np.array([[1.0, 2.0, 3.0]])
    for word, expected in ((0, [2, 3, 1]), (2**64 - 1, [1, 2, 3])):
        sums = np.zeros((1, 3))
        add_shuffled(rows.copy(), np.full((1, 1, 1), word, np.uint64), sums)
        assert sums[0].tolist() == expected


def orders(shuffle, n_draws=24_000):
    found = Counter(shuffle(k) for k in range(n_draws))
    return [found[order] for order in itertools.permutations((1.0, 2.0, 3.0, 4.0))]


def test_every_order_has_the_same_chance():
    # false alarm below 1 in 10,000
    words = words_for(1, 24_000, 4)

    def by_kernel(k):
        sums = np.zeros((1, 4))
        add_shuffled(np.array([[1.0, 2.0, 3.0, 4.0]]), words[:, k : k + 1], sums)
        return tuple(sums[0])

    assert stats.chisquare(orders(by_kernel)).pvalue > 1e-4

    # the well-known mistake, as negative control: every swap with any place at all
    rng = np.random.default_rng(5)

    def wrongly(_):
        row = [1.0, 2.0, 3.0, 4.0]
        for last, place in zip((3, 2, 1), rng.integers(0, 4, 3), strict=True):
            row[place], row[last] = row[last], row[place]
        return tuple(row)

    assert stats.chisquare(orders(wrongly)).pvalue < 1e-9
