"""Random rankings drawn as judged runs, which the measures' own formulas score.

A cell is one query in one draw. Only the ranks of the relevant documents matter, and only down to
the last rank that a measure scores. The number of relevant documents there is hypergeometric. Their
ranks are a uniform choice, and which of them they are (if their grades differ) is another. So the
cost of a ranking is proportional to the number of relevant documents in the scored ranks, whatever
the size of the corpus.

Choices are uniformly random without repetition, for many cells at once. A cell chooses some of its
places 0, 1, ..., limit - 1. Few out of many are drawn with repetition, and duplicates are drawn
again. Many out of few are taken from shuffled places.

Drawing again leaves every choice equally likely: if the places of a cell were renamed, the same
draws under the new names would lead to the renamed choice, and they are as likely as the old ones.
For ordered choices it must depend only on the positions of equal draws which of them is retained.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..measurement.judged_runs import JudgedRun, Pool, number_within
from ..measurement.populations import Population
from ..samples.hypergeometric import hypergeometric_masses

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: where more than 1 place in ``SPARSE`` is chosen, shuffling is faster than drawing again
SPARSE = 4


@dataclass(frozen=True, eq=False)
class RankingSampler:
    """The documents of some queries as integers, and random rankings drawn from them."""

    n_documents: Ints
    #: ranks that are scored, limited by the measure and by the list
    depth: Ints
    #: ranks that are scored, limited by the measure only; the ideal ranking is cut there
    reach: float
    grades: Ints
    #: documents of each grade (a row) and query
    counts: Ints
    max_grade: int

    def __len__(self) -> int:
        return len(self.n_documents)

    def __getitem__(self, queries: slice) -> RankingSampler:
        return replace(
            self,
            n_documents=self.n_documents[queries],
            depth=self.depth[queries],
            counts=self.counts[:, queries],
        )

    @cached_property
    def relevant(self) -> Ints:
        """Relevant documents of each query."""
        return np.asarray(self.counts.sum(axis=0, dtype=np.int64))

    @cached_property
    def in_top(self) -> list[tuple[Ints, int, Floats]]:
        """Equal queries, the minimum number of relevant documents in the scored ranks, its cdf."""
        equal: dict[tuple[int, int, int], list[int]] = {}
        columns = (self.n_documents, self.relevant, self.depth)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        for query, row in enumerate(rows):
            equal.setdefault(row, []).append(query)
        return [(np.array(queries), *_cumulative(*row)) for row, queries in equal.items()]

    def draw(self, n_draws: int, generator: np.random.Generator) -> JudgedRun:
        """Draw random rankings of every query; the draws of one query follow each other."""
        sizes = self._draw_sizes(n_draws, generator)
        places = self._draw_places(sizes, n_draws, generator)
        if len(self.grades) == 1:
            grades = np.full(len(places), self.grades[0])
        else:
            grades = self.grades[self._draw_levels(sizes, n_draws, generator)]
        pool = DrawnPool(self, n_draws)
        cells = np.repeat(np.arange(len(pool)), sizes)
        return JudgedRun(pool, cells, places + 1, grades, np.repeat(self.depth, n_draws))

    def _draw_sizes(self, n_draws: int, generator: np.random.Generator) -> Ints:
        """Draw the numbers of relevant documents in the scored ranks, by inversion of the cdf."""
        uniform = generator.random((len(self), n_draws))
        sizes = np.empty(uniform.shape, dtype=np.int64)
        for queries, first, reached in self.in_top:
            # without the last sum, which may be a rounding error below 1
            sizes[queries] = first + np.searchsorted(reached[:-1], uniform[queries], "right")
        return sizes.ravel()

    def _draw_places(self, sizes: Ints, n_draws: int, generator: np.random.Generator) -> Ints:
        """Draw the ranks of the relevant documents, from 0, ascending within each cell."""
        limits = np.repeat(self.depth, n_draws)
        return _mix(
            self.relevant * SPARSE > self.n_documents,
            sizes.reshape(-1, n_draws),
            lambda sparse: choose_places(generator, sizes[sparse], limits[sparse]),
            lambda query, own: shuffle_places(generator, own, int(self.depth[query])),
        )

    def _draw_levels(self, sizes: Ints, n_draws: int, generator: np.random.Generator) -> Ints:
        """Draw the grades of the relevant documents in the scored ranks, as indices of grades."""
        limits = np.repeat(self.relevant, n_draws)
        ends = np.cumsum(self.counts, axis=0)[:-1]

        def choose_levels(sparse: NDArray[np.bool_]) -> Ints:
            documents = choose_ordered_places(generator, sizes[sparse], limits[sparse])
            queries = np.repeat(np.flatnonzero(sparse) // n_draws, sizes[sparse])
            return np.asarray((documents >= ends[:, queries]).sum(axis=0))

        def shuffle_levels(query: int, own: Ints) -> Ints:
            levels = np.repeat(np.arange(len(self.grades)), self.counts[:, query])
            rows = generator.permuted(np.broadcast_to(levels, (n_draws, len(levels))), axis=1)
            return np.asarray(rows[np.arange(len(levels)) < own[:, None]])

        is_dense = self.depth * SPARSE > self.n_documents
        return _mix(is_dense, sizes.reshape(-1, n_draws), choose_levels, shuffle_levels)


def _mix(
    is_dense: NDArray[np.bool_],
    sizes: Ints,
    choose: Callable[[NDArray[np.bool_]], Ints],
    shuffle: Callable[[int, Ints], Ints],
) -> Ints:
    """Return choices of ``sizes`` (query x draw): of dense queries shuffled, of others drawn."""
    dense_cells = np.repeat(is_dense, sizes.shape[1])
    dense_entries = np.repeat(dense_cells, sizes.ravel())
    chosen = np.empty(len(dense_entries), dtype=np.int64)
    chosen[~dense_entries] = choose(~dense_cells)
    if is_dense.any():
        parts = [shuffle(query, sizes[query]) for query in np.flatnonzero(is_dense).tolist()]
        chosen[dense_entries] = np.concatenate(parts)
    return chosen


def make_sampler(population: Population, reach: float) -> RankingSampler:
    """Return the sampler of a population, for measures that score the first ``reach`` ranks."""
    numbers = (population.n_documents, population.depth, *population.counts)
    documents, depth, *counts = (
        np.array(row, dtype=np.int64)
        for row in np.broadcast_arrays(np.atleast_1d(population.n_documents), *numbers)[1:]
    )
    return RankingSampler(
        n_documents=documents,
        depth=np.minimum(np.minimum(depth, documents), reach).astype(np.int64),
        reach=reach,
        grades=np.array(population.grades, dtype=np.int64),
        counts=np.array(counts, dtype=np.int64).reshape(len(counts), len(documents)),
        max_grade=population.max_grade,
    )


class DrawnPool(Pool):
    """The judgments of the queries, repeated for each draw."""

    def __init__(self, sampler: RankingSampler, n_draws: int) -> None:
        self._sampler = sampler
        self._n_draws = n_draws
        self.max_grade = sampler.max_grade

    def __len__(self) -> int:
        return len(self._sampler) * self._n_draws

    def n_relevant(self, rel: int) -> Ints:
        """Return the number of documents of each cell that are judged ``rel`` or higher."""
        counts = self._sampler.counts[self._sampler.grades >= rel]
        return np.repeat(counts.sum(axis=0, dtype=np.int64), self._n_draws)

    @cached_property
    def ideal(self) -> tuple[Ints, Ints, Ints]:
        """Cell, rank and grade of the best possible ranking, down to the last scored rank."""
        sampler = self._sampler
        # counts of the grades in descending order, cut at the last scored rank
        ends = np.minimum(np.cumsum(sampler.counts[::-1], axis=0), sampler.reach)
        sizes = np.repeat(np.diff(ends, axis=0, prepend=0).astype(np.int64), self._n_draws, axis=1)
        cell = np.repeat(np.arange(sizes.shape[1]), sizes.sum(axis=0))
        grade = np.repeat(np.tile(sampler.grades[::-1], sizes.shape[1]), sizes.T.ravel())
        return cell, number_within(cell), grade


def choose_places(generator: np.random.Generator, sizes: Ints, limits: Ints) -> Ints:
    """Return ``sizes[c]`` of ``limits[c]`` places for each cell c, ascending, cell after cell."""
    cell, starts = _cells(sizes, limits)
    keys = starts[cell] + generator.integers(0, limits[cell])
    keys.sort(kind="stable")
    while True:
        again = np.flatnonzero(keys[1:] == keys[:-1])
        if not len(again):
            return keys - starts[cell]
        # keys are sorted by cell first, so the k-th key is still in the k-th entry's cell
        keys[again] = starts[cell[again]] + generator.integers(0, limits[cell[again]])
        keys.sort(kind="stable")


def choose_ordered_places(generator: np.random.Generator, sizes: Ints, limits: Ints) -> Ints:
    """Return ``sizes[c]`` of ``limits[c]`` places for each cell c, in random order."""
    cell, starts = _cells(sizes, limits)
    places = generator.integers(0, limits[cell])
    while True:
        keys = starts[cell] + places
        order = np.argsort(keys, kind="stable")  # the first of equal draws is retained
        ascending = keys[order]
        again = order[1:][ascending[1:] == ascending[:-1]]
        if not len(again):
            return places
        places[again] = generator.integers(0, limits[cell[again]])


def shuffle_places(generator: np.random.Generator, sizes: Ints, limit: int) -> Ints:
    """Return places as ``choose_places`` does, by shuffling, for cells with the same limit."""
    chosen = generator.permuted(np.arange(limit) < sizes[:, None], axis=1)
    return np.nonzero(chosen)[1]


def _cells(sizes: Ints, limits: Ints) -> tuple[Ints, Ints]:
    """Return the cell of each entry, and an offset for the places of each cell."""
    return np.repeat(np.arange(len(sizes)), sizes), np.cumsum(limits) - limits


def _cumulative(n_documents: int, relevant: int, depth: int) -> tuple[int, Floats]:
    """Return the minimum number of relevant documents in the scored ranks, and the cdf from it."""
    if depth >= n_documents or not relevant or not depth:
        return (relevant if depth >= n_documents else 0), np.ones(1)
    first, masses = hypergeometric_masses(n_documents, relevant, depth)
    return first, np.cumsum(masses)
