"""Every method against scipy, R and slow twins; what it says of samples that allow no interval."""

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
from irbounds.resampling.queries import bootstrap_queries
from irbounds.results.interval import compute_interval

SKEWED = np.array([10, 12, 12.5, 12.5, 13.9, 15, 21, 22, 23, 34, 50, 81, 89, 121, 134, 213.0])
SCORES = np.random.default_rng(5).beta(0.6, 1.8, size=40)
BOOTSTRAP = ["percentile", "basic", "bca", "studentised", "studentised-logit"]


def ends(limits, level=0.95, alternative="two-sided"):
    interval = compute_interval(limits, level, alternative)
    return interval.low, interval.high


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("level", [0.6, 0.95, 0.999])
@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_equal_to_scipy_on_the_same_resamples(method, level, alternative):
    for seed, scores in enumerate([SCORES, SKEWED, np.repeat([0.0, 1.0], [9, 3])]):
        (means,) = bootstrap_queries(scores[None], 1501, seed).means
        theirs = stats.bootstrap(
            (scores,),
            np.mean,
            n_resamples=0,
            bootstrap_result=SimpleNamespace(bootstrap_distribution=means),
            confidence_level=level,
            alternative=alternative,
            method=method,
        )
        found = ends(METHODS[method].fit(Sample(scores, means)), level, alternative)
        scale = 1e-12 * scores.max()
        assert found == pytest.approx(tuple(theirs.confidence_interval), rel=0, abs=scale)


# R 4.2.2, package boot 1.3-28.1, 999,999 resamples:
#   x <- c(10,12,12.5,12.5,13.9,15,21,22,23,34,50,81,89,121,134,213)
#   f <- function(d, i) { y <- d[i]; c(mean(y), var(y) / length(y)) }
#   set.seed(1); b <- boot(x, f, R = 999999)
#   boot.ci(b, type = c("stud", "basic", "perc", "bca"), conf = c(0.8, 0.95))
FROM_R = {
    "studentised": {0.8: (37.71, 81.06), 0.95: (29.30, 105.56)},
    "basic": {0.8: (35.14, 71.74), 0.95: (23.78, 79.13)},
    "percentile": {0.8: (36.25, 72.84), 0.95: (28.86, 84.21)},
    "bca": {0.8: (38.77, 76.92), 0.95: (32.24, 91.28)},
}


#: standard deviations of the ends of twelve runs of 400,000 resamples, in the same order
NOISE = {
    "studentised": {0.8: (0.025, 0.083), 0.95: (0.039, 0.189)},
    "basic": {0.8: (0.030, 0.036), 0.95: (0.069, 0.053)},
    "percentile": {0.8: (0.036, 0.030), 0.95: (0.053, 0.069)},
    "bca": {0.8: (0.047, 0.084), 0.95: (0.032, 0.169)},
}


def test_equal_to_r_boot_within_its_noise():
    found = bootstrap_queries(SKEWED[None], 400_000, 2, standard_errors=True)
    sample = Sample(SKEWED, found.means[0], found.standard_errors[0])
    for method, by_level in FROM_R.items():
        limits = METHODS[method].fit(sample)
        for level, expected in by_level.items():
            ours = np.array(ends(limits, level))
            # R's million is noisy too: sqrt(1 + 0.4); four of these for each of sixteen ends
            noise = 4 * math.sqrt(1.4) * np.array(NOISE[method][level])
            assert (np.abs(ours - expected) < noise).all(), (method, level)


@pytest.mark.parametrize("probability", [0.0, 0.1, 0.5, 0.731, 1.0])
def test_quantiles_are_numpys(probability):
    values = np.sort(np.random.default_rng(1).normal(size=(4, 53)), axis=-1)
    found = quantile_of_sorted(values, probability)
    assert found == pytest.approx(np.quantile(values, probability, axis=-1), rel=1e-14)
    assert found[2] == pytest.approx(naive.linear_quantile(values[2].tolist(), probability))


def test_quantiles_with_infinite_and_unknown_values():
    values = np.array([-np.inf, -np.inf, 1.0, 2.0, np.inf])
    assert quantile_of_sorted(values, 0.1) == -np.inf
    assert quantile_of_sorted(values, 0.5) == 1.0
    assert quantile_of_sorted(values, 0.9) == np.inf
    assert np.isnan(quantile_of_sorted(values, np.nan))


@pytest.mark.parametrize("bounds", [(0.0, 1.0), (-1.0, 3.0)])
def test_studentised_logit_step_by_step(bounds):
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


def test_studentised_logit_stays_within_bounds_and_counts_what_it_drops():
    scores = np.array([0.0] * 12 + [1.0, 0.4])
    with pytest.warns(DegenerateSampleWarning, match="are at a bound and left out"):
        (found,) = mean_interval(scores, method="studentised-logit", bounds=(0, 1), rng=1)
    assert found.n_dropped == np.count_nonzero(found.distribution == 0) > 0
    assert 0 < found.interval.low < found.value < found.interval.high < 1


def test_normal_needs_sigma_and_is_the_textbook_formula():
    with pytest.raises(ParameterError, match="'normal' needs sigma, the known standard deviation"):
        mean_interval(SCORES, method="normal")
    (found,) = mean_interval(SCORES, method="normal", sigma=0.3, confidence_level=0.9)
    half = 1.6448536269514722 * 0.3 / math.sqrt(40)
    assert (found.interval.low, found.interval.high) == pytest.approx(
        (SCORES.mean() - half, SCORES.mean() + half), rel=1e-12
    )
    (one,) = mean_interval([0.5], method="normal", sigma={"system": 0.3})
    assert one.interval.half_width == pytest.approx(1.959963984540054 * 0.3)
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
def test_no_spread_no_interval_and_a_word(method, scores, reason):
    with pytest.warns(DegenerateSampleWarning, match=f"system, score: no interval, {reason}"):
        (found,) = mean_interval(scores, method=method, bounds=(0, 1), n_resamples=50, rng=1)
    assert math.isnan(found.interval.low)
    assert math.isnan(found.interval.high)
    assert found.value == scores[0]


@pytest.mark.parametrize(
    ("method", "scores", "n_resamples"),
    [
        ("studentised-logit", [0.0, 1.0], 999),  # what is not at a bound is all 0.5
        *((method, [0.1, 0.4, 0.7], 1) for method in BOOTSTRAP),
    ],
)
def test_a_point_is_never_passed_off_as_an_interval(method, scores, n_resamples):
    options = {"method": method, "bounds": (0, 1), "n_resamples": n_resamples, "rng": 1}
    with pytest.warns(DegenerateSampleWarning, match="no interval, the bootstrap means are all"):
        (found,) = mean_interval(scores, **options)
    assert math.isnan(found.interval.low)
    assert math.isnan(found.at(0.5).interval.low)


def test_many_draws_at_a_bound_are_said():
    scores = [0.0] * 49 + [1.0]
    message = r"[34],\d{3} of 9,999 bootstrap means are at a bound and left out"
    with pytest.warns(DegenerateSampleWarning, match=message):
        mean_interval(scores, bounds=(0, 1), rng=1)


def test_a_score_beyond_its_bound_by_rounding_is_no_error():
    scores = [*SCORES, 1.0000000000000002]
    (found,) = mean_interval(scores, bounds=(0, 1), rng=1, n_resamples=99)
    assert 0 < found.interval.low < found.interval.high < 1


@pytest.mark.parametrize("scale", [1e-200, 1e200])
@pytest.mark.parametrize("method", ["student-t", "percentile", "basic", "bca", "studentised"])
def test_tiny_and_huge_scores_scale(method, scale):
    options = {"method": method, "n_resamples": 500, "rng": 1}
    (plain,) = mean_interval(SCORES, **options)
    (scaled,) = mean_interval(SCORES * scale, **options)
    for end in ("low", "high"):
        expected = getattr(plain.interval, end) * scale
        assert getattr(scaled.interval, end) == pytest.approx(expected, rel=1e-9)
    assert scaled.standard_error == pytest.approx(plain.standard_error * scale, rel=1e-9)


def test_what_an_estimate_keeps_cannot_be_changed():
    (found,) = mean_interval(SCORES, method="percentile", n_resamples=99, rng=1)
    for array in (found.distribution, found.limits.means):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 3


def test_equal_scores_that_rounding_sets_apart_are_still_equal():
    scores = [0.1] * 10  # whose mean is 0.09999999999999999
    with pytest.warns(DegenerateSampleWarning, match=r"all 10 scores are 0\.1"):
        (found,) = mean_interval(scores, method="studentised", rng=1)
    assert math.isnan(found.standard_error)


def test_bca_has_no_interval_where_all_means_lie_on_one_side():
    limits = METHODS["bca"].fit(Sample(SCORES, np.full(30, 0.9)))
    assert np.isnan(limits.limit(0.025))


def test_studentised_says_so_where_an_end_is_infinite():
    with pytest.warns(DegenerateSampleWarning, match="an infinite end: 3 queries are too few"):
        (found,) = mean_interval([0.1, 0.5, 0.2], method="studentised", rng=1)
    assert not math.isfinite(found.interval.half_width)
    with pytest.warns(DegenerateSampleWarning, match="an infinite end"):
        mean_interval([0.0, 0.0, 1.0], method="studentised", alternative="less", rng=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert math.isfinite(mean_interval(SCORES, method="studentised", rng=1)[0].interval.high)


@pytest.mark.parametrize("method", list(METHODS))
def test_another_level_or_side_draws_nothing_again(method):
    options = {"method": method, "bounds": (0, 1), "n_resamples": 999, "rng": 4}
    if method == "normal":
        options["sigma"] = 0.2
    (found,) = mean_interval(SCORES, **options)
    (other,) = mean_interval(SCORES, confidence_level=0.8, alternative="less", **options)
    assert found.at(0.8, "less").interval == other.interval
    assert found.at(0.8).interval.alternative == "two-sided"
    assert found.at(0.95).interval == found.interval
    assert other.interval.low == -math.inf
    assert mean_interval(SCORES, alternative="greater", **options)[0].interval.high == math.inf
    kept = pickle.loads(pickle.dumps(found))  # as to another process
    assert kept.at(0.5).interval == found.at(0.5).interval
    with pytest.raises(ParameterError, match=r"did you mean 0\.95"):
        found.at(95)


def test_an_estimate_remembers_how_it_was_made():
    table = irbounds.score(
        {"q": {"a": 1}, "r": {"a": 1}, "s": {"b": 1}},
        {"x": {"q": {"a": 1.0}, "r": {"b": 1.0}, "s": {"b": 1.0}}},
        ["AP", "P@1"],
    )
    first, second = mean_interval(table, method="percentile", n_resamples=99, rng=7)
    assert (first.seed, len(first.distribution), first.n) == (7, 99, 3)
    assert first.interval.method == "percentile"
    assert [one.name for one in first.inputs] == ["qrels", "x"]
    assert all(one.fingerprint.startswith("sha256:") for one in first.inputs)
    # all measures and systems see the same resamples
    assert np.array_equal(first.distribution, second.distribution)
    again = mean_interval(table, method="percentile", n_resamples=99, rng=first.seed)
    assert again[0].interval == first.interval


def test_the_default_is_studentised_logit_where_bounds_are_known():
    frames = {"AP": pd.DataFrame({"a": SCORES}), "gain": pd.DataFrame({"a": SCORES * 7})}
    table = irbounds.read_scores(frames)
    methods = [found.interval.method for found in mean_interval(table, n_resamples=99, rng=1)]
    assert methods == ["studentised-logit", "student-t"]
    (given,) = mean_interval(SCORES, bounds=(0, 1), n_resamples=99, rng=1)
    assert given.interval.method == "studentised-logit"


def test_bounds_are_needed_checked_and_kept():
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
def test_wrong_options(options, text):
    with pytest.raises(ParameterError, match=text):
        mean_interval(SCORES, **options)


def test_several_methods_share_their_resamples():
    several = mean_interval(SCORES, method=["bca", "student-t"], n_resamples=99, rng=3)
    alone = [
        mean_interval(SCORES, method=method, n_resamples=99, rng=3)[0]
        for method in ("bca", "student-t")
    ]
    assert [found.interval for found in several] == [found.interval for found in alone]
    assert several[1].distribution is None
    with pytest.raises(ParameterError, match="method 'bca' is given twice"):
        mean_interval(SCORES, method=["bca", "bca"])


@pytest.mark.parametrize(
    "scores",
    [pd.Series([0.1, 0.5, 0.3]), pl.Series([0.1, 0.5, 0.3]), (np.float32(0.1), 0.5, 0.3)],
)
def test_plain_sequences_of_any_kind(scores):
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
def test_what_is_no_score(scores, text):
    with pytest.raises(ParameterError, match=text):
        mean_interval(scores)


def test_wrong_scores():
    with pytest.raises(ParameterError, match=r"got an array of shape \(2, 3\)"):
        mean_interval(np.zeros((2, 3)))
    with pytest.raises(ParameterError, match=r"got an array of shape \(0,\)"):
        mean_interval(np.array([]))


@pytest.mark.parametrize("n_resamples", [1, 2, 3, 50])
@pytest.mark.parametrize("n", [1, 2, 12])
@pytest.mark.parametrize("case", EXTREMES)
def test_extreme_scores_have_an_interval_in_order_or_a_reason(case, n, n_resamples):
    scores = EXTREMES[case][:n]
    bounds = (-LARGEST, LARGEST)
    for method in METHODS:
        sigma = {"sigma": 1e249} if method == "normal" else {}
        for level in (1e-9, 0.95, 1 - 1e-9):
            options = {"confidence_level": level, "n_resamples": n_resamples, "rng": 1}
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                (found,) = mean_interval(scores, method=method, bounds=bounds, **options, **sigma)
            assert {one.category for one in said} <= {DegenerateSampleWarning}
            assert abs(found.value) <= LARGEST
            low, high = found.interval.low, found.interval.high
            assert said or low <= high
            assert np.isnan(low) == np.isnan(high)
            assert np.isnan(low) or low < np.inf > -high


@pytest.mark.parametrize("sign", [1, -1])
def test_bca_limits_rise_with_the_level(sign):
    """One score far from 400 others: from 1 / acceleration on the correction has a pole."""
    scores = sign * np.append(1.0, np.zeros(400))
    (found,) = mean_interval(scores, method="bca", n_resamples=999, rng=1)
    probabilities = [5e-10, 1e-6, *np.linspace(0.001, 0.999, 200), 1 - 1e-6, 1 - 5e-10]
    limits = [float(found.limits.limit(p)) for p in probabilities]
    assert limits == sorted(limits)
    end = found.distribution.max() if sign > 0 else found.distribution.min()
    assert limits[-1 if sign > 0 else 0] == end
    interval = found.at(1 - 1e-9).interval
    assert interval.low < found.value < interval.high


def test_scores_that_rounding_leaves_no_spread_are_said():
    with pytest.warns(DegenerateSampleWarning, match="differ by less than the resolution"):
        (found,) = mean_interval([0.0, 5e-324, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], method="student-t")
    assert np.isnan(found.interval.low)
