"""Non-inferiority: limits, p-values and verdicts, compared with scipy, statsmodels and naive."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import naive
from irbounds.comparisons.non_inferiority import Margin, check_measures
from irbounds.intervals.power import power_of
from irbounds.results.gate import MIN_CHANGED
from irbounds.scores.score_table import ScoreTable


def table_of(*pairs, measures=("AP", "nDCG@10", "P@10", "RR")):
    values = np.array(pairs)
    queries = tuple(map(str, range(values.shape[2])))
    return ScoreTable(measures[: len(pairs)], ("old", "new"), queries, values)


def draw_pair(seed, n=30, shift=0.0, spread=0.1):
    rng = np.random.default_rng(seed)
    old = rng.beta(2, 3, n)
    return old, old + rng.normal(shift, spread, n)


def check(old, new, margin, **options):
    (row,) = check_measures(table_of((old, new)), {"AP": margin}, **options)
    return row


@pytest.mark.parametrize("seed", range(20))
def test_p_values_equal_scipy(seed):
    old, new = draw_pair(seed, 6 + 7 * seed, shift=-0.01 * (seed % 5))
    margin = 0.005 * (1 + seed % 4)
    row = check(old, new, Margin(margin))
    for p, side in ((row.p_pass, "greater"), (row.p_fail, "less")):
        expected = stats.ttest_1samp(new - old, -margin, alternative=side).pvalue
        assert p == pytest.approx(expected, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_p_values_and_limits_equal_statsmodels(seed):
    weightstats = pytest.importorskip("statsmodels.stats.weightstats")
    old, new = draw_pair(seed, 30, shift=-0.01 * seed)
    row = check(old, new, Margin(0.02))
    differences = weightstats.DescrStatsW(new - old)
    _, p, _ = differences.ttest_mean(-0.02, alternative="larger")
    assert row.p_pass == pytest.approx(p, abs=1e-12)
    # two one-sided limits of 95 % are the ends of a two-sided interval of 90 %
    assert (row.low, row.high) == pytest.approx(differences.tconfint_mean(0.1), abs=1e-12)
    assert row.interval.confidence_level == pytest.approx(0.9)


@pytest.mark.parametrize("level", [0.6, 0.9, 0.95, 0.999])
@pytest.mark.parametrize("seed", range(15))
def test_verdict_limits_and_p_values_agree(seed, level):
    old, new = draw_pair(seed, 25, shift=(seed - 7) * 0.02)
    row = check(old, new, Margin(0.02), confidence_level=level)
    expected = naive.difference_limits(list(old), list(new), stats.t.ppf(level, 24))
    assert (row.low, row.high) == pytest.approx(expected, abs=1e-12)
    assert (row.verdict == "pass") == (row.low > -0.02) == (row.p_pass < 1 - level)
    assert (row.verdict == "fail") == (row.high < -0.02) == (row.p_fail < 1 - level)


@pytest.mark.parametrize("seed", range(10))
def test_relative_margin_is_the_t_test_of_new_minus_a_fraction_of_old(seed):
    old, new = draw_pair(seed, 40, shift=(seed - 5) * 0.01)
    row = check(old, new, Margin(0.05, is_relative=True))
    expected = stats.ttest_1samp(new - 0.95 * old, 0, alternative="greater")
    assert row.p_pass == pytest.approx(expected.pvalue, abs=1e-12)
    assert row.margin == pytest.approx(0.05 * old.mean())
    assert (row.verdict == "pass") == (row.low > -row.margin) == (row.p_pass < 0.05)
    limit = expected.confidence_interval(0.95).low - row.margin
    assert row.low == pytest.approx(limit, abs=1e-12)


@pytest.mark.parametrize("seed", range(30))
def test_upper_limits_and_failures_are_those_of_holm(seed):
    rng = np.random.default_rng(seed)
    pairs = [draw_pair((seed, k), 30, shift=rng.choice([-0.08, -0.06, -0.03, 0])) for k in range(4)]
    table = table_of(*pairs)
    rows = check_measures(table, dict.fromkeys(table.measures, Margin(0.01)))
    expected = naive.holm_rejections([row.p_fail for row in rows], 0.05)
    assert [row.verdict == "fail" for row in rows] == expected
    assert [row.high < -row.margin for row in rows] == expected
    assert [row.adjusted_p_fail < 0.05 for row in rows] == expected
    for row, (old, new) in zip(rows, pairs, strict=True):
        alone = check(old, new, Margin(0.01))
        assert row.low == alone.low  # lower limits are not adjusted
        assert row.high >= alone.high
        assert row.high_level >= row.confidence_level


def test_some_measures_fail_alone_but_not_with_others():
    """Negative control of the test above: without Holm more measures would fail."""
    old, new = draw_pair(3, 30, shift=-0.06)
    alone = check(old, new, Margin(0.01))
    assert alone.verdict == "fail"
    assert 0.05 / 4 < alone.p_fail < 0.05
    others = [draw_pair(k, 30) for k in (11, 12, 13)]
    table = table_of((old, new), *others)
    rows = check_measures(table, dict.fromkeys(table.measures, Margin(0.01)))
    assert rows[0].verdict == "undecided"


@pytest.mark.parametrize("n_lost", range(MIN_CHANGED))
def test_few_changes_are_bounded_by_the_fraction_of_queries_that_lose(n_lost):
    old = np.full(60, 0.5)
    new = old.copy()
    new[:n_lost] -= 0.01
    row = check(old, new, Margin(0.08))
    fraction = naive.max_losing_fraction(n_lost, 60, 0.05)
    assert row.method == "clopper-pearson"
    assert row.low == pytest.approx(-fraction, abs=1e-12)
    assert row.high == pytest.approx(naive.max_losing_fraction(0, 60, 0.05), abs=1e-12)
    assert row.p_pass == pytest.approx(stats.binom.cdf(n_lost, 60, 0.08), abs=1e-12)
    assert (row.verdict == "pass") == (fraction < 0.08) == (row.p_pass < 0.05)
    assert row.verdict != "fail"


def test_six_changes_are_enough_for_a_t_test():
    old = np.full(60, 0.5)
    new = old.copy()
    new[:MIN_CHANGED] -= np.linspace(0.01, 0.1, MIN_CHANGED)
    assert check(old, new, Margin(0.01)).method == "student-t"


def test_equal_differences_and_unknown_bounds_never_decide():
    old = np.random.default_rng(1).uniform(0.2, 0.8, 50)
    assert check(old, old - 0.1, Margin(0.01)).verdict == "undecided"
    table = ScoreTable(("score",), ("old", "new"), tuple(map(str, range(50))), [[old, old]])
    (row,) = check_measures(table, {"score": Margin(0.01)})
    assert row.verdict == "undecided"
    assert math.isnan(row.low)
    assert row.queries_needed is None
    (row,) = check_measures(table, {"score": Margin(0.1)}, bounds=(0, 1))
    assert row.verdict == "pass"
    (row,) = check_measures(table, {"score": Margin(0.1)}, bounds=(0, 10))
    assert row.verdict == "undecided"


@pytest.mark.parametrize(("seed", "shift"), [(1, 0.0), (2, -0.005), (3, -0.03)])
def test_queries_needed_have_the_power(seed, shift):
    old, new = draw_pair(seed, 40, shift)
    row = check(old, new, Margin(0.015), power=0.9)
    assert row.verdict == "undecided"
    n = row.queries_needed
    effect = abs((new - old).mean() + 0.015) / (new - old).std(ddof=1)
    assert power_of(effect, n, 0.95, "greater") >= 0.9
    assert power_of(effect, n - 1, 0.95, "greater") < 0.9


@pytest.mark.parametrize("is_relative", [False, True])
def test_queries_needed_where_none_changed(is_relative):
    old = 0.5 + np.tile([0.1, -0.1], 25)
    margin = Margin(0.02, is_relative=True) if is_relative else Margin(0.01)
    row = check(old, old.copy(), margin)
    assert row.verdict == "undecided"
    n = row.queries_needed
    assert n == pytest.approx(math.log(0.05) / math.log(0.99), rel=0.011)
    assert stats.binom.cdf(0, n, 0.01) < 0.05


@pytest.mark.parametrize(
    ("n_changed", "n_lost", "margin"),
    [(3, 2, 0.02), (5, 5, 0.02), (4, 0, 0.005), (5, 2, 0.01), (1, 1, 0.012)],
)
def test_queries_needed_where_few_change_decide_as_often(n_changed, n_lost, margin):
    """Samples of the same queries: the fraction that decides is near the power or above it.

    False-alarm rate: with a true fraction of 0.75, 300 samples have fewer than 0.68 in 0.3 %.
    """
    rng = np.random.default_rng(5)
    old = rng.uniform(0.3, 0.6, 299)
    changes = np.zeros(299)
    changes[:n_changed] = rng.uniform(0.05, 0.09, n_changed)
    changes[:n_lost] *= -1
    row = check(old, old + changes, Margin(margin))
    assert row.verdict == "undecided"
    places = rng.integers(0, 299, (300, row.queries_needed))
    decided = [
        check(old[k], old[k] + changes[k], Margin(margin)).verdict != "undecided" for k in places
    ]
    assert np.mean(decided) > 0.68


@pytest.mark.parametrize("n", [60, 61, 300])
def test_a_loss_that_is_the_same_on_all_queries_is_never_decided(n):
    old = np.random.default_rng(n).uniform(0.2, 0.8, n)
    row = check(old, old - 0.03, Margin(0.02))
    assert (row.verdict, row.queries_needed) == ("undecided", None)
    gain = check(old, old + 0.03, Margin(0.005))
    assert gain.queries_needed == pytest.approx(math.log(0.05) / math.log(0.995), rel=0.011)


def test_rounding_errors_change_nothing():
    old = np.random.default_rng(3).uniform(0.2, 0.8, 40)
    row = check(old, old + 1e-16 * np.arange(40), Margin(0.1))
    assert (row.n_changed, row.method) == (0, "clopper-pearson")


def test_a_difference_at_the_margin_needs_no_practical_number():
    differences = np.tile([0.1, -0.1], 20) - 0.01
    row = check(np.full(40, 0.5), 0.5 + differences, Margin(0.01))
    assert (row.verdict, row.queries_needed) == ("undecided", None)
    equal = check(np.full(40, 0.5), 0.5 + np.tile([0.1, -0.1], 20), Margin(0.0))
    assert (equal.verdict, equal.queries_needed) == ("undecided", None)


@pytest.mark.parametrize("n_changed", [3, 40])
def test_differences_that_vanish_next_to_the_margin_are_constant(n_changed):
    old, new = np.random.default_rng(4).uniform(0, 1e-18, (2, 40))
    new[n_changed:] = old[n_changed:]
    row = check(old, new, Margin(0.01))
    n_lost = int((new < old).sum())
    assert (row.verdict, row.method) == ("undecided", "clopper-pearson")
    assert (row.n_lost, row.n_changed) == (n_lost, n_changed)
    assert row.low == pytest.approx(-stats.beta.ppf(0.95, n_lost + 1, 40 - n_lost))


def test_smallest_scores_and_a_relative_margin_are_undecided():
    rng = np.random.default_rng(4)
    old, new = 5e-324 * rng.integers(0, 4, (2, 40))
    assert check(old, new, Margin(0.02, is_relative=True)).verdict == "undecided"
