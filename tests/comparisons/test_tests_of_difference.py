"""Paired t, Wilcoxon and bootstrap tests, against scipy, R and naive code."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import naive
from irbounds.comparisons.tests_of_difference import bootstrap_test, paired_t, wilcoxon
from irbounds.intervals.methods import METHODS
from irbounds.intervals.sample import Sample
from irbounds.resampling.query_bootstrap import bootstrap_queries, draw_counts

SIDES = ["two-sided", "less", "greater"]


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("n", [2, 3, 20, 250])
def test_paired_t_matches_scipy(couples, plan, n, alternative):
    scores = np.random.default_rng(n).beta(0.6, 2, size=(6, n))
    expected = stats.ttest_rel(scores[::2], scores[1::2], axis=1, alternative=alternative).pvalue
    actual = paired_t(couples(scores), plan(alternative))
    np.testing.assert_allclose(actual.values, expected, rtol=1e-9)
    assert not actual.drawn.any()


def test_paired_t_matches_r(couples, plan):
    # x <- c(0.3,0.5,0.25,0.8,0.1,0.45,0.6,0.9); y <- c(0.2,0.55,0.1,0.5,0.1,0.3,0.35,0.7)
    # t.test(x, y, paired = TRUE)$p.value; and with alternative = "greater"
    scores = [
        [0.3, 0.5, 0.25, 0.8, 0.1, 0.45, 0.6, 0.9],
        [0.2, 0.55, 0.1, 0.5, 0.1, 0.3, 0.35, 0.7],
    ]
    pairs = couples(scores)
    assert paired_t(pairs, plan()).values[0] == pytest.approx(0.013592094698411701, rel=1e-12)
    actual = paired_t(pairs, plan("greater")).values[0]
    assert actual == pytest.approx(0.0067960473492058504, rel=1e-12)


def test_paired_t_in_far_tails(couples, plan):
    rng = np.random.default_rng(3)
    scores = np.vstack([rng.normal(0.5, 0.1, 400), rng.normal(0, 0.1, 400)])
    assert 0 < paired_t(couples(scores), plan()).values[0] < 1e-200


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("n", [1, 5, 12, 40, 80])
def test_wilcoxon_matches_scipy(couples, plan, n, alternative):
    scores = np.random.default_rng(n).beta(0.6, 2, size=(4, n))
    expected = [
        stats.wilcoxon(x, y, alternative=alternative).pvalue
        for x, y in zip(scores[::2], scores[1::2], strict=True)
    ]
    actual = wilcoxon(couples(scores), plan(alternative))
    np.testing.assert_allclose(actual.values, expected, rtol=1e-12)


def test_wilcoxon_finds_ties_despite_rounding_and_drops_zeros(couples, plan):
    rng = np.random.default_rng(5)
    first, second = rng.integers(0, 11, 60), rng.integers(0, 9, 60)
    assert (first == second).any()
    expected = stats.wilcoxon(first[first != second], second[first != second]).pvalue
    actual = wilcoxon(couples([first / 10, second / 10]), plan()).values[0]
    assert actual == pytest.approx(expected, rel=1e-12)
    # with plain doubles it is another number
    assert stats.wilcoxon(first / 10, second / 10).pvalue != pytest.approx(expected, rel=1e-6)


def t_statistics(differences, counts):
    """Return the t statistic of every resample of shifted differences, by the definition."""
    shifted = differences - differences.mean()
    for column in counts.T:
        resample = np.repeat(shifted, column)
        if (resample == resample[0]).all():
            yield np.sign(resample[0]) * np.inf if resample[0] else 0.0
        else:
            yield stats.ttest_1samp(resample, 0).statistic


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("n", [3, 15])
def test_bootstrap_test_matches_naive(couples, plan, n, alternative):
    scores = np.random.default_rng(n).beta(0.6, 2, size=(4, n))
    actual = bootstrap_test(couples(scores), plan(alternative, n_resamples=300, seed=5))
    counts = draw_counts(5, n, 0, 300)
    for p, x, y in zip(actual.values, scores[::2], scores[1::2], strict=True):
        observed = stats.ttest_rel(x, y).statistic
        drawn = list(t_statistics(x - y, counts))
        assert p == naive.drawn_p_value(drawn, observed, alternative)
    assert actual.drawn.all()


def test_bootstrap_test_agrees_with_the_studentised_interval(couples, plan):
    # a one-sided p-value p is the level at which the interval's end meets 0
    rng = np.random.default_rng(9)
    scores = np.vstack([rng.beta(2, 2, 30), rng.beta(1.6, 2.4, 30)])
    p = bootstrap_test(couples(scores), plan("greater", n_resamples=1999)).values[0]
    (difference,) = couples(scores).differences(slice(None))
    drawn = bootstrap_queries(difference[None], 1999, 1, standard_errors=True)
    limits = METHODS["studentised"].fit(
        Sample(difference, drawn.means[0], drawn.standard_errors[0])
    )
    assert 0.001 < p < 0.5
    assert limits.limit(p - 0.002) < 0 < limits.limit(p + 0.002)


def test_bootstrap_test_in_chunks(couples, plan, monkeypatch):
    from irbounds.comparisons import pairs as module

    scores = np.random.default_rng(1).random((10, 12))
    calls = []
    expected = bootstrap_test(couples(scores), plan(n_resamples=200)).values
    monkeypatch.setattr(module, "CHUNK", 900)  # two pairs at a time
    options = plan(n_resamples=200, progress=lambda done, total: calls.append((done, total)))
    assert np.array_equal(bootstrap_test(couples(scores), options).values, expected)
    assert calls == [(round(200 * k / 12), 200) for k in range(1, 13)]  # 3 chunks of 4 units


@pytest.mark.parametrize("test", [paired_t, bootstrap_test, wilcoxon])
def test_tests_of_constant_differences(couples, plan, test):
    ones, zeros = np.full(12, 0.5), np.full(12, 0.2)
    other = np.linspace(0, 1, 12)
    actual = test(couples([zeros, zeros, ones, zeros, other, ones]), plan(n_resamples=99))
    assert actual.values[0] == 1.0  # nothing differs
    if test is wilcoxon:  # ranks have no need of a spread
        assert actual.values[1] == stats.wilcoxon(np.full(12, 0.3)).pvalue
    else:
        assert np.isnan(actual.values[1])
    assert 0 < actual.values[2] <= 1
    assert actual.drawn.tolist() == [False, False, test is bootstrap_test]


@pytest.mark.parametrize("test", [paired_t, bootstrap_test])
def test_tests_of_one_query(couples, plan, test):
    actual = test(couples([[0.3], [0.1], [0.2], [0.2]]), plan(n_resamples=99)).values
    assert np.isnan(actual[0])
    assert actual[1] == 1.0
