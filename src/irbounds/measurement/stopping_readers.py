"""Scores expected over all orders within ties, for measures whose reader stops somewhere.

Only the first block that holds a relevant document counts for RR and Success. ERR's reader comes to
a block if the documents above let him, whatever their order. Within the block all is as in a random
ranking of its documents that begins further down.
"""

from __future__ import annotations

import numpy as np

from .cascade import stopping_values
from .expectation import chance_of_first
from .formulas import stopping_chances
from .judged_runs import Floats, Ints, number_within
from .none_found import log_none_found
from .rank_sums import rank_sums
from .tied_runs import TiedRun


def reciprocal_rank(run: TiedRun, *, rel: int = 1, cutoff: int | None = None) -> Floats:
    """RR expected over all orders within ties."""
    found, n_found = _first_found(run, rel)
    last = np.inf if cutoff is None else float(cutoff)
    alone = (found.size == 1) & (found.ranks <= last)
    values = run.pool.per_query(found.query[alone], 1.0 / found.ranks[alone])
    places = np.minimum(found.size - n_found + 1, last - found.before)
    tied = (found.size > 1) & (places > 0)
    block = (found.size[tied], n_found[tied], found.before[tied])
    columns = [numbers.astype(np.float64) for numbers in block]
    values[found.query[tied]] = rank_sums(_reciprocals, places[tied], *columns)
    return values


def _reciprocals(place: Floats, size: Floats, relevant: Floats, before: Floats) -> Floats:
    return chance_of_first(place, size, relevant) / (before + place)


def success(run: TiedRun, *, cutoff: int, rel: int = 1) -> Floats:
    """Success expected over all orders within ties."""
    found, n_found = _first_found(run, rel)
    values = run.pool.per_query(found.query[found.before + found.size <= cutoff])
    cut = (found.before < cutoff) & (found.before + found.size > cutoff)
    block = (found.size[cut], n_found[cut], cutoff - found.before[cut])
    none = log_none_found(*(numbers.astype(np.float64) for numbers in block))
    values[found.query[cut]] = -np.expm1(none)
    return values


def _first_found(run: TiedRun, rel: int) -> tuple[TiedRun, Ints]:
    """Of each query one relevant document of the first block with any, and how many it has."""
    found = run.only(run.grades >= rel)
    n_found = np.bincount(found.block)
    first = number_within(found.query) == 1
    return found.only(first), n_found[found.block[first]]


def expected_reciprocal_rank(run: TiedRun, *, cutoff: int | None = None) -> Floats:
    """ERR expected over all orders within ties."""
    last = np.inf if cutoff is None else float(cutoff)
    found = run.only((run.grades > 0) & (run.before < last))
    stops = stopping_chances(found.grades, run.pool.max_grade)
    place = number_within(found.query)
    table = np.zeros((len(run.pool), int(place.max(initial=0)) + 1))
    table[found.query, place] = stops
    reading = np.cumprod(1.0 - table, axis=1)[found.query, place - 1]
    alone = found.size == 1
    terms = stops * reading / found.ranks
    total = run.pool.per_query(found.query[alone], terms[alone])
    first = found.firsts[found.size[found.firsts] > 1]
    return total + run.pool.per_query(
        found.query[first], reading[first] * _block_values(found, first, last)
    )


def _block_values(found: TiedRun, first: Ints, last: float) -> Floats:
    """What stopping in each tied block is worth to a reader who comes to it."""
    grades = np.unique(found.grades)
    counts = np.zeros((int(found.block.max(initial=-1)) + 1, len(grades)))
    np.add.at(counts, (found.block, np.searchsorted(grades, found.grades)), 1.0)
    before, size = (part[first].astype(np.float64) for part in (found.before, found.size))
    stops = stopping_chances(grades, found.pool.max_grade)
    seen = np.minimum(size, last - before)
    return stopping_values(size, seen, counts[found.block[first]], stops, before)
