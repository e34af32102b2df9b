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
        scores = _as_single(columns, grouped, scores)
    by_score = _ranked(columns, bounds, docs, scores)
    n_against = _n_contradictions(columns, grouped, bounds, scores, by_score)
    best_first = by_score
    if order == "rank":
        best_first = _ranked(columns, bounds, docs, -_whole_ranks(columns, grouped, bounds))
    docs, scores = docs[best_first], scores[best_first]
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
        n_rank_contradictions=n_against,
        options=_said(order, float32, depth),
        by_rank=order == "rank",
    )


def check_run_options(duplicates: str, order: str, depth: int | None) -> None:
    """The options of a run, before any file is opened."""
    if duplicates not in ("error", "first"):
        raise ParameterError(f"duplicates must be 'error' or 'first'; got {duplicates!r}")
    if order not in ("score", "rank"):
        raise ParameterError(f"order must be 'score' or 'rank'; got {order!r}")
    if depth is not None and (not isinstance(depth, int) or depth < 1):
        raise ParameterError(f"depth must be a whole number of at least 1; got {depth!r}")


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
            said = (
                f"document {document!r} stands twice in query {query!r} (first on {first}; "
                "duplicates='first' or --duplicates first keeps the best-ranked)"
            )
        else:
            values = f"{relevance[earlier[i]]} on {first} and {relevance[i]} here"
            said = f"conflicting judgments of document {document!r} in query {query!r}: {values}"
        problems.add(said, int(columns.lines[order[i]]))
        which = which[1:]
    problems.add_unnamed(len(which))
    problems.raise_if_any()


def _as_single(
    columns: Columns, grouped: NDArray[np.int64], scores: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Scores rounded to single precision; what it cannot hold is refused as infinite ones are."""
    with np.errstate(over="ignore"):
        single = scores.astype(np.float32).astype(np.float64)
    problems = Problems(columns.source, columns.unit)
    for i in np.flatnonzero(np.isinf(single)).tolist():
        said = f"score {scores[i]:g} is infinite in single precision"
        problems.add(said, int(columns.lines[grouped[i]]))
    problems.raise_if_any()
    return single


def _whole_ranks(
    columns: Columns, grouped: NDArray[np.int64], bounds: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The rank column to order by: whole, and no rank twice in a query."""
    if columns.ranks is None:
        raise InputError(f"{columns.source}: order='rank' needs a rank column; there is none")
    ranks = columns.ranks[grouped]
    query = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    by_rank = np.lexsort((ranks, query))
    repeated = (np.diff(ranks[by_rank]) == 0) & (np.diff(query[by_rank]) == 0)
    problems = Problems(columns.source, columns.unit)
    for i in np.flatnonzero(ranks < 0).tolist():
        said = "the rank is not a whole number of at least 0, so it cannot be ordered by"
        problems.add(said, int(columns.lines[grouped[i]]))
    problems.raise_if_any()
    for i in by_rank[1:][repeated].tolist():
        said = f"rank {ranks[i]} stands twice in its query, so it cannot be ordered by"
        problems.add(said, int(columns.lines[grouped[i]]))
    problems.raise_if_any()
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


def _n_contradictions(
    columns: Columns,
    grouped: NDArray[np.int64],
    bounds: NDArray[np.int64],
    scores: NDArray[np.float64],
    by_score: NDArray[np.int64],
) -> int:
    from ..kernels.ranking import count_contradictions

    if columns.ranks is None:
        return 0
    return int(count_contradictions(bounds, scores, columns.ranks[grouped], by_score))


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
