"""Ranks: intervals from the p-values of all pairs, and groups of systems that do not differ."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import irbounds
from extreme_scores import EXTREMES
from irbounds import rank_interval
from irbounds.comparisons.differences import compare_with_best
from irbounds.comparisons.ranks import compact_letters
from irbounds.errors import DataError


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
    first, second, third, last = ranks = rank_interval(table_of(scores))
    assert (first.system, first.value, *first.interval) == ("s3", 1, 1, 1)
    assert {second.system, third.system} == {"s1", "s2"}
    assert [tuple(r.interval) for r in (second, third)] == [(2, 3), (2, 3)]
    assert (last.system, *last.interval) == ("s0", 4, 4)
    assert [r.letters for r in ranks] == ["a", "b", "b", "c"]
    assert (first.n, first.interval.confidence_level, first.interval.method) == (40, 0.95, "holm")


@pytest.mark.parametrize("by", ["mean", "borda"])
@pytest.mark.parametrize("seed", range(4))
def test_ranks_match_the_comparisons_of_all_pairs(seed, by):
    """Also for tenths, whose ties rounding must not decide, and for the same scores as integers."""
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 11, size=(9, 12)) + np.arange(9)[:, None]
    scores = scores / (10 if by == "mean" else 1)
    table = irbounds.read_scores({"AP": table_of(scores)})
    ranked = table_of(irbounds.comparisons.borda.borda_points(scores)) if by == "borda" else table
    pairs = irbounds.difference_interval(ranked, confidence_level=0.9)
    better = {(pair.system, pair.baseline) for pair in pairs if pair.is_significant}
    assert 0 < len(better) < len(pairs)
    ranks = rank_interval(table, by=by, confidence_level=0.9)
    for rank in ranks:
        assert rank.interval.low == 1 + sum(worse == rank.system for _, worse in better)
        assert rank.interval.high == 9 - sum(system == rank.system for system, _ in better)
    letters = {rank.system: set(rank.letters) for rank in ranks}
    for pair in pairs:
        assert pair.is_significant == letters[pair.system].isdisjoint(letters[pair.baseline])
    whole = {
        r.system: r
        for r in rank_interval(table_of(np.round(scores * 10)), by=by, confidence_level=0.9)
    }
    for rank in ranks:
        other = whole[rank.system]
        assert (rank.value, rank.interval) == (other.value, other.interval)


def test_evaluate_compare_and_rank_give_one_answer_on_dl21(data_directory):
    dl21 = data_directory / "dl21"
    files = dl21 / "qrels.txt.gz", sorted(dl21.glob("*.run.gz"))
    ranks = {row.system: row for row in irbounds.rank(*files, measures="nDCG@10")}
    compared = irbounds.compare(*files, measures="nDCG@10")
    means = irbounds.evaluate(*files, measures="AP,nDCG@10")
    marked = [row for row in means.comparisons if row.measure == "nDCG@10"]
    best = marked[0].baseline
    assert (ranks[best].value, len(marked), len(compared)) == (1, 23, 276)
    n_worse = sum(row.is_significant for row in marked)
    assert n_worse == sum(row.is_significant and row.system == best for row in compared)
    assert n_worse == 24 - ranks[best].interval.high
    assert {row.system for row in marked if row.is_significant} == {
        row.system for row in ranks.values() if not {*row.letters} & {*ranks[best].letters}
    }
    for system, row in ranks.items():
        assert row.interval.low - 1 == sum(
            pair.is_significant and pair.baseline == system for pair in compared
        )


def test_marks_and_ranks_of_equal_systems_are_wrong_in_at_most_5_percent_of_samples():
    """Of 200 samples of 20 equal systems, at most 20 may have a significant difference.

    With a probability of 0.05 there are more than 20 in one of 700 runs. The negative control is
    Holm's adjustment for the comparisons with the best system only.
    """
    rng = np.random.default_rng(7)
    n_marked = n_ranked = n_control = 0
    for _ in range(200):
        scores = simulate_scores(rng, [0.4] * 20, 25)
        table = irbounds.read_scores({"m": table_of(scores)})
        estimates = irbounds.mean_interval(table, method="student-t")
        marked = compare_with_best(table, estimates)
        n_marked += any(row.is_significant for row in marked)
        ranks = rank_interval(table)
        n_ranked += any(tuple(row.interval) != (1, 20) for row in ranks)
        control = irbounds.difference_interval(table, baseline=ranks[0].system)
        n_control += any(row.is_significant for row in control)
        assert {row.n_comparisons for row in marked} == {190}
    assert max(n_marked, n_ranked) <= 20 < n_control


def test_equal_means_have_the_better_rank_despite_rounding():
    ranks = rank_interval(table_of([[0.3, 0.2, 0.1], [0.1, 0.2, 0.3], [0.0, 0.1, 0.2]]))
    assert [(r.system, r.value) for r in ranks] == [("s0", 1), ("s1", 1), ("s2", 3)]


def test_ranks_of_several_measures_report_progress():
    scores = simulate_scores(np.random.default_rng(2), np.linspace(0.3, 0.5, 6), 20)
    calls = []
    table = irbounds.read_scores({"AP": table_of(scores), "RR": table_of(scores[::-1])})
    ranks = rank_interval(table, progress=lambda done, total: calls.append((done, total)))
    assert calls == [(15, 15)] * 2
    assert [r.measure for r in ranks] == ["AP"] * 6 + ["RR"] * 6


@pytest.mark.parametrize("scores", [[[0.1, 0.2]], [[0.1], [0.2]]])
def test_rank_interval_of_one_system_or_query_is_an_error(scores):
    with pytest.raises(DataError, match="ranks need at least two systems and two queries; got"):
        rank_interval(table_of(scores))


@pytest.mark.parametrize("seed", range(8))
def test_systems_share_a_letter_unless_they_differ(seed):
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((8, 8)) < 0.4, 1)
    differs = upper | upper.T
    letters = compact_letters(differs)
    for i in range(8):
        for k in range(8):
            assert differs[i, k] == set(letters[i]).isdisjoint(letters[k])
    assert letters[0][0] == "a"


def test_more_than_26_groups_have_no_letters():
    assert compact_letters(~np.eye(26, dtype=bool)) == [chr(ord("a") + k) for k in range(26)]
    assert compact_letters(~np.eye(27, dtype=bool)) == [""] * 27


@pytest.mark.parametrize("case", EXTREMES)
def test_ranks_of_extreme_scores(case):
    for n in (2, 12):
        scores = np.array([EXTREMES[case][:n], np.zeros(n), EXTREMES[case][::-1][:n]])[None]
        table = irbounds.ScoreTable(("m",), tuple("abc"), tuple(map(str, range(n))), scores)
        ranks = rank_interval(table)
        assert all(1 <= row.interval.low <= row.value <= row.interval.high <= 3 for row in ranks)
        assert np.isfinite([row.mean for row in ranks]).all()


def test_a_part_of_the_ranks_says_nothing_about_the_whole_table():
    scores = simulate_scores(np.random.default_rng(2), [0.1, 0.5, 0.9], 20)
    ranks = rank_interval(table_of(scores))
    assert "1 of 3 systems may be the best; 3 of 3 pairs" in str(ranks)
    for part in (ranks[0], ranks[:2], ranks[1:][:1]):
        assert "may be the best" not in str(part)
    assert str(ranks[:]) == str(ranks)
