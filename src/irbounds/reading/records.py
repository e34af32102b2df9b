"""Judgments and runs as flat arrays, with ids as integers.

The entries of query ``k`` are those from ``bounds[k]`` to ``bounds[k + 1]``. A run's entries are in
the order of the ranking: best first, ties already broken.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..errors import check_names
from .ids import Identifiers

Value = TypeVar("Value", int, float)


@dataclass(frozen=True, eq=False)
class _Records:
    name: str
    query_ids: tuple[str, ...]
    bounds: NDArray[np.int64]
    docs: NDArray[np.int32]
    documents: Identifiers
    fingerprint: str

    def __post_init__(self) -> None:
        check_names((self.name, *self.query_ids), self.name)

    def __len__(self) -> int:
        return len(self.docs)

    @property
    def depths(self) -> NDArray[np.int64]:
        """The number of documents of each query."""
        return np.diff(self.bounds)

    def doc_ids(self) -> list[str]:
        """Return the document id of every entry."""
        names = self.documents.strings()
        return [names[number] for number in self.docs.tolist()]


@dataclass(frozen=True, eq=False)
class Qrels(_Records):
    """Relevance judgments."""

    relevance: NDArray[np.int32]
    #: identical judgments that are in the file more than once; merged
    n_repeated: int = 0

    @property
    def n_negative(self) -> int:
        """The number of judgments below 0 (spam or unjudged, by track), which are not relevant."""
        return int((self.relevance < 0).sum())

    def to_dict(self) -> dict[str, dict[str, int]]:
        """Return ``{query_id: {doc_id: relevance}}``."""
        return _nest(self, self.relevance.tolist())

    def __repr__(self) -> str:
        return f"<Qrels {self.name}: {len(self):,} judgments of {len(self.query_ids):,} queries>"


@dataclass(frozen=True, eq=False)
class Run(_Records):
    """One system's rankings, best document first."""

    scores: NDArray[np.float64]
    #: repetitions of a document in a query, dropped on request
    n_duplicates: int = 0
    #: entries that the rank column puts behind an entry of lower score
    n_rank_contradictions: int = 0
    #: options that changed the order or the depth, for the diagnosis
    options: tuple[str, ...] = field(default=())
    #: whether the rank column decided the order, so that equal scores are not ties
    by_rank: bool = False
    #: the number of documents per query that were requested; None for all
    depth: int | None = None

    @cached_property
    def begins_block(self) -> NDArray[np.bool_]:
        """Whether each entry is the first of its query with its score; without ties, all are."""
        begins = np.ones(len(self), dtype=np.bool_)
        if not self.by_rank:
            begins[1:] = self.scores[1:] != self.scores[:-1]
            first = self.bounds[:-1]
            begins[first[first < len(self)]] = True
        return begins

    @cached_property
    def tied(self) -> NDArray[np.bool_]:
        """Whether each entry's score equals a neighbour's, so that the document id decided."""
        tied = ~self.begins_block
        tied[:-1] |= tied[1:]
        return tied

    @property
    def n_tied(self) -> int:
        """The number of tied entries."""
        return int(np.count_nonzero(self.tied))

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Return ``{query_id: {doc_id: score}}``, best document first."""
        return _nest(self, self.scores.tolist())

    def __repr__(self) -> str:
        return f"<Run {self.name}: {len(self):,} entries for {len(self.query_ids):,} queries>"


def _nest(records: _Records, values: list[Value]) -> dict[str, dict[str, Value]]:
    """Return values by query and document."""
    ids = records.doc_ids()
    bounds = records.bounds.tolist()
    return {
        query: dict(zip(ids[a:b], values[a:b], strict=True))
        for query, a, b in zip(records.query_ids, bounds, bounds[1:], strict=False)
    }
