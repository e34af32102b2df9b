"""The posterior of recall from two tables of yields, for many pairs of tables at once.

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

import numpy as np

from .jit import jit
from .yield_tables import YieldTables

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
