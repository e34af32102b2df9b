"""Populations of random rankings: the number of documents, of each grade, and of ranks.

Everything here is a number, or an array with a number per query. The formulas work with either: one
query costs microseconds, ten thousand cost milliseconds. Counts are floats, which represent every
integer up to 2^53; products of counts would overflow integers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError, quote
from ..validation import MAX_DOCUMENTS, as_integer

Numbers = float | NDArray[np.float64]
MAX_GRADE = 10**9 - 1  # as in judgments that are read


@dataclass(frozen=True, eq=False, slots=True)
class Population:
    """The documents that a random ranking orders, for one query or for many."""

    n_documents: Numbers
    #: the number of ranks that count: all, or those of a list that ends earlier
    depth: Numbers
    #: grades above 0, ascending
    grades: tuple[int, ...]
    #: the number of ranked documents of each grade
    counts: tuple[Numbers, ...]
    #: the number of documents of each grade that a measure divides by: the same, unless only some
    #: of the relevant documents are ranked
    judged: tuple[Numbers, ...]
    #: the highest grade of the judgments, at least 1
    max_grade: int

    def n_relevant(self, rel: int = 1) -> Numbers:
        """Return the number of ranked documents of grade ``rel`` or higher."""
        return _count_from(rel, self.grades, self.counts, self.n_documents)

    def n_judged(self, rel: int = 1) -> Numbers:
        """Return the number of documents of grade ``rel`` or higher that a measure divides by."""
        return _count_from(rel, self.grades, self.judged, self.n_documents)

    def ranks_seen(self, cutoff: int | None) -> Numbers:
        """Return the number of ranks that a measure with this cutoff scores."""
        return self.depth if cutoff is None else np.minimum(self.depth, float(cutoff))


def _count_from(
    rel: int, grades: tuple[int, ...], counts: tuple[Numbers, ...], like: Numbers
) -> Numbers:
    total: Numbers = 0.0 * like
    for grade, count in zip(grades, counts, strict=True):
        if grade >= rel:
            total = total + count
    return total


def make_population(n_documents: Any, n_relevant: Any, y_true: Any = None) -> Population:
    """Return a population from numbers, arrays of them, or the labels of one query's documents.

    ``n_relevant`` is the number of relevant documents, or a mapping of grades to numbers.
    """
    if y_true is not None:
        if n_documents is not None or n_relevant is not None:
            raise ParameterError("y_true takes the place of n_documents and n_relevant")
        n_documents, n_relevant = _count_labels(y_true)
    if n_documents is None or n_relevant is None:
        raise ParameterError("needs n_documents and n_relevant, or y_true")
    documents = _read_counts("n_documents", n_documents, minimum=1)
    by_grade = dict(n_relevant) if isinstance(n_relevant, Mapping) else {1: n_relevant}
    grades = tuple(sorted(_check_grade(grade) for grade in by_grade))
    counts = tuple(_read_counts("n_relevant", by_grade[grade], minimum=0) for grade in grades)
    population = Population(documents, documents, grades, counts, counts, max(grades, default=1))
    return _match_shapes(population)


def _match_shapes(population: Population) -> Population:
    """Return the population with counts of one shape; raise if they contradict each other."""
    _check_lengths(population)
    documents, relevant = population.n_documents, population.n_relevant()
    wrong = relevant > documents
    if wrong if isinstance(relevant, float) else np.any(wrong):
        n, r = _first_where(relevant > documents, documents, relevant)
        raise ParameterError(
            f"n_relevant must be at most n_documents; got {r:,.0f} relevant of {n:,.0f}"
        )
    if isinstance(relevant, float) and isinstance(documents, float):
        return population
    shape = np.shape(relevant)
    parts = tuple(np.broadcast_to(count, shape) for count in population.counts)
    spread = np.broadcast_to(documents, shape)
    return Population(spread, spread, population.grades, parts, parts, population.max_grade)


def _check_lengths(population: Population) -> None:
    """Raise unless all arrays have the same number of queries."""
    parts = (population.n_documents, *population.counts)
    lengths = {len(part) for part in parts if not isinstance(part, float)}
    if len(lengths) > 1:
        received = " and ".join(f"{length:,}" for length in sorted(lengths))
        raise ParameterError(
            f"n_documents and n_relevant must have the same length, one number per query; "
            f"got {received}"
        )


def _read_counts(name: str, value: Any, *, minimum: int) -> Numbers:
    """Return an integer, or an array or sequence of integers, as floats."""
    number = as_integer(value)
    if number is not None:
        if minimum <= number <= MAX_DOCUMENTS:
            return float(number)
        raise ParameterError(_rule(name, minimum, value))
    try:
        values = np.asarray(value)
    except ValueError:
        values = np.empty(0)
    if values.ndim != 1 or not values.size or values.dtype.kind not in "iu":
        raise ParameterError(_rule(name, minimum, value))
    wrong = (values < minimum) | (values > MAX_DOCUMENTS)
    if wrong.any():
        place = int(np.flatnonzero(wrong)[0])
        raise ParameterError(f"{_rule(name, minimum, int(values[place]))} at place {place}")
    return values.astype(np.float64)


def _rule(name: str, minimum: int, value: Any) -> str:
    many = "" if isinstance(value, int | float | str) else ", or a list or array of these"
    return f"{name} must be an integer of {minimum} to {MAX_DOCUMENTS:,}{many}; got {quote(value)}"


def _check_grade(grade: Any) -> int:
    number = as_integer(grade)
    if number is None or not 1 <= number <= MAX_GRADE:
        raise ParameterError(f"grades must be integers of 1 to {MAX_GRADE:,}; got {quote(grade)}")
    return number


def _count_labels(labels: Any) -> tuple[int, dict[int, int]]:
    """Return the number of labels, and the number of each grade above 0."""
    try:
        values = np.asarray(labels)
    except ValueError:  # rows of different lengths
        values = np.empty(0)
    if values.dtype.kind == "f" and (abs(values) < 2**53).all() and (values % 1 == 0).all():
        values = values.astype(np.int64)
    if values.ndim != 1 or not values.size or values.dtype.kind not in "biu":
        hint = "; for several labels give n_documents and n_relevant as arrays"
        raise ParameterError(
            "y_true must be a list or array of labels, 0 or 1 or integer grades, one per document"
            f"{hint if values.ndim == 2 else ''}"
        )
    if values.dtype.kind == "b":
        values = values.astype(np.int64)
    grades, counts = np.unique(values[values > 0], return_counts=True)
    return len(values), dict(zip(grades.tolist(), counts.tolist(), strict=True)) or {1: 0}


def _first_where(wrong: Any, *values: Numbers) -> tuple[float, ...]:
    """Return the numbers at the first place that is wrong."""
    place = int(np.flatnonzero(wrong)[0]) if np.ndim(wrong) else 0
    spread = (np.broadcast_to(value, np.shape(wrong)).ravel()[place] for value in values)
    return tuple(float(value) for value in spread)
