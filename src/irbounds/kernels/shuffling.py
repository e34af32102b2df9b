"""Shuffle the scores of each query among the systems, and add up what each system got.

Fisher and Yates's shuffle, one 32-bit number a swap: a place among k is the upper half of the
product of number and k. The k places share 2**32 numbers, so their chances differ by at most
2**-32: for a thousand systems, by less than one in four million of their size.
"""

from __future__ import annotations

import numpy as np

from .jit import jit


@jit
def add_shuffled(rows: np.ndarray, words: np.ndarray, sums: np.ndarray) -> None:
    """Add to ``sums`` (draw x system) the scores of each query, shuffled anew for each draw.

    ``rows`` is query x system and is shuffled in place: any order to begin with gives every order
    with the same chance. ``words`` is query x draw x word, 64 random bits a word for two swaps.
    """
    n_queries, n_systems = rows.shape
    half, lower = np.uint64(32), np.uint64(0xFFFFFFFF)
    for q in range(n_queries):
        for r in range(sums.shape[0]):
            for swap in range(n_systems - 1):
                word = words[q, r, swap >> 1]
                number = word >> half if swap & 1 else word & lower
                last = n_systems - 1 - swap
                place = np.intp((number * np.uint64(last + 1)) >> half)
                value = rows[q, place]
                rows[q, place] = rows[q, last]
                rows[q, last] = value
                sums[r, last] += value
            sums[r, 0] += rows[q, 0]
