"""Guesses of the number of relevant documents and of recall.

A guess is a number, a range (every value in it equally likely) or values with weights. Ranges are
integrated over by Gauss and Legendre's rule, which needs no random numbers: five points are exact
for polynomials of degree nine, and the functions that are averaged here are smooth.

Where the retrieved set was read in full, its relevant documents are known, and one guess is left:
recall, or the number of relevant documents in the corpus, determines how many of them are in the
rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, ParameterError, quote
from ..validation import as_float
from .recall_widths import Guesses

Floats = NDArray[np.float64]

POINTS = 5  # of a range
MAX_LISTED = 4  # values that are listed before the last one
MAX_PAIRS = 400  # of n_relevant and recall, so that a plan takes seconds
MAX_ROUNDING = 0.05  # error of recall when relevant documents are rounded to integers


@dataclass(frozen=True, eq=False)
class Guess:
    """Values of one quantity with weights that add up to 1."""

    name: str
    values: Floats
    weights: Floats
    #: the minimum and maximum; the ends of a range are not among the values
    low: float
    high: float
    #: True if every value between them is possible
    is_range: bool = False

    @property
    def mean(self) -> float:
        """The expectation."""
        return float(self.values @ self.weights)

    def times(self, name: str, factor: float) -> Guess:
        """Return the guess of another quantity, which is a multiple of this one."""
        return self.map(name, lambda values: values * factor)

    def map(self, name: str, formula: Callable[[Floats], Floats]) -> Guess:
        """Return the guess of another quantity, which is a monotonic function of this one."""
        low, high = sorted(formula(np.array([self.low, self.high])).tolist())
        return Guess(name, formula(self.values), self.weights, low, high, self.is_range)

    @property
    def plain(self) -> float | str:
        """The number if the guess is one, else the text."""
        if self.low < self.high:
            return str(self)
        return int(self.low) if self.low.is_integer() else self.low

    def __str__(self) -> str:
        if self.low == self.high:
            return f"{self.low:.10g}"
        if self.is_range:
            return f"{self.low:.10g} to {self.high:.10g}"
        *others, last = (f"{value:.10g}" for value in np.unique(self.values).tolist())
        if len(others) >= MAX_LISTED:
            return f"one of {len(others) + 1} values from {others[0]} to {last}"
        return f"{', '.join(others)} or {last}"


def make_guess(name: str, guess: Any, low: float, high: float) -> Guess:
    """Return a guess from a number, a (low, high) range, or several (value, weight)."""
    number = as_float(guess)
    if number is not None:
        return _check_bounds(_guess_number(name, number), guess, low, high)
    items = _check_items(name, guess)
    ends = [as_float(item) for item in items]
    if len(ends) == 2 and ends[0] is not None and ends[1] is not None:
        parsed = _guess_range(name, guess, ends[0], ends[1])
    else:
        parsed = _guess_values(name, guess, items)
    return _check_bounds(parsed, guess, low, high)


def combine_guesses(
    n_relevant: Guess, recall: Guess, corpus_size: int, retrieved_size: int
) -> Guesses:
    """Return the relevant documents of both segments, for every n_relevant with every recall."""
    rest = corpus_size - retrieved_size
    if len(n_relevant.values) * len(recall.values) > MAX_PAIRS:
        raise ParameterError(
            f"every n_relevant is combined with every recall, in at most {MAX_PAIRS} pairs; got "
            f"{len(n_relevant.values)} and {len(recall.values)} values"
        )
    _check_fit(n_relevant, recall, retrieved_size, is_retrieved=True)
    _check_fit(n_relevant, recall, rest, is_retrieved=False)
    total = np.maximum(np.rint(n_relevant.values), 1)[:, None]
    inside = np.minimum(np.rint(total * recall.values), retrieved_size)
    _check_rounding(total, inside, recall)
    outside = np.minimum(total - inside, rest)
    weights = np.outer(n_relevant.weights, recall.weights)
    return Guesses(np.stack([inside, outside], axis=-1).reshape(-1, 2), weights.ravel())


def combine_with_known(
    known: int, n_relevant: Guess | None, recall: Guess | None, rest: int
) -> tuple[Guess, Guess, Guesses]:
    """Return both guesses and the relevant documents of both segments, from one of the guesses.

    ``known`` relevant documents are in the retrieved set, which was read in full.
    """
    if (n_relevant is None) == (recall is None):
        raise ParameterError(
            f"the retrieved set was read in full and has {known:,} relevant documents: give one "
            "guess, n_relevant (or prevalence) or recall"
        )
    if recall is not None:
        if not known or not recall.low:
            raise DataError(
                f"a recall of {recall.low:g} with {known:,} relevant documents in the retrieved "
                "set does not determine how many others there are; give n_relevant"
            )
        n_relevant = recall.map("n_relevant", lambda values: np.rint(known / values))
        total = n_relevant.values
        _check_rounding(total, np.full(len(total), float(known)), recall)
    else:
        assert n_relevant is not None
        if n_relevant.low < known:
            raise DataError(
                f"n_relevant must be at least {known:,}, the relevant documents in the retrieved "
                f"set; got {n_relevant}"
            )
        recall = n_relevant.map("recall", lambda values: known / np.maximum(np.rint(values), 1))
        total = np.rint(n_relevant.values)
    if n_relevant.high - known > rest + 0.5:
        raise DataError(
            f"n_relevant {n_relevant.high:,.10g} means {n_relevant.high - known:,.10g} relevant "
            f"documents outside the retrieved set, where there are {rest:,}"
        )
    inside = np.full(len(total), float(known))
    guesses = Guesses(np.stack([inside, total - known], axis=-1), n_relevant.weights)
    return n_relevant, recall, guesses


def _check_rounding(total: Floats, inside: Floats, recall: Guess) -> None:
    """Raise ``DataError`` if rounding to integers changes recall: half of three is not possible."""
    errors = np.abs(inside / total - recall.values)
    if errors.max() > MAX_ROUNDING:
        place = int(errors.argmax())
        relevant, guess = (
            np.broadcast_to(values, errors.shape).flat[place] for values in (total, recall.values)
        )
        raise DataError(
            f"{relevant:,.0f} relevant documents cannot have a recall of {guess:.4g}, nor one "
            "near it: plan with a larger n_relevant"
        )


def _check_fit(n_relevant: Guess, recall: Guess, size: int, *, is_retrieved: bool) -> None:
    """Raise ``DataError`` unless a segment has room for the most relevant documents guessed."""
    extreme = recall.high if is_retrieved else recall.low
    relevant = n_relevant.high * (extreme if is_retrieved else 1 - extreme)
    where = "in the retrieved set, which has"
    if not is_retrieved:
        where = "outside the retrieved set, where there are"
    if relevant > size + 0.5:  # half a document is rounding
        raise DataError(
            f"n_relevant {n_relevant.high:,.10g} at a recall of {extreme:g} means {relevant:,.10g} "
            f"relevant documents {where} {size:,}{_suggest_range(n_relevant, recall, is_retrieved)}"
        )


def _suggest_range(n_relevant: Guess, recall: Guess, is_retrieved: bool) -> str:
    """Return advice if valid ranges have an impossible combination."""
    spread = [guess.name for guess in (n_relevant, recall) if guess.low < guess.high]
    if not spread:
        return ""
    if is_retrieved:
        ways = [f"lower the upper end of {' or of '.join(spread)}"]
    else:
        yields, recalls = "lower the upper end of n_relevant", "raise the lower end of recall"
        ways = [yields if name == n_relevant.name else recalls for name in spread]
    return f"; every n_relevant is combined with every recall: {' or '.join(ways)}"


def _check_items(name: str, guess: Any) -> Sequence[Any]:
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


def _guess_number(name: str, value: float) -> Guess:
    return Guess(name, np.array([value]), np.ones(1), value, value)


def _guess_range(name: str, guess: Any, low: float, high: float) -> Guess:
    if not low <= high:
        raise ParameterError(f"{name}: a range has its lower end first; got {quote(guess)}")
    if low == high:
        return _guess_number(name, low)
    places, weights = np.polynomial.legendre.leggauss(POINTS)
    values = low + (high - low) * (places + 1) / 2
    return Guess(name, values, weights / 2, low, high, is_range=True)


def _guess_values(name: str, guess: Any, items: Sequence[Any]) -> Guess:
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
    possible = weights > 0
    values, weights = values[possible], weights[possible] / weights.sum()
    return Guess(name, values, weights, float(values.min()), float(values.max()))


def _check_bounds(parsed: Guess, guess: Any, low: float, high: float) -> Guess:
    if not (low <= parsed.low and parsed.high <= high):
        number = as_float(guess)
        received = quote(guess) if number is None else f"{number:.10g}"
        # 85 is probably a percentage; 1.2 is not
        is_percent = high == 1 and parsed.low >= 2 and parsed.high <= 100
        hint = f", did you mean {parsed.times(parsed.name, 0.01)}?" if is_percent else ""
        raise ParameterError(
            f"{parsed.name} must be between {low:,.10g} and {high:,.10g}; got {received}{hint}"
        )
    return parsed
