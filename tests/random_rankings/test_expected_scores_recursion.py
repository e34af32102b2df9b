"""Expectation and variance by a second route, further than all rankings can be listed.

A walk down the ranks in fractions, up to 30 documents; nothing of the package's formulas is in it.
"""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

import naive
from irbounds import expected_score
from irbounds.random_rankings import score_variance

SIZES = [(n, r) for n in (1, 2, 3, 4, 5, 13, 30) for r in range(1, n + 1)]
STOP = Fraction(1, 16)  # of ERR, for grade 1 of the four that its stopping readers know


def ap_gain(rank, met):
    return Fraction(met, rank)


def first_gain(value):
    return lambda rank, met: value(rank) if met == 1 else 0


#: what a relevant document adds at a rank, by the number of relevant ones down to it; what the sum
#: is divided by; and the last rank that counts
MEASURES = {
    "AP": (ap_gain, lambda r: r, None),
    "AP@1": (ap_gain, lambda r: r, 1),
    "AP@4": (ap_gain, lambda r: r, 4),
    "AP@12": (ap_gain, lambda r: r, 12),
    "P@4": (lambda rank, met: 1, lambda r: 4, 4),
    "R@4": (lambda rank, met: 1, lambda r: r, 4),
    "RR": (first_gain(lambda rank: Fraction(1, rank)), lambda r: 1, None),
    "RR@4": (first_gain(lambda rank: Fraction(1, rank)), lambda r: 1, 4),
    "Success@4": (first_gain(lambda rank: 1), lambda r: 1, 4),
    "RBP(p=0.75,rel=1)": (lambda rank, met: Fraction(3, 4) ** (rank - 1) / 4, lambda r: 1, None),
    "ERR@4": (lambda rank, met: STOP * (1 - STOP) ** (met - 1) / rank, lambda r: 1, 4),
}


@pytest.mark.parametrize("measure", MEASURES)
def test_expectation_and_variance(measure):
    gain, base, depth = MEASURES[measure]
    for n, r in SIZES:
        mean, variance = naive.moments_down_the_ranks(n, r, gain, depth)
        assert expected_score(n, r, measure) == pytest.approx(float(mean / base(r)), rel=1e-13)
        result = score_variance(n, r, measure)
        if not (math.isnan(result) and measure.startswith("ERR")):
            expected = float(variance / base(r) ** 2)
            assert result == pytest.approx(expected, rel=1e-11, abs=1e-17), (n, r)


def test_r_precision():
    for n, r in SIZES:
        mean, variance = naive.moments_down_the_ranks(n, r, lambda rank, met: 1, r)
        assert expected_score(n, r, "Rprec") == pytest.approx(float(mean / r), rel=1e-13)
        assert score_variance(n, r, "Rprec") == pytest.approx(
            float(variance / r**2), rel=1e-11, abs=1e-17
        )


@pytest.mark.slow
def test_average_precision_at_every_cutoff():
    for n in range(1, 21):
        for r in range(1, n + 1):
            for k in range(1, n + 1):
                mean, variance = naive.moments_down_the_ranks(n, r, ap_gain, k)
                assert expected_score(n, r, f"AP@{k}") == pytest.approx(float(mean / r), rel=1e-13)
                expected = float(variance / r**2)
                assert score_variance(n, r, f"AP@{k}") == pytest.approx(
                    expected, rel=1e-11, abs=1e-17
                )
