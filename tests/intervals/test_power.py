"""Power of the t test, against R, scipy, naive code and simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import special, stats

import irbounds
import naive
from irbounds.intervals.power import (
    detectable_difference,
    expected_half_width,
    power_of,
    queries_for_difference,
    queries_for_half_width,
)

SIDES = {"two.sided": "two-sided", "one.sided": "greater"}

# R 4: power.t.test(n = n, sd = 0.2, sig.level = 1 - level, power = power, type = "paired",
#                   alternative = side, strict = TRUE, tol = 1e-13)$delta
DIFFERENCES_BY_R = [
    ("two.sided", 0.95, 2, 0.5, 1.215757769777),
    ("two.sided", 0.95, 2, 0.8, 2.309977687173),
    ("two.sided", 0.95, 2, 0.99, 4.642894111387),
    ("two.sided", 0.95, 5, 0.5, 0.2306316021374),
    ("two.sided", 0.95, 50, 0.5, 0.05654309524938),
    ("two.sided", 0.95, 249, 0.5, 0.02493672707354),
    ("two.sided", 0.95, 7000, 0.5, 0.004685587500508),
    ("two.sided", 0.999, 5, 0.5, 0.7073344225786),
    ("two.sided", 0.999, 50, 0.5, 0.09848483157845),
    ("two.sided", 0.999, 7000, 0.5, 0.007868906622244),
    ("one.sided", 0.95, 2, 0.8, 1.158560298336),
    ("one.sided", 0.95, 2, 0.99, 2.328625430759),
    ("one.sided", 0.95, 5, 0.5, 0.1776791307712),
    ("one.sided", 0.95, 249, 0.5, 0.02090471870061),
    ("one.sided", 0.999, 50, 0.5, 0.09186494213663),
    ("one.sided", 0.999, 7000, 0.5, 0.007389588685428),
]

# R 4: power.t.test(delta = delta, sd = 0.2, sig.level = 1 - level, power = power,
#                   type = "one.sample", alternative = side, strict = TRUE, tol = 1e-10)$n
QUERIES_BY_R = [
    ("two.sided", 0.9, 0.5, 0.5, 2.155795279),
    ("two.sided", 0.9, 0.1, 0.8, 26.13624477),
    ("two.sided", 0.9, 0.02, 0.99, 1578.397849),
    ("two.sided", 0.95, 0.5, 0.5, 2.716653009),
    ("two.sided", 0.95, 0.1, 0.8, 33.36712895),
    ("two.sided", 0.95, 0.02, 0.8, 786.8089403),
    ("two.sided", 0.95, 0.02, 0.99, 1839.169088),
    ("two.sided", 0.999, 0.5, 0.5, 6.208975991),
    ("two.sided", 0.999, 0.1, 0.8, 73.70118925),
    ("two.sided", 0.999, 0.02, 0.99, 3160.343049),
    ("one.sided", 0.9, 0.5, 0.5, 1.632528413),
    ("one.sided", 0.9, 0.1, 0.8, 18.90541308),
    ("one.sided", 0.95, 0.1, 0.8, 26.13750381),
    ("one.sided", 0.95, 0.02, 0.99, 1578.39814),
    ("one.sided", 0.999, 0.5, 0.5, 5.567210324),
    ("one.sided", 0.999, 0.02, 0.99, 2938.710242),
]


@pytest.mark.parametrize(("side", "level", "n", "power", "expected"), DIFFERENCES_BY_R)
def test_detectable_difference_matches_r(side, level, n, power, expected):
    estimates = detectable_difference(0.2, n, level, power, SIDES[side])
    assert estimates == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize(("side", "level", "difference", "power", "expected"), QUERIES_BY_R)
def test_number_of_queries_matches_r(side, level, difference, power, expected):
    estimates = queries_for_difference(0.2, difference, level, power, SIDES[side])
    assert estimates == max(math.ceil(expected), 2)


@pytest.mark.parametrize("n", [2, 3, 6, 50, 1000])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_power_matches_naive(n, level):
    for effect in (0, 0.01, 0.3, 2.0):
        for side, tails in (("two-sided", 2), ("less", 1), ("greater", 1)):
            critical = stats.t.ppf(1 - (1 - level) / tails, n - 1)
            expected = naive.t_test_power(effect, n, critical, tails == 2)
            assert power_of(effect, n, level, side) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("df", [1, 2, 9, 249, 10**4, 10**6])
@pytest.mark.parametrize("level", [0.01, 0.5, 0.95, 0.999, 1 - 1e-6])
def test_one_sided_power_matches_scipy_noncentral_t(df, level):
    # scipy's own holds about 11 digits for a million degrees of freedom
    critical = special.stdtrit(df, level)
    for noncentrality in (0.001, 0.5, 2.8, 5, 12, 38, 60, 1000):
        estimates = power_of(noncentrality / math.sqrt(df + 1), df + 1, level, "greater")
        with np.errstate(all="ignore"):  # older versions divide by zero on the way
            expected = stats.nct.sf(critical, df, noncentrality)
        assert estimates == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("n", [10**5, 10**6, 10**8, 10**10])
def test_power_of_very_many_queries_is_the_normal_approximation(n):
    for noncentrality in (0.1, 1.0, 2.8, 6.0):
        estimates = power_of(noncentrality / math.sqrt(n), n, 0.95, "two-sided")
        z = special.ndtri(0.975)
        expected = special.ndtr(noncentrality - z) + special.ndtr(-noncentrality - z)
        assert estimates == pytest.approx(expected, abs=2 / n + 1e-12)


@pytest.mark.parametrize(
    ("difference", "at_least"), [(1e-3, 313_955), (1e-4, 31_395_400), (1e-5, 3_139_500_000)]
)
def test_number_of_queries_is_the_smallest(difference, at_least):
    n = queries_for_difference(0.2, difference, 0.95, 0.8, "two-sided")
    assert at_least < n < 1.0001 * at_least
    assert power_of(difference / 0.2, n, 0.95, "two-sided") >= 0.8
    assert power_of(difference / 0.2, n - 1, 0.95, "two-sided") < 0.8


def test_number_of_queries_matches_counting_up():
    for difference in (0.04, 0.1, 0.3, 3.0):
        for power in (0.02, 0.5, 0.9):
            expected = naive.fewest(
                lambda n, d=difference, p=power: power_of(d / 0.2, n, 0.95, "two-sided") >= p
            )
            assert queries_for_difference(0.2, difference, 0.95, power, "two-sided") == expected
        width = naive.fewest(
            lambda n, w=difference: stats.t.ppf(0.975, n - 1) * 0.2 / math.sqrt(n) <= w
        )
        assert queries_for_half_width(0.2, difference, 0.95) == width


@pytest.mark.parametrize("width", [1e-3, 1e-4])
def test_number_of_queries_for_a_half_width_is_the_smallest(width):
    n = queries_for_half_width(0.2, width, 0.95)
    assert expected_half_width(0.2, n, 0.95) <= width < expected_half_width(0.2, n - 1, 0.95)
    assert n == pytest.approx((special.ndtri(0.975) * 0.2 / width) ** 2, rel=1e-4)


def test_difference_and_number_of_queries_are_inverse():
    for n in (2, 7, 50, 5000):
        difference = detectable_difference(0.2, n, 0.95, 0.8, "two-sided")
        assert power_of(difference / 0.2, n, 0.95, "two-sided") == pytest.approx(0.8, abs=1e-14)
        assert queries_for_difference(0.2, difference * 1.000001, 0.95, 0.8, "two-sided") == n


def test_detectable_differences_of_many_standard_deviations():
    spread = np.array([[0.1, 0.0], [np.nan, 0.4]])
    estimates = detectable_difference(spread, 50, 0.95, 0.8, "two-sided")
    first = detectable_difference(1.0, 50, 0.95, 0.8, "two-sided")
    np.testing.assert_array_equal(estimates, spread * first)
    assert isinstance(first, float)
    assert np.isnan(detectable_difference(np.ones(3), 1, 0.95, 0.8, "two-sided")).all()
    assert math.isnan(expected_half_width(0.2, 1, 0.95))


def test_power_below_the_false_alarm_rate_needs_no_difference():
    assert detectable_difference(0.2, 50, 0.95, 0.04, "two-sided") == 0
    # older versions of scipy have nine digits of the critical value
    assert power_of(0.0, 50, 0.95, "two-sided") == pytest.approx(0.05, abs=1e-8)
    assert queries_for_difference(0.2, 0.01, 0.95, 0.04, "two-sided") == 2


@pytest.mark.parametrize("level", [0.3, 0.5])
def test_one_sided_power_at_levels_up_to_a_half(level):
    difference = detectable_difference(0.2, 30, level, 0.8, "less")
    critical = stats.t.ppf(level, 29)
    estimates = stats.nct.sf(critical, 29, difference / 0.2 * math.sqrt(30))
    assert estimates == pytest.approx(0.8, abs=1e-12)


def test_search_ends_for_a_power_beyond_rounding():
    assert detectable_difference(0.2, 2, 0.95, 1 - 1e-16, "two-sided") > 10
    assert queries_for_difference(0.2, 0.1, 0.95, 1 - 1e-16, "two-sided") > 300


def test_more_than_the_maximum_of_queries_is_an_error():
    beyond = r"would take more than 1,000,000,000,000,000 queries$"
    with pytest.raises(irbounds.errors.ParameterError, match=r"^difference 1e-300 " + beyond):
        queries_for_difference(0.2, 1e-300, 0.95, 0.8, "two-sided")
    with pytest.raises(irbounds.errors.ParameterError, match=r"^half width 1e-300 " + beyond):
        queries_for_half_width(0.2, 1e-300, 0.95)


@pytest.mark.parametrize(("side", "n"), [("two-sided", 4), ("two-sided", 30), ("greater", 10)])
def test_power_by_simulation(side, n):
    # false alarm: below 1 in 10,000 each; half the difference must not have the power
    rounds = 20_000
    difference = detectable_difference(0.2, n, 0.95, 0.8, side)
    noise = np.random.default_rng(5).normal(0, 0.2, (rounds, n))

    def count_rejected(true):
        detected = stats.ttest_1samp(noise + true, 0, axis=1, alternative=side).pvalue < 0.05
        return int(detected.sum())

    assert stats.binomtest(count_rejected(difference), rounds, 0.8).pvalue > 1e-4
    assert stats.binomtest(count_rejected(difference / 2), rounds, 0.8).pvalue < 1e-10
