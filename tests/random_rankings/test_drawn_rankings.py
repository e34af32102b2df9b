"""Random choices of ranks are uniform, and the test of that can fail."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.special import chdtrc

from irbounds.random_rankings.drawn_rankings import (
    choose_ordered_places,
    choose_places,
    shuffle_places,
)

#: probability of a false alarm of each test of a uniform choice
ALARM = 1e-5
N_CELLS = 60_000


def cells_of(size, limit):
    return np.full(N_CELLS, size), np.full(N_CELLS, limit)


def tail_of_chi_square(rows, outcomes):
    """Return the p-value of the counts if all outcomes are equally likely."""
    place = {outcome: k for k, outcome in enumerate(outcomes)}
    counts = np.zeros(len(outcomes))
    for row, times in zip(*np.unique(rows, axis=0, return_counts=True), strict=True):
        counts[place[tuple(row.tolist())]] = times
    expected = len(rows) / len(outcomes)
    return chdtrc(len(outcomes) - 1, ((counts - expected) ** 2 / expected).sum())


@pytest.mark.parametrize(("size", "limit"), [(1, 4), (2, 5), (3, 6), (4, 5), (5, 6)])
def test_all_choices_are_equally_likely(size, limit):
    outcomes = list(itertools.combinations(range(limit), size))
    generator = np.random.default_rng(20_151)
    drawn = choose_places(generator, *cells_of(size, limit)).reshape(-1, size)
    assert tail_of_chi_square(drawn, outcomes) > ALARM
    shuffled = shuffle_places(generator, np.full(N_CELLS, size), limit).reshape(-1, size)
    assert tail_of_chi_square(shuffled, outcomes) > ALARM


@pytest.mark.parametrize(("size", "limit"), [(1, 4), (2, 5), (3, 5), (4, 4)])
def test_all_orders_are_equally_likely(size, limit):
    outcomes = list(itertools.permutations(range(limit), size))
    generator = np.random.default_rng(20_152)
    drawn = choose_ordered_places(generator, *cells_of(size, limit)).reshape(-1, size)
    assert tail_of_chi_square(drawn, outcomes) > ALARM


def test_biased_replacement_of_duplicates_is_detected():
    """The negative control: duplicates go to the next free place."""
    generator = np.random.default_rng(20_153)
    drawn = np.sort(generator.integers(0, 5, (N_CELLS, 2)), axis=1)
    twice = drawn[:, 0] == drawn[:, 1]
    drawn[twice, 1] = (drawn[twice, 0] + 1) % 5
    rows = np.sort(drawn, axis=1)
    assert tail_of_chi_square(rows, list(itertools.combinations(range(5), 2))) < ALARM


def test_cells_of_different_sizes():
    generator = np.random.default_rng(20_154)
    sizes = np.array([0, 3, 1, 0, 40, 2, 0])
    limits = np.array([5, 3, 10**15, 0, 60, 10**12, 1])
    for places, ordered in [
        (choose_places(generator, sizes, limits), True),
        (choose_ordered_places(generator, sizes, limits), False),
    ]:
        assert len(places) == sizes.sum()
        for cell, row in enumerate(np.split(places, np.cumsum(sizes)[:-1])):
            assert len(set(row.tolist())) == sizes[cell]
            assert ((row >= 0) & (row < limits[cell])).all()
            assert not ordered or (np.diff(row) > 0).all()


def test_places_of_large_limits_are_uniform():
    # 4.42 standard errors are left by chance once in 100,000 times
    sizes, limits = np.full(400, 100), np.full(400, 10**13)
    places = choose_places(np.random.default_rng(20_155), sizes, limits)
    error = 10**13 / math.sqrt(12 * len(places))
    assert abs(places.mean() - (10**13 - 1) / 2) < 4.42 * error
