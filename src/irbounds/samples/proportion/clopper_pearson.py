"""Clopper-Pearson interval of a proportion: exact, hence never too short and mostly too long.

The lower limit is the least proportion under which so many relevant documents or more are not too
rare, the upper limit the greatest under which so many or fewer are not. For a large population
these are quantiles of beta distributions. For a finite one the same is asked of every possible
number R of relevant documents, with the hypergeometric distribution, by bisection: about log2 N
sums of probabilities for a limit. Coverage is at least the level for every proportion there is.
Without a sample it is 0 to 1.

When not to use: Where coverage equal to the level on average is enough, Clopper and Pearson's
interval is wider than necessary: "exact" means coverage of at least the level.

Reference: Clopper and Pearson (1934); Webber (2013), section 2.5; mean coverage 97.7 % at n = 20
for 95 %.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ...errors import DataError
from ...results.interval import Side
from ..hypergeometric import hypergeometric_cdf

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ClopperPearson:
    """Limits of a pair of exact one-sided tests."""

    method: ClassVar[str] = "clopper-pearson"

    population: Floats
    sampled: Floats
    relevant: Floats
    finite: bool

    def limit(self, probability: float) -> Floats:
        """The confidence limit of a probability: a lower one up to 0.5, an upper one above."""
        return self.limit_at(probability, "low" if probability <= 0.5 else "high")

    def limit_at(self, probability: float, side: Side) -> Floats:
        """The same as one end of an interval, by the test of that side."""
        found = self._finite if self.finite else self._infinite
        return np.where(self.population > 0, found(probability, side), np.nan)

    def _infinite(self, probability: float, side: Side) -> Floats:
        relevant, irrelevant = self.relevant, self.sampled - self.relevant
        if side == "low":
            # the 1 stands in for counts whose limit is settled
            quantile = special.betaincinv(
                np.where(relevant > 0, relevant, 1.0), irrelevant + 1, probability
            )
            return np.where(relevant > 0, quantile, 0.0)
        quantile = special.betaincinv(
            relevant + 1, np.where(irrelevant > 0, irrelevant, 1.0), probability
        )
        return np.where(irrelevant > 0, quantile, 1.0)

    def _finite(self, probability: float, side: Side) -> Floats:
        limits = np.empty(self.relevant.shape)
        known: dict[tuple[int, int, int], float] = {}  # many samples share few counts
        for index in np.ndindex(limits.shape):
            counts = (
                int(self.population[index]),
                int(self.sampled[index]),
                int(self.relevant[index]),
            )
            if counts not in known:
                known[counts] = _finite_limit(*counts, probability, side)
            limits[index] = known[counts]
        return limits


def clopper_pearson(
    population: Floats, sampled: Floats, relevant: Floats, *, finite: bool = False
) -> ClopperPearson:
    """Fit to counts, which must be whole for a finite population."""
    population, sampled, relevant = np.broadcast_arrays(population, sampled, relevant)
    for values in (population, sampled, relevant) if finite else ():
        whole = values == np.floor(values)
        if not whole.all():
            raise DataError(
                "method 'clopper-pearson' needs whole counts for a finite population; "
                f"got {values[~whole].flat[0]:g}"
            )
    return ClopperPearson(population, sampled, relevant, finite)


def _finite_limit(
    population: int, sampled: int, relevant: int, probability: float, side: Side
) -> float:
    """The limit as a share of the population, by bisection over its relevant documents."""
    least, most = relevant, population - sampled + relevant
    if side == "low":

        def kept(number: int) -> bool:
            fewer = hypergeometric_cdf(relevant - 1, population, number, sampled)
            return 1 - fewer > probability

        number = _first(kept, least, most)
    else:

        def passed(number: int) -> bool:
            fewer = hypergeometric_cdf(relevant, population, number, sampled)
            return fewer <= 1 - probability

        number = _first(passed, least, most + 1) - 1
    return number / population if population else np.nan


def _first(condition: Callable[[int], bool], low: int, high: int) -> int:
    """The least number from low on that fulfils a condition; high is taken to fulfil it."""
    while low < high:
        middle = (low + high) // 2
        if condition(middle):
            high = middle
        else:
            low = middle + 1
    return low
