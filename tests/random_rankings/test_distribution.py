"""Distributions of chance scores: every ranking in fractions, levels of p-values, invalid input."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import bdtr, bdtrc, ndtr

import naive
from irbounds.errors import MeasureError, ParameterError
from irbounds.random_rankings import null_distribution

#: the probability that one test of a sound p-value raises a false alarm
ALARM = 1e-5
LEVELS = [0.01, 0.05, 0.25]


def assert_tails(distribution, rows):
    for score, at_most, at_least in rows:
        assert distribution.cdf(float(score)) == pytest.approx(float(at_most), rel=1e-13)
        assert distribution.p_value(float(score)) == pytest.approx(float(at_least), rel=1e-13)
        assert distribution.p_value(float(score), "less") == distribution.cdf(float(score))
        assert distribution.quantile(float(at_most)) == pytest.approx(float(score), rel=1e-14)


@pytest.mark.parametrize("n_documents", range(1, 10))
def test_exact_tails_match_every_ranking(n_documents):
    for n_relevant in range(1, n_documents + 1):
        rows = naive.tails(naive.average_precision_counts(n_documents, n_relevant))
        result = null_distribution(n_documents, n_relevant)
        assert (result.method, len(result.scores)) == ("exact", len(rows))
        assert result.n_rankings == math.comb(n_documents, n_relevant)
        assert_tails(result, rows)


@pytest.mark.parametrize("cutoff", [1, 2, 3, 5, 8, 12])
@pytest.mark.parametrize("n_relevant", [1, 3, 7, 8])
def test_exact_tails_with_a_cutoff_match_every_ranking(cutoff, n_relevant):
    rows = naive.tails(naive.average_precision_counts(8, n_relevant, cutoff))
    assert_tails(null_distribution(8, n_relevant, f"AP@{cutoff}"), rows)


def test_exact_tails_of_higher_grades():
    rows = naive.tails(naive.average_precision_counts(8, 3))
    assert_tails(null_distribution(8, {1: 2, 2: 3}, "AP(rel=2)"), rows)


@pytest.mark.parametrize("sizes", [(7, 3), (15, 6), (22, 11), (22, 2)])
def test_moments_of_all_rankings_match_the_formulas(sizes):
    chance = null_distribution(*sizes)
    fractions = np.diff(chance.counts, prepend=0) / chance.n_rankings
    mean = fractions @ chance.scores
    deviation = math.sqrt(fractions @ (chance.scores - mean) ** 2)
    assert chance.mean == pytest.approx(mean, rel=1e-12)
    assert chance.standard_deviation == pytest.approx(deviation, rel=1e-10)
    assert chance.p_value(1.0) == 1 / math.comb(*sizes)


def test_alternatives():
    # of the ten rankings of Bestgen's Table 1 four score 0.70 or more, seven 0.70 or less
    chance = null_distribution(5, 2)
    assert [chance.p_value(0.7, side) for side in ("greater", "less", "two-sided")] == [
        *(0.4, 0.7, 0.8),
    ]
    assert (chance.p_value(1.0, "two-sided"), chance.p_value(0.5, "two-sided")) == (0.2, 1.0)


def test_cdf_increases_and_inverts_quantiles():
    chance = null_distribution(14, 5)
    levels = [chance.cdf(score) for score in np.linspace(0, 1, 500).tolist()]
    assert (np.diff(levels) >= 0).all()
    assert (levels[0], levels[-1]) == (0.0, 1.0)
    for probability in np.linspace(0.001, 1, 300).tolist():
        score = chance.quantile(probability)
        assert chance.cdf(score) >= probability * (1 - 1e-12)
        assert chance.cdf(score * (1 - 1e-9)) < probability


def test_no_relevant_documents_and_only_relevant_documents():
    for sizes, score in [((5, 0), 0.0), ((5, 5), 1.0), ((1, 1), 1.0)]:
        chance = null_distribution(*sizes)
        assert (chance.mean, chance.standard_deviation) == (score, 0.0)
        assert chance.p_value(score) == chance.p_value(score, "two-sided") == 1.0
        assert chance.quantile(0.5) == score


def test_the_method_follows_from_measure_and_size():
    assert null_distribution(22, 11).method == "exact"
    drawn = [((23, 2),), ((22, 11, "nDCG"),), (([5, 4], [2, 1]),)]
    for (arguments,) in drawn:
        assert null_distribution(*arguments, n_draws=9).method == "monte-carlo"


def test_equal_seeds_give_equal_draws():
    ones = [null_distribution(300, 40, rng=rng) for rng in (7, 7, 8, np.random.default_rng(7))]
    assert ones[0].seed == 7
    assert (ones[0].scores == ones[1].scores).all()
    assert (ones[0].scores != ones[2].scores).any()
    assert (null_distribution(300, 40, rng=ones[3].seed).scores == ones[3].scores).all()


def test_p_values_of_draws_include_the_observed_ranking():
    chance = null_distribution(30, 4, "nDCG@10", n_draws=99, rng=1)
    assert chance.p_value(1.0) == 1 / 100
    assert chance.p_value(0.0) == 1.0
    assert chance.p_value(1.0, "less") == 1.0
    assert chance.p_value(1.0, "two-sided") == 2 / 100
    drawn = chance.scores
    assert chance.quantile(0.5) == drawn[49]  # the 50th of 99 is the first to reach a half
    assert (chance.quantile(0.0), chance.quantile(1.0)) == (drawn[0], drawn[-1])
    assert (chance.cdf(float(drawn[-1])), chance.cdf(0.0)) == (1.0, np.mean(drawn == 0))


def test_standard_deviation_of_err_comes_from_the_draws():
    chance = null_distribution(30, {1: 3, 2: 2}, "ERR@10", n_draws=500, rng=1)
    assert chance.standard_deviation == np.std(chance.scores) > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_draws": 0}, r"n_draws must be an integer of at least 1; got 0"),
        ({"n_draws": 10**9}, r"n_draws must be at most 67,108,864; got 1,000,000,000"),
        ({"n_draws": 99.5}, r"n_draws must be an integer of at least 1; got 99.5"),
        ({"rng": -1}, r"rng must be an integer of at least 0, a SeedSequence, .* got -1"),
        ({"n_relevant": 11}, r"n_relevant must be at most n_documents; got 11 relevant of 10"),
        ({"measure": "Bpref"}, r"Bpref has no formula for its chance level; these have one: AP, P"),
        ({"measure": "AP(rel=0)"}, r"AP\(rel=0\): rel must be at least 1 in a random ranking"),
        (
            {"n_documents": 10**8, "n_relevant": 10**7},
            r"monte-carlo would draw 99,990,000,000 ranks, in 9,999 draws, which takes long: ",
        ),
        (
            {"n_documents": 10**9, "n_relevant": 10**8, "n_draws": 9},
            r"monte-carlo draws the rank of each relevant document, at most 16,777,216 per query; ",
        ),
    ],
)
def test_invalid_arguments(arguments, message):
    with pytest.raises(ParameterError, match=f"^{message}"):
        null_distribution(**{"n_documents": 10, "n_relevant": 4} | arguments)
    assert issubclass(MeasureError, ParameterError)


@pytest.mark.parametrize(
    ("observed", "message"),
    [
        (1.5, r"between 0 and 1; got 1.5, did you mean 0.015\?$"),
        (75, r"between 0 and 1; got 75, did you mean 0.75\?$"),
        (101, r"between 0 and 1; got 101$"),
        (-0.1, r"between 0 and 1; got -0.1$"),
        (math.inf, r"between 0 and 1; got inf$"),
        *((value, "between 0 and 1; got") for value in (math.nan, "0.5", True, None, [0.5])),
    ],
)
def test_invalid_scores(observed, message):
    with pytest.raises(ParameterError, match=f"^observed must be a number {message}"):
        null_distribution(10, 4).p_value(observed)


def test_invalid_sides_and_probabilities():
    chance = null_distribution(10, 4)
    with pytest.raises(ParameterError, match="alternative must be one of"):
        chance.p_value(0.5, "more")
    with pytest.raises(
        ParameterError,
        match="probability must be a number between 0 and 1; got 95",
    ):
        chance.quantile(95)
    assert repr(chance) == "<exact distribution of 210 rankings: mean 0.5286>"


# The validity of p-values: under the null hypothesis p <= alpha has probability alpha. Rankings are
# shuffled by numpy and scored here. The controls are plausible but wrong p-values, which fail.


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
@pytest.mark.parametrize("sizes", [(20, 7), (22, 11)])
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
    p_values = np.array([chance.p_value(score) for score in chance.scores.tolist()])
    fractions = np.diff(chance.counts, prepend=0) / chance.n_rankings
    for level in p_values.tolist():
        assert fractions[p_values <= level].sum() == pytest.approx(level, rel=1e-12)


def test_normal_approximation_around_the_prevalence_is_detected():
    scores = random_scores(60, 4, 1500, np.random.default_rng(11))
    deviation = null_distribution(60, 4).standard_deviation
    p_values = ndtr(-(scores - 4 / 60) / deviation)
    assert not any(is_level(p_values, level) for level in LEVELS)


def drawn_p_values(queries, n, n_draws, seed):
    """p of the mean over queries of shuffled labels, each time with new draws; and hits."""
    generator = np.random.default_rng(seed)
    scores = [random_scores(*sizes, n, generator) for sizes in queries]
    p_values, hits = [], []
    sizes = [list(numbers) for numbers in zip(*queries, strict=True)]
    for number, score in enumerate(np.mean(scores, axis=0).tolist()):
        chance = null_distribution(*sizes, n_draws=n_draws, rng=1000 * seed + number)
        p_values.append(chance.p_value(score))
        hits.append(np.count_nonzero(chance.scores >= score * (1 - 1e-12)))
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
