"""Uniformly random choices without repetition, for many cells at once.

A cell chooses so many of its places 0, 1, ..., limit - 1. Few out of many are drawn with repetition
and what came twice is drawn again; many out of few are taken from shuffled places.

Why drawing again leaves every choice equally likely: nothing in the procedure knows one place from
another. Were the places of a cell renamed, the same draws under the new names would lead to the
renamed choice, and they are as likely as the old ones. So any two choices that renaming turns into
each other have the same probability; and that is any two of the same size. The same holds for
ordered choices, as long as which of several equal draws is kept depends on their numbers in the
sequence alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def distinct_places(generator: np.random.Generator, sizes: Ints, limits: Ints) -> Ints:
    """``sizes[c]`` of ``limits[c]`` places for each cell c, ascending, cell after cell."""
    cell, starts = _cells(sizes, limits)
    keys = starts[cell] + generator.integers(0, limits[cell])
    keys.sort(kind="stable")
    while True:
        again = np.flatnonzero(keys[1:] == keys[:-1])
        if not len(again):
            return keys - starts[cell]
        # keys are sorted by cell first, so the k-th key is still one of the k-th entry's cell
        keys[again] = starts[cell[again]] + generator.integers(0, limits[cell[again]])
        keys.sort(kind="stable")


def ordered_places(generator: np.random.Generator, sizes: Ints, limits: Ints) -> Ints:
    """The same in random order within each cell."""
    cell, starts = _cells(sizes, limits)
    places = generator.integers(0, limits[cell])
    while True:
        keys = starts[cell] + places
        order = np.argsort(keys, kind="stable")  # of equal draws the first in sequence is kept
        ascending = keys[order]
        again = order[1:][ascending[1:] == ascending[:-1]]
        if not len(again):
            return places
        places[again] = generator.integers(0, limits[cell[again]])


def shuffled_places(generator: np.random.Generator, sizes: Ints, limit: int) -> Ints:
    """Places as ``distinct_places`` gives them, for cells with the same limit."""
    chosen = generator.permuted(np.arange(limit) < sizes[:, None], axis=1)
    return np.nonzero(chosen)[1]


def _cells(sizes: Ints, limits: Ints) -> tuple[Ints, Ints]:
    """The cell of each entry, and a number before the places of each cell."""
    return np.repeat(np.arange(len(sizes)), sizes), np.cumsum(limits) - limits
