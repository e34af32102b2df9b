"""From columns to records: group by query, find repeats, put runs in order.

Here stand the rules for what is counted and what is refused in one file; what two files say about
each other is for the diagnosis.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, ParameterError
from .columns import Columns
from .problems import Problems
from .records import Qrels, Run

__all__ = ["Duplicates", "Order", "assemble_qrels", "assemble_run"]

Duplicates = Literal["error", "first"]
Order = Literal["score", "rank"]


def assemble_qrels(columns: Columns, name: str) -> Qrels:
    """Judgments by query; identical repeats merged, conflicting ones refused."""
    order, bounds = _group(columns.queries, len(columns.query_ids))
    docs = columns.docs[order]
    relevance = columns.values[order].astype(np.int32)
    earlier = _repeats(bounds, docs, len(columns.documents))
    conflict = (earlier >= 0) & (relevance != relevance[earlier])
    if conflict.any():
        _refuse(columns, order, earlier, np.flatnonzero(conflict), relevance)
    keep = earlier < 0
    return Qrels(
        name=name,
        query_ids=tuple(columns.query_ids.strings()),
        bounds=_kept_bounds(bounds, keep),
        docs=docs[keep],
        documents=columns.documents,
        fingerprint=columns.fingerprint,
        relevance=relevance[keep],
        n_repeated=int((~keep).sum()),
    )


def assemble_run(
    columns: Columns,
    name: str,
    *,
    duplicates: Duplicates = "error",
    order: Order = "score",
    float32: bool = False,
    depth: int | None = None,
) -> Run:
    """Rankings by query, in trec_eval's order: key descending, then document id descending."""
    check_run_options(duplicates, order, depth)
    grouped, bounds = _group(columns.queries, len(columns.query_ids))
    docs = columns.docs[grouped]
    if duplicates == "error":
        earlier = _repeats(bounds, docs, len(columns.documents))
        _refuse(columns, grouped, earlier, np.flatnonzero(earlier >= 0))
    scores = columns.values[grouped]
    if float32:
        scores = scores.astype(np.float32).astype(np.float64)
    ranks = None if columns.ranks is None else columns.ranks[grouped]
    keys = scores if order == "score" else -_whole_ranks(columns, grouped, ranks)
    moved = _ranked(columns, bounds, docs, keys)
    docs, scores = docs[moved], scores[moved]
    keep = np.ones(len(docs), dtype=np.bool_)
    if duplicates == "first":
        keep = _repeats(bounds, docs, len(columns.documents)) < 0
    n_duplicates = int((~keep).sum())
    if depth is not None:
        keep &= _within_depth(bounds, keep, depth)
    return Run(
        name=name,
        query_ids=tuple(columns.query_ids.strings()),
        bounds=_kept_bounds(bounds, keep),
        docs=docs[keep],
        documents=columns.documents,
        fingerprint=columns.fingerprint,
        scores=scores[keep],
        n_duplicates=n_duplicates,
        n_rank_contradictions=_contradictions(bounds, scores, ranks, moved),
        options=_said(order, float32, depth),
    )


def check_run_options(duplicates: str, order: str, depth: int | None) -> None:
    """The options of a run, before any file is opened."""
    if duplicates not in ("error", "first"):
        raise ParameterError(f"duplicates must be 'error' or 'first'; got {duplicates!r}")
    if order not in ("score", "rank"):
        raise ParameterError(f"order must be 'score' or 'rank'; got {order!r}")
    if depth is not None and depth < 1:
        raise ParameterError(f"depth must be at least 1; got {depth}")


def _group(
    queries: NDArray[np.int32], n_queries: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """An order that brings each query's entries together, and where each query begins."""
    in_order = bool((queries[1:] >= queries[:-1]).all())
    order = np.arange(len(queries)) if in_order else np.argsort(queries, kind="stable")
    counts = np.bincount(queries, minlength=n_queries)
    return order, np.concatenate(([0], np.cumsum(counts)))


def _repeats(
    bounds: NDArray[np.int64], docs: NDArray[np.int32], n_documents: int
) -> NDArray[np.int64]:
    from ..kernels.ranking import find_repeats

    earlier = np.empty(len(docs), dtype=np.int64)
    find_repeats(bounds, docs, np.full(n_documents, -1, dtype=np.int64), earlier)
    return earlier


def _refuse(
    columns: Columns,
    order: NDArray[np.int64],
    earlier: NDArray[np.int64],
    which: NDArray[np.int64],
    relevance: NDArray[np.int32] | None = None,
) -> None:
    """Raise one error that names the repeated pairs, if there are any."""
    problems = Problems(columns.source, columns.unit)
    for i in which.tolist():
        if not problems.has_room:
            break
        document = columns.documents[int(columns.docs[order[i]])]
        query = columns.query_ids[int(columns.queries[order[i]])]
        first = f"{columns.unit} {columns.lines[order[earlier[i]]]}"
        if relevance is None:
            said = f"document {document!r} stands twice in query {query!r} (first on {first})"
        else:
            values = f"{relevance[earlier[i]]} on {first} and {relevance[i]} here"
            said = f"conflicting judgments of document {document!r} in query {query!r}: {values}"
        problems.add(said, int(columns.lines[order[i]]))
        which = which[1:]
    problems.add_unnamed(len(which))
    problems.raise_if_any()


def _whole_ranks(
    columns: Columns, grouped: NDArray[np.int64], ranks: NDArray[np.int32] | None
) -> NDArray[np.float64]:
    if ranks is None:
        raise InputError(f"{columns.source}: order='rank' needs a rank column; there is none")
    wrong = np.flatnonzero(ranks < 0)
    if len(wrong):
        line = columns.lines[grouped[wrong[0]]]
        raise InputError(
            f"{columns.source}: {columns.unit} {line}: the rank is not a whole number, "
            f"so order='rank' cannot use it ({len(wrong):,} such)"
        )
    return ranks.astype(np.float64)


def _ranked(
    columns: Columns,
    bounds: NDArray[np.int64],
    docs: NDArray[np.int32],
    keys: NDArray[np.float64],
) -> NDArray[np.int64]:
    from ..kernels.ranking import rank_documents

    moved = np.arange(len(docs))
    rank_documents(bounds, docs, keys, columns.documents.text, columns.documents.offsets, moved)
    return moved


def _contradictions(
    bounds: NDArray[np.int64],
    scores: NDArray[np.float64],
    ranks: NDArray[np.int32] | None,
    moved: NDArray[np.int64],
) -> int:
    """Neighbours of the final order where score and rank column disagree about who is first."""
    if ranks is None or len(ranks) < 2:
        return 0
    ranks = ranks[moved]
    score_step = scores[:-1] - scores[1:]
    rank_step = ranks[1:] - ranks[:-1]
    against = ((score_step > 0) & (rank_step < 0)) | ((score_step < 0) & (rank_step > 0))
    against[bounds[1:-1] - 1] = False
    return int(against.sum())


def _within_depth(
    bounds: NDArray[np.int64], keep: NDArray[np.bool_], depth: int
) -> NDArray[np.bool_]:
    """The first ``depth`` kept entries of each query."""
    kept = np.cumsum(keep)
    before = np.concatenate(([0], kept))[bounds[:-1]]
    within: NDArray[np.bool_] = kept - np.repeat(before, np.diff(bounds)) <= depth
    return within


def _kept_bounds(bounds: NDArray[np.int64], keep: NDArray[np.bool_]) -> NDArray[np.int64]:
    if keep.all():
        return bounds
    return np.concatenate(([0], np.cumsum(keep)))[bounds]


def _said(order: str, float32: bool, depth: int | None) -> tuple[str, ...]:
    said = ["ordered by the rank column"] if order == "rank" else []
    said += ["scores rounded to float32"] if float32 else []
    said += [f"cut to depth {depth}"] if depth is not None else []
    return tuple(said)
