"""Plans for numbers of queries."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import irbounds
import naive
from extreme_scores import EXTREMES
from irbounds.errors import DataError, DegenerateSampleWarning, ParameterError
from irbounds.planning.queries import compute_reliability, pair_deviations


def plan(values, measure="AP", **options):
    names = tuple("abcdefghijklmnopqrstuvwxyz"[: len(values)])
    queries = tuple(str(k) for k in range(len(values[0])))
    table = irbounds.ScoreTable((measure,), names, queries, np.array([values], dtype=float))
    return irbounds.plan_queries(scores=table, **options)


def random_scores(n_systems, n, seed=3):
    return np.random.default_rng(seed).beta(0.7, 2, size=(n_systems, n))


def test_all_pairs_give_median_and_largest_standard_deviation():
    values = random_scores(7, 40)
    deviations = naive.deviations_of_pairs(values.tolist())
    typical, hardest = plan(values)
    assert (typical.kind, typical.pair) == ("typical", "typical of 21 pairs")
    assert typical.standard_deviation == pytest.approx(np.median(deviations), rel=1e-12)
    assert hardest.kind == "hardest"
    first, second = hardest.pair.removeprefix("hardest: ").split(" and ")
    pair = values["abcdefg".index(first)] - values["abcdefg".index(second)]
    assert pair.std(ddof=1) == pytest.approx(max(deviations), rel=1e-12)
    assert hardest.standard_deviation == pytest.approx(max(deviations), rel=1e-12)


def test_baseline_plans_match_power_and_width():
    values = random_scores(3, 50)
    plans = plan(values, baseline="b", difference=0.05, half_width=0.04)
    assert [row.pair for row in plans] == ["a against b", "c against b"]
    for row, scores in zip(plans, values[[0, 2]], strict=True):
        differences = scores - values[1]
        low, high = stats.ttest_1samp(differences, 0).confidence_interval(0.95)
        assert row.standard_deviation == pytest.approx(differences.std(ddof=1), rel=1e-12)
        assert row.half_width == pytest.approx((high - low) / 2, rel=1e-12)
        # noncentral t by scipy: power at the detectable difference, and at n and n - 1
        assert power(row, row.detectable_difference, 50) == pytest.approx(0.8, abs=1e-12)
        assert power(row, 0.05, row.queries_for_difference) >= 0.8
        assert power(row, 0.05, row.queries_for_difference - 1) < 0.8
        assert width(row, row.queries_for_half_width) <= 0.04
        assert width(row, row.queries_for_half_width - 1) > 0.04


def power(row, difference, n):
    critical = stats.t.ppf(0.975, n - 1)
    noncentrality = difference / row.standard_deviation * np.sqrt(n)
    upper = stats.nct.sf(critical, n - 1, noncentrality)
    return upper + stats.nct.sf(critical, n - 1, -noncentrality)


def width(row, n):
    return stats.t.ppf(0.975, n - 1) * row.standard_deviation / np.sqrt(n)


def test_single_system_is_planned_for_its_mean():
    scores = random_scores(1, 30)[0]
    (row,) = irbounds.plan_queries(scores=scores.tolist(), alternative="greater", power=0.9)
    assert (row.kind, row.reliability, row.queries_for_difference) == ("mean", None, None)
    assert row.standard_deviation == pytest.approx(scores.std(ddof=1), rel=1e-12)
    effect = row.detectable_difference / row.standard_deviation
    found = stats.nct.sf(stats.t.ppf(0.95, 29), 29, effect * np.sqrt(30))
    assert found == pytest.approx(0.9, abs=1e-12)


def test_similar_systems_lose_no_digits():
    rng = np.random.default_rng(8)
    base = rng.beta(0.7, 2, size=60) + 100  # a large mean, so that cancellation would show
    noise = rng.normal(size=(2, 60)) * 1e-9
    rows = np.vstack([base, base + noise[0], base + noise[1], rng.random(60)])
    expected = naive.deviations_of_pairs(rows.tolist())
    np.testing.assert_allclose(pair_deviations(rows)[2], expected, rtol=1e-10)
    # the plain formula, as negative control
    covariance = np.cov(rows)
    plain = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    assert plain != pytest.approx(expected[0] ** 2, rel=1e-3, abs=0)


def test_pairs_with_constant_difference_are_left_out_with_a_warning():
    varied = random_scores(2, 12)
    # 0.1 more on every query: equal differences but for rounding
    values = np.vstack([varied, varied[0], varied[0] + 0.1])
    warning = (
        "AP: the same difference on every query, so left out of the plan: .a and c., .a and d., .c"
    )
    with pytest.warns(DegenerateSampleWarning, match=warning):
        typical, _ = plan(values)
    assert typical.pair == "typical of 3 pairs"
    with pytest.raises(DataError, match="no plan is possible"):
        plan(np.ones((4, 5)))
    with pytest.raises(DataError, match="at least two queries; got 1"):
        irbounds.plan_queries(scores=[0.5])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"baseline": "z"}, "baseline must be one of 'a', 'b'; got 'z'"),
        ({"difference": 1e-200}, "difference 1e-200 would take more than 1,000,000,000,000,000 q"),
        ({"n_systems": 4, "half_width": 0.1}, "half_width is for pairs of systems"),
        ({"n_systems": 4, "variance": 0.1}, "variance takes the place of scores"),
    ],
)
def test_invalid_options_are_rejected(options, message):
    with pytest.raises(ParameterError, match=message):
        plan(random_scores(2, 10), **options)


def test_all_pairs_of_110_systems(data_directory):
    table = irbounds.read_scores(data_directory / "scores/robust2004_ap.csv", measure="AP")
    with pytest.warns(DegenerateSampleWarning, match="sys67 and sys69"):
        typical, hardest = irbounds.plan_queries(scores=table, difference=0.02)
    (values,) = table.values
    pairs = [(row - values[k + 1 :]).std(axis=1, ddof=1) for k, row in enumerate(values[:-1])]
    deviations = [d for d in np.concatenate(pairs) if d > 0]
    assert typical.standard_deviation == pytest.approx(np.median(deviations), rel=1e-10)
    assert hardest.standard_deviation == pytest.approx(max(deviations), rel=1e-10)
    # R: power.t.test(delta = 0.02, sd = 0.162168644, power = 0.8, type = "paired",
    #                 strict = TRUE, tol = 1e-10)$n is 517.96047
    assert typical.queries_for_difference == 518


def test_power_on_real_scores(data_directory):
    # 2,000 rounds have a standard error of 0.9 %, and half the difference is found far less often
    table = irbounds.read_scores(data_directory / "scores/robust2004_ap.csv", measure="AP")
    rng = np.random.default_rng(12)
    differences = table.values[0][10] - table.values[0][40]
    centred = differences - differences.mean()
    (row,) = irbounds.plan_queries(scores=centred.tolist())

    def detected(true):
        draws = rng.choice(centred, size=(2000, 249)) + true
        return np.mean(stats.ttest_1samp(draws, 0, axis=1).pvalue < 0.05)

    assert detected(row.detectable_difference) == pytest.approx(0.8, abs=0.04)
    assert detected(row.detectable_difference / 2) < 0.5


@pytest.mark.parametrize("scale", [2.0**-1000, 2.0**800])
def test_plans_scale_with_tiny_and_huge_scores(scale):
    scores = random_scores(4, 12)
    scaled = plan(scores * scale, "m", difference=0.1 * scale)
    for a, b in zip(plan(scores, "m", difference=0.1), scaled, strict=True):
        assert b.standard_deviation == a.standard_deviation * scale
        assert b.half_width == pytest.approx(a.half_width * scale, rel=1e-12)
        assert b.queries_for_difference == a.queries_for_difference
        assert b.reliability == a.reliability


@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
@pytest.mark.parametrize("case", EXTREMES)
def test_plans_of_extreme_scores_are_finite_or_rejected(case):
    scores = np.array([EXTREMES[case][:12], np.zeros(12), EXTREMES[case][::-1][:12]])
    for some in (scores, scores[:1]):
        for options in ({"half_width": 1.0}, {"n_systems": 5}):
            try:
                plans = plan(some, "m", difference=1e300, **options)
            except irbounds.IrboundsError as error:
                assert "\n" not in str(error)  # noqa: PT017
            else:
                assert np.isfinite([row.detectable_difference for row in plans]).all()


def test_plan_for_several_systems_uses_both_variances():
    values = random_scores(6, 40)
    one_way, two_way = plan(values, n_systems=10, difference=0.1)
    assert (one_way.anova, two_way.anova) == ("one-way", "two-way")
    assert one_way.variance == pytest.approx(values.var(axis=1, ddof=1).mean(), rel=1e-12)
    _, _, residual = naive.mean_squares(values.tolist())
    assert two_way.variance == pytest.approx(float(residual), rel=1e-10)
    for row, df in ((one_way, 10 * 39), (two_way, 9 * 39)):
        critical = stats.f.ppf(0.95, 9, df)
        shift = 40 * row.detectable_difference**2 / 2 / row.variance
        assert stats.ncf.sf(critical, 9, df, shift) == pytest.approx(0.8, abs=1e-9)
    (alone,) = plan(values[:1], n_systems=5)
    assert (alone.anova, alone.queries_for_difference) == ("one-way", None)
    assert alone.variance == pytest.approx(values[0].var(ddof=1), rel=1e-12)


def test_plan_for_several_systems_from_a_variance():
    plans = irbounds.plan_queries(n_systems=2, variance=0.0442, difference=0.1)
    assert [(row.n, row.queries_for_difference) for row in plans] == [(None, 71), (None, 72)]
    # two systems in two ways are a pair whose differences have twice the residual variance
    differences = stats.norm.ppf((np.arange(50) + 0.5) / 50)
    differences *= np.sqrt(2 * 0.0442) / differences.std(ddof=1)
    (pair,) = plan([differences, np.zeros(50)], difference=0.1)
    assert pair.queries_for_difference == 72


def test_plan_for_several_systems_without_residuals_is_one_way():
    rows = np.add.outer([0.1, 0.2, 0.35], random_scores(1, 9)[0])
    warning = "AP: nothing varies from query to query, so there is no two-way plan"
    with pytest.warns(DegenerateSampleWarning, match=warning):
        (row,) = plan(rows, n_systems=3)
    assert row.anova == "one-way"


def effects_table(n_systems, n_queries, seed=1):
    rng = np.random.default_rng(seed)
    effects = rng.normal(0, 0.1, (n_systems, 1)) + rng.normal(0, 0.2, n_queries)
    return 0.5 + effects + rng.normal(0, 0.1, (n_systems, n_queries))


@pytest.mark.parametrize(("n_systems", "n_queries"), [(2, 30), (6, 9), (20, 5)])
def test_reliability_matches_naive_and_cronbachs_alpha(n_systems, n_queries):
    values = effects_table(n_systems, n_queries)
    reliability, needed = compute_reliability(values)
    rows = values.tolist()
    assert reliability == pytest.approx(naive.reliability(rows, n_queries), rel=1e-10)
    assert naive.reliability(rows, needed) >= 0.95 > naive.reliability(rows, needed - 1)
    variances = values.var(axis=0, ddof=1).sum() / values.sum(axis=1).var(ddof=1)
    alpha = n_queries / (n_queries - 1) * (1 - variances)
    assert reliability == pytest.approx(alpha, rel=1e-10)


def test_reliability_of_trec_3_matches_published_numbers(data_directory):
    # the vignette of the R package gt4ireval, which drops systems below the lower quartile
    table = irbounds.read_scores(data_directory / "scores/adhoc3_ap.csv", measure="AP")
    (values,) = table.values
    means = values.mean(axis=1)
    reliability, needed = compute_reliability(values[means >= np.quantile(means, 0.25)])
    assert (round(reliability, 5), needed) == (0.93265, 69)


def test_reliability_is_0_or_1_without_variances():
    # system means are equal: the scores of a query are only exchanged among systems
    values = np.array([[0.1, 0.5, 0.9, 0.3], [0.5, 0.1, 0.3, 0.9], [0.3, 0.3, 0.3, 0.3]])
    assert compute_reliability(values) == (0, None)
    additive = np.add.outer([0.1, 0.2, 0.4], [0.05, 0.3, 0.11, 0.02, 0.41, 0.33])
    assert compute_reliability(additive) == (1, 1)
    assert compute_reliability(additive[:1]) == (None, None)
