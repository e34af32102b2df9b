"""Error rates of tests and adjustments by simulation, with negative controls."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import stats

from irbounds import difference_interval
from irbounds.comparisons.tests_of_difference import TESTS

N_PAIRS = 2000
#: the probability that a test below fails by chance
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
    ],
)
def test_p_values_are_uniform_under_the_null_hypothesis(
    couples, test, n_queries, draw, alternative
):
    pairs = couples(equal_pairs(n_queries, 31, draw))
    p = TESTS[test](pairs, alternative, None)[1]
    for level in (0.05, 0.2, 0.5):
        hits = np.count_nonzero(p <= level)
        assert stats.binomtest(int(hits), N_PAIRS, level).pvalue > FALSE_ALARM


@pytest.mark.slow
def test_wilcoxon_has_its_nominal_level(couples):
    # 15 differences give few p-values, so the level is not reached exactly
    p = TESTS["wilcoxon"](couples(equal_pairs(15, 32, skewed)), "two-sided", None)[1]
    hits = int(np.count_nonzero(p <= 0.05))
    assert stats.binomtest(hits, N_PAIRS, 0.05, alternative="greater").pvalue > FALSE_ALARM
    assert hits > 0.03 * N_PAIRS


def test_negative_control_unpaired_test_is_not_uniform():
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


def count_families_with_findings(
    table, adjustment, test="sign-flip", baseline=None, n_families=N_FAMILIES
):
    """Count families of equal systems in which any adjusted p-value is at most 0.05."""
    rng = np.random.default_rng(41)
    n_findings = 0
    for _ in range(n_families):
        scores = rng.normal(0, 1, 20) + rng.exponential(0.5, (6, 20))
        comparisons = difference_interval(
            table(scores),
            baseline=baseline,
            adjustment=adjustment,
            test=test,
        )
        n_findings += min(c.adjusted_p_value for c in comparisons) <= 0.05
    return n_findings


@pytest.mark.slow
def test_holm_controls_the_family_wise_error_rate(table):
    n_findings = count_families_with_findings(table, "holm")
    over = stats.binomtest(n_findings, N_FAMILIES, 0.05, alternative="greater").pvalue
    assert over > FALSE_ALARM


@pytest.mark.parametrize("baseline", [None, "s0"])
def test_negative_control_unadjusted_families_exceed_the_level(table, baseline):
    n_findings = count_families_with_findings(table, "none", baseline=baseline, n_families=150)
    assert stats.binomtest(n_findings, 150, 0.05, alternative="greater").pvalue < 1e-6


@pytest.mark.slow
def test_benjamini_hochberg_controls_the_false_discovery_rate(table):
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
    # the nominal rate is 0.2 times 18 / 66; false alarm below 1 in 10,000
    stored = np.array(shares["benjamini-hochberg"])
    assert stats.ttest_1samp(stored, 0.2 * 18 / 66, alternative="greater").pvalue > FALSE_ALARM
    assert stats.ttest_1samp(stored, 0.2 * 18 / 66 / 3, alternative="greater").pvalue < 1e-6


def test_difference_intervals_have_nominal_coverage(table):
    rng = np.random.default_rng(44)
    held = {"student-t": 0, "one-system": 0}
    for _ in range(500):
        difficulty = rng.normal(0, 1, 25)
        scores = difficulty + rng.normal(0, 0.3, (2, 25)) + np.array([[0.2], [0.0]])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            (actual,) = difference_interval(table(scores), baseline="s1", test="t")
        held["student-t"] += actual.interval.low <= 0.2 <= actual.interval.high
        # negative control: the interval of one system's mean is no interval of the difference
        error = stats.sem(scores[0]) * stats.t.isf(0.025, 24)
        held["one-system"] += abs(actual.value - 0.2) <= error
    assert stats.binomtest(held["student-t"], 500, 0.95).pvalue > FALSE_ALARM
    assert stats.binomtest(held["one-system"], 500, 0.95).pvalue < 1e-4
