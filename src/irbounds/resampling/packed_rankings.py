"""The rankings of all systems in arrays by query, from which corpus replicates are scored.

The documents of a query are numbered separately, relevant ones first. Each document has one row of
counts (how often it is drawn in each replicate). The rows are in the order in which documents are
drawn: relevant ones first, then the others query by query, each by the hash of their ids. So the
rows of a query are close together in memory, the order of the runs does not matter, and a further
run does not move the relevant documents. With a list of the whole corpus, no run changes the order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..kernels.replicate_rankings import Rankings, number_by_query
from ..measurement.judged_runs import Pool
from ..reading.corpus_list import find_corpus_size, number_documents
from ..reading.ids import Identifiers
from ..reading.records import Run

Ints = NDArray[np.int64]

NO_QUERY = np.iinfo(np.int64).max  # greater than the place of any query


@dataclass(frozen=True, eq=False)
class PackedRankings:
    """Rankings, the grades of their levels, and the documents in the order of drawing."""

    rankings: Rankings
    #: the grade of each level, ascending
    grades: Ints
    #: the highest grade, 1 at least
    max_grade: int
    n_systems: int
    #: the hash of each document's id in the order of drawing, and the row of its counts or -1
    hashes: NDArray[np.uint64]
    rows: Ints
    #: the number of rows of counts
    n_rows: int
    #: the number of documents to draw from
    corpus_size: int
    #: the largest number of entries of a ranking, or of relevant documents of a query
    longest: int
    #: judged or retrieved documents that the list of the corpus lacks; 0 without a list
    n_unlisted: int = 0


def pack_rankings(pool: Pool, runs: Sequence[Run], corpus: int | Identifiers) -> PackedRankings:
    """Pack what measures depend on: relevant documents, and rankings down to the last of them.

    ``corpus`` is the number of documents in the corpus, or the list of them.

    Raises
    ------
    DataError
        If the corpus is smaller than the number of documents that the files name, or its list has
        no judged document.
    """
    listed = None if isinstance(corpus, int) else corpus
    documents, numbers = number_documents(listed, pool.qrels, runs)
    size = find_corpus_size(corpus, len(documents), pool.qrels)
    relevant, levels, level_bounds, grades = _find_relevant(pool, numbers[0])
    docs, row_bounds, entries, entry_bounds = _number_by_query(
        pool, runs, numbers[1:], relevant, level_bounds, len(documents)
    )
    if listed:  # all are drawn, so that no count depends on which other documents are named
        order = np.argsort(documents.hashes, kind="stable")
    else:
        # queries by their ids, independently of their order in the file
        places = np.argsort(np.argsort(np.array(pool.query_ids)))
        order = _order_by_query(documents, docs, np.repeat(places, np.diff(row_bounds)), relevant)
    needed = np.zeros(len(documents), bool)
    needed[docs] = True
    row_of = np.full(len(documents), -1, np.int64)
    row_of[order[needed[order]]] = np.arange(np.count_nonzero(needed))
    rows = row_of[docs]
    _sort_rows(rows, row_bounds, np.diff(level_bounds), entries, entry_bounds)
    return PackedRankings(
        rankings=Rankings(rows, row_bounds, levels, level_bounds, entries, entry_bounds),
        grades=grades,
        max_grade=pool.max_grade,
        n_systems=len(runs),
        hashes=documents.hashes[order],
        rows=row_of[order],
        n_rows=int(np.count_nonzero(needed)),
        corpus_size=size,
        longest=int(max(np.diff(entry_bounds).max(), np.diff(level_bounds).max(), 1)),
        n_unlisted=size - len(listed) if listed else 0,
    )


def _find_relevant(pool: Pool, numbers: NDArray[np.int32]) -> tuple[Ints, Ints, Ints, Ints]:
    """Return relevant documents by query: numbers, levels, bounds, and the grades of levels."""
    is_relevant = pool.relevance > 0
    grades, levels = np.unique(pool.relevance[is_relevant], return_inverse=True)
    bounds = np.concatenate(
        ([0], np.cumsum(np.bincount(pool.query[is_relevant], minlength=len(pool))))
    )
    docs = numbers[pool.docs[is_relevant]].astype(np.int64)
    return docs, levels.astype(np.int64), bounds, grades.astype(np.int64)


def _number_by_query(
    pool: Pool,
    runs: Sequence[Run],
    numbers: Sequence[NDArray[np.int32]],
    relevant: Ints,
    level_bounds: Ints,
    n_documents: int,
) -> tuple[Ints, Ints, NDArray[np.int32], Ints]:
    """Return documents by query with bounds, and the rankings in their numbers with bounds."""
    docs = np.concatenate([of[run.docs] for of, run in zip(numbers, runs, strict=True)])
    offsets = np.concatenate(([0], np.cumsum([len(run) for run in runs])))
    bounds = np.zeros((len(pool), len(runs), 2), np.int64)
    for s, run in enumerate(runs):
        place = {query: k for k, query in enumerate(run.query_ids)}
        for q, query in enumerate(pool.query_ids):
            if query in place:
                bounds[q, s] = offsets[s] + run.bounds[place[query] : place[query] + 2]
    rows = np.empty(len(docs) + len(relevant), np.int64)
    row_bounds = np.empty(len(pool) + 1, np.int64)
    entries = np.empty(len(docs), np.int32)
    entry_bounds = np.empty(len(pool) * len(runs) + 1, np.int64)
    number_by_query(
        relevant,
        level_bounds,
        docs,
        bounds.reshape(-1, 2),
        np.full(n_documents, -1, np.int64),
        rows,
        row_bounds,
        entries,
        entry_bounds,
    )
    return (
        rows[: row_bounds[-1]].copy(),
        row_bounds,
        entries[: entry_bounds[-1]].copy(),
        entry_bounds,
    )


def _order_by_query(documents: Identifiers, docs: Ints, queries: Ints, relevant: Ints) -> Ints:
    """Return the documents that matter in the order of drawing.

    Relevant documents are first, since a further run may bring them to an earlier query.
    """
    first = np.full(len(documents), NO_QUERY)
    np.minimum.at(first, docs, queries)
    first[relevant] = -1
    drawn = np.flatnonzero(first < NO_QUERY)
    order: Ints = drawn[np.lexsort((documents.hashes[drawn], first[drawn]))]
    return order


def _sort_rows(
    rows: Ints, row_bounds: Ints, n_relevant: Ints, entries: NDArray[np.int32], entry_bounds: Ints
) -> None:
    """Assign numbers to the documents of each query that are not relevant, by the order of rows."""
    n_systems = (len(entry_bounds) - 1) // len(n_relevant)
    for q, first in enumerate(row_bounds[:-1] + n_relevant):
        others = rows[first : row_bounds[q + 1]]
        order = np.argsort(others)
        others[:] = others[order]
        number = np.arange(row_bounds[q + 1] - row_bounds[q], dtype=np.int32)
        number[n_relevant[q] + order] = number[n_relevant[q] :].copy()
        of_query = entries[entry_bounds[q * n_systems] : entry_bounds[(q + 1) * n_systems]]
        of_query[:] = number[of_query]
