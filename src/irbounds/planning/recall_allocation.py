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
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..errors import DataError
from ..results import PlannedSample
from .recall_outlook import Outlook, expected_counts
from .recall_widths import POSTERIOR_METHOD, Analysis, Sizes, planned_sample

#: the width that is to be small
Criterion = Callable[[PlannedSample], float]

SPLITS = (0.01, 0.02, 0.05, *(k / 10 for k in range(1, 10)), 0.95, 0.98, 0.99)  # tried first
ROUNDS = 3  # of closing in, with two places each
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
    for _ in range(ROUNDS):
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
