"""Distributions as lists: every score that chance can give, with its probability.

Scores that are equal share a place. The list of a mean over queries is made of all sums of the
queries' lists, one query after the other; equal sums are put together each time, so that many
queries of a kind stay short.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .tails import TOLERANCE, Tails

__all__ = ["Atoms", "Enumerated", "gathered", "sums_of"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Atoms:
    """Scores that differ, ascending, and how much each weighs of the whole."""

    scores: Floats
    #: whole numbers where all rankings weigh the same: sums of them are exact
    weights: Floats
    whole: float

    def __len__(self) -> int:
        return len(self.scores)


def gathered(scores: Floats, weights: Floats, whole: float) -> Atoms:
    """Scores in any order, those within ``TOLERANCE`` of each other put together."""
    order = np.argsort(scores, kind="stable")
    ascending = scores[order]
    apart = np.append(True, np.diff(ascending) > TOLERANCE * ascending[1:])
    starts = np.flatnonzero(apart)
    return Atoms(ascending[starts], np.add.reduceat(weights[order], starts), whole)


def sums_of(parts: Iterable[Atoms]) -> Atoms:
    """The distribution of the sum of independent scores."""
    total = Atoms(np.zeros(1), np.ones(1), 1.0)
    for part in parts:
        scores = np.add.outer(total.scores, part.scores).ravel()
        shares = np.multiply.outer(total.weights, part.weights / part.whole).ravel()
        total = gathered(scores, shares, 1.0)
    return total


@dataclass(frozen=True, eq=False, repr=False)
class Enumerated(Tails):
    """An exact distribution that lists every score."""

    method: ClassVar[str] = "exact"

    mean: float
    standard_deviation: float
    atoms: Atoms

    @cached_property
    def _from_below(self) -> Floats:
        return np.append(0.0, np.cumsum(self.atoms.weights)) / self.atoms.whole

    @cached_property
    def _from_above(self) -> Floats:
        # added up from the highest score: a small tail has all its digits
        return np.append(np.cumsum(self.atoms.weights[::-1])[::-1], 0.0) / self.atoms.whole

    def at_most(self, score: float) -> float:
        """The probability of this score or a lower one."""
        place = np.searchsorted(self.atoms.scores, score * (1 + TOLERANCE), "right")
        return float(min(self._from_below[place], 1.0))

    def at_least(self, score: float) -> float:
        """The probability of this score or a higher one."""
        place = np.searchsorted(self.atoms.scores, score * (1 - TOLERANCE), "left")
        return float(min(self._from_above[place], 1.0))

    def lowest_reaching(self, probability: float) -> float:
        """The lowest score that chance stays at or below with at least this probability."""
        if probability == 1:  # however rare the highest score is
            return float(self.atoms.scores[-1])
        reached = self._from_below[1:]
        place = np.searchsorted(reached, probability * (1 - TOLERANCE), "left")
        return float(self.atoms.scores[min(int(place), len(reached) - 1)])
