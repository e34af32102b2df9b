"""Tables of yields and the limits of recall from them, against scipy and enumeration."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

import naive
from irbounds.samples._kernels import (
    empty_tables,
    find_limits,
    tabulate_beta,
    tabulate_beta_binomial,
)

PROBABILITIES = np.array([0.025, 0.3, 0.975])


def tables_of(population, sampled, relevant, alpha=0.5, cells=256, tabulate=tabulate_beta_binomial):
    relevant = np.atleast_1d(np.asarray(relevant, dtype=float))
    tables = empty_tables(len(relevant), cells)
    tabulate(population - sampled, float(sampled), relevant, alpha, alpha, tables)
    return tables


def limits_of(retrieved, unretrieved, truth=0.5, tolerance=1e-9):
    pairs = np.array([(0, 0)])
    at_most, below, limits = np.zeros(1), np.zeros(1), np.zeros((1, 3))
    find_limits(
        retrieved, unretrieved, pairs, truth, PROBABILITIES, tolerance, at_most, below, limits
    )
    return at_most[0], below[0], limits[0]


# tables


@pytest.mark.parametrize("alpha", [0.3, 0.5, 1.0])
@pytest.mark.parametrize(
    ("population", "sampled", "relevant"),
    [
        (30, 10, 4),  # a cell a count
        (30, 30, 4),  # nothing left
        (30, 0, 0),  # nothing sampled: the prior
        (3_000, 40, 0),
        (3_000, 40, 40),
        (200_000, 10, 0),  # wide cells, the steepest weights there are
        (200_000, 12, 12),
        (200_000, 9, 5),
        (200_000, 5_000, 130),
    ],
)
def test_masses_and_moments_of_the_beta_binomial(population, sampled, relevant, alpha):
    tables = tables_of(population, sampled, relevant, alpha)
    size = tables.sizes[0]
    edges = tables.edges[0, : size + 1].astype(int)
    left = population - sampled
    twin = stats.betabinom(left, alpha + relevant, alpha + sampled - relevant)
    below = np.concatenate([[0], np.cumsum(np.exp(twin.logpmf(np.arange(left + 1))))])
    exact = edges[-1] - edges[0] == size
    close = 1e-9 if exact else 4e-6  # what is beyond the range is up to 1e-10 of the peak
    assert (np.diff(edges) >= 1).all()
    assert tables.masses[0, :size] == pytest.approx(np.diff(below[edges]), abs=close)
    assert tables.cumulative[0, : size + 1] == pytest.approx(below[edges], abs=close)
    assert tables.moments[0, 0] == pytest.approx(relevant + twin.mean(), rel=1e-5)
    assert tables.moments[0, 1] == pytest.approx(twin.var(), rel=1e-3)  # cells have no width in it
    if edges[0] == 0:
        assert edges[1] == 1  # nothing relevant is a cell of its own
        assert tables.masses[0, 0] == pytest.approx(below[1], abs=1e-9, rel=1e-4)


@pytest.mark.parametrize(("sampled", "relevant"), [(10, 0), (10, 10), (40, 7), (5_000, 20)])
def test_masses_and_moments_of_the_beta(sampled, relevant):
    left = 60_000
    tables = tables_of(left + sampled, sampled, relevant, tabulate=tabulate_beta)
    size = tables.sizes[0]
    twin = stats.beta(0.5 + relevant, 0.5 + sampled - relevant)
    below = twin.cdf(tables.edges[0, : size + 1] / left)
    assert tables.cumulative[0, :size] == pytest.approx(below[:-1], abs=1e-8)
    assert tables.moments[0, 0] == pytest.approx(relevant + left * twin.mean(), rel=1e-7)
    assert not tables.whole[0]
    assert tables_of(40, 40, 7, tabulate=tabulate_beta).whole[0]


# limits


def designs(n):
    rng = np.random.default_rng(7)
    for _ in range(n):
        both = []
        for _ in range(2):
            population = int(rng.integers(1, 30))
            sampled = int(rng.integers(0, population + 1))
            both.append((population, sampled, int(rng.integers(0, sampled + 1))))
        yield both[0], both[1], float(rng.choice([0.4, 0.5, 1.0]))


@pytest.mark.parametrize(("retrieved", "unretrieved", "alpha"), list(designs(60)))
def test_limits_match_enumeration_of_yields(retrieved, unretrieved, alpha):
    masses = [naive.beta_binomial_masses(*one, alpha, alpha) for one in (retrieved, unretrieved)]
    values, shares = naive.value_distribution(
        *masses, lambda r1, r0: Fraction(r1, r1 + r0) if r1 + r0 else None
    )
    tables = tables_of(*retrieved, alpha), tables_of(*unretrieved, alpha)
    if not values:
        assert np.isnan(limits_of(*tables)[2]).all()
        return
    up_to = np.cumsum(shares)
    for k in {0, len(values) // 3, len(values) // 2, len(values) - 1}:
        at_most, below, limits = limits_of(*tables, float(values[k]))
        assert at_most == pytest.approx(up_to[k], abs=1e-9)
        # the atom itself is in the one and not in the other
        assert below == pytest.approx(up_to[k] - shares[k], abs=1e-9)
    expected = [float(naive.discrete_quantile(values, shares, p)) for p in PROBABILITIES]
    assert limits == pytest.approx(expected, abs=2e-9)
    assert (limits >= np.array(expected) - 1e-14).all()  # never before the probability is reached


def test_single_counts_with_wide_cells_in_either_segment():
    """The sum runs over single counts, wherever these are; the other way would be coarse."""
    few, many = (60, 20, 9), (300_000, 500, 30)
    for retrieved, unretrieved in ((few, many), (many, few)):
        exact = [
            stats.betabinom(N - n, 0.5 + r, 0.5 + n - r) for N, n, r in (retrieved, unretrieved)
        ]
        masses = [np.exp(d.logpmf(np.arange(d.args[0] + 1))) for d in exact]
        r1, r0 = retrieved[2], unretrieved[2]
        small = tables_of(*retrieved), tables_of(*unretrieved)
        for truth in (0.001, 0.004, 0.99, 0.997):
            reach = truth / (1 - truth) * (r0 + np.arange(len(masses[1]))) - r1
            cumulative = np.concatenate([[0], np.cumsum(masses[0])])
            places = np.clip(np.floor(reach) + 1, 0, len(masses[0])).astype(int)
            expected = float(masses[1] @ cumulative[places])
            assert limits_of(*small, truth)[0] == pytest.approx(expected, abs=2e-5)


def test_more_cells_are_more_accurate():
    """Some 0.00001 with 256 cells, four times that with 128; 32, the control, are too few."""
    wanted = (400_000, 900, 400), (2_000_000, 1_500, 60)
    fine = limits_of(*(tables_of(*one, cells=8192) for one in wanted))[2]
    for cells, nearest, farthest in ((256, 0, 2e-5), (128, 0, 8e-5), (32, 2e-4, 1)):
        off = np.abs(limits_of(*(tables_of(*one, cells=cells) for one in wanted))[2] - fine).max()
        assert nearest <= off < farthest


def test_known_yields_and_empty_segments():
    known, other = tables_of(40, 40, 10), tables_of(90, 90, 30)
    at_most, below, limits = limits_of(known, other, 0.25)
    assert (at_most, below) == (1, 0)
    assert limits == pytest.approx(0.25, abs=1e-9)
    as_beta = [tables_of(N, N, r, tabulate=tabulate_beta) for N, r in ((40, 10), (90, 30))]
    assert limits_of(*as_beta, 0.25)[:2] == (1, 0)
    nothing = tables_of(0, 0, 0)
    assert limits_of(known, nothing, 1.0)[:2] == (1, 0)
    assert limits_of(known, nothing)[2] == pytest.approx(1)
    assert limits_of(nothing, known)[2] == pytest.approx(0, abs=1e-9)
    assert limits_of(nothing, known, 0.0)[:2] == (1, 0)
    assert np.isnan(limits_of(nothing, nothing)[2]).all()
