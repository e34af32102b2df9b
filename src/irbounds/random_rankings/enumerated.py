"""Distributions as lists: every score that chance can give, with its probability.

Scores that are equal share a place. The list of a mean over queries is made of all sums of the
queries' lists, one query after the other; equal sums are put together each time, so that many
queries of a kind stay short.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .tails import TOLERANCE, Tails, rest_allowed

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Atoms:
    """Scores that differ, ascending, and how much each weighs of the whole."""

    #: of scores that were put together the lowest, and the highest
    scores: Floats
    highest: Floats
    #: whole numbers where all rankings weigh the same: sums of them are exact
    weights: Floats
    whole: float

    def __len__(self) -> int:
        return len(self.scores)


def gathered(
    scores: Floats, weights: Floats, whole: float, *, highest: Floats | None = None
) -> Atoms:
    """Scores in any order, those within ``TOLERANCE`` of each other put together.

    ``highest`` has the upper ends of scores that are put together from several already.
    """
    order = np.argsort(scores, kind="stable")
    ascending = scores[order]
    upper = ascending if highest is None else np.maximum.accumulate(highest[order])
    starts = np.flatnonzero(np.append(True, ascending[1:] * (1 - TOLERANCE) > upper[:-1]))
    ends = np.append(starts[1:], len(order)) - 1
    sums = np.add.reduceat(weights[order], starts)
    return Atoms(ascending[starts], upper[ends], sums, whole)


def sums_of(parts: Iterable[Atoms]) -> Atoms:
    """The distribution of the sum of independent scores."""
    total = Atoms(np.zeros(1), np.zeros(1), np.ones(1), 1.0)
    for part in parts:
        scores = np.add.outer(total.scores, part.scores).ravel()
        highest = np.add.outer(total.highest, part.highest).ravel()
        shares = np.multiply.outer(total.weights, part.weights / part.whole).ravel()
        total = gathered(scores, shares, 1.0, highest=highest)
    return total


@dataclass(frozen=True, eq=False, repr=False)
class Enumerated(Tails):
    """An exact distribution that lists every score."""

    method: ClassVar[str] = "exact"

    mean: float
    standard_deviation: float
    atoms: Atoms

    @cached_property
    def _tails(self) -> tuple[Floats, Floats]:
        """The probability of all scores before each place, and of all from it on."""
        weights, whole = self.atoms.weights, self.atoms.whole
        below = np.append(0.0, _running_sums(weights))
        above = np.append(_running_sums(weights[::-1])[::-1], 0.0)
        # the smaller one, added up from its end, has all its digits; the other is the rest
        is_low = below <= above
        return (
            np.where(is_low, below, whole - above) / whole,
            np.where(is_low, whole - below, above) / whole,
        )

    def at_most(self, score: float) -> float:
        """The probability of this score or a lower one."""
        place = np.searchsorted(self.atoms.scores, score * (1 + TOLERANCE), "right")
        return float(self._tails[0][place])

    def at_least(self, score: float) -> float:
        """The probability of this score or a higher one."""
        place = np.searchsorted(self.atoms.highest, score * (1 - TOLERANCE), "left")
        return float(self._tails[1][place])

    def lowest_reaching(self, probability: float) -> float:
        """The lowest score that chance stays at or below with at least this probability."""
        if probability == 1:  # however rare the highest score is
            return float(self.atoms.scores[-1])
        reached, rest = (tail[1:] for tail in self._tails)
        if probability <= 0.5:
            place = int(np.searchsorted(reached, probability * (1 - TOLERANCE), "left"))
        else:
            allowed = rest_allowed(probability)
            place = bisect_left(rest, True, key=lambda left: left <= allowed)
        return float(self.atoms.scores[min(place, len(reached) - 1)])


def _running_sums(values: Floats) -> Floats:
    """The sums of the first 1, 2, ... values, by rows of a table: few roundings add up in each."""
    width = math.isqrt(len(values)) + 1
    table = np.zeros((-(-len(values) // width), width))
    table.ravel()[: len(values)] = values
    within = np.cumsum(table, axis=1)
    before = np.cumsum(within[:, -1]) - within[:, -1]
    return (within + before[:, np.newaxis]).ravel()[: len(values)]
