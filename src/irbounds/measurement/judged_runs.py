"""The judged documents of runs as flat arrays: all that a measure needs to know.

Of the thousand documents per query of a run, only the judged ones matter to a measure. They are
found in one pass; a measure is then a few array operations on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from .populations import Population

if TYPE_CHECKING:
    from ..reading.records import Qrels, Run


Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Pool:
    """The judgments of the queries that are scored."""

    def __init__(self, qrels: Qrels, queries: Sequence[str] | None = None) -> None:
        self.qrels = qrels
        self.query_ids = qrels.query_ids if queries is None else tuple(queries)
        place = {query: k for k, query in enumerate(qrels.query_ids)}
        #: the place of each scored query among the judgments
        self.places = np.array([place[query] for query in self.query_ids], dtype=np.int64)
        sizes = qrels.depths[self.places]
        self.bounds = np.concatenate(([0], np.cumsum(sizes)))
        self.query = np.repeat(np.arange(len(self.places)), sizes)
        entries = np.arange(len(self.query)) + np.repeat(
            qrels.bounds[self.places] - self.bounds[:-1], sizes
        )
        self.docs = qrels.docs[entries]
        self.relevance = qrels.relevance[entries]
        self._relevant: dict[int, Ints] = {}

    def __len__(self) -> int:
        return len(self.query_ids)

    @cached_property
    def max_grade(self) -> int:
        """The highest grade of any query, at least 1."""
        return max(int(self.qrels.relevance.max()), 1)

    @cached_property
    def grades(self) -> tuple[int, ...]:
        """All grades of the judgments, ascending."""
        return tuple(np.unique(self.relevance).tolist())

    def n_relevant(self, rel: int) -> Ints:
        """Return the number of documents of each query with grade ``rel`` or higher."""
        if rel not in self._relevant:
            self._relevant[rel] = self.per_query(self.query[self.relevance >= rel]).astype(np.int64)
        return self._relevant[rel]

    @cached_property
    def ideal(self) -> tuple[Ints, Ints, Ints]:
        """Query, rank and grade of the best possible ranking: relevant documents, best first."""
        relevant = self.relevance > 0
        query = self.query[relevant]
        grade = self.relevance[relevant].astype(np.int64)
        order = np.lexsort((-grade, query))
        return query[order], number_within(query), grade[order]

    @cached_property
    def population(self) -> Population:
        """The judged documents of each query by grade, those of 0 and below included."""
        at_least = [self.n_relevant(grade).astype(np.float64) for grade in self.grades]
        higher = [*at_least[1:], np.zeros(len(self))]
        counts = tuple(a - b for a, b in zip(at_least, higher, strict=True))
        n = self.per_query(self.query)
        return Population(n, n, self.grades, counts, self.max_grade)

    def per_query(self, query: Ints, weights: Floats | None = None) -> Floats:
        """Return the sum of the weights, or the count, by query."""
        return np.bincount(query, weights=weights, minlength=len(self)).astype(np.float64)


@dataclass(frozen=True, eq=False)
class JudgedRun:
    """The judged documents of one run: query, rank (from 1) and grade of each, in order."""

    pool: Pool
    query: Ints
    ranks: Ints
    grades: Ints
    #: the number of documents that the run has for each query, judged or not
    n_retrieved: Ints

    def relevant(self, rel: int = 1, cutoff: int | None = None) -> tuple[Ints, Ints]:
        """Return query and rank of the documents of grade ``rel`` or higher, down to ``cutoff``."""
        selected = self.grades >= rel
        if cutoff is not None:
            selected &= self.ranks <= cutoff
        return self.query[selected], self.ranks[selected]

    def only(self, selected: NDArray[np.bool_]) -> Self:
        """Return the run with some of its judged documents, as if the others were not judged."""
        places = np.flatnonzero(selected)
        unchanged = ("pool", "n_retrieved")
        names = [field.name for field in fields(self) if field.name not in unchanged]
        return replace(self, **{name: getattr(self, name)[places] for name in names})


@dataclass(frozen=True, eq=False)
class TiedRun(JudgedRun):
    """A judged run with the block of equal scores that each document is in."""

    #: the number of documents of the query before the block, and the number in it
    before: Ints
    size: Ints

    @cached_property
    def block(self) -> Ints:
        """The number of each document's block: 0, 1, 2, ... along the run."""
        if not len(self.query):
            return self.query
        other = np.diff(self.query).astype(np.bool_) | np.diff(self.before).astype(np.bool_)
        return np.concatenate(([0], np.cumsum(other)))

    @cached_property
    def firsts(self) -> Ints:
        """The place of each block's first document in the arrays."""
        return np.flatnonzero(np.diff(self.block, prepend=-1))


def judge_run(run: Run, pool: Pool) -> JudgedRun:
    """Find every judged document of a run, in one pass over it."""
    from ._kernels import find_judged

    number = run.documents.numbers_in(pool.qrels.documents)
    place = {query: k for k, query in enumerate(run.query_ids)}
    run_query = np.array([place.get(query, -1) for query in pool.query_ids], dtype=np.int64)
    bounds = np.empty(len(pool) + 1, dtype=np.int64)
    ranks = np.empty(len(run), dtype=np.int64)
    grades = np.empty(len(run), dtype=np.int64)
    n = find_judged(
        pool.bounds,
        pool.docs,
        pool.relevance,
        run_query,
        run.bounds,
        number[run.docs],
        np.full(len(pool.qrels.documents), -1, dtype=np.int64),
        bounds,
        ranks,
        grades,
    )
    depths = np.append(run.depths, 0)  # place -1, a missing query, retrieves nothing
    return JudgedRun(
        pool=pool,
        query=np.repeat(np.arange(len(pool)), np.diff(bounds)),
        ranks=ranks[:n].copy(),
        grades=grades[:n].copy(),
        n_retrieved=depths[run_query],
    )


def find_ties(run: Run, judged: JudgedRun) -> TiedRun:
    """Find the block of ties of every judged document; ``judged`` is from the same run."""
    before, size = judged.ranks - 1, np.ones_like(judged.ranks)
    if run.n_tied:
        begin = dict(zip(run.query_ids, run.bounds.tolist(), strict=False))
        begins = np.array([begin.get(query, 0) for query in judged.pool.query_ids])
        first = begins[judged.query]
        entry = first + before
        tied = np.flatnonzero(run.tied[entry])
        starts, sizes = _find_blocks(run)
        block = np.searchsorted(starts, entry[tied], side="right") - 1
        before[tied] = starts[block] - first[tied]
        size[tied] = sizes[block]
    plain = {field.name: getattr(judged, field.name) for field in fields(judged)}
    return TiedRun(**plain, before=before, size=size)


def _find_blocks(run: Run) -> tuple[Ints, Ints]:
    """Return the first entry and the size of each block of two or more documents."""
    places = np.flatnonzero(run.tied)
    begins = np.flatnonzero(run.begins_block[places])
    return places[begins], np.diff(np.append(begins, len(places)))


def number_within(query: Ints) -> Ints:
    """Return 1, 2, 3, ... within each sequence of equal queries."""
    if not len(query):
        return query
    starts = np.flatnonzero(np.append(True, query[1:] != query[:-1]))
    sizes = np.diff(np.append(starts, len(query)))
    return np.arange(1, len(query) + 1) - np.repeat(starts, sizes)
