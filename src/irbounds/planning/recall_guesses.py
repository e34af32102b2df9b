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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, ParameterError, quote
from ..parameters import as_float

Floats = NDArray[np.float64]

POINTS = 5  # a range
FEW = 4  # values that are named one by one
MOST_PAIRS = 400  # of a yield and a recall, so that a plan takes seconds
MOST_ROUNDING = 0.05  # of recall, where relevant documents are rounded to whole ones


@dataclass(frozen=True, eq=False)
class Guess:
    """Values of one quantity with weights that add up to 1."""

    name: str
    values: Floats
    weights: Floats
    #: the least and the greatest possible value: ends of a range are no points of the rule
    low: float
    high: float
    #: whether every value between these is meant
    is_range: bool = False

    @property
    def mean(self) -> float:
        """The expectation."""
        return float(self.values @ self.weights)

    def times(self, name: str, factor: float) -> Guess:
        """The same of another quantity, which is so many times this one."""
        values, low, high = self.values * factor, self.low * factor, self.high * factor
        return Guess(name, values, self.weights, low, high, self.is_range)

    @property
    def plain(self) -> float | str:
        """The number where it is one, for programs; else the words."""
        if self.low < self.high:
            return str(self)
        return int(self.low) if self.low.is_integer() else self.low

    def __str__(self) -> str:
        if self.low == self.high:
            return f"{self.low:.10g}"
        if self.is_range:
            return f"{self.low:.10g} to {self.high:.10g}"
        *others, last = (f"{value:.10g}" for value in np.unique(self.values).tolist())
        if len(others) >= FEW:
            return f"one of {len(others) + 1} values from {others[0]} to {last}"
        return f"{', '.join(others)} or {last}"


@dataclass(frozen=True, eq=False)
class Guesses:
    """Relevant documents in the retrieved segment and in the rest, guess by guess."""

    relevant: Floats  #: (guesses, 2), whole numbers
    weights: Floats


def checked_guess(name: str, guess: Any, low: float, high: float) -> Guess:
    """A number, a (low, high) range, or several (value, weight); all between two bounds."""
    number = as_float(guess)
    if number is not None:
        return _checked_within(_point(name, number), guess, low, high)
    items = _items(name, guess)
    ends = [as_float(item) for item in items]
    if len(ends) == 2 and ends[0] is not None and ends[1] is not None:
        found = _range(name, guess, ends[0], ends[1])
    else:
        found = _weighted(name, guess, items)
    return _checked_within(found, guess, low, high)


def joint_guesses(
    n_relevant: Guess, recall: Guess, corpus_size: int, retrieved_size: int
) -> Guesses:
    """Every n_relevant with every recall, as relevant documents of both segments, if they fit."""
    rest = corpus_size - retrieved_size
    if len(n_relevant.values) * len(recall.values) > MOST_PAIRS:
        raise ParameterError(
            f"every n_relevant is supposed with every recall, in at most {MOST_PAIRS} pairs; got "
            f"{len(n_relevant.values)} and {len(recall.values)} values"
        )
    _check_fit(n_relevant, recall, retrieved_size, is_retrieved=True)
    _check_fit(n_relevant, recall, rest, is_retrieved=False)
    total = np.maximum(np.rint(n_relevant.values), 1)[:, None]
    found = np.minimum(np.rint(total * recall.values), retrieved_size)
    _check_whole(total, found, recall)
    missed = np.minimum(total - found, rest)
    weights = np.outer(n_relevant.weights, recall.weights)
    return Guesses(np.stack([found, missed], axis=-1).reshape(-1, 2), weights.ravel())


def _check_whole(total: Floats, found: Floats, recall: Guess) -> None:
    """A handful of documents cannot have any recall: half of three is none."""
    off = np.abs(found / total - recall.values)
    if off.max() > MOST_ROUNDING:
        few, guessed = (int(place[0]) for place in np.nonzero(off == off.max()))
        raise DataError(
            f"{total[few, 0]:,.0f} relevant documents cannot have a recall of "
            f"{recall.values[guessed]:.4g}, nor one near it: plan with a larger n_relevant"
        )


def _check_fit(n_relevant: Guess, recall: Guess, size: int, *, is_retrieved: bool) -> None:
    """Most is retrieved at the highest recall, and most is missed at the lowest."""
    extreme = recall.high if is_retrieved else recall.low
    relevant = n_relevant.high * (extreme if is_retrieved else 1 - extreme)
    where = "in the retrieved set, which has"
    if not is_retrieved:
        where = "outside the retrieved set, where there are"
    if relevant > size + 0.5:  # half a document is rounding
        raise DataError(
            f"n_relevant {n_relevant.high:,.10g} at a recall of {extreme:g} means {relevant:,.10g} "
            f"relevant documents {where} {size:,}{_way_out(n_relevant, recall, is_retrieved)}"
        )


def _way_out(n_relevant: Guess, recall: Guess, is_retrieved: bool) -> str:
    """Ranges that are fine each may have a corner that cannot be."""
    spread = [guess.name for guess in (n_relevant, recall) if guess.low < guess.high]
    if not spread:
        return ""
    if is_retrieved:
        ways = [f"lower the upper end of {' or of '.join(spread)}"]
    else:
        yields, recalls = "lower the upper end of n_relevant", "raise the lower end of recall"
        ways = [yields if name == n_relevant.name else recalls for name in spread]
    return f"; every n_relevant is supposed with every recall: {' or '.join(ways)}"


def _items(name: str, guess: Any) -> Sequence[Any]:
    try:
        items = () if isinstance(guess, str) else tuple(guess)
    except TypeError:
        items = ()
    if not items:
        raise ParameterError(
            f"{name} must be a number, a (low, high) range or several (value, weight); "
            f"got {quote(guess)}"
        )
    return items


def _point(name: str, value: float) -> Guess:
    return Guess(name, np.array([value]), np.ones(1), value, value)


def _range(name: str, guess: Any, low: float, high: float) -> Guess:
    if not low <= high:
        raise ParameterError(f"{name}: a range has its lower end first; got {quote(guess)}")
    if low == high:
        return _point(name, low)
    places, weights = np.polynomial.legendre.leggauss(POINTS)
    values = low + (high - low) * (places + 1) / 2
    return Guess(name, values, weights / 2, low, high, is_range=True)


def _weighted(name: str, guess: Any, items: Sequence[Any]) -> Guess:
    try:
        pairs = np.array([tuple(map(float, item)) for item in items])
    except (TypeError, ValueError, OverflowError):
        pairs = np.empty(0)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise ParameterError(
            f"{name} must be a number, a (low, high) range or several (value, weight); "
            f"got {quote(guess)}"
        )
    values, weights = pairs.T
    if not (np.all(weights >= 0) and 0 < weights.sum() < math.inf):
        raise ParameterError(
            f"{name}: weights must be at least 0, and not all 0; got {quote(guess)}"
        )
    kept = weights > 0
    values, weights = values[kept], weights[kept] / weights.sum()
    return Guess(name, values, weights, float(values.min()), float(values.max()))


def _checked_within(found: Guess, guess: Any, low: float, high: float) -> Guess:
    if not (low <= found.low and found.high <= high):
        number = as_float(guess)
        given = quote(guess) if number is None else f"{number:.10g}"
        # 85 is a percentage; 1.2 is something else
        is_percent = high == 1 and found.low >= 2 and found.high <= 100
        hint = f", did you mean {found.times(found.name, 0.01)}?" if is_percent else ""
        raise ParameterError(
            f"{found.name} must be between {low:,.10g} and {high:,.10g}; got {given}{hint}"
        )
    return found
