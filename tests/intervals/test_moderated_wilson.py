"""The default interval: against naive bisection, scipy's Wilson, exact and beta functions."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import naive
from irbounds import mean_interval
from irbounds.errors import DegenerateSampleWarning, ParameterError
from irbounds.intervals.methods import METHODS
from irbounds.intervals.sample import Sample
from irbounds.intervals.variance_prior import VariancePrior, prior_of

SCORES = np.random.default_rng(5).beta(0.6, 1.8, size=40)
fit = METHODS["moderated-wilson"].fit


def limits_of(scores, prior=0.24, d0=4.0, bounds=(0.0, 1.0)):
    return fit(Sample(np.asarray(scores), bounds=bounds, prior=VariancePrior(prior, d0)))


@pytest.mark.parametrize("bounds", [(0.0, 1.0), (-1.0, 3.0)])
@pytest.mark.parametrize("n", [2, 5, 40])
@pytest.mark.parametrize("prior", [0.05, 0.24, 0.9])
def test_moderated_wilson_matches_naive_bisection(bounds, n, prior):
    low, high = bounds
    scores = (low + (high - low) * SCORES[:n]).tolist()
    limits = limits_of(scores, prior, 4, bounds)
    for probability in (0.001, 0.025, 0.3, 0.9, 0.999):
        expected = naive.moderated_wilson(
            scores,
            prior,
            4,
            lambda df, p=probability: stats.t.ppf(p, df),
            probability > 0.5,
            low,
            high,
        )
        assert float(limits.limit(probability)) == pytest.approx(expected, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize(("n", "n_ones"), [(20, 7), (50, 49), (200, 3)])
def test_binary_scores_without_a_prior_have_wilsons_interval(n, n_ones):
    """scipy's Wilson at the level whose z is t sqrt(n / (n - 1)): the variance divides by n - 1."""
    scores = np.repeat([1.0, 0.0], [n_ones, n - n_ones])
    limits = limits_of(scores, prior=1.0, d0=1e-12)
    mean = n_ones / n
    df = (n - 1) / (1 + max(naive.beta_kurtosis(mean, 1 - 1e-12), 0) / 2)
    z = stats.t.ppf(0.975, df) * math.sqrt(n / (n - 1))
    theirs = stats.binomtest(n_ones, n).proportion_ci(2 * stats.norm.cdf(z) - 1, method="wilson")
    assert float(limits.limit(0.025)) == pytest.approx(theirs.low, rel=1e-6)
    assert float(limits.limit(0.975)) == pytest.approx(theirs.high, rel=1e-6)


@pytest.mark.parametrize("score", [0.0, 1.0])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_scores_at_a_bound_have_the_exact_limit(score, level):
    for n in (2, 5, 30):
        theirs = stats.binomtest(int(n * score), n).proportion_ci(level, method="exact")
        limits = limits_of([score] * n)
        assert float(limits.limit((1 - level) / 2)) == pytest.approx(theirs.low, rel=1e-12)
        assert float(limits.limit((1 + level) / 2)) == pytest.approx(theirs.high, rel=1e-12)


def test_degrees_of_freedom_are_those_of_beta_scores():
    """Of beta scores, 2 / nu is close to the squared coefficient of variation of s^2."""
    c, mean, n = 0.24, 0.15, 30
    total = 1 / c - 1
    a, b = mean * total, (1 - mean) * total
    kurtosis = float(stats.beta.stats(a, b, moments="k"))
    assert naive.beta_kurtosis(mean, c) == pytest.approx(kurtosis, rel=1e-9)
    scores = np.random.default_rng(1).beta(a, b, size=(200_000, n))
    variances = scores.var(axis=1, ddof=1)
    relative = variances.var() / variances.mean() ** 2
    scores[0] += mean - scores[0].mean()  # the limits' degrees of freedom use the sample's mean
    nu = float(limits_of(scores[0], c, d0=0.0).degrees_of_freedom)
    # the exact value is 2 / (n - 1) + kurtosis / n; 200,000 samples: within 3 %
    assert 2 / nu == pytest.approx(relative, rel=0.06)


@given(
    st.lists(st.floats(0, 1), min_size=2, max_size=12),
    st.floats(0.01, 1),
    st.sampled_from([0.5, 0.8, 0.95, 0.999]),
)
def test_limits_are_ordered_within_bounds_and_around_the_mean(scores, prior, level):
    limits = limits_of(scores, prior)
    low, high = float(limits.limit((1 - level) / 2)), float(limits.limit((1 + level) / 2))
    mean = float(np.mean(scores))
    assert 0 <= low <= mean + 1e-12
    assert mean - 1e-12 <= high <= 1
    assert low < high


def test_the_prior_only_raises_the_variance():
    scattered = np.array([0.0, 1.0, 0.0, 1.0, 0.5])
    assert float(limits_of(scattered, 0.05).variance) == float(limits_of(scattered, 0.2).variance)
    alike = np.array([0.3, 0.31, 0.3, 0.29, 0.3])
    assert float(limits_of(alike, 0.05).variance) < float(limits_of(alike, 0.2).variance)


def test_prior_hardly_matters_with_many_queries():
    many = np.random.default_rng(2).beta(0.6, 1.8, size=2000)
    small, large = (limits_of(many, prior).limit(0.975) for prior in (0.05, 1.0))
    assert float(small) == pytest.approx(float(large), rel=0.003)


def test_equal_scores_have_an_interval_and_words():
    with pytest.warns(DegenerateSampleWarning, match="comes from the prior variance of the"):
        (estimate,) = mean_interval([0.5] * 5, bounds=(0, 1))
    assert estimate.interval.method == "moderated-wilson"
    assert estimate.interval.low == pytest.approx(1 - estimate.interval.high)
    message = "all 4 scores are 0: the limit holds for scores of any distribution"
    with pytest.warns(DegenerateSampleWarning, match=message):
        (estimate,) = mean_interval([0.0] * 4, bounds=(0, 1), method="moderated-wilson")
    assert (estimate.interval.low, estimate.interval.high) == (0, pytest.approx(1 - 0.025**0.25))
    with pytest.warns(DegenerateSampleWarning, match="no interval, a single query has no spread"):
        (estimate,) = mean_interval([0.5], bounds=(0, 1))
    assert math.isnan(estimate.interval.low)


def test_the_prior_is_that_of_the_measure_unless_given():
    import pandas as pd

    scores = [0.1, 0.2, 0.15, 0.1]
    frame = {"AP": pd.DataFrame({"a": scores})}
    (default,) = mean_interval(frame)
    (same,) = mean_interval(frame, prior_variance=prior_of("AP").variance)
    (other,) = mean_interval(frame, prior_variance=0.9)
    assert default.interval == same.interval
    assert other.interval.high > default.interval.high


def test_one_sided_limits_at_a_bound_stay_on_their_side():
    with pytest.warns(DegenerateSampleWarning):
        (zeros,) = mean_interval([0.0] * 4, bounds=(0, 1), method="moderated-wilson")
    assert zeros.at(0.3, "greater").interval.low == 0
    assert zeros.at(0.3, "less").interval.high == pytest.approx(1 - 0.7**0.25)
    with pytest.warns(DegenerateSampleWarning):
        (ones,) = mean_interval([1.0] * 4, bounds=(0, 1), method="moderated-wilson")
    assert ones.at(0.3, "less").interval.high == 1
    assert ones.at(0.3, "greater").interval.low == pytest.approx(0.7**0.25)


def test_limits_of_tiny_means_are_accurate():
    scores = [1e-8, 0.0, 0.0, 0.0, 0.0]
    limits = limits_of(scores)
    expected = naive.moderated_wilson(
        [Fraction(score) for score in scores], 0.24, 4, lambda df: stats.t.ppf(0.025, df), False
    )
    assert float(limits.limit(0.025)) == pytest.approx(float(expected), rel=1e-6)


@pytest.mark.parametrize("bounds", [(-1.0, 0.1), (0.1, 1.0)])
def test_limits_do_not_exceed_other_bounds_by_rounding(bounds):
    for score in bounds:
        with pytest.warns(DegenerateSampleWarning, match="holds for scores of any distribution"):
            (estimate,) = mean_interval([score] * 3, bounds=bounds, method="moderated-wilson")
        assert bounds[0] <= estimate.interval.low <= estimate.interval.high <= bounds[1]


def test_prior_variance_that_the_default_does_not_use_is_an_error():
    with pytest.raises(ParameterError, match="not for 'student-t'; the default is a moderated"):
        mean_interval([0.1, 0.4], prior_variance=0.3)
    with pytest.raises(ParameterError, match="moderated methods only, not for 'clopper-pearson'"):
        mean_interval({"P@1": pd.DataFrame({"a": [0.0, 1.0]})}, prior_variance=0.3)
