"""Meet-in-the-middle: the exact distribution of AP against the full list."""

from __future__ import annotations

import math

import numpy as np
import pytest

from irbounds.measurement.parser import parse_measure
from irbounds.measurement.populations import make_population
from irbounds.random_rankings import exact, null_distribution
from irbounds.random_rankings.exact import Enumerated
from irbounds.random_rankings.meet_in_the_middle import (
    MeetInTheMiddle,
    count_choices,
    precision_sums,
    rank_weights,
)

AP = parse_measure("AP")


def both_ways(measure, population):
    """Return the distribution as a list and by meet-in-the-middle, both without moments."""
    (case,) = exact._cases(measure, population)
    return Enumerated(0.0, 0.0, exact._list_scores(case)), exact._meet_in_the_middle(case, 0.0, 0.0)


@pytest.mark.parametrize("sizes", [(20, 7), (18, 17), (24, 3), (60, 3), (100, 2), (200, 199)])
def test_meet_in_the_middle_matches_the_list(sizes):
    listed, halved = both_ways(AP, make_population(*sizes))
    places = np.unique(np.linspace(0, len(listed.atoms) - 1, 60).astype(int))
    for score in listed.atoms.scores[places].tolist():
        assert halved.cdf(score) == pytest.approx(listed.cdf(score), rel=1e-12)
        assert halved.p_value(score) == pytest.approx(listed.p_value(score), rel=1e-12)
    for probability in (0.0, 1e-6, 0.05, 0.5, 0.95, 0.999, 1.0):
        expected = listed.quantile(probability)
        assert halved.quantile(probability) == pytest.approx(expected, rel=1e-12)


def test_quantiles_by_bisection_only(monkeypatch):
    monkeypatch.setattr("irbounds.random_rankings.meet_in_the_middle.MAX_LISTED", 3)
    listed, halved = both_ways(AP, make_population(16, 6))
    for probability in np.linspace(0, 1, 41).tolist():
        expected = listed.quantile(probability)
        assert halved.quantile(probability) == pytest.approx(expected, rel=1e-13)


PROBABILITIES = [0, 1e-300, 1e-9, 1e-6, 0.01, 0.025, 0.3, 0.5, 0.9, 0.975, 0.999999, 1 - 1e-9, 1]


@pytest.mark.parametrize(
    ("name", "sizes"),
    [("AP", (22, 10)), ("AP", (250, 3)), ("AP@18", (1000, 300)), ("AP@16", (10**9, 10**8))],
)
def test_quantiles_by_interpolation(name, sizes, monkeypatch):
    """Quantiles match the list, also at and close to the probabilities of its scores."""
    monkeypatch.setattr("irbounds.random_rankings.meet_in_the_middle.MAX_LISTED", 50)
    listed, halved = both_ways(parse_measure(name), make_population(*sizes))
    reached = listed._tails[0][1:][:: len(listed.atoms) // 12].tolist()
    beside = [p * (1 + sign * 1e-9) for p in reached for sign in (-1, 1)]
    for probability in [*PROBABILITIES, *reached, *beside]:
        expected = listed.quantile(min(probability, 1.0))
        result = halved.quantile(min(probability, 1.0))
        assert result == pytest.approx(expected, rel=1e-12), probability


@pytest.mark.parametrize("sizes", [(32, 16), (44, 9), (100, 5), (5000, 2)])
def test_quantiles_take_few_counts_and_are_cached(sizes, monkeypatch):
    chance = null_distribution(*sizes)
    assert isinstance(chance, MeetInTheMiddle)
    calls = []
    count = MeetInTheMiddle._count
    monkeypatch.setattr(
        MeetInTheMiddle, "_count", lambda *arguments: calls.append(1) or count(*arguments)
    )
    result = [chance.quantile(probability) for probability in PROBABILITIES]
    assert len(calls) <= 7 * len(PROBABILITIES)
    assert result == sorted(result)
    calls.clear()
    assert [chance.quantile(probability) for probability in PROBABILITIES] == result
    assert not calls
    for probability, score in zip(PROBABILITIES[2:], result[2:], strict=True):
        assert chance.cdf(score) >= probability * (1 - 1e-12)
        assert chance.cdf(score * (1 - 1e-11)) < probability


def test_extreme_quantiles_are_worst_and_best_score():
    chance = null_distribution(40, 20)
    worst = sum(i / (20 + i) for i in range(1, 21)) / 20
    assert chance.quantile(0.0) == pytest.approx(worst, rel=1e-14)
    assert chance.quantile(1.0) == 1.0


def test_cdf_outside_the_range_of_scores():
    chance = null_distribution(40, 20)
    assert chance.cdf(-1e308) == chance.cdf(-50) == 0.0
    assert chance.cdf(1e308) == chance.cdf(50) == 1.0


def test_large_cutoffs_of_large_collections():
    listed, halved = both_ways(parse_measure("AP@16"), make_population(10**9, 10**8))
    for score in (0.0, 1e-9, 2e-8, 1.6e-7):
        assert halved.cdf(score) == pytest.approx(listed.cdf(score), rel=1e-12)
        assert halved.p_value(score) == pytest.approx(listed.p_value(score), rel=1e-12)
    nothing_found = 0.9**16  # to one part in 10^8
    assert listed.cdf(0.0) == pytest.approx(nothing_found, rel=1e-6)


def test_distribution_of_42_documents():
    chance = null_distribution(42, 21)
    assert isinstance(chance, MeetInTheMiddle)
    rankings = math.comb(42, 21)
    assert sum(len(half) for half in chance.halves) == rankings
    assert chance.p_value(1.0) == 1 / rankings
    worst = sum(i / (21 + i) for i in range(1, 22)) / 21
    assert chance.cdf(worst) == 1 / rankings
    assert chance.p_value(worst) == 1.0
    assert chance.cdf(1.0) == 1.0
    median = chance.quantile(0.5)
    assert chance.cdf(median) >= 0.5 > chance.cdf(median * (1 - 1e-9))
    # a simple fraction is the score of many rankings, any other number of none
    assert chance.cdf(0.6) + chance.p_value(0.6) > 1 + 1e-11
    assert chance.cdf(0.6 + 1e-7) + chance.p_value(0.6 + 1e-7) == pytest.approx(1.0, abs=1e-11)
    # the mean from the distribution: the integral of the upper tail
    scores = np.linspace(worst, 1.0, 16)
    tail = np.array([chance.p_value(score) for score in scores.tolist()])
    area = worst + (tail[1:] + tail[:-1]).sum() / 2 * (scores[1] - scores[0])
    assert area == pytest.approx(chance.mean, abs=5e-4)


def test_sums_fit_64_bit_integers():
    weights, unit = rank_weights(42, 42)
    assert 42 * unit < 2**63
    assert all(unit % rank == 0 for rank in range(1, 43))
    assert int(precision_sums(weights, 42)[0]) == 42 * unit
    weights, unit = rank_weights(5000, 4999)
    assert sum(i * int(w) for i, w in enumerate(weights, start=1)) < 2**63
    assert np.abs(weights / unit * np.arange(1, 5001) - 1).max() < 1e-11


def test_count_choices_matches_binomial_coefficients():
    for n in range(12):
        for r in range(n + 2):
            assert count_choices(n, r, 10**9) == math.comb(n, r)
    assert count_choices(10**15, 5 * 10**14, 1000) > 1000
