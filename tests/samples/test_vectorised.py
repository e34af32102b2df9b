"""Vectorised posterior limits against single posteriors."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from irbounds.samples import vectorised as many
from irbounds.samples.counts import Counts
from irbounds.samples.posterior import beta_binomial_posterior, beta_jeffreys_posterior
from irbounds.samples.priors import parse_prior
from irbounds.samples.vectorised import posterior_limits

PROBABILITIES = (0.025, 0.5, 0.975)
DESIGNS = {
    "all counts apart": ((120, 20), (300, 60)),
    "one segment coarse": ((300, 60), (100_000, 700)),
    "both coarse": ((20_000, 400), (300_000, 2_000)),
    "tiny samples of much": ((60_000, 10), (200_000, 10)),
    "nearly all sampled": ((900, 899), (5_000, 4_000)),
    "narrow against wide": ((20_000, 3_000), (200_000, 60)),
}


def make_counts(sizes, relevant):
    population, sampled = (np.array(one, dtype=float) for one in zip(*sizes, strict=True))
    relevant = np.asarray(relevant, dtype=float)
    assessable = np.broadcast_to(sampled, relevant.shape)
    return Counts(np.array([True, False]), population, sampled, relevant, assessable)


def samples_of(sizes, n=4):
    rng = np.random.default_rng(5)
    drawn = [rng.integers(0, sampled + 1, size=n) for _, sampled in sizes]
    drawn[0][0] = drawn[1][0] = 0
    drawn[1][1] = 0
    drawn[0][2] = sizes[0][1]
    return np.stack(drawn, axis=-1)


@pytest.mark.parametrize("sizes", DESIGNS.values(), ids=DESIGNS)
@pytest.mark.parametrize("prior", [None, 0.5, "uniform", "0.3,0.8"])
def test_vectorised_limits_match_single_posteriors(sizes, prior):
    """Prior None stands for the beta posterior, which has no choice of one."""
    samples = samples_of(sizes)
    truth = 0.3
    pair = None if prior is None else (parse_prior(prior).of(1, 1),) * 2
    found = posterior_limits(
        make_counts(sizes, samples), pair, PROBABILITIES, truth, tolerance=1e-8
    )
    for k, sample in enumerate(samples):
        one = make_counts(sizes, sample)
        joint = (
            beta_jeffreys_posterior(one)
            if prior is None
            else beta_binomial_posterior(one, parse_prior(prior))
        )
        exact = joint.recall()
        # 256 cells: some 0.00001, but up to 0.0005 where there is nothing relevant in either sample
        # and the posterior stretches from 0 to 1
        wide = not sample.any()
        expected = [exact.quantile(p) for p in PROBABILITIES]
        assert found.limits[k] == pytest.approx(expected, abs=5e-4 if wide else 1e-4)
        assert found.at_most[k] == pytest.approx(exact.cdf(truth), abs=5e-4 if wide else 1e-4)
        assert found.below[k] <= found.at_most[k] + 1e-12


def test_vectorised_limits_keep_axes_across_blocks(monkeypatch):
    sizes = DESIGNS["one segment coarse"]
    samples = samples_of(sizes, 12)
    flat = posterior_limits(make_counts(sizes, samples), None, PROBABILITIES, 0.2)
    monkeypatch.setattr(many, "BLOCK", 5)
    cut = posterior_limits(make_counts(sizes, samples.reshape(3, 4, 2)), None, PROBABILITIES, 0.2)
    assert cut.limits.shape == (3, 4, 3)
    assert np.array_equal(cut.limits.reshape(12, 3), flat.limits)
    assert np.array_equal(cut.at_most.ravel(), flat.at_most)


def test_segments_in_either_order():
    sizes, samples = DESIGNS["all counts apart"], samples_of(DESIGNS["all counts apart"])
    counts = make_counts(sizes, samples)
    turned = Counts(
        counts.retrieved[::-1],
        counts.population[::-1],
        counts.sampled[::-1],
        counts.relevant[:, ::-1],
        counts.assessable[:, ::-1],
    )
    priors = ((0.5, 0.5), (1.0, 1.0))
    one, other = (posterior_limits(c, priors, PROBABILITIES, 0.4) for c in (counts, turned))
    assert np.array_equal(one.limits, other.limits)


def test_non_integer_counts():
    """Limits move smoothly between those of whole counts."""
    sizes = DESIGNS["both coarse"]
    samples = [(200, r0) for r0 in (20, 20.25, 20.5, 20.75, 21)]
    low = posterior_limits(make_counts(sizes, samples), ((0.5, 0.5),) * 2, [0.025]).limits[:, 0]
    steps = np.diff(low)
    assert (steps < 0).all()
    assert steps == pytest.approx(steps.mean(), rel=0.05)


def test_probabilities_without_a_truth_are_nan():
    sizes = DESIGNS["all counts apart"]
    found = posterior_limits(make_counts(sizes, samples_of(sizes)), None, [0.5])
    assert np.isnan(found.at_most).all()
    assert np.isnan(found.below).all()
    assert np.isfinite(found.limits).all()


def test_numba_is_imported_only_to_compute_limits():
    code = "import sys, irbounds.samples.vectorised; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
