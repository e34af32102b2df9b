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
    #: the highest grade of the judgments, at least 1
    max_grade: int

    def n_relevant(self, rel: int = 1) -> Numbers:
        """Return the number of documents of grade ``rel`` or higher."""
        total: Numbers = 0.0 * self.n_documents
        for grade, count in zip(self.grades, self.counts, strict=True):
            if grade >= rel:
                total = total + count
        return total

    def ranks_seen(self, cutoff: int | None) -> Numbers:
        """Return the number of ranks that a measure with this cutoff scores."""
        return self.depth if cutoff is None else np.minimum(self.depth, float(cutoff))


def make_population(n_documents: Any, n_relevant: Any) -> Population:
    """Return a population from numbers, or arrays of them.

    ``n_relevant`` is the number of relevant documents, or a mapping of grades to numbers.
    """
    documents = _read_counts("n_documents", n_documents, minimum=1)
    by_grade = dict(n_relevant) if isinstance(n_relevant, Mapping) else {1: n_relevant}
    grades = tuple(sorted(_check_grade(grade) for grade in by_grade))
    counts = tuple(_read_counts("n_relevant", by_grade[grade], minimum=0) for grade in grades)
    lengths = {len(part) for part in (documents, *counts) if not isinstance(part, float)}
    if len(lengths) > 1:
        received = " and ".join(f"{length:,}" for length in sorted(lengths))
        raise ParameterError(
            "n_documents and n_relevant must have the same length, one number per query; "
            f"got {received}"
        )
    relevant = sum(counts, start=0.0 * documents)
    if np.any(relevant > documents):
        place = int(np.argmax(relevant > documents))
        n, r = (np.broadcast_to(number, np.shape(relevant)) for number in (documents, relevant))
        raise ParameterError(
            "n_relevant must be at most n_documents; "
            f"got {r.flat[place]:,.0f} relevant of {n.flat[place]:,.0f}"
        )
    if lengths:
        documents, *spread = np.broadcast_arrays(documents, *counts)
        counts = tuple(spread)
    return Population(documents, documents, grades, counts, max(grades, default=1))


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
