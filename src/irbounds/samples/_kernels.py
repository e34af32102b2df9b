"""Kernels: many coarse tables of yields, and the posterior of recall from pairs of tables.

Tables of yields
----------------
Of the M documents that were not drawn, s are relevant with the weight

    beta-binomial: Gamma(s + a) / Gamma(s + 1) * Gamma(M - s + b) / Gamma(M - s + 1)
    beta:          p^(a - 1) (1 - p)^(b - 1) for the fraction p = s / M

where a and b are the prior's parameters plus the relevant and the irrelevant documents of the
sample. A table divides the range that contains nearly all the weight into cells. If there are few
enough counts, every cell is a single count. Otherwise cells are even in the angle arcsin(sqrt(p)),
in which either weight is nearly a bell of the same width everywhere. Where the sample contains no
relevant document, or next to none, cells get narrower towards 0, because the ratio of neighbouring
counts matters there. The weight of a wide cell is an integral by two Gauss points in that angle.
Counts within a few dozens of either end are added one by one, as the weight can be steep there. A
count of 0 always has its own cell, because recall is defined only if there is a relevant document.

Recall from two tables
----------------------
With R1 relevant documents retrieved and R0 not, recall is at most t where R1 <= t / (1 - t) R0. So
its probability is a sum over the cells of one table, of the other table's cumulative mass at a
multiple of the cell's position. Both lists are sorted, so a single pass over both gives the sum. If
the cells of only one table are single counts, the sum runs over that table and looks up in the
other: a wide cell can be cut anywhere, a single count cannot. Otherwise it runs over the table with
the smaller relative spread, because its steps are short within the other's cells.

Two counts of 0 have no recall: their probability is removed, and the rest is scaled up.

A truth that is a ratio of integers is moved by a few units in the last place, upwards for "at most"
and downwards for "below", so that rounding cannot lose the counts that are equal to it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..kernels.jit import jit

DROP = 23.0  # the range ends where the log weight per angle is this far below its peak
ONE_BY_ONE = 32  # this many counts at either end are added, not integrated
NARROW = 4  # cells of at most this many counts are added as well
STEEP = 1.5  # with a below this, the weight per angle does not vanish quickly at 0
NODE = 0.5 / math.sqrt(3.0)  # distance of the Gauss points from the middle, in cell widths
STIRLING = 12.0  # from here on the series is accurate to 1e-12
BISECTIONS = 40
NUDGE = 4 * 2.0**-52
TINY = 1e-14  # probabilities are kept this far from 0 and 1 before log odds are taken
LOWEST, HIGHEST = 1e-12, 1 - 1e-12  # the first bracket of a limit
MAX_SECANTS = 12  # steps by the secant, after which the bracket is halved


class YieldTables(NamedTuple):
    """One table per row, each with its own number of cells; counts are of unsampled documents."""

    #: relevant documents in the sample, which are added to every count
    base: np.ndarray
    #: the number of cells
    sizes: np.ndarray
    #: whether counts are integers: a cell contains the counts from its edge to before the next
    whole: np.ndarray
    edges: np.ndarray
    #: mean count of each cell, with the base
    positions: np.ndarray
    masses: np.ndarray
    #: the mass before each cell, and 1 in the last place
    cumulative: np.ndarray
    #: mean and variance of the count, with the base
    moments: np.ndarray


def empty_tables(n_tables: int, max_cells: int) -> YieldTables:
    """Allocate tables."""
    return YieldTables(
        np.zeros(n_tables),
        np.zeros(n_tables, np.int64),
        np.ones(n_tables, np.bool_),
        np.zeros((n_tables, max_cells + 1)),
        np.zeros((n_tables, max_cells)),
        np.zeros((n_tables, max_cells)),
        np.zeros((n_tables, max_cells + 1)),
        np.zeros((n_tables, 2)),
    )


@jit
def tabulate_beta_binomial(
    left: int, sampled: float, relevant: np.ndarray, alpha: float, beta: float, tables: YieldTables
) -> None:
    """Fill one table per number of relevant documents; ``left`` documents were not sampled."""
    for k in range(relevant.size):
        a, b = alpha + relevant[k], beta + sampled - relevant[k]
        first, last, peak = _range_of_counts(left, a, b)
        top = _log_weight(peak, left, a, b)
        if last - first < tables.masses.shape[1]:
            size = _unit_cells(first, last, peak, left, a, b, tables.edges[k], tables.masses[k])
            tables.positions[k, :size] = tables.edges[k, :size]
        else:
            size = _place_edges(first, last, left, a, tables.masses.shape[1], tables.edges[k])
            for cell in range(size):
                weight, total = _weigh_cell(
                    tables.edges[k, cell], tables.edges[k, cell + 1], left, a, b, top
                )
                tables.masses[k, cell] = weight
                tables.positions[k, cell] = total / weight if weight > 0 else tables.edges[k, cell]
        _finish(k, size, relevant[k], True, tables)


@jit
def tabulate_beta(
    left: int, sampled: float, relevant: np.ndarray, alpha: float, beta: float, tables: YieldTables
) -> None:
    """Fill one table per number of relevant documents, with a beta distributed fraction."""
    n_cells = tables.masses.shape[1]
    for k in range(relevant.size):
        a, b = alpha + relevant[k], beta + sampled - relevant[k]
        if left == 0:  # the count is known
            tables.edges[k, 0], tables.edges[k, 1] = 0.0, 1.0
            tables.positions[k, 0], tables.masses[k, 0] = 0.0, 1.0
            _finish(k, 1, relevant[k], True, tables)
            continue
        low, high, top = _range_of_angles(a, b)
        start = low
        for cell in range(n_cells):
            end = low + (high - low) * _spread((cell + 1) / n_cells, low, a)
            middle, reach = 0.5 * (start + end), NODE * (end - start)
            lower = math.exp(_log_angle_weight(middle - reach, a, b) - top)
            upper = math.exp(_log_angle_weight(middle + reach, a, b) - top)
            tables.masses[k, cell] = (lower + upper) * (end - start)
            moment = lower * math.sin(middle - reach) ** 2 + upper * math.sin(middle + reach) ** 2
            tables.positions[k, cell] = left * moment / max(lower + upper, 1e-300)
            tables.edges[k, cell] = left * math.sin(start) ** 2
            start = end
        tables.edges[k, n_cells] = left * math.sin(high) ** 2
        _finish(k, n_cells, relevant[k], False, tables)


@jit
def _finish(k: int, size: int, base: float, whole: bool, tables: YieldTables) -> None:
    """Normalise the weights to masses, and fill the fields that follow from them."""
    masses, cumulative = tables.masses[k], tables.cumulative[k]
    total = 0.0
    for cell in range(size):
        total += masses[cell]
    before, mean, square = 0.0, 0.0, 0.0
    for cell in range(size):
        masses[cell] /= total
        cumulative[cell] = before
        before += masses[cell]
        mean += masses[cell] * tables.positions[k, cell]
    for cell in range(size):
        square += masses[cell] * (tables.positions[k, cell] - mean) ** 2
        tables.positions[k, cell] += base
    cumulative[size] = 1.0
    tables.base[k], tables.sizes[k], tables.whole[k] = base, size, whole
    tables.moments[k, 0], tables.moments[k, 1] = mean + base, square


@jit
def _range_of_counts(left: int, a: float, b: float) -> tuple[int, int, int]:
    """Return the first and the last count that matter, and the mode of the weight per angle."""
    peak = left // 2
    if a + b > 1:
        peak = int(min(max(round(left * (a - 0.5) / (a + b - 1)), 0), left))
    floor = _log_count_weight(peak, left, a, b) - DROP
    first, last = 0, left
    if _log_count_weight(0, left, a, b) < floor:
        above = peak
        while above - first > 1:
            middle = (first + above) // 2
            if _log_count_weight(middle, left, a, b) < floor:
                first = middle
            else:
                above = middle
    if _log_count_weight(left, left, a, b) < floor:
        below = peak
        while last - below > 1:
            middle = (last + below) // 2
            if _log_count_weight(middle, left, a, b) < floor:
                last = middle
            else:
                below = middle
    return first, last, peak


@jit
def _range_of_angles(a: float, b: float) -> tuple[float, float, float]:
    """Return the lowest and the highest angle that matter, and the largest log weight."""
    peak = math.pi / 4
    if a + b > 1:
        peak = math.asin(math.sqrt(min(max((a - 0.5) / (a + b - 1), 0.0), 1.0)))
    top = _log_angle_weight(peak, a, b)
    ends = (0.0, math.pi / 2)
    angles = np.empty(2)
    for side in range(2):
        outer, inner = ends[side], peak
        angles[side] = outer
        if _log_angle_weight(outer, a, b) < top - DROP:
            for _ in range(BISECTIONS):
                middle = 0.5 * (outer + inner)
                if _log_angle_weight(middle, a, b) < top - DROP:
                    outer = middle
                else:
                    inner = middle
            angles[side] = outer
    return angles[0], angles[1], top


@jit
def _unit_cells(
    first: int,
    last: int,
    peak: int,
    left: int,
    a: float,
    b: float,
    edges: np.ndarray,
    masses: np.ndarray,
) -> int:
    """Fill one cell per count, with weights by the ratio of neighbours outwards from the peak."""
    peak = min(max(peak, first), last)
    masses[peak - first] = 1.0
    for s in range(peak, last):
        ratio = (left - s) * (s + a) / ((s + 1) * (left - s - 1 + b))
        masses[s + 1 - first] = masses[s - first] * ratio
    for s in range(peak, first, -1):
        ratio = s * (left - s + b) / ((left - s + 1) * (s - 1 + a))
        masses[s - 1 - first] = masses[s - first] * ratio
    for cell in range(last - first + 2):
        edges[cell] = first + cell
    return last - first + 1


@jit
def _place_edges(
    first: int, last: int, left: int, a: float, n_cells: int, edges: np.ndarray
) -> int:
    """Fill integer edges, even in the angle where a cell contains at least one count."""
    low = math.asin(math.sqrt(first / (left + 1)))
    high = math.asin(math.sqrt((last + 1) / (left + 1)))
    edges[0] = first
    cell = 0
    while cell < n_cells - 1 and edges[cell] < last:
        angle = low + (high - low) * _spread((cell + 1) / n_cells, low, a)
        edge = math.floor((left + 1) * math.sin(angle) ** 2 + 0.5)
        edges[cell + 1] = min(max(edge, edges[cell] + 1), last)
        if edges[cell] == 0:
            edges[cell + 1] = 1
        cell += 1
    edges[cell + 1] = last + 1
    return cell + 1


@jit
def _spread(part: float, low: float, a: float) -> float:
    """Return the position of an edge within the range of angles, from its place among the cells."""
    return part * part if low == 0 and a < STEEP else part


@jit
def _weigh_cell(
    low: float, high: float, left: int, a: float, b: float, top: float
) -> tuple[float, float]:
    """Return the weight of the counts from low to before high, and their weighted sum."""
    if high - low <= NARROW:
        return _add_counts(low, high, left, a, b, top)
    inner_low = min(max(low, ONE_BY_ONE), high)
    inner_high = max(min(high, left + 1 - ONE_BY_ONE), inner_low)
    before, total_before = _add_counts(low, inner_low, left, a, b, top)
    after, total_after = _add_counts(inner_high, high, left, a, b, top)
    inside, total_inside = _integrate(inner_low, inner_high, left, a, b, top)
    return before + inside + after, total_before + total_inside + total_after


@jit
def _add_counts(
    low: float, high: float, left: int, a: float, b: float, top: float
) -> tuple[float, float]:
    weight, total = 0.0, 0.0
    for s in range(int(low), int(high)):
        at_count = math.exp(_log_weight(s, left, a, b) - top)
        weight += at_count
        total += at_count * s
    return weight, total


@jit
def _integrate(
    low: float, high: float, left: int, a: float, b: float, top: float
) -> tuple[float, float]:
    """Return the sum over counts as an integral from low - 1/2 to high - 1/2."""
    if high <= low:
        return 0.0, 0.0
    start = math.asin(math.sqrt((low - 0.5) / left))
    end = math.asin(math.sqrt((high - 0.5) / left))
    weight, total = 0.0, 0.0
    for sign in (-1.0, 1.0):
        angle = 0.5 * (start + end) + sign * NODE * (end - start)
        sine, cosine = math.sin(angle), math.cos(angle)
        s = left * sine * sine
        at_node = math.exp(_log_weight(s, left, a, b) - top) * left * sine * cosine * (end - start)
        weight += at_node
        total += at_node * s
    return weight, total


@jit
def _log_count_weight(s: int, left: int, a: float, b: float) -> float:
    """Return the log weight per angle; a step of the angle has more counts in the middle."""
    return _log_weight(s, left, a, b) + 0.5 * math.log((s + 0.5) * (left - s + 0.5))


@jit
def _log_weight(s: float, left: int, a: float, b: float) -> float:
    return _log_gamma_ratio(s + 1, a - 1) + _log_gamma_ratio(left - s + 1, b - 1)


@jit
def _log_angle_weight(angle: float, a: float, b: float) -> float:
    """Return the logarithm of the beta density of the fraction, per angle."""
    result = 0.0
    if a != 0.5:
        sine = math.sin(angle)
        result += (2 * a - 1) * math.log(sine) if sine > 0 else (0.5 - a) * math.inf
    if b != 0.5:
        cosine = math.cos(angle)
        result += (2 * b - 1) * math.log(cosine) if cosine > 0 else (0.5 - b) * math.inf
    return result


@jit
def _log_gamma_ratio(x: float, more: float) -> float:
    """Return the logarithm of Gamma(x + more) / Gamma(x), without cancellation."""
    y = x + more
    if min(x, y) < STIRLING:
        return math.lgamma(y) - math.lgamma(x)
    straight = (x - 0.5) * math.log1p(more / x) + more * (math.log(y) - 1)
    return straight + _stirling_rest(y) - _stirling_rest(x)


@jit
def _stirling_rest(x: float) -> float:
    """Return the correction of Stirling's formula."""
    square = 1 / (x * x)
    return (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680))) / x


@jit
def find_limits(
    retrieved: YieldTables,
    unretrieved: YieldTables,
    pairs: np.ndarray,
    truth: float,
    probabilities: np.ndarray,
    tolerance: float,
    at_most: np.ndarray,
    below: np.ndarray,
    limits: np.ndarray,
) -> None:
    """Fill the probability of recall up to the truth and below it, and limits, for each pair.

    ``limits`` (pair x probability) are the values with that probability at or below them, within
    the tolerance. They are NaN where it is certain that nothing is relevant.
    """
    for k in range(pairs.shape[0]):
        i, j = pairs[k, 0], pairs[k, 1]
        nothing = _mass_at_zero(retrieved, i) * _mass_at_zero(unretrieved, j)
        if nothing >= 1:
            at_most[k] = below[k] = np.nan
            limits[k] = np.nan
            continue
        at_most[k] = _recall_cdf(retrieved, i, unretrieved, j, nothing, truth, False)
        below[k] = _recall_cdf(retrieved, i, unretrieved, j, nothing, truth, True)
        for p in range(probabilities.size):
            limits[k, p] = _quantile(
                retrieved, i, unretrieved, j, nothing, probabilities[p], tolerance
            )


@jit
def _mass_at_zero(tables: YieldTables, k: int) -> float:
    """Return the probability of a count of 0, which always has its own cell."""
    at_zero = tables.whole[k] and tables.base[k] == 0 and tables.edges[k, 0] == 0
    return tables.masses[k, 0] if at_zero else 0.0


@jit
def _recall_cdf(
    retrieved: YieldTables,
    i: int,
    unretrieved: YieldTables,
    j: int,
    nothing: float,
    recall: float,
    strict: bool,
) -> float:
    """Return the probability that recall is at most, or if strict below, a value."""
    if recall >= 1:
        return (1 - _mass_at_zero(unretrieved, j)) / (1 - nothing) if strict else 1.0
    if recall <= 0:
        return 0.0 if strict else (_mass_at_zero(retrieved, i) - nothing) / (1 - nothing)
    t = recall * (1 - NUDGE) if strict else recall * (1 + NUDGE)
    if _is_summed(unretrieved, j, retrieved, i):
        probability = _mass_up_to(unretrieved, j, retrieved, i, t / (1 - t), strict)
    else:
        probability = 1 - _mass_up_to(retrieved, i, unretrieved, j, (1 - t) / t, not strict)
    return probability / (1 - nothing) if strict else (probability - nothing) / (1 - nothing)


@jit
def _is_summed(tables: YieldTables, k: int, others: YieldTables, j: int) -> bool:
    """Return whether the sum runs over this table and looks up in the other."""
    unit = _is_unit(tables, k)
    if unit != _is_unit(others, j):
        return unit
    mean, other_mean = tables.moments[k, 0], others.moments[j, 0]
    return tables.moments[k, 1] * other_mean**2 <= others.moments[j, 1] * mean**2


@jit
def _is_unit(tables: YieldTables, k: int) -> bool:
    """Return whether every cell is a single count."""
    size = tables.sizes[k]
    return tables.whole[k] and tables.edges[k, size] - tables.edges[k, 0] == size


@jit
def _mass_up_to(
    summed: YieldTables, i: int, other: YieldTables, j: int, slope: float, strict: bool
) -> float:
    """Return the probability that the other count is at most (if strict: below) a multiple."""
    edges, masses, cumulative = other.edges[j], other.masses[j], other.cumulative[j]
    last, base, whole = other.sizes[j], other.base[j], other.whole[j]
    total = 0.0
    cell = 0
    for k in range(summed.sizes[i]):
        x = slope * summed.positions[i, k] - base
        if whole:  # counts below this edge are included
            x = math.ceil(x) if strict else math.floor(x) + 1.0
        if x <= edges[0]:
            continue
        while cell < last and edges[cell + 1] <= x:
            cell += 1
        if cell == last:
            return total + 1 - summed.cumulative[i, k]
        part = (x - edges[cell]) / (edges[cell + 1] - edges[cell])
        total += summed.masses[i, k] * (cumulative[cell] + part * masses[cell])
    return total


@jit
def _quantile(
    retrieved: YieldTables,
    i: int,
    unretrieved: YieldTables,
    j: int,
    nothing: float,
    probability: float,
    tolerance: float,
) -> float:
    """Return the smallest value with this probability at or below it, by secants in a bracket.

    In log odds of recall and of its probability the curve is nearly straight.
    """
    if _recall_cdf(retrieved, i, unretrieved, j, nothing, 0.0, False) >= probability:
        return 0.0
    target = _log_odds(probability)
    low, high = 0.0, 1.0
    x_low, x_high = _log_odds(LOWEST), _log_odds(HIGHEST)
    y_low, y_high = _log_odds(TINY) - target, _log_odds(1 - TINY) - target
    guess = _first_guess(retrieved.moments[i], unretrieved.moments[j], target)
    step, side = 0, 0
    while high - low > tolerance:
        if step == 0:
            x = min(max(guess, x_low), x_high)
        elif step > MAX_SECANTS:
            x = _log_odds(0.5 * (low + high))
        else:
            x = x_low + (x_high - x_low) * y_low / (y_low - y_high)
        t = 1 / (1 + math.exp(-x))
        t = min(max(t, low + 0.4 * tolerance), high - 0.4 * tolerance)
        at_t = _recall_cdf(retrieved, i, unretrieved, j, nothing, t, False)
        y = _log_odds(at_t) - target
        if at_t >= probability:
            high, x_high, y_high = t, _log_odds(t), y
            y_low *= 0.5 if side == 1 else 1.0  # the same end again: move the other one in
            side = 1
        else:
            low, x_low, y_low = t, _log_odds(t), y
            y_high *= 0.5 if side == -1 else 1.0
            side = -1
        step += 1
    return high


@jit
def _log_odds(probability: float) -> float:
    probability = min(max(probability, TINY), 1 - TINY)
    return math.log(probability / (1 - probability))


@jit
def _first_guess(retrieved: np.ndarray, unretrieved: np.ndarray, target: float) -> float:
    """Return log odds of recall by propagation of error; z is near 0.6 times the log odds."""
    if retrieved[0] <= 0 or unretrieved[0] <= 0:
        return 0.0
    spread = retrieved[1] / retrieved[0] ** 2 + unretrieved[1] / unretrieved[0] ** 2
    return math.log(retrieved[0] / unretrieved[0]) + 0.55 * target * math.sqrt(spread)
