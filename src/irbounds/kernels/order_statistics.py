"""Order statistics of rows without sorting them.

A double has a key, an integer of 64 bits with the same order. The smallest keys of a row are kept
in any order: those up to a threshold, which is estimated from the first elements, since the
elements of a row are in random order. An order statistic is found among them by halving an interval
of keys and counting those below its middle, until all keys in the interval are equal. Unlike
sorting, this has few branches that a processor cannot predict, and loops that it runs on several
elements at once. The largest elements are the smallest of the complements of all keys.
"""

from __future__ import annotations

import numpy as np

from .jit import jit

SAMPLE = 64  # first elements of a row, which a threshold is estimated from
FEW_STEPS = 10  # halvings that separate most order statistics
MANY_STEPS = 20  # halvings that bring an interval of any size near to a threshold
ALL_EQUAL = -1  # in place of a number of elements, where a row has no quantiles
MAGNITUDE = np.int64(2**63 - 1)  # all bits of a double but its sign


@jit
def keep_ends(
    rows: np.ndarray, n_needed: int, n_wanted: int, ends: np.ndarray, n_kept: np.ndarray
) -> None:
    """Write the keys of the smallest and the largest elements of each row to ``ends``.

    ``ends`` is row x 2 x place. Of either end, at least ``n_needed`` are kept and about
    ``n_wanted``, or none if these are more than the places. The numbers are written to ``n_kept``
    (row x 2), or that all elements are equal.
    """
    keys = np.empty(rows.shape[1], np.int64)
    kept = np.empty(rows.shape[1], np.int64)
    for r in range(rows.shape[0]):
        if _is_equal(rows[r]):
            n_kept[r, :] = ALL_EQUAL
            continue
        bits = rows[r].view(np.int64)
        for i in range(keys.size):
            keys[i] = bits[i] ^ ((bits[i] >> np.int64(63)) & MAGNITUDE)
        for end in range(2):
            n = _keep_smallest(keys, n_needed, n_wanted, kept)
            n_kept[r, end] = n if n <= ends.shape[2] else 0
            ends[r, end, : n_kept[r, end]] = kept[: n_kept[r, end]]
            for i in range(keys.size):
                keys[i] = ~keys[i]


@jit
def interpolate_ends(
    ends: np.ndarray,
    n_kept: np.ndarray,
    n: int,
    places: np.ndarray,
    quantiles: np.ndarray,
    is_lacking: np.ndarray,
) -> None:
    """Write the value at a place between two order statistics of each row of n elements.

    ``is_lacking`` is True for the rows whose ends do not include the place.
    """
    last = n - 1
    for r in range(places.size):
        is_lacking[r] = False
        if n_kept[r, 0] == ALL_EQUAL or np.isnan(places[r]):
            quantiles[r] = np.nan
            continue
        below = int(places[r])
        fraction = places[r] - below
        upper = below if fraction == 0 else min(below + 1, last)
        if upper < n_kept[r, 0]:
            low, high = select_two(ends[r, 0, : n_kept[r, 0]], below)
        elif last - below < n_kept[r, 1]:
            high, low = select_two(ends[r, 1, : n_kept[r, 1]], last - upper)
            low, high = ~(high if upper == below else low), ~high
        else:
            is_lacking[r] = True
            continue
        quantiles[r] = _interpolate(_value_of(low), _value_of(high), fraction)


@jit
def _is_equal(row: np.ndarray) -> bool:
    for i in range(1, row.size):
        if row[i] != row[0]:
            return False
    return True


@jit
def _value_of(key: np.int64) -> float:
    """Return the double of a key."""
    bits = np.empty(1, np.int64)
    bits[0] = key if key >= 0 else key ^ MAGNITUDE
    return bits.view(np.float64)[0]


@jit
def _interpolate(low: float, high: float, fraction: float) -> float:
    """Return the value between two neighbours, which may be infinite."""
    if fraction == 0 or low == high or np.isinf(low):
        return low
    if np.isinf(high):
        return high
    step = high - low
    return low + step * fraction if fraction < 0.5 else high - step * (1 - fraction)


@jit
def _keep_smallest(keys: np.ndarray, n_needed: int, n_wanted: int, kept: np.ndarray) -> int:
    """Write the smallest keys to ``kept``, and return their number."""
    n = keys.size
    n_seen = min(n, SAMPLE)
    rank = n_wanted * n_seen // n + 1
    n_found = 0
    while n_found < n_needed:
        threshold = MAGNITUDE  # above any key
        if rank < n_seen:
            threshold = _estimate_threshold(keys[:n_seen], rank)
        n_found = 0
        for i in range(n):
            kept[n_found] = keys[i]
            n_found += keys[i] <= threshold
        rank *= 2
    return n_found


@jit
def _estimate_threshold(keys: np.ndarray, rank: int) -> np.int64:
    """Return a number that about ``rank`` keys do not exceed."""
    low, high = _extent(keys, -MAGNITUDE, MAGNITUDE)
    n_below = keys.size
    for _ in range(MANY_STEPS):
        if n_below == rank:
            break
        middle = _middle(low, high)
        n_middle = _count_up_to(keys, middle)
        if n_middle < rank:
            low = middle
        else:
            high, n_below = middle, n_middle
    return high


@jit
def select_two(keys: np.ndarray, first: int) -> tuple[np.int64, np.int64]:
    """Return key number ``first`` in rising order, from 0, and the next one if there is one."""
    low, high = _extent(keys, -MAGNITUDE, MAGNITUDE)
    low -= 1  # at most ``first`` keys are <= low, more are <= high
    n_high = keys.size
    step = 0
    while n_high > first + 1:
        step += 1
        if step > FEW_STEPS:  # equal keys, or some that are very close
            smallest, largest = _extent(keys, low, high)
            if smallest == largest:
                return largest, largest
            low, high = max(low, smallest - 1), largest
        middle = _middle(low, high)
        n_middle = _count_up_to(keys, middle)
        if n_middle > first:
            high, n_high = middle, n_middle
        else:
            low = middle
    return _neighbours(keys, high)


@jit
def _middle(low: np.int64, high: np.int64) -> np.int64:
    """Return half of a sum that may exceed 64 bits, rounded down."""
    return (low >> np.int64(1)) + (high >> np.int64(1)) + (low & high & np.int64(1))


@jit
def _count_up_to(keys: np.ndarray, high: np.int64) -> int:
    n = 0
    for i in range(keys.size):
        n += keys[i] <= high
    return n


@jit
def _neighbours(keys: np.ndarray, middle: np.int64) -> tuple[np.int64, np.int64]:
    """Return the largest key up to ``middle``, and the smallest one above."""
    below, above = -MAGNITUDE, MAGNITUDE
    for i in range(keys.size):
        key = keys[i]
        below = max(below, key if key <= middle else -MAGNITUDE)
        above = min(above, MAGNITUDE if key <= middle else key)
    return below, above


@jit
def _extent(keys: np.ndarray, low: np.int64, high: np.int64) -> tuple[np.int64, np.int64]:
    """Return the smallest and the largest of the keys above ``low`` and up to ``high``."""
    smallest, largest = MAGNITUDE, -MAGNITUDE
    for i in range(keys.size):
        key = keys[i]
        is_inside = (key > low) & (key <= high)
        smallest = min(smallest, key if is_inside else MAGNITUDE)
        largest = max(largest, key if is_inside else -MAGNITUDE)
    return smallest, largest
