"""AP of random rankings against Bestgen's double sum and many digits."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

import naive
from irbounds.measurement.average_precision import AveragePrecision
from irbounds.measurement.populations import Population
from irbounds.random_rankings.distribution import expected_score


def test_mean_of_small_and_large_populations():
    assert expected_score(5, 2) == pytest.approx(0.5925, rel=1e-12)
    assert expected_score(10, 4) == pytest.approx(0.5285978835978836, rel=1e-12)
    assert expected_score(10_000, 4_000) == pytest.approx(0.400527309093072, rel=1e-12)


def test_mean_equals_the_double_sum_of_bestgen_2015():
    for n_documents in range(1, 13):
        for n_relevant in range(1, n_documents + 1):
            exact = naive.paper_random_ap(n_documents, n_relevant)
            assert expected_score(n_documents, n_relevant) == pytest.approx(float(exact), rel=1e-14)
    by_logarithms = naive.paper_random_ap_by_logarithms(400, 30)
    assert expected_score(400, 30) == pytest.approx(by_logarithms, rel=1e-11)
    assert round(expected_score(10, 4), 7) == 0.5285979  # printed in the paper
    assert round(expected_score(5, 2), 3) == 0.593 == round(0.5925 + 1e-9, 3)  # its Tables 1 and 2


def high_precision_ap(n_documents, n_relevant, ranks):
    """Mean and variance of AP from the counts of pairs of ranks, with sixty digits."""
    n, r, k = mpmath.mpf(n_documents), mpmath.mpf(n_relevant), mpmath.mpf(ranks)
    h, squares = mpmath.harmonic(k), mpmath.zeta(2) - mpmath.zeta(2, k + 1)
    p1 = r / n
    p2 = p1 * (r - 1) / (n - 1)
    p3 = p2 * (r - 2) / (n - 2)
    p4 = p3 * (r - 3) / (n - 3)
    two = 3 * (h - squares) + 2 * (h**2 - squares)
    three = 2 * k * h + 5 * k - 9 * h + 7 * squares - 5 * h**2
    four = k**2 - 5 * k - 2 * k * h + 6 * h + 3 * h**2 - 3 * squares
    mean = h * p1 + (k - h) * p2
    return mean / r, (squares * p1 + two * p2 + three * p3 + four * p4 - mean**2) / r**2


def test_average_precision_to_a_trillion_documents():
    rng = np.random.default_rng(15)
    ap = AveragePrecision(name="AP")
    with mpmath.workdps(80):
        for _ in range(400):
            n = round(10 ** rng.uniform(math.log10(4), 12))
            r, k = (min(n, max(1, round(n ** rng.uniform(0, 1)))) for _ in range(2))
            r = max(n - r, 1) if rng.random() < 0.3 else min(r, n - 1)
            k = n if rng.random() < 0.4 else k
            mean, variance = high_precision_ap(n, r, k)
            here = Population(float(n), float(k), (1,), (float(r),), 1)
            assert abs(ap.expected(here) / mean - 1) < 2e-15, (n, r, k)
            assert abs(ap.variance(here) - variance) <= 2e-14 * variance, (n, r, k)
