"""Seeds and streams of random numbers."""

from __future__ import annotations

import numpy as np
import pytest

from irbounds.errors import ParameterError
from irbounds.resampling.seeds import Purpose, seed_number, stream


def bits(*arguments):
    return stream(*arguments).integers(0, 2**64, size=4, dtype=np.uint64).tolist()


def test_streams_differ_by_seed_purpose_and_place():
    places = [(7, purpose, *place) for purpose in Purpose for place in [(), (1,), (0, 1), (1, 1)]]
    streams = {tuple(bits(*place)) for place in [*places, (8, Purpose.samples, 1)]}
    assert len(streams) == len(places) + 1
    assert bits(7, Purpose.samples, 3) == bits(7, Purpose.samples, 3)


def test_streams_do_not_overlap():
    """The counter of a place is above the words that its own draws use."""
    generator = stream(1, Purpose.samples, 0)
    generator.integers(0, 2**64, size=100_000, dtype=np.uint64)
    counter = generator.bit_generator.state["state"]["counter"]
    assert counter[0] < 2**20
    assert counter[1:].tolist() == [0, 0, 0]


def test_seed_number_reproduces_the_draws():
    for rng in (5, 2**130, np.int64(5), np.random.SeedSequence(9, spawn_key=(2,))):
        number = seed_number(rng)
        assert seed_number(number) == number
        assert seed_number(rng) == number
    assert seed_number(5) == 5
    assert seed_number(None) != seed_number(None)
    generator = np.random.default_rng(3)
    assert seed_number(generator) != seed_number(generator)
    assert seed_number(np.random.default_rng(3)) == seed_number(np.random.default_rng(3))
    assert seed_number(np.random.SeedSequence(9, spawn_key=(2,))) != seed_number(9)


@pytest.mark.parametrize("rng", [-1, 1.5, "7", True])
def test_wrong_seeds_are_errors(rng):
    with pytest.raises(ParameterError, match="rng must be an integer of at least 0"):
        seed_number(rng)
