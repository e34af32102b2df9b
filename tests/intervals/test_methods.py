"""Interval methods, against scipy, R and naive code; samples without an interval."""

from __future__ import annotations

import math
import pickle
import warnings
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

import irbounds
import naive
from extreme_scores import EXTREMES, LARGEST
from irbounds import mean_interval
from irbounds.errors import DegenerateSampleWarning, ParameterError
from irbounds.intervals.methods import METHODS
from irbounds.intervals.sample import Sample, quantile_of_sorted
from irbounds.resampling.query_bootstrap import bootstrap_queries
from irbounds.results.interval import compute_interval

SKEWED = np.array([10, 12, 12.5, 12.5, 13.9, 15, 21, 22, 23, 34, 50, 81, 89, 121, 134, 213.0])
SCORES = np.random.default_rng(5).beta(0.6, 1.8, size=40)
BOOTSTRAP = ["percentile", "bca", "studentised-logit"]


def ends(limits, level=0.95, alternative="two-sided"):
    interval = compute_interval(limits, level, alternative)
    return interval.low, interval.high


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("level", [0.6, 0.95, 0.999])
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_bootstrap_intervals_match_scipy_on_the_same_resamples(method, level, alternative):
    for seed, scores in enumerate([SCORES, SKEWED, np.repeat([0.0, 1.0], [9, 3])]):
        (means,) = bootstrap_queries(scores[None], 1501, seed)
        theirs = stats.bootstrap(
            (scores,),
            np.mean,
            n_resamples=0,
            bootstrap_result=SimpleNamespace(bootstrap_distribution=means),
            confidence_level=level,
            alternative=alternative,
            method=method,
        )
        estimates = ends(METHODS[method].fit(Sample(scores, means)), level, alternative)
        scale = 1e-12 * scores.max()
        assert estimates == pytest.approx(tuple(theirs.confidence_interval), rel=0, abs=scale)


# R 4.2.2, package boot 1.3-28.1, 999,999 resamples:
#   x <- c(10,12,12.5,12.5,13.9,15,21,22,23,34,50,81,89,121,134,213)
#   f <- function(d, i) { y <- d[i]; c(mean(y), var(y) / length(y)) }
#   set.seed(1); b <- boot(x, f, R = 999999)
#   boot.ci(b, type = c("perc", "bca"), conf = c(0.8, 0.95))
FROM_R = {
    "percentile": {0.8: (36.25, 72.84), 0.95: (28.86, 84.21)},
    "bca": {0.8: (38.77, 76.92), 0.95: (32.24, 91.28)},
}


#: standard deviations of the ends of twelve runs of 400,000 resamples, in the same order
NOISE = {
    "percentile": {0.8: (0.036, 0.030), 0.95: (0.053, 0.069)},
    "bca": {0.8: (0.047, 0.084), 0.95: (0.032, 0.169)},
}


def test_bootstrap_intervals_match_r_boot():
    sample = Sample(SKEWED, bootstrap_queries(SKEWED[None], 400_000, 2)[0])
    for method, by_level in FROM_R.items():
        limits = METHODS[method].fit(sample)
        for level, expected in by_level.items():
            ours = np.array(ends(limits, level))
            # R's million is noisy too: sqrt(1 + 0.4); four of these for each of eight ends
            noise = 4 * math.sqrt(1.4) * np.array(NOISE[method][level])
            assert (np.abs(ours - expected) < noise).all(), (method, level)


@pytest.mark.parametrize("probability", [0.0, 0.1, 0.5, 0.731, 1.0])
def test_quantile_of_sorted_matches_numpy(probability):
    values = np.sort(np.random.default_rng(1).normal(size=(4, 53)), axis=-1)
    estimates = quantile_of_sorted(values, probability)
    assert estimates == pytest.approx(np.quantile(values, probability, axis=-1), rel=1e-14)
    assert estimates[2] == pytest.approx(naive.linear_quantile(values[2].tolist(), probability))


def test_quantile_of_sorted_with_infinite_values_and_nan():
    values = np.array([-np.inf, -np.inf, 1.0, 2.0, np.inf])
    assert quantile_of_sorted(values, 0.1) == -np.inf
    assert quantile_of_sorted(values, 0.5) == 1.0
    assert quantile_of_sorted(values, 0.9) == np.inf
    assert np.isnan(quantile_of_sorted(values, np.nan))


@pytest.mark.parametrize("bounds", [(0.0, 1.0), (-1.0, 3.0)])
def test_studentised_logit_by_hand(bounds):
    low, high = bounds
    means = low + (high - low) * np.random.default_rng(3).beta(2, 5, size=200)
    means[:3] = low, high, low  # dropped and counted
    sample = Sample(np.linspace(low, high, 9), means, bounds=bounds)
    limits = METHODS["studentised-logit"].fit(sample)
    assert limits.n_dropped == 3
    for probability in (0.025, 0.5, 0.9):
        t = stats.t.ppf(probability, 8)
        expected = naive.studentised_logit(means.tolist(), 9, probability, t, low, high)
        assert float(limits.limit(probability)) == pytest.approx(expected, rel=1e-12)


def test_studentised_logit_stays_within_bounds_and_counts_dropped_means():
    scores = np.array([0.0] * 12 + [1.0, 0.4])
    with pytest.warns(DegenerateSampleWarning, match="are at a bound and left out"):
        (estimate,) = mean_interval(scores, method="studentised-logit", bounds=(0, 1), rng=1)
    assert estimate.n_dropped == np.count_nonzero(estimate.distribution == 0) > 0
    assert 0 < estimate.interval.low < estimate.value < estimate.interval.high < 1


def test_normal_interval_by_hand():
    with pytest.raises(ParameterError, match="'normal' needs sigma, the known standard deviation"):
        mean_interval(SCORES, method="normal")
    (estimate,) = mean_interval(SCORES, method="normal", sigma=0.3, confidence_level=0.9)
    half = 1.6448536269514722 * 0.3 / math.sqrt(40)
    assert (estimate.interval.low, estimate.interval.high) == pytest.approx(
        (SCORES.mean() - half, SCORES.mean() + half), rel=1e-12
    )
    (row,) = mean_interval([0.5], method="normal", sigma={"system": 0.3})
    assert row.interval.half_width == pytest.approx(1.959963984540054 * 0.3)
    with pytest.raises(ParameterError, match="sigma has no value for system 'system'"):
        mean_interval(SCORES, method="normal", sigma={"other": 1.0})
    with pytest.raises(ParameterError, match="sigma is for method 'normal' only"):
        mean_interval(SCORES, sigma=0.3)
    with pytest.raises(ParameterError, match="sigma must be a number greater than 0; got -1"):
        mean_interval(SCORES, method="normal", sigma=-1)


@pytest.mark.parametrize("method", ["student-t", *BOOTSTRAP])
@pytest.mark.parametrize(
    ("scores", "reason"),
    [([0.5], "a single query has no spread"), ([0.0] * 9, "all 9 scores are 0")],
)
def test_scores_without_spread_have_no_interval_and_a_warning(method, scores, reason):
    with pytest.warns(DegenerateSampleWarning, match=f"system, score: no interval, {reason}"):
        (estimate,) = mean_interval(scores, method=method, bounds=(0, 1), n_resamples=50, rng=1)
    assert math.isnan(estimate.interval.low)
    assert math.isnan(estimate.interval.high)
    assert estimate.value == scores[0]


@pytest.mark.parametrize(
    ("method", "scores", "n_resamples"),
    [
        ("studentised-logit", [0.0, 1.0], 999),  # what is not at a bound is all 0.5
        *((method, [0.1, 0.4, 0.7], 1) for method in BOOTSTRAP),
    ],
)
def test_intervals_are_never_single_points(method, scores, n_resamples):
    options = {"method": method, "bounds": (0, 1), "n_resamples": n_resamples, "rng": 1}
    with pytest.warns(DegenerateSampleWarning, match="no interval, the bootstrap means are all"):
        (estimate,) = mean_interval(scores, **options)
    assert math.isnan(estimate.interval.low)
    assert math.isnan(estimate.at(0.5).interval.low)


def test_warning_of_many_bootstrap_means_at_a_bound():
    scores = [0.0] * 49 + [1.0]
    message = r"[34],\d{3} of 9,999 bootstrap means are at a bound and left out"
    with pytest.warns(DegenerateSampleWarning, match=message):
        mean_interval(scores, method="studentised-logit", bounds=(0, 1), rng=1)


@pytest.mark.parametrize("method", [name for name in METHODS if METHODS[name].needs_bounds])
def test_rounding_beyond_a_bound_is_allowed(method):
    scores = [*SCORES, 1.0000000000000002]
    (estimate,) = mean_interval(scores, method=method, bounds=(0, 1), rng=1, n_resamples=99)
    assert 0 < estimate.interval.low < estimate.interval.high < 1


@pytest.mark.parametrize("scale", [1e-200, 1e200])
@pytest.mark.parametrize("method", ["student-t", "percentile", "bca"])
def test_intervals_scale_with_the_scores(method, scale):
    options = {"method": method, "n_resamples": 500, "rng": 1}
    (plain,) = mean_interval(SCORES, **options)
    (scaled,) = mean_interval(SCORES * scale, **options)
    for end in ("low", "high"):
        expected = getattr(plain.interval, end) * scale
        assert getattr(scaled.interval, end) == pytest.approx(expected, rel=1e-9)
    assert scaled.standard_error == pytest.approx(plain.standard_error * scale, rel=1e-9)


def test_arrays_of_estimates_are_read_only():
    (estimate,) = mean_interval(SCORES, method="percentile", n_resamples=99, rng=1)
    for array in (estimate.distribution, estimate.limits.means):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 3


def test_rounding_does_not_give_equal_scores_a_spread():
    scores = [0.1] * 10  # whose mean is 0.09999999999999999
    with pytest.warns(DegenerateSampleWarning, match=r"all 10 scores are 0\.1"):
        (estimate,) = mean_interval(scores, method="bca", rng=1)
    assert math.isnan(estimate.standard_error)


def test_bca_has_no_interval_with_all_means_on_one_side():
    limits = METHODS["bca"].fit(Sample(SCORES, np.full(30, 0.9)))
    assert np.isnan(limits.limit(0.025))


@pytest.mark.parametrize("method", list(METHODS))
def test_another_level_or_side_needs_no_new_draws(method):
    options = {"method": method, "bounds": (0, 1), "n_resamples": 999, "rng": 4}
    if method == "normal":
        options["sigma"] = 0.2
    scores = np.rint(SCORES) if METHODS[method].needs_binary else SCORES
    (estimate,) = mean_interval(scores, **options)
    (other,) = mean_interval(scores, confidence_level=0.8, alternative="less", **options)
    assert estimate.at(0.8, "less").interval == other.interval
    assert estimate.at(0.8).interval.alternative == "two-sided"
    assert estimate.at(0.95).interval == estimate.interval
    assert other.interval.low == -math.inf
    assert mean_interval(scores, alternative="greater", **options)[0].interval.high == math.inf
    stored = pickle.loads(pickle.dumps(estimate))  # as to another process
    assert stored.at(0.5).interval == estimate.at(0.5).interval
    with pytest.raises(ParameterError, match=r"did you mean 0\.95"):
        estimate.at(95)


def test_estimate_stores_method_seed_and_inputs():
    table = irbounds.score(
        {"q": {"a": 1}, "r": {"a": 1}, "s": {"b": 1}},
        {"x": {"q": {"a": 1.0}, "r": {"b": 1.0}, "s": {"b": 1.0}}},
        ["AP", "P@1"],
    )
    first, second = mean_interval(table, method="percentile", n_resamples=99, rng=7)
    assert (first.seed, len(first.distribution), first.n) == (7, 99, 3)
    assert first.interval.method == "percentile"
    assert [estimate.name for estimate in first.inputs] == ["qrels", "x"]
    assert all(estimate.fingerprint.startswith("sha256:") for estimate in first.inputs)
    # all measures and systems see the same resamples
    assert np.array_equal(first.distribution, second.distribution)
    again = mean_interval(table, method="percentile", n_resamples=99, rng=first.seed)
    assert again[0].interval == first.interval


def test_the_default_is_moderated_wilson_where_bounds_are_known():
    frames = {"AP": pd.DataFrame({"a": SCORES}), "gain": pd.DataFrame({"a": SCORES * 7})}
    estimates = mean_interval(irbounds.read_scores(frames), n_resamples=99, rng=1)
    assert [estimate.interval.method for estimate in estimates] == ["moderated-wilson", "student-t"]
    assert {(estimate.n_resamples, estimate.seed) for estimate in estimates} == {(None, None)}
    (given,) = mean_interval(SCORES, bounds=(0, 1))
    assert given.interval.method == "moderated-wilson"


def test_the_default_is_clopper_pearson_for_measures_of_0_and_1():
    binary = np.rint(SCORES)
    frames = {
        "AP": pd.DataFrame({"a": binary, "b": SCORES}),  # not binary for all systems
        "P@1": pd.DataFrame({"a": binary, "b": np.zeros(40)}),
        "gain": pd.DataFrame({"a": binary, "b": 1 - binary}),
    }
    estimates = mean_interval(irbounds.read_scores(frames))
    methods = [(estimate.measure, estimate.interval.method) for estimate in estimates]
    assert methods == [
        *[("AP", "moderated-wilson")] * 2,
        *[("P@1", "clopper-pearson")] * 2,
        *[("gain", "student-t")] * 2,
    ]
    expected = stats.binomtest(int(binary.sum()), 40).proportion_ci(0.95, "exact")
    interval = estimates[2].interval
    assert (interval.low, interval.high) == pytest.approx(tuple(expected), rel=1e-12)


def test_the_default_of_equal_scores_has_an_interval_and_a_warning():
    at_bound = "all 9 scores are 0: the limit holds for scores of any distribution"
    with pytest.warns(DegenerateSampleWarning, match=at_bound):
        (estimate,) = mean_interval([0.0] * 9, bounds=(0, 1))
    assert estimate.interval.low == 0
    assert estimate.interval.high == pytest.approx(1 - 0.025 ** (1 / 9), rel=1e-12)
    inside = r"all 9 scores are 0\.5: the interval comes from the prior variance of the measure"
    with pytest.warns(DegenerateSampleWarning, match=inside):
        (estimate,) = mean_interval([0.5] * 9, bounds=(0, 1))
    assert 0 < estimate.interval.low < 0.5 < estimate.interval.high < 1
    # equal scores of a measure without known bounds need not be a proportion
    with pytest.warns(DegenerateSampleWarning, match="no interval, all 9 scores are 1"):
        mean_interval([1.0] * 9)
    with pytest.warns(DegenerateSampleWarning, match="no interval, a single query has no spread"):
        mean_interval([0.5], bounds=(0, 1))


def test_bounds_are_required_and_checked():
    with pytest.raises(ParameterError, match=r"needs bounds.*they are not known for 'score'"):
        mean_interval(SCORES, method="studentised-logit")
    with pytest.raises(ParameterError, match=r"bounds 0 to 0\.5 must include every score"):
        mean_interval(SCORES, method="studentised-logit", bounds=(0, 0.5))
    for wrong in [(1, 0), (0,), "01", (0, math.inf)]:
        with pytest.raises(ParameterError, match="bounds must be two numbers"):
            mean_interval(SCORES, bounds=wrong)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"confidence_level": 95}, "confidence_level must be .* got 95, did you mean 0.95"),
        ({"confidence_level": 0}, "confidence_level must be .* between 0 and 1; got 0"),
        ({"confidence_level": 1.0}, "confidence_level must be .* between 0 and 1; got 1"),
        ({"alternative": "both"}, "alternative must be one of 'two-sided'.* got 'both'"),
        ({"n_resamples": 0}, "n_resamples must be an integer of at least 1; got 0"),
        ({"n_resamples": 9.5}, "n_resamples must be an integer of at least 1; got 9.5"),
        ({"method": "t"}, "method must be one of 'normal', 'student-t'.* got 't'"),
        ({"method": 5}, "method must be the name of a method; got 5"),
        ({"rng": -1}, "rng must be an integer of at least 0"),
    ],
)
def test_mean_interval_parameter_errors(options, text):
    with pytest.raises(ParameterError, match=text):
        mean_interval(SCORES, **options)


def test_several_methods_use_the_same_resamples():
    several = mean_interval(SCORES, method=["bca", "student-t"], n_resamples=99, rng=3)
    alone = [
        mean_interval(SCORES, method=method, n_resamples=99, rng=3)[0]
        for method in ("bca", "student-t")
    ]
    assert [estimates.interval for estimates in several] == [
        estimates.interval for estimates in alone
    ]
    assert several[1].distribution is None
    with pytest.raises(ParameterError, match="method 'bca' is given twice"):
        mean_interval(SCORES, method=["bca", "bca"])


@pytest.mark.parametrize(
    "scores",
    [pd.Series([0.1, 0.5, 0.3]), pl.Series([0.1, 0.5, 0.3]), (np.float32(0.1), 0.5, 0.3)],
)
def test_mean_interval_takes_plain_sequences(scores):
    assert mean_interval(scores)[0].value == pytest.approx(0.3)
    assert mean_interval(range(3))[0].value == 1
    assert mean_interval(SCORES, confidence_level=np.float32(0.5))[0].n == 40


@pytest.mark.parametrize(
    ("scores", "text"),
    [
        (np.ma.array([0.1, 99.0], mask=[0, 1]), "numbers without gaps; got float64 values"),
        (np.array(["2020-01-01"], "M8[D]"), "got datetime64"),
        (np.array(["0.1"]), "numbers without gaps; got <U3 values"),
        ([0.1, "0.2"], "scores must be numbers; got '0.2'"),
        ([0.1, math.nan], "scores must be finite numbers"),
    ],
)
def test_values_that_are_not_scores_are_errors(scores, text):
    with pytest.raises(ParameterError, match=text):
        mean_interval(scores)


def test_wrong_scores_are_errors():
    with pytest.raises(ParameterError, match=r"got an array of shape \(2, 3\)"):
        mean_interval(np.zeros((2, 3)))
    with pytest.raises(ParameterError, match=r"got an array of shape \(0,\)"):
        mean_interval(np.array([]))


@pytest.mark.parametrize("n_resamples", [1, 2, 3, 50])
@pytest.mark.parametrize("n", [1, 2, 12])
@pytest.mark.parametrize("case", EXTREMES)
def test_extreme_scores_have_an_ordered_interval_or_a_warning(case, n, n_resamples):
    scores = EXTREMES[case][:n]
    bounds = (-LARGEST, LARGEST)
    for method in (name for name in METHODS if not METHODS[name].needs_binary):
        sigma = {"sigma": 1e249} if method == "normal" else {}
        for level in (1e-9, 0.95, 1 - 1e-9):
            options = {"confidence_level": level, "n_resamples": n_resamples, "rng": 1}
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                (estimate,) = mean_interval(
                    scores, method=method, bounds=bounds, **options, **sigma
                )
            assert {warning.category for warning in caught} <= {DegenerateSampleWarning}
            assert abs(estimate.value) <= LARGEST
            low, high = estimate.interval.low, estimate.interval.high
            assert caught or low <= high
            assert np.isnan(low) == np.isnan(high)
            assert np.isnan(low) or low < np.inf > -high


@pytest.mark.parametrize("bounds", [(-LARGEST, LARGEST), (0.0, 1e-200), (0.0, 1.0)])
@pytest.mark.parametrize("n_high", [0, 1, 2, 11, 12])
def test_extreme_binary_scores_have_an_ordered_interval_within_the_bounds(n_high, bounds):
    scores = np.repeat(bounds, [12 - n_high, n_high])
    options = {"method": "clopper-pearson", "bounds": bounds}
    for level in (1e-9, 0.95, 1 - 1e-9):
        (estimate,) = mean_interval(scores, confidence_level=level, **options)
        low, high = estimate.interval.low, estimate.interval.high
        assert bounds[0] <= low <= high <= bounds[1]
        if level == 0.95:
            slack = 1e-15 * bounds[1]  # of a rounded mean
            assert low - slack <= estimate.value <= high + slack


@pytest.mark.parametrize("sign", [1, -1])
def test_bca_limits_rise_with_the_level(sign):
    """One score far from 400 others: from 1 / acceleration on the correction has a pole."""
    scores = sign * np.append(1.0, np.zeros(400))
    (estimate,) = mean_interval(scores, method="bca", n_resamples=999, rng=1)
    probabilities = [5e-10, 1e-6, *np.linspace(0.001, 0.999, 200), 1 - 1e-6, 1 - 5e-10]
    limits = [float(estimate.limits.limit(p)) for p in probabilities]
    assert limits == sorted(limits)
    end = estimate.distribution.max() if sign > 0 else estimate.distribution.min()
    assert limits[-1 if sign > 0 else 0] == end
    interval = estimate.at(1 - 1e-9).interval
    assert interval.low < estimate.value < interval.high


def test_warning_of_scores_whose_spread_underflows():
    with pytest.warns(DegenerateSampleWarning, match="differ by less than the resolution"):
        (estimate,) = mean_interval([0.0, 5e-324, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], method="student-t")
    assert np.isnan(estimate.interval.low)
