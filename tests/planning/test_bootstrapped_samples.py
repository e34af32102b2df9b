"""Statistics of many bootstraps, compared with those of all bootstrap means of one sample."""

from __future__ import annotations

import numpy as np
import pytest

from irbounds.intervals.methods import METHODS
from irbounds.intervals.sample import Sample
from irbounds.intervals.variance_prior import VariancePrior
from irbounds.planning import bootstrapped_samples
from irbounds.planning.bootstrapped_samples import Bootstrap, BootstrappedSamples
from irbounds.resampling.query_bootstrap import bootstrap_queries

N_RESAMPLES = 300
SEED = 5
PLACES = [(3, 0), (3, 1), (3, 2)]
PART = 20
BOUNDS = (0, 1)
PRIOR = VariancePrior(0.24, 4)
LEVELS = (0.025, 0.975, 0.2, 0.5)


def draw_samples(n):
    """Return skewed, tied and constant scores, 47 samples in parts of 20."""
    rng = np.random.default_rng(n)
    scores = rng.beta(0.4, 2, size=(47, n))
    scores[10:15] = rng.integers(0, 2, size=(5, n))
    scores[25] = 0.1
    scores[26] = 0
    scores[30, 1:] = 0
    return scores


def make_samples(scores, *, has_errors=True, has_logits=True, n_needed=9):
    bootstrap = Bootstrap(N_RESAMPLES, SEED, n_needed, has_errors, has_logits)
    sigma = np.full(len(scores), 0.3)
    return BootstrappedSamples(scores, bootstrap, PART, PLACES, sigma, BOUNDS, PRIOR)


def make_single(scores, row):
    """Return one sample with all of its bootstrap means."""
    place = PLACES[row // PART]
    bootstrap = bootstrap_queries(
        scores[row : row + 1], N_RESAMPLES, SEED, standard_errors=True, place=place
    )
    (means,), (errors,) = bootstrap.means, bootstrap.standard_errors
    return Sample(scores[row], means, errors, 0.3, BOUNDS, PRIOR)


@pytest.mark.parametrize("kept", [0, 1, 6])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n", [2, 5, 30])
def test_limits_of_all_methods_match_those_of_single_samples(method, n, kept, monkeypatch):
    """Also where few order statistics are kept, and samples are bootstrapped again."""
    monkeypatch.setattr(bootstrapped_samples, "KEPT", kept)
    scores = draw_samples(n)
    together = METHODS[method].fit(make_samples(scores, n_needed=max(9 * kept, 1)))
    singles = [METHODS[method].fit(make_single(scores, row)) for row in range(len(scores))]
    for level in LEVELS:
        limits = np.array([float(single.limit(level)) for single in singles])
        if method in ("percentile", "basic"):  # order statistics, so the same bits
            assert np.array_equal(together.limit(level), limits, equal_nan=True)
        else:
            assert together.limit(level) == pytest.approx(limits, rel=1e-10, nan_ok=True)


def test_statistics_that_no_method_needs_are_not_computed():
    scores = draw_samples(8)
    plain = make_samples(scores, has_errors=False, has_logits=False)
    full = make_samples(scores)
    assert np.array_equal(
        plain.ordered_means.quantile(0.1), full.ordered_means.quantile(0.1), equal_nan=True
    )
    assert np.array_equal(plain.fraction_below, full.fraction_below)
    assert plain.bootstrap_errors is None
    assert plain.ordered_ratios.ends.keys.size == 0


def test_all_bootstrap_means_are_available_to_a_method_that_needs_them():
    scores = draw_samples(8)
    samples = make_samples(scores)
    for row in (0, 19, 20, 46):
        single = make_single(scores, row)
        assert np.array_equal(samples.bootstrap_means[row], single.bootstrap_means)
        assert np.array_equal(samples.bootstrap_errors[row], single.bootstrap_errors)
