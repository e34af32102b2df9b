"""The exact distribution of AP from two halves of the ranks ("meet in the middle").

AP times the number of relevant documents is the sum of i / n over the relevant documents, where
the i-th is at rank n. ``precision_sums`` lists these sums for every choice of r out of k ranks,
without listing the choices themselves. If the last relevant document is at rank n, the others are a
choice of r - 1 out of the n - 1 ranks above. When the choices are sorted by their last rank, then
by the one before and so on, these are the first C(n - 1, r - 1) of the list for r - 1.

Sums are integers, in units of one part in ``unit``. Down to rank 42 the unit is a multiple of every
rank, and equal sums are exactly equal. Further down the weight of a rank is rounded to about one
part in 2^62, and equal sums may differ in their last digits.

Distributions that are too long to list are counted from both halves of the ranks. With i of the
relevant documents in the upper half, a sum of precisions is one of the upper half's sums plus one
of the lower half's, where i documents are above. The number of pairs that reach a score takes one
search in the longer list for each sum of the shorter one. So the 5 x 10^11 rankings of 42 documents
cost two lists of two million sums.

A quantile is found by counting at a few scores. Samples of the lists give its approximate location.
Two counts close to it, and interpolation between them, narrow the interval until the remaining sums
can be listed. Where a guess leaves more than half of them, the next one bisects the interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .p_values import TOLERANCE, ScoreDistribution, max_upper_tail

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

EXACT_RANKS = 42  # 42 times the least common multiple of 1 to 42 just fits 63 bits
MAX_LISTED = 1 << 20  # sums that are listed to find a quantile among them
SAMPLE = 64  # sums that represent a list
SAMPLE_ERROR = 2 / SAMPLE**2  # approximate error of a probability from samples of the lists


def rank_weights(n_ranks: int, n_relevant: int) -> tuple[Ints, int]:
    """Return the weight 1 / n of each rank n in integer units, and the number of units in 1."""
    if n_ranks <= EXACT_RANKS:
        unit = math.lcm(*range(1, n_ranks + 1))
        return unit // np.arange(1, n_ranks + 1), unit
    unit = (2**62) // max(n_relevant, 1)
    ranks = np.arange(1, n_ranks + 1)
    return (unit + ranks // 2) // ranks, unit


def precision_sums(weights: Ints, n_chosen: int, n_above: int = 0) -> Ints:
    """Return the sum of every choice of ranks, below ``n_above`` other relevant documents."""
    if not n_chosen:
        return np.zeros(1, dtype=np.int64)
    spare = len(weights) - n_chosen
    sums: Ints = (n_above + 1) * weights[: spare + 1]
    for i in range(2, n_chosen + 1):
        precisions = (n_above + i) * weights
        parts = [
            sums[: math.comb(rank - 1, i - 1)] + precisions[rank - 1]
            for rank in range(i, spare + i + 1)
        ]
        sums = np.concatenate(parts)
    return sums


def count_choices(n_ranks: int, n_chosen: int, cap: int) -> int:
    """Return the number of choices, or some number above ``cap``; cheap for any numbers."""
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
    """Ascending sums of both halves, for one number of relevant documents in each.

    The shorter list comes first.
    """

    shorter: Ints
    longer: Ints
    #: the weight of one ranking
    weight: float

    def __len__(self) -> int:
        return len(self.shorter) * len(self.longer)

    def count_at_most(self, bound: int) -> int:
        """Return the number of pairs with a sum of at most ``bound``."""
        return int(self._count_partners(bound).sum())

    def list_between(self, above: int, to: int) -> Ints:
        """Return all sums of pairs that are greater than ``above`` and at most ``to``."""
        first = self._count_partners(above)
        counts = self._count_partners(to) - first
        skipped = np.cumsum(counts) - counts
        places = np.arange(counts.sum()) + np.repeat(first - skipped, counts)
        sums: Ints = self.longer[places] + np.repeat(self.shorter[::-1], counts)
        return sums

    def sample_sums(self) -> Ints:
        """Return some sums of pairs, each of which represents the same number of pairs."""
        sums: Ints = np.add.outer(_sample(self.shorter), _sample(self.longer)).ravel()
        return sums

    def _count_partners(self, bound: int) -> NDArray[np.intp]:
        """Count for each of the shorter list, from the highest down, its partners in the longer."""
        # in this order the values searched for ascend, which makes the search faster
        return np.searchsorted(self.longer, bound - self.shorter[::-1], "right")


class End(NamedTuple):
    """One end of the interval of a quantile: a sum, the number of sums up to it, the probability.

    For a quantile in the upper half the probability is given minus 1: the negative probability of
    all higher sums. So it is exact where it is small, at either end.
    """

    at: int
    number: int
    probability: float


def list_half_sums(weights: Ints, ranking_weights: dict[int, float]) -> tuple[HalfSums, ...]:
    """Return all half sums.

    ``ranking_weights`` has the weight of one ranking by its number of relevant documents.
    """
    n_upper = len(weights) // 2
    n_lower = len(weights) - n_upper
    first, last = min(ranking_weights), max(ranking_weights)
    upper = {
        i: _sort(precision_sums(weights[:n_upper], i))
        for i in range(max(0, first - n_lower), min(n_upper, last) + 1)
    }
    halves = []
    for m, weight in ranking_weights.items():
        for i in upper:
            if 0 <= m - i <= n_lower:
                lower = _sort(precision_sums(weights[n_upper:], m - i, i))
                shorter, longer = sorted((upper[i], lower), key=len)
                halves.append(HalfSums(shorter, longer, weight))
    return tuple(halves)


@dataclass(frozen=True, eq=False, repr=False)
class MeetInTheMiddle(ScoreDistribution):
    """An exact distribution that counts pairs of half sums."""

    method: ClassVar[str] = "exact"

    mean: float
    standard_deviation: float
    halves: tuple[HalfSums, ...]
    #: units of the sums in a score of 1
    unit: int
    #: the weight of all rankings together
    total: float

    #: quantiles by their probabilities, as far as they have been computed
    _quantiles: dict[float, float] = field(default_factory=dict, init=False)

    @cached_property
    def _lowest(self) -> int:
        return min(int(half.shorter[0]) + int(half.longer[0]) for half in self.halves)

    @cached_property
    def _highest(self) -> int:
        return max(int(half.shorter[-1]) + int(half.longer[-1]) for half in self.halves)

    @cached_property
    def _sample(self) -> tuple[Floats, Floats]:
        """Some sums, ascending, and the approximate probability of each or a lower one."""
        parts = [half.sample_sums() for half in self.halves]
        each = [
            half.weight * (len(half) / len(part))
            for half, part in zip(self.halves, parts, strict=True)
        ]
        weights = np.repeat(each, [len(part) for part in parts])
        sums = np.concatenate(parts)
        order = np.argsort(sums)
        reached = np.cumsum(weights[order]) - weights[order] / 2
        return sums[order].astype(np.float64), reached / self.total

    def at_most(self, score: float) -> float:
        """Return the probability of this score or a lower one."""
        bound = math.floor(_clip(score) * (1 + TOLERANCE) * self.unit)
        return min(1.0, self._probability_to(self._count(bound)))

    def at_least(self, score: float) -> float:
        """Return the probability of this score or a higher one."""
        below = self._count(math.ceil(_clip(score) * (1 - TOLERANCE) * self.unit) - 1)
        return min(1.0, self._probability_above(below))

    def lowest_reaching(self, probability: float) -> float:
        """Return the lowest score with at least this probability at or below it."""
        if probability == 1:
            return self._highest / self.unit
        if probability not in self._quantiles:
            is_high = probability > 0.5
            target = -max_upper_tail(probability) if is_high else probability * (1 - TOLERANCE)
            self._quantiles[probability] = self._lowest_sum(target, is_high) / self.unit
        return self._quantiles[probability]

    def _lowest_sum(self, target: float, is_high: bool) -> int:
        """Return the lowest sum that reaches the target probability, written as in ``End``."""
        low = End(self._lowest - 1, 0, 0.0 - is_high)
        high = End(self._highest, sum(map(len, self.halves)), 1.0 - is_high)
        guesses = self._first_guesses(target + is_high)
        shrinks = True
        while high.at - low.at > 1 and (left := high.number - low.number) > MAX_LISTED:
            if guesses:
                guess = guesses.pop()
            else:
                guess = _interpolate(low, high, target) if shrinks else (low.at + high.at) // 2
            end = self._end(min(max(guess, low.at + 1), high.at - 1), is_high)
            low, high = (end, high) if end.probability < target else (low, end)
            shrinks = not shrinks or 2 * (high.number - low.number) <= left
        if high.number - low.number > MAX_LISTED:  # all of the same score
            return high.at
        return self._lowest_listed(low, high, target, is_high)

    def _first_guesses(self, target: float) -> list[int]:
        """Return a sum that is slightly too high, and one that is slightly too low."""
        error = min(SAMPLE_ERROR, target / 2, abs(1 - target) / 2)
        sums, reached = self._sample
        return [int(guess) for guess in np.interp([target + error, target - error], reached, sums)]

    def _lowest_listed(self, low: End, high: End, target: float, is_high: bool) -> int:
        """Return the lowest sum above ``low``, up to ``high``, that reaches the target."""
        parts = [half.list_between(low.at, high.at) for half in self.halves]
        weights = np.repeat([half.weight for half in self.halves], [len(part) for part in parts])
        sums = np.concatenate(parts)
        order = np.argsort(sums, kind="stable")
        if is_high:  # from the end with the exact probability
            above = np.append(np.cumsum(weights[order][:0:-1])[::-1], 0.0)
            reached = high.probability - above / self.total
        else:
            reached = low.probability + np.cumsum(weights[order]) / self.total
        place = int(np.searchsorted(reached, target, "left"))
        return int(sums[order[min(place, len(order) - 1)]])

    def _end(self, bound: int, is_high: bool) -> End:
        counts = self._count(bound)
        probability = -self._probability_above(counts) if is_high else self._probability_to(counts)
        return End(bound, sum(counts), probability)

    def _count(self, bound: int) -> list[int]:
        """Return the number of sums of each part that are at most ``bound``."""
        return [half.count_at_most(min(bound, self._highest)) for half in self.halves]

    def _probability_to(self, counts: list[int]) -> float:
        """Return the probability of this number of sums of each part."""
        parts = (half.weight * count for half, count in zip(self.halves, counts, strict=True))
        return math.fsum(parts) / self.total

    def _probability_above(self, counts: list[int]) -> float:
        """Return the probability of all but this number of sums of each part."""
        rest = [len(half) - count for half, count in zip(self.halves, counts, strict=True)]
        return self._probability_to(rest)


def _interpolate(low: End, high: End, target: float) -> int:
    """Return a guess on the straight line between two ends.

    Where one end is close already, the guess overshoots the target by the same distance, to bring
    the other end close as well. The overshoot covers at least what the final list can hold.
    """
    below, above = target - low.probability, high.probability - target
    width = high.probability - low.probability
    enough = MAX_LISTED / 4 * width / (high.number - low.number)
    aim = target
    if above > 4 * below:
        aim += max(below, enough)
    elif below > 4 * above:
        aim -= max(above, enough)
    rise = (aim - low.probability) / width if high.probability > low.probability else 0.5
    return low.at + int(rise * (high.at - low.at))


def _sample(ascending: Ints) -> Ints:
    """Return a short list as it is, and the middles of ``SAMPLE`` equal parts of a longer one."""
    if len(ascending) <= SAMPLE:
        return ascending
    return ascending[(2 * np.arange(SAMPLE) + 1) * len(ascending) // (2 * SAMPLE)]


def _sort(sums: Ints) -> Ints:
    # sums listed rank by rank have long ascending runs, which this sort makes use of
    return np.sort(sums, kind="stable")


def _clip(score: float) -> float:
    """Return a score limited to -0.5 and 1.5, so that its integer units fit 64 bits."""
    return min(max(score, -0.5), 1.5)
