"""Posteriors of recall and other quantities against enumeration of every pair of yields."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import integrate, stats

import naive
from irbounds.results import Stratum
from irbounds.samples.counts import make_counts
from irbounds.samples.posterior import (
    _make_joint_posterior,
    beta_binomial_posterior,
    beta_jeffreys_posterior,
    draw_yields,
)
from irbounds.samples.priors import parse_prior
from irbounds.samples.yields import beta_binomial_yield
from recall_calls import estimate_recall, segments

PROBABILITIES = (0.005, 0.025, 0.3, 0.5, 0.7, 0.975, 0.995)


def joint_of(retrieved, unretrieved, prior=None):
    return beta_binomial_posterior(
        make_counts(segments(retrieved, unretrieved)), parse_prior(prior)
    )


def masses_of(strata, alpha):
    """Both segments' masses, by the formula."""
    return tuple(
        naive.summed_masses(
            naive.beta_binomial_masses(one.population, one.sampled, one.relevant, alpha, alpha)
            for one in strata
            if one.retrieved is side
        )
        for side in (True, False)
    )


def random_designs(n: int):
    rng = np.random.default_rng(2013)
    for _ in range(n):
        design = []
        for _ in range(2):
            population = int(rng.integers(1, 40))
            sampled = int(rng.integers(0, population + 1))
            design.append((population, sampled, int(rng.integers(0, sampled + 1))))
        yield (*design, float(rng.choice([0.3, 0.5, 1.0])))


FORMULAS = {
    "recall": lambda N1, N0: lambda r1, r0: Fraction(r1, r1 + r0) if r1 + r0 else None,
    "precision": lambda N1, N0: lambda r1, r0: Fraction(r1, N1),
    "F1": lambda N1, N0: lambda r1, r0: Fraction(2 * r1, N1 + r1 + r0),
    "yield": lambda N1, N0: lambda r1, r0: r1 + r0,
    "prevalence": lambda N1, N0: lambda r1, r0: Fraction(r1 + r0, N1 + N0),
    "elusion": lambda N1, N0: lambda r1, r0: Fraction(r0, N0),
}
OURS = {
    "recall": lambda joint: joint.recall(),
    "precision": lambda joint: joint.precision(),
    "F1": lambda joint: joint.f1(),
    "yield": lambda joint: joint.total(),
    "prevalence": lambda joint: joint.prevalence(),
    "elusion": lambda joint: joint.elusion(),
}


@pytest.mark.parametrize("quantity", FORMULAS)
def test_posterior_of_each_quantity_matches_enumeration(quantity):
    n_checked = 0
    for retrieved, unretrieved, alpha in random_designs(25):
        strata = segments(retrieved, unretrieved)
        posterior = OURS[quantity](joint_of(retrieved, unretrieved, alpha))
        if posterior.undefined > 0.999:
            continue
        formula = FORMULAS[quantity](retrieved[0], unretrieved[0])
        values, masses = naive.value_distribution(*masses_of(strata, alpha), formula)
        for probability in PROBABILITIES:
            expected = float(naive.discrete_quantile(values, masses, probability))
            assert posterior.quantile(probability) == pytest.approx(expected, abs=1e-9)
        mean = math.fsum(float(v) * m for v, m in zip(values, masses, strict=True))
        assert posterior.mean == pytest.approx(mean, rel=1e-10)
        middle = values[len(values) // 2]
        below = math.fsum(m for v, m in zip(values, masses, strict=True) if v <= middle)
        assert posterior.cdf(float(middle)) == pytest.approx(below, abs=1e-11)
        n_checked += 1
    assert n_checked > 15


def test_stratified_posterior_matches_enumeration():
    strata = (
        Stratum("a", True, 12, 5, 3),
        Stratum("b", True, 9, 4, 0),
        Stratum("c", False, 30, 6, 1),
        Stratum("d", False, 8, 8, 2),
        Stratum("e", False, 0, 0, 0),
        Stratum("f", False, 6, 1, 1),
    )
    posterior = beta_binomial_posterior(make_counts(strata), parse_prior(None)).recall()
    values, masses = naive.value_distribution(*masses_of(strata, 0.5), FORMULAS["recall"](21, 44))
    for probability in PROBABILITIES:
        expected = float(naive.discrete_quantile(values, masses, probability))
        assert posterior.quantile(probability) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("retrieved", "unretrieved", "n"),
    [
        ((2000, 100, 50), (100_000, 100, 3), 10**6),
        pytest.param((2000, 100, 50), (100_000, 100, 3), 10**7, marks=pytest.mark.slow),
        pytest.param((2000, 100, 50), (100_000, 100, 0), 10**7, marks=pytest.mark.slow),
        pytest.param((50_000, 400, 100), (3_000_000, 1500, 7), 10**7, marks=pytest.mark.slow),
        pytest.param((10**8, 1000, 500), (9 * 10**8, 1000, 0), 10**7, marks=pytest.mark.slow),
    ],
)
def test_large_populations_match_random_draws(retrieved, unretrieved, n):
    """At a quantile, n draws find its probability within 5 of their standard errors.

    The false-alarm rate of each comparison is 6e-7.
    """
    counts = make_counts(segments(retrieved, unretrieved))
    posterior = joint_of(retrieved, unretrieved).recall()
    first, second = draw_yields(counts, parse_prior(None), n, seed=7)
    draws = first / (first + second)
    for probability in (0.025, 0.975):
        noise = 5 * math.sqrt(probability * (1 - probability) / n)
        limit = posterior.quantile(probability)
        assert np.count_nonzero(draws < limit - 1e-11) / n < probability + noise
        assert np.count_nonzero(draws <= limit + 1e-11) / n > probability - noise
        higher = posterior.quantile(probability + 0.002)  # a wrong quantile must be detected
        reached = np.count_nonzero(draws < higher) / n
        assert higher == limit or reached > probability + noise


def test_joined_cells_move_a_quantile_slightly():
    """The same sample from a population that is tabulated count by count, and one that is not."""
    design = (30_000, 200, 60), (900_000, 150, 2)
    exact = joint_of(*design).recall()
    coarse = _make_joint_posterior(
        make_counts(segments(*design)),
        lambda N, n, r: beta_binomial_yield(N, n, r, 0.5, 0.5, max_cells=2000),
    ).recall()
    assert not coarse.unretrieved.is_exact
    for probability in (0.025, 0.5, 0.975):
        assert abs(coarse.quantile(probability) - exact.quantile(probability)) < 1e-5


def test_beta_jeffreys_posterior_matches_quadrature():
    """P(recall <= t) by an integral over the unretrieved prevalence, by scipy."""
    (N1, n1, r1), (N0, n0, r0) = (2000, 100, 50), (100_000, 100, 3)
    posterior = beta_jeffreys_posterior(make_counts(segments((N1, n1, r1), (N0, n0, r0)))).recall()
    inside, outside = stats.beta(r1 + 0.5, n1 - r1 + 0.5), stats.beta(r0 + 0.5, n0 - r0 + 0.5)

    def probability(t):
        def integrand(share):
            reach = t / (1 - t) * (r0 + (N0 - n0) * share)
            return outside.pdf(share) * inside.cdf((reach - r1) / (N1 - n1))

        return integrate.quad(integrand, 0, 0.3, limit=500, epsabs=1e-12)[0]

    for level in (0.025, 0.5, 0.975):
        assert probability(posterior.quantile(level)) == pytest.approx(level, abs=1e-7)


def test_recall_is_conditional_on_a_relevant_document():
    posterior = joint_of((5, 3, 0), (6, 2, 0)).recall()
    assert posterior.undefined == pytest.approx(
        naive.beta_binomial_masses(5, 3, 0, 0.5, 0.5)[0]
        * naive.beta_binomial_masses(6, 2, 0, 0.5, 0.5)[0]
    )
    strata = segments((5, 3, 0), (6, 2, 0))
    values, masses = naive.value_distribution(*masses_of(strata, 0.5), FORMULAS["recall"](5, 6))
    for probability in (0.3, 0.5, 0.7, 0.9):
        expected = float(naive.discrete_quantile(values, masses, probability))
        assert posterior.quantile(probability) == pytest.approx(expected, abs=1e-9)
        assert posterior.cdf(expected) == pytest.approx(
            sum(m for v, m in zip(values, masses, strict=True) if v <= expected + 1e-12)
        )
    nothing = joint_of((5, 5, 0), (6, 6, 0)).recall()
    assert math.isnan(nothing.quantile(0.5))
    assert math.isnan(nothing.mean)


def test_known_recall_is_a_single_point():
    posterior = joint_of((10, 10, 3), (20, 20, 1)).recall()
    assert posterior.quantile(0.01) == pytest.approx(0.75, abs=1e-11)
    assert posterior.quantile(0.99) == pytest.approx(0.75, abs=1e-11)


def test_quantile_inverts_cdf():
    posterior = joint_of((300, 40, 11), (5000, 80, 2)).f1()
    for probability in PROBABILITIES:
        value = posterior.quantile(probability)
        assert posterior.cdf(value) >= probability - 1e-12
        assert posterior.cdf(value - 1e-9) < probability


def test_unjudgeable_documents_are_not_in_precision():
    """Precision is of what can be judged, yield of all."""
    strata = (Stratum("in", True, 200, 20, 8, 16), Stratum("out", False, 1000, 50, 2, 45))
    joint = beta_binomial_posterior(make_counts(strata), parse_prior(None))
    assert joint.judgeable == 160
    masses = naive.beta_binomial_masses(160, 16, 8, 0.5, 0.5)
    values, shares = list(range(161)), masses
    for probability in (0.025, 0.975):
        expected = naive.discrete_quantile(values, shares, probability) / 160
        assert joint.precision().quantile(probability) == pytest.approx(expected, abs=1e-9)
    everything = naive.beta_binomial_masses(200, 20, 8, 0.5, 0.5)
    others = naive.beta_binomial_masses(1000, 50, 2, 0.5, 0.5)
    total = naive.summed_masses([everything, others])
    expected = naive.discrete_quantile(list(range(len(total))), total, 0.975)
    assert joint.total().quantile(0.975) == expected


@pytest.mark.parametrize(
    ("retrieved", "population", "sampled"),
    [(5, 10**6, 100), (1, 10**6, 100), (40, 2 * 10**5, 30)],
)
def test_mean_of_large_populations(retrieved, population, sampled):
    """All is known of the retrieved segment, so the mean is one sum over the other."""
    posterior = joint_of((retrieved,) * 3, (population, sampled, 0)).recall()
    counts = np.arange(population - sampled + 1.0)
    masses = stats.betabinom(population - sampled, 0.5, sampled + 0.5).pmf(counts)
    expected = (masses * retrieved / (retrieved + counts)).sum() / masses.sum()
    assert posterior.mean == pytest.approx(expected, rel=1e-5)


def beta_limit_quantile(retrieved, population, alpha, sampled, probability):
    """Recall's quantile where R0 is so large that it is (N - n) times a beta variable."""
    share = stats.beta(alpha, sampled + alpha).ppf(1 - probability)
    return retrieved / (retrieved + (population - sampled) * share)


@pytest.mark.parametrize("alpha", [0.1, 0.3, 0.5, 1.0])
@pytest.mark.parametrize("population", [10**9, 10**11, 10**12])
def test_huge_populations_with_empty_samples(alpha, population):
    """Counts next to 0 keep cells of their own, whatever the prior piles up there.

    The beta limit is right wherever R0 is some hundreds or more.
    """
    found = estimate_recall(
        retrieved=(100, 100, 50), unretrieved=(population, 100, 0), prior=alpha
    ).posterior
    n_checked = 0
    for probability in (0.025, 0.3, 0.5, 0.7):
        expected = beta_limit_quantile(50, population, alpha, 100, probability)
        if expected < 0.05:
            off = abs(found.quantile(probability) - expected)
            assert off < 0.01 * expected + 1e-11
            n_checked += 1
    assert n_checked


def test_extreme_prior_determines_the_posterior():
    found = estimate_recall(retrieved=(1000, 100, 50), unretrieved=(10**12, 100, 0), prior=1e-6)
    assert (found.interval.low, found.interval.high) == (1, 1)


def test_known_strata_are_added_exactly():
    """A census beside a stratum of a thousand million documents."""
    strata = (
        Stratum("endless", True, 10**9, 100, 0),
        Stratum("known", True, 10, 10, 10),
        Stratum("rest", False, 1000, 1000, 5),
    )
    joint = beta_binomial_posterior(make_counts(strata), parse_prior(None))
    assert joint.recall().quantile(0.0005) > 10 / 15
    assert joint.recall().cdf(0.66) == 0
    assert joint.total().quantile(0.0005) >= 15


def test_coarse_strata_match_random_draws():
    strata = (
        Stratum("a", True, 3_000_000, 50, 20),
        Stratum("b", False, 40_000_000, 80, 1),
        Stratum("c", False, 9_000_000, 60, 2),
    )
    counts = make_counts(strata)
    posterior = beta_binomial_posterior(counts, parse_prior(None)).recall()
    first, second = draw_yields(counts, parse_prior(None), 10**6, seed=5)
    draws = first / (first + second)
    for probability in (0.025, 0.975):
        reached = np.count_nonzero(draws <= posterior.quantile(probability)) / 10**6
        # five standard errors: a false alarm in two million
        assert abs(reached - probability) < 5 * math.sqrt(probability * (1 - probability) / 10**6)


def test_unsampled_strata_count_in_precision():
    """One document that could not be judged does not make another stratum vanish."""
    unseen = Stratum("unseen", True, 1000, 0, 0)
    rest = Stratum("rest", False, 1000, 100, 5)
    plain = beta_binomial_posterior(
        make_counts((Stratum("seen", True, 1000, 100, 50), unseen, rest)), parse_prior(None)
    )
    nearly = beta_binomial_posterior(
        make_counts((Stratum("seen", True, 1000, 100, 50, 99), unseen, rest)), parse_prior(None)
    )
    for probability in (0.025, 0.975):
        first, second = (one.precision().quantile(probability) for one in (plain, nearly))
        assert first == pytest.approx(second, abs=0.01)


def test_f_is_consistent_with_recall_and_precision():
    """Recall is surely 1 and precision at least 0.954, so F1 is at least 0.976."""
    strata = (Stratum("in", True, 1000, 100, 50, 50), Stratum("out", False, 1000, 1000, 0))
    joint = beta_binomial_posterior(make_counts(strata), parse_prior(None))
    precision = joint.precision().quantile(0.025)
    assert joint.f1().quantile(0.025) == pytest.approx(2 * precision / (1 + precision), abs=1e-9)
    assert joint.f1().mean <= 1


def test_cdf_of_nan_is_nan():
    assert math.isnan(joint_of((9, 3, 1), (9, 2, 1)).recall().cdf(math.nan))
