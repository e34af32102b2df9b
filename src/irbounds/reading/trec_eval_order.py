"""Columns grouped by query, and runs in trec_eval's order: by score, ties by document id.

Both are descending: of two documents with equal scores, the one with the greater id, compared byte
by byte, comes first. The rank column is ignored unless ``order="rank"``.

Repeated documents within one file are merged or refused here. What two files say about each other
is for the diagnosis.

Most files are in order already, query by query and best document first. Then nothing is moved, and
the columns are kept as they were read.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, ParameterError, quote
from ..validation import DuplicateRule, OrderRule
from .columns import Columns
from .error_list import ErrorList
from .records import Qrels, Run

#: places of entries in a new order; or all of them, in the order of the file
Places = NDArray[np.integer] | slice
#: which entries are kept; None for all
Mask = NDArray[np.bool_] | None

UNCHANGED = slice(None)
KEEP_FIRST = "duplicates='first' or --duplicates first keeps the best-ranked"


def assemble_qrels(columns: Columns, name: str) -> Qrels:
    """Return judgments by query; merge identical repeats, refuse conflicting ones."""
    order, bounds = _group(columns.queries, len(columns.query_ids))
    docs = columns.docs[order]
    relevance = columns.values[order].astype(np.int32)
    earlier = _find_repeats(bounds, docs, len(columns.documents))
    keep = None
    if earlier is not None:
        conflict = (earlier >= 0) & (relevance != relevance[earlier])
        if conflict.any():
            _refuse(columns, order, earlier, np.flatnonzero(conflict), relevance)
        keep = earlier < 0
    return Qrels(
        name=name,
        query_ids=tuple(columns.query_ids.strings()),
        bounds=_select_bounds(bounds, keep),
        docs=_select(docs, keep),
        documents=columns.documents,
        fingerprint=columns.fingerprint,
        relevance=_select(relevance, keep),
        n_repeated=_count_dropped(keep),
    )


def assemble_run(
    columns: Columns,
    name: str,
    *,
    duplicates: DuplicateRule = "error",
    order: OrderRule = "score",
    float32: bool = False,
    depth: int | None = None,
) -> Run:
    """Return rankings by query, in trec_eval's order or in that of the rank column."""
    check_run_options(duplicates, order, depth)
    grouped, bounds = _group(columns.queries, len(columns.query_ids))
    docs = columns.docs[grouped]
    if duplicates == "error":
        _refuse_repeats(columns, grouped, bounds, docs)
    scores = columns.values[grouped]
    if float32:
        scores = _round_to_single(columns, grouped, scores)
    by_score = _rank(columns, bounds, docs, scores)
    n_contradictions = _count_contradictions(columns, grouped, bounds, scores, by_score)
    best_first = by_score
    if order == "rank":
        best_first = _rank(columns, bounds, docs, -_distinct_ranks(columns, grouped, bounds))
    docs, scores = docs[best_first], scores[best_first]
    keep = None
    if duplicates == "first":
        earlier = _find_repeats(bounds, docs, len(columns.documents))
        keep = None if earlier is None else earlier < 0
    n_duplicates = _count_dropped(keep)
    if depth is not None:
        keep = _within_depth(bounds, keep, depth)
    return Run(
        name=name,
        query_ids=tuple(columns.query_ids.strings()),
        bounds=_select_bounds(bounds, keep),
        docs=_select(docs, keep),
        documents=columns.documents,
        fingerprint=columns.fingerprint,
        scores=_select(scores, keep),
        n_duplicates=n_duplicates,
        n_rank_contradictions=n_contradictions,
        options=_describe_options(order, float32, depth),
        by_rank=order == "rank",
        depth=depth,
    )


def check_run_options(duplicates: str, order: str, depth: int | None) -> None:
    """Raise ``ParameterError`` for invalid options, before any file is opened."""
    if duplicates not in ("error", "first"):
        raise ParameterError(f"duplicates must be 'error' or 'first'; got {quote(duplicates)}")
    if order not in ("score", "rank"):
        raise ParameterError(f"order must be 'score' or 'rank'; got {quote(order)}")
    if depth is not None and (not isinstance(depth, int) or depth < 1):
        raise ParameterError(f"depth must be an integer of at least 1; got {quote(depth)}")


def _group(queries: NDArray[np.int32], n_queries: int) -> tuple[Places, NDArray[np.int64]]:
    """Return an order in which each query's entries are together, and where each query begins."""
    numbers = np.arange(n_queries + 1, dtype=queries.dtype)
    if (queries[1:] >= queries[:-1]).all():
        return UNCHANGED, np.searchsorted(queries, numbers).astype(np.int64)
    order = np.argsort(queries, kind="stable")
    return order, np.searchsorted(queries[order], numbers).astype(np.int64)


def _find_repeats(
    bounds: NDArray[np.int64], docs: NDArray[np.int32], n_documents: int
) -> NDArray[np.int64] | None:
    """Return for each entry the one before it with the same document, or -1; None without repeats.

    Repeats are rare, so they are counted first, which takes no memory per entry.
    """
    from ..kernels.ranking import count_repeats, find_repeats

    if not count_repeats(bounds, docs, np.full(n_documents, -1, dtype=np.int64)):
        return None
    earlier = np.empty(len(docs), dtype=np.int64)
    find_repeats(bounds, docs, np.full(n_documents, -1, dtype=np.int64), earlier)
    return earlier


def _refuse_repeats(
    columns: Columns, order: Places, bounds: NDArray[np.int64], docs: NDArray[np.int32]
) -> None:
    earlier = _find_repeats(bounds, docs, len(columns.documents))
    if earlier is not None:
        _refuse(columns, order, earlier, np.flatnonzero(earlier >= 0))


def _refuse(
    columns: Columns,
    order: Places,
    earlier: NDArray[np.int64],
    which: NDArray[np.int64],
    relevance: NDArray[np.int32] | None = None,
) -> None:
    """Raise one ``InputError`` that names the repeated pairs, if there are any."""
    errors = ErrorList(columns.source, columns.unit, "" if relevance is not None else KEEP_FIRST)
    for i in which.tolist():
        if not errors.has_room:
            break
        place = _place(order, i)
        document = quote(columns.documents[int(columns.docs[place])])
        query = quote(columns.query_ids[int(columns.queries[place])])
        first = f"{columns.unit} {columns.lines[_place(order, int(earlier[i]))]}"
        if relevance is None:
            message = f"document {document} is in query {query} twice (first on {first})"
        else:
            values = f"{relevance[earlier[i]]} on {first} and {relevance[i]} here"
            message = f"conflicting judgments of document {document} in query {query}: {values}"
        errors.add(message, columns.lines[place])
        which = which[1:]
    errors.count_more(len(which))
    errors.raise_if_any()


def _place(order: Places, entry: int) -> int:
    """Return the place of an entry in the file."""
    return entry if isinstance(order, slice) else int(order[entry])


def _round_to_single(
    columns: Columns, grouped: Places, scores: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return scores rounded to single precision; raise ``InputError`` if one becomes infinite."""
    with np.errstate(over="ignore"):
        single = scores.astype(np.float32).astype(np.float64)
    errors = ErrorList(columns.source, columns.unit)
    for i in np.flatnonzero(np.isinf(single)).tolist():
        message = f"score {scores[i]:g} is infinite in single precision"
        errors.add(message, columns.lines[_place(grouped, i)])
    errors.raise_if_any()
    return single


def _distinct_ranks(
    columns: Columns, grouped: Places, bounds: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the ranks; raise ``InputError`` unless they are integers, each once per query."""
    if columns.ranks is None:
        raise InputError(f"{columns.source}: order='rank' needs a rank column; there is none")
    ranks = columns.ranks[grouped]
    query = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    by_rank = np.lexsort((ranks, query))
    repeated = (np.diff(ranks[by_rank]) == 0) & (np.diff(query[by_rank]) == 0)
    errors = ErrorList(columns.source, columns.unit)
    for i in np.flatnonzero(ranks < 0).tolist():
        message = "the rank is not an integer of at least 0, so the run cannot be ordered by rank"
        errors.add(message, columns.lines[_place(grouped, i)])
    errors.raise_if_any()
    for i in by_rank[1:][repeated].tolist():
        message = f"rank {ranks[i]} is in its query twice, so the run cannot be ordered by rank"
        errors.add(message, columns.lines[_place(grouped, i)])
    errors.raise_if_any()
    return ranks.astype(np.float64)


def _rank(
    columns: Columns,
    bounds: NDArray[np.int64],
    docs: NDArray[np.int32],
    keys: NDArray[np.float64],
) -> Places:
    """Return the order of each query's entries: keys descending, ties by document id descending."""
    from ..kernels.ranking import are_ranked, rank_documents

    ids = columns.documents.text, columns.documents.offsets
    if are_ranked(bounds, docs, keys, *ids):
        return UNCHANGED
    numbers = np.arange(len(docs), dtype=np.int32) if len(docs) < 1 << 31 else np.arange(len(docs))
    moved: NDArray[np.integer] = numbers
    rank_documents(bounds, docs, keys, *ids, moved)
    return moved


def _count_contradictions(
    columns: Columns,
    grouped: Places,
    bounds: NDArray[np.int64],
    scores: NDArray[np.float64],
    by_score: Places,
) -> int:
    """Return the number of entries that the rank column puts behind one of lower score."""
    from ..kernels.ranking import count_contradictions

    if columns.ranks is None:
        return 0
    order = np.empty(0, np.int32) if isinstance(by_score, slice) else by_score
    return int(count_contradictions(bounds, scores, columns.ranks[grouped], order))


def _within_depth(bounds: NDArray[np.int64], keep: Mask, depth: int) -> NDArray[np.bool_]:
    """Return the first ``depth`` entries of each query among those that are kept."""
    within: NDArray[np.bool_] = np.ones(bounds[-1], np.bool_) if keep is None else keep.copy()
    n_kept = np.cumsum(within)
    before = np.concatenate(([0], n_kept))[bounds[:-1]]
    within &= n_kept - np.repeat(before, np.diff(bounds)) <= depth
    return within


def _select_bounds(bounds: NDArray[np.int64], keep: Mask) -> NDArray[np.int64]:
    if keep is None or keep.all():
        return bounds
    return np.concatenate(([0], np.cumsum(keep)))[bounds]


def _select(values: NDArray[Any], keep: Mask) -> NDArray[Any]:
    return values if keep is None else values[keep]


def _count_dropped(keep: Mask) -> int:
    return 0 if keep is None else int(np.count_nonzero(~keep))


def _describe_options(order: str, float32: bool, depth: int | None) -> tuple[str, ...]:
    words = ["ordered by the rank column"] if order == "rank" else []
    words += ["scores rounded to float32"] if float32 else []
    words += [f"cut to depth {depth}"] if depth is not None else []
    return tuple(words)
