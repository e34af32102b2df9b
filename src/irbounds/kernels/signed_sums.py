"""Count signed sums without listing them all.

The 2**m sums of m numbers with every choice of signs are the sums of two halves, 2**(m/2) values
each. Both halves are built in order, and two fingers that only move one way count the pairs.
"""

from __future__ import annotations

import numpy as np

from .jit import jit


@jit
def count_signed_sums(
    rows: np.ndarray, thresholds: np.ndarray, most: int, counts: np.ndarray
) -> None:
    """For each row, how many signed sums of its numbers other than 0 reach its threshold.

    No row has more than ``most`` such numbers.
    """
    room = 1 << ((most + 1) // 2)
    left, right, spare = np.empty(room), np.empty(room), np.empty(room)
    values = np.empty(most)
    for k in range(rows.shape[0]):
        n = 0
        for value in rows[k]:
            if value != 0:
                values[n] = abs(value)
                n += 1
        n_left = _signed_sums(values[: n // 2], left, spare)
        n_right = _signed_sums(values[n // 2 : n], right, spare)
        counts[k] = _count_reaching(left[:n_left], right[:n_right], thresholds[k])


@jit
def _signed_sums(values: np.ndarray, sums: np.ndarray, spare: np.ndarray) -> int:
    """Write all signed sums, least first; returns how many."""
    sums[0] = 0.0
    size = 1
    for value in values:
        # merge all sums less the value with all sums plus the value; the upper half mirrors the
        # lower one, in which neither side can run out
        low, high = 0, 0
        for place in range(size):
            less, more = sums[low] - value, sums[high] + value
            take = less <= more
            least = less if take else more
            low += take
            high += not take
            spare[place] = least
            spare[2 * size - 1 - place] = -least
        size *= 2
        sums[:size] = spare[:size]
    return size


@jit
def _count_reaching(left: np.ndarray, right: np.ndarray, threshold: float) -> int:
    """Pairs of a left and a right value whose sum is at least the threshold; both least first."""
    count = 0
    first = right.size
    for value in left:
        while first > 0 and value + right[first - 1] >= threshold:
            first -= 1
        count += right.size - first
    return count
