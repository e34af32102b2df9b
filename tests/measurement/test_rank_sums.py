"""Harmonic numbers, sums of discounts and sums of any terms, against adding and many digits."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from irbounds.measurement.rank_sums import (
    TABLE,
    discount_squares,
    discount_sums,
    harmonic,
    harmonic_difference,
    harmonic_squares,
    rank_sums,
)
from irbounds.random_rankings.distribution import expected_score, score_variance

SUMS = {discount_sums: 1, discount_squares: 2}
# the integral of the squares is a difference of two numbers some thirty times its size
EXACT = {discount_sums: 3e-15, discount_squares: 2e-13}


@pytest.mark.parametrize(("sums", "power"), SUMS.items())
def test_discount_sums_rank_by_rank(sums, power):
    for n in (0, 1, 2, 10, 1000, TABLE - 1, TABLE, TABLE + 1, TABLE + 2, 20_000):
        slow = math.fsum(1 / math.log2(rank + 1) ** power for rank in range(1, n + 1))
        assert float(sums(float(n))) == pytest.approx(slow, rel=EXACT[sums])


def high_precision_sum(n, power):
    """Euler and Maclaurin from rank 1000 on, in whole-rank form with two corrections."""

    def discount(rank):
        return (mpmath.log(2) / mpmath.log(rank + 1)) ** power

    first = 1000
    edges = [first * mpmath.mpf(n / first) ** (mpmath.mpf(i) / 40) for i in range(1, 40)]
    total = mpmath.fsum(discount(rank) for rank in range(1, first))
    total += mpmath.quad(discount, [first, *edges, n]) + (discount(first) + discount(n)) / 2
    for order, weight in ((1, mpmath.mpf(1) / 12), (3, -mpmath.mpf(1) / 720)):
        total += weight * (mpmath.diff(discount, n, order) - mpmath.diff(discount, first, order))
    return total


@pytest.mark.parametrize("n", [10**5, 10**8, 10**12])
def test_discount_sums_to_a_trillion_ranks(n):
    with mpmath.workdps(30):
        exact = {power: high_precision_sum(n, power) for power in (1, 2)}
        for sums, power in SUMS.items():
            assert abs(sums(float(n)) / exact[power] - 1) < EXACT[sums]
        # the variance of nDCG of one relevant document, which is at any rank
        mean, square = exact[1] / n, exact[2] / n
        assert abs(expected_score(n, 1, "nDCG") / mean - 1) < 1e-14
        assert abs(score_variance(n, 1, "nDCG") / (square - mean**2) - 1) < 2e-10


def test_discount_sums_of_arrays():
    n = np.array([0.0, 3.0, 10.0, 1e6])
    for sums in SUMS:
        assert sums(n).tolist() == [float(sums(number)) for number in n.tolist()]


LARGE = [1, 2, 3, 10, 15, 16, 17, 1000, 10**6, 10**12, 10**15]


@pytest.mark.parametrize("n", LARGE)
def test_harmonic_numbers(n):
    with mpmath.workdps(40):
        assert abs(harmonic(float(n)) / mpmath.harmonic(n) - 1) < 3e-16
        squares = mpmath.zeta(2) - mpmath.zeta(2, n + 1)
        assert abs(harmonic_squares(float(n)) / squares - 1) < 3e-16


def test_harmonic_numbers_of_nothing():
    assert harmonic(0.0) == 0
    assert harmonic_squares(0.0) == 0
    assert harmonic(1.0) == 1  # as AP of one document needs
    assert harmonic_difference(7.0, 7.0) == 0
    assert harmonic_difference(1e12, 1e12) == 0


@pytest.mark.parametrize("low", [0, *LARGE])
@pytest.mark.parametrize("more", [1, 2, 5, 100, 10**9])
def test_harmonic_differences_lose_no_digits(low, more):
    with mpmath.workdps(50):
        exact = mpmath.harmonic(low + more) - mpmath.harmonic(low)
        assert abs(harmonic_difference(float(low), float(low + more)) / exact - 1) < 1e-15
    # the plain difference does lose them
    if low >= 10**12 and more == 1:
        plain = harmonic(float(low + more)) - harmonic(float(low))
        assert abs(plain * (low + more) - 1) > 1e-6


def test_harmonic_differences_of_arrays():
    low, high = np.array([0.0, 3.0, 20.0]), np.array([4.0, 4.0, 10**6])
    one_by_one = [float(harmonic_difference(*pair)) for pair in zip(low, high, strict=True)]
    assert harmonic_difference(low, high).tolist() == one_by_one
    assert one_by_one[0] == pytest.approx(25 / 12, rel=1e-15)
    assert one_by_one[1] == 0.25


@pytest.mark.parametrize("last", [1, 2, 255, 256, 257, 258, 259, 300, 5000, 10**6, 10**12])
def test_sums_of_powers(last):
    with mpmath.workdps(40):
        sums = [mpmath.harmonic(last), mpmath.zeta(2) - mpmath.zeta(2, last + 1)]
        for power, exact in enumerate(sums, start=1):
            got = rank_sums(lambda rank, power=power: rank**-power, np.array([float(last)]))[0]
            assert abs(got / exact - 1) < 1e-15


@pytest.mark.parametrize("rate", [0.5, 0.1, 0.03, 0.01, 1e-3, 1e-6])
def test_sums_of_exponential_terms(rate):
    """Against a geometric sum; the parameter travels as a column."""
    for last in (10, 400, 10**7):
        exact = -math.exp(-rate) * math.expm1(-rate * last) / -math.expm1(-rate)
        got = rank_sums(
            lambda rank, rate: np.exp(-rate * rank), np.array([float(last)]), np.array([rate])
        )
        assert got[0] == pytest.approx(exact, rel=1e-13)


def test_sums_of_many_queries_equal_single_sums():
    last = np.array([3.0, 256.0, 257.0, 10**5, 700.0] * 500)  # more than go at once
    rates = np.linspace(0.001, 0.1, len(last))

    def term(rank, rate):
        return np.exp(-rate * rank) / rank

    many = rank_sums(term, last, rates)
    for place in (0, 1, 2, 3, 1024, 2499):
        single = rank_sums(term, last[[place]], rates[[place]])
        assert many[place] == pytest.approx(single[0], rel=1e-14)
