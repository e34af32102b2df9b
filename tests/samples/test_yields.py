"""Tables of a segment's yield against gamma functions, scipy and each other."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, stats

import irbounds
import naive
from irbounds.samples.yields import beta_binomial_yield, beta_yield, sum_yields

# N = n, n = 0, n = 1, r = 0, r = n and their meetings
DESIGNS = [
    (50, 10, 3),
    (50, 10, 0),
    (50, 10, 10),
    (50, 50, 7),
    (50, 50, 0),
    (50, 0, 0),
    (50, 1, 0),
    (50, 1, 1),
    (50, 49, 49),
    (2, 1, 1),
    (1, 0, 0),
    (1, 1, 1),
]


def spread_out(table, size: int):
    full = np.zeros(size + 1)
    full[table.positions.astype(int)] = table.masses
    return full


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("prior", [(0.5, 0.5), (1.0, 1.0), (0.31, 2.0), (1e-3, 1e-3)])
def test_masses_match_the_formula(design, prior):
    table = beta_binomial_yield(*design, *prior)
    expected = naive.beta_binomial_masses(*design, *prior)
    assert spread_out(table, design[0]) == pytest.approx(expected, abs=1e-12)
    counts = np.arange(-2.0, design[0] + 3)
    total = np.concatenate(([0, 0], np.cumsum(expected), [1, 1]))
    assert table.cdf(counts) == pytest.approx(total, abs=1e-11)
    assert table.cdf(counts + 0.5) == pytest.approx(total, abs=1e-11)  # nothing in between


@pytest.mark.slow
def test_large_tables_match_scipy():
    table = beta_binomial_yield(1_000_000, 100, 3, 0.5, 0.5)
    assert table.is_exact
    expected = stats.betabinom(999_900, 3.5, 97.5).pmf(table.positions - 3)
    # scipy's own gamma functions keep nine digits here
    assert table.masses == pytest.approx(expected, rel=1e-8, abs=1e-13)
    outside = stats.beta(3.5, 97.5).cdf(table.positions[[0, -1]] / 999_900)
    assert outside[0] + 1 - outside[1] < 1e-11


@pytest.mark.parametrize("prior", [(0.5, 0.5), (1.0, 1.0)])
@pytest.mark.parametrize("sampled", [100, 4000, 434_155])
def test_large_samples_of_one_kind_mirror_each_other(sampled, prior):
    """Where all sampled documents are relevant, products from the lower end would overflow."""
    relevant = beta_binomial_yield(749_784, sampled, sampled, *prior)
    other = beta_binomial_yield(749_784, sampled, 0, *prior)
    assert relevant.positions == pytest.approx(749_784 - other.positions[::-1], abs=0)
    assert relevant.masses == pytest.approx(other.masses[::-1], rel=1e-9, abs=1e-15)
    assert relevant.masses.sum() == pytest.approx(1, abs=1e-12)


def test_recall_of_a_large_stratum_that_is_all_relevant_is_computed():
    result = irbounds.recall(retrieved=(749_784, 434_155, 434_155), unretrieved=(1000, 100, 2))
    recall, elusion = (
        next(row for row in result if row.quantity == quantity)
        for quantity in ("recall", "elusion")
    )
    missed = 1000 * np.array([elusion.interval.high, elusion.interval.low])
    assert [*recall.interval] == pytest.approx(749_784 / (749_784 + missed), abs=1e-9)


@pytest.mark.parametrize("design", [(10**6, 100, 3), (10**6, 100, 0), (10**6, 20, 10)])
def test_joined_cells_match_single_counts(design):
    exact = beta_binomial_yield(*design, 0.5, 0.5)
    shared = beta_binomial_yield(*design, 0.5, 0.5, max_cells=1 << 16)
    assert not shared.is_exact
    assert len(shared.masses) <= 1 << 16
    ends = shared.edges[1:-1] - 1
    assert shared.cdf(ends) == pytest.approx(exact.cdf(ends), abs=1e-9)


@pytest.mark.parametrize("design", [(10**9, 100, 3), (10**9, 10**5, 300), (10**12, 1000, 500)])
def test_a_huge_population_keeps_its_mean(design):
    population, sampled, relevant = design
    table = beta_binomial_yield(*design, 0.5, 0.5)
    mean = relevant + (population - sampled) * (relevant + 0.5) / (sampled + 1)
    assert table.masses @ table.positions == pytest.approx(mean, rel=1e-9)


@pytest.mark.parametrize(("design", "digits"), [((2000, 100, 50), 9), ((2000, 100, 0), 9)])
def test_beta_cells_match_the_beta_distribution(design, digits):
    population, sampled, relevant = design
    table = beta_yield(*design)
    beta = stats.beta(0.5 + relevant, 0.5 + sampled - relevant)
    edges = (table.edges - relevant) / (population - sampled)
    assert table.cdf(table.edges) == pytest.approx(beta.cdf(edges), abs=10**-digits)
    mean = relevant + (population - sampled) * beta.mean()
    assert table.masses @ table.positions == pytest.approx(mean, rel=1e-9)


def test_census_has_a_known_yield():
    assert beta_yield(30, 30, 4).positions.tolist() == [4.0]
    assert beta_binomial_yield(30, 30, 4, 0.5, 0.5).positions.tolist() == [4.0]


def test_sum_of_strata_matches_convolution():
    designs = [(9, 3, 1), (6, 2, 0), (7, 7, 2), (5, 0, 0)]
    tables = [beta_binomial_yield(*design, 0.5, 0.5) for design in designs]
    together = sum_yields(tables)
    expected = naive.summed_masses(naive.beta_binomial_masses(*one, 0.5, 0.5) for one in designs)
    assert together.is_exact
    assert spread_out(together, sum(one[0] for one in designs)) == pytest.approx(
        expected, abs=1e-13
    )


def test_sum_of_long_strata_matches_direct_convolution():
    """The Fourier transform against plain multiplication."""
    tables = [beta_binomial_yield(900, 30, 4, 0.5, 0.5), beta_binomial_yield(800, 20, 0, 0.5, 0.5)]
    together = sum_yields(tables)
    plain = np.convolve(tables[0].masses, tables[1].masses)
    counts = together.positions - tables[0].positions[0] - tables[1].positions[0]
    assert together.masses == pytest.approx(plain[counts.astype(int)], abs=1e-14)


def test_sum_of_coarse_strata_is_close_to_the_exact_one():
    designs = [(300_000, 50, 4), (200_000, 40, 0), (5_000, 100, 30)]
    exact = sum_yields([beta_binomial_yield(*one, 0.5, 0.5) for one in designs])
    coarse = sum_yields(
        [beta_binomial_yield(*one, 0.5, 0.5, max_cells=4096) for one in designs], max_counts=4096
    )
    assert exact.is_exact
    assert not coarse.is_exact
    inside = exact.cdf(exact.positions)
    assert coarse.cdf(exact.positions) == pytest.approx(inside, abs=4e-5)


def test_sum_of_no_strata_is_zero():
    assert sum_yields([]).positions.tolist() == [0.0]


def test_non_integer_relevant_counts():
    """Plans feed fractional counts in."""
    low, middle, high = (beta_binomial_yield(1000, 100, r, 0.5, 0.5) for r in (3, 3.5, 4))
    means = [one.masses @ one.positions for one in (low, middle, high)]
    assert means[1] == pytest.approx((means[0] + means[2]) / 2)
    halves = np.arange(0, 1000.25, 0.5)
    upper = 1 - middle.cdf(halves)
    # not half a count off
    assert integrate.trapezoid(upper, halves) == pytest.approx(means[1], abs=0.01)
    assert low.cdf(np.array([60.0])) > middle.cdf(np.array([60.0])) > high.cdf(np.array([60.0]))


def test_coarsen_keeps_mass_and_mean():
    table = beta_binomial_yield(5000, 100, 20, 0.5, 0.5)
    fewer = table.coarsen(100)
    assert len(fewer.masses) <= 100
    assert fewer.masses.sum() == pytest.approx(1)
    assert fewer.masses @ fewer.positions == pytest.approx(table.masses @ table.positions)
    assert fewer.cdf(fewer.edges[1:-1] - 1) == pytest.approx(table.cdf(fewer.edges[1:-1] - 1))


def test_sum_of_hundreds_of_strata_in_any_order():
    """Tables are summed shortest first, whatever order they come in."""
    rng = np.random.default_rng(9)
    designs = [(int(N), 5, int(rng.integers(0, 6))) for N in rng.integers(6, 400, 300)]
    tables = [beta_binomial_yield(*design, 0.5, 0.5) for design in designs]
    together, backwards = sum_yields(tables), sum_yields(tables[::-1])
    mean = sum(r + (N - n) * (r + 0.5) / (n + 1) for N, n, r in designs)
    spread = sum(
        one.masses @ one.positions**2 - (one.masses @ one.positions) ** 2 for one in tables
    )
    assert together.is_exact
    assert together.masses @ together.positions == pytest.approx(mean, rel=1e-9)
    found = together.masses @ (together.positions - mean) ** 2
    assert found == pytest.approx(spread, rel=1e-8)
    counts = together.positions
    assert backwards.cdf(counts) == pytest.approx(together.cdf(counts), abs=1e-12)
