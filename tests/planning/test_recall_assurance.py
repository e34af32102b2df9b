"""Assurance, against enumeration of samples and simulation."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import irbounds
import naive
from irbounds.planning import recall_assurance
from irbounds.planning.recall_assurance import compute_assurance
from irbounds.planning.recall_widths import interval_ends
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


@pytest.mark.parametrize(
    ("size", "of", "sampled", "recall", "interpolated"),
    [
        ((1187, 2382), (35, 2), (367, 2252), 0.9, 0.5855),
        ((135, 1425), (40, 1), (93, 1208), 0.95, 0.2491),
        ((291, 791), (50, 1), (131, 243), 0.9, 0.4311),
    ],
)
def test_assurance_matches_intervals_of_all_samples(size, of, sampled, recall, interpolated):
    """Sum over all pairs of counts, each with the interval that ``recall`` gives it.

    Formerly the largest r0 that shows the recall was computed at 24 values of r1 and
    interpolated between them, in logarithms of r0 + 1. Next to an r1 that no r0 is small enough
    for, where this logarithm is -6.9, the largest r0 of the r1 in between was taken to be below 0,
    although r0 = 0 shows the recall. The probability of such an r1 was missing from the sum, up to
    0.13 (``interpolated`` is what that gave). Where several r1 have their limit at the
    target, one count of r0 is worth as much.
    """
    prediction = make_prediction(sum(size), size[0], sum(of), of[0] / sum(of))
    expected = sum(
        chance
        for relevant, chance in naive.recall_samples(size, of, sampled)
        if chance > 1e-6
        and irbounds.recall_interval(
            retrieved=(size[0], sampled[0], relevant[0]),
            unretrieved=(size[1], sampled[1], relevant[1]),
            alternative="greater",
        ).interval.low
        >= recall
    )
    computed = compute_assurance(FROM_BELOW, prediction, sampled, recall)
    assert computed == pytest.approx(expected, abs=2e-4)
    assert abs(computed - interpolated) > 0.07


def test_assurance_counts_limits_that_equal_the_target():
    """Half of the rest is drawn, and all 9 retrieved documents are relevant: 9 / (9 + 3) = 0.75."""
    size, sampled = (9, 12), (9, 11)
    prediction = make_prediction(21, 9, 12, 0.75)
    low = naive.recall_ends(size, sampled, (9, 2), 0.05)[0]
    assert low == 0.75
    computed = compute_assurance(FROM_BELOW, prediction, sampled, 0.75)
    assert computed == pytest.approx(naive.recall_assurance(size, (9, 3), sampled, 0.05, 0.75))
    above = compute_assurance(FROM_BELOW, prediction, sampled, 0.75 + 1e-9)
    assert above < computed - 0.1


@pytest.mark.parametrize("method", ["normal", "laplace", "agresti-coull"])
def test_assurance_of_closed_forms_is_the_sum_over_all_samples(method):
    size, of, sampled, recall = (200, 900), (120, 20), (60, 300), 0.75
    analysis = replace(FROM_BELOW, method=method)
    prediction = make_prediction(sum(size), size[0], sum(of), of[0] / sum(of))
    pairs, chances = zip(*naive.recall_samples(size, of, sampled), strict=True)
    low, _ = interval_ends(analysis, size, sampled, np.array(pairs, dtype=float))
    computed = compute_assurance(analysis, prediction, sampled, recall)
    assert computed == pytest.approx(np.array(chances) @ (low >= recall), abs=1e-9)
    assert 0.05 < computed < 0.95


def test_assurance_with_thinned_rows_is_close(monkeypatch):
    """Large samples have more likely r1 than are tried; 400 of some 1,700 are enough."""
    prediction = make_prediction(500_000, 150_000, 34_000, 0.955)
    sampled = (23_000, 20_000)
    thinned = compute_assurance(FROM_BELOW, prediction, sampled, 0.95)
    monkeypatch.setattr(recall_assurance, "MAX_ROWS", 10_000)
    monkeypatch.setattr(recall_assurance, "CELLS", 4_096)
    full = compute_assurance(FROM_BELOW, prediction, sampled, 0.95)
    assert 0.1 < full < 0.9
    assert thinned == pytest.approx(full, abs=0.001)
