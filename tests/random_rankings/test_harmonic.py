"""Harmonic numbers and their differences against many digits."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from irbounds.measurement.harmonic import harmonic, harmonic_difference, harmonic_squares

LARGE = [1, 2, 3, 10, 15, 16, 17, 1000, 10**6, 10**12, 10**15]


@pytest.mark.parametrize("n", LARGE)
def test_sums(n):
    with mpmath.workdps(40):
        assert abs(harmonic(float(n)) / mpmath.harmonic(n) - 1) < 3e-16
        squares = mpmath.zeta(2) - mpmath.zeta(2, n + 1)
        assert abs(harmonic_squares(float(n)) / squares - 1) < 3e-16


def test_nothing_to_add():
    assert harmonic(0.0) == 0
    assert harmonic_squares(0.0) == 0
    assert harmonic(1.0) == 1  # as AP of one document needs
    assert harmonic_difference(7.0, 7.0) == 0
    assert harmonic_difference(1e12, 1e12) == 0


@pytest.mark.parametrize("low", [0, *LARGE])
@pytest.mark.parametrize("more", [1, 2, 5, 100, 10**9])
def test_differences_lose_no_digits(low, more):
    with mpmath.workdps(50):
        exact = mpmath.harmonic(low + more) - mpmath.harmonic(low)
        assert abs(harmonic_difference(float(low), float(low + more)) / exact - 1) < 1e-15
    # the plain difference does lose them
    if low >= 10**12 and more == 1:
        plain = harmonic(float(low + more)) - harmonic(float(low))
        assert abs(plain * (low + more) - 1) > 1e-6


def test_arrays():
    low, high = np.array([0.0, 3.0, 20.0]), np.array([4.0, 4.0, 10**6])
    one_by_one = [float(harmonic_difference(*pair)) for pair in zip(low, high, strict=True)]
    assert harmonic_difference(low, high).tolist() == one_by_one
    assert one_by_one[0] == pytest.approx(25 / 12, rel=1e-15)
    assert one_by_one[1] == 0.25
