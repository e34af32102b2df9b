"""The probability of finding nothing, and sums over ranks, against fractions and many digits."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from irbounds.measurement.none_found import log_none_found
from irbounds.measurement.rank_sums import rank_sums


def one(*numbers):
    return float(log_none_found(*(np.array([float(number)]) for number in numbers))[0])


def test_every_small_case():
    cases = [(n, r, k) for n in range(1, 45) for r in range(n + 1) for k in range(n + 1)]
    found = log_none_found(*np.array(cases, dtype=float).T)
    for (n, relevant, ranks), log in zip(cases, found.tolist(), strict=True):
        ways = math.comb(n - relevant, ranks)
        exact = math.log(ways / math.comb(n, ranks)) if ways else -math.inf
        assert log == pytest.approx(exact, rel=1e-13, abs=1e-15), (n, relevant, ranks)


def test_a_trillion_documents():
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
            assert abs(one(n, relevant, ranks) - exact) <= 2e-15 * abs(exact)


def test_log_factorials_would_lose_their_digits():
    """The negative control of the test above: scipy's gammaln, where it matters."""
    from scipy.special import gammaln

    n, relevant, ranks = 1e12, 1e6, 1e6
    plain = gammaln(n - relevant + 1) + gammaln(n - ranks + 1)
    plain = plain - gammaln(n - relevant - ranks + 1) - gammaln(n + 1)
    assert abs(plain - one(n, relevant, ranks)) > 1e-7


@pytest.mark.parametrize("last", [1, 2, 255, 256, 257, 258, 259, 300, 5000, 10**6, 10**12])
def test_sums_of_powers(last):
    with mpmath.workdps(40):
        sums = [mpmath.harmonic(last), mpmath.zeta(2) - mpmath.zeta(2, last + 1)]
        for power, exact in enumerate(sums, start=1):
            got = rank_sums(lambda rank, power=power: rank**-power, np.array([float(last)]))[0]
            assert abs(got / exact - 1) < 1e-15


@pytest.mark.parametrize("rate", [0.5, 0.1, 0.03, 0.01, 1e-3, 1e-6])
def test_sums_of_what_falls_exponentially(rate):
    """Against a geometric sum; the parameter travels as a column."""
    for last in (10, 400, 10**7):
        exact = -math.exp(-rate) * math.expm1(-rate * last) / -math.expm1(-rate)
        got = rank_sums(
            lambda rank, rate: np.exp(-rate * rank), np.array([float(last)]), np.array([rate])
        )
        assert got[0] == pytest.approx(exact, rel=1e-13)


def test_many_queries_of_unlike_length():
    last = np.array([3.0, 256.0, 257.0, 10**5, 700.0] * 500)  # more than go at once
    rates = np.linspace(0.001, 0.1, len(last))

    def term(rank, rate):
        return np.exp(-rate * rank) / rank

    many = rank_sums(term, last, rates)
    for place in (0, 1, 2, 3, 1024, 2499):
        one = rank_sums(term, last[[place]], rates[[place]])
        assert many[place] == pytest.approx(one[0], rel=1e-14)
