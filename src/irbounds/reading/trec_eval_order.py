"""From columns to records: group by query, find repeats, put runs in order.

Here stand the rules for what is counted and what is refused in one file; what two files say about
each other is for the diagnosis.

Most files are in order already, query by query and best document first. Then nothing is moved, and
the columns that were read are what is kept.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, ParameterError, quote
from ..validation import DuplicateRule, OrderRule
from .columns import Columns
from .error_list import Problems
from .records import Qrels, Run

#: places of entries in a new order; or all of them, as they stand
Places = NDArray[np.integer] | slice
#: which entries are kept; None for all
Kept = NDArray[np.bool_] | None

AS_THEY_STAND = slice(None)
KEEP_FIRST = "duplicates='first' or --duplicates first keeps the best-ranked"


def assemble_qrels(columns: Columns, name: str) -> Qrels:
    """Judgments by query; identical repeats merged, conflicting ones refused."""
    order, bounds = _group(columns.queries, len(columns.query_ids))
    docs = columns.docs[order]
    relevance = columns.values[order].astype(np.int32)
    earlier = _repeats(bounds, docs, len(columns.documents))
    keep = None
    if earlier is not None:
        conflict = (earlier >= 0) & (relevance != relevance[earlier])
        if conflict.any():
            _refuse(columns, order, earlier, np.flatnonzero(conflict), relevance)
        keep = earlier < 0
    return Qrels(
        name=name,
        query_ids=tuple(columns.query_ids.strings()),
        bounds=_kept_bounds(bounds, keep),
        docs=_kept(docs, keep),
        documents=columns.documents,
        fingerprint=columns.fingerprint,
        relevance=_kept(relevance, keep),
        n_repeated=_n_left_out(keep),
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
    """Rankings by query, in trec_eval's order: key descending, then document id descending."""
    check_run_options(duplicates, order, depth)
    grouped, bounds = _group(columns.queries, len(columns.query_ids))
    docs = columns.docs[grouped]
    if duplicates == "error":
        _refuse_repeats(columns, grouped, bounds, docs)
    scores = columns.values[grouped]
    if float32:
        scores = _as_single(columns, grouped, scores)
    by_score = _ranked(columns, bounds, docs, scores)
    n_against = _n_contradictions(columns, grouped, bounds, scores, by_score)
    best_first = by_score
    if order == "rank":
        best_first = _ranked(columns, bounds, docs, -_whole_ranks(columns, grouped, bounds))
    docs, scores = docs[best_first], scores[best_first]
    keep = None
    if duplicates == "first":
        earlier = _repeats(bounds, docs, len(columns.documents))
        keep = None if earlier is None else earlier < 0
    n_duplicates = _n_left_out(keep)
    if depth is not None:
        keep = _within_depth(bounds, keep, depth)
    return Run(
        name=name,
        query_ids=tuple(columns.query_ids.strings()),
        bounds=_kept_bounds(bounds, keep),
        docs=_kept(docs, keep),
        documents=columns.documents,
        fingerprint=columns.fingerprint,
        scores=_kept(scores, keep),
        n_duplicates=n_duplicates,
        n_rank_contradictions=n_against,
        options=_said(order, float32, depth),
        by_rank=order == "rank",
        depth=depth,
    )


def check_run_options(duplicates: str, order: str, depth: int | None) -> None:
    """The options of a run, before any file is opened."""
    if duplicates not in ("error", "first"):
        raise ParameterError(f"duplicates must be 'error' or 'first'; got {quote(duplicates)}")
    if order not in ("score", "rank"):
        raise ParameterError(f"order must be 'score' or 'rank'; got {quote(order)}")
    if depth is not None and (not isinstance(depth, int) or depth < 1):
        raise ParameterError(f"depth must be an integer of at least 1; got {quote(depth)}")


def _group(queries: NDArray[np.int32], n_queries: int) -> tuple[Places, NDArray[np.int64]]:
    """An order that brings each query's entries together, and where each query begins."""
    numbers = np.arange(n_queries + 1, dtype=queries.dtype)
    if (queries[1:] >= queries[:-1]).all():
        return AS_THEY_STAND, np.searchsorted(queries, numbers).astype(np.int64)
    order = np.argsort(queries, kind="stable")
    return order, np.searchsorted(queries[order], numbers).astype(np.int64)


def _repeats(
    bounds: NDArray[np.int64], docs: NDArray[np.int32], n_documents: int
) -> NDArray[np.int64] | None:
    """For each entry the one before it with the same document, or -1; None where nothing repeats.

    Repeats are rare, so they are counted first, which takes no memory for each entry.
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
    earlier = _repeats(bounds, docs, len(columns.documents))
    if earlier is not None:
        _refuse(columns, order, earlier, np.flatnonzero(earlier >= 0))


def _refuse(
    columns: Columns,
    order: Places,
    earlier: NDArray[np.int64],
    which: NDArray[np.int64],
    relevance: NDArray[np.int32] | None = None,
) -> None:
    """Raise one error that names the repeated pairs, if there are any."""
    problems = Problems(columns.source, columns.unit, "" if relevance is not None else KEEP_FIRST)
    for i in which.tolist():
        if not problems.has_room:
            break
        place = _place(order, i)
        document = quote(columns.documents[int(columns.docs[place])])
        query = quote(columns.query_ids[int(columns.queries[place])])
        first = f"{columns.unit} {columns.lines[_place(order, int(earlier[i]))]}"
        if relevance is None:
            said = f"document {document} stands twice in query {query} (first on {first})"
        else:
            values = f"{relevance[earlier[i]]} on {first} and {relevance[i]} here"
            said = f"conflicting judgments of document {document} in query {query}: {values}"
        problems.add(said, columns.lines[place])
        which = which[1:]
    problems.add_unnamed(len(which))
    problems.raise_if_any()


def _place(order: Places, entry: int) -> int:
    """Where an entry stood before."""
    return entry if isinstance(order, slice) else int(order[entry])


def _as_single(
    columns: Columns, grouped: Places, scores: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Scores rounded to single precision; what it cannot hold is refused as infinite ones are."""
    with np.errstate(over="ignore"):
        single = scores.astype(np.float32).astype(np.float64)
    problems = Problems(columns.source, columns.unit)
    for i in np.flatnonzero(np.isinf(single)).tolist():
        said = f"score {scores[i]:g} is infinite in single precision"
        problems.add(said, columns.lines[_place(grouped, i)])
    problems.raise_if_any()
    return single


def _whole_ranks(
    columns: Columns, grouped: Places, bounds: NDArray[np.int64]
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
        problems.add(said, columns.lines[_place(grouped, i)])
    problems.raise_if_any()
    for i in by_rank[1:][repeated].tolist():
        said = f"rank {ranks[i]} stands twice in its query, so it cannot be ordered by"
        problems.add(said, columns.lines[_place(grouped, i)])
    problems.raise_if_any()
    return ranks.astype(np.float64)


def _ranked(
    columns: Columns,
    bounds: NDArray[np.int64],
    docs: NDArray[np.int32],
    keys: NDArray[np.float64],
) -> Places:
    from ..kernels.ranking import are_ranked, rank_documents

    ids = columns.documents.text, columns.documents.offsets
    if are_ranked(bounds, docs, keys, *ids):
        return AS_THEY_STAND
    numbers = np.arange(len(docs), dtype=np.int32) if len(docs) < 1 << 31 else np.arange(len(docs))
    moved: NDArray[np.integer] = numbers
    rank_documents(bounds, docs, keys, *ids, moved)
    return moved


def _n_contradictions(
    columns: Columns,
    grouped: Places,
    bounds: NDArray[np.int64],
    scores: NDArray[np.float64],
    by_score: Places,
) -> int:
    from ..kernels.ranking import count_contradictions

    if columns.ranks is None:
        return 0
    order = np.empty(0, np.int32) if isinstance(by_score, slice) else by_score
    return int(count_contradictions(bounds, scores, columns.ranks[grouped], order))


def _within_depth(bounds: NDArray[np.int64], keep: Kept, depth: int) -> NDArray[np.bool_]:
    """Of the entries that are kept, the first ``depth`` of each query."""
    wanted: NDArray[np.bool_] = np.ones(bounds[-1], np.bool_) if keep is None else keep.copy()
    kept = np.cumsum(wanted)
    before = np.concatenate(([0], kept))[bounds[:-1]]
    wanted &= kept - np.repeat(before, np.diff(bounds)) <= depth
    return wanted


def _kept_bounds(bounds: NDArray[np.int64], keep: Kept) -> NDArray[np.int64]:
    if keep is None or keep.all():
        return bounds
    return np.concatenate(([0], np.cumsum(keep)))[bounds]


def _kept(values: NDArray[Any], keep: Kept) -> NDArray[Any]:
    return values if keep is None else values[keep]


def _n_left_out(keep: Kept) -> int:
    return 0 if keep is None else int(np.count_nonzero(~keep))


def _said(order: str, float32: bool, depth: int | None) -> tuple[str, ...]:
    said = ["ordered by the rank column"] if order == "rank" else []
    said += ["scores rounded to float32"] if float32 else []
    said += [f"cut to depth {depth}"] if depth is not None else []
    return tuple(said)
