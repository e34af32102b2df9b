"""Power of the t test and of the F test, against R, scipy, naive code and simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import special, stats

import naive
from irbounds.errors import ParameterError
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

# R 4: power.t.test(n = n, sd = 0.2, sig.level = 1 - level, power = power, type = "paired",
#                   alternative = side, strict = TRUE, tol = 1e-13)$delta
DIFFERENCES_BY_R = [
    ("two-sided", 0.95, 2, 0.8, 2.309977687173),
    ("two-sided", 0.95, 5, 0.5, 0.2306316021374),
    ("two-sided", 0.95, 249, 0.5, 0.02493672707354),
    ("two-sided", 0.999, 7000, 0.5, 0.007868906622244),
    ("greater", 0.95, 2, 0.99, 2.328625430759),
    ("greater", 0.999, 50, 0.5, 0.09186494213663),
]

# R 4: power.t.test(delta = delta, sd = 0.2, sig.level = 1 - level, power = power,
#                   type = "one.sample", alternative = side, strict = TRUE, tol = 1e-10)$n
QUERIES_BY_R = [
    ("two-sided", 0.9, 0.5, 0.5, 2.155795279),
    ("two-sided", 0.95, 0.1, 0.8, 33.36712895),
    ("two-sided", 0.95, 0.02, 0.99, 1839.169088),
    ("greater", 0.9, 0.5, 0.5, 1.632528413),
    ("greater", 0.95, 0.1, 0.8, 26.13750381),
    ("greater", 0.999, 0.02, 0.99, 2938.710242),
]


@pytest.mark.parametrize(("side", "level", "n", "power", "expected"), DIFFERENCES_BY_R)
def test_detectable_difference_matches_r(side, level, n, power, expected):
    found = detectable_difference(0.2, n, level, power, side)
    assert found == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize(("side", "level", "difference", "power", "expected"), QUERIES_BY_R)
def test_number_of_queries_matches_r(side, level, difference, power, expected):
    found = queries_for_difference(0.2, difference, level, power, side)
    assert found == max(math.ceil(expected), 2)


@pytest.mark.parametrize("n", [2, 6, 1000])
def test_power_matches_naive(n):
    for effect in (0, 0.01, 0.3, 2.0):
        for side, tails in (("two-sided", 2), ("less", 1)):
            critical = stats.t.ppf(1 - 0.05 / tails, n - 1)
            expected = naive.t_test_power(effect, n, critical, tails == 2)
            assert power_of(effect, n, 0.95, side) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("df", [1, 9, 249, 10**6])
@pytest.mark.parametrize("level", [0.01, 0.95, 1 - 1e-6])
def test_one_sided_power_matches_scipy_noncentral_t(df, level):
    # scipy's own holds about 11 digits for a million degrees of freedom
    critical = special.stdtrit(df, level)
    for noncentrality in (0.001, 2.8, 12, 1000):
        found = power_of(noncentrality / math.sqrt(df + 1), df + 1, level, "greater")
        with np.errstate(all="ignore"):  # older versions divide by zero on the way
            expected = stats.nct.sf(critical, df, noncentrality)
        assert found == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("n", [10**5, 10**10])
def test_power_of_very_many_queries_is_the_normal_approximation(n):
    for noncentrality in (0.1, 2.8, 6.0):
        found = power_of(noncentrality / math.sqrt(n), n, 0.95, "two-sided")
        z = special.ndtri(0.975)
        expected = special.ndtr(noncentrality - z) + special.ndtr(-noncentrality - z)
        assert found == pytest.approx(expected, abs=2 / n + 1e-12)


def test_numbers_of_queries_match_counting_up():
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


def test_difference_and_number_of_queries_are_inverse():
    for n in (2, 7, 50, 5000, 10**6):
        difference = detectable_difference(0.2, n, 0.95, 0.8, "two-sided")
        assert power_of(difference / 0.2, n, 0.95, "two-sided") == pytest.approx(0.8, abs=1e-14)
        assert queries_for_difference(0.2, difference * 1.000001, 0.95, 0.8, "two-sided") <= n
        assert queries_for_difference(0.2, difference * 0.999999, 0.95, 0.8, "two-sided") > n
        width = expected_half_width(0.2, n, 0.95)
        assert queries_for_half_width(0.2, width, 0.95) == n


def test_extreme_plans_end():
    assert detectable_difference(0.2, 50, 0.95, 0.04, "two-sided") == 0  # the false-alarm rate
    assert queries_for_difference(0.2, 0.01, 0.95, 0.04, "two-sided") == 2
    assert detectable_difference(0.2, 2, 0.95, 1 - 1e-16, "two-sided") > 10
    assert detectable_range(0.2, 50, 5, 0.95, 0.04, "one-way") == 0
    assert 0.2 < detectable_range(0.2, 50, 10**6, 0.95, 0.8, "one-way") < 3
    assert queries_for_range(0.2, 1e-5, 10, 0.95, 0.8, "two-way") > 10**9
    beyond = r"^{} 1e-300 would take more than 1,000,000,000,000,000 queries$"
    with pytest.raises(ParameterError, match=beyond.format("difference")):
        queries_for_difference(0.2, 1e-300, 0.95, 0.8, "two-sided")
    with pytest.raises(ParameterError, match=beyond.format("half width")):
        queries_for_half_width(0.2, 1e-300, 0.95)
    with pytest.raises(ParameterError, match=beyond.format("difference")):
        queries_for_range(0.2, 1e-300, 10, 0.95, 0.8, "one-way")


@pytest.mark.parametrize(("side", "n"), [("two-sided", 4), ("greater", 10)])
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
# statsmodels 0.15: FTestAnovaPower().solve_power(effect_size=sqrt(d^2 / 2 / m / v), alpha=0.05,
#                   power=0.8, k_groups=m) / m is the same for the first three, which are the
#                   71, 140 and 358 of Sakai's table
QUERIES_OF_SYSTEMS_BY_R = [
    (2, 0.1, 0.0442, 0.8, 0.95, 70.3572931),
    (10, 0.1, 0.0442, 0.8, 0.95, 139.192254),
    (100, 0.1, 0.0442, 0.8, 0.95, 357.5711923),
    (5, 0.05, 0.02, 0.9, 0.99, 333.1206129),
    (30, 0.2, 0.09, 0.95, 0.95, 158.5738271),
]


@pytest.mark.parametrize(
    ("m", "difference", "variance", "power", "level", "n"), QUERIES_OF_SYSTEMS_BY_R
)
def test_queries_for_several_systems_match_r(m, difference, variance, power, level, n):
    found = queries_for_range(math.sqrt(variance), difference, m, level, power, "one-way")
    assert found == math.ceil(n)


@pytest.mark.parametrize("anova", ["one-way", "two-way"])
@pytest.mark.parametrize(("m", "n"), [(2, 3), (10, 40)])
def test_power_for_several_systems_matches_naive(anova, m, n):
    df = (m if anova == "one-way" else m - 1) * (n - 1)
    critical = stats.f.ppf(0.95, m - 1, df)
    for effect in (0.0, 0.3, 1.5):
        expected = naive.f_test_power(n * effect**2 / 2, m - 1, df, critical)
        assert range_power(effect, n, m, 0.95, anova) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("n_systems", [2, 10, 5000])
@pytest.mark.parametrize("level", [0.5, 0.95, 1 - 1e-9])
def test_power_for_several_systems_matches_scipy_noncentral_f(n_systems, level):
    for n in (2, 200):
        for anova, factor in (("one-way", n_systems), ("two-way", n_systems - 1)):
            df = factor * (n - 1)
            critical = special.fdtri(n_systems - 1, df, level)
            for noncentrality in (0.001, 12.0, 300.0):
                effect = math.sqrt(2 * noncentrality / n)
                expected = stats.ncf.sf(critical, n_systems - 1, df, noncentrality)
                found = range_power(effect, n, n_systems, level, anova)
                assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("n", [2, 7, 5000])
def test_two_systems_in_two_ways_are_the_paired_t_test(n):
    # the differences of two systems have twice the residual variance; for n = 2 and the highest
    # level the noncentrality is beyond the series
    for level in (0.9, 0.999, 1 - 1e-6):
        by_f = detectable_range(0.2 / math.sqrt(2), n, 2, level, 0.8, "two-way")
        by_t = detectable_difference(0.2, n, level, 0.8, "two-sided")
        assert by_f == pytest.approx(by_t, rel=1e-6 if level > 0.9999 else 1e-9)


@pytest.mark.parametrize("anova", ["one-way", "two-way"])
def test_range_and_number_of_queries_are_inverse(anova):
    for m in (2, 10, 129):
        for n in (2, 7, 50, 5000):
            difference = detectable_range(0.2, n, m, 0.95, 0.8, anova)
            assert range_power(difference / 0.2, n, m, 0.95, anova) == pytest.approx(0.8, abs=1e-11)
            assert queries_for_range(0.2, difference * 1.000001, m, 0.95, 0.8, anova) == n
