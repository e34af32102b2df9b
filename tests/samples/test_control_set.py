"""Splits of a control set that are hardly random."""

from __future__ import annotations

import pytest

import naive
from irbounds.samples.control_set import MIN_PROBABILITY, implausible_split


def test_an_implausible_split_names_the_expected_and_the_given_number():
    assert implausible_split(100_000, 1500, 5000, 200) == (
        "of 1,500 documents drawn at random from 100,000, about 75 are expected among the 5,000 "
        "retrieved ones, but 200 are given: is this one random sample of the whole corpus?"
    )
    assert "but 20 are given" in implausible_split(100_000, 1500, 5000, 20)


@pytest.mark.parametrize("count", [60, 75, 90])
def test_a_plausible_split_has_no_warning(count):
    assert implausible_split(100_000, 1500, 5000, count) is None


@pytest.mark.parametrize(
    ("population", "sampled", "part"), [(50, 15, 20), (60, 15, 15), (40, 40, 7), (50, 9, 50)]
)
def test_the_threshold_is_a_two_sided_tail(population, sampled, part):
    counts = range(max(0, sampled + part - population), min(sampled, part) + 1)
    masses = {k: naive.hypergeometric_mass(k, population, part, sampled) for k in counts}
    for count in counts:
        below = sum(mass for k, mass in masses.items() if k <= count)
        above = sum(mass for k, mass in masses.items() if k >= count)
        is_implausible = 2 * min(below, above) < MIN_PROBABILITY
        assert (implausible_split(population, sampled, part, count) is not None) == is_implausible
