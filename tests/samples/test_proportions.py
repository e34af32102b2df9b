"""Intervals of a proportion against R, scipy and slow twins."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import naive
from irbounds.errors import DataError, ParameterError
from irbounds.samples.proportions import (
    PROPORTION_METHODS,
)

ENDLESS = np.inf


def ends(method, population, sampled, relevant, level=0.95, **options):
    counts = (np.array(float(count)) for count in (population, sampled, relevant))
    limits = PROPORTION_METHODS[method](*counts, **options)
    return float(limits.limit((1 - level) / 2)), float(limits.limit((1 + level) / 2))


# R 4.2.2: binom.test(r, n)$conf.int; prop.test(r, n, correct = FALSE)$conf.int;
#   qbeta(c(.025, .975), r + .5, n - r + .5)
FROM_R = {
    (0, 20): {
        "clopper-pearson": (0, 0.168433470983085),
        "wilson": (0, 0.161125158052819),
        "jeffreys": (0, 0.116638982904875),
    },
    (3, 20): {
        "clopper-pearson": (0.0320709371854637, 0.378926826545314),
        "wilson": (0.0523687458962166, 0.360418864740757),
        "jeffreys": (0.0441313419751558, 0.348577710858454),
    },
    (20, 20): {
        "clopper-pearson": (0.831566529016915, 1),
        "wilson": (0.838874841947181, 1),
        "jeffreys": (0.883361017095125, 1),
    },
    (13, 2400): {
        "clopper-pearson": (0.0028872045719821, 0.00924485329820457),
        "wilson": (0.0031683022906319, 0.00924576882507891),
        "jeffreys": (0.00303942620362425, 0.00898180220992439),
    },
}


@pytest.mark.parametrize("counts", FROM_R)
def test_intervals_match_r(counts):
    relevant, sampled = counts
    for method, interval in FROM_R[counts].items():
        found = ends(method, ENDLESS, sampled, relevant)
        assert found == pytest.approx(interval, rel=1e-10, abs=1e-13), method


@pytest.mark.parametrize("level", [0.5, 0.9, 0.999])
def test_intervals_match_scipy(level):
    rng = np.random.default_rng(8)
    for _ in range(30):
        sampled = int(rng.integers(1, 400))
        relevant = int(rng.integers(0, sampled + 1))
        theirs = stats.binomtest(relevant, sampled)
        for method, name in (("clopper-pearson", "exact"), ("wilson", "wilson")):
            interval = theirs.proportion_ci(level, name)
            found = ends(method, ENDLESS, sampled, relevant, level)
            assert found == pytest.approx(tuple(interval), rel=1e-8, abs=1e-12)


def test_wald_by_hand_and_with_a_finite_population():
    width = 1.959963984540054 * math.sqrt(0.15 * 0.85 / 20)
    assert ends("wald", ENDLESS, 20, 3) == pytest.approx((0.15 - width, 0.15 + width))
    width *= math.sqrt(1 - 20 / 50)
    assert ends("wald", 50, 20, 3, finite=True) == pytest.approx((0.15 - width, 0.15 + width))


def test_finite_wilson_inverts_the_hypergeometric_variance():
    low, high = ends("wilson", 50, 20, 3, finite=True)
    for end in (low, high):
        variance = stats.hypergeom.var(50, 25, 20) / 20**2 / 0.25 * end * (1 - end)
        assert abs(0.15 - end) / math.sqrt(variance) == pytest.approx(1.959963984540054)
    assert low < 0.15 < high


# R 4.2.2, bisection over the whole numbers m of
#   phyper(r - 1, m, N - m, n, lower.tail = FALSE) > 0.025 and phyper(r, m, N - m, n) > 0.025
FINITE_FROM_R = {
    (1_000_000_000, 2_400, 13): (2_887_208, 9_244_848),
    (1_000_000, 1_000, 0): (0, 3_680),
    (1_000_000, 5_000, 4_999): (998_889, 999_994),
    (2_000, 100, 50): (802, 1_198),
    (30, 20, 7): (7, 15),
    (1_000_000_000, 100_000, 43_210): (429_026_893, 435_177_045),
    (5, 5, 2): (2, 2),
    (8, 1, 1): (1, 8),
}


@pytest.mark.parametrize("counts", FINITE_FROM_R)
def test_finite_clopper_pearson_matches_r(counts):
    low, high = ends("clopper-pearson", *counts, finite=True)
    found = round(low * counts[0]), round(high * counts[0])
    assert found == FINITE_FROM_R[counts]


def test_finite_clopper_pearson_matches_naive_on_small_counts():
    for population, sampled in ((1, 1), (2, 1), (7, 3), (9, 8), (12, 5)):
        for relevant in range(sampled + 1):
            found = ends("clopper-pearson", population, sampled, relevant, 0.9, finite=True)
            twin = naive.finite_clopper_pearson(population, sampled, relevant, 0.05)
            assert found == pytest.approx((twin[0] / population, twin[1] / population))


def test_finite_clopper_pearson_of_many_samples():
    relevant = np.array([[0.0, 3.0, 3.0], [1.0, 2.0, 5.0]])
    limits = PROPORTION_METHODS["clopper-pearson"](
        np.array(40.0), np.array(5.0), relevant, finite=True
    )
    found = limits.limit(0.9)
    assert found.shape == (2, 3)
    for index in np.ndindex(2, 3):
        assert found[index] == ends("clopper-pearson", 40, 5, relevant[index], 0.8, finite=True)[1]


def finite_coverage(method, population, sampled, **options):
    """The least coverage over every possible number of relevant documents, as a sum."""
    count = np.arange(sampled + 1.0)
    limits = PROPORTION_METHODS[method](
        np.full_like(count, population), np.full_like(count, sampled), count, **options
    )
    low, high = limits.limit(0.05), limits.limit(0.95)
    least = 1.0
    for relevant in range(population + 1):
        mass = stats.hypergeom.pmf(count, population, relevant, sampled)
        truth = relevant / population
        least = min(least, float(mass[(low <= truth) & (truth <= high)].sum()))
    return least


@pytest.mark.parametrize(("population", "sampled"), [(30, 12), (60, 50), (200, 25)])
def test_finite_clopper_pearson_coverage_is_at_least_nominal(population, sampled):
    assert finite_coverage("clopper-pearson", population, sampled, finite=True) >= 0.9 - 1e-12
    for method in ("wald", "wilson"):  # negative control: approximations fail somewhere
        assert finite_coverage(method, population, sampled, finite=True) < 0.9
    finite = ends("clopper-pearson", population, sampled, sampled // 3, finite=True)
    endless = ends("clopper-pearson", population, sampled, sampled // 3)
    assert finite[1] - finite[0] < endless[1] - endless[0]


@pytest.mark.parametrize("finite", [False, True])
@pytest.mark.parametrize("method", PROPORTION_METHODS)
def test_degenerate_counts(method, finite):
    options = {"finite": finite and method != "jeffreys"}
    assert all(map(math.isnan, ends(method, 0, 0, 0, **options)))  # nothing there
    unseen = ends(method, 10, 0, 0, **options)  # no sample
    assert all(map(math.isnan, unseen)) if method == "wald" else unseen == (0, 1)
    low, high = ends(method, 10, 4, 0, **options)
    assert low == 0
    assert high == 0 if method == "wald" else 0 < high < 1
    low, high = ends(method, 10, 4, 4, **options)
    assert high == 1
    assert low == 1 if method == "wald" else 0 < low < 1
    low, high = ends(method, 10, 1, 1, **options)
    assert high == 1
    if options["finite"]:
        assert ends(method, 10, 10, 3, **options) == pytest.approx((0.3, 0.3))
        assert ends(method, 1, 1, 1, **options) == (1, 1)
        assert ends(method, 1, 1, 0, **options) == (0, 0)


def test_invalid_parameters_are_rejected():
    text = "^method 'jeffreys' has no correction for a finite population; use 'beta-binomial'$"
    with pytest.raises(ParameterError, match=text):
        ends("jeffreys", 10, 5, 2, finite=True)
    text = r"^method 'clopper-pearson' needs integer counts for a finite population; got 2\.5$"
    with pytest.raises(DataError, match=text):
        ends("clopper-pearson", 10, 5, 2.5, finite=True)
