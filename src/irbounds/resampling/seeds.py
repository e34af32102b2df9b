"""Seeds and streams of random numbers.

A stream belongs to a purpose and a place (the number of a unit or a system), never to a thread, a
worker or a block of units. Each place has its own part of a counter-based generator (Philox), so
that any number of places, in any order, gives the same bits, and no draw can shift another.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError, quote
from ..validation import as_integer

Words = NDArray[np.uint64]
SeedLike = int | np.random.SeedSequence | np.random.Generator | None


class Purpose(IntEnum):
    """Purposes of random numbers, each with its own streams. Never renumber."""

    query_bootstrap = 1
    samples = 4
    corpus_images = 6
    recall_samples = 8
    recall_realisations = 9
    yield_draws = 10
    random_rankings = 11
    row_bootstrap = 13


def seed_sequence(rng: Any) -> np.random.SeedSequence:
    """Return ``rng`` as a seed of numpy; a generator gives 128 of its bits."""
    if rng is None:
        return np.random.SeedSequence()
    if isinstance(rng, np.random.SeedSequence):
        return rng
    if isinstance(rng, np.random.Generator):
        return np.random.SeedSequence(int.from_bytes(rng.bytes(16), "little"))
    number = as_integer(rng)
    if number is None or number < 0:
        raise ParameterError(
            "rng must be an integer of at least 0, a SeedSequence, a Generator or None; "
            f"got {quote(rng)}"
        )
    return np.random.SeedSequence(number)


def seed_number(rng: Any) -> int:
    """Return the integer that, as ``rng``, draws the same again; an integer is returned as is."""
    seed = seed_sequence(rng)
    if isinstance(seed.entropy, int) and not seed.spawn_key:
        return seed.entropy
    return int.from_bytes(seed.generate_state(4, np.uint32).tobytes(), "little")


def stream(seed: int, purpose: Purpose, *place: int) -> np.random.Generator:
    """Return the generator of one purpose and place (at most three integers)."""
    key, words = key_and_place(seed, purpose, *place)
    counter = np.concatenate([np.zeros(1, np.uint64), words])
    return np.random.Generator(np.random.Philox(key=key, counter=counter))


def key_and_place(seed: int, purpose: Purpose, *place: int) -> tuple[Words, Words]:
    """Return the key and the place of a stream, for kernels that compute its bits.

    Philox computes bits from a key and a counter. The key depends on the seed and the purpose, the
    place is in the three upper words of the counter, and each place has 2**64 draws of its own.
    """
    words = np.zeros(3, np.uint64)
    words[: len(place)] = place
    return _key(seed, purpose), words


@lru_cache(maxsize=64)
def _key(seed: int, purpose: Purpose) -> Words:
    key = np.random.SeedSequence(seed, spawn_key=(int(purpose),)).generate_state(2, np.uint64)
    return key.astype(np.uint64)
