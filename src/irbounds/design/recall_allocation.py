"""Which split of a budget between the segments gives the narrowest interval, and how much it matters.

The curve of widths over splits falls and rises again, flat at the bottom (Figures 15 and 16). Splits
are tried at places even in arcsin(sqrt(split)), so that they are dense where few documents of
either segment are assessed, and then closer and closer around the best. Where a normal interval
would do, the best split is known: n1 : n0 as s1 : s0 with s = sqrt((1 - p) / p), p the prevalence of
the segment. Rare documents need more assessments, and size has no say.

An interval with ``cap_at_one`` off is narrow where next to nothing of the unretrieved segment is
assessed: its upper end is then the prior's. For a yield of 5,000 in Figure 15 that is the narrowest
of all. So plans cap unless they are told not to.

The width that is made small is the expected one with the posterior, and the one at the expected
counts with the closed forms: a normal interval has no width at all when the unretrieved sample
holds nothing relevant, and would have as little as possible assessed there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import DataError
from ..results import PlannedSample
from .recall_outlook import Outlook, expected_counts
from .recall_widths import POSTERIOR_METHOD, Analysis, Sizes, planned_sample

__all__ = [
    "Allocation",
    "best_allocation",
    "criterion_of",
    "sizes_at",
    "split_range",
    "start_split",
]

#: the width that is to be small
Criterion = Callable[[PlannedSample], float]

PLACES = 13  # splits that are tried first
ROUNDS = 3  # of closing in, with two places each
TOLERANCE = 0.05  # a width this much above the best is as good


@dataclass(frozen=True, eq=False)
class Allocation:
    """The best split of a budget, with all that were tried, from few retrieved to many."""

    best: PlannedSample
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
    least, most = split_range(outlook, budget)
    tried: dict[int, PlannedSample] = {}

    def width(place: int) -> float:
        if place not in tried:
            tried[place] = planned_sample(analysis, outlook, (place, budget - place))
        value = criterion(tried[place])
        return math.inf if math.isnan(value) else value

    places = _places(least, most, budget) if start is None else _near(start, least, most, budget)
    _close_in(width, places)
    best = min(tried, key=width)
    samples = tuple(tried[place] for place in sorted(tried))
    good_from, good_to = _good_range(samples, criterion, tried[best])
    return Allocation(tried[best], samples, good_from, good_to)


def split_range(outlook: Outlook, budget: int) -> Sizes:
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
    least, most = split_range(outlook, budget)
    retrieved = min(max(round(split * budget), least), most)
    return retrieved, budget - retrieved


def start_split(outlook: Outlook, budget: int) -> float:
    """The split that is best for a normal interval."""
    sampled = sizes_at(outlook, budget, 0.5)
    means, weights = expected_counts(outlook.futures(sampled))
    shares = (weights @ means + 0.5) / (np.array(sampled) + 1)
    odds = np.sqrt((1 - shares) / shares)
    return float(odds[0] / odds.sum())


def _places(least: int, most: int, budget: int) -> list[int]:
    ends = (math.asin(math.sqrt(place / budget)) for place in (least, most))
    angles = np.linspace(*ends, PLACES)
    places = np.rint(budget * np.sin(angles) ** 2).astype(int)
    return sorted({least, most, *np.clip(places, least, most).tolist()})


def _near(start: float, least: int, most: int, budget: int) -> list[int]:
    """The start with a neighbour on both sides, and the ends far away."""
    near = (round(budget * share) for share in (start / 1.5, start, min(1.5 * start, 1)))
    return sorted({min(max(place, least), most) for place in near})


def _close_in(width: Callable[[int], float], places: list[int]) -> None:
    """Try the places, walk downhill past the ends, then halve the steps around the best."""
    best = min(places, key=width)
    for _ in range(ROUNDS):
        here = places.index(best)
        around = places[max(here - 1, 0) : here + 2]
        places = sorted({*around, *_middles(around)})
        best = min(places, key=width)


def _middles(places: Sequence[int]) -> list[int]:
    return [
        round(math.sqrt(one * other)) if one > 0 else (one + other) // 2
        for one, other in zip(places, places[1:], strict=False)
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
    for good, bad in zip(outwards, outwards[1:], strict=False):
        if not criterion(bad) <= limit:
            part = (limit - criterion(good)) / (criterion(bad) - criterion(good))
            step = bad.retrieved_sample - good.retrieved_sample
            return good.retrieved_sample + (0 if math.isnan(part) else part * step)
    return outwards[-1].retrieved_sample
