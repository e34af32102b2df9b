"""The sign-flip test: exact p-values, limits on a grid and counts of signed sums."""

from __future__ import annotations

import itertools
import warnings
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

import naive
from extreme_scores import EXTREMES
from irbounds import execution
from irbounds.comparisons import sign_flip as module
from irbounds.comparisons._kernels import (
    bound_errors,
    bound_tails,
    count_signed_sums,
    find_unit,
)
from irbounds.comparisons.sign_flip import choose_size, sign_flip
from irbounds.errors import ParameterError

SIDES = ["two-sided", "less", "greater"]


def in_tenths(rng, n):
    """Scores such as P@10 gives, and their differences as fractions; ties and zeros are common."""
    first, second = rng.integers(0, 11, n), rng.integers(0, 8, n)
    return (first / 10, second / 10), [Fraction(int(d), 10) for d in first - second]


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("n", range(1, 13))
def test_exact_sign_flip_matches_enumeration(couples, n, alternative):
    rng = np.random.default_rng(n)
    drawn = [in_tenths(rng, n) for _ in range(4)]
    scores = np.array([row for rows, _ in drawn for row in rows])
    actual = sign_flip(couples(scores), alternative)
    expected = [naive.sign_flip_p_value(exact, alternative) for _, exact in drawn]
    assert actual.tolist() == [expected] * 3


@pytest.mark.parametrize("alternative", SIDES)
def test_sign_flip_counts_sums_equal_up_to_rounding(couples, alternative):
    # 0.1 + 0.2 and 0.3 are not the same double, but flipping all three leaves the sum as it is
    higher, lower = [0.1, 0.2, 0.3, 0.3, 0.7], [0.0, 0.0, 0.6, 0.0, 0.6]
    exact = [Fraction(k, 10) for k in (1, 2, -3, 3, 1)]
    actual = sign_flip(couples([higher, lower]), alternative)
    assert actual[1, 0] == naive.sign_flip_p_value(exact, alternative)


@pytest.mark.parametrize("alternative", SIDES)
def test_exact_sign_flip_matches_scipy(couples, alternative):
    scores = np.random.default_rng(4).beta(0.6, 2, size=(2, 11))
    expected = stats.permutation_test(
        (scores[0] - scores[1],),
        np.mean,
        permutation_type="samples",
        n_resamples=np.inf,
        alternative=alternative,
    )
    assert sign_flip(couples(scores), alternative)[1, 0] == expected.pvalue


@pytest.mark.parametrize("alternative", SIDES)
def test_sign_flip_is_exact_up_to_thirty_differences(couples, alternative):
    scores = np.random.default_rng(6).random((4, 33))
    scores[0, :3] = scores[1, :3]  # 30 differ
    scores[2, :2] = scores[3, :2]  # 31 differ
    low, p, high = sign_flip(couples(scores), alternative)
    assert low[0] == p[0] == high[0]
    assert low[1] < p[1] < high[1]
    # zeros change nothing
    fewer = sign_flip(couples(scores[:2, 3:]), alternative)
    assert p[0] == fewer[1, 0]
    # the sum of so many is nearly normal
    difference = scores[2] - scores[3]
    z = difference.sum() / np.sqrt((difference**2).sum())
    tails = {"two-sided": 2 * stats.norm.sf(abs(z)), "less": stats.norm.cdf(z)}
    assert p[1] == pytest.approx(tails.get(alternative, stats.norm.sf(z)), abs=0.012)


def test_sign_flip_of_constant_differences(couples):
    ones, zeros = np.full(12, 0.5), np.full(12, 0.2)
    pairs = couples([ones, zeros, zeros, zeros, zeros, ones])
    assert sign_flip(pairs, "two-sided")[1].tolist() == [2 / 2**12, 1.0, 2 / 2**12]
    assert sign_flip(pairs, "greater")[1].tolist() == [1 / 2**12, 1.0, 1.0]
    # one query: either sign is as likely
    assert sign_flip(couples([[0.3], [0.1]]), "two-sided")[1].tolist() == [1.0]
    assert sign_flip(couples([[0.3], [0.1]]), "greater")[1].tolist() == [0.5]


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


# ---- sums on a grid ----


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("n", [31, 50, 120])
def test_p_values_of_scores_with_a_unit_are_exact(couples, n, alternative):
    # P@10, with many ties and zeros, and three decimals, which need a finer grid
    rng = np.random.default_rng(n)
    for unit, n_values, shift in ((10, 11, 1), (1000, 300, 50)):
        rows = rng.integers(0, n_values, (4, n))
        rows[::2] += shift
        pairs = couples(rows / unit)
        expected = [
            naive.sign_flip_p_value_of_integers((rows[k] - rows[k + 1]).tolist(), alternative)
            for k in (0, 2)
        ]
        for scaled in (pairs, couples(rows / unit * np.pi), couples(rows / unit * 2.0**-1000)):
            low, p, high = sign_flip(scaled, alternative)
            assert p == pytest.approx(expected, rel=1e-12)
            assert (low == high).all()


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("size", [1 << 9, 1 << 12, 1 << 15])
def test_limits_on_a_grid_contain_the_exact_p_value(couples, monkeypatch, size, alternative):
    # integers of seven digits have no unit of at least a millionth of the largest, and exact sums
    monkeypatch.setattr(module, "MIN_SIZE", size)
    monkeypatch.setattr(module, "MAX_SIZE", size)
    rng = np.random.default_rng(size)
    rows = np.round(rng.normal(0, 3e6, (400, 22)) * rng.choice([0.01, 1], (400, 22)))
    rows += np.repeat([[1e6], [0]], 200, axis=1).reshape(-1, 1)
    pairs = couples(rows)
    expected = sign_flip(pairs, alternative)[1]
    monkeypatch.setattr(module, "MAX_EXACT", 0)
    low, p, high = sign_flip(pairs, alternative)
    assert (low <= expected).all()
    assert (expected <= high).all()
    assert ((low <= p) & (p <= high)).all()
    assert np.count_nonzero(low < high) > 190
    # the estimate is far closer than the limits; p is a multiple of 2 / 2**22
    relative = np.abs(p / expected - 1)
    assert np.median(relative) < 1 / size
    assert np.median(high / low - 1) < 2 * 22 / size


def test_grid_of_fifty_differences_matches_many_draws(couples):
    scores = np.random.default_rng(15).beta(0.6, 2, (40, 50))
    low, p, high = sign_flip(couples(scores), "two-sided")
    assert (high / low).max() < 1.001
    differences = scores[::2] - scores[1::2]
    signs = np.random.default_rng(1).choice((-1, 1), (50, 400_000)).astype(np.int8)
    for row, expected in zip(differences, p, strict=True):
        hits = np.count_nonzero(np.abs(row @ signs) >= abs(row.sum()) - 1e-12)
        error = np.sqrt(expected * (1 - expected) / 400_000)
        assert abs(hits / 400_000 - expected) < 5 * error + 1e-5


def test_grid_is_as_fine_as_the_additions_allow():
    assert choose_size(1, 50) == module.MAX_SIZE
    assert choose_size(8_256, 50) == 4_844
    assert choose_size(10_000, 250) == module.MIN_SIZE
    assert choose_size(1, 50_000) == 200_000  # four points per query
    with pytest.raises(ParameterError, match="4,950 comparisons on 7,000 queries takes too long"):
        choose_size(4_950, 7_000)


def test_p_values_on_a_grid_of_constant_or_extreme_differences(couples):
    ones, zeros = np.full(60, 0.5), np.full(60, 0.2)
    pairs = couples([ones, zeros, zeros, ones])
    for alternative, expected in (
        ("two-sided", [2.0**-59, 2.0**-59]),
        ("greater", [2.0**-60, 1.0]),
        ("less", [1.0, 2.0**-60]),
    ):
        assert sign_flip(pairs, alternative).tolist() == [expected] * 3
    # as many up as down: every sum is as extreme as 0
    balanced = np.tile([1.0, -1.0], 20) * np.repeat(np.random.default_rng(2).random(20), 2)
    actual = sign_flip(couples([balanced, np.zeros(40)]), "two-sided")
    assert actual.tolist() == [[1]] * 3
    # 2 / 2**1500 is smaller than any double, and no p-value is 0
    actual = sign_flip(couples([np.ones(1500), np.zeros(1500)]), "two-sided")
    assert 0 < actual[1, 0] < 1e-300
    # one difference that dominates, and tiny ones: half of all sums
    large = np.append(1e12, np.random.default_rng(3).normal(0, 1, 40))
    actual = sign_flip(couples([large, np.zeros(41)]), "greater")
    assert actual[1, 0] == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize("case", EXTREMES)
@pytest.mark.parametrize("alternative", SIDES)
def test_p_values_on_a_grid_of_extreme_scores(couples, case, alternative):
    scores = np.resize(np.array(EXTREMES[case], dtype=float), 45)
    others = (np.zeros(45), scores[::-1], np.random.default_rng(1).permutation(scores))
    pairs = couples([row for other in others for row in (scores, other)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        low, p, high = sign_flip(pairs, alternative)
    assert (low > 0).all()
    assert ((low <= p) & (p <= high)).all()
    assert (high <= 1).all()


def test_grid_has_the_same_bits_on_any_threads_and_in_any_chunks(couples, monkeypatch):
    scores = np.random.default_rng(17).beta(0.6, 2, (300, 45))
    with execution(threads=1):
        first = sign_flip(couples(scores), "two-sided")
    monkeypatch.setattr(module, "CHUNK", 45 * 7)
    monkeypatch.setattr(module, "UNIT_ADDITIONS", 45 * choose_size(150, 45) * 3)
    calls = []
    with execution(threads=3):
        other = sign_flip(couples(scores), "two-sided", lambda *done: calls.append(done))
    assert np.array_equal(first, other)
    assert calls[:50] == [(3 * k, 150) for k in range(1, 51)]


def test_bound_tails_counts_ties_of_equal_values():
    # of 2**12 subsets of two values, those with as many of each as the row reach its sum exactly
    row = np.repeat([1.0, np.sqrt(2)], 6)
    row[[0, 1, 6]] *= -1
    signs = np.array(list(itertools.product((1, -1), repeat=12)))
    expected = np.mean(signs @ np.abs(row) >= row.sum() - 1e-9)
    tails = np.empty((1, 3))
    bound_tails(row[None], np.array([1e-12]), 1 << 14, tails)
    assert tails[0] == pytest.approx(np.full(3, expected), rel=1e-12)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ([0.3, -0.2, 0.5], 0.1),
        ([0.0, 0.7, 0.7], 0.7),
        ([0.0, 0.0], 0.0),
        ([1 / 2, 1 / 3, 1 / 10, -1 / 7], 1 / 210),
        ([0.1234, 0.9999, -0.5], 0.0001),
        ([0.123456789, 0.4, 0.7], 0.0),
        ([1.0, np.sqrt(2), np.sqrt(3)], 0.0),
    ],
)
def test_find_unit(row, expected):
    for scale in (1.0, np.pi, 2.0**-40, 1e6):
        actual = find_unit(np.array(row) * scale, 1e-13 * scale)
        assert actual == pytest.approx(expected * scale, rel=1e-9)


@pytest.mark.parametrize("exponent", [0.1, 1, 4])
@pytest.mark.parametrize("fraction", [0.05, 0.2, 0.5, 0.8])
def test_bound_errors_bounds_subsets_with_larger_errors(exponent, fraction):
    rng = np.random.default_rng(9)
    subsets = np.array(list(itertools.product((0, 1), repeat=13)))
    n_missed = n_added = 0
    for _ in range(20):
        steps = rng.exponential(20, 13)
        errors = np.round(steps) - steps
        limit = fraction * steps.sum()
        sums, shifts = subsets @ steps, subsets @ errors
        mean, down, up, missed, added = bound_errors(steps, errors, limit, float(exponent))
        assert -down < mean < up
        beyond = (sums <= limit) & (shifts > up)
        assert beyond.mean() <= added
        n_added += beyond.sum()
        beyond = (sums > limit) & (sums + shifts <= limit - down)
        assert beyond.mean() <= missed
        n_missed += beyond.sum()
    assert exponent == 4 or min(n_added, n_missed) > 0


@pytest.mark.parametrize("n", [60, 300])
def test_coarse_grid_contains_the_exact_tail_of_many_numbers(n):
    # four digits: the fine grid has a point per unit and is exact, the coarse one has not
    rng = np.random.default_rng(n)
    rows = np.round(rng.normal(0.15, 1, (100, n)) * 1000)
    exact, coarse = np.empty((2, 100, 3))
    bound_tails(rows, np.full(100, 1e-6), 1 << 18, exact)
    bound_tails(rows, np.full(100, 1e-6), 4 * n, coarse)
    assert (exact[:, 0] == exact[:, 2]).all()
    assert ((coarse[:, 0] <= exact[:, 0]) & (exact[:, 2] <= coarse[:, 2])).all()
    assert coarse[:, 1] == pytest.approx(exact[:, 1], rel=0.05)
    assert np.median(coarse[:, 2] / coarse[:, 0]) < 4
