"""Buehler's limits for two uncertain strata.

Samples are ordered by how much they speak for a large objective. A pair of yields is rejected if
the samples that speak for it as much as the observed one have a probability of at most alpha
together. The limit is the smallest objective of all pairs that are not rejected.

By its estimate recall has poor limits, since every sample without a missed document has an estimate
of 1. So samples are ordered by an approximate limit of recall: a quantile of the logarithm of
R1 / R0 by Cornish and Fisher's formula, with half a document added to every count, always at the
95 % level so that limits of different levels are nested. Other quantities are ordered by their
estimate with half a document added.

Yields that contradict one sample by itself are excluded beforehand, at a hundredth of alpha (Berger
and Boos 1994): otherwise the limit would often be that of absurd yields, which the order of samples
does not reject. The minimum is found by branch and bound and is the minimum over all integers, not
an approximation. With strata of more than ``MAX_EXACT`` documents it may be too low by 1e-6.

Reference: Buehler (1957), Journal of the American Statistical Association 52; Berger and Boos
(1994), the same journal, 89.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from .hypergeometric import hypergeometric_masses
from .uncertain_strata import Part, Problem, exceeds, find_first, recall_ratio

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

ADDED = 0.5  # documents added to every count, to order samples
ORDER_QUANTILE = 1.6448536269514722  # of the normal distribution, at the level of the ordering
EXCLUDED = 0.01  # the part of alpha at which yields that contradict one sample are excluded
MAX_EXACT = 2_000_000  # documents of a stratum up to which the minimum is exact
GAP = 1e-6  # its relative error beyond, on the safe side
SLACK = 1e-9  # relative difference below which two samples are in the same place of the order


def solve_two_strata(problem: Problem, alpha: float) -> float:
    """Return the smallest objective over all pairs of yields that are not rejected."""
    excluded = EXCLUDED * alpha / 4  # two strata with two tails each
    first, second = (_Range(part, excluded) for part in problem.parts)
    return _PairSearch(problem, alpha * (1 - EXCLUDED), first, second).find_minimum()


class _Range:
    """The values of Q that one sample allows by itself, and the counts that samples of them have.

    Other counts have a probability below 1e-16 for all of these values.
    """

    def __init__(self, part: Part, excluded: float) -> None:
        self.part = part
        self.low, self.high = part.least(excluded), part.most(excluded)
        self.first, masses = hypergeometric_masses(part.population, self.low, part.sampled)
        first, masses = hypergeometric_masses(part.population, self.high, part.sampled)
        self.last = first + len(masses) - 1

    @cached_property
    def counts(self) -> Integers:
        """The counts that matter."""
        return np.arange(self.first, self.last + 1)

    def masses(self, q: int) -> Floats:
        """Return the probabilities of these counts."""
        first, masses = hypergeometric_masses(self.part.population, q, self.part.sampled)
        begin, end = max(first, self.first), min(first + len(masses), self.last + 1)
        padded = np.zeros(len(self.counts))
        padded[begin - self.first : end - self.first] = masses[begin - first : end - first]
        return padded


#: first Q, last Q, and the smallest second Q at each of them that is not rejected, if any
_Branch = tuple[float, int, int, int | None, int]


class _PairSearch:
    """The search for the smallest objective, by branch and bound over the first Q.

    The smallest Q of the second stratum that is not rejected decreases with the first Q, and the
    objective increases with both. So between two first Q the objective is at least that of the
    lower one together with the second Q of the upper one.
    """

    def __init__(self, problem: Problem, alpha: float, first: _Range, second: _Range) -> None:
        self.problem, self.alpha = problem, alpha
        self.first, self.second = first, second
        self.thresholds = _find_thresholds(problem, first, second)
        self.best = math.inf
        self.branches: list[_Branch] = []
        size = max(first.part.population, second.part.population)
        #: the result may be too low by this fraction of it, never too high
        self.gap = 0.0 if size <= MAX_EXACT else GAP

    def find_minimum(self) -> float:
        """Return the smallest objective of all pairs that are not rejected."""
        low, high = self.first.low, self.first.high
        at_high = self._evaluate(high, self.second.low, self.second.high)
        if at_high is None:  # cannot happen but for rounding: the observed sample is in the region
            return self.problem.value(low, self.second.low)
        at_low = self._evaluate(low, at_high, self.second.high)
        self._push(low, high, at_low, at_high)
        while self.branches:
            bound, left, right, at_left, at_right = heapq.heappop(self.branches)
            if bound >= self.best:
                break
            if bound >= self.best - self.gap * abs(self.best):
                return bound
            middle = (left + right) // 2
            top = self.second.high if at_left is None else at_left
            at_middle = self._evaluate(middle, at_right, top)
            self._push(middle, right, at_middle, at_right)
            if at_middle is not None:
                self._push(left, middle, at_left, at_middle)
        return self.best

    def _push(self, left: int, right: int, at_left: int | None, at_right: int) -> None:
        """Add the first Q between two, unless none of them can be better than the best."""
        if right - left > 1:
            bound = self.problem.value(left + 1, at_right)
            bound = bound if math.isfinite(bound) else -math.inf
            if bound < self.best:
                heapq.heappush(self.branches, (bound, left, right, at_left, at_right))

    def _evaluate(self, q: int, low: int, high: int) -> int | None:
        """Return the smallest second Q from low to high that is not rejected; None if all are."""
        tails = np.minimum(np.cumsum(self.first.masses(q)[::-1])[::-1], 1.0)
        chances = np.append(tails, 0.0)[self.thresholds]

        def is_kept(other: int) -> bool:
            return exceeds(float((self.second.masses(other) * chances).sum()), self.alpha)

        smallest = find_first(low, high + 1, is_kept)
        if smallest > high:
            return None
        value = self.problem.value(q, smallest)
        if math.isinf(value) and smallest < high:  # recall without a relevant document
            value = self.problem.value(q, smallest + 1)
        self.best = min(self.best, value)
        return smallest


def _find_thresholds(problem: Problem, first: _Range, second: _Range) -> Integers:
    """Return, for each count of the second sample, the place of the smallest first count.

    Both counts together speak for the objective as much as the observed sample. The places are
    those in the range of the first counts; one beyond its end means that no count is large enough.
    """
    height = _make_order(problem, first, second)
    ours = np.array([first.part.count - first.first])
    others = np.array([second.part.count - second.first])
    observed = float(height(ours, others)[0])
    level = observed - SLACK * max(1.0, abs(observed))
    places, n = np.arange(len(second.counts)), len(first.counts)
    below, needed = np.full(len(places), -1), np.full(len(places), n)
    while (needed - below > 1).any():
        middle = np.clip((below + needed) // 2, 0, n - 1)
        is_open = needed - below > 1
        is_reached = height(middle, places) >= level
        needed = np.where(is_open & is_reached, middle, needed)
        below = np.where(is_open & ~is_reached, middle, below)
    return np.minimum.accumulate(needed)  # a larger count never needs more of the other


#: how much samples speak for the objective, by the places of both counts in their ranges
Order = Callable[[Integers, Integers], Floats]


def _make_order(problem: Problem, first: _Range, second: _Range) -> Order:
    """Return the order of samples, which increases with both counts.

    It must be the same for all samples, so documents that one of them found are not credited.
    """
    ratio = problem.ratio.plain or problem.ratio
    is_simple = first.part.retrieved != second.part.retrieved and not any(problem.known)
    if is_simple and ratio == recall_ratio():
        return _order_by_recall(problem, first, second)
    estimates = [
        (part.population * (counts + ADDED) / (part.sampled + 2 * ADDED), part)
        for part, counts in ((first.part, first.counts), (second.part, second.counts))
    ]

    def height(ours: Integers, others: Integers) -> Floats:
        totals: dict[bool, Any] = {True: problem.known[0], False: problem.known[1]}
        for (quantities, part), places in zip(estimates, (ours, others), strict=True):
            q = quantities[places]
            totals[part.retrieved] = totals[part.retrieved] + part.relevant(q)
        return np.asarray(problem.sign * ratio.values(totals[True], totals[False]))

    return height


def _order_by_recall(problem: Problem, first: _Range, second: _Range) -> Order:
    """Return the order by an approximate limit of the logarithm of R1 / R0."""
    z = ORDER_QUANTILE
    ours, others = (_log_cumulants(each.part, each.counts) for each in (first, second))

    def height(places: Integers, other_places: Integers) -> Floats:
        mean, variance, third = (
            mine[places] + other[other_places] for mine, other in zip(ours, others, strict=True)
        )
        skewed = (z * z - 1) / 6 * third / variance
        return np.asarray(problem.sign * (mean + skewed) - z * np.sqrt(variance))

    return height


def _log_cumulants(part: Part, counts: Integers) -> tuple[Floats, Floats, Floats]:
    """Return mean, variance and third cumulant of the logarithm of a yield, for every count.

    They are those of a beta posterior; the part of the stratum that was read has no variance. The
    logarithm of an unretrieved yield counts negatively.
    """
    relevant = part.sampled - counts if part.is_flipped else counts
    a, b = relevant + ADDED, part.sampled + 2 * ADDED
    unread = 1 - part.sampled / part.population
    sign = 1 if part.retrieved else -1
    return (
        sign * (math.log(part.population) + special.digamma(a) - special.digamma(b)),
        unread * (special.polygamma(1, a) - special.polygamma(1, b)),
        sign * unread**2 * (special.polygamma(2, a) - special.polygamma(2, b)),
    )
