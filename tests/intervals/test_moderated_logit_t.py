"""The moderated logit-t interval, against a naive version and the logit-t interval."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import naive
from irbounds import mean_interval
from irbounds.errors import DegenerateSampleWarning
from irbounds.intervals.methods import METHODS
from irbounds.intervals.sample import Sample
from irbounds.intervals.variance_prior import VariancePrior

SCORES = np.random.default_rng(5).beta(0.6, 1.8, size=40)


@pytest.mark.parametrize("bounds", [(0.0, 1.0), (-1.0, 3.0)])
@pytest.mark.parametrize("n", [2, 7])
def test_moderated_logit_t_matches_naive_steps(bounds, n):
    low, high = bounds
    scores = low + (high - low) * SCORES[:n]
    sample = Sample(scores, bounds=bounds, prior=VariancePrior(0.3, 2))
    _, mean, own = naive.scaled_moments(scores.tolist(), low, high)
    variance = (2 * 0.3 * mean * (1 - mean) + (n - 1) * own) / (2 + n - 1)
    for probability in (0.025, 0.9):
        t = stats.t.ppf(probability, n - 1 + 2)
        expected = naive.logit_t(scores.tolist(), t, low, high, variance)
        limit = METHODS["moderated-logit-t"].fit(sample).limit(probability)
        assert float(limit) == pytest.approx(expected, rel=1e-12)


def test_without_degrees_of_freedom_the_prior_has_no_effect():
    sample = Sample(SCORES, bounds=(0.0, 1.0), prior=VariancePrior(0.9, 0.0))
    moderated = METHODS["moderated-logit-t"].fit(sample).limit(0.9)
    assert float(moderated) == pytest.approx(float(METHODS["logit-t"].fit(sample).limit(0.9)))


def test_equal_scores_have_an_interval_unless_they_are_at_a_bound():
    options = {"method": "moderated-logit-t", "bounds": (0, 1)}
    with pytest.warns(DegenerateSampleWarning, match="comes from the prior variance"):
        (estimate,) = mean_interval([0.4] * 5, **options)
    assert 0 < estimate.interval.low < 0.4 < estimate.interval.high < 1
    with pytest.warns(DegenerateSampleWarning, match="no interval, all 5 scores are 1"):
        (estimate,) = mean_interval([1.0] * 5, **options)
    assert math.isnan(estimate.interval.low)
