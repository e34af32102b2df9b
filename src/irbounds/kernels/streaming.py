"""Resampled sums of a stream of queries, in any order: weights by name, sums in whole numbers.

In a resample each query counts as often as a Poisson number with mean 1 says, which the query's
name, the key and the resample's number determine and nothing else. A column holds whole numbers
below 2**39; doubles add up 4,096 of them, each times its weight, without rounding (below 2**53
unless those weights come to over 16,384: a chance below 1e-3000), and 64 bits of an integer what
comes of a stretch of queries. So the order of the queries changes no bit.

A Poisson number is found by inversion: sixteen bits are compared with the distribution function.
Where these leave open on which side of a step the number lies, or it is over 5, in one of 1,500
weights, another 53 bits decide: probabilities are right to 2**-53, the rounding of a double. All
bits come from SplitMix64, a stretch of its sequence for each query.
"""

from __future__ import annotations

import math

import numpy as np

from .dealing import STEP, mix, more_bits
from .jit import jit

BITS = 39  # of the whole numbers in a column
LANES = 64  # resamples side by side
WORDS = LANES * 16 // 64
QUERIES_AT_ONCE = 128  # their bits lie in the first-level cache
EXACT = 4096  # queries whose sums a double holds

MOST = 30  # P(over 30) is below 1e-34
UP_TO = np.cumsum([math.exp(-1) / math.factorial(j) for j in range(MOST)])
#: sixteen bits above mean over j, those below at most j; at these themselves more bits decide
STEP_0, STEP_1, STEP_2, STEP_3, STEP_4, STEP_5 = np.floor(65536 * UP_TO[:6]).astype(np.uint16)


@jit
def poisson(u: float) -> int:
    """The least c with u below P(at most c)."""
    c = 0
    while c < MOST and u >= UP_TO[c]:
        c += 1
    return c


@jit
def add_resamples(names: np.ndarray, columns: np.ndarray, key: np.uint64, sums: np.ndarray) -> None:
    """Add to ``sums`` (column x resample) each of ``columns`` (query x column) times its weights.

    Resamples are a multiple of 64, and counted from 0.
    """
    n, n_columns = columns.shape
    # all of these are made here, so that the compiler knows that none overlaps another
    words = np.empty((QUERIES_AT_ONCE, WORDS), np.uint64)
    bits = words.view(np.uint16)
    least = np.empty(LANES, np.uint8)
    most = np.empty(LANES, np.uint8)
    weights = np.zeros((4, LANES))
    part = np.zeros((n_columns, LANES))
    for lanes in range(sums.shape[1] // LANES):
        first = np.uint64(lanes * WORDS + 1)
        for begin in range(0, n, QUERIES_AT_ONCE):
            here = min(QUERIES_AT_ONCE, n - begin)
            for k in range(here):
                origin = mix(names[begin + k] ^ key) + first * STEP
                for j in range(WORDS):
                    words[k, j] = mix(origin + np.uint64(j) * STEP)
            for q in range(begin, begin + here, 4):
                four = min(4, begin + here - q)
                for k in range(four):
                    row = q - begin + k
                    for i in range(LANES):
                        u = bits[row, i]
                        low = (u > STEP_0) + (u > STEP_1) + (u > STEP_2)
                        least[i] = low + (u > STEP_3) + (u > STEP_4)
                        high = (u >= STEP_0) + (u >= STEP_1) + (u >= STEP_2)
                        most[i] = high + (u >= STEP_3) + (u >= STEP_4) + (u >= STEP_5)
                    differ = np.uint8(0)
                    for i in range(LANES):
                        differ |= least[i] ^ most[i]
                    if differ:
                        for i in range(LANES):
                            if least[i] != most[i]:
                                more = more_bits(names[q + k], key, lanes * LANES + i)
                                least[i] = poisson((bits[row, i] + more) / 65536.0)
                    for i in range(LANES):
                        weights[k, i] = least[i]
                for k in range(four, 4):
                    weights[k, :] = 0.0
                last = n - 1  # of weight 0 where there are no four left
                for c in range(n_columns):
                    a, b = columns[q, c], columns[min(q + 1, last), c]
                    d, e = columns[min(q + 2, last), c], columns[min(q + 3, last), c]
                    for i in range(LANES):
                        total = part[c, i] + weights[0, i] * a
                        total += weights[1, i] * b
                        total += weights[2, i] * d
                        part[c, i] = total + weights[3, i] * e
            if (begin + here) % EXACT == 0 or begin + here == n:
                for c in range(n_columns):
                    for i in range(LANES):
                        sums[c, lanes * LANES + i] += np.int64(part[c, i])
                        part[c, i] = 0.0


HALF = np.uint64(32)
LOWER = np.uint64(2**32 - 1)
DIGIT = np.uint64(20)  # bits of the lower part of a number
DIGITS = np.uint64(2**20 - 1)


@jit
def add_powers(numbers: np.ndarray, sums: np.ndarray) -> None:
    """Add first, second and third powers of ``numbers``, each below 2**39, to ``sums``.

    A number is a * 2**20 + b. ``sums`` has a row for each of a, b, aa, ab, bb, aaa, aab, abb and
    bbb, with the upper and the lower halves of 64 bits added up apart, so that nothing overflows.
    """
    for k in range(numbers.size):
        a, b = numbers[k] >> DIGIT, numbers[k] & DIGITS
        aa, ab, bb = a * a, a * b, b * b
        for place, term in enumerate((a, b, aa, ab, bb, aa * a, aa * b, a * bb, bb * b)):
            sums[place, 0] += term >> HALF
            sums[place, 1] += term & LOWER
