"""Predicted counts and expected widths against enumeration and simulation."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import irbounds
import naive
from irbounds.planning.recall_widths import (
    PilotPrediction,
    beta_binomial_counts,
    gauss_points,
    hypergeometric_counts,
    interval_ends,
    plan_sample,
)
from planned_samples import CORPUS, TWO_SIDED, draw_samples, make_prediction


@pytest.mark.parametrize(
    ("size", "relevant", "sampled"),
    [(100, 30, 20), (10, 10, 4), (10, 0, 4), (10, 3, 10), (12, 5, 9), (200_000, 150_000, 199_000)],
)
def test_hypergeometric_counts_match_scipy(size, relevant, sampled):
    counts, masses = hypergeometric_counts(size, relevant, sampled)
    np.testing.assert_allclose(
        masses, stats.hypergeom(size, relevant, sampled).pmf(counts), rtol=1e-7, atol=1e-12
    )
    assert masses.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(
    ("n", "alpha", "beta"),
    [(1000, 0.5, 20.5), (5, 2, 2), (0, 1, 1), (10_000, 0.5, 0.5), (9, 40, 1)],
)
def test_beta_binomial_counts_match_scipy(n, alpha, beta):
    counts, masses = beta_binomial_counts(n, alpha, beta)
    np.testing.assert_allclose(masses, stats.betabinom(n, alpha, beta).pmf(counts), atol=1e-9)


def test_pilot_prediction_matches_posterior_mixture_of_hypergeometric():
    prediction = PilotPrediction((12, 15), (4, 5), (3, 1), ((0.5, 0.5), (0.5, 0.5)))
    (counts,) = prediction.predict_counts((9, 11))
    for counted, pilot, more in (
        (counts.retrieved, (12, 4, 3), 5),
        (counts.unretrieved, (15, 5, 1), 6),
    ):
        np.testing.assert_allclose(counted[1], naive.counts_after_pilot(*pilot, more), atol=1e-12)
        assert counted[0].tolist() == [pilot[2] + k for k in range(more + 1)]


@pytest.mark.parametrize("n_points", [4, 9])
def test_gauss_rule_is_exact_for_polynomials_up_to_its_degree(n_points):
    counts = np.arange(1.0, 201.0)
    masses = counts / counts.sum()
    points, weights = gauss_points(counts, masses, n_points)
    assert len(points) == n_points
    x, z = counts / 100 - 1, points / 100 - 1
    for degree in range(2 * n_points):
        assert weights @ z**degree == pytest.approx(masses @ x**degree, abs=1e-12)
    beyond = 2 * n_points
    assert abs(weights @ z**beyond - masses @ x**beyond) > 1e-7


def test_gauss_points_keep_a_count_of_0():
    counts, masses = hypergeometric_counts(5_000_000, 25_000, 1000)
    points, weights = gauss_points(counts, masses, 4)
    assert (points[0], weights[0]) == (0, masses[0])
    assert points[1] >= 1
    assert weights @ points == pytest.approx(5, rel=1e-9)


@pytest.mark.parametrize("cap_at_one", [True, False])
@pytest.mark.parametrize(
    ("size", "of", "sampled"),
    [((12, 30), (5, 4), (6, 10)), ((8, 20), (8, 1), (3, 12)), ((10, 14), (1, 9), (10, 5))],
)
def test_expected_ends_match_enumeration_of_samples(size, of, sampled, cap_at_one):
    prediction = make_prediction(sum(size), size[0], sum(of), of[0] / sum(of))
    found = plan_sample(replace(TWO_SIDED, cap_at_one=cap_at_one), prediction, sampled)
    expected = naive.expected_recall_ends(size, of, sampled, 0.025, cap_at_one)
    assert (found.expected_width, found.expected_low, found.expected_high) == pytest.approx(
        expected, abs=3e-6
    )


@pytest.mark.parametrize(
    ("n_relevant", "recall", "sampled"),
    [(5_000, 0.5, (139, 4861)), (50_000, 0.5, (306, 4694)), (50_000, 0.85, (60, 940))],
)
def test_few_gauss_points_match_many(n_relevant, recall, sampled):
    """Against the sum over every count, tens of thousands of pairs."""
    prediction = make_prediction(CORPUS, 100_000, n_relevant, recall)
    (counts,) = prediction.predict_counts(sampled)
    kept = [(c[m > 1e-9], m[m > 1e-9]) for c, m in (counts.retrieved, counts.unretrieved)]
    pairs = np.stack(np.meshgrid(kept[0][0], kept[1][0], indexing="ij"), -1).reshape(-1, 2)
    weights = np.outer(kept[0][1], kept[1][1]).ravel()
    low, high = interval_ends(TWO_SIDED, prediction.segment_sizes, sampled, pairs)
    found = plan_sample(TWO_SIDED, prediction, sampled)
    assert found.expected_width == pytest.approx(weights @ (high - low), abs=2e-4)
    assert found.expected_low == pytest.approx(weights @ low, abs=2e-4)


def test_expected_width_matches_simulation():
    """Drawn samples, each with its exact interval. False-alarm rate 1e-5 (4.42 sigma)."""
    rng = np.random.default_rng(20_131)
    prediction, sampled = make_prediction(20_000, 1_000, 400, 0.6), (30, 170)
    counts, places = np.unique(
        draw_samples(rng, prediction, sampled, 3000), axis=0, return_inverse=True
    )
    widths = []
    for r1, r0 in counts.astype(int).tolist():
        found = irbounds.recall_interval(
            retrieved=(1_000, 30, r1), unretrieved=(19_000, 170, r0), cap_at_one=True
        )
        widths.append(found.interval.high - found.interval.low)
    seen = np.array(widths)[places.ravel()]
    error = seen.std(ddof=1) / math.sqrt(len(seen))
    planned = plan_sample(TWO_SIDED, prediction, sampled)
    assert abs(planned.expected_width - seen.mean()) < 4.42 * error
    # negative control: the width at the expected counts is no expectation, and it shows
    assert abs(planned.width_at_expected_counts - seen.mean()) > 4.42 * error
