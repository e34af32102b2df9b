"""Monte Carlo draws: against exact moments and exact p-values."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy.special import bdtr, bdtrc

import naive
from irbounds import execution
from irbounds.errors import ParameterError
from irbounds.measurement.parser import parse_measure
from irbounds.measurement.populations import Population, make_population
from irbounds.random_rankings import drawn_rankings, monte_carlo, null_distribution
from irbounds.random_rankings.distribution import compute_moments
from irbounds.random_rankings.monte_carlo import simulate

MEASURES = [
    "AP",
    "AP(rel=2)",
    "AP@5",
    "P@3",
    "P(rel=2)@7",
    "R@4",
    "Rprec",
    "RR",
    "RR(rel=2)@6",
    "Success@2",
    "nDCG",
    "nDCG@4",
    "nDCG(dcg='exp-log2')@8",
    "RBP(p=0.8)",
    "RBP(p=0.5,rel=2)@3",
    "INSQ(T=2.0)",
    "ERR@5",
]
PARSED = [parse_measure(name) for name in MEASURES]
#: standard errors that a mean of draws exceeds by chance once in 10^5 times
FAR = 4.42


def cut(population: Population, depth) -> Population:
    return dataclasses.replace(population, depth=depth)


POPULATIONS = {
    "few": make_population(9, {1: 2, 2: 3}),
    "many": make_population(120, {1: 6, 2: 3, 4: 1}),
    "dense": make_population(60, {1: 30, 2: 15}),
    "cut": cut(make_population(40, {1: 6, 2: 9}), 15.0),
    "cut sparse": cut(make_population(200, {1: 12, 2: 9}), 30.0),
    "one grade": make_population(30, 4),
    "queries": cut(
        make_population([5, 20, 300, 10], {1: [2, 1, 20, 0], 2: [1, 15, 10, 0]}),
        np.array([5.0, 7.0, 90.0, 10.0]),
    ),
}


@pytest.mark.parametrize("population", POPULATIONS.values(), ids=POPULATIONS)
def test_draws_match_the_moments_of_every_measure(population):
    """False alarm below 1 in 10^5 per measure for the mean; the variance within a wide margin."""
    n_draws = 8000
    for measure, drawn in zip(PARSED, simulate(PARSED, population, n_draws, 5), strict=True):
        mean, deviation = compute_moments(measure, population)
        if np.isnan(deviation):
            deviation = drawn.means.std()
        error = deviation / np.sqrt(n_draws)
        assert abs(drawn.means.mean() - mean) <= FAR * error + 1e-12, measure.name
        if deviation > 1e-9:
            assert drawn.means.std() == pytest.approx(deviation, rel=0.1), measure.name


def test_wrong_mean_is_detected():
    """The negative control: the prevalence is not the chance level."""
    n_draws = 8000
    (drawn,) = simulate(PARSED[:1], make_population(30, 4), n_draws, 5)
    _, deviation = compute_moments(PARSED[0], make_population(30, 4))
    assert abs(drawn.means.mean() - 4 / 30) > FAR * deviation / np.sqrt(n_draws)


def test_draws_match_the_moments_of_large_collections():
    for n_documents, n_relevant in [(10**12, 4 * 10**11), (10**15, 9 * 10**14)]:
        population = make_population(n_documents, {1: n_relevant // 2, 3: n_relevant // 2})
        names = ["P@10", "nDCG@10", "RBP(p=0.8)", "ERR@5", "AP@20"]
        measures = [parse_measure(name) for name in names]
        for measure, drawn in zip(measures, simulate(measures, population, 2000, 6), strict=True):
            mean, deviation = compute_moments(measure, population)
            deviation = drawn.means.std() if np.isnan(deviation) else deviation
            assert abs(drawn.means.mean() - mean) < FAR * deviation / np.sqrt(2000)
    # few relevant documents among very many: ranks are uniform, so ln(N / first rank) is known
    (drawn,) = simulate([parse_measure("RR")], make_population(10**12, 1), 4000, 6)
    logs = np.log(10**12 * drawn.means)  # exponential, mean 1, standard deviation 1
    assert abs(logs.mean() - 1) < FAR / np.sqrt(4000)


def test_more_documents_than_64_bit_integers_number():
    (drawn,) = simulate(PARSED[:1], make_population([10**15] * 40, 1), 300, 1)
    assert drawn.means.min() > 1e-15  # a score of 1e-15 is the lowest
    with pytest.raises(ParameterError, match="documents in all; got 9,300,000,000,000,000,000"):
        null_distribution([10**15] * 9300, [1] * 9300, n_draws=30)


def test_more_graded_documents_than_64_bit_integers():
    population = make_population([10**15] * 40, {1: [4 * 10**14] * 40, 2: [4 * 10**14] * 40})
    for number in (1, 40):
        some = make_population([10**15] * number, {1: [4 * 10**14] * number, 2: [10**14] * number})
        drawn = monte_carlo._share_draws([parse_measure("nDCG@10")], some, None)
        for queries, sampler in drawn.chunks:
            assert queries.stop > queries.start
            assert int(sampler.relevant.sum()) * drawn.draws_per_unit < 2**63
    (drawn,) = simulate([parse_measure("nDCG@10")], population, 300, 6)
    mean, deviation = compute_moments(parse_measure("nDCG@10"), population)
    assert abs(drawn.means.mean() - mean) < FAR * deviation / np.sqrt(300)


def test_draws_have_the_frequencies_of_all_rankings():
    """Every drawn score is one of a ranking, and each has its frequency."""
    counts = naive.average_precision_counts(7, 3)
    (drawn,) = simulate(PARSED[:1], make_population(7, 3), 20_000, 8)
    scores, times = np.unique(drawn.means.round(12), return_counts=True)
    assert scores == pytest.approx([round(float(score), 12) for score in counts], abs=1e-12)
    fractions = np.array(list(counts.values())) / 35
    # 5 standard errors for each of 33 fractions: false alarm below 1 in 10^4
    assert (np.abs(times / 20_000 - fractions) < 5 * np.sqrt(fractions / 20_000)).all()


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_and_blocks_give_the_same_bits(threads, monkeypatch):
    monkeypatch.setattr(monte_carlo, "UNIT", 1 << 10)
    monkeypatch.setattr(monte_carlo, "LONG_UNIT", 1 << 11)
    population = POPULATIONS["queries"]
    observed = np.full((len(PARSED), 4), 0.3)
    with execution(threads=1):
        one = simulate(PARSED, population, 500, 3, observed=observed)
    with execution(threads=threads):
        other = simulate(PARSED, population, 500, 3, observed=observed)
    for a, b in zip(one, other, strict=True):
        assert (a.means == b.means).all()
        assert (a.hits == b.hits).all()
    assert (one[0].means != simulate(PARSED[:1], population, 500, 4)[0].means).any()


def test_draws_of_a_measure_do_not_depend_on_other_measures():
    population = POPULATIONS["many"]
    together = simulate(PARSED, population, 300, 3)
    for measure, result in zip(PARSED, together, strict=True):
        (alone,) = simulate([measure], population, 300, 3)
        assert (alone.means == result.means).all(), measure.name


def test_queries_drawn_in_parts(monkeypatch):
    """More queries than a unit holds are drawn in parts with the same moments."""
    monkeypatch.setattr(monte_carlo, "UNIT", 8)
    monkeypatch.setattr(monte_carlo, "LONG_UNIT", 16)
    population = make_population([20] * 7, [2, 3, 9, 1, 0, 6, 8])
    observed = np.linspace(0.1, 0.7, 7)[None]
    (drawn,) = simulate(PARSED[:1], population, 1000, 2, observed=observed)
    mean, deviation = compute_moments(PARSED[0], population)
    assert abs(drawn.means.mean() - mean) < FAR * deviation / np.sqrt(1000)
    assert drawn.means.std() == pytest.approx(deviation, rel=0.15)
    assert drawn.hits[0].shape == (7,)
    assert drawn.hits[0][4] == 0  # a query with nothing relevant scores 0


@pytest.mark.parametrize("dense", [1, 1000])
def test_sparse_and_dense_choices_of_ranks(dense, monkeypatch):
    monkeypatch.setattr(drawn_rankings, "SPARSE", dense)
    population = POPULATIONS["cut"]
    for measure, drawn in zip(PARSED, simulate(PARSED, population, 4000, 9), strict=True):
        mean, deviation = compute_moments(measure, population)
        deviation = drawn.means.std() if np.isnan(deviation) else deviation
        assert abs(drawn.means.mean() - mean) < FAR * deviation / np.sqrt(4000), measure.name


def test_hits_match_exact_p_values():
    """Hits of each query are binomial with the exact p-value; false alarm below 1 in 10^4."""
    sizes = [(12, 3), (20, 5), (9, 8), (22, 1)]
    population = make_population([n for n, _ in sizes], [r for _, r in sizes])
    observed = np.array([[0.3, 0.4, 0.95, 0.09], [0.75, 0.62, 1.0, 0.5]])
    n_draws = 6000
    (drawn,) = simulate(PARSED[:1], population, n_draws, 4, observed=observed[None])
    assert drawn.hits[0].shape == drawn.hits[1].shape == observed.shape
    for (row, query), score in np.ndenumerate(observed):
        chance = null_distribution(*sizes[query])
        for hits, p in [
            (drawn.hits[0][row, query], chance.p_value(score)),
            (drawn.hits[1][row, query], chance.p_value(score, "less")),
        ]:
            either = min(bdtr(hits, n_draws, p), bdtrc(hits - 1, n_draws, p) if hits else 1.0)
            assert either > 1e-4 / 32


def test_equal_scores_are_hits():
    """One perfect ranking of two: as high as 1 half of the time, as low always."""
    observed = np.array([[1.0]])
    (drawn,) = simulate(PARSED[:1], make_population([2], [1]), 4000, 1, observed=observed)
    assert drawn.hits[1][0] == 4000
    assert bdtr(drawn.hits[0][0], 4000, 0.5) > 1e-5
    assert bdtrc(drawn.hits[0][0], 4000, 0.5) > 1e-5


@pytest.mark.parametrize("measures", [PARSED[:1], PARSED])
def test_progress_counts_draws(measures, monkeypatch):
    monkeypatch.setattr(monte_carlo, "UNIT", 1 << 10)
    seen = []
    simulate(measures, make_population(500, 50), 777, 1, progress=lambda *now: seen.append(now))
    done = [now for now, _ in seen]
    assert {total for _, total in seen} == {777}
    assert len(done) > 5
    assert done == sorted(done)
    assert done[0] < done[-1] == 777
