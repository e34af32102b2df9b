"""Contributions of queries, and decisions without them."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from irbounds.comparisons.query_influence import (
    _measure_size,
    _Others,
    count_to_turn_sign,
    leave_one_out,
)
from scipy import stats

import irbounds
import naive
from irbounds.errors import ParameterError

RNG = np.random.default_rng(22)


def compare(scores, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", irbounds.errors.DegenerateSampleWarning)
        return irbounds.compare(scores=scores, measures="AP", by_query=True, **options)


def make_scores(n_systems=3, n=12, seed=1):
    values = np.random.default_rng(seed).integers(0, 100, (n_systems, n)) / 100
    values[-1] = np.minimum(values[-1] + 0.2, 1.0)
    queries = [f"q{k}" for k in range(n)]
    return {
        f"s{k}": dict(zip(queries, map(float, row), strict=True)) for k, row in enumerate(values)
    }


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("n", [3, 4, 10, 50])
def test_leave_one_out_is_the_t_test_without_the_query(n, alternative):
    differences = RNG.normal(0.1, 0.3, (5, n))
    means, p = leave_one_out(differences, alternative)
    for k, row in enumerate(differences):
        expected = naive.without_each_query(row.tolist(), alternative)
        assert means[k] == pytest.approx([mean for mean, _ in expected], rel=1e-12)
        assert p[k] == pytest.approx([value for _, value in expected], rel=1e-10)


def test_leave_one_out_of_one_far_query_loses_no_digits():
    """Nearly all of the sum of squares is that of one query, and is subtracted."""
    row = np.array([1.0, *(1e-7 * np.array([1.0, 2.0, -1.0, 3.0, 2.0]))])
    _, p = leave_one_out(row[None], "two-sided")
    assert p[0, 0] == pytest.approx(naive.without_each_query(row.tolist())[0][1], rel=1e-10)


def test_leave_one_out_without_spread():
    zero, same, one, two = [0.0, 0, 0, 0], [0.2] * 4, [0.3, 0, 0, 0], [0.3, 0.2, 0.2, 0.2]
    means, p = leave_one_out(np.array([zero, same, one, two]), "two-sided")
    assert p[0].tolist() == [1.0] * 4  # as the t test of compare
    assert np.isnan(p[1]).all()
    assert (means[2, 0], p[2, 0]) == (0.0, 1.0)
    assert np.isnan(p[3, 0])
    assert np.isfinite(p[3, 1:]).all()
    assert np.isnan(leave_one_out(np.array([[0.1, 0.2]]), "two-sided")[1]).all()
    assert np.isnan(leave_one_out(np.array([[0.1]]), "two-sided")[1]).all()


def test_leave_one_out_of_extreme_scores():
    row = RNG.normal(0.5, 1, 8)
    for scale in (2.0**-500, 2.0**500):
        p = leave_one_out(row[None] * scale, "two-sided")[1]
        assert p == pytest.approx(leave_one_out(row[None], "two-sided")[1], rel=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_fewest_queries_that_turn_the_sign_are_those_of_all_subsets(seed):
    values = np.random.default_rng(seed).integers(-5, 9, 9)
    total = int(values.sum())

    def is_turned(rest):
        return bool(rest) and sum(rest) * total <= 0

    expected = naive.fewest_removals(values.tolist(), is_turned)
    assert count_to_turn_sign(values.astype(float)) == expected


def test_sign_that_cannot_turn_or_is_none():
    assert count_to_turn_sign(np.array([0.1, 0.2, 0.3])) is None
    assert count_to_turn_sign(np.array([0.1, -0.1])) == 0
    # 0.1 + 0.2 - 0.3 is not 0 in doubles
    assert count_to_turn_sign(np.array([0.1, 0.2, -0.3]), 1e-12) == 0
    assert count_to_turn_sign(np.array([-0.1, 0.0])) == 1


@pytest.mark.parametrize("seed", range(8))
def test_greedy_number_turns_the_decision_and_is_at_least_the_fewest(seed):
    rng = np.random.default_rng((5, seed))
    old = rng.uniform(0.2, 0.5, 11)
    scores = {"old": old.tolist(), "new": (old + rng.normal(0.07, 0.08, 11)).tolist()}
    (comparison,) = result = compare(scores, baseline="old")
    first = result.contributions[0]
    differences = dict(zip(comparison.queries, comparison.query_differences, strict=True))

    def is_turned(rest):
        if len(rest) < 2:
            return False
        return (stats.ttest_1samp(rest, 0).pvalue <= 0.05) != comparison.is_significant

    fewest = naive.fewest_removals(list(differences.values()), is_turned)
    if first.n_to_turn_decision is None:
        assert fewest is None or fewest > 0
        return
    removed = first.queries_to_turn_decision
    assert len(removed) == first.n_to_turn_decision >= fewest >= 1
    assert is_turned([value for query, value in differences.items() if query not in removed])
    turning = [row.query_id for row in result.contributions if row.turns_decision]
    assert bool(turning) == (fewest == 1)  # with one query, greedy is exact


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("is_significant", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_removed_query_is_the_best_of_all(seed, is_significant, alternative):
    """A few candidates are tried, next to the extremes of t as a function of the value."""
    rng = np.random.default_rng((9, seed))
    mean = (-1.0, -0.3, 0.0, 0.3, 1.0, 5.0)[seed]
    for values in (rng.normal(mean, 1, 14), rng.exponential(1, 15) - mean, rng.integers(-2, 4, 12)):
        others = _Others(np.asarray(values, dtype=float))
        for expected in naive.greedy_removals(values.tolist(), is_significant, alternative):
            _, t = others.remove(alternative, is_significant)
            assert _measure_size(t, alternative) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_removals_of_differences_with_little_spread_keep_their_digits():
    values = 0.3 + 1e-9 * np.array([1.0, 4.0, -2.0, 3.0, -5.0, 1.5, 0.5, 2.5])
    others = _Others(values)
    for expected in naive.greedy_removals(values.tolist(), True):
        assert others.remove("two-sided", True)[1] == pytest.approx(expected, rel=1e-6)


def test_contributions_add_up_to_the_mean_difference():
    result = compare(make_scores(), baseline="s0")
    assert len(result) == 2
    assert len(result.contributions) == 24
    for comparison in result:
        rows = [row for row in result.contributions if row.system == comparison.system]
        assert sum(row.contribution for row in rows) == pytest.approx(comparison.value, abs=1e-15)
        sizes = [abs(row.contribution) for row in rows]
        assert sizes == sorted(sizes, reverse=True)
        for row in rows:
            assert row.value == pytest.approx(row.system_score - row.baseline_score, abs=1e-13)
            assert row.contribution == row.value / 12
            assert row.comparison is comparison or row.comparison.value == comparison.value
        if not math.isnan(rows[0].fraction):
            assert sum(row.fraction for row in rows) == pytest.approx(1)
            assert rows[-1].cumulative_fraction == pytest.approx(1)
            assert rows[0].fraction == pytest.approx(rows[0].contribution / comparison.value)


@pytest.mark.parametrize("adjustment", ["holm", "benjamini-hochberg", "none"])
def test_decision_without_a_query_is_that_of_compare_without_it(adjustment):
    """All pairs of the family are tested again, not only the pair that is shown."""
    scores = make_scores(n_systems=5, n=9, seed=0)
    result = compare(scores, baseline="s0", adjustment=adjustment)
    turns = 0
    for query in scores["s0"]:
        less = {
            name: {q: value for q, value in row.items() if q != query}
            for name, row in scores.items()
        }
        by_system = {
            comparison.system: comparison
            for comparison in irbounds.compare(scores=less, baseline="s0", adjustment=adjustment)
        }
        for row in result.contributions:
            if row.query_id != query:
                continue
            other = by_system[row.system]
            assert row.difference_without == pytest.approx(other.value, abs=1e-12)
            assert row.p_without == pytest.approx(other.p_value, rel=1e-9)
            assert row.adjusted_p_without == pytest.approx(other.adjusted_p_value, rel=1e-9)
            assert row.turns_decision == (row.comparison.is_significant != other.is_significant)
            turns += row.turns_decision
    assert turns  # the test can fail


@pytest.mark.parametrize("adjustment", ["holm", "benjamini-hochberg", "none"])
@pytest.mark.parametrize("seed", [0, 2, 5])
def test_removals_turn_the_decision_of_compare_and_all_but_the_last_do_not(seed, adjustment):
    """The decision is that of the family without these queries."""
    scores = make_scores(n_systems=6, n=14, seed=seed)
    options = {"baseline": "s0", "adjustment": adjustment}
    firsts = {row.system: row for row in reversed(compare(scores, **options).contributions)}

    def is_significant_without(system, queries):
        less = {
            name: {q: value for q, value in row.items() if q not in queries}
            for name, row in scores.items()
        }
        rows = irbounds.compare(scores=less, **options)
        return next(row.is_significant for row in rows if row.system == system)

    n_turned = 0
    for system, row in firsts.items():
        removed = row.queries_to_turn_decision
        if row.n_to_turn_decision is not None:
            n_turned += 1
            assert is_significant_without(system, removed) != row.comparison.is_significant
            assert is_significant_without(system, removed[:-1]) == row.comparison.is_significant
    assert n_turned


def test_no_fractions_where_gains_and_losses_nearly_cancel():
    scores = {"a": [0.5, 0.1, 0.3, 0.2], "b": [0.1, 0.5, 0.31, 0.18]}
    result = compare(scores)
    assert all(math.isnan(row.fraction) for row in result.contributions)
    assert [row.contribution for row in result.contributions] == pytest.approx(
        [0.1, -0.1, 0.005, -0.0025], abs=1e-12
    )
    assert "fraction: not shown, gains and losses nearly cancel" in (" ".join(str(result).split()))
    equal = compare({"a": [0.5, 0.1], "b": [0.5, 0.1]})
    assert all(math.isnan(row.fraction) for row in equal.contributions)
    assert "the mean difference is 0" in str(equal)


def test_options_that_are_refused():
    scores = make_scores()
    with pytest.raises(ParameterError, match="by_query needs a baseline, or two systems; got 3"):
        compare(scores)
    with pytest.raises(ParameterError, match=r"by_query is for test 't'.*got test 'sign-flip'"):
        compare(scores, baseline="s0", test="sign-flip")
    with pytest.raises(ParameterError, match="groups is compared within groups; leave out by_que"):
        compare(scores, baseline="s0", groups={"q1": "a"})
