"""Measures of the first relevant document, against fractions and many digits."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from irbounds.measurement.first_relevant import log_none_found
from irbounds.random_rankings.distribution import expected_score, score_variance


def log_probability(*numbers):
    return float(log_none_found(*(np.array([float(number)]) for number in numbers))[0])


def test_log_none_found_in_every_small_case():
    cases = [(n, r, k) for n in range(1, 45) for r in range(n + 1) for k in range(n + 1)]
    logs = log_none_found(*np.array(cases, dtype=float).T)
    for (n, relevant, ranks), log in zip(cases, logs.tolist(), strict=True):
        ways = math.comb(n - relevant, ranks)
        exact = math.log(ways / math.comb(n, ranks)) if ways else -math.inf
        assert log == pytest.approx(exact, rel=1e-13, abs=1e-15), (n, relevant, ranks)


def test_log_none_found_to_a_trillion_documents():
    """Rare and common relevant documents, few and many ranks, and few others left."""
    rng = np.random.default_rng(3)
    with mpmath.workdps(60):
        for _ in range(500):
            n = round(10 ** rng.uniform(1, 12))
            relevant = min(round(n ** rng.uniform(0, 1)), n - 1)
            relevant = n - relevant if rng.random() < 0.3 else relevant
            ranks = min(round((n - relevant) ** rng.uniform(0, 1)), n - relevant)
            if rng.random() < 0.3:
                ranks = max(n - relevant - int(rng.integers(30)), 1)
            parts = (n - relevant, n - ranks), (n - relevant - ranks, n)
            above, below = (sum(mpmath.loggamma(m + 1) for m in part) for part in parts)
            exact = above - below
            assert abs(log_probability(n, relevant, ranks) - exact) <= 2e-15 * abs(exact)


def test_log_factorials_would_lose_their_digits():
    """The negative control of the test above: scipy's gammaln, where it matters."""
    from scipy.special import gammaln

    n, relevant, ranks = 1e12, 1e6, 1e6
    plain = gammaln(n - relevant + 1) + gammaln(n - ranks + 1)
    plain = plain - gammaln(n - relevant - ranks + 1) - gammaln(n + 1)
    assert abs(plain - log_probability(n, relevant, ranks)) > 1e-7


def high_precision_first(n_documents, n_relevant, cutoff):
    """Moments of RR@k and the chance of Success@k with sixty digits, rank by rank."""
    n, r = mpmath.mpf(n_documents), mpmath.mpf(n_relevant)
    none, mean, square = mpmath.mpf(1), mpmath.mpf(0), mpmath.mpf(0)
    for rank in range(1, min(cutoff, n_documents - n_relevant + 1) + 1):
        here = none * r / (n - rank + 1)
        mean, square = mean + here / rank, square + here / rank**2
        none = none * (n - r - rank + 1) / (n - rank + 1)
    return mean, square - mean**2, 1 - none


@pytest.mark.parametrize("cutoff", [10, 256, 257, 259, 2000])
@pytest.mark.parametrize("n_relevant", [1, 2, 50, 10**5, 10**9, 10**11, 10**12 - 3])
def test_first_relevant_rank_of_a_trillion(n_relevant, cutoff):
    with mpmath.workdps(60):
        mean, variance, success = high_precision_first(10**12, n_relevant, cutoff)
        case = (10**12, n_relevant)
        assert abs(expected_score(*case, f"RR@{cutoff}") / mean - 1) < 3e-15
        assert abs(score_variance(*case, f"RR@{cutoff}") / variance - 1) < 2e-13
        assert abs(expected_score(*case, f"Success@{cutoff}") / success - 1) < 2e-15


def test_first_relevant_rank_without_a_cutoff():
    """The closed form, and the sum that is an integral beyond its first ranks."""
    with mpmath.workdps(40):
        for case in [(3000, 1), (3000, 2), (3000, 5), (3000, 300), (3000, 2999)]:
            mean, variance, _ = high_precision_first(*case, 3000)
            assert abs(expected_score(*case, "RR") / mean - 1) < 3e-15
            assert abs(score_variance(*case, "RR") / variance - 1) < 1e-13
        # one relevant document is anywhere: sums of 1/n and 1/n^2
        n = mpmath.mpf(10**12)
        mean = mpmath.harmonic(n) / n
        variance = (mpmath.zeta(2) - mpmath.zeta(2, n + 1)) / n - mean**2
        assert abs(expected_score(10**12, 1, "RR") / mean - 1) < 1e-15
        assert abs(score_variance(10**12, 1, "RR") / variance - 1) < 1e-14
        assert expected_score(10**12, 1, "RR") == pytest.approx(
            expected_score(10**12, 1), rel=1e-15
        )
