"""Strata counted from documents: which were retrieved, which were drawn, what was said of them.

The corpus (its list of ids, or only its size) and the retrieved set make the two segments. Every
assessed document belongs to the sample of its segment, or of the stratum that it names, or of the
stratum whose inclusion probability it has. Counts that cannot be are refused; what lies outside the
list of the corpus is no part of it, and is counted and left out.

The set of retrieved documents: a list of ids, or a run that is cut somewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, ParameterError, quote
from ..reading.assessments import Assessment, Assessments, read_assessments
from ..reading.strata_sheet import read_populations
from ..results import InputFile, Sample, Stratum
from ..validation import check_count
from .inclusion_probabilities import stratum_sizes

if TYPE_CHECKING:
    from ..reading.ids import Identifiers
    from ..reading.records import Run

SEGMENTS = {True: "retrieved", False: "unretrieved"}
WITHOUT_SIZES = "assessments name their strata, whose sizes are needed: give strata, a sheet"
WITHOUT_STRATA = "no column 'stratum', and strata gives sizes of strata"


def sampled_strata(
    assessed: Any,
    *,
    retrieved_ids: Any = None,
    run: Any = None,
    query: str | None = None,
    cut_rank: int | None = None,
    cut_score: float | None = None,
    corpus: Any = None,
    corpus_size: int | None = None,
    strata: str | Path | None = None,
) -> Sample:
    """Count the strata of assessed documents, which must be random samples of their strata.

    Parameters
    ----------
    assessed
        A file: judgments of four columns (each segment has a simple random sample), of five (the
        fifth is the inclusion probability), or a CSV or TSV file with ``doc_id, relevance`` and
        optionally ``query_id`` and ``stratum`` or ``iprob``; or a dict of document ids to
        relevances. A relevance of 1 or more is relevant; below 0 the document could not be judged.
    retrieved_ids
        The retrieved documents: a file with one id per line, or an iterable of ids.
    run
        In place of these, anything that ``read_run`` takes: its documents for ``query``, cut after
        ``cut_rank`` documents or below ``cut_score``, or all of them.
    query
        The query of the assessments and of the run; required where there are several.
    cut_rank, cut_score
        Where to cut the run: a number of documents, or the minimum score.
    corpus, corpus_size
        The ids of all documents (a file with one per line, or an iterable), or their number.
    strata
        The sheet of sizes for assessments that name their stratum: ``stratum, retrieved,
        population``. The corpus is not required then.

    Returns
    -------
    Sample
        The strata with their counts, as ``recall_interval`` takes them.

    Examples
    --------
    >>> drawn = {"a": 1, "b": 0, "x": 1, "y": 0, "z": -1}
    >>> sample = sampled_strata(drawn, retrieved_ids=["a", "b", "c"], corpus_size=1000)
    >>> [(one.name, one.population, one.sampled, one.relevant, one.assessable) for one in sample]
    [('retrieved', 3, 2, 1, None), ('unretrieved', 997, 3, 1, 2)]
    """
    check_sources(
        retrieved_ids=retrieved_ids,
        run=run,
        cut_rank=cut_rank,
        cut_score=cut_score,
        corpus=corpus,
        corpus_size=corpus_size,
        strata=strata,
    )
    wanted = None if query is None else str(query)
    drawn = read_assessments(assessed, wanted)
    if drawn.has_strata != (strata is not None):
        raise DataError(f"{drawn.name}: {WITHOUT_STRATA if strata else WITHOUT_SIZES}")
    if run is None:
        ours = listed_set(retrieved_ids)
    else:
        ours = cut_run(run, wanted or drawn.query_id, cut_rank, cut_score)
    segments = _segments(drawn, ours, corpus, corpus_size)
    sizes = None if strata is None else read_populations(strata)
    counted = _simple_strata(segments) if sizes is None else _named_strata(segments, sizes)
    return Sample(
        counted,
        system=ours.system,
        topic=drawn.query_id or wanted,
        inputs=(
            InputFile(drawn.name, drawn.fingerprint),
            ours.input,
            *segments.inputs,
            *(sizes.inputs if sizes else ()),
        ),
        notes=(*ours.notes, *_notes(drawn), *_note_of_design(drawn, counted)),
        warnings=(*drawn.warnings, *segments.warnings, *(sizes.warnings if sizes else ())),
    )


@dataclass(frozen=True)
class _Segments:
    """The assessed documents of each segment, and its size where it is known."""

    documents: dict[bool, list[Assessment]]
    sizes: dict[bool, int | None]
    inputs: tuple[InputFile, ...] = ()
    warnings: tuple[str, ...] = ()


def check_sources(
    *,
    retrieved_ids: Any,
    run: Any,
    cut_rank: Any,
    cut_score: Any,
    corpus: Any,
    corpus_size: Any,
    strata: Any,
) -> None:
    """Raise ``ParameterError`` where the retrieved set or the corpus is missing or given twice."""
    if (retrieved_ids is None) == (run is None):
        raise ParameterError("needs retrieved_ids or run: the retrieved documents, given once")
    if run is None and (cut_rank is not None or cut_score is not None):
        raise ParameterError("needs run for cut_rank and cut_score")
    check_cut(cut_rank, cut_score)
    if strata is not None and not isinstance(strata, str | Path):
        raise ParameterError(f"strata must be a file; got {quote(strata)}")
    if corpus is not None and corpus_size is not None:
        raise ParameterError(
            f"corpus takes the place of corpus_size; got both, corpus_size {corpus_size}"
        )
    if corpus is None and corpus_size is None and strata is None:
        raise ParameterError(
            "needs corpus_size or corpus: the number of documents in the corpus, or their ids"
        )
    if corpus_size is not None:
        check_count("corpus_size", corpus_size)


def _segments(
    drawn: Assessments, ours: RetrievedSet, corpus: Any, corpus_size: int | None
) -> _Segments:
    from ..reading.ids import intern_strings

    ids, _ = intern_strings([one.doc_id for one in drawn.documents])
    is_retrieved = ids.numbers_in(ours.documents) >= 0
    if corpus is not None:
        return _listed_segments(drawn, ours, ids, is_retrieved, corpus)
    n_retrieved = len(ours.documents)
    n_named = n_retrieved + int(np.count_nonzero(~is_retrieved))
    if corpus_size is not None and corpus_size < n_named:
        raise DataError(
            f"corpus_size is {corpus_size:,}, but {n_named:,} different documents were retrieved "
            "or assessed"
        )
    outside = None if corpus_size is None else corpus_size - n_retrieved
    return _Segments(_by_side(drawn, is_retrieved), {True: n_retrieved, False: outside})


def _listed_segments(
    drawn: Assessments,
    ours: RetrievedSet,
    ids: Identifiers,
    is_retrieved: NDArray[np.bool_],
    corpus: Any,
) -> _Segments:
    """What the list lacks is no part of the corpus."""
    from ..reading.corpus_list import read_corpus

    listed = read_corpus(corpus)
    in_corpus = ids.numbers_in(listed.documents) >= 0
    retrieved_in_corpus = ours.documents.numbers_in(listed.documents) >= 0
    for found, names, what in (
        (in_corpus, ids, "assessed"),
        (retrieved_in_corpus, ours.documents, "retrieved"),
    ):
        if not found.any():
            raise DataError(
                f"{listed.name} lists none of the {what} documents: {quote(names[0])} is not "
                f"there, {quote(listed.documents[0])} is"
            )
    n_retrieved = int(np.count_nonzero(retrieved_in_corpus))
    return _Segments(
        _by_side(drawn, is_retrieved, in_corpus),
        {True: n_retrieved, False: len(listed.documents) - n_retrieved},
        (InputFile(listed.name, listed.fingerprint),),
        tuple(
            f"{listed.name} lacks {count:,} of {total:,} {what} {_documents(total)}, left out"
            for count, total, what in (
                (int(np.count_nonzero(~in_corpus)), len(ids), "assessed"),
                (len(ours.documents) - n_retrieved, len(ours.documents), "retrieved"),
            )
            if count
        ),
    )


def _by_side(
    drawn: Assessments, is_retrieved: NDArray[np.bool_], kept: NDArray[np.bool_] | None = None
) -> dict[bool, list[Assessment]]:
    sides = is_retrieved.tolist()
    keeps = [True] * len(sides) if kept is None else kept.tolist()
    together = list(zip(drawn.documents, sides, keeps, strict=True))
    return {
        segment: [one for one, side, keep in together if keep and side is segment]
        for segment in SEGMENTS
    }


def _simple_strata(segments: _Segments) -> tuple[Stratum, ...]:
    """A stratum a segment, or one for every inclusion probability in it."""
    strata: list[Stratum] = []
    for side, name in SEGMENTS.items():
        documents, size = segments.documents[side], segments.sizes[side] or 0
        counts = _probabilities(documents)
        if not counts:
            strata.append(_counted(Stratum(name, side, size, 0, 0), documents))
            continue
        for probability, population in stratum_sizes(counts, size, name).items():
            drawn = [one for one in documents if one.iprob == probability]
            shown = f"{name}, iprob {probability}"
            strata.append(_counted(Stratum(shown, side, population, 0, 0), drawn))
    return tuple(strata)


def _probabilities(documents: Sequence[Assessment]) -> dict[Decimal, int]:
    """How many documents have each; of 0.1 and 0.1000 the one that says more is kept."""
    given = [one.iprob for one in documents if one.iprob is not None]
    finest = {p: p for p in sorted(given, key=lambda p: p.as_tuple().exponent, reverse=True)}
    return {finest[p]: n for p, n in Counter(given).items()}


def _named_strata(segments: _Segments, sizes: Sample) -> tuple[Stratum, ...]:
    """The strata of a sheet; a document goes by its stratum's name and its own segment."""
    source = sizes.inputs[0].name
    for side, name in SEGMENTS.items():
        size = segments.sizes[side]
        total = sum(one.population for one in sizes if one.retrieved is side)
        if size is not None and total != size:
            raise DataError(
                f"{source}: the {name} strata have {total:,} documents together, but the segment "
                f"has {size:,}"
            )
    documents: dict[tuple[str | None, bool], list[Assessment]] = {
        (one.name, one.retrieved): [] for one in sizes
    }
    for side, name in SEGMENTS.items():
        for one in segments.documents[side]:
            if (one.stratum, side) not in documents:
                raise DataError(
                    f"{source}: no {name} stratum {quote(one.stratum)}, to which document "
                    f"{quote(one.doc_id)} belongs"
                )
            documents[one.stratum, side].append(one)
    return tuple(_counted(one, documents[one.name, one.retrieved]) for one in sizes)


def _counted(stratum: Stratum, documents: Sequence[Assessment]) -> Stratum:
    """The stratum with what its sample held."""
    if len(documents) > stratum.population:
        raise DataError(
            f"stratum {quote(stratum.name)}: {len(documents):,} assessed documents of a population "
            f"of {stratum.population:,}"
        )
    n_judged = sum(one.relevance >= 0 for one in documents)
    return replace(
        stratum,
        sampled=len(documents),
        relevant=sum(one.relevance >= 1 for one in documents),
        assessable=None if n_judged == len(documents) else n_judged,
    )


def _notes(drawn: Assessments) -> tuple[str, ...]:
    n_unjudged = sum(one.relevance < 0 for one in drawn.documents)
    notes = (
        (
            n_unjudged,
            f"{drawn.name}: {n_unjudged:,} assessed {_documents(n_unjudged)} of negative relevance "
            "could not be judged: sampled, but not assessable",
        ),
        (drawn.n_repeated, f"{drawn.name}: {drawn.n_repeated:,} repeated assessments, merged"),
        (
            drawn.n_others,
            f"{drawn.name}: {drawn.n_others:,} assessments of other queries, left out",
        ),
    )
    return tuple(text for count, text in notes if count)


def _note_of_design(drawn: Assessments, strata: Sequence[Stratum]) -> tuple[str, ...]:
    """How a sample without strata and probabilities is understood; a reader may know better."""
    is_everything = all(one.sampled == one.population for one in strata)
    if drawn.has_strata or is_everything:
        return ()
    if drawn.has_probabilities:
        parts = (f"{one.name}: {one.sampled:,} of {one.population:,}" for one in strata)
        return (f"{drawn.name}: taken as random samples of these strata: {'; '.join(parts)}",)
    inside, outside = strata
    return (
        f"{drawn.name}: taken as one random sample of each segment: {inside.sampled:,} of "
        f"{inside.population:,} retrieved {_documents(inside.population)}{_share(inside)}, "
        f"{outside.sampled:,} of {outside.population:,} others{_share(outside)}",
    )


def _share(stratum: Stratum) -> str:
    if not stratum.population:
        return ""
    share = 100 * stratum.sampled / stratum.population
    return f" ({share:.0f} %)" if share >= 10 else f" ({share:.2g} %)"


def _documents(count: int) -> str:
    return "document" if count == 1 else "documents"


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
        raise DataError(f"{run.name}: {len(run.query_ids):,} queries ({shown}): give one as query")
    if query is not None and query not in run.query_ids:
        raise DataError(f"{run.name}: no documents for query {quote(query)}; there are {shown}")
    return 0 if query is None else run.query_ids.index(query)
