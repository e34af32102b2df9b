"""The best split of a budget between the segments, and the smallest budget for a target.

The curve of widths over splits falls and rises again, and is flat at the bottom (Figures 15 and
16). Round splits are tried first, more of them where few documents of either segment are assessed.
Then others are tried, closer and closer around the best. For a normal interval the best split is
known: n1 : n0 as s1 : s0 with s = sqrt((1 - p) / p), where p is the prevalence of the segment. Rare
documents need more assessments, and the size of a segment does not matter.

An interval without ``cap_at_one`` is narrow where next to nothing of the unretrieved segment is
assessed, because its upper end then comes from the prior. With 1,000 assessments and a yield of
5,000 in Figure 15's corpus that is the narrowest interval of all. So plans use ``cap_at_one`` by
default.

The criterion is the expected width for the posterior, and the width at the expected counts for the
closed forms. A normal interval has width 0 if the unretrieved sample contains no relevant document,
so that its expected width would be smallest with as few assessments there as possible.

Budget for a target
-------------------
A target width is reached if the expected width is at most that. "Recall is at least x" is shown if
the lower end of the interval reaches x. This depends on the random sample, so the plan is for a
probability of reaching x, called the assurance. Without an assurance it is for the expected lower
end.

Assurance goes up and down slightly from one budget to the next, since counts are integers. The
returned budget reaches the target, and one that is a few percent smaller does not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..errors import DataError
from ..results import PlannedSample
from ..samples.roots import find_crossing
from .recall_assurance import compute_assurance
from .recall_widths import (
    POSTERIOR_METHOD,
    Analysis,
    SamplePrediction,
    Sizes,
    expected_counts,
    plan_sample,
)

#: the width that is minimised
Criterion = Callable[[PlannedSample], float]
#: how far a sample of these sizes is above a target; negative if it misses the target
Margin = Callable[[Sizes], float]

SPLITS = (0.01, 0.02, 0.05, *(k / 10 for k in range(1, 10)), 0.95, 0.98, 0.99)  # tried first
SPLIT_ROUNDS = 3  # of refinement, with two splits each
NEAR, FAR = 1.5, 4.0  # factors to try around a split that is near the best
TOLERANCE = 0.05  # a width at most this fraction above the best is as good

FINE = 0.002  # tolerance of a budget, relative
SETTLED = 0.005  # a relative change of the budget that ends the search
AROUND = 1.1  # factor of the first bracket around the previous budget
SIZE_ROUNDS = 4  # of finding a budget and its split in turn; two are usual


@dataclass(frozen=True, eq=False)
class Allocation:
    """The best split of a budget, and all splits that were tried, by retrieved sample."""

    best: PlannedSample
    #: the round splits, and all splits
    curve: tuple[PlannedSample, ...]
    tried: tuple[PlannedSample, ...]
    #: the range of retrieved samples with a width within the tolerance of the best
    good_from: int
    good_to: int


def select_criterion(analysis: Analysis, by_expected_counts: bool | None = None) -> Criterion:
    """Return the width that is minimised; by default it depends on the method."""
    if by_expected_counts is None:
        by_expected_counts = analysis.method != POSTERIOR_METHOD
    if by_expected_counts:
        return lambda sample: sample.width_at_expected_counts
    return lambda sample: sample.expected_width


def best_allocation(
    analysis: Analysis,
    prediction: SamplePrediction,
    budget: int,
    criterion: Criterion,
    start: float | None = None,
) -> Allocation:
    """Return the best split of a budget; ``start`` is a split that is known to be near it."""
    lowest, highest = _find_range(prediction, budget)
    tried: dict[int, PlannedSample] = {}

    def width(place: int) -> float:
        if place not in tried:
            tried[place] = plan_sample(analysis, prediction, (place, budget - place))
        value = criterion(tried[place])
        return math.inf if math.isnan(value) else value

    splits = SPLITS if start is None else _splits_around(start)
    places = sorted({min(max(round(split * budget), lowest), highest) for split in splits})
    _refine(width, sorted({lowest, *places, highest}) if start is None else places)
    best = min(tried, key=width)
    curve = tuple(tried[place] for place in places)
    samples = tuple(tried[place] for place in sorted(tried))
    good_from, good_to = _good_range(samples, criterion, tried[best])
    return Allocation(tried[best], curve, samples, good_from, good_to)


def split_budget(prediction: SamplePrediction, budget: int, split: float) -> Sizes:
    """Return the sample sizes of both segments, as close to a split as possible."""
    lowest, highest = _find_range(prediction, budget)
    retrieved = min(max(round(split * budget), lowest), highest)
    return retrieved, budget - retrieved


def normal_split(prediction: SamplePrediction, budget: int) -> float:
    """Return the split that is best for a normal interval."""
    sampled = split_budget(prediction, budget, 0.5)
    means, weights = expected_counts(prediction.predict_counts(sampled))
    prevalences = (weights @ means + 0.5) / (np.array(sampled) + 1)
    odds = np.sqrt((1 - prevalences) / prevalences)
    return float(odds[0] / odds.sum())


def _find_range(prediction: SamplePrediction, budget: int) -> Sizes:
    """Return the minimum and the maximum size of the retrieved sample within a budget."""
    sizes, min_sampled = prediction.segment_sizes, prediction.min_sampled
    lowest = max(min_sampled[0], budget - sizes[1])
    highest = min(sizes[0], budget - min_sampled[1])
    if lowest > highest:
        raise DataError(
            f"a budget of {budget:,} cannot be split: both segments take at least "
            f"{min_sampled[0]:,} and {min_sampled[1]:,}, at most {sizes[0]:,} and {sizes[1]:,}"
        )
    return lowest, highest


def _splits_around(split: float) -> tuple[float, ...]:
    return tuple(min(split * factor, 1.0) for factor in (1 / FAR, 1 / NEAR, 1, NEAR, FAR))


def _refine(width: Callable[[int], float], places: list[int]) -> None:
    """Try the places, then repeatedly the middles of the steps around the best."""
    best = min(places, key=width)
    for _ in range(SPLIT_ROUNDS):
        index = places.index(best)
        around = places[max(index - 1, 0) : index + 2]
        places = sorted({*around, *_middles(around)})
        best = min(places, key=width)


def _middles(places: Sequence[int]) -> list[int]:
    return [
        round(math.sqrt(low * high)) if low > 0 else (low + high) // 2
        for low, high in pairwise(places)
    ]


def _good_range(
    samples: Sequence[PlannedSample], criterion: Criterion, best: PlannedSample
) -> tuple[int, int]:
    """Return where the widths that were tried exceed the tolerance, on both sides of the best."""
    limit = (1 + TOLERANCE) * criterion(best)
    index = samples.index(best)
    below = _interpolate_limit(samples[: index + 1][::-1], criterion, limit)
    above = _interpolate_limit(samples[index:], criterion, limit)
    return math.ceil(below), math.floor(above)


def _interpolate_limit(
    outwards: Sequence[PlannedSample], criterion: Criterion, limit: float
) -> float:
    """Return the retrieved sample at a limit, by linear interpolation between two splits."""
    for good, bad in pairwise(outwards):
        if not criterion(bad) <= limit:
            part = (limit - criterion(good)) / (criterion(bad) - criterion(good))
            step = bad.retrieved_sample - good.retrieved_sample
            return good.retrieved_sample + (0 if math.isnan(part) else part * step)
    return outwards[-1].retrieved_sample


def find_budget(
    margin: Margin,
    analysis: Analysis,
    prediction: SamplePrediction,
    split: float | None,
    target: str,
) -> Sizes:
    """Return the smallest sample with a margin of at least 0; ``target`` names it in errors."""
    if split is not None:
        budget = _find_smallest(margin, prediction, split, target)
        return split_budget(prediction, budget, split)
    minimum, maximum = _budget_range(prediction)
    criterion = select_criterion(analysis)
    best_split, budget = normal_split(prediction, max(minimum, min(1000, maximum))), 0
    for _ in range(SIZE_ROUNDS):
        before = budget
        budget = _find_smallest(margin, prediction, best_split, target, near=budget)
        if abs(budget - before) <= SETTLED * budget:
            break
        allocation = best_allocation(analysis, prediction, budget, criterion, best_split)
        best_split = allocation.best.split
    else:
        budget = _find_smallest(margin, prediction, best_split, target, near=budget)
    return split_budget(prediction, budget, best_split)


def _budget_range(prediction: SamplePrediction) -> Sizes:
    return max(sum(prediction.min_sampled), 2), sum(prediction.segment_sizes)


def _find_smallest(
    margin: Margin, prediction: SamplePrediction, split: float, target: str, near: int = 0
) -> int:
    """Return the smallest budget at a split, by bracketing on a logarithmic scale."""

    def margin_at(log_budget: float) -> float:
        value = margin(split_budget(prediction, round(math.exp(log_budget)), split))
        return -1.0 if math.isnan(value) else value

    minimum, maximum = _budget_range(prediction)
    brackets = [(minimum, maximum)]
    if near:
        brackets.insert(0, (max(minimum, int(near / AROUND)), min(maximum, int(near * AROUND))))
    for first, last in brackets:
        low, high = math.log(first), math.log(last)
        at_low, at_high = margin_at(low), margin_at(high)
        if at_low < 0 <= at_high:
            log_budget = find_crossing(
                margin_at, low, high, at_low=at_low, at_high=at_high, tolerance=FINE
            )
            return round(math.exp(log_budget))
    if at_low >= 0:
        return minimum
    raise DataError(f"{target} cannot be reached, even with all {maximum:,} documents assessed")


def width_margin(analysis: Analysis, prediction: SamplePrediction, width: float) -> Margin:
    """Return the margin of a target width: log of the target over the expected width."""
    criterion = select_criterion(analysis)

    def margin(sampled: Sizes) -> float:
        expected = criterion(plan_sample(analysis, prediction, sampled))
        return math.log(width) - math.log(max(expected, 1e-12))

    return margin


def recall_margin(
    analysis: Analysis, prediction: SamplePrediction, recall: float, assurance: float | None
) -> Margin:
    """Return the margin of the assurance, or without one that of the expected lower end."""

    def margin(sampled: Sizes) -> float:
        if assurance is None:
            return plan_sample(analysis, prediction, sampled).expected_low - recall
        return compute_assurance(analysis, prediction, sampled, recall) - assurance

    return margin
