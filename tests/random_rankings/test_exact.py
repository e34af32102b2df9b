"""The exact distribution of AP: against every ranking, in fractions, and by two algorithms."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import naive
from irbounds.measurement.parser import parse_measure
from irbounds.measurement.populations import Population, make_population
from irbounds.random_rankings import exact, null_distribution, p_value
from irbounds.random_rankings.distribution import compute_distribution
from irbounds.random_rankings.exact import Enumerated, _running_sums, add_up, combine_equal

AP = parse_measure("AP")


def both_ways(measure, population):
    """Return the distribution as a list and by meet-in-the-middle, both without moments."""
    (case,) = exact._cases(measure, population)
    return Enumerated(0.0, 0.0, exact._list_scores(case)), exact._meet_in_the_middle(case, 0.0, 0.0)


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
        for distribution in both_ways(AP, make_population(n_documents, n_relevant)):
            assert_tails(distribution, rows)
        result = null_distribution(n_documents, n_relevant)
        assert result.method == "exact"
        assert len(result.atoms) == len(rows)


@pytest.mark.parametrize("cutoff", [1, 2, 3, 5, 8, 12])
@pytest.mark.parametrize("n_relevant", [1, 3, 7, 8])
def test_exact_tails_with_a_cutoff_match_every_ranking(cutoff, n_relevant):
    measure = parse_measure(f"AP@{cutoff}")
    rows = naive.tails(naive.average_precision_counts(8, n_relevant, cutoff))
    for distribution in both_ways(measure, make_population(8, n_relevant)):
        assert_tails(distribution, rows)


def test_exact_tails_of_truncated_lists_and_unranked_judged_documents():
    # of six judged relevant documents four are among the eight that are ranked, five ranks deep
    population = Population(8.0, 5.0, (1, 2), (1.0, 3.0), (2.0, 4.0), 2)
    rows = naive.tails(naive.average_precision_counts(8, 4, 5, judged=6))
    for distribution in both_ways(AP, population):
        assert_tails(distribution, rows)
    rows = naive.tails(naive.average_precision_counts(8, 3, 5, judged=4))
    for distribution in both_ways(parse_measure("AP(rel=2)"), population):
        assert_tails(distribution, rows)


def test_quantile_1_is_the_highest_score():
    for distribution in both_ways(parse_measure("AP@12"), make_population(10**9, 10**3)):
        assert distribution.p_value(12 / 1000) < 1e-60
        assert distribution.quantile(1.0) == pytest.approx(12 / 1000)
        assert distribution.quantile(1 - 1e-9) < 12 / 1000


def cut_tails(cutoff, n_documents, n_relevant):
    """Rows of score, probability of it or lower, and of it or higher, in fractions."""
    masses = {}
    for m in range(cutoff + 1):
        each = Fraction(
            math.comb(n_documents - cutoff, n_relevant - m), math.comb(n_documents, n_relevant)
        )
        for ranks in itertools.combinations(range(1, cutoff + 1), m):
            score = sum(Fraction(i, rank) for i, rank in enumerate(ranks, 1)) / n_relevant
            masses[score] = masses.get(score, 0) + each
    return naive.tails(dict(sorted(masses.items())))


@pytest.mark.parametrize("few", [1 << 20, 5])
@pytest.mark.parametrize("sizes", [(10**6, 40), (10**4, 100), (40, 20)])
def test_quantiles_close_to_probability_1(sizes, few, monkeypatch):
    monkeypatch.setattr("irbounds.random_rankings.meet_in_the_middle.MAX_LISTED", few)
    rows = cut_tails(7, *sizes)
    for distribution in both_ways(parse_measure("AP@7"), make_population(*sizes)):
        for rest in (0.3, 1e-3, 1e-6, 1e-9, 1e-12, 3e-13, 1e-13, 3e-14, 1e-14):
            probability = 1 - rest
            expected = next(s for s, at_most, _ in rows if at_most >= Fraction(probability))
            result = distribution.quantile(probability)
            assert result == pytest.approx(float(expected), rel=1e-13), rest
        for score, at_most, at_least in rows:
            assert distribution.cdf(float(score)) == pytest.approx(float(at_most), rel=1e-14)
            assert distribution.p_value(float(score)) == pytest.approx(float(at_least), rel=1e-13)
            # where rounding does not take it for the score below, or for the highest of all
            if at_most + at_least - 1 > 1e-15 and 1 - at_most > 1e-15:
                reached = distribution.quantile(distribution.cdf(float(score)))
                assert reached == pytest.approx(float(score), rel=1e-13)


def test_tails_of_unequal_weights_match_fsum():
    listed, _ = both_ways(parse_measure("AP@18"), make_population(1000, 300))
    atoms = listed.atoms
    for place in np.linspace(1, len(atoms) - 1, 9).astype(int).tolist():
        below = math.fsum(atoms.weights[:place].tolist())
        above = math.fsum(atoms.weights[place:].tolist())
        score = float(atoms.scores[place])
        assert listed.p_value(score) == pytest.approx(above, rel=3e-15)
        assert listed.cdf(float(atoms.scores[place - 1])) == pytest.approx(below, rel=3e-15)
    assert listed.p_value(0.0) == listed.cdf(1.0) == 1.0


def test_running_sums_match_fsum():
    values = np.random.default_rng(4).random(1_000_003)
    for size in (1, 2, 3, 4, 5, 10, 1_000_003):
        sums = _running_sums(values[:size])
        assert len(sums) == size
        for place in {0, size // 3, size - 1}:
            expected = math.fsum(values[: place + 1].tolist())
            assert sums[place] == pytest.approx(expected, rel=2e-15)
    # the negative control
    plain = np.cumsum(values)[-1]
    assert plain != pytest.approx(math.fsum(values.tolist()), rel=2e-15)


def test_chains_of_nearly_equal_scores_are_combined():
    """Neighbours within the tolerance, the first and the last of them not: one score."""
    chain = 0.5 * (1 + 0.9e-12 * np.arange(4))
    atoms = combine_equal(np.append(chain, [0.2, 0.9]), np.ones(6), 6.0)
    assert atoms.scores.tolist() == [0.2, 0.5, 0.9]
    alone, two = (Enumerated(0.0, 0.0, one) for one in (atoms, add_up([atoms, atoms])))
    for score in chain.tolist():
        assert (alone.cdf(score), alone.p_value(score)) == (5 / 6, 5 / 6)
        assert two.at_least(score + 0.9) == pytest.approx(9 / 36)
        assert two.at_least(2 * score) == pytest.approx(27 / 36)
        assert two.at_most(2 * score) == pytest.approx(25 / 36)


@pytest.mark.parametrize("sizes", [(2, 1), (9, 4), (23, 11), (30, 15), (100, 3), (5000, 1)])
def test_perfect_ranking_has_the_smallest_p_value(sizes):
    assert p_value(1.0, *sizes) == pytest.approx(1 / math.comb(*sizes), rel=1e-15)
    chance = null_distribution(*sizes)
    assert all(chance.p_value(score) > chance.p_value(1.0) for score in (0.0, 0.3, 0.5))


def test_moments_of_the_list_match_the_formulas():
    for sizes in [(7, 3), (15, 6), (22, 11), (40, 4), (300, 2)]:
        chance = null_distribution(*sizes)
        fractions = chance.atoms.weights / chance.atoms.total
        mean = fractions @ chance.atoms.scores
        deviation = math.sqrt(fractions @ (chance.atoms.scores - mean) ** 2)
        assert fractions.sum() == pytest.approx(1, rel=1e-13)
        assert chance.mean == pytest.approx(mean, rel=1e-12)
        assert chance.standard_deviation == pytest.approx(deviation, rel=1e-10)


def test_cdf_increases_and_inverts_quantiles():
    chance = null_distribution(14, 5)
    scores = np.linspace(0, 1, 500)
    levels = [chance.cdf(score) for score in scores.tolist()]
    assert (np.diff(levels) >= 0).all()
    assert (levels[0], levels[-1]) == (0.0, 1.0)
    for probability in np.linspace(0.001, 1, 300).tolist():
        score = chance.quantile(probability)
        assert chance.cdf(score) >= probability * (1 - 1e-12)
        assert chance.cdf(score * (1 - 1e-9)) < probability


@pytest.mark.parametrize(
    "queries", [[(3, 1), (4, 2)], [(5, 2), (5, 2), (5, 2)], [(6, 3), (2, 2), (4, 0), (3, 2)]]
)
def test_means_over_queries_match_every_ranking(queries):
    # a query with nothing relevant scores 0
    tables = [naive.average_precision_counts(n, r, judged=max(r, 1)) for n, r in queries]
    chance = null_distribution([n for n, _ in queries], [r for _, r in queries])
    assert chance.method == "exact"
    rows = naive.tails(naive.mean_counts(tables))
    assert len(chance.atoms) == len(rows)
    assert_tails(chance, rows)


def test_equal_queries_have_a_short_list():
    chance = null_distribution([2] * 1000, [1] * 1000)
    assert chance.method == "exact"
    assert len(chance.atoms) == 1001  # the number of perfect rankings
    # a mean of 0.76 is 520 perfect rankings of 1000 or more
    expected = sum(math.comb(1000, k) for k in range(520, 1001)) / 2**1000
    assert chance.p_value(0.76) == pytest.approx(expected, rel=1e-9)


def test_no_relevant_documents_and_only_relevant_documents():
    for sizes, score in [((5, 0), 0.0), ((5, 5), 1.0), ((1, 1), 1.0)]:
        chance = null_distribution(*sizes)
        assert (chance.mean, chance.standard_deviation) == (score, 0.0)
        assert chance.p_value(score) == chance.p_value(score, "two-sided") == 1.0
        assert chance.quantile(0.5) == score


@pytest.mark.parametrize(
    ("name", "sizes", "score"),
    [
        ("AP", (10**12, 0), 0.0),
        ("AP", (10**15, 0), 0.0),
        ("AP", (10**15, 10**15), 1.0),
        ("AP@7", (10**12, 10**12), 7e-12),
        ("AP@7", (3, 3), 1.0),
        ("AP(rel=2)", (10**12, {1: 10**11, 2: 0}), 0.0),
        ("AP(rel=2)", (10**12, {1: 0, 2: 10**12}), 1.0),
    ],
)
def test_single_possible_score_of_many_documents(name, sizes, score):
    chance = null_distribution(*sizes, name)
    assert chance.method == "exact"
    assert chance.atoms.scores.tolist() == [score]
    assert chance.quantile(0.5) == pytest.approx(chance.mean, rel=1e-13)
    assert (chance.p_value(score), chance.cdf(score)) == (1.0, 1.0)
    assert (chance.p_value(0.5), chance.cdf(0.5)) == (float(score > 0.5), float(score < 0.5))


def test_single_possible_score_with_unranked_judged_documents():
    assert null_distribution([10**12, 4], [0, 4]).atoms.scores.tolist() == [0.5]
    nothing = Population(1e12, 1e12, (1,), (0.0,), (5.0,), 1)
    assert compute_distribution(AP, nothing, seed=1).quantile(0.5) == 0.0
    all_ranked = Population(1e12, 1e12, (1,), (1e12,), (4e12,), 1)
    assert compute_distribution(AP, all_ranked, seed=1).quantile(0.5) == 0.25


FEASIBLE = [(44, 22), (86, 6), (126, 5), (237, 4), (736, 3), (8188, 2), (4000, 3999), (10**15, 0)]

NOT_FEASIBLE = [(45, 22), (87, 6), (127, 5), (238, 4), (737, 3), (8189, 2), (10**15, 10**14)]


def test_limits_of_exact_feasibility():
    assert all(exact.is_exact_feasible(AP, make_population(*sizes)) for sizes in FEASIBLE)
    assert not any(exact.is_exact_feasible(AP, make_population(*sizes)) for sizes in NOT_FEASIBLE)
    assert all(
        exact.is_exact_feasible(AP, make_population(n, r))
        for n in range(1, 45)
        for r in range(n + 1)
    )
    wide = make_population(10**12, 10**11)
    assert exact.is_exact_feasible(parse_measure("AP@36"), wide)
    assert not exact.is_exact_feasible(parse_measure("AP@37"), wide)
    assert not exact.is_exact_feasible(parse_measure("nDCG"), make_population(5, 2))
    assert not exact.is_exact_feasible(AP, make_population([20, 30, 25], [5, 8, 9]))


def test_exact_is_the_default_method_where_feasible():
    population = make_population(30, 12)
    assert compute_distribution(AP, population, seed=1).method == "exact"
    drawn = compute_distribution(AP, population, method="monte-carlo", n_draws=50, seed=1)
    assert (drawn.method, drawn.n_draws, drawn.seed) == ("monte-carlo", 50, 1)
    assert (
        compute_distribution(AP, make_population(900, 50), n_draws=9, seed=1).method
        == "monte-carlo"
    )
