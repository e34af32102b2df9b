"""Matched moments: moments, extreme scores, the errors in the documentation, warnings."""

from __future__ import annotations

import dataclasses
import math
import warnings

import numpy as np
import pytest
from scipy.special import expit

from irbounds.errors import DegenerateSampleWarning, ParameterError
from irbounds.measurement.parser import parse_measure
from irbounds.measurement.populations import make_population
from irbounds.random_rankings import null_distribution, p_value
from irbounds.random_rankings.distribution import compute_distribution
from irbounds.random_rankings.matched_moments import MatchedMoments, ranking_probability
from irbounds.random_rankings.monte_carlo import simulate

AP = parse_measure("AP")


def matched(population, measure=AP):
    return compute_distribution(measure, population, method="matched-moments", seed=0)


@pytest.mark.parametrize("sizes", [(30, 12), (1000, 400), (1000, 1), (10**9, 20), (60, 59)])
def test_moments_are_matched(sizes):
    result = matched(make_population(*sizes))
    centre, spread = result._log_odds
    # by quadrature over quantiles, another way than the fit's; tails of 10^-9 are left out
    deviates = np.linspace(-11, 11, 40_001)
    masses = np.exp(-(deviates**2) / 2)
    scores = result.low + (result.high - result.low) * expit(centre + spread * deviates)
    mean = np.average(scores, weights=masses)
    deviation = np.sqrt(np.average((scores - mean) ** 2, weights=masses))
    assert mean == pytest.approx(result.mean, rel=1e-8)
    assert deviation == pytest.approx(result.standard_deviation, rel=1e-6)


# the maximum errors that docs/validation/published-bestgen.md states for cases without a warning
@pytest.mark.parametrize("n_documents", [10, 14, 20])
def test_errors_against_exact_distributions(n_documents):
    for n_relevant in range(max(3, -(-n_documents // 4)), n_documents - 2):
        exact = null_distribution(n_documents, n_relevant)
        rough = matched(make_population(n_documents, n_relevant))
        scores = exact.atoms.scores[:: max(1, len(exact.atoms) // 300)].tolist()
        errors = [
            max(abs(rough.cdf(s) - exact.cdf(s)), abs(rough.p_value(s) - exact.p_value(s)))
            for s in scores
        ]
        assert rough.warning is None
        assert max(errors) < 0.04
        normal = dataclasses.replace(rough, low=-1e6, high=1e6)  # the negative control
        errors = [abs(normal.cdf(s) - exact.cdf(s)) for s in scores]
        assert n_relevant > n_documents / 2 or max(errors) > 0.04


@pytest.mark.parametrize(
    ("n_documents", "n_relevant", "largest"),
    [
        (100, 25, 0.01),
        (1000, 250, 0.01),
        ([100] * 10, [20] * 10, 0.012),
        ([1000] * 50, [5] * 50, 0.04),
    ],
)
def test_errors_against_draws(n_documents, n_relevant, largest):
    population = make_population(n_documents, n_relevant)
    n_draws = 8000
    (drawn,) = simulate([AP], population, n_draws, 3)
    rough = matched(population)
    levels = np.array([rough.cdf(score) for score in drawn.means[::20].tolist()])
    # the largest deviation of n draws from their own distribution exceeds 2.4 / sqrt(n)
    # once in 50,000 times (Kolmogorov)
    assert np.abs(levels - np.arange(0, n_draws, 20) / n_draws).max() < largest + 2.4 / n_draws**0.5


def test_rare_relevant_documents_give_large_errors():
    """The warning about few relevant documents among very many is justified."""
    population = make_population([528_155] * 50, [50] * 50)
    (drawn,) = simulate([AP], population, 1000, 3)
    rough = matched(population)
    assert "matched-moments is rough here: 0.0047 relevant documents" in rough.warning
    levels = np.array([rough.cdf(score) for score in drawn.means.tolist()])
    assert np.abs(levels - np.arange(1000) / 1000).max() > 0.3


def test_poor_fit_is_warned_about():
    message = (
        r"^matched-moments is rough here: 0.01 relevant documents are expected at rank 1 over all "
        r"queries, and it needs 0.25 \(use monte-carlo\)$"
    )
    with pytest.warns(DegenerateSampleWarning, match=message):
        null_distribution(1000, 10, method="matched-moments")
    with pytest.warns(DegenerateSampleWarning, match="^matched-moments is rough for P@10 of fewer"):
        p_value(0.3, 100, 40, "P@10", method="matched-moments")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        null_distribution(100, 40, method="matched-moments")
        null_distribution([100] * 10, [40] * 10, "P@10", method="matched-moments")


def test_warnings_consider_the_relevance_level_of_the_measure():
    graded = {1: [300] * 12, 2: [1] * 12}
    message = "^matched-moments is rough here: 0.012 relevant documents are expected at rank 1"
    with pytest.warns(DegenerateSampleWarning, match=message):
        null_distribution([1000] * 12, graded, "AP(rel=2)", method="matched-moments")
    with pytest.warns(DegenerateSampleWarning, match=message):
        null_distribution([1000] * 12, [1] * 12, "AP", method="matched-moments")
    with pytest.warns(DegenerateSampleWarning, match=message):
        null_distribution(
            [1000] * 12, graded, "INSQ(min_rel=1,max_rel=2)", method="matched-moments"
        )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        null_distribution([1000] * 12, graded, "AP", method="matched-moments")
        null_distribution([1000] * 12, graded, "INSQ", method="matched-moments")


SMOOTH = [
    (100, 40, "AP@100"),
    (100, 40, "AP@50"),
    (100, {1: 20, 2: 40}, "AP(rel=2)"),
    (100, 40, "nDCG@1000"),
    (10**6, 3 * 10**5, "nDCG@1000"),
    (1000, 500, "nDCG@20"),
    (20, 15, "AP@19"),
    (7, 7, "AP@3"),
]
LARGE_STEPS = [(100, 40, "AP@3"), (100, 40, "nDCG@5"), (1000, 900, "AP@10"), (20, 15, "AP@2")]
LARGE_STEPS += [([50, 50], [20, 20], "nDCG@3"), (100, 40, "P@100"), (100, 40, "RR")]


def test_warnings_about_distributions_with_large_steps():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for arguments in SMOOTH:
            null_distribution(*arguments, method="matched-moments")
    for arguments in LARGE_STEPS:
        message = f"^matched-moments is rough for {arguments[-1]} of fewer than 10 queries"
        with pytest.warns(DegenerateSampleWarning, match=message):
            null_distribution(*arguments, method="matched-moments")


@pytest.mark.parametrize("arguments", SMOOTH[1:6])
def test_errors_of_measures_with_a_cutoff(arguments):
    """Errors are as large as without a cutoff where the distribution has no large steps."""
    drawn = null_distribution(*arguments, method="monte-carlo", n_draws=4000, rng=2).simulated.means
    rough = null_distribution(*arguments, method="matched-moments")
    levels = np.array([rough.cdf(score) for score in drawn[::20].tolist()])
    # false alarm once in 50,000 times (Kolmogorov)
    assert np.abs(levels - np.arange(0, 4000, 20) / 4000).max() < 0.04 + 2.4 / 4000**0.5


def test_distribution_with_large_steps_has_larger_errors():
    """The negative control: no relevant document among three has a probability of 0.21."""
    with pytest.warns(DegenerateSampleWarning):
        rough = null_distribution(100, 40, "AP@3", method="matched-moments")
    assert abs(rough.cdf(0.0) - null_distribution(100, 40, "AP@3").cdf(0.0)) > 0.2


def test_extreme_scores_and_constant_scores():
    chance = matched(make_population(60, 25))
    one = pytest.approx(1 / math.comb(60, 25), rel=1e-12)
    assert chance.p_value(1.0) == chance.cdf(chance.low) == one
    assert chance.p_value(chance.low) == 1.0
    assert chance.p_value(0.0) == 1.0
    assert (chance.quantile(0.0), chance.quantile(1.0)) == (chance.low, chance.high)
    for probability in (0.001, 0.3, 0.99):
        assert chance.cdf(chance.quantile(probability)) == pytest.approx(probability, rel=1e-9)
    for sizes, score in [((7, 7), 1.0), ((7, 0), 0.0)]:
        chance = matched(make_population(*sizes))
        assert (chance.quantile(0.2), chance.p_value(score), chance.cdf(score)) == (score, 1.0, 1.0)
        assert chance.cdf(score - 0.5) == 0.0
        assert chance.p_value(min(score + 0.5, 1.0)) == score


def test_measure_with_two_values():
    """Success is 0 or 1; no smooth distribution has its variance, so the closest is fitted."""
    chance = matched(make_population(50, 10), parse_measure("Success@3"))
    assert chance.p_value(1.0) == pytest.approx(1 / math.comb(50, 10), rel=1e-12)
    assert chance.p_value(0.5) == pytest.approx(chance.mean, abs=0.02)


def test_p_value_is_at_least_the_probability_of_one_ranking():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert p_value(1.0, 10, 4, method="matched-moments") == 1 / 210
        assert p_value(1.0, 10, 4, method="matched-moments", alternative="two-sided") == 2 / 210
    chance = matched(make_population(10, 4))
    assert chance.p_value(1.0 - 1e-14) == chance.p_value(chance.low, "less") == 1 / 210
    assert chance.cdf(chance.low - 1e-6) == 0.0  # no ranking scores that
    graded = make_population([9, 30], {1: [2, 0], 2: [3, 1]})
    assert ranking_probability(graded) == 1 / (math.comb(9, 2) * math.comb(7, 3) * 30)
    assert ranking_probability(make_population(7, 0)) == 1.0
    assert ranking_probability(make_population(7, 7)) == 1.0
    few = ranking_probability(make_population(10**12, 5))
    assert few == pytest.approx(1 / math.comb(10**12, 5), rel=1e-9)
    # smaller than any number, and yet not 0
    assert 0 < matched(make_population(10**6, 4 * 10**5)).p_value(1.0) < 1e-307


def test_more_relevant_documents_than_can_be_built():
    assert isinstance(matched(make_population(10**10, 5 * 10**9)), MatchedMoments)


def test_messages_suggest_only_feasible_methods():
    """Monte Carlo is not suggested where it is not possible."""
    large = (10**9, 10**8)
    with pytest.raises(ParameterError, match=r"or use the approximation matched-moments"):
        null_distribution(*large)
    ending = r"needs 0.25 \(use it as a guide, or give the measure a cutoff\)$"
    with pytest.warns(DegenerateSampleWarning, match=ending):
        null_distribution(*large, method="matched-moments")
    ending = r"large steps \(use it as a guide, or give the measure a cutoff\)$"
    with pytest.warns(DegenerateSampleWarning, match=ending):
        null_distribution(10**9, 4 * 10**8, "RR", method="matched-moments")
    # ERR has no formula for its variance
    with pytest.raises(ParameterError, match=r"got 100,000,000 \(give the measure a cutoff\)$"):
        null_distribution(*large, "ERR")
