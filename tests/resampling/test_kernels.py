"""Compiled loops of resampling: query draws."""

from __future__ import annotations

import numpy as np
import pytest

from irbounds.resampling._kernels import (
    WORDS,
    count_draws,
    fill_words,
)

UNIT = 32


def test_philox_matches_the_published_numbers():
    """The known answers for philox4x64 with ten rounds in kat_vectors of Random123."""
    words = np.empty(4, np.uint64)
    fill_words(np.zeros(2, np.uint64), np.zeros(3, np.uint64), 0, words)
    assert [f"{int(word):016x}" for word in words] == [
        "16554d9eca36314c",
        "db20fe9d672d0fdc",
        "d7e772cee186176b",
        "7e68b68aec7ba23b",
    ]


def draw_with_numpy(key: np.ndarray, place: list[int], n: int, n_resamples: int) -> np.ndarray:
    """Return the same counts by numpy's generator, stream by stream."""
    counts = np.zeros((n, n_resamples), np.int8)
    for begin in range(0, n_resamples, UNIT):
        counter = [0, place[0] + begin // UNIT, *place[1:]]
        generator = np.random.Generator(np.random.Philox(key=key, counter=counter))
        draws = generator.integers(0, n, size=(UNIT, n), dtype=np.uint32)
        for r in range(begin, min(begin + UNIT, n_resamples)):
            counts[:, r] = np.bincount(draws[r - begin], minlength=n)
    return counts


@pytest.mark.parametrize("n", [1, 2, 3, 50, 64, 1000, 3 * WORDS + 1])
@pytest.mark.parametrize("n_resamples", [1, UNIT, UNIT + 5, 4 * UNIT])
def test_query_draws_match_numpy(n, n_resamples):
    rng = np.random.default_rng([n, n_resamples])
    key = rng.integers(0, 2**64, size=2, dtype=np.uint64)
    place = [int(number) for number in rng.integers(0, 2**63, size=3)]
    counts = np.full((n, n_resamples), 7, np.int8)  # what was there before does not count
    count_draws(key, np.array(place, np.uint64), UNIT, counts)
    assert np.array_equal(counts, draw_with_numpy(key, place, n, n_resamples))


def test_query_draws_reject_biased_products():
    """With n = 3 * 2**14 about one draw in 87,000 is rejected: 1.6 million draws see some 18."""
    n = 3 << 14
    key = np.array([5, 6], np.uint64)
    counts = np.empty((n, UNIT), np.int8)
    count_draws(key, np.zeros(3, np.uint64), UNIT, counts)
    assert np.array_equal(counts, draw_with_numpy(key, [0, 0, 0], n, UNIT))
    generator = np.random.Generator(np.random.Philox(key=key, counter=[0, 0, 0, 0]))
    plain = generator.integers(0, 2**32, size=n * UNIT, dtype=np.uint32).astype(np.uint64) * n
    assert np.count_nonzero(plain & np.uint64(0xFFFFFFFF) < 2**32 % n)  # there were such draws
