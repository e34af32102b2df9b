"""The set of retrieved documents: a list of ids, or a run that is cut somewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DataError, ParameterError, quote
from ..parameters import check_count
from ..results import InputFile

if TYPE_CHECKING:
    from ..reading.ids import Identifiers
    from ..reading.records import Run


@dataclass(frozen=True)
class RetrievedSet:
    """Retrieved documents, and where they come from."""

    documents: Identifiers
    input: InputFile
    #: the run's name, if it is one
    system: str | None = None
    notes: tuple[str, ...] = ()


def check_cut(cut_rank: Any, cut_score: Any) -> None:
    """A run is cut at a rank, at a score, or not at all."""
    if cut_rank is not None and cut_score is not None:
        raise ParameterError(
            f"cut_rank and cut_score: give one of them; got {cut_rank} and {cut_score}"
        )
    if cut_rank is not None:
        check_count("cut_rank", cut_rank)
    if cut_score is not None and not np.isfinite(cut_score):
        raise ParameterError(f"cut_score must be a finite number; got {quote(cut_score)}")


def listed_set(source: Any) -> RetrievedSet:
    """Ids from a file with one per line, or from an iterable."""
    from ..reading.corpus_list import read_corpus

    listed = read_corpus(source, what="the retrieved documents")
    return RetrievedSet(listed.documents, InputFile(listed.name, listed.fingerprint))


def cut_run(
    source: Any, query: str | None, cut_rank: int | None, cut_score: float | None
) -> RetrievedSet:
    """The first documents of a run for a query, those that reach a score, or all of them."""
    from ..reading.ids import intern_strings
    from ..reading.qrels_and_runs import read_run

    run = read_run(source)
    place = _place_of(query, run)
    begin, end = run.bounds[place : place + 2].tolist()
    docs = run.docs[begin:end]
    words = "not cut"
    if cut_rank is not None:
        docs, words = docs[:cut_rank], f"cut after {cut_rank:,}"
    elif cut_score is not None:
        docs = docs[run.scores[begin:end] >= cut_score]
        words = f"cut below a score of {cut_score:g}"
    name = run.query_ids[place]
    if not len(docs):
        raise DataError(f"{run.name}: no document for query {quote(name)} is left, {words}")
    note = f"{run.name}: {len(docs):,} of {end - begin:,} documents for query {name}, {words}"
    documents, _ = intern_strings([run.documents[number] for number in docs.tolist()])
    return RetrievedSet(documents, InputFile(run.name, run.fingerprint), run.name, (note,))


def _place_of(query: str | None, run: Run) -> int:
    shown = ", ".join(map(quote, run.query_ids[:3])) + (" ..." if len(run.query_ids) > 3 else "")
    if query is None and len(run.query_ids) > 1:
        raise DataError(
            f"{run.name}: {len(run.query_ids):,} queries ({shown}): say which one with query"
        )
    if query is not None and query not in run.query_ids:
        raise DataError(f"{run.name}: no documents for query {quote(query)}; there are {shown}")
    return 0 if query is None else run.query_ids.index(query)
