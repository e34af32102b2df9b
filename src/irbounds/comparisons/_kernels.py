"""Compiled loops of the sign-flip test: count signed sums without enumerating them.

The 2**m sums of m numbers with every choice of signs are the sums of two halves, with 2**(m/2)
values each. Both halves are built in rising order, and one pass over both counts the pairs. For
more numbers, sums are counted on a grid, between bounds.
"""

from __future__ import annotations

import numpy as np

from ..kernels.jit import jit

MIN_UNIT = 1e-6  # of the largest number: the smallest unit that is looked for
EUCLID_TOLERANCE = 1e-7  # of the largest number
NEWTON_STEPS = 10  # for a tilt, which need not be accurate
EXPONENT = 16.0  # of bounds of rounding errors
MARGIN = 1e-6  # of a step of the grid: more than the error of floating-point sums


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
        counts[k] = 0
        first = n_right  # of the right sums that reach the threshold with a left one; both rise
        for value in left[:n_left]:
            while first > 0 and value + right[first - 1] >= thresholds[k]:
                first -= 1
            counts[k] += n_right - first


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
def bound_tails(rows: np.ndarray, slack: np.ndarray, size: int, tails: np.ndarray) -> None:
    """Bound for each row the fraction of its signed sums that are at least its own sum.

    A sum reaches the row's own sum if the numbers with a negative sign add up to at most a limit:
    the absolute sum of the row's negative numbers, and its ``slack`` for rounding. These subsets
    are counted on a grid of ``size`` steps from 0 to the limit, with every number rounded to a
    multiple of the step. ``bound_errors`` bounds the rounding errors of subsets, so that the
    counts at points below and above the limit bound the fraction. The estimate is the count at the
    limit plus the mean error, interpolated. If all numbers are multiples of a unit and the limit is
    at most ``size`` units, the step is the unit and the count exact.

    The subsets with as many of each value as the row has negative are known to reach the limit, and
    are counted separately.

    ``tails`` is row x (low, estimate, high).
    """
    n = rows.shape[1]
    fractions, spare = np.empty(size + n + 2), np.empty(size + n + 2)
    for k in range(rows.shape[0]):
        limit = slack[k]
        for value in rows[k]:
            if value < 0:
                limit -= value
        row = rows[k][(rows[k] != 0) & (np.abs(rows[k]) <= limit)]  # others are in no subset
        row = row[np.argsort(np.abs(row))]
        scale = 0.5 ** (np.count_nonzero(rows[k]) - row.size)
        unit = find_unit(rows[k], slack[k] / n)
        is_exact = limit <= size * unit
        step = unit if is_exact else limit / size
        steps = np.abs(row) / step
        weights = np.floor(steps + 0.5).astype(np.int64)
        observed = weights[row < 0].sum()
        place = observed + 0.5 if is_exact else limit / step
        errors = np.zeros(row.size) if is_exact else weights - steps
        mean, down, up, missed, added = bound_errors(steps, errors, place, EXPONENT)
        too_low, too_high = -errors[errors < 0].sum(), errors[errors > 0].sum()
        last = int(np.floor(place + too_high + MARGIN))
        fractions, spare, reach = _add_weights(weights, last, fractions, spare)
        ties = _compute_ties(row)
        fractions[observed] = max(fractions[observed] - ties, 0.0)
        for point in range(1, reach + 1):
            fractions[point] += fractions[point - 1]
        low = max(
            _look_up(fractions, reach, place - too_low - MARGIN),
            _look_up(fractions, reach, place - down - MARGIN) - missed,
            0.0,
        )
        high = min(
            _look_up(fractions, reach, place + too_high + MARGIN),
            _look_up(fractions, reach, place + up + MARGIN) + added,
        )
        # the count at a point is that of half a step on either side
        left = np.floor(place + mean - 0.5)
        part = place + mean - 0.5 - left
        below = _look_up(fractions, reach, left)
        middle = below + part * (_look_up(fractions, reach, left + 1) - below)
        tails[k, 0] = (low + ties) * scale
        tails[k, 1] = (min(max(middle, low), high) + ties) * scale
        tails[k, 2] = (high + ties) * scale


@jit
def bound_errors(
    steps: np.ndarray, errors: np.ndarray, limit: float, exponent: float
) -> tuple[float, float, float, float, float]:
    """Bound the rounding errors of the subsets of ``steps`` that add up to about the limit.

    Return the mean error, how far errors go down and up, and bounds of the fractions of subsets
    that are missed below and added above because their errors go further, about exp(-exponent) of
    those that are counted. The fractions are bounded as Chernoff does, with the expectation of
    exp(-tilt * sum + slope * error), which holds for any tilt and slope. Subsets whose sum is near
    the limit have each number with a probability of 1 / (1 + exp(tilt * number)).
    """
    tilt = 0.0
    for _ in range(NEWTON_STEPS):
        chances = 1 / (1 + np.exp(tilt * steps))
        slope = (steps**2 * chances * (1 - chances)).sum()
        if slope > 0:
            tilt = max(tilt + ((steps * chances).sum() - limit) / slope, 0.0)
    chances = 1 / (1 + np.exp(tilt * steps))
    mean = (errors * chances).sum()
    variance = (errors**2 * chances * (1 - chances)).sum()
    if variance <= 0:
        return 0.0, 0.0, 0.0, np.inf, np.inf
    reach = np.sqrt(2 * exponent * variance)
    slope = reach / variance
    down, up = reach - mean, reach + mean
    weights = steps + errors
    missed = tilt * (limit - down) - slope * down
    missed += np.log((1 + np.exp(-tilt * weights - slope * errors)) / 2).sum()
    added = tilt * limit - slope * up
    added += np.log((1 + np.exp(-tilt * steps + slope * errors)) / 2).sum()
    return mean, down, up, np.exp(missed), np.exp(added)


@jit
def _look_up(sums: np.ndarray, last: int, place: float) -> float:
    """Return the sum up to a place; ``last`` is the last place that has one."""
    return 0.0 if place < 0 else sums[min(int(place), last)]


@jit
def _compute_ties(row: np.ndarray) -> float:
    """Return the fraction of subsets with as many of each absolute value as are negative.

    ``row`` is sorted by absolute value.
    """
    fraction = 1.0
    begin = 0
    while begin < row.size:
        end, chosen = begin, 0
        while end < row.size and abs(row[end]) == abs(row[begin]):
            chosen += row[end] < 0
            end += 1
        probability = 0.5 ** (end - begin)  # of so many heads in tosses of a coin
        for k in range(1, chosen + 1):
            probability *= (end - begin - chosen + k) / k
        fraction *= probability
        begin = end
    return fraction


@jit
def find_unit(row: np.ndarray, tolerance: float) -> float:
    """Return a number of which all numbers of a row are multiples up to a tolerance; 0 for none.

    Euclid's algorithm for real numbers, with a wider tolerance since rounding errors grow.
    """
    largest = np.abs(row).max()
    if largest == 0:
        return 0.0
    unit = largest
    for value in row:
        rest = abs(value - np.round(value / unit) * unit)
        while rest > EUCLID_TOLERANCE * largest:
            unit, rest = rest, abs(unit - np.round(unit / rest) * rest)
            if unit < MIN_UNIT * largest:
                return 0.0
        unit = largest / np.round(largest / unit)  # the largest has the smallest relative error
    for value in row:
        if abs(value - np.round(value / unit) * unit) > tolerance:
            return 0.0
    return unit


@jit
def _add_weights(
    weights: np.ndarray, last: int, counts: np.ndarray, spare: np.ndarray
) -> tuple[np.ndarray, np.ndarray, int]:
    """Compute the fraction of all subsets with each sum of weights, from 0 to ``last``.

    Return the array with the fractions, the other one, and the largest sum in it.
    """
    counts[0] = 1.0
    reach = 0
    for weight in weights:
        top = min(reach + weight, last)
        counts[reach + 1 : top + 1] = 0.0
        for place in range(min(weight, top + 1)):
            spare[place] = 0.5 * counts[place]
        for place in range(weight, top + 1):
            spare[place] = 0.5 * (counts[place] + counts[place - weight])
        counts, spare, reach = spare, counts, top
    return counts, spare, reach
