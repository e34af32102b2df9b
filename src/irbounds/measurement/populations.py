"""What random rankings are made of: so many documents, so many of each grade, looked at so deep.

Everything here is a number or an array with a number for each query, and the formulas work with
either: one query costs microseconds, ten thousand cost milliseconds. Counts are floats, which hold
every whole number up to 2^53; their products would not fit whole numbers.
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
MOST_GRADE = 10**9 - 1  # as in judgments that are read


@dataclass(frozen=True, eq=False, slots=True)
class Population:
    """The documents that a random ranking puts in order, for one query or for many."""

    n_documents: Numbers
    #: ranks that are looked at: all, or those down to where a list is cut
    depth: Numbers
    #: grades above 0, ascending
    grades: tuple[int, ...]
    #: how many of the ranked documents have each grade
    counts: tuple[Numbers, ...]
    #: how many documents of each grade there are for a measure to divide by: the same, unless
    #: only some of the relevant documents are ranked
    judged: tuple[Numbers, ...]
    #: the highest grade that judgments can hold, 1 at least
    max_grade: int

    def n_relevant(self, rel: int = 1) -> Numbers:
        """How many of the ranked documents have grade ``rel`` or higher."""
        return _at_least(rel, self.grades, self.counts, self.n_documents)

    def n_judged(self, rel: int = 1) -> Numbers:
        """How many documents of grade ``rel`` or higher a measure divides by."""
        return _at_least(rel, self.grades, self.judged, self.n_documents)

    def ranks_seen(self, cutoff: int | None) -> Numbers:
        """Return the number of ranks that a measure with this cutoff looks at."""
        return self.depth if cutoff is None else np.minimum(self.depth, float(cutoff))


def _at_least(
    rel: int, grades: tuple[int, ...], counts: tuple[Numbers, ...], like: Numbers
) -> Numbers:
    total: Numbers = 0.0 * like
    for grade, count in zip(grades, counts, strict=True):
        if grade >= rel:
            total = total + count
    return total


def population_of(n_documents: Any, n_relevant: Any, y_true: Any = None) -> Population:
    """One query or many, from numbers, arrays of them, or the labels of one query's documents.

    ``n_relevant`` is how many are relevant, or a mapping of grades to how many have each.
    """
    if y_true is not None:
        if n_documents is not None or n_relevant is not None:
            raise ParameterError("y_true takes the place of n_documents and n_relevant")
        n_documents, n_relevant = _counted_labels(y_true)
    if n_documents is None or n_relevant is None:
        raise ParameterError("needs n_documents and n_relevant, or y_true")
    documents = _counts("n_documents", n_documents, least=1)
    by_grade = dict(n_relevant) if isinstance(n_relevant, Mapping) else {1: n_relevant}
    grades = tuple(sorted(_checked_grade(grade) for grade in by_grade))
    counts = tuple(_counts("n_relevant", by_grade[grade], least=0) for grade in grades)
    population = Population(documents, documents, grades, counts, counts, max(grades, default=1))
    return _checked(population)


def _checked(population: Population) -> Population:
    """Counts that fit together, and of one shape."""
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
    """Arrays that hold as many queries each; numbers go with any."""
    parts = (population.n_documents, *population.counts)
    lengths = {len(part) for part in parts if not isinstance(part, float)}
    if len(lengths) > 1:
        shown = " and ".join(f"{length:,}" for length in sorted(lengths))
        raise ParameterError(
            f"n_documents and n_relevant must be as long as each other, one number a query; "
            f"got {shown}"
        )


def _counts(name: str, value: Any, *, least: int) -> Numbers:
    """A whole number, or an array or sequence of them, as floats."""
    number = as_integer(value)
    if number is not None:
        if least <= number <= MAX_DOCUMENTS:
            return float(number)
        raise ParameterError(_rule(name, least, value))
    try:
        values = np.asarray(value)
    except ValueError:
        values = np.empty(0)
    if values.ndim != 1 or not values.size or values.dtype.kind not in "iu":
        raise ParameterError(_rule(name, least, value))
    wrong = (values < least) | (values > MAX_DOCUMENTS)
    if wrong.any():
        place = int(np.flatnonzero(wrong)[0])
        raise ParameterError(f"{_rule(name, least, int(values[place]))} at place {place}")
    return values.astype(np.float64)


def _rule(name: str, least: int, value: Any) -> str:
    many = "" if isinstance(value, int | float | str) else ", or a list or array of these"
    return f"{name} must be an integer of {least} to {MAX_DOCUMENTS:,}{many}; got {quote(value)}"


def _checked_grade(grade: Any) -> int:
    number = as_integer(grade)
    if number is None or not 1 <= number <= MOST_GRADE:
        raise ParameterError(
            f"grades must be whole numbers of 1 to {MOST_GRADE:,}; got {quote(grade)}"
        )
    return number


def _counted_labels(labels: Any) -> tuple[int, dict[int, int]]:
    """How many labels there are, and how many of each grade above 0."""
    try:
        values = np.asarray(labels)
    except ValueError:  # rows of unlike lengths
        values = np.empty(0)
    if values.dtype.kind == "f" and (abs(values) < 2**53).all() and (values % 1 == 0).all():
        values = values.astype(np.int64)
    if values.ndim != 1 or not values.size or values.dtype.kind not in "biu":
        hint = "; for several labels give n_documents and n_relevant as arrays"
        raise ParameterError(
            "y_true must be a list or array of labels, 0 or 1 or whole grades, one a document"
            f"{hint if values.ndim == 2 else ''}"
        )
    if values.dtype.kind == "b":
        values = values.astype(np.int64)
    grades, counts = np.unique(values[values > 0], return_counts=True)
    return len(values), dict(zip(grades.tolist(), counts.tolist(), strict=True)) or {1: 0}


def _first_where(wrong: Any, *values: Numbers) -> tuple[float, ...]:
    """The numbers at the first place that is wrong."""
    place = int(np.flatnonzero(wrong)[0]) if np.ndim(wrong) else 0
    spread = (np.broadcast_to(value, np.shape(wrong)).ravel()[place] for value in values)
    return tuple(float(value) for value in spread)
