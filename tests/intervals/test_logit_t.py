"""The logit-t interval, against a naive version and its bootstrap counterpart."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import naive
from irbounds import mean_interval
from irbounds.errors import DegenerateSampleWarning, ParameterError
from irbounds.intervals.methods import METHODS
from irbounds.intervals.sample import Sample

SCORES = np.random.default_rng(5).beta(0.6, 1.8, size=40)


@pytest.mark.parametrize("bounds", [(0.0, 1.0), (-1.0, 3.0)])
@pytest.mark.parametrize("probability", [0.001, 0.025, 0.5, 0.9])
def test_logit_t_matches_naive_steps(bounds, probability):
    low, high = bounds
    scores = low + (high - low) * SCORES[:9]
    limits = METHODS["logit-t"].fit(Sample(scores, bounds=bounds))
    t = stats.t.ppf(probability, 8)
    expected = naive.logit_t(scores.tolist(), t, low, high)
    assert float(limits.limit(probability)) == pytest.approx(expected, rel=1e-12)


def test_logit_t_is_close_to_the_studentised_logit_bootstrap():
    """With many queries both are the same interval, except for the noise of 9,999 resamples."""
    scores = np.random.default_rng(8).beta(0.6, 1.8, size=2000)
    closed, drawn = mean_interval(scores, method=["logit-t", "studentised-logit"], bounds=(0, 1))
    width = closed.interval.high - closed.interval.low
    assert closed.interval.low == pytest.approx(drawn.interval.low, abs=0.03 * width)
    assert closed.interval.high == pytest.approx(drawn.interval.high, abs=0.03 * width)


def test_logit_t_draws_nothing():
    (estimate,) = mean_interval(SCORES, method="logit-t", bounds=(0, 1))
    assert (estimate.seed, estimate.n_resamples, estimate.n_dropped) == (None, None, 0)


@pytest.mark.parametrize("scores", [[0.4], [0.4] * 5, [0.0] * 5])
def test_logit_t_has_no_interval_without_spread(scores):
    with pytest.warns(DegenerateSampleWarning, match="no interval"):
        (estimate,) = mean_interval(scores, method="logit-t", bounds=(0, 1))
    assert math.isnan(estimate.interval.low)


def test_logit_t_needs_bounds():
    with pytest.raises(ParameterError, match="method 'logit-t' needs bounds"):
        mean_interval(SCORES, method="logit-t")


def test_logit_t_has_no_interval_where_the_mean_is_rounded_to_a_bound():
    scores = [1.0] * 19 + [1 - 1.2e-16]
    with pytest.warns(DegenerateSampleWarning, match="no interval, the mean is at a bound"):
        (estimate,) = mean_interval(scores, method="logit-t", bounds=(0, 1))
    assert math.isnan(estimate.interval.low)
    assert math.isnan(estimate.interval.high)
