"""Priors; the most conservative prior against Equation 20, its bounds and Figure 8."""

from __future__ import annotations

import itertools
import subprocess
import sys

import numpy as np
import pytest
from scipy import optimize, stats
from scipy.special import comb, xlogy

import naive
from irbounds.errors import DegenerateSampleWarning, ParameterError
from irbounds.samples.priors import (
    _beta_binomial,
    _bound_sizes,
    _entropies,
    _gain_slope,
    _maximise_gain,
    most_conservative_prior,
    parse_prior,
)

SIZES = [(5, 3), (12, 2), (12, 7), (12, 11), (25, 10), (40, 33)]


# the information gain


def information_gain(population, sampled, alpha):
    """The expected information gain about R in nats (Equation 20 with alpha = beta)."""
    counts, prior = _beta_binomial(sampled, alpha), _beta_binomial(population, alpha)
    return float(-xlogy(counts, counts).sum() - prior @ _entropies(population, sampled))


@pytest.mark.parametrize(("population", "sampled"), SIZES)
@pytest.mark.parametrize("alpha", [0.03, 0.3, 0.5, 1.0, 2.5])
def test_information_gain_matches_the_double_sum_of_the_paper(population, sampled, alpha):
    expected = naive.information_gain_as_printed(alpha, alpha, population, sampled)
    assert information_gain(population, sampled, alpha) == pytest.approx(expected, abs=1e-12)


def test_misprint_of_the_paper_gives_another_gain():
    """Negative control: with the binomial of n and x for that of N and k it is no information."""
    counts, yields = stats.betabinom(10, 0.5, 0.5), stats.betabinom(25, 0.5, 0.5)
    right = information_gain(25, 10, 0.5)
    wrong = right + yields.expect(lambda k: np.log(comb(25, k)))
    wrong -= counts.expect(lambda x: np.log(comb(10, x)))
    assert 0 < right < counts.entropy() < wrong  # a sample teaches no more than it holds


def test_entropies_match_scipy():
    for population, sampled in [(7, 3), (8, 5), (30, 1), (31, 29), (60, 30)]:
        expected = [
            stats.hypergeom(population, k, sampled).entropy() for k in range(population + 1)
        ]
        assert _entropies(population, sampled) == pytest.approx(expected, abs=1e-12)


def test_slope_matches_differences_of_the_gain():
    for (population, sampled), alpha in itertools.product(SIZES, (0.05, 0.4, 0.9)):
        step = 1e-5
        up, down = (information_gain(population, sampled, alpha + s) for s in (step, -step))
        found = _gain_slope(population, sampled, np.log(alpha), _entropies(population, sampled))
        assert found == pytest.approx((up - down) / (2 * step), abs=1e-6)


# its maximum


@pytest.mark.parametrize(("population", "sampled"), SIZES)
def test_most_conservative_prior_maximises_the_gain(population, sampled):
    found = optimize.minimize_scalar(
        lambda alpha: -naive.information_gain_as_printed(alpha, alpha, population, sampled),
        bounds=(1e-4, 2),
        method="bounded",
        options={"xatol": 1e-9},
    )
    # a maximum is flat: its place is known to the root of the sum's last digits
    assert most_conservative_prior(population, sampled) == pytest.approx(found.x, abs=2e-6)


def test_unequal_alpha_and_beta_have_no_larger_gain():
    """Alpha = beta is where Equation 20 is largest of all pairs, not only of equal ones."""
    best = most_conservative_prior(12, 7)
    top = naive.information_gain_as_printed(best, best, 12, 7)
    for alpha, beta in itertools.product(np.linspace(0.1, 1.2, 12), repeat=2):
        assert naive.information_gain_as_printed(alpha, beta, 12, 7) < top


def test_slope_changes_sign_once():
    """What bracketing takes for granted; the gain is not concave beyond its maximum."""
    grid = np.log(np.geomspace(1e-6, 1, 40))
    for population, sampled in [*SIZES, (1000, 2), (300, 299), (1000, 800)]:
        entropies = _entropies(population, sampled)
        slopes = np.array([_gain_slope(population, sampled, place, entropies) for place in grid])
        assert np.count_nonzero(np.diff(np.sign(slopes))) == 1
        assert slopes[0] > 0 > slopes[-1]
    beyond = [information_gain(12, 7, alpha) for alpha in (1.0, 2.0, 3.0)]
    assert beyond[0] + beyond[2] > 2 * beyond[1]


def test_maximum_is_between_0_and_1_for_small_sizes():
    for population in range(3, 25):
        for sampled in range(2, population):
            alpha = most_conservative_prior(population, sampled)
            gains = [information_gain(population, sampled, alpha * f) for f in (0.98, 1.0, 1.02)]
            assert 0.01 < alpha < 1
            assert gains[1] > max(gains[0], gains[2])


# Figure 8


@pytest.mark.parametrize("population", [20, 50, 100, 200, 500, 1000])
def test_alpha_at_four_fifths_sampled_is_slightly_below_a_half(population):
    assert 0.48 < most_conservative_prior(population, 0.8 * population) < 0.5


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.9, 0.95])
def test_alpha_of_a_fixed_fraction_converges(share):
    alphas = [most_conservative_prior(n, share * n) for n in (40, 100, 200, 400, 1000)]
    distances = np.abs(np.array(alphas) - 0.4884)
    assert (np.diff(distances) < 0).all()
    assert (alphas[-1] > 0.4884) == (share > 0.8)


def test_alpha_grows_with_the_fraction_sampled():
    alphas = [most_conservative_prior(100, n) for n in range(2, 101)]
    assert (np.diff(alphas) > 0).all()


# bounds, ends and speed


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ((1000, 500), (1000, 500)),
        ((10**9, 20), (1000, 20)),
        ((10**6, 5000), (1000, 800)),
        ((5000, 4800), (1000, 800)),
        ((5000, 4801), (1000, 801)),
        ((5000, 4999), (1000, 999)),
        ((900, 850), (900, 850)),
        ((1000, 900), (1000, 900)),
    ],
)
def test_large_sizes_are_bounded_as_in_the_paper(given, used):
    assert _bound_sizes(*given) == used
    assert most_conservative_prior(*given) == most_conservative_prior(*used)


def test_one_sampled_document_warns():
    said = (
        r"^1 document sampled of 2,500: the most conservative prior would be 0, which is certain "
        r"that the other documents are like this one; 0\.5 is used instead$"
    )
    for _ in range(2):  # a remembered answer warns as well
        with pytest.warns(DegenerateSampleWarning, match=said):
            assert most_conservative_prior(2500, 1) == 0.5


def test_gain_of_one_document_grows_towards_alpha_0():
    gains = [information_gain(50, 1, alpha) for alpha in (1e-5, 1e-3, 0.1, 1.0)]
    assert gains == sorted(gains, reverse=True)
    assert gains[0] == pytest.approx(np.log(2), abs=1e-3)


def test_prior_of_no_sample_and_of_a_full_sample():
    assert most_conservative_prior(100, 0) == 0.5
    assert most_conservative_prior(0, 0) == 0.5
    assert [most_conservative_prior(n, n) for n in (1, 2, 30, 5000)] == [1.0] * 4
    uniform, other = (stats.betabinom(30, a, a).entropy() for a in (1.0, 0.9))
    assert uniform > other  # the gain is all of the prior's entropy


def test_counts_are_rounded():
    assert most_conservative_prior(99.6, 39.8) == most_conservative_prior(100, 40)


def test_prior_is_cached():
    before = _maximise_gain.cache_info().hits
    most_conservative_prior(321, 123)
    most_conservative_prior(321, 123)
    assert _maximise_gain.cache_info().hits > before


def test_priors_do_not_import_scipy_stats():
    code = (
        "import sys, irbounds.samples.priors as m; m.most_conservative_prior(100, 9); "
        "print([x for x in ('numba', 'polars', 'scipy.stats', 'scipy.optimize') "
        "if x in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"


@pytest.mark.parametrize(
    ("value", "name", "pair"),
    [
        (None, "0.5", (0.5, 0.5)),
        (0.5, "0.5", (0.5, 0.5)),
        ("0.5", "0.5", (0.5, 0.5)),
        ("uniform", "uniform", (1.0, 1.0)),
        ("1, 3", "1,3", (1.0, 3.0)),
        ("0.5,2", "0.5,2", (0.5, 2.0)),
    ],
)
def test_parse_prior(value, name, pair):
    prior = parse_prior(value)
    assert (prior.name, prior.of(100, 10)) == (name, pair)


@pytest.mark.parametrize("value", ["jeffrey", 0, -1, (1, 2, 3), float("nan"), True, "1,2,3", [0.5]])
def test_parse_prior_rejects_invalid_priors(value):
    with pytest.raises(ParameterError, match="prior must be 'uniform', 'most-conservative'"):
        parse_prior(value)
