"""Plans for numbers of queries."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irbounds
import naive
from extreme_scores import EXTREMES
from irbounds.planning.queries import _pair_deviations, plan_queries, plan_systems


def table_of(values, measure="AP"):
    names = tuple("abcdefghijklmnopqrstuvwxyz"[: len(values)])
    queries = tuple(str(k) for k in range(len(values[0])))
    return irbounds.ScoreTable((measure,), names, queries, np.array([values], dtype=float))


def random_scores(n_systems, n, seed=3):
    return np.random.default_rng(seed).beta(0.7, 2, size=(n_systems, n))


def test_all_pairs_give_median_and_largest_standard_deviation():
    values = random_scores(7, 40)
    deviations = naive.deviations_of_pairs(values.tolist())
    typical, hardest = plan_queries(table_of(values), difference=0.02, half_width=0.03)
    assert (typical.kind, typical.pair) == ("typical", "typical of 21 pairs")
    assert typical.standard_deviation == pytest.approx(np.median(deviations), rel=1e-12)
    assert hardest.kind == "hardest"
    assert hardest.standard_deviation == pytest.approx(max(deviations), rel=1e-12)
    first, second = hardest.pair.removeprefix("hardest: ").split(" and ")
    pair = values["abcdefg".index(first)] - values["abcdefg".index(second)]
    assert pair.std(ddof=1) == pytest.approx(max(deviations), rel=1e-12)


def test_baseline_plans_match_power_and_width():
    values = random_scores(3, 50)
    plans = plan_queries(table_of(values), baseline="b", difference=0.05, half_width=0.04)
    assert [(plan.kind, plan.pair) for plan in plans] == [
        ("pair", "a against b"),
        ("pair", "c against b"),
    ]
    for plan, row in zip(plans, values[[0, 2]], strict=True):
        differences = row - values[1]
        low, high = stats.ttest_1samp(differences, 0).confidence_interval(0.95)
        assert plan.n == 50
        assert plan.standard_deviation == pytest.approx(differences.std(ddof=1), rel=1e-12)
        assert plan.half_width == pytest.approx((high - low) / 2, rel=1e-12)
        # noncentral t by scipy: power at what is said to be seen, and at n and n - 1 for the wish
        assert power(plan, plan.detectable_difference, 50) == pytest.approx(0.8, abs=1e-12)
        assert power(plan, 0.05, plan.queries_for_difference) >= 0.8
        assert power(plan, 0.05, plan.queries_for_difference - 1) < 0.8
        fewest = naive.fewest(lambda n, p=plan: width(p, n) <= 0.04)
        assert plan.queries_for_half_width == fewest


def power(plan, difference, n):
    critical = stats.t.ppf(0.975, n - 1)
    noncentrality = difference / plan.standard_deviation * np.sqrt(n)
    upper = stats.nct.sf(critical, n - 1, noncentrality)
    return upper + stats.nct.sf(critical, n - 1, -noncentrality)


def width(plan, n):
    return stats.t.ppf(0.975, n - 1) * plan.standard_deviation / np.sqrt(n)


def test_single_system_is_planned_for_its_mean():
    scores = random_scores(1, 30)[0]
    (plan,) = plan_queries(scores.tolist(), alternative="greater", power=0.9)
    assert (plan.kind, plan.pair, plan.alternative) == ("mean", "system", "greater")
    assert plan.standard_deviation == pytest.approx(scores.std(ddof=1), rel=1e-12)
    critical = stats.t.ppf(0.95, 29)
    effect = plan.detectable_difference / plan.standard_deviation
    assert stats.nct.sf(critical, 29, effect * np.sqrt(30)) == pytest.approx(0.9, abs=1e-12)
    assert plan.queries_for_difference is plan.queries_for_half_width is None
    assert plan.inputs[0].name == "the scores"


def test_two_systems_are_one_pair():
    (plan,) = plan_queries(table_of(random_scores(2, 10)))
    assert (plan.kind, plan.pair) == ("pair", "a and b")


def test_every_measure_has_its_plans():
    values = np.stack([random_scores(3, 20), random_scores(3, 20, seed=4)])
    table = irbounds.ScoreTable(
        ("AP", "RR"), ("a", "b", "c"), tuple("abcdefghijklmnopqrst"), values
    )
    plans = plan_queries(table)
    assert [(p.measure, p.kind) for p in plans] == [
        ("AP", "typical"), ("AP", "hardest"), ("RR", "typical"), ("RR", "hardest"),
    ]  # fmt: skip
    assert plans[:2] == plan_queries(table.select(["AP"]))


def test_similar_systems_lose_no_digits():
    rng = np.random.default_rng(8)
    base = rng.beta(0.7, 2, size=60) + 100  # a large mean, so that cancellation would show
    crumbs = rng.normal(size=(2, 60)) * 1e-9
    rows = np.vstack([base, base + crumbs[0], base + crumbs[1], rng.random(60)])
    expected = naive.deviations_of_pairs(rows.tolist())
    _, _, found = _pair_deviations(rows)
    np.testing.assert_allclose(found, expected, rtol=1e-10)
    # the plain formula, as negative control
    covariance = np.cov(rows)
    plain = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    assert plain != pytest.approx(expected[0] ** 2, rel=1e-3, abs=0)


def test_pairs_with_constant_difference_warn():
    varied = random_scores(2, 12)
    # 0.1 more on every query: equal differences but for rounding
    values = np.vstack([varied, varied[0], varied[0] + 0.1])
    said = r"AP: the same difference on every query, so left out of the plan: a and c, a and d, c a"
    with pytest.warns(irbounds.errors.DegenerateSampleWarning, match=said):
        typical, _ = plan_queries(table_of(values))
    assert typical.pair == "typical of 3 pairs"
    with pytest.warns(
        irbounds.errors.DegenerateSampleWarning, match="plan: c against a, d against a$"
    ):
        (plan,) = plan_queries(table_of(values), baseline="a")
    assert plan.pair == "b against a"


def test_warning_names_five_pairs_and_counts_the_rest():
    values = np.vstack([random_scores(1, 9)] * 5 + [random_scores(1, 9, seed=5)])
    with pytest.warns(irbounds.errors.DegenerateSampleWarning, match=r"b and c and 5 more$"):
        plan_queries(table_of(values))


def test_constant_scores_are_rejected():
    nothing = r"no plan is possible: no difference or score varies from query to query"
    same = "the same difference on every query"
    with (
        pytest.warns(irbounds.errors.DegenerateSampleWarning, match=same),
        pytest.raises(irbounds.errors.DataError, match=nothing),
    ):
        plan_queries(table_of(np.ones((3, 5))))
    with (
        pytest.warns(
            irbounds.errors.DegenerateSampleWarning, match="the same score on every query"
        ),
        pytest.raises(irbounds.errors.DataError, match=nothing),
    ):
        plan_queries([0.5, 0.5, 0.5])
    with pytest.raises(irbounds.errors.DataError, match="at least two queries; got 1"):
        plan_queries([0.5])


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"difference": 0}, "difference must be a number greater than 0; got 0"),
        ({"difference": -0.1}, "difference must be a number greater than 0; got -0.1"),
        ({"difference": float("nan")}, "difference must be a number greater than 0; got nan"),
        ({"difference": float("inf")}, "difference must be a number greater than 0; got inf"),
        ({"difference": "0.1"}, "difference must be a number greater than 0; got '0.1'"),
        ({"difference": True}, "difference must be a number greater than 0; got True"),
        ({"half_width": 0.0}, "half_width must be a number greater than 0; got 0.0"),
        ({"power": 80}, "power must be a fraction between 0 and 1; got 80, did you mean 0.8?"),
        ({"confidence_level": 1}, "confidence_level must be a fraction between 0 and 1; got 1"),
        ({"alternative": "up"}, "alternative must be one of .*; got 'up'"),
        ({"baseline": "z"}, "no system 'z' here, only 'a', 'b'"),
        ({"difference": 1e-200}, "difference 1e-200 would take more than 1,000,000,000,000,000 q"),
    ],
)
def test_plan_queries_rejects_invalid_options(wish, said):
    with pytest.raises(irbounds.errors.ParameterError, match=said.replace("?", r"\?")):
        plan_queries(table_of(random_scores(2, 10)), **wish)


def test_a_baseline_needs_another_system():
    with pytest.raises(
        irbounds.errors.ParameterError, match="baseline 'a': there is no other system"
    ):
        plan_queries(table_of(random_scores(1, 10)), baseline="a")


def test_plans_are_frozen_and_record_options():
    frame = pd.DataFrame({"a": [0.1, 0.5, 0.3], "b": [0.2, 0.1, 0.4]})
    (plan,) = plan_queries(frame, difference=0.1, confidence_level=0.9)
    assert (plan.difference, plan.confidence_level, plan.power) == (0.1, 0.9, 0.8)
    assert plan.inputs[0].fingerprint.startswith("sha256:")
    with pytest.raises(AttributeError):
        plan.n = 5
    assert asdict(plan)["pair"] == "a and b"


def test_all_pairs_of_110_systems(data_directory):
    table = irbounds.read_scores(data_directory / "scores/robust2004_ap.csv", measure="AP")
    with pytest.warns(irbounds.errors.DegenerateSampleWarning, match="sys67 and sys69$"):
        typical, hardest = plan_queries(table, difference=0.02, half_width=0.03)
    deviations = [d for d in naive_fast(table.values[0]) if d > 0]
    assert typical.standard_deviation == pytest.approx(np.median(deviations), rel=1e-10)
    assert hardest.standard_deviation == pytest.approx(max(deviations), rel=1e-10)
    # R: power.t.test(delta = 0.02, sd = 0.162168644, power = 0.8, type = "paired",
    #                 strict = TRUE, tol = 1e-10)$n is 517.96047
    assert typical.queries_for_difference == 518


def naive_fast(rows):
    for k, row in enumerate(rows):
        yield from (row - rows[k + 1 :]).std(axis=1, ddof=1)


def test_power_on_real_scores(data_directory):
    # resampling real queries at the typical difference: the t test sees it about as often as said;
    # 2,000 rounds have a standard error of 0.9 %, and half the difference is seen far less often
    table = irbounds.read_scores(data_directory / "scores/robust2004_ap.csv", measure="AP")
    rng = np.random.default_rng(12)
    differences = table.values[0][10] - table.values[0][40]
    centred = differences - differences.mean()
    (plan,) = plan_queries(
        irbounds.ScoreTable(("AP",), ("x",), tuple(map(str, range(249))), centred[None, None])
    )

    def seen(true):
        draws = rng.choice(centred, size=(2000, 249)) + true
        return np.mean(stats.ttest_1samp(draws, 0, axis=1).pvalue < 0.05)

    assert seen(plan.detectable_difference) == pytest.approx(0.8, abs=0.04)
    assert seen(plan.detectable_difference / 2) < 0.5


@pytest.mark.parametrize("scale", [2.0**-1000, 2.0**-500, 2.0**495, 2.0**800])
def test_plans_scale_with_tiny_and_huge_scores(scale):
    scores = random_scores(4, 12)
    plain = plan_queries(table_of(scores, "m"), difference=0.1)
    scaled = plan_queries(table_of(scores * scale, "m"), difference=0.1 * scale)
    for a, b in zip(plain, scaled, strict=True):
        assert b.standard_deviation == a.standard_deviation * scale
        assert b.half_width == pytest.approx(a.half_width * scale, rel=1e-12)
        assert b.queries_for_difference == a.queries_for_difference


def test_tiny_scores_next_to_huge_scores_are_not_lost():
    scores = random_scores(4, 12) * np.array([1e-180, 1e-180, 1e200, 1e200])[:, None]
    _, _, found = _pair_deviations(scores)
    assert found[0] == pytest.approx(np.std((scores[0] - scores[1]) * 1e180, ddof=1) * 1e-180)
    assert found[5] == pytest.approx(np.std((scores[2] - scores[3]) * 1e-200, ddof=1) * 1e200)


@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
@pytest.mark.parametrize("case", EXTREMES)
def test_plans_of_extreme_scores_are_finite_or_rejected(case):
    for n in (2, 12):
        scores = np.array([EXTREMES[case][:n], np.zeros(n), EXTREMES[case][::-1][:n]])
        for some in (scores, scores[:2], scores[:1]):
            for wish in (1e-320, 1.0, 1e300):
                try:
                    plans = plan_queries(
                        table_of(some, "m"), difference=wish, half_width=wish, power=1 - 1e-9
                    )
                except irbounds.IrboundsError as error:
                    assert "\n" not in str(error)  # noqa: PT017
                else:
                    numbers = [(p.standard_deviation, p.detectable_difference) for p in plans]
                    assert np.isfinite(numbers).all()


def test_plan_for_several_systems_uses_both_variances():
    values = random_scores(6, 40)
    one_way, two_way = plan_systems(table_of(values), n_systems=10, difference=0.1)
    assert (one_way.anova, two_way.anova) == ("one-way", "two-way")
    assert one_way.variance == pytest.approx(values.var(axis=1, ddof=1).mean(), rel=1e-12)
    _, _, residual = naive.mean_squares(values.tolist())
    assert two_way.variance == pytest.approx(float(residual), rel=1e-10)
    for plan, df in ((one_way, 10 * 39), (two_way, 9 * 39)):
        assert (plan.n, plan.n_systems, plan.difference) == (40, 10, 0.1)
        critical = stats.f.ppf(0.95, 9, df)
        shift = 40 * plan.detectable_difference**2 / 2 / plan.variance
        assert stats.ncf.sf(critical, 9, df, shift) == pytest.approx(0.8, abs=1e-9)
        (now,) = [point for point in plan.curve if point.n == 40]
        assert now.detectable_difference == plan.detectable_difference
        (needed,) = [point for point in plan.curve if point.n == plan.queries_for_difference]
        assert needed.detectable_difference <= 0.1


def test_plan_for_several_systems_from_a_variance():
    plans = plan_systems(n_systems=2, variance=0.0442, difference=0.1)
    assert [(p.anova, p.queries_for_difference) for p in plans] == [
        ("one-way", 71),
        ("two-way", 72),
    ]
    assert {(p.measure, p.n, p.detectable_difference, p.inputs) for p in plans} == {
        ("score", None, None, ())
    }
    # two systems in two ways are a pair whose differences have twice the residual variance
    differences = stats.norm.ppf((np.arange(50) + 0.5) / 50)
    differences *= np.sqrt(2 * 0.0442) / differences.std(ddof=1)
    (pair,) = plan_queries(table_of([differences, np.zeros(50)]), difference=0.1)
    assert pair.queries_for_difference == 72


def test_plan_for_several_systems_of_one_system_is_one_way():
    scores = random_scores(1, 30)
    (plan,) = plan_systems(table_of(scores), n_systems=5)
    assert plan.anova == "one-way"
    assert plan.variance == pytest.approx(scores.var(ddof=1), rel=1e-12)
    assert plan.queries_for_difference is None


def test_plan_for_several_systems_without_variation():
    rows = np.add.outer([0.1, 0.2, 0.35], random_scores(1, 9)[0])
    said = "AP: the same differences of systems on every query, so there is no two-way plan"
    with pytest.warns(irbounds.errors.DegenerateSampleWarning, match=said):
        (plan,) = plan_systems(table_of(rows), n_systems=3)
    assert plan.anova == "one-way"
    with (
        pytest.warns(irbounds.errors.DegenerateSampleWarning),
        pytest.raises(irbounds.errors.DataError, match="no plan is possible: no score varies"),
    ):
        plan_systems(table_of(np.ones((3, 5))), n_systems=3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_systems": 1}, "n_systems must be an integer of at least 2; got 1"),
        ({"n_systems": 10**7}, "n_systems must be at most 1,000,000; got 10,000,000"),
        ({"n_systems": 3, "variance": 0}, "variance must be a number greater than 0; got 0"),
        ({"n_systems": 3, "variance": 0.1}, "a plan from a variance needs a difference to detect"),
        ({"n_systems": 3, "difference": -1}, "difference must be a number greater than 0; got -1"),
        ({"n_systems": 3, "power": 80}, "power must be a fraction between 0 and 1; got 80"),
    ],
)
def test_plan_for_several_systems_rejects_invalid_options(options, message):
    with pytest.raises(irbounds.errors.ParameterError, match=message):
        plan_systems(table_of(random_scores(3, 8)), **options)


@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
@pytest.mark.parametrize("case", EXTREMES)
def test_plans_for_several_systems_of_extreme_scores_are_finite_or_rejected(case):
    for n in (2, 12):
        scores = np.array([EXTREMES[case][:n], np.zeros(n), EXTREMES[case][::-1][:n]])
        try:
            plans = plan_systems(table_of(scores, "m"), n_systems=3, difference=1.0)
        except irbounds.IrboundsError as error:
            assert "\n" not in str(error)  # noqa: PT017
        else:
            assert np.isfinite([(p.variance, p.detectable_difference) for p in plans]).all()
