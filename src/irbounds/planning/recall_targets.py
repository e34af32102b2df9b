"""How many assessments a wish takes: an interval so narrow, or a lower end so high.

A width is reached when the expected width is no more than that. "Recall is at least x" is shown
when the lower end of the interval reaches x. That is a matter of luck with the sample, so it is
planned for with a chance, called the assurance; or, where no assurance is given, for the expected
lower end.

The lower end falls with every relevant document that turns up in the unretrieved sample. For a
count r1 of the retrieved sample there is thus a greatest r0 with which x is still reached, and the
assurance is the sum over r1 of its probability times that of at most so many r0. The greatest r0 is
found at a few r1 and r0 only: in logarithms of the counts it is nearly linear between them.

Assurance goes up and down by a little from one budget to the next, since counts are whole numbers;
the budget given reaches what was wished, and one that is a few percent smaller does not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError
from ..samples.roots import reached_at
from .recall_allocation import best_allocation, criterion_of, sizes_at, start_split
from .recall_outlook import Future, Outlook
from .recall_widths import Analysis, Sizes, interval_ends, planned_sample

Floats = NDArray[np.float64]
Counted = tuple[Floats, Floats]

POINTS = 24  # counts of a segment at which lower ends are computed
RARE = 1e-7  # a count less likely than this is no place for one of them
NOTHING = -0.999  # a count below 0, whose logarithm plus one there is
ROUNDING = 1e-6  # of a count
FINE = 0.002  # of a budget
SETTLED = 0.005  # of a budget: a better split would not change it by more
AROUND = 1.1  # where the next budget is looked for first
ROUNDS = 4  # of sizing and splitting in turns; two are usual


def budget_for(
    height: Callable[[Sizes], float],
    analysis: Analysis,
    outlook: Outlook,
    split: float | None,
    wish: str,
) -> Sizes:
    """The smallest sample whose ``height`` is at least 0: sized and split in turns."""
    if split is not None:
        return sizes_at(outlook, _smallest(height, outlook, split, wish), split)
    least, most = _budgets(outlook)
    share, budget = start_split(outlook, max(least, min(1000, most))), 0
    for _ in range(ROUNDS):
        before, budget = budget, _smallest(height, outlook, share, wish, near=budget)
        if abs(budget - before) <= SETTLED * budget:
            break
        share = best_allocation(analysis, outlook, budget, criterion_of(analysis), share).best.split
    return sizes_at(outlook, budget, share)


def _budgets(outlook: Outlook) -> Sizes:
    return max(sum(outlook.least), 2), sum(outlook.size)


def _smallest(
    height: Callable[[Sizes], float], outlook: Outlook, split: float, wish: str, near: int = 0
) -> int:
    """The smallest budget at a split, by bracketing on a logarithmic scale."""

    def at(logarithm: float) -> float:
        found = height(sizes_at(outlook, round(math.exp(logarithm)), split))
        return -1.0 if math.isnan(found) else found

    least, most = _budgets(outlook)
    brackets = [(least, most)]
    if near:
        brackets.insert(0, (max(least, int(near / AROUND)), min(most, int(near * AROUND))))
    for first, last in brackets:
        low, high = math.log(first), math.log(last)
        at_low, at_high = at(low), at(high)
        if at_low < 0 <= at_high:
            found = reached_at(at, low, high, at_low=at_low, at_high=at_high, tolerance=FINE)
            return round(math.exp(found))
    if at_low >= 0:
        return least
    raise DataError(f"{wish} is out of reach, even with all {most:,} documents assessed")


def width_height(analysis: Analysis, outlook: Outlook, width: float) -> Callable[[Sizes], float]:
    """How much narrower than wished an interval is expected to be, in logarithms."""
    criterion = criterion_of(analysis)

    def height(sampled: Sizes) -> float:
        found = criterion(planned_sample(analysis, outlook, sampled))
        return math.log(width) - math.log(max(found, 1e-12))

    return height


def recall_height(
    analysis: Analysis, outlook: Outlook, recall: float, assurance: float | None
) -> Callable[[Sizes], float]:
    """How much more assurance than wished there is, or how much more is expected than wished."""

    def height(sampled: Sizes) -> float:
        if assurance is None:
            return planned_sample(analysis, outlook, sampled).expected_low - recall
        return assurance_of(analysis, outlook, sampled, recall) - assurance

    return height


def assurance_of(analysis: Analysis, outlook: Outlook, sampled: Sizes, recall: float) -> float:
    """The chance that the interval's lower end is at least a given recall."""
    futures = outlook.futures(sampled)
    found = _places([one.retrieved for one in futures])
    missed = _places([one.unretrieved for one in futures])
    pairs = np.stack(np.meshgrid(found, missed, indexing="ij"), axis=-1)
    low, _ = interval_ends(analysis, outlook.size, sampled, pairs.reshape(-1, 2))
    # where nothing relevant is seen anywhere there may be no interval, and nothing is shown
    rows = np.nan_to_num(low).reshape(len(found), len(missed))
    greatest = np.array([_greatest(missed, row, recall) for row in rows])
    return sum(one.weight * _chance(one, found, greatest) for one in futures)


def _chance(future: Future, found: Floats, greatest: Floats) -> float:
    """The same of one guess, given the greatest r0 at some r1."""
    counts, masses = future.retrieved
    reach = np.exp(np.interp(np.log(counts + 1), np.log(found + 1), np.log(greatest + 1))) - 1
    others, their_masses = future.unretrieved
    below = np.concatenate([[0.0], np.cumsum(their_masses)])
    return float(masses @ below[np.searchsorted(others, reach + ROUNDING, side="right")])


def _places(parts: Sequence[Counted]) -> Floats:
    """All counts that matter to any guess, or some of them, even in their square roots."""
    likely = np.concatenate([counts[masses > RARE] for counts, masses in parts])
    least, most = likely.min(), likely.max()
    if most - least < POINTS:
        return np.arange(least, most + 1)
    return np.unique(np.rint(np.linspace(math.sqrt(least), math.sqrt(most), POINTS) ** 2))


def _greatest(missed: Floats, low: Floats, recall: float) -> float:
    """The count (perhaps between two whole ones) up to which the lower end reaches a recall.

    The log odds of a lower end are nearly linear in the logarithm of the count.
    """
    reached = np.flatnonzero(low >= recall)
    if not len(reached):
        return max(float(missed[0]) - 1, NOTHING)
    last = int(reached[-1])
    if last + 1 == len(missed):
        return float(missed[-1])
    heights = _log_odds(low[last : last + 2]) - _log_odds(np.array([recall]))
    part = heights[0] / (heights[0] - heights[1])
    one, other = np.log(missed[last : last + 2] + 1)
    return float(np.exp(one + part * (other - one)) - 1)


def _log_odds(values: Floats) -> Floats:
    inside = np.clip(values, 1e-12, 1 - 1e-12)
    return np.asarray(np.log(inside / (1 - inside)))
