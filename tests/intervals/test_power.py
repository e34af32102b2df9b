"""Power of the t test and of the F test, against R, scipy, naive code and simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import special, stats

import irbounds
import naive
from irbounds.intervals.power import (
    detectable_difference,
    detectable_range,
    expected_half_width,
    power_of,
    queries_for_difference,
    queries_for_half_width,
    queries_for_range,
    range_power,
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


# R 4: power.anova.test(groups = m, between.var = (d^2 / 2) / (m - 1), within.var = v,
#                       sig.level = 1 - level, power = power)$n
QUERIES_OF_SYSTEMS_BY_R = [
    (2, 0.1, 0.0442, 0.8, 0.95, 70.3572931),
    (10, 0.1, 0.0442, 0.8, 0.95, 139.192254),
    (100, 0.1, 0.0442, 0.8, 0.95, 357.5711923),
    (5, 0.05, 0.02, 0.9, 0.99, 333.1206129),
    (30, 0.2, 0.09, 0.95, 0.95, 158.5738271),
]

# R 4: power.anova.test(groups = m, n = n, between.var = (d^2 / 2) / (m - 1),
#                       within.var = 0.0442)$power, and for the two-way analysis
#      pf(qf(0.95, m - 1, (m - 1) * (n - 1)), m - 1, (m - 1) * (n - 1),
#         ncp = n * d^2 / 2 / 0.0442, lower = FALSE)
POWER_OF_SYSTEMS_BY_R = [
    (2, 5, 0.3, 0.50947458142421, 0.40711096012673),
    (3, 2, 0.5, 0.24109608835851, 0.17526735346825),
    (10, 50, 0.1, 0.3131866112535, 0.31258005009265),
    (100, 300, 0.1, 0.69017684164132, 0.69016340859932),
    (40, 3, 0.2, 0.064612889187347, 0.064520713855762),
]


@pytest.mark.parametrize(
    ("m", "difference", "variance", "power", "level", "n"), QUERIES_OF_SYSTEMS_BY_R
)
def test_queries_for_several_systems_match_r(m, difference, variance, power, level, n):
    # statsmodels 0.15: FTestAnovaPower().solve_power(effect_size=sqrt(d^2 / 2 / m / v), alpha=0.05,
    # power=0.8, k_groups=m) / m is 70.35729, 139.19225 and 357.57119 for the first three
    found = queries_for_range(math.sqrt(variance), difference, m, level, power, "one-way")
    assert found == math.ceil(n)


def test_queries_of_the_published_table():
    # Sakai's table for alpha = 0.05, power = 0.8, range 0.1 and variance 0.0442
    found = [
        queries_for_range(math.sqrt(0.0442), 0.1, m, 0.95, 0.8, "one-way") for m in (2, 10, 100)
    ]
    assert found == [71, 140, 358]


@pytest.mark.parametrize(("m", "n", "difference", "one_way", "two_way"), POWER_OF_SYSTEMS_BY_R)
def test_power_for_several_systems_matches_r(m, n, difference, one_way, two_way):
    effect = difference / math.sqrt(0.0442)  # R's series ends at an error of 1e-9
    assert range_power(effect, n, m, 0.95, "one-way") == pytest.approx(one_way, abs=2e-9)
    assert range_power(effect, n, m, 0.95, "two-way") == pytest.approx(two_way, abs=2e-9)


@pytest.mark.parametrize("anova", ["one-way", "two-way"])
@pytest.mark.parametrize(("m", "n"), [(2, 3), (4, 2), (10, 40)])
def test_power_for_several_systems_matches_naive(anova, m, n):
    df = (m if anova == "one-way" else m - 1) * (n - 1)
    for level in (0.5, 0.95, 0.999):
        critical = stats.f.ppf(level, m - 1, df)
        for effect in (0.0, 0.3, 1.5):
            expected = naive.f_test_power(n * effect**2 / 2, m - 1, df, critical)
            assert range_power(effect, n, m, level, anova) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("n_systems", [2, 3, 10, 129, 5000])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999, 1 - 1e-9])
def test_power_for_several_systems_matches_scipy_noncentral_f(n_systems, level):
    for n in (2, 10, 200):
        for anova, factor in (("one-way", n_systems), ("two-way", n_systems - 1)):
            df = factor * (n - 1)
            critical = special.fdtri(n_systems - 1, df, level)
            for noncentrality in (0.001, 1.0, 12.0, 300.0):
                effect = math.sqrt(2 * noncentrality / n)
                expected = stats.ncf.sf(critical, n_systems - 1, df, noncentrality)
                found = range_power(effect, n, n_systems, level, anova)
                assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("n", [2, 3, 7, 50, 5000])
def test_two_systems_in_two_ways_are_the_paired_t_test(n):
    # the differences of two systems have twice the residual variance
    for level in (0.9, 0.95, 0.999):
        for power in (0.5, 0.8, 0.99):
            by_f = detectable_range(0.2 / math.sqrt(2), n, 2, level, power, "two-way")
            by_t = detectable_difference(0.2, n, level, power, "two-sided")
            assert by_f == pytest.approx(by_t, rel=1e-9)


@pytest.mark.parametrize("anova", ["one-way", "two-way"])
def test_range_and_number_of_queries_are_inverse(anova):
    for m in (2, 10, 129):
        for n in (2, 7, 50, 5000):
            difference = detectable_range(0.2, n, m, 0.95, 0.8, anova)
            assert range_power(difference / 0.2, n, m, 0.95, anova) == pytest.approx(0.8, abs=1e-11)
            assert queries_for_range(0.2, difference * 1.000001, m, 0.95, 0.8, anova) == n


def test_queries_for_several_systems_match_counting_up():
    for m, difference, power in ((2, 0.3, 0.8), (10, 0.2, 0.5), (30, 0.6, 0.99), (4, 3.0, 0.8)):
        expected = naive.fewest(
            lambda n, m=m, d=difference, p=power: (
                stats.ncf.sf(
                    stats.f.ppf(0.95, m - 1, (m - 1) * (n - 1)),
                    *(m - 1, (m - 1) * (n - 1), n * (d / 0.2) ** 2 / 2),
                )
                >= p
            )
        )
        assert queries_for_range(0.2, difference, m, 0.95, power, "two-way") == expected


def test_extreme_plans_for_several_systems_end():
    assert math.isnan(detectable_range(0.2, 1, 5, 0.95, 0.8, "two-way"))
    assert detectable_range(0.2, 50, 5, 0.95, 0.04, "one-way") == 0
    assert queries_for_range(0.2, 0.01, 5, 0.95, 0.04, "one-way") == 2
    # few degrees of freedom and a high level: a noncentrality beyond the series
    beyond = detectable_range(0.2, 2, 2, 1 - 1e-6, 0.8, "two-way")
    same = detectable_difference(0.2 * math.sqrt(2), 2, 1 - 1e-6, 0.8, "two-sided")
    assert beyond == pytest.approx(same, rel=1e-6)
    many = detectable_range(0.2, 50, 10**6, 0.95, 0.8, "one-way")
    assert 0.2 < many < 3
    assert queries_for_range(0.2, 1e-5, 10, 0.95, 0.8, "two-way") > 10**9
    with pytest.raises(irbounds.errors.ParameterError, match=r"difference 1e-300 would take more"):
        queries_for_range(0.2, 1e-300, 10, 0.95, 0.8, "one-way")


@pytest.mark.parametrize("anova", ["one-way", "two-way"])
def test_power_for_several_systems_by_simulation(anova):
    # false alarm: below 1 in 10,000 each; half the difference must not have the power
    rounds, m, deviation = 4_000, 6, 0.2
    n = queries_for_range(deviation, 0.15, m, 0.95, 0.8, anova)
    difference = detectable_range(deviation, n, m, 0.95, 0.8, anova)
    rng = np.random.default_rng(6)
    noise = rng.normal(0, deviation, (rounds, m, n))
    if anova == "two-way":
        noise = noise + rng.normal(0, 0.5, (rounds, 1, n))

    def count_rejected(true):
        scores = noise + true * np.array([0.5, -0.5, 0, 0, 0, 0])[:, None]
        if anova == "one-way":
            p_values = stats.f_oneway(*np.moveaxis(scores, 1, 0), axis=1).pvalue
        else:
            centred = scores - scores.mean(axis=1, keepdims=True)
            means = centred.mean(axis=2)
            residuals = centred - means[:, :, None]
            f = n * (means**2).sum(1) / ((residuals**2).sum((1, 2)) / (n - 1))
            p_values = stats.f.sf(f, m - 1, (m - 1) * (n - 1))
        return int((p_values < 0.05).sum())

    assert stats.binomtest(count_rejected(difference), rounds, 0.8).pvalue > 1e-4
    assert stats.binomtest(count_rejected(difference / 2), rounds, 0.8).pvalue < 1e-10
