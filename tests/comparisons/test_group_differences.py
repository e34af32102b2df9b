"""Comparisons within and between groups of queries."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from scipy import stats

import irbounds
import naive
from irbounds.comparisons.group_differences import welch_test
from irbounds.errors import DegenerateSampleWarning, InputError, ParameterError

#: three samples, and what R 4.2.2's ``oneway.test(y ~ g)`` and ``t.test(a, b)`` print for them
SAMPLES = (
    (0.12, -0.05, 0.31, 0.08, 0.22),
    (-0.02, 0.04, 0.01, -0.11, 0.05, 0.00, 0.03),
    (0.40, -0.35, 0.10, 0.65),
)
R_ALL = (2.2788086121953159, 2, 5.0060155102119479, 0.19784618493532066)
R_TWO = (4.4195434995334875, 1, 4.8992559534028395, 0.090639254571826672)


def compute_test(*samples):
    sizes = np.array([len(sample) for sample in samples])
    means = np.array([[np.mean(sample) for sample in samples]])
    errors = np.array([[stats.sem(sample) for sample in samples]])
    return [float(part[0]) for part in welch_test(means, errors, sizes)]


def test_welch_test_is_that_of_r():
    assert compute_test(*SAMPLES) == pytest.approx(R_ALL, rel=1e-12)
    assert compute_test(*SAMPLES[:2]) == pytest.approx(R_TWO, rel=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_welch_test_of_two_groups_is_scipys_t_test(seed):
    rng = np.random.default_rng(seed)
    samples = rng.normal(0, 1, 3 + seed), rng.normal(0.5, 3, 8)
    expected = stats.ttest_ind(*samples, equal_var=False)
    statistic, between, within, p = compute_test(*samples)
    assert between == 1
    assert (statistic, within, p) == pytest.approx(
        (expected.statistic**2, expected.df, expected.pvalue), rel=1e-12
    )


def test_welch_test_leaves_out_groups_without_a_spread():
    means = np.array([[0.1, 0.2, 0.9], [0.1, 0.2, 0.9], [0.1, 0.2, 0.9]])
    errors = np.array([[0.1, 0.2, np.nan], [0.1, np.nan, np.nan], [np.nan] * 3])
    statistic, between, within, p = welch_test(means, errors, np.array([5, 9, 1]))
    alone = welch_test(means[:1, :2], errors[:1, :2], np.array([5, 9]))
    assert [statistic[0], between[0], within[0], p[0]] == [float(part[0]) for part in alone]
    assert between.tolist() == [1, 0, 0]
    assert np.isnan([*statistic[1:], *within[1:], *p[1:]]).all()


def test_welch_test_of_extreme_spreads():
    sizes = np.array([5, 9])
    means, errors = np.array([[0.1, 0.3]]), np.array([[0.1, 0.05]])
    expected = welch_test(means, errors, sizes)[3]
    for scale in (1e-250, 1e250):
        assert welch_test(means * scale, errors * scale, sizes)[3] == pytest.approx(expected)
    assert welch_test(means, errors * 1e-200, sizes)[3] == 0.0


def make_scores(n_systems=3, n=30, seed=6):
    rng = np.random.default_rng(seed)
    values = rng.beta(2, 3, (n_systems, n)).round(4)
    values[0, : n // 3] = np.minimum(values[0, : n // 3] + 0.5, 1.0)
    queries = [f"q{k}" for k in range(n)]
    scores = {
        f"s{k}": dict(zip(queries, map(float, row), strict=True)) for k, row in enumerate(values)
    }
    return scores, {query: "xyz"[3 * k // n] for k, query in enumerate(queries)}


def compare(scores, groups, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateSampleWarning)
        return irbounds.compare(scores=scores, measures="AP", groups=groups, **options)


def test_comparisons_within_groups_are_those_of_the_naive_loops():
    scores, groups = make_scores()
    result = compare(scores, groups, baseline="s1")
    differences = {
        name: {query: value - scores["s1"][query] for query, value in row.items()}
        for name, row in scores.items()
        if name != "s1"
    }
    expected = naive.compare_within_groups(differences, groups)
    rows = {(row.system, row.group): row for row in result if not row.is_of_all}
    assert rows.keys() == expected.keys()
    for key, (n, mean, p, adjusted) in expected.items():
        row = rows[key]
        assert row.n == n
        assert row.n_comparisons == 6
        assert row.value == pytest.approx(mean, abs=1e-12)
        assert row.p_value == pytest.approx(p, rel=1e-9)
        assert row.adjusted_p_value == pytest.approx(adjusted, rel=1e-9)
    assert any(row.is_significant for row in rows.values())
    assert not all(row.is_significant for row in rows.values())


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"test": "sign-flip"},
        {"test": "wilcoxon", "adjustment": "benjamini-hochberg"},
        {"test": "wilcoxon", "method": "bca", "n_resamples": 99},
        {"alternative": "greater", "baseline": "s0", "confidence_level": 0.9},
    ],
)
def test_rows_are_those_of_compare_on_the_queries_of_a_group(options):
    """Except for the adjustment, and for the order of a pair, which is that of all queries."""
    scores, groups = make_scores()
    result = compare(scores, groups, **options)
    plain = irbounds.compare(scores=scores, measures="AP", **options)
    whole = {(row.system, row.baseline): row for row in result if row.is_of_all}
    for row in plain:
        same = whole[row.system, row.baseline]
        assert (same.value, same.p_value, same.adjusted_p_value, *same.interval) == (
            *(row.value, row.p_value, row.adjusted_p_value, *row.interval),
        )
    for group in "xyz":
        part = {
            name: {query: row[query] for query in row if groups[query] == group}
            for name, row in scores.items()
        }
        alone = {
            frozenset((row.system, row.baseline)): row
            for row in irbounds.compare(scores=part, measures="AP", **options)
        }
        rows = [row for row in result if row.group == group]
        assert {(row.system, row.baseline) for row in rows} == whole.keys()
        for row in rows:
            other = alone[frozenset((row.system, row.baseline))]
            sign = 1 if other.system == row.system else -1
            assert row.value == pytest.approx(sign * other.value, abs=1e-15)
            if sign == 1 or options.get("test", "t") in ("t", "sign-flip"):
                assert row.p_value == pytest.approx(other.p_value, rel=1e-12)
            if sign == 1:
                assert tuple(row.interval) == tuple(other.interval)


def test_comparison_between_groups_is_the_welch_test_of_the_differences():
    scores, groups = make_scores()
    result = compare(scores, groups, baseline="s1")
    for interaction in result.interactions:
        samples = [
            [
                scores[interaction.system][query] - scores["s1"][query]
                for query in groups
                if groups[query] == group
            ]
            for group in "xyz"
        ]
        statistic, between, within, p = compute_test(*samples)
        assert interaction.statistic == pytest.approx(statistic, rel=1e-9)
        assert (interaction.df_between, interaction.n_groups) == (between, 3)
        assert interaction.df_within == pytest.approx(within, rel=1e-9)
        assert interaction.p_value == pytest.approx(p, rel=1e-9)
        means = {group: np.mean(sample) for group, sample in zip("xyz", samples, strict=True)}
        assert interaction.lowest_group == min(means, key=means.get)
        assert interaction.highest_group == max(means, key=means.get)
    p_values = [interaction.p_value for interaction in result.interactions]
    assert [interaction.adjusted_p_value for interaction in result.interactions] == pytest.approx(
        naive.holm(p_values)
    )


def test_pairs_have_the_same_order_in_all_groups():
    """The sign of a difference can be compared between groups."""
    scores = {"a": [0.9, 0.8, 0.9, 0.1, 0.2, 0.1], "b": [0.1, 0.2, 0.3, 0.5, 0.5, 0.6]}
    groups = {str(k + 1): "first" if k < 3 else "second" for k in range(6)}
    result = compare(scores, groups)
    assert {(row.system, row.baseline) for row in result} == {("a", "b")}
    assert [row.value > 0 for row in result] == [True, True, False]


def test_groups_of_one_query_have_no_interval_and_are_not_counted():
    scores, groups = make_scores()
    groups["q0"] = "alone"
    with pytest.warns(DegenerateSampleWarning, match="groups of one query.*alone") as caught:
        result = irbounds.compare(scores=scores, groups=groups, baseline="s1")
    assert sum("single query" in str(warning.message) for warning in caught) == 0
    alone = [row for row in result if row.group == "alone"]
    assert len(alone) == 2
    for row in alone:
        assert row.n == 1
        assert math.isnan(row.interval.low)
        assert math.isnan(row.adjusted_p_value)
    assert {row.n_comparisons for row in result if not row.is_of_all} == {6}
    assert {row.n_left_out for row in result.interactions} == {1}


def test_equal_differences_have_no_comparison_between_groups():
    scores = {"a": [0.3] * 6, "b": [0.2] * 6}
    result = compare(scores, {str(k + 1): "xy"[k % 2] for k in range(6)})
    (interaction,) = result.interactions
    assert math.isnan(interaction.p_value)
    assert (interaction.n_groups, interaction.n_left_out, interaction.n_comparisons) == (0, 2, 0)
    assert "lowest" not in str(result)  # a column of the table of interactions


def test_groups_that_are_refused():
    scores, groups = make_scores()
    with pytest.raises(
        InputError, match=r"no group for 30 of 30 queries .*'q0'; got groups of 'w'"
    ):
        compare(scores, {"w": "x"})
    less = {query: group for query, group in groups.items() if query != "q7"}
    with pytest.raises(InputError, match="no group for 1 of 30 queries with scores, such as 'q7'"):
        compare(scores, less)
    with pytest.raises(
        InputError, match=r"two groups or more are needed, .*; got 'x' of 30 queries"
    ):
        compare(scores, dict.fromkeys(groups, "x"))
    with pytest.raises(InputError, match=r"one of them with several queries; got .* \(30 in all\)"):
        compare(scores, {query: query for query in groups})
    with pytest.raises(ParameterError, match="groups must be a file, a frame, or a dict"):
        compare(scores, [1, 2])


def test_comparisons_of_all_groups_are_counted(monkeypatch):
    monkeypatch.setattr("irbounds.comparisons.pairs.MAX_COMPARISONS", 11)
    scores, groups = make_scores()
    with pytest.raises(ParameterError, match="12 comparisons of 3 systems"):
        compare(scores, groups)  # three pairs in three groups, and on all queries


def test_groups_in_any_form_are_checked():
    scores, groups = make_scores()
    table = irbounds.read_scores(scores, measure="AP")
    rows = irbounds.difference_interval(table, groups=groups)
    assert [row.p_value for row in rows] == [row.p_value for row in compare(scores, groups)]
    with pytest.raises(ParameterError, match="groups must be a file, a frame, or a dict"):
        irbounds.difference_interval(table, groups=3)
