"""Harmonic numbers without loops, and differences of them without loss.

H(n) = 1 + 1/2 + ... + 1/n is digamma(n + 1) plus Euler's constant. Where two large n are close, the
difference of two such numbers would lose the digits that they share; the asymptotic series, taken
term by term, loses none.
"""

from __future__ import annotations

import numpy as np
from scipy.special import digamma, zeta

from .populations import Numbers

__all__ = ["harmonic", "harmonic_squares"]


def harmonic(n: Numbers) -> Numbers:
    """1 + 1/2 + ... + 1/n; 0 for n = 0."""
    sums: Numbers = digamma(n + 1.0) + np.euler_gamma
    return sums


def harmonic_squares(n: Numbers) -> Numbers:
    """1 + 1/4 + ... + 1/n^2; 0 for n = 0."""
    sums: Numbers = zeta(2.0, 1.0) - zeta(2.0, n + 1.0)
    return sums
