"""Compiled loops of interval methods: quantiles of rows that are sorted only as far as needed."""

from __future__ import annotations

import numpy as np

from ..kernels.jit import jit

SAMPLE = 64  # first elements of a row, which a threshold is estimated from
SPARE = 16  # elements that are kept besides twice those that are needed
FEW_STEPS = 6  # halvings before the elements of an interval are looked at
MANY_STEPS = 20  # halvings that bring an interval of any size near to a threshold
ALL_EQUAL = -1  # in place of a number of elements, where a row has no quantiles
LANES = 16  # sums of a row that are added up side by side
MAGNITUDE = np.int64(2**63 - 1)  # all bits of a double but its sign

# Quantiles without sorting
#
# A double has a key, an integer of 64 bits with the same order. The smallest keys of a row are
# kept unsorted: those up to a threshold, which is estimated from the first elements, since the
# elements of a row are in random order. An order statistic is found among them by halving an
# interval of keys and counting those below, until all keys in the interval are equal. This takes
# few branches that a processor cannot predict, unlike sorting. The largest elements are the
# smallest of the complements of all keys.


@jit
def interpolate_rows(
    rows: np.ndarray,
    places: np.ndarray,
    ends: np.ndarray,
    n_kept: np.ndarray,
    quantiles: np.ndarray,
) -> None:
    """Write the value at a place between order statistics of each row to ``quantiles``.

    ``ends`` (2 x row x element) keeps the keys of the smallest and of the largest elements of each
    row, ``n_kept`` (2 x row) their numbers. Both are written here, and used by later calls. Rows of
    equal elements have no quantiles.
    """
    last = rows.shape[1] - 1
    for r in range(rows.shape[0]):
        if n_kept[0, r] == 0 and n_kept[1, r] == 0 and _is_equal(rows[r]):
            n_kept[0, r] = ALL_EQUAL
        if n_kept[0, r] == ALL_EQUAL or np.isnan(places[r]):
            quantiles[r] = np.nan
            continue
        below = int(places[r])
        fraction = places[r] - below
        upper = below if fraction == 0 else min(below + 1, last)
        is_high = 2 * below > last
        end, flip = (1, np.int64(-1)) if is_high else (0, np.int64(0))
        first = last - upper if is_high else below
        n_needed = first + upper - below + 1
        if n_kept[end, r] < n_needed:
            n_kept[end, r] = keep_smallest(rows[r], flip, n_needed, ends[end, r])
        a, b = select_two(ends[end, r, : n_kept[end, r]], first)
        if is_high and upper > below:
            a, b = b, a
        low, high = value_of(a ^ flip), value_of(b ^ flip)
        quantiles[r] = _interpolate(low, low if fraction == 0 else high, fraction)


@jit
def _is_equal(row: np.ndarray) -> bool:
    for i in range(1, row.size):
        if row[i] != row[0]:
            return False
    return True


@jit
def value_of(key: np.int64) -> float:
    """Return the double of a key."""
    buffer = np.empty(1, np.int64)
    buffer[0] = key if key >= 0 else key ^ MAGNITUDE
    return buffer.view(np.float64)[0]


@jit
def _interpolate(low: float, high: float, fraction: float) -> float:
    """Return the value between two neighbours, which may be infinite."""
    if low == high or fraction == 0 or np.isinf(low):
        return low
    if np.isinf(high):
        return high
    step = high - low
    return low + step * fraction if fraction < 0.5 else high - step * (1 - fraction)


@jit
def keep_smallest(row: np.ndarray, flip: np.int64, n_needed: int, kept: np.ndarray) -> int:
    """Write the keys of the smallest elements to ``kept``, or of the largest; return their number.

    ``flip`` is -1, all bits, for the largest.
    """
    n = row.size
    bits = row.view(np.int64)
    keys = np.empty(n, np.int64)
    for i in range(n):
        keys[i] = bits[i] ^ ((bits[i] >> np.int64(63)) & MAGNITUDE) ^ flip
    n_seen = min(n, SAMPLE)
    rank = (2 * n_needed + SPARE) * n_seen // n + 1
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
    """Return the key number ``first`` in rising order, from 0, and the next one, if there is one."""
    low, high = -MAGNITUDE, MAGNITUDE  # at most ``first`` keys are <= low, more are <= high
    smallest, largest = _extent(keys, low, high)
    step = 0
    while smallest != largest:
        low, high = max(low, smallest - 1), min(high, largest)
        middle = _middle(low, high)
        if _count_up_to(keys, middle) > first:
            high = middle
        else:
            low = middle
        step += 1
        if step > FEW_STEPS:
            smallest, largest = _extent(keys, low, high)
    if _count_up_to(keys, largest) > first + 1:
        return largest, largest
    return largest, _extent(keys, largest, MAGNITUDE)[0]


@jit
def _middle(low: np.int64, high: np.int64) -> np.int64:
    """Return half of a sum that may exceed 64 bits, rounded down."""
    one = np.int64(1)
    return (low >> one) + (high >> one) + (low & high & one)


@jit
def _count_up_to(keys: np.ndarray, high: np.int64) -> int:
    n = 0
    for i in range(keys.size):
        n += keys[i] <= high
    return n


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


@jit
def compute_odds(
    rows: np.ndarray, low: float, high: float, rounding: float, odds: np.ndarray
) -> None:
    """Write the odds of each element between two bounds; NaN where it is at a bound."""
    width = high - low
    for r in range(rows.shape[0]):
        for i in range(rows.shape[1]):
            fraction = (rows[r, i] - low) / width
            is_at_bound = (fraction < rounding) | (fraction > 1 - rounding)
            odds[r, i] = np.nan if is_at_bound else np.divide(fraction, 1 - fraction)


@jit
def fit_normal(
    rows: np.ndarray, means: np.ndarray, deviations: np.ndarray, n_missing: np.ndarray
) -> None:
    """Write the mean and the standard deviation (maximum likelihood) of the elements of each row.

    NaN are left out, and counted. Sums are added up in lanes, which a processor adds at once.
    """
    n = rows.shape[1]
    n_blocks = n // LANES
    sums = np.empty(LANES)
    for r in range(rows.shape[0]):
        blocks = rows[r, : n_blocks * LANES].reshape(n_blocks, LANES)
        rest = rows[r, n_blocks * LANES :]
        missing = 0
        for i in range(n):
            missing += np.isnan(rows[r, i])
        sums[:] = 0.0
        for b in range(n_blocks):
            for k in range(LANES):
                sums[k] += 0.0 if np.isnan(blocks[b, k]) else blocks[b, k]
        for k in range(rest.size):
            sums[k] += 0.0 if np.isnan(rest[k]) else rest[k]
        mean = np.divide(sums.sum(), n - missing)
        sums[:] = 0.0
        for b in range(n_blocks):
            for k in range(LANES):
                deviation = blocks[b, k] - mean
                sums[k] += 0.0 if np.isnan(deviation) else deviation * deviation
        for k in range(rest.size):
            deviation = rest[k] - mean
            sums[k] += 0.0 if np.isnan(deviation) else deviation * deviation
        means[r], n_missing[r] = mean, missing
        deviations[r] = np.sqrt(np.divide(sums.sum(), n - missing))


@jit
def count_below(rows: np.ndarray, centres: np.ndarray, counts: np.ndarray) -> None:
    """Write twice the number of elements of each row below its centre; a tie counts half."""
    for r in range(rows.shape[0]):
        n = 0
        for i in range(rows.shape[1]):
            n += (rows[r, i] < centres[r]) + np.intp(rows[r, i] <= centres[r])
        counts[r] = n


@jit
def divide_deviations(
    rows: np.ndarray, centres: np.ndarray, errors: np.ndarray, ratios: np.ndarray
) -> None:
    """Write the deviation of each element from the centre of its row, over its error.

    The ratio of a deviation of 0 and an error of 0 is 0.
    """
    for r in range(rows.shape[0]):
        for i in range(rows.shape[1]):
            ratio = np.divide(rows[r, i] - centres[r], errors[r, i])
            ratios[r, i] = 0.0 if np.isnan(ratio) else ratio
