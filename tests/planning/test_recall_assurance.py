"""Assurance and the best split of a budget."""

from __future__ import annotations

import math

import numpy as np
import pytest

import naive
from irbounds.planning.recall_assurance import compute_assurance
from planned_samples import CORPUS, FROM_BELOW, draw_samples, make_prediction, simulate_ends


@pytest.mark.parametrize(
    ("size", "of", "sampled", "recall"),
    [((12, 30), (9, 3), (6, 14), 0.6), ((14, 24), (12, 2), (8, 16), 0.7)],
)
def test_assurance_matches_enumeration_of_samples(size, of, sampled, recall):
    prediction = make_prediction(sum(size), size[0], sum(of), of[0] / sum(of))
    found = compute_assurance(FROM_BELOW, prediction, sampled, recall)
    expected = naive.recall_assurance(size, of, sampled, 0.05, recall)
    assert 0.02 < expected < 0.98
    assert found == pytest.approx(expected, abs=1e-9)


def test_assurance_of_large_samples_matches_simulation():
    """False-alarm rate 1e-5 for each of two, by the binomial's standard deviation."""
    rng = np.random.default_rng(20_132)
    prediction = make_prediction(CORPUS, 100_000, 50_000, 0.85)
    for sampled in ((488, 7915), (245, 3565)):
        low, _ = simulate_ends(
            FROM_BELOW, prediction, sampled, draw_samples(rng, prediction, sampled, 20_000)
        )
        seen, planned = (
            np.mean(low >= 0.75),
            compute_assurance(FROM_BELOW, prediction, sampled, 0.75),
        )
        assert abs(seen - planned) < 4.42 * math.sqrt(planned * (1 - planned) / 20_000)
