"""Harmonic numbers without loops, and differences of them without loss.

H(n) = 1 + 1/2 + ... + 1/n is digamma(n + 1) plus Euler's constant. Where two large n are close, the
difference of two such numbers would lose the digits that they share. The asymptotic series around
n + 1/2, taken term by term, loses none: its logarithms become one ``log1p``.
"""

from __future__ import annotations

import numpy as np
from scipy.special import digamma, zeta

from .populations import Numbers

DIRECT = 16  # fractions added one by one; the series is exact to the last digit beyond them


def harmonic(n: Numbers) -> Numbers:
    """1 + 1/2 + ... + 1/n; 0 for n = 0."""
    sums: Numbers = digamma(n + 1.0) + np.euler_gamma
    return sums


def harmonic_squares(n: Numbers) -> Numbers:
    """1 + 1/4 + ... + 1/n^2; 0 for n = 0."""
    sums: Numbers = zeta(2.0, 1.0) - zeta(2.0, n + 1.0)
    return sums


def harmonic_difference(low: Numbers, high: Numbers) -> Numbers:
    """1/(low + 1) + ... + 1/high; 0 where the two are equal."""
    low, high = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    start, end = np.maximum(low, DIRECT) + 0.5, np.maximum(high, DIRECT) + 0.5
    sums: Numbers = np.log1p((end - start) / start) + (_corrections(end) - _corrections(start))
    if np.any(low < DIRECT):
        for number in range(DIRECT, 0, -1):  # the smallest first
            sums = sums + np.where((low < number) & (number <= high), 1.0 / number, 0.0)
    return sums


def _corrections(middle: Numbers) -> Numbers:
    """H(n) less its logarithm and Euler's constant, with n + 1/2 given."""
    square = 1.0 / (middle * middle)
    rest = 31 / 8064 - square * (127 / 30720 - square * (511 / 67584))
    return square * (1 / 24 - square * (7 / 960 - square * rest))
