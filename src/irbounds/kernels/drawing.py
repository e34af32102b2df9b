"""Draw queries with replacement, with the bits that numpy's Philox gives.

Philox (Salmon, Moraes, Dror and Shaw 2011) turns a key and a counter into bits: ten rounds of two
multiplications, no state to carry along. Here it is written out, so that a whole unit of resamples
is drawn without the interpreter: numpy needs a generator for each unit, which takes longer than the
unit's draws where queries are few, and the interpreter's lock all the while.

A number below n comes from 32 bits by one multiplication (Lemire 2019); a few products are drawn
again, so that every number is equally likely. Both are what ``Generator.integers`` does, and a test
holds them together, so that a stream means the same wherever it is read.
"""

from __future__ import annotations

import numpy as np

from .jit import jit

ROUNDS = 10
#: the multipliers of Philox4x64, and what is added to its key after a round
FIRST = np.uint64(0xD2E7470EE14C6C93)
SECOND = np.uint64(0xCA5A826395121157)
FIRST_STEP = np.uint64(0x9E3779B97F4A7C15)
SECOND_STEP = np.uint64(0xBB67AE8584CAA73B)

HALF = np.uint64(32)
LOWER = np.uint64(0xFFFFFFFF)
WORDS = 256  # that are made at a time


@jit
def upper_half(a: np.uint64, b: np.uint64) -> np.uint64:
    """The upper 64 bits of a product of 128."""
    middle = ((a & LOWER) * (b & LOWER) >> HALF) + (a >> HALF) * (b & LOWER)
    other = (middle & LOWER) + (a & LOWER) * (b >> HALF)
    return (a >> HALF) * (b >> HALF) + (middle >> HALF) + (other >> HALF)


@jit
def fill_words(key: np.ndarray, place: np.ndarray, first: int, words: np.ndarray) -> None:
    """What Philox makes of the counters of a place from ``first`` on: four words each."""
    for n in range(words.size // 4):
        k, j = key[0], key[1]
        a, b, c, d = np.uint64(first + n), place[0], place[1], place[2]
        for _ in range(ROUNDS):
            upper, lower = upper_half(FIRST, a), FIRST * a
            other_upper, other_lower = upper_half(SECOND, c), SECOND * c
            a, b, c, d = other_upper ^ b ^ k, other_lower, upper ^ d ^ j, lower
            k += FIRST_STEP
            j += SECOND_STEP
        words[4 * n], words[4 * n + 1], words[4 * n + 2], words[4 * n + 3] = a, b, c, d


@jit
def count_unit(key: np.ndarray, place: np.ndarray, rows: np.ndarray) -> None:
    """Add to ``rows`` (resample x query) how often each query is drawn by a unit's resamples."""
    words = np.empty(WORDS, np.uint64)
    pieces = words.view(np.uint32)
    used, filled = pieces.size, 1  # a generator's first counter is 1
    n = np.uint64(rows.shape[1])
    least = ((LOWER + np.uint64(1)) - n) % n  # of a product's lower half; others are one too many
    for r in range(rows.shape[0]):
        n_drawn = 0
        while n_drawn < rows.shape[1]:
            if used == pieces.size:
                fill_words(key, place, filled, words)
                filled += WORDS // 4
                used = 0
            product = np.uint64(pieces[used]) * n
            used += 1
            if product & LOWER >= least:
                rows[r, product >> HALF] += 1
                n_drawn += 1


@jit
def count_drawn(key: np.ndarray, place: np.ndarray, unit: int, counts: np.ndarray) -> None:
    """Write to ``counts`` (query x resample) how often each query is drawn in each resample.

    ``place`` is the first unit's, in the three upper words of the counter; units of ``unit``
    resamples follow each other in its first word.
    """
    n, n_resamples = counts.shape
    here = place.copy()
    rows = np.empty((unit, n), np.int8)  # where a resample's queries lie side by side
    for begin in range(0, n_resamples, unit):
        n_here = min(unit, n_resamples - begin)
        rows[:, :] = 0
        count_unit(key, here, rows[:n_here])
        for q in range(n):
            for r in range(n_here):
                counts[q, begin + r] = rows[r, q]
        here[0] += np.uint64(1)
