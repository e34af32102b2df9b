"""Random rankings as runs with judgments, which the measures' own formulas score.

A cell is one query in one draw. Only where the relevant documents stand matters, and only down to
the rank that a measure looks at: how many of them stand there is hypergeometric, at which ranks is
a uniform choice, and which of them (if their grades differ) is another. So a ranking costs as much
as there are relevant documents in sight, whatever the size of the corpus.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..measurement.judged_runs import JudgedRun, Pool, number_within
from ..measurement.populations import Population
from ..samples.hypergeometric import hypergeometric_masses

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: where more than one place in so many is chosen, shuffling is faster than drawing again
SPARSE = 4


@dataclass(frozen=True, eq=False)
class Drawing:
    """What random rankings of some queries are drawn from, whole numbers throughout."""

    n_documents: Ints
    #: ranks in sight, of the measure and of the list
    depth: Ints
    #: the same of the measure alone, which the ideal ranking is cut at
    reach: float
    grades: Ints
    #: documents of each grade (a row) and query that are ranked, and that are judged
    counts: Ints
    judged: Ints
    max_grade: int

    def __len__(self) -> int:
        return len(self.n_documents)

    def __getitem__(self, queries: slice) -> Drawing:
        return Drawing(
            self.n_documents[queries],
            self.depth[queries],
            self.reach,
            self.grades,
            self.counts[:, queries],
            self.judged[:, queries],
            self.max_grade,
        )

    @cached_property
    def relevant(self) -> Ints:
        """Relevant documents of each query that are ranked."""
        return np.asarray(self.counts.sum(axis=0, dtype=np.int64))

    @cached_property
    def places(self) -> Ints:
        """What each query's draws choose from: ranks, and relevant documents if grades differ."""
        return self.depth if len(self.grades) == 1 else np.maximum(self.depth, self.relevant)

    @cached_property
    def found(self) -> list[tuple[Ints, int, Floats]]:
        """Queries of a kind, the fewest that stand in sight, the chances of at most so many."""
        kinds: dict[tuple[int, int, int], list[int]] = {}
        columns = (self.n_documents, self.relevant, self.depth)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        for query, row in enumerate(rows):
            kinds.setdefault(row, []).append(query)
        return [(np.array(queries), *_cumulative(*row)) for row, queries in kinds.items()]

    def drawn(self, n_draws: int, generator: np.random.Generator) -> JudgedRun:
        """So many random rankings of every query; the draws of one query follow each other."""
        sizes = self._sizes(n_draws, generator)
        places = self._places(sizes, n_draws, generator)
        if len(self.grades) == 1:
            grades = np.full(len(places), self.grades[0])
        else:
            grades = self.grades[self._levels(sizes, n_draws, generator)]
        pool = DrawnPool(self, n_draws)
        cells = np.repeat(np.arange(len(pool)), sizes)
        return JudgedRun(pool, cells, places + 1, grades, np.repeat(self.depth, n_draws))

    def _sizes(self, n_draws: int, generator: np.random.Generator) -> Ints:
        """How many relevant documents stand in sight, by the inverse of the distribution."""
        uniform = generator.random((len(self), n_draws))
        sizes = np.empty(uniform.shape, dtype=np.int64)
        for queries, first, reached in self.found:
            # without the last sum, which may be a rounding error below 1
            sizes[queries] = first + np.searchsorted(reached[:-1], uniform[queries], "right")
        return sizes.ravel()

    def _places(self, sizes: Ints, n_draws: int, generator: np.random.Generator) -> Ints:
        """Where the relevant documents stand, from 0, ascending within each cell."""
        dense = self.relevant * SPARSE > self.n_documents
        places = np.empty(sizes.sum(), dtype=np.int64)
        cell_dense = np.repeat(dense, n_draws)
        entry_dense = np.repeat(cell_dense, sizes)
        limits = np.repeat(self.depth, n_draws)
        places[~entry_dense] = distinct_places(generator, sizes[~cell_dense], limits[~cell_dense])
        places[entry_dense] = np.concatenate(
            [np.empty(0, dtype=np.int64)]
            + [
                shuffled_places(generator, sizes[q * n_draws :][:n_draws], int(self.depth[q]))
                for q in np.flatnonzero(dense).tolist()
            ]
        )
        return places

    def _levels(self, sizes: Ints, n_draws: int, generator: np.random.Generator) -> Ints:
        """Which grade each relevant document in sight has, by its place among the grades."""
        dense = self.depth * SPARSE > self.n_documents
        levels = np.zeros(sizes.sum(), dtype=np.int64)
        cell_dense = np.repeat(dense, n_draws)
        entry_dense = np.repeat(cell_dense, sizes)
        limits = np.repeat(self.relevant, n_draws)
        documents = ordered_places(generator, sizes[~cell_dense], limits[~cell_dense])
        queries = np.repeat(np.arange(len(sizes)) // n_draws, sizes)[~entry_dense]
        ends = np.cumsum(self.counts, axis=0)[:-1]
        levels[~entry_dense] = (documents >= ends[:, queries]).sum(axis=0)
        levels[entry_dense] = np.concatenate(
            [np.empty(0, dtype=np.int64)]
            + [
                _shuffled_levels(self.counts[:, q], sizes[q * n_draws :][:n_draws], generator)
                for q in np.flatnonzero(dense).tolist()
            ]
        )
        return levels


class DrawnPool(Pool):
    """The judgments of the queries, each as often as it is drawn."""

    def __init__(self, drawing: Drawing, n_draws: int) -> None:
        self._drawing = drawing
        self._n_draws = n_draws
        self.max_grade = drawing.max_grade

    def __len__(self) -> int:
        return len(self._drawing) * self._n_draws

    def n_relevant(self, rel: int) -> Ints:
        """How many documents of each cell are judged ``rel`` or higher."""
        wanted = self._drawing.judged[self._drawing.grades >= rel]
        return np.repeat(wanted.sum(axis=0, dtype=np.int64), self._n_draws)

    @cached_property
    def ideal(self) -> tuple[Ints, Ints, Ints]:
        """Cell, rank and grade of the best possible ranking, as far as it is in sight."""
        drawing, levels = self._drawing, np.arange(len(self._drawing.grades))[::-1]
        in_sight = cut_at(drawing.judged[levels], np.full(len(drawing), drawing.reach))
        sizes = np.repeat(in_sight, self._n_draws, axis=1)
        return laid_out(drawing.grades[levels], sizes)


def cut_at(counts: Ints, ends: Floats | Ints) -> Ints:
    """Counts, one row after the other, as far as their sums do not exceed the ends."""
    sums = np.minimum(np.cumsum(counts, axis=0), ends).astype(np.int64)
    return np.diff(sums, axis=0, prepend=0)


def laid_out(grades: Ints, sizes: Ints) -> tuple[Ints, Ints, Ints]:
    """Cell, number within the cell and grade: so many of each grade (a row) for each cell."""
    cell = np.repeat(np.arange(sizes.shape[1]), sizes.sum(axis=0))
    grade = np.repeat(np.tile(grades, sizes.shape[1]), sizes.T.ravel())
    return cell, number_within(cell), grade


def drawing_of(population: Population, reach: float) -> Drawing:
    """What to draw from, for measures that look at the first ``reach`` ranks."""
    shape = np.shape(np.atleast_1d(population.n_documents))

    def whole(*numbers: object) -> Ints:
        rows = [np.broadcast_to(np.asarray(n, dtype=np.float64), shape) for n in numbers]
        return np.array(rows).astype(np.int64).reshape(len(rows), *shape)

    documents, depth = whole(population.n_documents, population.depth)
    return Drawing(
        n_documents=documents,
        depth=np.minimum(np.minimum(depth, documents), reach).astype(np.int64),
        reach=reach,
        grades=np.array(population.grades, dtype=np.int64),
        counts=whole(*population.counts),
        judged=whole(*population.judged),
        max_grade=population.max_grade,
    )


def _cumulative(n_documents: int, relevant: int, depth: int) -> tuple[int, Floats]:
    if depth >= n_documents or not relevant or not depth:
        return (relevant if depth >= n_documents else 0), np.ones(1)
    first, masses = hypergeometric_masses(n_documents, relevant, depth)
    return first, np.cumsum(masses)


def _shuffled_levels(counts: Ints, sizes: Ints, generator: np.random.Generator) -> Ints:
    """The first documents of each shuffled row, by their grades' places."""
    levels = np.repeat(np.arange(len(counts)), counts)
    rows = generator.permuted(np.broadcast_to(levels, (len(sizes), len(levels))), axis=1)
    return rows[np.arange(len(levels)) < sizes[:, None]]


# Uniformly random choices without repetition, for many cells at once.
#
# A cell chooses so many of its places 0, 1, ..., limit - 1. Few out of many are drawn with
# repetition
# and what came twice is drawn again; many out of few are taken from shuffled places.
#
# Why drawing again leaves every choice equally likely: nothing in the procedure knows one place
# from
# another. Were the places of a cell renamed, the same draws under the new names would lead to the
# renamed choice, and they are as likely as the old ones. So any two choices that renaming turns
# into
# each other have the same probability; and that is any two of the same size. The same holds for
# ordered choices, as long as which of several equal draws is kept depends on their numbers in the
# sequence alone.


def distinct_places(generator: np.random.Generator, sizes: Ints, limits: Ints) -> Ints:
    """``sizes[c]`` of ``limits[c]`` places for each cell c, ascending, cell after cell."""
    cell, starts = _cells(sizes, limits)
    keys = starts[cell] + generator.integers(0, limits[cell])
    keys.sort(kind="stable")
    while True:
        again = np.flatnonzero(keys[1:] == keys[:-1])
        if not len(again):
            return keys - starts[cell]
        # keys are sorted by cell first, so the k-th key is still one of the k-th entry's cell
        keys[again] = starts[cell[again]] + generator.integers(0, limits[cell[again]])
        keys.sort(kind="stable")


def ordered_places(generator: np.random.Generator, sizes: Ints, limits: Ints) -> Ints:
    """The same in random order within each cell."""
    cell, starts = _cells(sizes, limits)
    places = generator.integers(0, limits[cell])
    while True:
        keys = starts[cell] + places
        order = np.argsort(keys, kind="stable")  # of equal draws the first in sequence is kept
        ascending = keys[order]
        again = order[1:][ascending[1:] == ascending[:-1]]
        if not len(again):
            return places
        places[again] = generator.integers(0, limits[cell[again]])


def shuffled_places(generator: np.random.Generator, sizes: Ints, limit: int) -> Ints:
    """Places as ``distinct_places`` gives them, for cells with the same limit."""
    chosen = generator.permuted(np.arange(limit) < sizes[:, None], axis=1)
    return np.nonzero(chosen)[1]


def _cells(sizes: Ints, limits: Ints) -> tuple[Ints, Ints]:
    """The cell of each entry, and a number before the places of each cell."""
    return np.repeat(np.arange(len(sizes)), sizes), np.cumsum(limits) - limits
