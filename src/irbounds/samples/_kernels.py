"""How many relevant documents a segment may hold after its sample: many coarse tables, fast.

Of the M documents that were not drawn, s are relevant with the weight

    beta-binomial: Gamma(s + a) / Gamma(s + 1) * Gamma(M - s + b) / Gamma(M - s + 1)
    beta:          p^(a - 1) (1 - p)^(b - 1) for the share p = s / M

with a and b the prior's plus the relevant and the other documents of the sample. A table cuts the
range that holds nearly all the weight into cells: single counts where these are few enough, else
cells evenly spaced in the angle arcsin(sqrt(share)), in which either weight is nearly a bell of
the same width everywhere. Where the sample holds nothing relevant, or next to nothing, cells get
narrower towards 0, as it matters there how many times more one count is than another. The weight of
a wide cell is an integral by two Gauss points in that angle; counts within a few dozens of either
end are added one by one, as the weight may be steep there. A count of 0 always has a cell of its
own: whether there is anything relevant at all decides whether there is a recall.

The posterior of recall from two tables of yields, for many pairs of tables at once.

With R1 relevant documents retrieved and R0 not, recall is at most t where R1 <= t / (1 - t) R0.
So the probability of that is a sum over the cells of one table of the other's cumulative mass at a
multiple of the cell's position. Both lists are sorted, so that one walk along the two gives the
sum. It runs over the table whose cells are single counts, if only one is like that, and looks up
in the other: a wide cell may be cut anywhere, a single count may not. Else it runs over the table
with the lesser spread for its mean: a step of it is short within the other's cells.

Two counts of 0 have no recall: their probability is taken out, and the rest is scaled up.

A truth that is a ratio of whole numbers is moved by a few units in the last place, upwards for
"at most" and downwards for "below", so that rounding cannot lose the counts that hit it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..kernels.jit import jit

DROP = 23.0  # the range ends where the logarithm of the weight per angle is this far below its peak
ONE_BY_ONE = 32  # so many counts at either end are added, not integrated
NARROW = 4  # and so are cells of no more counts than this
STEEP = 1.5  # with a below this the weight per angle does not vanish quickly at 0
NODE = 0.5 / math.sqrt(3.0)  # Gauss points stand this share of the cell from its middle
STIRLING = 12.0  # from here on the series is right to 1e-12
BISECTIONS = 40


class YieldTables(NamedTuple):
    """Tables by the row, each with its own number of cells; counts are of unsampled documents."""

    #: relevant documents in the sample, to be added to every count
    base: np.ndarray
    #: how many cells there are
    sizes: np.ndarray
    #: whether counts are whole numbers: the cells hold the counts from an edge to before the next
    whole: np.ndarray
    edges: np.ndarray
    #: mean count of each cell, with the base
    positions: np.ndarray
    masses: np.ndarray
    #: mass before each cell, and in the last place all
    cumulative: np.ndarray
    #: mean and variance of the count, with the base
    moments: np.ndarray


def empty_tables(n_tables: int, most_cells: int) -> YieldTables:
    """Room for so many tables."""
    return YieldTables(
        np.zeros(n_tables),
        np.zeros(n_tables, np.int64),
        np.ones(n_tables, np.bool_),
        np.zeros((n_tables, most_cells + 1)),
        np.zeros((n_tables, most_cells)),
        np.zeros((n_tables, most_cells)),
        np.zeros((n_tables, most_cells + 1)),
        np.zeros((n_tables, 2)),
    )


@jit
def tabulate_beta_binomial(
    left: int, sampled: float, relevant: np.ndarray, alpha: float, beta: float, tables: YieldTables
) -> None:
    """One table for each number of relevant documents; ``left`` were not sampled."""
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
    """The same for a share of the unsampled documents that has a beta distribution."""
    n_cells = tables.masses.shape[1]
    for k in range(relevant.size):
        a, b = alpha + relevant[k], beta + sampled - relevant[k]
        if left == 0:  # all is known, and whole
            tables.edges[k, 0], tables.edges[k, 1] = 0.0, 1.0
            tables.positions[k, 0], tables.masses[k, 0] = 0.0, 1.0
            _finish(k, 1, relevant[k], True, tables)
            continue
        low, high, top = _range_of_angles(a, b)
        start = low
        for cell in range(n_cells):
            end = low + (high - low) * _spread((cell + 1) / n_cells, low, a)
            middle, reach = 0.5 * (start + end), NODE * (end - start)
            at_one = math.exp(_log_angle_weight(middle - reach, a, b) - top)
            at_other = math.exp(_log_angle_weight(middle + reach, a, b) - top)
            tables.masses[k, cell] = (at_one + at_other) * (end - start)
            share = (
                at_one * math.sin(middle - reach) ** 2 + at_other * math.sin(middle + reach) ** 2
            )
            tables.positions[k, cell] = left * share / max(at_one + at_other, 1e-300)
            tables.edges[k, cell] = left * math.sin(start) ** 2
            start = end
        tables.edges[k, n_cells] = left * math.sin(high) ** 2
        _finish(k, n_cells, relevant[k], False, tables)


@jit
def _finish(k: int, size: int, base: float, whole: bool, tables: YieldTables) -> None:
    """Make masses of the weights, and write what follows from them."""
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
    """The first and the last count that matter, and where the weight per angle is largest."""
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
    """The lowest and the highest angle that matter, and the largest logarithm of the weight."""
    peak = math.pi / 4
    if a + b > 1:
        peak = math.asin(math.sqrt(min(max((a - 0.5) / (a + b - 1), 0.0), 1.0)))
    top = _log_angle_weight(peak, a, b)
    ends = (0.0, math.pi / 2)
    found = np.empty(2)
    for side in range(2):
        outer, inner = ends[side], peak
        found[side] = outer
        if _log_angle_weight(outer, a, b) < top - DROP:
            for _ in range(BISECTIONS):
                middle = 0.5 * (outer + inner)
                if _log_angle_weight(middle, a, b) < top - DROP:
                    outer = middle
                else:
                    inner = middle
            found[side] = outer
    return found[0], found[1], top


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
    """A cell for each count; weights by the ratio of neighbours, outwards from the peak."""
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
    """Whole edges, evenly spaced in the angle as far as a cell holds a count."""
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
    """How far the edge after this part of the cells is from the lowest angle to the highest."""
    return part * part if low == 0 and a < STEEP else part


@jit
def _weigh_cell(
    low: float, high: float, left: int, a: float, b: float, top: float
) -> tuple[float, float]:
    """Weight of the counts from low to before high, and the sum of the counts by weight."""
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
        here = math.exp(_log_weight(s, left, a, b) - top)
        weight += here
        total += here * s
    return weight, total


@jit
def _integrate(
    low: float, high: float, left: int, a: float, b: float, top: float
) -> tuple[float, float]:
    """The sum over counts as the integral from half a count below to half a count below."""
    if high <= low:
        return 0.0, 0.0
    start = math.asin(math.sqrt((low - 0.5) / left))
    end = math.asin(math.sqrt((high - 0.5) / left))
    weight, total = 0.0, 0.0
    for sign in (-1.0, 1.0):
        angle = 0.5 * (start + end) + sign * NODE * (end - start)
        sine, cosine = math.sin(angle), math.cos(angle)
        s = left * sine * sine
        here = math.exp(_log_weight(s, left, a, b) - top) * left * sine * cosine * (end - start)
        weight += here
        total += here * s
    return weight, total


@jit
def _log_count_weight(s: int, left: int, a: float, b: float) -> float:
    """Weight per angle, to find the range by: the angle takes more counts in the middle."""
    return _log_weight(s, left, a, b) + 0.5 * math.log((s + 0.5) * (left - s + 0.5))


@jit
def _log_weight(s: float, left: int, a: float, b: float) -> float:
    return _log_gamma_ratio(s + 1, a - 1) + _log_gamma_ratio(left - s + 1, b - 1)


@jit
def _log_angle_weight(angle: float, a: float, b: float) -> float:
    """Logarithm of the beta density of the share, per angle."""
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
    """Logarithm of Gamma(x + more) / Gamma(x), without the cancelling of large terms."""
    y = x + more
    if min(x, y) < STIRLING:
        return math.lgamma(y) - math.lgamma(x)
    straight = (x - 0.5) * math.log1p(more / x) + more * (math.log(y) - 1)
    return straight + _stirling_rest(y) - _stirling_rest(x)


@jit
def _stirling_rest(x: float) -> float:
    """What Stirling's formula lacks."""
    square = 1 / (x * x)
    return (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680))) / x


NUDGE = 4 * 2.0**-52
TINY = 1e-14  # probabilities are kept this far from 0 and 1 where their odds are taken
LEAST, MOST = 1e-12, 1 - 1e-12  # where the search for a limit begins
PATIENCE = 12  # steps by the secant, after which the bracket is halved


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
    """For each pair of tables the probability of recall up to the truth, and below it.

    ``limits`` (pair x probability) are the values with that probability at or below them, within
    the tolerance; NaN where there is surely nothing relevant.
    """
    for k in range(pairs.shape[0]):
        one, other = pairs[k, 0], pairs[k, 1]
        nothing = _mass_at_zero(retrieved, one) * _mass_at_zero(unretrieved, other)
        if nothing >= 1:
            at_most[k] = below[k] = np.nan
            limits[k] = np.nan
            continue
        at_most[k] = _share(retrieved, one, unretrieved, other, nothing, truth, False)
        below[k] = _share(retrieved, one, unretrieved, other, nothing, truth, True)
        for p in range(probabilities.size):
            limits[k, p] = _quantile(
                retrieved, one, unretrieved, other, nothing, probabilities[p], tolerance
            )


@jit
def _mass_at_zero(tables: YieldTables, k: int) -> float:
    """Probability that there is nothing relevant; 0 has a cell of its own wherever it can be."""
    at_zero = tables.whole[k] and tables.base[k] == 0 and tables.edges[k, 0] == 0
    return tables.masses[k, 0] if at_zero else 0.0


@jit
def _share(
    retrieved: YieldTables,
    one: int,
    unretrieved: YieldTables,
    other: int,
    nothing: float,
    recall: float,
    strict: bool,
) -> float:
    """Probability of recall of at most, or if strict of less than, a value."""
    if recall >= 1:
        return (1 - _mass_at_zero(unretrieved, other)) / (1 - nothing) if strict else 1.0
    if recall <= 0:
        return 0.0 if strict else (_mass_at_zero(retrieved, one) - nothing) / (1 - nothing)
    t = recall * (1 - NUDGE) if strict else recall * (1 + NUDGE)
    if _is_summed(unretrieved, other, retrieved, one):
        share = _mass_up_to(unretrieved, other, retrieved, one, t / (1 - t), strict)
    else:
        share = 1 - _mass_up_to(retrieved, one, unretrieved, other, (1 - t) / t, not strict)
    return share / (1 - nothing) if strict else (share - nothing) / (1 - nothing)


@jit
def _is_summed(tables: YieldTables, k: int, others: YieldTables, j: int) -> bool:
    """Whether to run over this table and to look up in the other."""
    unit = _is_unit(tables, k)
    if unit != _is_unit(others, j):
        return unit
    mean, other_mean = tables.moments[k, 0], others.moments[j, 0]
    return tables.moments[k, 1] * other_mean**2 <= others.moments[j, 1] * mean**2


@jit
def _is_unit(tables: YieldTables, k: int) -> bool:
    """Whether every cell is a single count."""
    size = tables.sizes[k]
    return tables.whole[k] and tables.edges[k, size] - tables.edges[k, 0] == size


@jit
def _mass_up_to(
    summed: YieldTables, i: int, other: YieldTables, j: int, slope: float, strict: bool
) -> float:
    """Probability that the other's count is at most (if strict: below) a multiple of this one."""
    edges, masses, cumulative = other.edges[j], other.masses[j], other.cumulative[j]
    last, base, whole = other.sizes[j], other.base[j], other.whole[j]
    total = 0.0
    cell = 0
    for k in range(summed.sizes[i]):
        x = slope * summed.positions[i, k] - base
        if whole:  # counts below this edge are in
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
    one: int,
    unretrieved: YieldTables,
    other: int,
    nothing: float,
    probability: float,
    tolerance: float,
) -> float:
    """The least value with this probability at or below it: a bracket closed by secants.

    In the odds of recall and of its probability the curve is nearly straight.
    """
    if _share(retrieved, one, unretrieved, other, nothing, 0.0, False) >= probability:
        return 0.0
    target = _log_odds(probability)
    low, high = 0.0, 1.0
    x_low, x_high = _log_odds(LEAST), _log_odds(MOST)
    y_low, y_high = _log_odds(TINY) - target, _log_odds(1 - TINY) - target
    guess = _first_guess(retrieved.moments[one], unretrieved.moments[other], target)
    step, side = 0, 0
    while high - low > tolerance:
        if step == 0:
            x = min(max(guess, x_low), x_high)
        elif step > PATIENCE:
            x = _log_odds(0.5 * (low + high))
        else:
            x = x_low + (x_high - x_low) * y_low / (y_low - y_high)
        t = 1 / (1 + math.exp(-x))
        t = min(max(t, low + 0.4 * tolerance), high - 0.4 * tolerance)
        share = _share(retrieved, one, unretrieved, other, nothing, t, False)
        y = _log_odds(share) - target
        if share >= probability:
            high, x_high, y_high = t, _log_odds(t), y
            y_low *= 0.5 if side == 1 else 1.0  # the same end again: pull the other one in
            side = 1
        else:
            low, x_low, y_low = t, _log_odds(t), y
            y_high *= 0.5 if side == -1 else 1.0
            side = -1
        step += 1
    return high


@jit
def _log_odds(share: float) -> float:
    share = min(max(share, TINY), 1 - TINY)
    return math.log(share / (1 - share))


@jit
def _first_guess(of_one: np.ndarray, of_other: np.ndarray, target: float) -> float:
    """Log odds of recall by propagation of error; a normal quantile is near 0.6 log odds."""
    if of_one[0] <= 0 or of_other[0] <= 0:
        return 0.0
    spread = of_one[1] / of_one[0] ** 2 + of_other[1] / of_other[0] ** 2
    return math.log(of_one[0] / of_other[0]) + 0.55 * target * math.sqrt(spread)
