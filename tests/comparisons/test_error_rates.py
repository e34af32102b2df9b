"""The promises of tests and adjustments, by simulation, with controls that must fail."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import stats

from irbounds import difference_interval
from irbounds.comparisons.tests_of_difference import TESTS

N_PAIRS = 2000
#: the chance that a test of a sound promise below raises a false alarm
FALSE_ALARM = 1e-4


def equal_pairs(n_queries, seed, draw):
    """Scores of independent pairs of equally good systems, correlated through their queries."""
    rng = np.random.default_rng(seed)
    difficulty = np.repeat(rng.normal(0, 1, (N_PAIRS, n_queries)), 2, axis=0)
    return difficulty + draw(rng, (2 * N_PAIRS, n_queries))


def skewed(rng, size):
    return rng.exponential(0.5, size)


def normal(rng, size):
    return rng.normal(0, 0.5, size)


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
@pytest.mark.parametrize(
    ("test", "n_queries", "draw"),
    [
        ("sign-flip", 15, skewed),
        ("sign-flip", 40, skewed),
        ("t", 15, normal),
        ("bootstrap", 50, normal),
    ],
)
def test_p_values_are_uniform_where_nothing_differs(
    couples, plan, test, n_queries, draw, alternative
):
    pairs = couples(equal_pairs(n_queries, 31, draw))
    p = TESTS[test](pairs, plan(alternative, n_resamples=999)).values
    for level in (0.05, 0.2, 0.5):
        hits = np.count_nonzero(p <= level)
        assert stats.binomtest(int(hits), N_PAIRS, level).pvalue > FALSE_ALARM


@pytest.mark.slow
def test_wilcoxon_keeps_its_level(couples, plan):
    # 15 differences give few p-values, so the level is not reached exactly
    p = TESTS["wilcoxon"](couples(equal_pairs(15, 32, skewed)), plan()).values
    hits = int(np.count_nonzero(p <= 0.05))
    assert stats.binomtest(hits, N_PAIRS, 0.05, alternative="greater").pvalue > FALSE_ALARM
    assert hits > 0.03 * N_PAIRS


def test_the_check_above_can_fail():
    # negative controls: an unpaired test ignores what queries share, and calls nothing; a z test
    # of 5 differences takes the spread as known, and calls too much
    scores = equal_pairs(15, 31, normal)
    unpaired = stats.ttest_ind(scores[::2], scores[1::2], axis=1).pvalue
    assert stats.binomtest(int((unpaired <= 0.05).sum()), N_PAIRS, 0.05).pvalue < 1e-6
    few = (scores[::2] - scores[1::2])[:, :5]
    z = few.mean(axis=1) / stats.sem(few, axis=1)
    hits = int((np.abs(z) > stats.norm.isf(0.025)).sum())
    assert stats.binomtest(hits, N_PAIRS, 0.05).pvalue < 1e-6


N_FAMILIES = 400


def families_with_a_finding(table, adjustment, test="sign-flip", baseline=None):
    """Of families of equal systems, those in which any adjusted p-value is 0.05 or less."""
    rng = np.random.default_rng(41)
    found = 0
    for seed in range(N_FAMILIES):
        scores = rng.normal(0, 1, 20) + rng.exponential(0.5, (6, 20))
        comparisons = difference_interval(
            table(scores),
            baseline=baseline,
            adjustment=adjustment,
            test=test,
            n_resamples=199,
            rng=seed,
        )
        found += min(c.adjusted_p_value for c in comparisons) <= 0.05
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("adjustment", "baseline"),
    [("holm", None), ("max-statistic", None), ("max-statistic", "s0")],
)
def test_adjusted_families_hold_their_level(table, adjustment, baseline):
    found = families_with_a_finding(table, adjustment, baseline=baseline)
    over = stats.binomtest(found, N_FAMILIES, 0.05, alternative="greater").pvalue
    assert over > FALSE_ALARM
    if adjustment == "max-statistic":  # exact where no system differs, so not far below either
        assert stats.binomtest(found, N_FAMILIES, 0.05).pvalue > FALSE_ALARM


@pytest.mark.parametrize("baseline", [None, "s0"])
def test_families_without_adjustment_do_not(table, baseline):
    found = families_with_a_finding(table, "none", baseline=baseline)
    assert stats.binomtest(found, N_FAMILIES, 0.05, alternative="greater").pvalue < 1e-6


@pytest.mark.slow
def test_benjamini_hochberg_keeps_the_share_of_false_findings(table):
    # three groups of four equal systems each: 18 true null hypotheses among 66, and many findings
    rng = np.random.default_rng(43)
    shares = {"benjamini-hochberg": [], "none": []}
    groups = np.repeat([0.0, 0.12, 0.24], 4)
    for _ in range(150):
        scores = groups[:, None] + rng.normal(0, 0.25, (12, 30))
        for adjustment, collected in shares.items():
            comparisons = difference_interval(table(scores), test="t", adjustment=adjustment)
            called = [c for c in comparisons if c.adjusted_p_value <= 0.2]
            false = [c for c in called if int(c.system[1:]) // 4 == int(c.baseline[1:]) // 4]
            collected.append(len(false) / max(len(called), 1))
    # the promise is 0.2 times 18 / 66; false alarm below 1 in 10,000
    kept = np.array(shares["benjamini-hochberg"])
    assert stats.ttest_1samp(kept, 0.2 * 18 / 66, alternative="greater").pvalue > FALSE_ALARM
    assert stats.ttest_1samp(kept, 0.2 * 18 / 66 / 3, alternative="greater").pvalue < 1e-6


def test_intervals_of_differences_cover_the_truth(table):
    rng = np.random.default_rng(44)
    held = {"student-t": 0, "one-system": 0}
    for _ in range(500):
        difficulty = rng.normal(0, 1, 25)
        scores = difficulty + rng.normal(0, 0.3, (2, 25)) + np.array([[0.2], [0.0]])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            (found,) = difference_interval(table(scores), baseline="s1", test="t")
        held["student-t"] += found.interval.low <= 0.2 <= found.interval.high
        # negative control: the interval of one system's mean is no interval of the difference
        error = stats.sem(scores[0]) * stats.t.isf(0.025, 24)
        held["one-system"] += abs(found.value - 0.2) <= error
    assert stats.binomtest(held["student-t"], 500, 0.95).pvalue > FALSE_ALARM
    assert stats.binomtest(held["one-system"], 500, 0.95).pvalue < 1e-4
