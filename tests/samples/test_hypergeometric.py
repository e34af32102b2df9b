"""The hypergeometric distribution against exact fractions and scipy."""

from __future__ import annotations

import pytest
from scipy import stats

import naive
from irbounds.samples.hypergeometric import hypergeometric_cdf, hypergeometric_masses


def test_hypergeometric_matches_fractions_and_scipy():
    for population, relevant, sampled in ((9, 4, 3), (9, 0, 3), (9, 9, 3), (5, 3, 5), (40, 20, 31)):
        first, masses = hypergeometric_masses(population, relevant, sampled)
        for place, mass in enumerate(masses):
            twin = naive.hypergeometric_mass(first + place, population, relevant, sampled)
            assert mass == pytest.approx(float(twin), rel=1e-13)
    for count, *design in ((3, 10**6, 900, 2500), (40, 10**5, 40_000, 100), (0, 8, 2, 3)):
        found = hypergeometric_cdf(count, *design)
        assert found == pytest.approx(float(stats.hypergeom.cdf(count, *design)), rel=1e-9)
    assert hypergeometric_cdf(-1, 8, 2, 3) == 0
    assert hypergeometric_cdf(2, 8, 2, 3) == 1
