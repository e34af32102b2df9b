"""Compiled loop of the sign-flip test: count signed sums without enumerating them.

The 2**m sums of m numbers with every choice of signs are the sums of two halves, with 2**(m/2)
values each. Both halves are built in rising order, and one pass over both counts the pairs.
"""

from __future__ import annotations

import numpy as np

from ..kernels.jit import jit


@jit
def count_signed_sums(
    rows: np.ndarray, thresholds: np.ndarray, max_size: int, counts: np.ndarray
) -> None:
    """Count for each row the signed sums of its numbers other than 0 that reach its threshold.

    No row has more than ``max_size`` such numbers.
    """
    size = 1 << ((max_size + 1) // 2)
    left, right, spare = np.empty(size), np.empty(size), np.empty(size)
    values = np.empty(max_size)
    for k in range(rows.shape[0]):
        n = 0
        for value in rows[k]:
            if value != 0:
                values[n] = abs(value)
                n += 1
        n_left = _write_signed_sums(values[: n // 2], left, spare)
        n_right = _write_signed_sums(values[n // 2 : n], right, spare)
        counts[k] = _count_reaching(left[:n_left], right[:n_right], thresholds[k])


@jit
def _write_signed_sums(values: np.ndarray, sums: np.ndarray, spare: np.ndarray) -> int:
    """Write all signed sums in rising order; return their number."""
    sums[0] = 0.0
    size = 1
    for value in values:
        # merge all sums minus the value with all sums plus the value; the upper half mirrors the
        # lower half, in which neither list ends
        low, high = 0, 0
        for place in range(size):
            less, more = sums[low] - value, sums[high] + value
            take = less <= more
            smaller = less if take else more
            low += take
            high += not take
            spare[place] = smaller
            spare[2 * size - 1 - place] = -smaller
        size *= 2
        sums[:size] = spare[:size]
    return size


@jit
def _count_reaching(left: np.ndarray, right: np.ndarray, threshold: float) -> int:
    """Count pairs of a left and a right value whose sum reaches the threshold; both are rising."""
    count = 0
    first = right.size
    for value in left:
        while first > 0 and value + right[first - 1] >= threshold:
            first -= 1
        count += right.size - first
    return count
