"""Paired t and Wilcoxon tests, against scipy and R."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from irbounds.comparisons.tests_of_difference import paired_t, wilcoxon

SIDES = ["two-sided", "less", "greater"]


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("n", [2, 3, 20, 250])
def test_paired_t_matches_scipy(couples, n, alternative):
    scores = np.random.default_rng(n).beta(0.6, 2, size=(6, n))
    expected = stats.ttest_rel(scores[::2], scores[1::2], axis=1, alternative=alternative).pvalue
    actual = paired_t(couples(scores), alternative)
    np.testing.assert_allclose(actual, [expected] * 3, rtol=1e-9)


def test_paired_t_matches_r(couples):
    # x <- c(0.3,0.5,0.25,0.8,0.1,0.45,0.6,0.9); y <- c(0.2,0.55,0.1,0.5,0.1,0.3,0.35,0.7)
    # t.test(x, y, paired = TRUE)$p.value; and with alternative = "greater"
    scores = [
        [0.3, 0.5, 0.25, 0.8, 0.1, 0.45, 0.6, 0.9],
        [0.2, 0.55, 0.1, 0.5, 0.1, 0.3, 0.35, 0.7],
    ]
    pairs = couples(scores)
    assert paired_t(pairs, "two-sided")[1, 0] == pytest.approx(0.013592094698411701, rel=1e-12)
    actual = paired_t(pairs, "greater")[1, 0]
    assert actual == pytest.approx(0.0067960473492058504, rel=1e-12)


def test_paired_t_in_far_tails(couples):
    rng = np.random.default_rng(3)
    scores = np.vstack([rng.normal(0.5, 0.1, 400), rng.normal(0, 0.1, 400)])
    assert 0 < paired_t(couples(scores), "two-sided")[1, 0] < 1e-200


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("n", [1, 5, 12, 40, 80])
def test_wilcoxon_matches_scipy(couples, n, alternative):
    scores = np.random.default_rng(n).beta(0.6, 2, size=(4, n))
    expected = [
        stats.wilcoxon(x, y, alternative=alternative).pvalue
        for x, y in zip(scores[::2], scores[1::2], strict=True)
    ]
    actual = wilcoxon(couples(scores), alternative)
    np.testing.assert_allclose(actual, [expected] * 3, rtol=1e-12)


def test_wilcoxon_finds_ties_despite_rounding_and_drops_zeros(couples):
    rng = np.random.default_rng(5)
    first, second = rng.integers(0, 11, 60), rng.integers(0, 9, 60)
    assert (first == second).any()
    expected = stats.wilcoxon(first[first != second], second[first != second]).pvalue
    actual = wilcoxon(couples([first / 10, second / 10]), "two-sided")[1, 0]
    assert actual == pytest.approx(expected, rel=1e-12)
    # with plain doubles it is another number
    assert stats.wilcoxon(first / 10, second / 10).pvalue != pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("test", [paired_t, wilcoxon])
def test_tests_of_constant_differences(couples, test):
    ones, zeros = np.full(12, 0.5), np.full(12, 0.2)
    other = np.linspace(0, 1, 12)
    p = test(couples([zeros, zeros, ones, zeros, other, ones]), "two-sided")[1]
    assert p[0] == 1.0  # nothing differs
    if test is wilcoxon:  # ranks have no need of a spread
        assert p[1] == stats.wilcoxon(np.full(12, 0.3)).pvalue
    else:
        assert np.isnan(p[1])
    assert 0 < p[2] <= 1


def test_t_test_of_one_query(couples):
    p = paired_t(couples([[0.3], [0.1], [0.2], [0.2]]), "two-sided")[1]
    assert np.isnan(p[0])
    assert p[1] == 1.0
