"""Sums of nDCG's discounts against adding them up, and against many digits."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from irbounds.measurement.discounts import TABLE, discount_squares, discount_sums
from irbounds.measurement.expectation import expected_score
from irbounds.measurement.variance import score_variance

SUMS = {discount_sums: 1, discount_squares: 2}
# the integral of the squares is a difference of two numbers some thirty times its size
EXACT = {discount_sums: 3e-15, discount_squares: 2e-13}


@pytest.mark.parametrize(("sums", "power"), SUMS.items())
def test_rank_by_rank(sums, power):
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
def test_beyond_counting(n):
    with mpmath.workdps(30):
        exact = {power: high_precision_sum(n, power) for power in (1, 2)}
        for sums, power in SUMS.items():
            assert abs(sums(float(n)) / exact[power] - 1) < EXACT[sums]
        # the variance of nDCG of one relevant document, which stands at any rank
        mean, square = exact[1] / n, exact[2] / n
        assert abs(expected_score(n, 1, "nDCG") / mean - 1) < 1e-14
        assert abs(score_variance(n, 1, "nDCG") / (square - mean**2) - 1) < 2e-10


def test_arrays():
    n = np.array([0.0, 3.0, 10.0, 1e6])
    for sums in SUMS:
        assert sums(n).tolist() == [float(sums(one)) for one in n.tolist()]
