"""The sign-flip test: exact p-values, random signs and counts of signed sums."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

import naive
from irbounds import execution
from irbounds.comparisons._kernels import count_signed_sums
from irbounds.comparisons.sign_flip import flip_signs, sign_flip
from irbounds.resampling.seeds import Purpose, stream

SIDES = ["two-sided", "less", "greater"]


def in_tenths(rng, n):
    """Scores such as P@10 gives, and their differences as fractions; ties and zeros are common."""
    first, second = rng.integers(0, 11, n), rng.integers(0, 8, n)
    return (first / 10, second / 10), [Fraction(int(d), 10) for d in first - second]


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("n", range(1, 13))
def test_exact_sign_flip_matches_enumeration(couples, plan, n, alternative):
    rng = np.random.default_rng(n)
    drawn = [in_tenths(rng, n) for _ in range(4)]
    scores = np.array([row for rows, _ in drawn for row in rows])
    actual = sign_flip(couples(scores), plan(alternative))
    expected = [naive.sign_flip_p_value(exact, alternative) for _, exact in drawn]
    assert actual.values.tolist() == expected
    assert not actual.drawn.any()


@pytest.mark.parametrize("alternative", SIDES)
def test_sign_flip_counts_sums_equal_up_to_rounding(couples, plan, alternative):
    # 0.1 + 0.2 and 0.3 are not the same double, but flipping all three leaves the sum as it is
    higher, lower = [0.1, 0.2, 0.3, 0.3, 0.7], [0.0, 0.0, 0.6, 0.0, 0.6]
    exact = [Fraction(k, 10) for k in (1, 2, -3, 3, 1)]
    actual = sign_flip(couples([higher, lower]), plan(alternative))
    assert actual.values[0] == naive.sign_flip_p_value(exact, alternative)


@pytest.mark.parametrize("alternative", SIDES)
def test_exact_sign_flip_matches_scipy(couples, plan, alternative):
    scores = np.random.default_rng(4).beta(0.6, 2, size=(2, 11))
    expected = stats.permutation_test(
        (scores[0] - scores[1],),
        np.mean,
        permutation_type="samples",
        n_resamples=np.inf,
        alternative=alternative,
    )
    assert sign_flip(couples(scores), plan(alternative)).values[0] == expected.pvalue


@pytest.mark.parametrize("alternative", SIDES)
def test_sign_flip_is_exact_up_to_thirty_differences(couples, plan, alternative):
    scores = np.random.default_rng(6).random((4, 33))
    scores[0, :3] = scores[1, :3]  # 30 differ
    scores[2, :2] = scores[3, :2]  # 31 differ
    actual = sign_flip(couples(scores), plan(alternative, n_resamples=40_000))
    assert actual.drawn.tolist() == [False, True]
    # zeros change nothing
    fewer = sign_flip(couples(scores[:2, 3:]), plan(alternative))
    assert actual.values[0] == fewer.values[0]
    # the sum of so many is nearly normal; 0.012 is over four standard errors of the draws
    difference = scores[2] - scores[3]
    z = difference.sum() / np.sqrt((difference**2).sum())
    tails = {"two-sided": 2 * stats.norm.sf(abs(z)), "less": stats.norm.cdf(z)}
    assert actual.values[1] == pytest.approx(tails.get(alternative, stats.norm.sf(z)), abs=0.012)


@pytest.mark.parametrize("alternative", SIDES)
def test_random_sign_flip_matches_naive(couples, plan, alternative):
    from irbounds.comparisons.sign_flip import flip_signs

    scores = np.random.default_rng(8).random((6, 40))
    actual = sign_flip(couples(scores), plan(alternative, n_resamples=500, seed=3))
    flipped = flip_signs(scores, 500, 3)
    expected = [
        naive.drawn_p_value(flipped[k] - flipped[k + 1], np.mean(scores[k] - scores[k + 1]), side)
        for k, side in ((0, alternative), (2, alternative), (4, alternative))
    ]
    assert actual.values.tolist() == expected
    assert actual.drawn.all()


def test_random_and_exact_sign_flip_agree(couples, plan, monkeypatch):
    # 12 differences of 0.1 to 0.6 in tenths, so that many sums equal the observed one:
    # a rule that missed them would be off by far more than the draws' error (4 sigma, both pairs)
    from irbounds.comparisons import sign_flip as module

    rng = np.random.default_rng(11)
    scores = rng.integers(0, 7, (4, 12)) / 10
    exact = sign_flip(couples(scores), plan()).values
    monkeypatch.setattr(module, "MAX_EXACT", 0)
    drawn = sign_flip(couples(scores), plan(n_resamples=20_000))
    assert drawn.drawn.all()
    error = 4 * np.sqrt(exact * (1 - exact) / 20_000)
    assert (np.abs(drawn.values - exact) < error + 1e-4).all()


def test_sign_flip_of_constant_differences(couples, plan):
    ones, zeros = np.full(12, 0.5), np.full(12, 0.2)
    pairs = couples([ones, zeros, zeros, zeros, zeros, ones])
    assert sign_flip(pairs, plan()).values.tolist() == [2 / 2**12, 1.0, 2 / 2**12]
    assert sign_flip(pairs, plan("greater")).values.tolist() == [1 / 2**12, 1.0, 1.0]
    # one query: either sign is as likely
    assert sign_flip(couples([[0.3], [0.1]]), plan()).values.tolist() == [1.0]
    assert sign_flip(couples([[0.3], [0.1]]), plan("greater")).values.tolist() == [0.5]


def test_random_sign_flip_is_never_zero(couples, plan):
    scores = np.vstack([np.full(60, 0.9), np.random.default_rng(1).random(60) / 10])
    actual = sign_flip(couples(scores), plan(n_resamples=99))
    assert actual.values.tolist() == [0.01]


SCORES = np.random.default_rng(3).normal(size=(4, 23))


def test_flip_signs_matches_single_signs():
    words = [
        stream(9, Purpose.sign_flips, unit).integers(0, 2**64, size=(23,), dtype=np.uint64)
        for unit in range(2)
    ]
    signs = np.array(
        [[1 - 2 * (int(word) >> r & 1) for word in unit] for unit in words for r in range(64)]
    )
    actual = flip_signs(SCORES, 100, 9)
    assert actual == pytest.approx((SCORES @ signs.T / 23)[:, :100], rel=1e-12, abs=1e-15)


def test_flip_signs_has_the_same_bits_on_any_threads():
    with execution(threads=1):
        first = flip_signs(SCORES, 1000, 9)
    with execution(threads=3, n_blocks=5):
        assert np.array_equal(first, flip_signs(SCORES, 1000, 9))
    assert np.array_equal(first[:, :70], flip_signs(SCORES, 70, 9))


def list_signed_sums(row, threshold):
    values = [value for value in row if value]
    signs = itertools.product((1, -1), repeat=len(values))
    return sum(sum(s * v for s, v in zip(item, values, strict=True)) >= threshold for item in signs)


@pytest.mark.parametrize("n", range(13))
def test_count_signed_sums_matches_enumeration(n):
    # integers, so that every sum is exact; ties, zeros and both signs are common
    rows = np.random.default_rng(n).integers(-4, 5, size=(9, n)).astype(float)
    thresholds = np.array([-100.0, -3, -1, 0, 0.5, 1, 2, 5, 100])
    counts = np.full(9, -1, np.int64)
    count_signed_sums(rows, thresholds, 13, counts)
    expected = [list_signed_sums(row, limit) for row, limit in zip(rows, thresholds, strict=True)]
    assert counts.tolist() == expected


def test_count_signed_sums_of_thirty_numbers():
    # 2**k: every signed sum occurs once, so just one reaches the largest and half are positive
    row = 2.0 ** np.arange(30)[None]
    for threshold, expected in ((row.sum(), 1), (0.0, 2**29), (-row.sum(), 2**30)):
        counts = np.zeros(1, np.int64)
        count_signed_sums(row, np.array([threshold]), 30, counts)
        assert counts[0] == expected
