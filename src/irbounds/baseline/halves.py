"""Distributions of AP too long to list: both halves of the ranks are listed, and met in the middle.

With i of the relevant documents in the upper half of the ranks, a sum of precisions is one of the
upper half's plus one of the lower half's, where i documents stand above. How many pairs reach a
score takes one search in the lower list for each sum of the upper list. So 5 x 10^11 rankings of 42
documents cost two lists of two million sums.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from .rank_choices import Ints, precision_sums
from .tails import TOLERANCE, Tails

__all__ = ["HalfSums", "Halved", "half_sums"]

FEW = 1 << 20  # sums that are listed to find a quantile among them


@dataclass(frozen=True, eq=False)
class HalfSums:
    """Sums of the upper and of the lower half, ascending, for one number of documents in each."""

    upper: Ints
    lower: Ints
    #: what one ranking weighs
    weight: float

    def __len__(self) -> int:
        return len(self.upper) * len(self.lower)

    def at_most(self, bound: int) -> int:
        """How many pairs add up to this or less."""
        return int(np.searchsorted(self.lower, bound - self.upper, "right").sum())

    def between(self, above: int, to: int) -> Ints:
        """All sums of pairs that lie above one bound and not above another."""
        first = np.searchsorted(self.lower, above - self.upper, "right")
        counts = np.searchsorted(self.lower, to - self.upper, "right") - first
        skipped = np.cumsum(counts) - counts
        places = np.arange(counts.sum()) + np.repeat(first - skipped, counts)
        sums: Ints = self.lower[places] + np.repeat(self.upper, counts)
        return sums


def half_sums(weights: Ints, shares: dict[int, float]) -> tuple[HalfSums, ...]:
    """All halves; ``shares`` has the weight of one ranking by its number of relevant documents."""
    middle = len(weights) // 2
    below = len(weights) - middle
    upper = {
        i: np.sort(precision_sums(weights[:middle], i))
        for i in range(max(0, min(shares) - below), min(middle, max(shares)) + 1)
    }
    return tuple(
        HalfSums(upper[i], np.sort(precision_sums(weights[middle:], m - i, i)), share)
        for m, share in shares.items()
        for i in upper
        if 0 <= m - i <= below
    )


@dataclass(frozen=True, eq=False)
class Halved(Tails):
    """An exact distribution that counts pairs of half sums."""

    method: ClassVar[str] = "exact"

    mean: float
    standard_deviation: float
    halves: tuple[HalfSums, ...]
    #: units of the sums that make a score of 1
    unit: int
    #: what all rankings weigh together
    whole: float

    @cached_property
    def _highest(self) -> int:
        return max(int(half.upper[-1]) + int(half.lower[-1]) for half in self.halves)

    def at_most(self, score: float) -> float:
        """The probability of this score or a lower one."""
        return min(1.0, self._weight(self._counts(math.floor(score * (1 + TOLERANCE) * self.unit))))

    def at_least(self, score: float) -> float:
        """The probability of this score or a higher one."""
        below = self._counts(math.ceil(score * (1 - TOLERANCE) * self.unit) - 1)
        above = [len(half) - count for half, count in zip(self.halves, below, strict=True)]
        return min(1.0, self._weight(above))

    def lowest_reaching(self, probability: float) -> float:
        """The lowest score that chance stays at or below with at least this probability."""
        wanted = probability * (1 - TOLERANCE)
        low, high = -1, self._highest
        to_low, to_high = self._counts(low), self._counts(high)
        while high - low > 1 and sum(to_high) - sum(to_low) > FEW:
            middle = (low + high) // 2
            counts = self._counts(middle)
            if self._weight(counts) < wanted:
                low, to_low = middle, counts
            else:
                high, to_high = middle, counts
        if sum(to_high) - sum(to_low) > FEW:  # of one and the same score
            return high / self.unit
        return self._first_reaching(wanted, low, high) / self.unit

    def _first_reaching(self, wanted: float, low: int, high: int) -> int:
        """The lowest sum above ``low``, up to ``high``, that the wanted probability ends at."""
        parts = [half.between(low, high) for half in self.halves]
        weights = np.repeat([half.weight for half in self.halves], [len(part) for part in parts])
        sums = np.concatenate(parts)
        order = np.argsort(sums, kind="stable")
        reached = self._weight(self._counts(low)) + np.cumsum(weights[order]) / self.whole
        place = int(np.searchsorted(reached, wanted, "left"))
        return int(sums[order[min(place, len(order) - 1)]])

    def _counts(self, bound: int) -> list[int]:
        """How many sums of each part are this high or lower."""
        return [half.at_most(min(bound, self._highest)) for half in self.halves]

    def _weight(self, counts: list[int]) -> float:
        """What so many sums of each part weigh of the whole."""
        parts = (half.weight * count for half, count in zip(self.halves, counts, strict=True))
        return math.fsum(parts) / self.whole
