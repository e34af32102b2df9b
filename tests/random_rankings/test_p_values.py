"""The validity of p-values: under the null hypothesis p <= alpha has probability alpha.

Rankings are shuffled by numpy and scored by the naive twin, so that both sides are independent.
Every test has a negative control: a plausible but wrong p-value, which fails.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import bdtr, bdtrc, ndtr

from irbounds.measurement.parser import parse_measure
from irbounds.measurement.populations import make_population
from irbounds.random_rankings import null_distribution
from irbounds.random_rankings.monte_carlo import MonteCarlo, simulate

#: the chance that one test of a sound p-value raises a false alarm
ALARM = 1e-5
AP = parse_measure("AP")
LEVELS = [0.01, 0.05, 0.25]


def random_scores(n_documents, n_relevant, n, generator):
    """AP of shuffled labels, written out."""
    labels = np.tile(np.arange(n_documents) < n_relevant, (n, 1))
    labels = generator.permuted(labels, axis=1)
    precisions = np.cumsum(labels, axis=1) / np.arange(1, n_documents + 1)
    return (labels * precisions).sum(axis=1) / n_relevant


def is_level(p_values, level, nominal=None):
    """Return whether the rate of p <= level is the nominal one, by two binomial tests."""
    p_values = np.asarray(p_values)
    hits, n = np.count_nonzero(p_values <= level * (1 + 1e-12)), len(p_values)
    nominal = level if nominal is None else nominal
    low, high = bdtr(hits, n, nominal), bdtrc(hits - 1, n, nominal) if hits else 1.0
    return min(low, high) > ALARM / 2


@pytest.mark.parametrize("alternative", ["greater", "less"])
@pytest.mark.parametrize("sizes", [(20, 7), (30, 14), (60, 4)])
def test_exact_p_values_have_their_level(sizes, alternative):
    chance = null_distribution(*sizes)
    scores = random_scores(*sizes, 1500, np.random.default_rng(11))
    p_values = [chance.p_value(score, alternative) for score in scores.tolist()]
    for level in LEVELS:
        # there are so many rankings that some score's p-value is just below any level
        assert is_level(p_values, level, nominal=level * (1 - 1e-3))


def test_level_is_attained_at_every_score():
    """P(p <= p of a score) is that p, without any error: all rankings counted."""
    chance = null_distribution(11, 4)
    p_values = np.array([chance.p_value(score) for score in chance.atoms.scores.tolist()])
    shares = chance.atoms.weights / chance.atoms.total
    for level in p_values.tolist():
        assert shares[p_values <= level].sum() == pytest.approx(level, rel=1e-12)


def test_normal_approximation_around_the_prevalence_is_detected():
    scores = random_scores(60, 4, 1500, np.random.default_rng(11))
    deviation = null_distribution(60, 4).standard_deviation
    p_values = ndtr(-(scores - 4 / 60) / deviation)
    assert not any(is_level(p_values, level) for level in LEVELS)


def drawn_p_values(queries, n, n_draws, seed):
    """p of the mean over queries of shuffled labels, each time with new draws; and hits."""
    population = make_population([n for n, _ in queries], [r for _, r in queries])
    generator = np.random.default_rng(seed)
    scores = [random_scores(*sizes, n, generator) for sizes in queries]
    p_values, hits = [], []
    for number, score in enumerate(np.mean(scores, axis=0).tolist()):
        (drawn,) = simulate([AP], population, n_draws, 1000 * seed + number)
        p_values.append(MonteCarlo(0.0, 0.0, drawn).p_value(score))
        hits.append(np.count_nonzero(drawn.means >= score * (1 - 1e-12)))
    return np.array(p_values), np.array(hits)


@pytest.mark.parametrize(
    "queries", [[(60, 12)], [(50, 5), (200, 3), (30, 20), (1000, 1)]], ids=["one", "mean"]
)
def test_monte_carlo_p_values_have_their_level(queries):
    p_values, _ = drawn_p_values(queries, 800, 99, seed=12)
    assert all(is_level(p_values, level) for level in LEVELS)


def test_hits_without_the_observed_ranking_are_detected():
    p_values, hits = drawn_p_values([(60, 12)], 1200, 20, seed=13)
    for level in LEVELS:
        assert is_level(p_values, level, nominal=math.floor(21 * level) / 21)
    assert not any(is_level(hits / 20, level) for level in LEVELS[:2])


def test_exact_p_values_of_means_have_their_level():
    queries = [(12, 4), (9, 3), (7, 2)]
    chance = null_distribution([n for n, _ in queries], [r for _, r in queries])
    assert chance.method == "exact"
    generator = np.random.default_rng(14)
    scores = np.mean([random_scores(*sizes, 1500, generator) for sizes in queries], axis=0)
    p_values = [chance.p_value(score) for score in scores.tolist()]
    assert all(is_level(p_values, level, nominal=level * (1 - 1e-3)) for level in LEVELS)
    wrong = null_distribution([12] * 3, [4] * 3)  # as if all queries were the first
    p_values = [wrong.p_value(score) for score in scores.tolist()]
    assert not any(is_level(p_values, level) for level in LEVELS)
