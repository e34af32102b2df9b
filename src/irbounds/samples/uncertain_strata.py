"""Strata whose yields are uncertain, and quantities that are ratios of linear functions of yields.

Guaranteed limits (``exact.py``) are the smallest or the largest value of a quantity over all yields
that a test does not reject. Here a lower limit is the minimum of the quantity, and an upper limit
the minimum of its negative. Every stratum is counted so that this objective increases: by its
relevant documents, or by the others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .counts import Counts
from .hypergeometric import hypergeometric_cdf, hypergeometric_masses

ROUNDING = 1e-12  # relative error of a probability


@dataclass(frozen=True)
class Ratio:
    """A quantity as a ratio of two linear functions of the yields of both segments.

    The coefficients are those of the retrieved yield, of the unretrieved yield, and the constant.
    """

    numerator: tuple[float, float, float]
    denominator: tuple[float, float, float]
    #: whether the quantity increases (1), decreases (-1) or does not depend (0) on each yield
    signs: tuple[int, int]
    #: the same without credited documents, whose number differs from sample to sample; None if it
    #: is this one
    plain: Ratio | None = None

    def values(self, retrieved: Any, unretrieved: Any) -> Any:
        """Return the values for yields, numbers or arrays; NaN where the denominator is 0."""
        (a, b, c), (d, e, f) = self.numerator, self.denominator
        below = d * retrieved + e * unretrieved + f
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(
                below > 0, np.divide(a * retrieved + b * unretrieved + c, below), np.nan
            )

    def linear(self, value: float) -> tuple[float, float, float]:
        """Return the coefficients of a function that is at least 0 where the ratio is >= value."""
        first, second, constant = (
            above - value * below
            for above, below in zip(self.numerator, self.denominator, strict=True)
        )
        return first, second, constant


def recall_ratio(credited: float = 0.0) -> Ratio:
    """Return recall; ``credited`` documents of the unretrieved segment are added to the result."""
    plain = recall_ratio() if credited else None
    return Ratio((1, 0, credited), (1, 1, 0), (1, -1), plain)


def f1_ratio(size: float, credited: float = 0.0) -> Ratio:
    """Return F1 of a retrieved set of this size."""
    plain = f1_ratio(size) if credited else None
    return Ratio((2, 0, 2 * credited), (1, 1, size + credited), (1, -1), plain)


def precision_ratio(size: float, credited: float = 0.0) -> Ratio:
    """Return the relevant fraction of a retrieved set of this size."""
    return Ratio((1, 0, credited), (0, 0, size + credited), (1, 0))


def elusion_ratio(size: float, credited: float = 0.0) -> Ratio:
    """Return the relevant fraction of an unretrieved segment of this size."""
    return Ratio((0, 1, -credited), (0, 0, size - credited), (0, 1))


def total_ratio(size: float = 1.0) -> Ratio:
    """Return the number of relevant documents, divided by a size."""
    return Ratio((1, 1, 0), (0, 0, size), (1, 1))


@dataclass(frozen=True)
class Part:
    """A stratum with an uncertain yield, counted so that the objective increases with Q.

    Q is the number of relevant documents, or of the others where the objective decreases with the
    relevant ones (``is_flipped``). ``count`` is the same for the sample, and the smallest Q.
    """

    retrieved: bool
    population: int
    sampled: int
    count: int
    is_flipped: bool

    @property
    def highest(self) -> int:
        """The largest Q that the sample allows."""
        return self.population - self.sampled + self.count

    def relevant(self, q: Any) -> Any:
        """Return the number of relevant documents for a Q."""
        return self.population - q if self.is_flipped else q

    def upper_tail(self, q: int) -> float:
        """Return the probability that a sample has this count or more."""
        first, masses = hypergeometric_masses(self.population, q, self.sampled)
        return min(1.0, float(masses[max(0, self.count - first) :].sum()))

    def least(self, alpha: float) -> int:
        """Return the smallest Q whose upper tail is above alpha."""
        return find_first(self.count, self.highest, lambda q: exceeds(self.upper_tail(q), alpha))

    def most(self, alpha: float) -> int:
        """Return the largest Q whose lower tail is above alpha."""

        def is_rejected(q: int) -> bool:
            lower_tail = hypergeometric_cdf(self.count, self.population, q, self.sampled)
            return not exceeds(lower_tail, alpha)

        return max(find_first(self.count, self.highest + 1, is_rejected) - 1, self.count)


def exceeds(probability: float, alpha: float) -> bool:
    """Return whether a probability is above alpha; one that is equal but for rounding is.

    So rounding never rejects yields that should not be rejected.
    """
    return probability > alpha * (1 - ROUNDING)


def find_first(low: int, high: int, is_reached: Callable[[int], bool]) -> int:
    """Return the first integer from low on for which a monotone condition holds, at most high."""
    while low < high:
        middle = (low + high) // 2
        if is_reached(middle):
            high = middle
        else:
            low = middle + 1
    return low


@dataclass(frozen=True, eq=False)
class Problem:
    """The smallest value of an objective over yields: the ratio, or its negative for upper ends."""

    ratio: Ratio
    #: 1 for a lower limit of the ratio, -1 for an upper one
    sign: int
    parts: tuple[Part, ...]
    #: known relevant documents of the retrieved and of the unretrieved segment
    known: tuple[float, float]

    def yields(self, quantities: Sequence[float]) -> tuple[float, float]:
        """Return the yields of both segments for a Q of every part."""
        totals = {True: self.known[0], False: self.known[1]}
        for part, q in zip(self.parts, quantities, strict=True):
            totals[part.retrieved] += part.relevant(q)
        return totals[True], totals[False]

    def value(self, *quantities: float) -> float:
        """Return the objective; infinite where the ratio is not defined."""
        value = self.sign * float(self.ratio.values(*self.yields(quantities)))
        return math.inf if math.isnan(value) else value


def make_problem(counts: Counts, ratio: Ratio, sign: int) -> Problem:
    """Return the parts that are uncertain; a stratum without a sample has its worst yield."""
    known = {True: 0.0, False: 0.0}
    parts: list[Part] = []
    rows = zip(
        counts.retrieved.tolist(),
        counts.population.tolist(),
        counts.sampled.tolist(),
        counts.relevant.tolist(),
        strict=True,
    )
    for retrieved, population, sampled, relevant in rows:
        direction = sign * ratio.signs[0 if retrieved else 1]
        if sampled >= population:
            known[retrieved] += relevant
        elif direction and not sampled:
            known[retrieved] += population if direction < 0 else 0
        elif direction:
            is_flipped = direction < 0
            count = sampled - relevant if is_flipped else relevant
            parts.append(Part(retrieved, int(population), int(sampled), int(count), is_flipped))
    return Problem(ratio, sign, tuple(parts), (known[True], known[False]))
