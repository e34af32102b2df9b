"""From a query's candidates to document ids: the form that reading files gives.

The model numbers the candidates of each query for itself. A file names documents of the corpus; so
the ones that any run or judgment names get ids here, once for the whole collection.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..reading.columns import fingerprint_of
from ..reading.ids import Identifiers, IdentifierTable
from ..reading.records import Qrels, Run
from .model import Query

#: digits of a document's number, more if the corpus needs them; alike for all, so that ids sort
#: as numbers do
ID_DIGITS = 7


@dataclass(frozen=True, eq=False)
class NamedDocuments:
    """The documents of one query that a run or a judgment names, the relevant ones first."""

    #: places in the corpus
    numbers: NDArray[np.int64]
    #: 0 for a non-relevant document
    grades: NDArray[np.int32]
    judged: NDArray[np.bool_]


def name_documents(
    query: Query, ranked: NDArray[np.int32], pool_depth: int, unjudged_rate: float
) -> tuple[NamedDocuments, NDArray[np.int32]]:
    """Pool and judge one query; the candidates that are named, and the rankings in their places."""
    judged = _judged(query, ranked[:, :pool_depth], unjudged_rate)
    named = query.grades > 0
    named[ranked] = True
    place = (np.cumsum(named) - 1).astype(np.int32)
    documents = NamedDocuments(query.numbers[named], query.grades[named], judged[named])
    return documents, place[ranked]


def _judged(query: Query, pooled: NDArray[np.int32], unjudged_rate: float) -> NDArray[np.bool_]:
    """Which candidates get a judgment: the pooled ones, but for those passed over.

    One is kept whatever the rate, since a query without any judgment stands in no file.
    """
    pool = np.zeros(len(query.numbers), dtype=np.bool_)
    pool[pooled] = True
    judged: NDArray[np.bool_] = pool & (query.luck >= unjudged_rate)
    if not judged.any():
        judged[np.argmax(np.where(pool, query.luck, -1.0))] = True
    return judged


class Catalogue:
    """The documents of all queries under one numbering, in the order of their ids."""

    def __init__(self, queries: Sequence[NamedDocuments], n_documents: int) -> None:
        numbers = np.unique(np.concatenate([query.numbers for query in queries]))
        digits = max(ID_DIGITS, len(str(n_documents - 1)))
        self._queries = queries
        self._numbers = numbers
        self._documents = _identifiers(numbers, digits)
        self._codes = [_places(query.numbers, numbers) for query in queries]
        self._query_ids = tuple(f"q{q:03d}" for q in range(1, len(queries) + 1))
        self._query_text = np.frombuffer(" ".join(self._query_ids).encode(), dtype=np.uint8)

    def pooled(self, name: str) -> Qrels:
        """What the assessors saw."""
        return self._qrels(name, [query.judged for query in self._queries])

    def complete(self, name: str) -> Qrels:
        """Every relevant document."""
        return self._qrels(name, [query.grades > 0 for query in self._queries])

    def runs(self, docs: NDArray[np.int32], scores: NDArray[np.float64]) -> tuple[Run, ...]:
        """Runs from systems x queries x depth; ``docs`` is renumbered in place."""
        _, n_queries, depth = docs.shape
        for q, codes in enumerate(self._codes):
            docs[:, q] = codes[docs[:, q]]
        bounds = np.arange(n_queries + 1) * depth
        return tuple(
            self._run(f"system-{s:03d}", bounds, docs[s - 1].ravel(), scores[s - 1].ravel())
            for s in range(1, len(docs) + 1)
        )

    def _qrels(self, name: str, kept: Sequence[NDArray[np.bool_]]) -> Qrels:
        docs, grades = [], []
        for query, codes, keep in zip(self._queries, self._codes, kept, strict=True):
            order = np.argsort(codes[keep])  # by document id, as TREC's are
            docs.append(codes[keep][order])
            grades.append(query.grades[keep][order])
        bounds = np.concatenate([[0], np.cumsum([len(part) for part in docs])])
        all_docs, relevance = np.concatenate(docs), np.concatenate(grades)
        return Qrels(
            name=name,
            query_ids=self._query_ids,
            bounds=bounds,
            docs=all_docs,
            documents=self._documents,
            fingerprint=self._fingerprint(bounds, all_docs, relevance),
            relevance=relevance,
        )

    def _run(
        self,
        name: str,
        bounds: NDArray[np.int64],
        docs: NDArray[np.int32],
        scores: NDArray[np.float64],
    ) -> Run:
        return Run(
            name=name,
            query_ids=self._query_ids,
            bounds=bounds,
            docs=docs,
            documents=self._documents,
            fingerprint=self._fingerprint(bounds, docs, scores),
            scores=scores,
        )

    def _fingerprint(
        self, bounds: NDArray[np.int64], docs: NDArray[np.int32], values: NDArray[np.generic]
    ) -> str:
        """By numbers of the corpus, which another system in the collection does not change."""
        return fingerprint_of(self._query_text, bounds, self._numbers[docs], values)


def _places(numbers: NDArray[np.int64], distinct: NDArray[np.int64]) -> NDArray[np.int32]:
    return np.searchsorted(distinct, numbers).astype(np.int32)


def _identifiers(numbers: NDArray[np.int64], digits: int) -> Identifiers:
    """Ids such as D0000123, written digit by digit for all numbers at once."""
    letters = np.full((len(numbers), digits + 1), ord("D"), dtype=np.uint8)
    for column in range(digits):
        letters[:, digits - column] = ord("0") + numbers // 10**column % 10
    starts = np.arange(len(numbers), dtype=np.int64) * (digits + 1)
    table = IdentifierTable()
    table.intern(letters.ravel(), starts, starts + digits + 1)
    return table.finish()
