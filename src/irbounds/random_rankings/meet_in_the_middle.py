"""Distributions of AP too long to list: both halves of the ranks are listed, and met in the middle.

With i of the relevant documents in the upper half of the ranks, a sum of precisions is one of the
upper half's plus one of the lower half's, where i documents stand above. How many pairs reach a
score takes one search in the longer list for each sum of the shorter one. So 5 x 10^11 rankings of
42 documents cost two lists of two million sums.

A quantile is found by counting at a few scores. Thinned lists tell about where it lies; two counts
beside that place and interpolation between them close in on it, until the sums that are left can be
listed. Where a guess leaves more than half of them, the next one halves the distance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .p_values import TOLERANCE, Tails, rest_allowed

Floats = NDArray[np.float64]

FEW = 1 << 20  # sums that are listed to find a quantile among them
THIN = 64  # sums that stand for all of a list
STRAY = 2 / THIN**2  # by which a probability from thinned lists is off, about


# Every choice of ranks for the relevant documents, and the precisions that each adds up to.
#
# AP times the number of relevant documents is the sum of i / n over the relevant documents, where
# the
# i-th stands at rank n. The sums of all choices of r out of k ranks come from those of r - 1,
# without
# listing the choices themselves: if the last relevant document stands at rank n, the others are a
# choice of r - 1 out of the n - 1 ranks above, and when the choices are sorted by their last rank,
# then by the one before and so on, these are the first C(n - 1, r - 1) of the list.
#
# Sums are whole numbers, in units of one part in ``unit``. Down to rank 42 the unit is a multiple
# of
# every rank, and sums are exact: equal ones are equal. Deeper down the weight of a rank is
# rounded to
# about one part in 2^62, and equal sums may differ in their last digits.
Ints = NDArray[np.int64]

EXACT_RANKS = 42  # 42 times the least common multiple of 1 to 42 just fits 63 bits


def rank_weights(n_ranks: int, n_relevant: int) -> tuple[Ints, int]:
    """The weight 1 / n of each rank n in whole units, and how many units make 1."""
    if n_ranks <= EXACT_RANKS:
        unit = math.lcm(*range(1, n_ranks + 1))
        return unit // np.arange(1, n_ranks + 1), unit
    unit = (2**62) // max(n_relevant, 1)
    ranks = np.arange(1, n_ranks + 1)
    return (unit + ranks // 2) // ranks, unit


def precision_sums(weights: Ints, n_chosen: int, before: int = 0) -> Ints:
    """The sum of every choice of ranks; ``before`` relevant documents stand above all of them."""
    if not n_chosen:
        return np.zeros(1, dtype=np.int64)
    spare = len(weights) - n_chosen
    sums: Ints = (before + 1) * weights[: spare + 1]
    for i in range(2, n_chosen + 1):
        weighed = (before + i) * weights
        parts = [
            sums[: math.comb(rank - 1, i - 1)] + weighed[rank - 1]
            for rank in range(i, spare + i + 1)
        ]
        sums = np.concatenate(parts)
    return sums


def capped_choices(n_ranks: int, n_chosen: int, cap: int) -> int:
    """How many choices there are, or some number above ``cap``; cheap for any numbers."""
    if not 0 <= n_chosen <= n_ranks:
        return 0
    choices = 1
    for step in range(1, min(n_chosen, n_ranks - n_chosen) + 1):
        choices = choices * (n_ranks - step + 1) // step
        if choices > cap:
            break
    return choices


@dataclass(frozen=True, eq=False)
class HalfSums:
    """Ascending sums of both halves, the shorter list first, with so many documents in each."""

    shorter: Ints
    longer: Ints
    #: what one ranking weighs
    weight: float

    def __len__(self) -> int:
        return len(self.shorter) * len(self.longer)

    def at_most(self, bound: int) -> int:
        """How many pairs add up to this or less."""
        return int(self._partners(bound).sum())

    def between(self, above: int, to: int) -> Ints:
        """All sums of pairs that lie above one bound and not above another."""
        first = self._partners(above)
        counts = self._partners(to) - first
        skipped = np.cumsum(counts) - counts
        places = np.arange(counts.sum()) + np.repeat(first - skipped, counts)
        sums: Ints = self.longer[places] + np.repeat(self.shorter[::-1], counts)
        return sums

    def thinned(self) -> Ints:
        """Some sums of pairs that stand for all, each for as many as any other."""
        sums: Ints = np.add.outer(_thinned(self.shorter), _thinned(self.longer)).ravel()
        return sums

    def _partners(self, bound: int) -> NDArray[np.intp]:
        """How many of the longer list each of the shorter may go with, from the highest down."""
        # in this order what is searched for ascends, and is found faster
        return np.searchsorted(self.longer, bound - self.shorter[::-1], "right")


class End(NamedTuple):
    """One end of where a quantile lies: a sum, how many are as low, and their probability.

    For a quantile in the upper half the probability is given less 1: what is left above, negative.
    So it is exact where it is small, on either side.
    """

    at: int
    number: int
    share: float


def half_sums(weights: Ints, shares: dict[int, float]) -> tuple[HalfSums, ...]:
    """All halves; ``shares`` has the weight of one ranking by its number of relevant documents."""
    middle = len(weights) // 2
    below = len(weights) - middle
    upper = {
        i: _ascending(precision_sums(weights[:middle], i))
        for i in range(max(0, min(shares) - below), min(middle, max(shares)) + 1)
    }
    found = []
    for m, share in shares.items():
        for i in upper:
            if 0 <= m - i <= below:
                lower = _ascending(precision_sums(weights[middle:], m - i, i))
                shorter, longer = sorted((upper[i], lower), key=len)
                found.append(HalfSums(shorter, longer, share))
    return tuple(found)


@dataclass(frozen=True, eq=False, repr=False)
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

    #: quantiles by their probabilities, as far as they were asked for
    _known: dict[float, float] = field(default_factory=dict, init=False)

    @cached_property
    def _lowest(self) -> int:
        return min(int(half.shorter[0]) + int(half.longer[0]) for half in self.halves)

    @cached_property
    def _highest(self) -> int:
        return max(int(half.shorter[-1]) + int(half.longer[-1]) for half in self.halves)

    @cached_property
    def _about(self) -> tuple[Floats, Floats]:
        """Some sums, ascending, and about how probable each or a lower one is."""
        parts = [half.thinned() for half in self.halves]
        each = [
            half.weight * (len(half) / len(part))
            for half, part in zip(self.halves, parts, strict=True)
        ]
        weights = np.repeat(each, [len(part) for part in parts])
        sums = np.concatenate(parts)
        order = np.argsort(sums)
        reached = np.cumsum(weights[order]) - weights[order] / 2
        return sums[order].astype(np.float64), reached / self.whole

    def at_most(self, score: float) -> float:
        """The probability of this score or a lower one."""
        to = math.floor(_within(score) * (1 + TOLERANCE) * self.unit)
        return min(1.0, self._weight(self._counts(to)))

    def at_least(self, score: float) -> float:
        """The probability of this score or a higher one."""
        below = self._counts(math.ceil(_within(score) * (1 - TOLERANCE) * self.unit) - 1)
        return min(1.0, self._weight_above(below))

    def lowest_reaching(self, probability: float) -> float:
        """The lowest score that chance stays at or below with at least this probability."""
        if probability == 1:
            return self._highest / self.unit
        if probability not in self._known:
            is_high = probability > 0.5
            wanted = -rest_allowed(probability) if is_high else probability * (1 - TOLERANCE)
            self._known[probability] = self._lowest_sum(wanted, is_high) / self.unit
        return self._known[probability]

    def _lowest_sum(self, wanted: float, is_high: bool) -> int:
        """The lowest sum that the wanted probability ends at, as an ``End`` has it."""
        low = End(self._lowest - 1, 0, 0.0 - is_high)
        high = End(self._highest, sum(map(len, self.halves)), 1.0 - is_high)
        guesses = self._first_guesses(wanted + is_high)
        shrinks = True
        while high.at - low.at > 1 and (left := high.number - low.number) > FEW:
            if guesses:
                guess = guesses.pop()
            else:
                guess = _interpolated(low, high, wanted) if shrinks else (low.at + high.at) // 2
            end = self._end(min(max(guess, low.at + 1), high.at - 1), is_high)
            low, high = (end, high) if end.share < wanted else (low, end)
            shrinks = not shrinks or 2 * (high.number - low.number) <= left
        if high.number - low.number > FEW:  # of one and the same score
            return high.at
        return self._first_listed(low, high, wanted, is_high)

    def _first_guesses(self, wanted: float) -> list[int]:
        """A sum that is a little too high, and one that is a little too low."""
        off = min(STRAY, wanted / 2, abs(1 - wanted) / 2)
        sums, reached = self._about
        return [int(guess) for guess in np.interp([wanted + off, wanted - off], reached, sums)]

    def _first_listed(self, low: End, high: End, wanted: float, is_high: bool) -> int:
        """The lowest sum above ``low``, up to ``high``, that the wanted probability ends at."""
        parts = [half.between(low.at, high.at) for half in self.halves]
        weights = np.repeat([half.weight for half in self.halves], [len(part) for part in parts])
        sums = np.concatenate(parts)
        order = np.argsort(sums, kind="stable")
        if is_high:  # from the end that is exact
            above = np.append(np.cumsum(weights[order][:0:-1])[::-1], 0.0)
            reached = high.share - above / self.whole
        else:
            reached = low.share + np.cumsum(weights[order]) / self.whole
        place = int(np.searchsorted(reached, wanted, "left"))
        return int(sums[order[min(place, len(order) - 1)]])

    def _end(self, bound: int, is_high: bool) -> End:
        counts = self._counts(bound)
        share = -self._weight_above(counts) if is_high else self._weight(counts)
        return End(bound, sum(counts), share)

    def _counts(self, bound: int) -> list[int]:
        """How many sums of each part are this high or lower."""
        return [half.at_most(min(bound, self._highest)) for half in self.halves]

    def _weight(self, counts: list[int]) -> float:
        """What so many sums of each part weigh of the whole."""
        parts = (half.weight * count for half, count in zip(self.halves, counts, strict=True))
        return math.fsum(parts) / self.whole

    def _weight_above(self, counts: list[int]) -> float:
        """What all but so many sums of each part weigh of the whole."""
        rest = [len(half) - count for half, count in zip(self.halves, counts, strict=True)]
        return self._weight(rest)


def _interpolated(low: End, high: End, wanted: float) -> int:
    """A guess on the straight line between two ends.

    Where one end is near already, the guess goes as far beyond what is wanted, to get the other
    end near as well; at least so far that the list at the end would take it.
    """
    below, above = wanted - low.share, high.share - wanted
    enough = FEW / 4 * (high.share - low.share) / (high.number - low.number)
    aim = wanted
    if above > 4 * below:
        aim += max(below, enough)
    elif below > 4 * above:
        aim -= max(above, enough)
    rise = (aim - low.share) / (high.share - low.share) if high.share > low.share else 0.5
    return low.at + int(rise * (high.at - low.at))


def _thinned(ascending: Ints) -> Ints:
    """A list, or the middles of so many equal parts of it."""
    if len(ascending) <= THIN:
        return ascending
    return ascending[(2 * np.arange(THIN) + 1) * len(ascending) // (2 * THIN)]


def _ascending(sums: Ints) -> Ints:
    # what was listed rank by rank has long runs in order, which this sort makes use of
    return np.sort(sums, kind="stable")


def _within(score: float) -> float:
    """A score, or one beside all scores that fits whole numbers as well."""
    return min(max(score, -0.5), 1.5)
