"""Compiled loops of resampling: query draws, Poisson weights and shuffled scores."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import naive
from irbounds.resampling._kernels import (
    LANES,
    WORDS,
    add_powers,
    add_resamples,
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


KEY = 0x0123456789ABCDEF


def sums_of(names, columns, n_resamples=LANES, key=KEY):
    sums = np.zeros((columns.shape[1], n_resamples), np.int64)
    add_resamples(names, columns, np.uint64(key), sums)
    return sums


def some_names(n: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 2**64, n, dtype=np.uint64)


def weights_of(names, n_resamples: int) -> np.ndarray:
    """Return weights as name x resample, computed for one name at a time."""
    first = np.ones((1, 1))
    return np.concatenate(
        [sums_of(names[k : k + 1], first, n_resamples) for k in range(len(names))]
    )


def test_poisson_weights_match_naive():
    names = some_names(10)
    slow = [[naive.poisson_weight(int(name), KEY, r) for r in range(192)] for name in names]
    assert weights_of(names, 192).tolist() == slow


def test_rare_poisson_weights_match_naive():
    """Weights above 5 and weights at a step are decided by further bits: one in 1,500."""
    names = some_names(300)
    weights = weights_of(names, 1024)
    places = np.argwhere(weights > 5)
    assert len(places) > 100
    for k, r in places.tolist():
        assert weights[k, r] == naive.poisson_weight(int(names[k]), KEY, r)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 127, 128, 129, 4095, 4096, 4097, 9001])
def test_poisson_weighted_sums_are_exact(n):
    """The largest numbers there can be, and ends of stretches everywhere."""
    generator = np.random.default_rng(n)
    names = some_names(n, n)
    k = generator.integers(0, 2**39, (n, 3), endpoint=True)
    k[:, 1] = 2**39
    k[:, 2] = 1
    weights = weights_of(names, LANES) if n < 5000 else None
    sums = sums_of(names, k.astype(np.float64))
    if weights is not None:
        slow = k.astype(object).T @ weights.astype(object)
        assert (sums == slow).all()
    assert (sums[1] == sums[2] * 2**39).all()


def test_poisson_weighted_sums_of_many_queries_are_exact():
    """Together they are over 2**53; their two halves are not."""
    names = some_names(50_000)
    k = np.random.default_rng(4).integers(2**38, 2**39, 50_000)
    whole, upper, lower = sums_of(names, np.stack([k, k >> 20, k % 2**20], axis=1).astype(float))
    assert whole.min() > 2**53
    assert (whole == (upper << 20) + lower).all()


def test_order_and_chunks_do_not_change_poisson_sums():
    names = some_names(10_000)
    columns = np.random.default_rng(1).integers(0, 2**39, (10_000, 4)).astype(np.float64)
    whole = sums_of(names, columns, 128)
    order = np.random.default_rng(2).permutation(10_000)
    assert (sums_of(names[order], columns[order], 128) == whole).all()
    parts = [slice(0, 17), slice(17, 5000), slice(5000, 10_000)]
    assert (sum(sums_of(names[p], columns[p], 128) for p in parts) == whole).all()


def test_more_poisson_resamples_begin_with_the_same_ones():
    names, row = some_names(50), np.ones((50, 1))
    assert (sums_of(names, row, 256)[:, :64] == sums_of(names, row, 64)).all()


def test_another_key_gives_other_poisson_weights():
    names, row = some_names(5000), np.ones((5000, 1))
    a, b = (sums_of(names, row, 1024, key)[0] for key in (1, 2))
    assert abs(np.corrcoef(a, b)[0, 1]) < 0.15  # 4.8 sigma


@pytest.fixture(scope="module")
def weights() -> np.ndarray:
    """Return the weights of 2,000 neighbouring ids in 1,024 resamples."""
    return weights_of(np.array([naive.query_number(str(k)) for k in range(2000)], np.uint64), 1024)


def p_of_poisson(weights: np.ndarray) -> float:
    """Chi-square for 0, 1, ... 7 and more against the Poisson distribution with mean 1."""
    calls = np.bincount(np.minimum(weights, 8).ravel(), minlength=9)
    chances = stats.poisson(1).pmf(np.arange(9))
    chances[8] = stats.poisson(1).sf(7)
    return float(stats.chisquare(calls, chances * weights.size).pvalue)


def test_poisson_weights_have_the_poisson_distribution(weights):
    """A false alarm in 10,000 such tests; two million weights."""
    assert p_of_poisson(weights) > 1e-4


def test_negative_control_eight_bits_per_weight_are_detected():
    """The negative control: probabilities that are right to 2**-8 only."""
    u = (np.random.default_rng(0).integers(0, 256, (2000, 1024)) + 0.5) / 256
    assert p_of_poisson(np.searchsorted(stats.poisson(1).cdf(np.arange(20)), u)) < 1e-30


def test_poisson_weights_have_mean_and_variance_one(weights):
    """4.5 sigma each; the variance of (w - 1)**2 is 3."""
    n = weights.size
    assert abs(weights.mean() - 1) < 4.5 / np.sqrt(n)
    assert abs(((weights - 1.0) ** 2).mean() - 1) < 4.5 * np.sqrt(3 / n)


def link(a: np.ndarray, b: np.ndarray) -> float:
    """Return the correlation in standard errors."""
    return float(((a - 1.0) * (b - 1.0)).mean() * np.sqrt(a.size))


def test_poisson_weights_of_neighbours_are_independent(weights):
    """Ids, resamples, and those four apart, at the same place of their word; 4.5 sigma each."""
    assert abs(link(weights[1:], weights[:-1])) < 4.5
    for apart in (1, 4, 64):
        assert abs(link(weights[:, apart:], weights[:, :-apart])) < 4.5


def test_negative_control_dependence_of_weights_is_detected(weights):
    """The negative control: every hundredth pair the same."""
    other = weights[1:].copy()
    other.ravel()[::100] = weights[:-1].ravel()[::100]
    assert link(other, weights[:-1]) > 10


def test_sums_of_powers_are_exact():
    k = np.random.default_rng(3).integers(0, 2**39, 1000, dtype=np.uint64, endpoint=True)
    k[:3] = 0, 2**39, 2**20
    sums = np.zeros((9, 2), np.uint64)
    add_powers(k, sums)
    digits = [(int(row) >> 20, int(row) & (2**20 - 1)) for row in k]
    terms = [(a, b, a * a, a * b, b * b, a**3, a * a * b, a * b * b, b**3) for a, b in digits]
    expected = [sum(column) for column in zip(*terms, strict=True)]
    assert [(int(upper) << 32) + int(lower) for upper, lower in sums] == expected
