"""What a plan supposes: how many relevant documents there are, and how many of them are retrieved.

Nobody knows either before the sample. A guess is a number, a range (every value in it as likely as
any other) or values with weights. Ranges are integrated over by Gauss and Legendre's rule, which
needs no random numbers: five points are exact for polynomials of degree nine, and what is averaged
over a range here is smooth.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, ParameterError

__all__ = ["Guess", "Guesses", "checked_guess", "joint_guesses"]

Floats = NDArray[np.float64]

POINTS = 5  # a range


@dataclass(frozen=True, eq=False)
class Guess:
    """Values of one quantity with weights that add up to 1."""

    name: str
    values: Floats
    weights: Floats
    #: the least and the greatest possible value: ends of a range are no points of the rule
    low: float
    high: float

    @property
    def mean(self) -> float:
        """The expectation."""
        return float(self.values @ self.weights)

    def times(self, name: str, factor: float) -> Guess:
        """The same of another quantity, which is so many times this one."""
        values, low, high = self.values * factor, self.low * factor, self.high * factor
        return Guess(name, values, self.weights, low, high)

    def __str__(self) -> str:
        if self.low == self.high:
            return f"{self.low:,.10g}"
        return f"{self.low:,.10g} to {self.high:,.10g}"


@dataclass(frozen=True, eq=False)
class Guesses:
    """Relevant documents in the retrieved segment and in the rest, guess by guess."""

    relevant: Floats  #: (guesses, 2), whole numbers
    weights: Floats


def checked_guess(name: str, guess: Any, low: float, high: float) -> Guess:
    """A number, a (low, high) range, or several (value, weight); all between two bounds."""
    if _is_number(guess):
        return _checked_within(_point(name, float(guess)), guess, low, high)
    items = _items(name, guess)
    if len(items) == 2 and all(map(_is_number, items)):
        found = _range(name, guess, float(items[0]), float(items[1]))
    else:
        found = _weighted(name, guess, items)
    return _checked_within(found, guess, low, high)


def joint_guesses(yield_: Guess, recall: Guess, population: int, retrieved: int) -> Guesses:
    """Every yield with every recall, as relevant documents of both segments, if they fit in."""
    _check_fit(yield_.high * recall.high, retrieved, "the retrieved set", yield_, recall.high)
    rest = population - retrieved
    _check_fit(yield_.high * (1 - recall.low), rest, "the rest", yield_, recall.low)
    total = np.maximum(np.rint(yield_.values), 1)[:, None]
    found = np.minimum(np.rint(total * recall.values), retrieved)
    missed = np.minimum(total - found, rest)
    weights = np.outer(yield_.weights, recall.weights)
    return Guesses(np.stack([found, missed], axis=-1).reshape(-1, 2), weights.ravel())


def _check_fit(relevant: float, size: int, where: str, yield_: Guess, recall: float) -> None:
    if relevant > size + 0.5:  # half a document is rounding
        raise DataError(
            f"a yield of {yield_.high:,.10g} at a recall of {recall:g} means {relevant:,.10g} "
            f"relevant documents in {where}, which has {size:,}"
        )


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _items(name: str, guess: Any) -> Sequence[Any]:
    try:
        items = () if isinstance(guess, str) else tuple(guess)
    except TypeError:
        items = ()
    if not items:
        raise ParameterError(
            f"{name} must be a number, a (low, high) range or several (value, weight); "
            f"got {guess!r}"
        )
    return items


def _point(name: str, value: float) -> Guess:
    return Guess(name, np.array([value]), np.ones(1), value, value)


def _range(name: str, guess: Any, low: float, high: float) -> Guess:
    if not low <= high:
        raise ParameterError(f"{name}: a range has its lower end first; got {guess!r}")
    if low == high:
        return _point(name, low)
    places, weights = np.polynomial.legendre.leggauss(POINTS)
    values = low + (high - low) * (places + 1) / 2
    return Guess(name, values, weights / 2, low, high)


def _weighted(name: str, guess: Any, items: Sequence[Any]) -> Guess:
    try:
        pairs = np.array([tuple(map(float, item)) for item in items])
    except (TypeError, ValueError):
        pairs = np.empty(0)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise ParameterError(
            f"{name} must be a number, a (low, high) range or several (value, weight); "
            f"got {guess!r}"
        )
    values, weights = pairs.T
    if not (np.all(weights >= 0) and 0 < weights.sum() < math.inf):
        raise ParameterError(f"{name}: weights must be at least 0, and not all 0; got {guess!r}")
    kept = weights > 0
    values, weights = values[kept], weights[kept] / weights.sum()
    return Guess(name, values, weights, float(values.min()), float(values.max()))


def _checked_within(found: Guess, guess: Any, low: float, high: float) -> Guess:
    if not (low <= found.low and found.high <= high):
        raise ParameterError(
            f"{found.name} must be between {low:,.10g} and {high:,.10g}; got {guess!r}"
        )
    return found
