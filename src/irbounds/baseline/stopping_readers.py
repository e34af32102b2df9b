"""Scores expected over all orders within ties, for measures whose reader stops somewhere.

With t documents before a block of m, of which r are relevant:

- RR and Success: none of the block's first i documents is relevant with probability S(i), the
  product of (m - r - j) / (m - j) over j < i. The first relevant one stands at the i-th place with
  probability S(i - 1) r / (m - i + 1). Only the first block that holds a relevant document counts.
- ERR: let a(i) be the mean, over all choices of i of the block's documents, of the product of
  their chances to read on; then a(i - 1) - a(i) is the chance to stop at the i-th place. What
  reading came through the blocks above is the same in every order. The a(i) are built up document
  by document: a new one of n is among the i chosen with probability i / n.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..scores.formulas import stopping_chances
from ..scores.packed_runs import Floats, Ints, number_within
from ..scores.tie_orders import TiedRun

__all__ = ["expected_reciprocal_rank", "reciprocal_rank", "success"]


def reciprocal_rank(run: TiedRun, *, rel: int = 1, cutoff: int | None = None) -> Floats:
    """RR expected over all orders within ties."""
    found, n_found = _first_found(run, rel)
    last = np.inf if cutoff is None else cutoff
    alone = (found.size == 1) & (found.ranks <= last)
    values = run.pool.per_query(found.query[alone], 1.0 / found.ranks[alone])
    for query, before, size, relevant in _tied(found, n_found):
        n = int(min(size - relevant + 1, last - before))
        if n > 0:
            places = np.arange(n)
            here = _none_found(size, relevant, n - 1) * (relevant / (size - places))
            values[query] = (here / (before + 1 + places)).sum()
    return values


def success(run: TiedRun, *, cutoff: int, rel: int = 1) -> Floats:
    """Success expected over all orders within ties."""
    found, n_found = _first_found(run, rel)
    values = run.pool.per_query(found.query[found.before + found.size <= cutoff])
    for query, before, size, relevant in _tied(found, n_found):
        if before < cutoff < before + size:
            values[query] = 1.0 - _none_found(size, relevant, cutoff - before)[-1]
    return values


def _first_found(run: TiedRun, rel: int) -> tuple[TiedRun, Ints]:
    """Of each query one relevant document of the first block with any, and how many it has."""
    found = run.only(run.grades >= rel)
    n_found = np.bincount(found.block)
    first = number_within(found.query) == 1
    return found.only(first), n_found[found.block[first]]


def _tied(found: TiedRun, n_found: Ints) -> Iterator[tuple[int, int, int, int]]:
    tied = found.size > 1
    rows = (found.query[tied], found.before[tied], found.size[tied], n_found[tied])
    return zip(*(row.tolist() for row in rows), strict=True)


def _none_found(size: int, relevant: int, n: int) -> Floats:
    """The chance that none of the first 0, 1, ... n documents is relevant."""
    drawn = np.arange(n)
    going_on = np.maximum(size - relevant - drawn, 0) / (size - drawn)
    chances: Floats = np.cumprod(np.append(1.0, going_on))
    return chances


def expected_reciprocal_rank(run: TiedRun, *, cutoff: int | None = None) -> Floats:
    """ERR expected over all orders within ties."""
    last = np.inf if cutoff is None else cutoff
    found = run.only((run.grades > 0) & (run.before < last))
    stops = stopping_chances(found.grades, run.pool.max_grade)
    place = number_within(found.query)
    table = np.zeros((len(run.pool), int(place.max(initial=0)) + 1))
    table[found.query, place] = stops
    reading = np.cumprod(1.0 - table, axis=1)[found.query, place - 1]
    alone = found.size == 1
    terms = stops * reading / found.ranks
    total = run.pool.per_query(found.query[alone], terms[alone])
    tied = found.size[found.firsts] > 1
    ends = np.append(found.firsts[1:], len(found.block))
    known: dict[tuple[int, ...], Floats] = {}
    for begin, end in zip(found.firsts[tied].tolist(), ends[tied].tolist(), strict=True):
        before, size = int(found.before[begin]), int(found.size[begin])
        n = int(min(size, last - before))
        kind = (size, n, *sorted(found.grades[begin:end].tolist()))
        if kind not in known:  # most blocks are alike
            known[kind] = -np.diff(_mean_reading(size, stops[begin:end], n))
        stopping = (known[kind] / (before + 1 + np.arange(n))).sum()
        total[found.query[begin]] += reading[begin] * stopping
    return total


def _mean_reading(size: int, stops: Floats, n: int) -> Floats:
    """The mean chance to read on behind 0, 1, ... n documents of a block in random order."""
    means = np.ones(n + 1)
    n_documents = size - len(stops)
    for stop in stops.tolist():
        n_documents += 1
        chosen = np.arange(1, min(n_documents, n) + 1)
        share = chosen / n_documents
        without, within = means[chosen], means[chosen - 1]
        means[chosen] = (1.0 - share) * without + share * (1.0 - stop) * within
    return means
