"""What a ranking scores that has all relevant documents first, or last, by formulas.

Best first or worst first, documents of one grade follow each other: they are one block, so many
ranks long, below so many others. The score of a block is a count or a sum over its ranks, and a sum
takes as long for ten documents as for a billion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..scores.formulas import dcg_gains, ratio, stopping_chances
from .populations import Numbers, Population
from .rank_sums import rank_sums

__all__ = ["END_SCORES", "Block", "best_first", "worst_first"]

Floats = NDArray[np.float64]


class Block(NamedTuple):
    """Documents of one grade, for each query: how many others stand above, how many are seen."""

    grade: int
    above: Floats
    size: Floats

    def cut(self, last: float | Floats) -> Block:
        """As much of it as stands at the ranks up to ``last``."""
        return self._replace(size=np.clip(last - self.above, 0.0, self.size))


def best_first(population: Population) -> list[Block]:
    """The highest grades first, down to where the lists end."""
    graded = zip(population.grades[::-1], population.counts[::-1], strict=True)
    return _stacked(graded, 0.0, population.depth)


def worst_first(population: Population) -> list[Block]:
    """Everything that is not relevant first, then the lowest grades."""
    graded = zip(population.grades, population.counts, strict=True)
    return _stacked(graded, population.n_documents - population.n_relevant(), population.depth)


def _ideal(population: Population) -> list[Block]:
    """All that is judged, the highest grades first; no list ends."""
    graded = zip(population.grades[::-1], population.judged[::-1], strict=True)
    return _stacked(graded, 0.0, np.inf + population.depth)


def _stacked(graded: Iterable[tuple[int, Numbers]], above: Numbers, ends: Numbers) -> list[Block]:
    """Blocks below each other, with so many documents above the first."""
    blocks = []
    last = np.atleast_1d(ends)
    start = np.broadcast_to(np.asarray(above, dtype=np.float64), last.shape)
    for grade, count in graded:
        size = np.broadcast_to(np.asarray(count, dtype=np.float64), last.shape)
        blocks.append(Block(grade, start, size).cut(last))
        start = start + size
    return blocks


def _found(blocks: list[Block], rel: int, cutoff: int | None) -> tuple[Floats, Floats]:
    """How many stand above the first document of grade ``rel``, and how many such are seen."""
    # their blocks follow each other, best first and worst first
    wanted = [block.cut(cutoff or np.inf) for block in blocks if block.grade >= rel]
    if not wanted:
        nothing = np.zeros(blocks[0].size.shape)
        return nothing, nothing
    above = np.min([block.above for block in wanted], axis=0)
    return above, np.sum([block.size for block in wanted], axis=0)


def _average_precision(
    blocks: list[Block], population: Population, *, rel: int = 1, cutoff: int | None = None
) -> Floats:
    above, found = _found(blocks, rel, cutoff)
    sums = np.where(above > 0, rank_sums(_precision_at, found, above), found)
    return ratio(sums, np.atleast_1d(population.n_judged(rel)))


def _precision_at(number: Floats, above: Floats) -> Floats:
    """Precision at one of the documents, numbered from 1."""
    precisions: Floats = number / (above + number)
    return precisions


def _precision(blocks: list[Block], population: Population, *, cutoff: int, rel: int = 1) -> Floats:
    return _found(blocks, rel, cutoff)[1] / cutoff


def _recall(blocks: list[Block], population: Population, *, cutoff: int, rel: int = 1) -> Floats:
    return ratio(_found(blocks, rel, cutoff)[1], np.atleast_1d(population.n_judged(rel)))


def _r_precision(blocks: list[Block], population: Population, *, rel: int = 1) -> Floats:
    above, found = _found(blocks, rel, None)
    judged = np.atleast_1d(population.n_judged(rel))
    return ratio(np.clip(judged - above, 0.0, found), judged)


def _reciprocal_rank(
    blocks: list[Block], population: Population, *, rel: int = 1, cutoff: int | None = None
) -> Floats:
    above, found = _found(blocks, rel, cutoff)
    return np.where(found > 0, 1 / (above + 1), 0.0)


def _success(blocks: list[Block], population: Population, *, cutoff: int, rel: int = 1) -> Floats:
    return (_found(blocks, rel, cutoff)[1] > 0).astype(np.float64)


def _ndcg(
    blocks: list[Block], population: Population, *, cutoff: int | None = None, dcg: str = "log2"
) -> Floats:
    def gained(some: list[Block]) -> Floats:
        gains = dcg_gains(np.array([block.grade for block in some]), population.max_grade, dcg)
        seen = [block.cut(cutoff or np.inf) for block in some]
        sums = [rank_sums(_discount, block.size, block.above) for block in seen]
        total: Floats = np.einsum("b,bq->q", gains, np.array(sums))
        return total

    return ratio(gained(blocks), gained(_ideal(population)))


def _discount(number: Floats, above: Floats) -> Floats:
    discounts: Floats = 1 / np.log2(above + number + 1)
    return discounts


def _expected_reciprocal_rank(
    blocks: list[Block], population: Population, *, cutoff: int | None = None
) -> Floats:
    stops = stopping_chances(np.array([block.grade for block in blocks]), population.max_grade)
    total, log_reading = np.zeros(blocks[0].size.shape), np.zeros(blocks[0].size.shape)
    for block, stop in zip(blocks, stops.tolist(), strict=True):
        seen, chance = block.cut(cutoff or np.inf), np.full(total.shape, stop)
        total += np.exp(log_reading) * rank_sums(_stops_at, seen.size, seen.above, chance)
        log_reading += seen.size * np.log1p(-stop)
    return total


def _stops_at(number: Floats, above: Floats, stop: Floats) -> Floats:
    """What a reader gets from one of the documents, who came to the first of them."""
    values: Floats = stop * np.exp((number - 1) * np.log1p(-stop)) / (above + number)
    return values


#: what blocks score, by the measure's name without its parameters
END_SCORES: dict[str, Callable[..., Floats]] = {
    "AP": _average_precision,
    "P": _precision,
    "R": _recall,
    "Rprec": _r_precision,
    "RR": _reciprocal_rank,
    "Success": _success,
    "nDCG": _ndcg,
    "ERR": _expected_reciprocal_rank,
}
