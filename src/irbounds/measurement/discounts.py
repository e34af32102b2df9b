"""Sums of the discounts of nDCG down to any rank, without going through the ranks.

The sum of 1 / log2(r + 1) over ranks 1 to n is looked up where n is small. Beyond the table it is
the integral between half ranks, a logarithmic integral, less a 24th of the change in slope
(Euler and Maclaurin, midpoint form); the next term is below 1e-18 of the sum.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import expi

from .populations import Numbers

TABLE = 2**12  # ranks; beyond them the series is exact to the last digit
LN2 = float(np.log(2.0))


def discount_sums(n: Numbers) -> Numbers:
    """The sum of 1 / log2(r + 1) over the ranks 1 to n."""
    table = _tables()[0]
    inner = np.minimum(n, TABLE)
    outer = np.maximum(n, TABLE)
    beyond = LN2 * (_integral(outer + 1.5) - _integral(TABLE + 1.5))
    beyond = beyond - (_slope(outer + 1.5) - _slope(TABLE + 1.5)) / 24
    sums: Numbers = table[np.asarray(inner, dtype=np.int64)] + np.where(outer > TABLE, beyond, 0.0)
    return sums


def discount_squares(n: Numbers) -> Numbers:
    """The sum of 1 / log2(r + 1)^2 over the ranks 1 to n."""
    table = _tables()[1]
    inner = np.minimum(n, TABLE)
    outer = np.maximum(n, TABLE)
    beyond = LN2**2 * (_integral_of_squares(outer + 1.5) - _integral_of_squares(TABLE + 1.5))
    beyond = beyond - (_slope_of_squares(outer + 1.5) - _slope_of_squares(TABLE + 1.5)) / 24
    sums: Numbers = table[np.asarray(inner, dtype=np.int64)] + np.where(outer > TABLE, beyond, 0.0)
    return sums


@cache
def _tables() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    discounts = 1 / np.log2(np.arange(2.0, TABLE + 2))
    return np.append(0.0, np.cumsum(discounts)), np.append(0.0, np.cumsum(discounts**2))


def _integral(x: Numbers) -> Numbers:
    return expi(np.log(x))


def _integral_of_squares(x: Numbers) -> Numbers:
    return expi(np.log(x)) - x / np.log(x)


def _slope(x: Numbers) -> Numbers:
    return -LN2 / (x * np.log(x) ** 2)


def _slope_of_squares(x: Numbers) -> Numbers:
    return -2 * LN2**2 / (x * np.log(x) ** 3)
