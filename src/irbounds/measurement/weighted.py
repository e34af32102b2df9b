"""Measures that add up: the gain of each document times the weight of its rank.

P, R, Rprec, nDCG, RBP and INSQ are such sums, over something that the judgments alone decide. Only
the sum of the weights down to a rank, the sum of their squares and the gain of each grade are
needed to know what a random order of some documents scores on average, and how that varies; this
holds for a whole ranking as for a block of ties within one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .discounts import discount_squares, discount_sums
from .formulas import (
    dcg_gains,
    inverse_square_gains,
    inverse_square_weights,
    rank_biased_gains,
    rank_biased_weights,
)
from .populations import Numbers, Population

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Linear:
    """A measure that adds up, with its parameters filled in, for the queries of a population."""

    #: sum of the weights of ranks 1 to n, and of their squares, cutoffs left aside
    weights: Callable[[Numbers], Numbers]
    squares: Callable[[Numbers], Numbers]
    #: the gain of documents of these grades; grades of 0 and below gain nothing
    gains: Callable[[Ints], Floats]
    #: no rank below this one has weight; one number a query, or one for all
    cutoff: Numbers
    #: what the sum is divided by; 0 where a query has nothing relevant
    base: Numbers

    def weight_to(self, rank: Numbers) -> Numbers:
        """The sum of the weights down to a rank, with the cutoff."""
        return self.weights(np.minimum(rank, self.cutoff))

    def square_to(self, rank: Numbers) -> Numbers:
        """The sum of the squared weights down to a rank, with the cutoff."""
        return self.squares(np.minimum(rank, self.cutoff))


def _precision(population: Population, *, cutoff: int, rel: int = 1) -> Linear:
    return Linear(_same, _same, _binary(rel), float(cutoff), float(cutoff))


def _recall(population: Population, *, cutoff: int, rel: int = 1) -> Linear:
    return Linear(_same, _same, _binary(rel), float(cutoff), population.n_judged(rel))


def _r_precision(population: Population, *, rel: int = 1) -> Linear:
    relevant = population.n_judged(rel)
    return Linear(_same, _same, _binary(rel), relevant, relevant)


def _ndcg(population: Population, *, cutoff: int | None = None, dcg: str = "log2") -> Linear:
    def gains(grades: Ints) -> Floats:
        return dcg_gains(np.maximum(grades, 0), population.max_grade, dcg)

    end = np.inf if cutoff is None else float(cutoff)
    ideal, above = 0.0 * population.n_documents, 0.0 * population.n_documents
    for grade, count in zip(population.grades[::-1], population.judged[::-1], strict=True):
        below = above + count
        ranked = discount_sums(np.minimum(below, end)) - discount_sums(np.minimum(above, end))
        ideal = ideal + float(gains(np.array([grade]))[0]) * ranked
        above = below
    return Linear(discount_sums, discount_squares, gains, end, ideal)


def _rank_biased_precision(
    population: Population, *, p: float = 0.8, rel: int | None = None, cutoff: int | None = None
) -> Linear:
    def gains(grades: Ints) -> Floats:
        return rank_biased_gains(grades, population.max_grade, rel)

    end = np.inf if cutoff is None else float(cutoff)
    return Linear(*_looked_up(rank_biased_weights(p)), gains, end, 1.0)


def _inverse_squares(
    population: Population, *, T: float = 1.0, min_rel: int = 0, max_rel: int | None = None
) -> Linear:
    top = population.max_grade if max_rel is None else max_rel

    def gains(grades: Ints) -> Floats:
        return inverse_square_gains(grades, min_rel, top)

    return Linear(*_looked_up(inverse_square_weights(T)), gains, np.inf, 1.0)


LINEAR: dict[str, Callable[..., Linear]] = {
    "P": _precision,
    "R": _recall,
    "Rprec": _r_precision,
    "nDCG": _ndcg,
    "RBP": _rank_biased_precision,
    "INSQ": _inverse_squares,
}


def _same(rank: Numbers) -> Numbers:
    """Ranks that weigh 1 each."""
    return rank


def _binary(rel: int) -> Callable[[Ints], Floats]:
    def gains(grades: Ints) -> Floats:
        return (grades >= rel).astype(np.float64)

    return gains


def _looked_up(
    weights: Floats,
) -> tuple[Callable[[Numbers], Numbers], Callable[[Numbers], Numbers]]:
    """Sums of weights that end at some rank and are 1 in all, and of their squares."""
    sums = np.cumsum(weights)
    return _table(sums / sums[-1]), _table(np.cumsum(weights**2))


def _table(sums: Floats) -> Callable[[Numbers], Numbers]:
    table = np.append(0.0, sums)

    def looked_up(rank: Numbers) -> Numbers:
        found: Numbers = table[np.asarray(np.minimum(rank, len(sums)), dtype=np.int64)]
        return found

    return looked_up
