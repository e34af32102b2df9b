"""Reliability, against published numbers, R, naive code and other formulations."""

from __future__ import annotations

import math
import time
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irbounds
import naive
from extreme_scores import EXTREMES
from irbounds.planning.reliability import (
    compute_coefficient,
    compute_mean_squares,
    count_queries,
    plan_reliability,
)

#: Brennan (2001), Table 3.2, synthetic data set no. 4 as 10 persons x 12 items
SYNTHETIC_4 = [
    [5, 6, 5, 5, 5, 3, 4, 5, 6, 7, 3, 3],
    [9, 3, 7, 7, 7, 5, 5, 5, 7, 7, 5, 2],
    [3, 4, 3, 3, 5, 3, 3, 5, 6, 5, 1, 6],
    [7, 5, 5, 3, 3, 1, 4, 3, 5, 3, 3, 5],
    [9, 2, 9, 7, 7, 7, 3, 7, 2, 7, 5, 3],
    [3, 4, 3, 5, 3, 3, 6, 3, 4, 5, 1, 2],
    [7, 3, 7, 7, 7, 5, 5, 7, 5, 5, 5, 4],
    [5, 8, 5, 7, 7, 5, 5, 4, 3, 2, 1, 1],
    [9, 9, 8, 8, 6, 6, 6, 5, 5, 8, 1, 1],
    [4, 4, 4, 3, 3, 5, 6, 5, 5, 7, 1, 1],
]
QUIET = pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")


def table_of(values, measure="AP"):
    systems = tuple(f"s{k}" for k in range(len(values)))
    queries = tuple(str(k) for k in range(len(values[0])))
    return irbounds.ScoreTable((measure,), systems, queries, np.array([values], dtype=float))


def random_table(n_systems, n_queries, seed=5):
    rng = np.random.default_rng(seed)
    effects = rng.normal(0, 0.1, (n_systems, 1)) + rng.normal(0, 0.2, n_queries)
    return 0.5 + effects + rng.normal(0, 0.1, (n_systems, n_queries))


def plan_of(values, **options):
    return plan_reliability(table_of(values), **options)


def by_coefficient(plan, n):
    return {row.coefficient: row for row in plan.coefficients if row.n == n}


@QUIET
def test_brennan_synthetic_data_set_4():
    # variances: Brennan (2001), Table 6.2; 80 % intervals: Table 6.5
    plan = plan_of(SYNTHETIC_4, confidence_level=0.8)
    variances = [round(row.variance, 4) for row in plan.variances]
    assert variances == [0.6258, 0.8840, 2.7872]
    # R 4: summary(aov(y ~ s + q, d)) has these mean squares
    squares = [row.mean_square for row in plan.variances]
    assert squares == pytest.approx([10.29629629630, 11.62727272727, 2.78720538721], rel=1e-11)
    assert [row.degrees_of_freedom for row in plan.variances] == [9, 11, 99]
    relative, absolute = by_coefficient(plan, 12).values()
    assert (round(relative.value, 3), round(absolute.value, 3)) == (0.729, 0.672)
    assert [round(end, 3) for end in relative.interval] == [0.541, 0.876]
    assert [round(end, 3) for end in absolute.interval] == [0.457, 0.845]


def test_trec_3_without_the_lowest_quarter_matches_published_numbers(data_directory):
    # the vignette of gt4ireval, which drops systems below the lower quartile of the means
    table = irbounds.read_scores(data_directory / "scores/adhoc3_ap.csv", measure="AP")
    means = table.means()[0]
    best = [s for s, x in zip(table.systems, means, strict=True) if x >= np.quantile(means, 0.25)]
    with pytest.warns(irbounds.errors.DegenerateSampleWarning, match="fewer than two queries per"):
        plan = plan_reliability(
            table.select_systems(best), n_queries=[100, 200], reliability=[0.95, 0.97, 0.9]
        )
    assert (plan.coefficients[0].n_systems, plan.coefficients[0].n) == (30, 50)
    # R 4: aov(score ~ system + query); lme4's lmer has the same to six digits
    expected = [0.00281169859862, 0.02809342876629, 0.01015224709793]
    assert [row.variance for row in plan.variances] == pytest.approx(expected, rel=1e-10)
    now = by_coefficient(plan, 50)
    rounded = {name: [round(x, 5) for x in (row.value, *row.interval)] for name, row in now.items()}
    assert rounded == {"Erho2": [0.93265, 0.89311, 0.96287], "Phi": [0.78613, 0.66141, 0.88039]}
    assert round(by_coefficient(plan, 100)["Erho2"].value, 5) == 0.96515
    assert [round(x, 5) for x in by_coefficient(plan, 200)["Phi"].interval] == [0.88654, 0.96715]
    counts = {(row.coefficient, row.target): (row.value, *row.interval) for row in plan.required}
    assert counts["Erho2", 0.95] == (69, 37, 114)
    assert counts["Phi", 0.95] == (259, 130, 487)
    assert counts["Erho2", 0.97][0] == 117
    assert counts["Phi", 0.9][0] == 123
    # other levels of the vignette
    for level, coefficient, ends in (
        (0.99, "Erho2", [0.87737, 0.96967]),
        (0.9, "Phi", [145, 439]),
    ):
        with pytest.warns(irbounds.errors.DegenerateSampleWarning):
            other = plan_reliability(table.select_systems(best), confidence_level=level)
        if coefficient == "Erho2":
            limits = by_coefficient(other, 50)["Erho2"].interval
            assert [round(end, 5) for end in limits] == ends
        else:
            assert list(other.required[1].interval) == ends


@QUIET
@pytest.mark.parametrize(("n_systems", "n_queries"), [(2, 2), (2, 30), (6, 9), (20, 5)])
@pytest.mark.parametrize("level", [0.8, 0.99])
def test_plan_matches_naive(n_systems, n_queries, level):
    values = random_table(n_systems, n_queries, seed=n_queries)
    rows = values.tolist()
    plan = plan_of(values, n_queries=[1, 77], reliability=[0.5, 0.9], confidence_level=level)
    squares = [row.mean_square for row in plan.variances]
    assert squares == pytest.approx(list(map(float, naive.mean_squares(rows))), rel=1e-10)
    alpha = (1 - level) / 2
    for n in {n_queries, 1, 77}:
        relative, absolute = by_coefficient(plan, n).values()
        assert (relative.value, absolute.value) == pytest.approx(
            naive.reliability(rows, n), rel=1e-10
        )
        feldt = naive.relative_limits(rows, n, stats.f.cdf, alpha)
        assert tuple(relative.interval) == pytest.approx(feldt, rel=1e-7)
        arteaga = naive.absolute_limits(rows, n, stats.f.ppf, alpha)
        assert tuple(absolute.interval) == pytest.approx(arteaga, rel=1e-6)
    for target in (0.5, 0.9):
        counts = [row.value for row in plan.required if row.target == target]
        assert tuple(counts) == naive.queries_for_reliability(rows, target)


@QUIET
def test_limits_of_the_number_of_queries_are_those_of_the_coefficient():
    plan = plan_of(random_table(8, 20), n_queries=range(1, 200), reliability=0.9)
    for required in plan.required:
        ends = {
            row.n: row.interval
            for row in plan.coefficients
            if row.coefficient == required.coefficient
        }
        low, high = required.interval
        assert ends[low].high >= 0.9 > ends[low - 1].high
        assert ends[high].low >= 0.9 > ends[high - 1].low
        assert low <= required.value <= high


def test_erho2_is_cronbachs_alpha():
    # alpha of persons and items is Erho2 with the queries there are
    values = random_table(9, 40)
    n = values.shape[1]
    alpha = n / (n - 1) * (1 - values.var(axis=0, ddof=1).sum() / values.sum(axis=1).var(ddof=1))
    assert by_coefficient(plan_of(values), n)["Erho2"].value == pytest.approx(alpha, rel=1e-12)


def test_erho2_and_phi_are_intraclass_correlations():
    # McGraw and Wong (1996): ICC(C,k) and ICC(A,k) from the mean squares of pandas
    frame = pd.DataFrame(random_table(9, 40))
    n, m = frame.shape[1], frame.shape[0]
    grand = frame.stack().mean()
    rows = n * ((frame.mean(axis=1) - grand) ** 2).sum() / (m - 1)
    columns = m * ((frame.mean(axis=0) - grand) ** 2).sum() / (n - 1)
    total = ((frame - grand) ** 2).stack().sum()
    error = (total - rows * (m - 1) - columns * (n - 1)) / ((m - 1) * (n - 1))
    found = by_coefficient(plan_of(frame.to_numpy()), n)
    assert found["Erho2"].value == pytest.approx((rows - error) / rows, rel=1e-10)
    expected = (rows - error) / (rows + (columns - error) / m)
    assert found["Phi"].value == pytest.approx(expected, rel=1e-10)


def test_negative_variances_are_zero_with_a_warning():
    # system means are equal: the scores of a query are only exchanged among systems
    values = [[0.1, 0.5, 0.9, 0.3], [0.5, 0.1, 0.3, 0.9], [0.3, 0.3, 0.3, 0.3]]
    with pytest.warns(irbounds.errors.DegenerateSampleWarning) as caught:
        plan = plan_of(values)
    texts = [str(warning.message) for warning in caught]
    assert "AP: the estimated variance of systems is negative and set to 0" in texts[0]
    assert plan.variances[0].variance == 0
    assert plan.variances[0].mean_square < plan.variances[2].mean_square
    relative, absolute = by_coefficient(plan, 4).values()
    assert relative.value == absolute.value == relative.interval.low == absolute.interval.low == 0
    assert relative.interval.high > 0
    required = plan.required[0]
    assert required.value == required.interval.high == math.inf
    assert 4 < required.interval.low < math.inf
    frame = plan.to_polars()  # integers and infinity in one column
    assert math.inf in frame["queries"].to_list()
    # query means are equal, and those of systems are not
    swapped = np.array([[0.1, 0.5, 0.9, 0.3], [0.5, 0.1, 0.3, 0.9]]) - [[2], [0]]
    swapped[1] = 0.6 - swapped[0] - 2
    with pytest.warns(irbounds.errors.DegenerateSampleWarning, match="variance of queries is neg"):
        plan = plan_of(swapped)
    relative, absolute = by_coefficient(plan, 4).values()
    assert plan.variances[1].variance == 0
    assert relative.value == absolute.value


def test_additive_table_has_reliability_1():
    values = np.add.outer([0.1, 0.2, 0.4], [0.05, 0.3, 0.11, 0.02, 0.41, 0.33])
    plan = plan_of(values, reliability=0.9)
    assert plan.variances[2].variance == 0
    relative, absolute = by_coefficient(plan, 6).values()
    assert (relative.value, *relative.interval) == (1, 1, 1)
    assert 0 < absolute.interval.low < absolute.value < absolute.interval.high < 1
    first = plan.required[0]
    assert (first.value, *first.interval) == (1, 1, 1)


def test_equal_systems_are_left_out_with_a_warning():
    column = random_table(1, 8)[0]
    with (
        pytest.warns(irbounds.errors.DegenerateSampleWarning, match="AP: all systems have the sam"),
        pytest.raises(irbounds.errors.DataError, match="no plan is possible: no system differs"),
    ):
        plan_of([column, column, column])
    with (
        pytest.warns(irbounds.errors.DegenerateSampleWarning, match="all systems have the same"),
        pytest.raises(irbounds.errors.DataError, match="no plan is possible"),
    ):
        plan_of(np.full((3, 4), 0.1))
    values = np.stack([np.tile(column, (3, 1)), random_table(3, 8)])
    table = irbounds.ScoreTable(("AP", "RR"), ("a", "b", "c"), tuple("12345678"), values)
    with pytest.warns(irbounds.errors.DegenerateSampleWarning, match="AP: all systems have"):
        plans = plan_reliability(table)
    assert {row.measure for row in plans} == {"RR"}


def test_too_few_systems_or_queries_are_rejected():
    with pytest.raises(irbounds.errors.DataError, match="at least two systems; got 1"):
        plan_of([[0.1, 0.2, 0.3]])
    with pytest.raises(irbounds.errors.DataError, match="at least two queries; got 1"):
        plan_of([[0.1], [0.2]])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_queries": 0}, "n_queries must be an integer of at least 1; got 0"),
        ({"n_queries": [10, 2.5]}, "n_queries must be an integer of at least 1; got 2.5"),
        ({"reliability": 1}, "reliability must be a fraction between 0 and 1; got 1"),
        ({"reliability": 95}, "reliability must be .*; got 95, did you mean 0.95"),
        ({"reliability": [0.9, "x"]}, "reliability must be a fraction; got 'x'"),
        ({"confidence_level": 95}, "confidence_level must be a fraction .*, did you mean 0.95"),
    ],
)
def test_invalid_options_are_rejected(options, message):
    with pytest.raises(irbounds.errors.ParameterError, match=message):
        plan_of(random_table(3, 8), **options)


def test_missing_score_is_rejected():
    scores = {"a": {"q1": 0.1, "q2": 0.2, "q3": 0.5}, "b": {"q1": 0.3, "q2": 0.1}}
    with pytest.raises(irbounds.errors.InputError, match="q3"):
        plan_reliability(scores)


def test_far_systems_are_a_warning():
    values = random_table(12, 60)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        before = plan_of(values)
    values[3] -= 3
    with pytest.warns(irbounds.errors.DegenerateSampleWarning, match="AP: 1 system far below"):
        after = plan_of(values)
    assert after.coefficients[0].value > before.coefficients[0].value


@pytest.mark.parametrize(("n_systems", "is_warned"), [(12, False), (13, True)])
def test_fewer_than_two_queries_per_system_are_a_warning(n_systems, is_warned):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        plan_of(random_table(n_systems, 25))
    texts = [str(warning.message) for warning in caught]
    assert any("fewer than two queries per system" in text for text in texts) == is_warned


def test_rounding_adds_no_query():
    assert 0.9 / (1 - 0.9) > 9  # by rounding
    assert count_queries(1.0, 0.9) == 9
    assert count_queries(1.0, 0.5) == 1
    assert count_queries(1e6, 0.5) == 1
    assert count_queries(0.0, 0.5) == math.inf
    assert count_queries(5e-324, 0.9) == math.inf
    for reliability in (0.05, 0.3, 0.7, 0.95, 0.999):
        for ratio in (1e-3, 0.01, 0.37, 2.0):
            n = count_queries(ratio, reliability)
            assert compute_coefficient(ratio, n) >= reliability * (1 - 1e-12)
            assert n == 1 or compute_coefficient(ratio, n - 1) < reliability
    assert compute_coefficient(math.inf, 3) == 1


def test_curve_has_the_present_and_the_requested_numbers():
    plan = plan_of(random_table(5, 30), n_queries=500)
    for coefficient in ("Erho2", "Phi"):
        first = next(row for row in plan.coefficients if row.coefficient == coefficient)
        curve = first.curve
        assert {row.coefficient for row in curve} == {coefficient}
        sizes = [row.n for row in curve]
        assert sizes == sorted(set(sizes))
        assert (sizes[0], sizes[-1]) == (1, 500)
        assert 30 in sizes
        values = [row.value for row in curve]
        assert values == sorted(values)


@QUIET
@pytest.mark.parametrize("scale", [2.0**-1000, 2.0**-500, 2.0**400])
def test_reliability_does_not_depend_on_the_unit(scale):
    values = random_table(4, 12)
    plain, scaled = plan_of(values), plan_of(values * scale)
    assert [row.value for row in plain.coefficients] == [row.value for row in scaled.coefficients]
    assert [tuple(row.interval) for row in plain.coefficients] == [
        tuple(row.interval) for row in scaled.coefficients
    ]


@QUIET
@pytest.mark.parametrize("case", EXTREMES)
def test_extreme_scores_give_finite_numbers_or_one_line(case):
    for n in (2, 12):
        scores = np.array([EXTREMES[case][:n], np.zeros(n), EXTREMES[case][::-1][:n]])
        try:
            plan = plan_reliability(table_of(scores, "m"), reliability=1 - 1e-9)
        except irbounds.IrboundsError as error:
            assert "\n" not in str(error)  # noqa: PT017
        else:
            for row in plan.coefficients:
                assert 0 <= row.interval.low <= row.value <= row.interval.high <= 1
            assert np.isfinite([row.variance for row in plan.variances]).all()


@QUIET
def test_value_is_within_its_interval_on_random_tables():
    rng = np.random.default_rng(11)
    for _ in range(300):
        shape = rng.integers(2, 12, 2)
        values = rng.normal(0, rng.random(), (shape[0], 1)) + rng.normal(0, rng.random(), shape[1])
        plan = plan_of(values + rng.normal(size=shape), confidence_level=rng.uniform(0.5, 0.999))
        for row in plan.coefficients:
            assert 0 <= row.interval.low <= row.interval.high <= 1
            if row.coefficient == "Erho2":
                assert row.interval.low <= row.value <= row.interval.high


def test_mean_squares_ignore_rounding_only():
    values = np.add.outer([0.1, 0.2], [0.3, 0.7, 0.11])
    assert compute_mean_squares(values).residual == 0
    values[0, 0] += 1e-9
    assert compute_mean_squares(values).residual == pytest.approx(1e-18 / 6, rel=1e-4)
    assert compute_mean_squares(np.full((3, 4), 0.1)).systems == 0


@pytest.mark.slow
def test_a_trec_table_takes_milliseconds():
    table = table_of(random_table(129, 50))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plan_reliability(table)
        start = time.process_time()
        plan_reliability(table)
    assert time.process_time() - start < 0.1
