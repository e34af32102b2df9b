"""Ranks: simultaneous intervals, probabilities of being best, groups."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irbounds
import naive
from extreme_scores import EXTREMES
from irbounds import rank_interval
from irbounds.comparisons import max_statistic
from irbounds.comparisons.ranks import compact_letters
from irbounds.errors import DataError, DegenerateSampleWarning


def table_of(scores):
    names = [f"s{k}" for k in range(len(scores))]
    return pd.DataFrame(np.asarray(scores).T, columns=names)


def simulate_scores(rng, means, n, spread=0.1):
    """Systems with true means on queries of unlike difficulty."""
    difficulty = rng.normal(0, 0.2, size=n)
    return np.array(means)[:, None] + difficulty + rng.normal(0, spread, size=(len(means), n))


def test_ranks_of_clearly_different_and_equal_systems():
    rng = np.random.default_rng(1)
    scores = simulate_scores(rng, [0.2, 0.5, 0.5, 0.9], 40)
    first, second, third, last = rank_interval(table_of(scores), rng=3)
    assert (first.system, first.value, *first.interval) == ("s3", 1, 1, 1)
    assert {second.system, third.system} == {"s1", "s2"}
    assert [tuple(r.interval) for r in (second, third)] == [(2, 3), (2, 3)]
    assert (last.system, *last.interval) == ("s0", 4, 4)
    assert [r.letters for r in (first, second, third, last)] == ["a", "b", "b", "c"]
    assert first.best_probability == 1
    assert (first.n, first.interval.confidence_level, first.n_resamples, first.seed) == (
        40,
        0.95,
        9999,
        3,
    )
    assert second.mean - last.mean > first.critical_difference > abs(second.mean - third.mean)


def test_ranks_match_the_max_statistic_comparison():
    rng = np.random.default_rng(4)
    table = table_of(simulate_scores(rng, np.linspace(0.3, 0.5, 8), 30))
    options = {"rng": 5, "n_resamples": 999}
    ranks = rank_interval(table, **options)
    pairs = irbounds.difference_interval(
        table, adjustment="max-statistic", test="t", method="student-t", **options
    )
    better = {(p.system, p.baseline) for p in pairs if p.adjusted_p_value <= 0.05}
    assert 0 < len(better) < len(pairs)
    for rank in ranks:
        assert rank.interval.low == 1 + sum(worse == rank.system for _, worse in better)
        assert rank.interval.high == 8 - sum(system == rank.system for system, _ in better)


@pytest.mark.parametrize("seed", range(4))
def test_ranks_match_the_max_statistic_for_coarse_scores(seed):
    """Tenths make ties, which rounding must not decide."""
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 11, size=(9, 12)) / 10 + np.linspace(0, 0.4, 9).round(1)[:, None]
    table = table_of(scores)
    options = {"rng": 5, "n_resamples": 99, "confidence_level": 0.8}
    pairs = irbounds.difference_interval(
        table, adjustment="max-statistic", test="t", method="student-t", **options
    )
    better = {(p.system, p.baseline) for p in pairs if p.adjusted_p_value <= 0.2}
    ranks = rank_interval(table, **options)
    for rank in ranks:
        assert rank.interval.low == 1 + sum(worse == rank.system for _, worse in better)
        assert rank.interval.high == 9 - sum(system == rank.system for system, _ in better)
    whole = {r.system: r for r in rank_interval(table_of(np.round(scores * 10)), **options)}
    for rank in ranks:  # the same as integers
        other = whole[rank.system]
        assert (rank.value, rank.interval) == (other.value, other.interval)
        assert rank.best_probability == pytest.approx(other.best_probability)


def test_ranks_match_the_max_statistic_by_default(monkeypatch):
    """Both take more shuffles until the same decisions are certain."""
    monkeypatch.setattr(max_statistic, "DRAWS", 99)
    monkeypatch.setattr(max_statistic, "MAX_SWAPS", 8 * 30 * 30_000)
    numbers = set()
    for seed in range(8):
        rng = np.random.default_rng(seed)
        table = table_of(simulate_scores(rng, np.linspace(0.3, 0.5, 8), 30))
        ranks = rank_interval(table, rng=5)
        pairs = irbounds.difference_interval(table, adjustment="max-statistic", test="t", rng=5)
        assert {r.n_shuffles for r in ranks} == {p.n_shuffles for p in pairs}
        numbers |= {r.n_shuffles for r in ranks}
        better = {(p.system, p.baseline) for p in pairs if p.is_significant}
        assert [r.interval.low for r in ranks] == [
            1 + sum(worse == rank.system for _, worse in better) for rank in ranks
        ]
        assert {r.n_resamples for r in ranks} == {9999}
    assert numbers == {6399, 25599}


def test_difference_at_the_critical_value_is_not_significant():
    new, old = [0.8, 0.2, 0.1, 0.8, 0.2], [0.6, 0.1, 0.0, 0.6, 0.0]  # exact p: 2 / 2**5
    ranks = rank_interval(table_of([new, old]), rng=1)
    assert [r.letters for r in ranks] == ["a", "a"]


def test_equal_means_have_equal_ranks_despite_rounding():
    ranks = rank_interval(table_of([[0.3, 0.2, 0.1], [0.1, 0.2, 0.3]]), rng=1, n_resamples=99)
    assert [(r.system, r.value) for r in ranks] == [("s0", 1), ("s1", 1)]


def test_rank_intervals_have_simultaneous_coverage():
    """Equal systems are all tied in 95 of 100 cases, in far fewer without the adjustment."""
    rng = np.random.default_rng(7)
    rounds, held, held_alone = 200, 0, 0
    for k in range(rounds):
        scores = simulate_scores(rng, [0.4] * 12, 25)  # all equal: any certain order is an error
        ranks = rank_interval(table_of(scores), n_resamples=199, rng=k)
        held += all(tuple(r.interval) == (1, 12) for r in ranks)
        differences = scores[:, None] - scores[None]
        t = differences[np.triu_indices(12, 1)]
        held_alone += (stats.ttest_1samp(t, 0, axis=1).pvalue > 0.05).all()
    # false alarm below 1 in 10,000
    assert stats.binomtest(held, rounds, 0.95).pvalue > 1e-4
    assert stats.binomtest(held_alone, rounds, 0.95, alternative="less").pvalue < 1e-6


def test_equal_means_have_the_better_rank_and_equal_probability():
    scores = [[0.1, 0.5, 0.3], [0.1, 0.5, 0.3], [0.0, 0.1, 0.2]]
    ranks = rank_interval(table_of(scores), rng=1, n_resamples=999)
    assert [r.value for r in ranks] == [1, 1, 3]
    assert ranks[0].best_probability == ranks[1].best_probability
    assert sum(r.best_probability for r in ranks) == pytest.approx(1)


def test_rank_interval_is_reproducible_and_reports_progress():
    scores = simulate_scores(np.random.default_rng(2), np.linspace(0.3, 0.5, 6), 20)
    calls = []
    table = irbounds.read_scores({"AP": table_of(scores), "RR": table_of(scores[::-1])})
    first = rank_interval(table, rng=1, progress=lambda done, total: calls.append((done, total)))
    assert first == rank_interval(table, rng=1)
    assert calls[-1] == (9999, 9999)
    # of two measures: shuffles, more of them, and resamples
    totals = [total for total, _ in groupby(total for _, total in calls)]
    assert totals == [9999, 39999, 9999, 39999, 9999]
    assert [r.measure for r in first] == ["AP"] * 6 + ["RR"] * 6


def test_rank_interval_with_few_draws_finds_no_difference():
    scores = simulate_scores(np.random.default_rng(2), [0.1, 0.9], 20)
    with pytest.warns(
        irbounds.errors.DegenerateSampleWarning, match="n_resamples must be at least 19"
    ):
        assert {
            r.interval.high for r in rank_interval(table_of(scores), n_resamples=18, rng=1)
        } == {2}
    assert {r.interval.high for r in rank_interval(table_of(scores), n_resamples=19, rng=1)} == {
        1,
        2,
    }


@pytest.mark.parametrize("scores", [[[0.1, 0.2]], [[0.1], [0.2]]])
def test_rank_interval_of_one_system_or_query_is_an_error(scores):
    with pytest.raises(DataError, match="ranks need at least two systems and two queries; got"):
        rank_interval(table_of(scores))


def groups_of(letters):
    named = {letter for each in letters for letter in each}
    return sorted([k for k, each in enumerate(letters) if letter in each] for letter in named)


@pytest.mark.parametrize("seed", range(8))
def test_letters_denote_the_largest_groups(seed):
    means = np.sort(np.random.default_rng(seed).uniform(size=9).round(1))[::-1]
    letters = compact_letters(means, 0.25)
    assert groups_of(letters) == naive.letters_by_pairs(means.tolist(), 0.25)
    assert letters[0][0] == "a"


def test_letters_of_more_than_26_groups():
    letters = compact_letters(np.arange(60.0, 0, -1), 2.5)
    assert letters[:4] == ["a", "a-b", "a-c", "b-d"]
    assert letters[-1] == "bf"
    assert compact_letters(np.array([2.0, 1.0]), 0.5) == ["a", "b"]
    assert compact_letters(np.array([2.0, 1.0]), np.inf) == ["a", "a"]


@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
@pytest.mark.parametrize("n_resamples", [1, 2, 3, 50])
@pytest.mark.parametrize("case", EXTREMES)
def test_ranks_of_extreme_scores(case, n_resamples):
    for n in (2, 12):
        scores = np.array([EXTREMES[case][:n], np.zeros(n), EXTREMES[case][::-1][:n]])[None]
        table = irbounds.ScoreTable(("m",), tuple("abc"), tuple(map(str, range(n))), scores)
        ranks = rank_interval(table, n_resamples=n_resamples, rng=1)
        assert all(1 <= row.interval.low <= row.value <= row.interval.high <= 3 for row in ranks)
        assert sum(row.best_probability for row in ranks) == pytest.approx(1)
        assert np.isfinite([row.mean for row in ranks]).all()


def test_warning_of_too_few_draws_for_ranks(table):
    with pytest.warns(DegenerateSampleWarning, match="2 draws cannot detect any difference"):
        ranks = rank_interval(table(np.random.default_rng(1).random((3, 9))), n_resamples=2)
    assert {row.critical_difference for row in ranks} == {np.inf}
