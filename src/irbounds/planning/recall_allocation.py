"""Which split of a budget gives the narrowest interval, and how much it matters.

The curve of widths over splits falls and rises again, flat at the bottom (Figures 15 and 16).
Round splits are tried first, more of them where few documents of either segment are assessed, and
then others closer and closer around the best. Where a normal interval
would do, the best split is known: n1 : n0 as s1 : s0 with s = sqrt((1 - p) / p), p the prevalence
of the segment. Rare documents need more assessments, and the size of a segment has no say.

An interval with ``cap_at_one`` off is narrow where next to nothing of the unretrieved segment is
assessed: its upper end is then the prior's. With 1,000 assessments and a yield of 5,000 in Figure
15's corpus that is the narrowest of all. So plans cap unless they are told not to.

The width that is made small is the expected one with the posterior, and the one at the expected
counts with the closed forms: a normal interval has no width at all when the unretrieved sample
holds nothing relevant, and would have as little as possible assessed there.

How many assessments a wish takes: an interval so narrow, or a lower end so high.

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
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError
from ..results import PlannedSample
from ..samples.roots import find_crossing
from .recall_widths import (
    POSTERIOR_METHOD,
    Analysis,
    Future,
    Outlook,
    Sizes,
    expected_counts,
    interval_ends,
    planned_sample,
)

#: the width that is to be small
Criterion = Callable[[PlannedSample], float]

SPLITS = (0.01, 0.02, 0.05, *(k / 10 for k in range(1, 10)), 0.95, 0.98, 0.99)  # tried first
SPLIT_ROUNDS = 3  # of closing in, with two places each
NEAR, FAR = 1.5, 4.0  # how many times more or less to try, where a split near the best is known
TOLERANCE = 0.05  # a width this much above the best is as good


@dataclass(frozen=True, eq=False)
class Allocation:
    """The best split of a budget, with all that were tried, from few retrieved to many."""

    best: PlannedSample
    #: the round splits alone, and whatever was tried
    curve: tuple[PlannedSample, ...]
    tried: tuple[PlannedSample, ...]
    #: retrieved documents to assess for a width within the tolerance of the best
    good_from: int
    good_to: int


def criterion_of(analysis: Analysis, by_expected_counts: bool | None = None) -> Criterion:
    """Which width is to be small."""
    if by_expected_counts is None:
        by_expected_counts = analysis.method != POSTERIOR_METHOD
    if by_expected_counts:
        return lambda sample: sample.width_at_expected_counts
    return lambda sample: sample.expected_width


def best_allocation(
    analysis: Analysis,
    outlook: Outlook,
    budget: int,
    criterion: Criterion,
    start: float | None = None,
) -> Allocation:
    """The best split of a budget; ``start`` is one that is known to be near it."""
    least, most = _split_range(outlook, budget)
    tried: dict[int, PlannedSample] = {}

    def width(place: int) -> float:
        if place not in tried:
            tried[place] = planned_sample(analysis, outlook, (place, budget - place))
        value = criterion(tried[place])
        return math.inf if math.isnan(value) else value

    shares = SPLITS if start is None else _around(start)
    places = sorted({min(max(round(share * budget), least), most) for share in shares})
    _close_in(width, sorted({least, *places, most}) if start is None else places)
    best = min(tried, key=width)
    curve = tuple(tried[place] for place in places)
    samples = tuple(tried[place] for place in sorted(tried))
    good_from, good_to = _good_range(samples, criterion, tried[best])
    return Allocation(tried[best], curve, samples, good_from, good_to)


def _split_range(outlook: Outlook, budget: int) -> Sizes:
    """The fewest and the most retrieved documents that a budget may have assessed."""
    least = max(outlook.least[0], budget - outlook.size[1])
    most = min(outlook.size[0], budget - outlook.least[1])
    if least > most:
        raise DataError(
            f"a budget of {budget:,} cannot be split: both segments take at least "
            f"{outlook.least[0]:,} and {outlook.least[1]:,}, at most {outlook.size[0]:,} and "
            f"{outlook.size[1]:,}"
        )
    return least, most


def sizes_at(outlook: Outlook, budget: int, split: float) -> Sizes:
    """Documents to assess of both segments, as near to a split as is possible."""
    least, most = _split_range(outlook, budget)
    retrieved = min(max(round(split * budget), least), most)
    return retrieved, budget - retrieved


def start_split(outlook: Outlook, budget: int) -> float:
    """The split that is best for a normal interval."""
    sampled = sizes_at(outlook, budget, 0.5)
    means, weights = expected_counts(outlook.futures(sampled))
    shares = (weights @ means + 0.5) / (np.array(sampled) + 1)
    odds = np.sqrt((1 - shares) / shares)
    return float(odds[0] / odds.sum())


def _around(split: float) -> tuple[float, ...]:
    return tuple(min(split * factor, 1.0) for factor in (1 / FAR, 1 / NEAR, 1, NEAR, FAR))


def _close_in(width: Callable[[int], float], places: list[int]) -> None:
    """Try the places, then the middles of the steps around the best, and so on."""
    best = min(places, key=width)
    for _ in range(SPLIT_ROUNDS):
        here = places.index(best)
        around = places[max(here - 1, 0) : here + 2]
        places = sorted({*around, *_middles(around)})
        best = min(places, key=width)


def _middles(places: Sequence[int]) -> list[int]:
    return [
        round(math.sqrt(one * other)) if one > 0 else (one + other) // 2
        for one, other in pairwise(places)
    ]


def _good_range(
    samples: Sequence[PlannedSample], criterion: Criterion, best: PlannedSample
) -> tuple[int, int]:
    """Where the widths that were tried cross the tolerance, on both sides of the best."""
    limit = (1 + TOLERANCE) * criterion(best)
    here = samples.index(best)
    below = _crossing(samples[: here + 1][::-1], criterion, limit)
    above = _crossing(samples[here:], criterion, limit)
    return math.ceil(below), math.floor(above)


def _crossing(outwards: Sequence[PlannedSample], criterion: Criterion, limit: float) -> float:
    """Linear between the last good place and the first bad one."""
    for good, bad in pairwise(outwards):
        if not criterion(bad) <= limit:
            part = (limit - criterion(good)) / (criterion(bad) - criterion(good))
            step = bad.retrieved_sample - good.retrieved_sample
            return good.retrieved_sample + (0 if math.isnan(part) else part * step)
    return outwards[-1].retrieved_sample


Floats = NDArray[np.float64]
Counted = tuple[Floats, Floats]

POINTS = 24  # counts of a segment at which lower ends are computed
RARE = 1e-7  # a count less likely than this is no place for one of them
NOTHING = -0.999  # a count below 0, whose logarithm plus one there is
ROUNDING = 1e-6  # of a count
FINE = 0.002  # of a budget
SETTLED = 0.005  # of a budget: a better split would not change it by more
AROUND = 1.1  # where the next budget is looked for first
SIZE_ROUNDS = 4  # of sizing and splitting in turns; two are usual


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
    for _ in range(SIZE_ROUNDS):
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
            found = find_crossing(at, low, high, at_low=at_low, at_high=at_high, tolerance=FINE)
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
