"""Counts of strata from documents: the corpus, the retrieved set and the assessed documents.

The corpus (a list of ids, or its size) and the retrieved set (a list of ids, or a run that is cut
at a rank or a score) define the two segments. Every assessed document belongs to the sample of its
segment, or of the stratum that its record names, or of the stratum with its inclusion probability.
Impossible counts are an error. Documents that are not in the list of the corpus are left out, and
their number is reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import DataError, ParameterError, quote
from ..presentation.phrases import pluralise
from ..reading.assessments import Assessment, Assessments, read_assessments
from ..reading.corpus_list import read_corpus
from ..reading.strata_sheet import read_populations
from ..results import InputFile, Sample, Stratum
from ..validation import check_count
from .inclusion_probabilities import stratum_sizes
from .random_draw import check_documents

SEGMENTS = {True: "retrieved", False: "unretrieved"}


@dataclass(frozen=True)
class _Retrieved:
    """Retrieved documents, and their source."""

    documents: set[str]
    input: InputFile
    #: the run's name, if it is one
    system: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Segments:
    """The assessed documents of each segment, and its size where it is known."""

    documents: dict[bool, list[Assessment]]
    sizes: dict[bool, int | None]
    #: the list of the corpus
    inputs: tuple[InputFile, ...]
    warnings: tuple[str, ...]
    #: the line of the draw
    line: str


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
    retrieved: tuple[int, int, int] | None = None,
) -> Sample:
    """Count the strata of assessed documents, which must be random samples of their strata.

    Parameters
    ----------
    assessed
        A file: judgments of four columns (each segment has a simple random sample), of five (the
        fifth is the inclusion probability), or a CSV, TSV or ``.xlsx`` file with ``doc_id,
        relevance`` and optionally ``query_id`` and ``stratum`` or ``iprob``, or an export of
        ASReview; or a dict of document ids to relevances. A relevance of 1 or more is relevant;
        below 0 the document could not be judged. Sheets may have yes and no in place of 1 and 0.
    retrieved_ids
        The retrieved documents: a file with one id per line, or an iterable of ids.
    run
        In place of these, anything that ``read_run`` takes: its documents for ``query``, cut after
        ``cut_rank`` documents or below ``cut_score``, or all of them.
    query
        The query of the assessments and of the run; required where there are several.
    cut_rank, cut_score
        Where to cut the run: a number of documents, or the minimum score.
    retrieved
        Documents, read ones and relevant ones of the retrieved set, where it was read in full and
        ``assessed`` is a sample of the rest.
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
    >>> [(part.name, part.population, part.sampled, part.relevant) for part in sample]
    [('retrieved', 3, 2, 1), ('unretrieved', 997, 3, 1)]
    >>> [part.assessable for part in sample]
    [None, 2]
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
    query_id = None if query is None else str(query)
    drawn = read_assessments(assessed, query_id)
    if drawn.has_strata != (strata is not None):
        raise DataError(
            f"{drawn.name}: no column 'stratum', but strata gives the sizes of strata"
            if strata
            else f"{drawn.name}: assessments name their strata; give the sheet of their sizes as "
            "strata"
        )
    if run is None:
        listed = read_corpus(retrieved_ids, what="the retrieved documents")
        file = InputFile(listed.name, listed.fingerprint)
        retrieved_set = _Retrieved(set(listed.documents.strings()), file)
    else:
        retrieved_set = _cut_run(run, query_id or drawn.query_id, cut_rank, cut_score)
    segments = _divide(drawn, retrieved_set.documents, corpus, corpus_size)
    sizes = None if strata is None else read_populations(strata)
    sampled = _count_strata(segments) if sizes is None else _count_named_strata(segments, sizes)
    if retrieved is not None:
        sampled = _take_counts(retrieved, segments, sampled)
    return Sample(
        sampled,
        system=retrieved_set.system,
        topic=drawn.query_id or query_id,
        inputs=(
            InputFile(drawn.name, drawn.fingerprint),
            retrieved_set.input,
            *segments.inputs,
            *(sizes.inputs if sizes else ()),
        ),
        notes=(*retrieved_set.notes, *_notes(drawn, sampled, segments.line)),
        warnings=(*drawn.warnings, *segments.warnings, *(sizes.warnings if sizes else ())),
    )


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
    """Raise ``ParameterError`` unless the retrieved set and the corpus are each given once."""
    if (retrieved_ids is None) == (run is None):
        raise ParameterError("needs retrieved_ids or run: the retrieved documents, given once")
    if run is None and (cut_rank is not None or cut_score is not None):
        raise ParameterError("needs run for cut_rank and cut_score")
    if cut_rank is not None and cut_score is not None:
        raise ParameterError(
            f"cut_rank and cut_score: give one of them; got {cut_rank} and {cut_score}"
        )
    if cut_rank is not None:
        check_count("cut_rank", cut_rank)
    if cut_score is not None and not np.isfinite(cut_score):
        raise ParameterError(f"cut_score must be a finite number; got {quote(cut_score)}")
    if strata is not None and not isinstance(strata, str | Path):
        raise ParameterError(f"strata must be a file; got {quote(strata)}")
    if corpus is not None and corpus_size is not None:
        raise ParameterError(
            f"corpus and corpus_size: give one of them; got both, corpus_size {corpus_size}"
        )
    if corpus is None and corpus_size is None and strata is None:
        raise ParameterError(
            "needs corpus_size or corpus: the number of documents in the corpus, or their ids"
        )
    if corpus_size is not None:
        check_count("corpus_size", corpus_size)


def _cut_run(
    source: Any, query: str | None, cut_rank: int | None, cut_score: float | None
) -> _Retrieved:
    """Return the first documents of a run for a query, those from a score on, or all."""
    from ..reading.qrels_and_runs import read_run

    run = read_run(source)
    examples = ", ".join(map(quote, run.query_ids[:3])) + (" ..." if len(run.query_ids) > 3 else "")
    if query is None and len(run.query_ids) > 1:
        raise DataError(
            f"{run.name}: {len(run.query_ids):,} queries ({examples}): select one with query"
        )
    if query is not None and query not in run.query_ids:
        raise DataError(f"{run.name}: no documents for query {quote(query)}; there are {examples}")
    place = 0 if query is None else run.query_ids.index(query)
    begin, end = run.bounds[place : place + 2].tolist()
    docs = run.docs[begin:end]
    cut = "not cut"
    if cut_rank is not None:
        docs, cut = docs[:cut_rank], f"cut after {cut_rank:,}"
    elif cut_score is not None:
        docs = docs[run.scores[begin:end] >= cut_score]
        cut = f"cut below a score of {cut_score:g}"
    name = run.query_ids[place]
    if not len(docs):
        raise DataError(f"{run.name}: no document for query {quote(name)} is left, {cut}")
    note = f"{run.name}: {len(docs):,} of {end - begin:,} documents for query {name}, {cut}"
    documents = {run.documents[number] for number in docs.tolist()}
    return _Retrieved(documents, InputFile(run.name, run.fingerprint), run.name, (note,))


def _divide(
    drawn: Assessments, retrieved: set[str], corpus: Any, corpus_size: int | None
) -> _Segments:
    """Return the segments; documents that the list of the corpus lacks are left out."""
    listed = None if corpus is None else read_corpus(corpus)
    members = None if listed is None else set(listed.documents.strings())
    line = check_documents(drawn, retrieved, members)
    warnings = []
    if " corpus=" in line:
        warnings.append(
            f"{drawn.name}: drawn from the whole corpus, so that the draw does not fix the "
            "retrieved set: it must not have been changed after the assessment"
        )
    documents = list(drawn.documents)
    n_retrieved = len(retrieved)
    outside = None if corpus_size is None else corpus_size - n_retrieved
    if listed is not None and members is not None:
        assessed = {document.doc_id for document in documents}
        for ids, kind in ((assessed, "assessed"), (retrieved, "retrieved")):
            lacking = ids - members
            if lacking == ids:
                raise DataError(
                    f"{listed.name} lists none of the {kind} documents: {quote(min(ids))} is not "
                    f"there, {quote(listed.documents[0])} is"
                )
            if lacking:
                many = f"{len(lacking):,} of {pluralise(len(ids), f'{kind} document')}"
                warnings.append(f"{listed.name} lacks {many}, left out")
        documents = [document for document in documents if document.doc_id in members]
        n_retrieved = len(retrieved & members)
        outside = len(members) - n_retrieved
    by_segment = {
        side: [document for document in documents if (document.doc_id in retrieved) is side]
        for side in SEGMENTS
    }
    if corpus_size is not None and corpus_size < n_retrieved + len(by_segment[False]):
        raise DataError(
            f"corpus_size is {corpus_size:,}, but {n_retrieved + len(by_segment[False]):,} "
            "different documents were retrieved or assessed"
        )
    return _Segments(
        by_segment,
        {True: n_retrieved, False: outside},
        () if listed is None else (InputFile(listed.name, listed.fingerprint),),
        tuple(warnings),
        line,
    )


def _count_strata(segments: _Segments) -> tuple[Stratum, ...]:
    """Return one stratum per segment, or one per inclusion probability in it."""
    strata: list[Stratum] = []
    for side, name in SEGMENTS.items():
        documents, size = segments.documents[side], segments.sizes[side] or 0
        counts = _count_probabilities(documents)
        if not counts:
            strata.append(_count_sample(Stratum(name, side, size, 0, 0), documents))
            continue
        for probability, population in stratum_sizes(counts, size, name).items():
            drawn = [document for document in documents if document.iprob == probability]
            stratum = Stratum(f"{name}, iprob {probability}", side, population, 0, 0)
            strata.append(_count_sample(stratum, drawn))
    return tuple(strata)


def _count_probabilities(documents: Sequence[Assessment]) -> dict[Decimal, int]:
    """Return the number of documents per probability; 0.1 and 0.1000 are counted as 0.1000."""
    values = [document.iprob for document in documents if document.iprob is not None]
    finest = {p: p for p in sorted(values, key=lambda p: p.as_tuple().exponent, reverse=True)}
    return {finest[p]: n for p, n in Counter(values).items()}


def _count_named_strata(segments: _Segments, sizes: Sample) -> tuple[Stratum, ...]:
    """Return the strata of a sheet, with documents assigned by stratum name and segment."""
    source = sizes.inputs[0].name
    documents: dict[tuple[str | None, bool], list[Assessment]] = {
        (stratum.name, stratum.retrieved): [] for stratum in sizes
    }
    for side, name in SEGMENTS.items():
        size = segments.sizes[side]
        total = sum(stratum.population for stratum in sizes if stratum.retrieved is side)
        if size is not None and total != size:
            raise DataError(
                f"{source}: the {name} strata have {total:,} documents together, but the segment "
                f"has {size:,}"
            )
        for document in segments.documents[side]:
            if (document.stratum, side) not in documents:
                raise DataError(
                    f"{source}: no {name} stratum {quote(document.stratum)}, to which document "
                    f"{quote(document.doc_id)} belongs"
                )
            documents[document.stratum, side].append(document)
    return tuple(
        _count_sample(stratum, documents[stratum.name, stratum.retrieved]) for stratum in sizes
    )


def _count_sample(stratum: Stratum, documents: Sequence[Assessment]) -> Stratum:
    """Return the stratum with the counts of its sample."""
    if len(documents) > stratum.population:
        raise DataError(
            f"stratum {quote(stratum.name)}: {len(documents):,} assessed documents of a population "
            f"of {stratum.population:,}"
        )
    n_judged = sum(document.relevance >= 0 for document in documents)
    return replace(
        stratum,
        sampled=len(documents),
        relevant=sum(document.relevance >= 1 for document in documents),
        assessable=None if n_judged == len(documents) else n_judged,
    )


def _take_counts(
    counts: tuple[int, int, int], segments: _Segments, strata: Sequence[Stratum]
) -> tuple[Stratum, ...]:
    """Return the strata with these counts of the retrieved segment, which was read in full.

    Retrieved documents of the sheet, as those of a control set, are among the documents read.
    """
    read = Stratum("retrieved", True, *counts)
    if read.population != segments.sizes[True]:
        raise DataError(
            f"retrieved has {read.population:,} documents, but {segments.sizes[True]:,} were "
            "retrieved; give the counts of the same set"
        )
    if read.sampled != read.population:
        raise DataError(
            f"retrieved has {read.sampled:,} sampled of {read.population:,} documents; with "
            "assessed it is for a set that was read in full"
        )
    for contradiction in read.contradictions():
        raise DataError(f"retrieved: {contradiction}")
    on_sheet = [document.relevance for document in segments.documents[True]]
    n_relevant = sum(relevance >= 1 for relevance in on_sheet)
    n_others = sum(relevance == 0 for relevance in on_sheet)
    if n_relevant > read.relevant or n_others > read.irrelevant:
        raise DataError(
            f"retrieved has {read.relevant:,} relevant documents of {read.population:,}, but "
            f"{n_relevant:,} relevant and {n_others:,} other retrieved ones are assessed"
        )
    return read, *(stratum for stratum in strata if not stratum.retrieved)


def _notes(drawn: Assessments, strata: Sequence[Stratum], line: str) -> tuple[str, ...]:
    """Return the line of the draw or the assumed design, and assessments that were not used."""
    parts = "; ".join(
        f"{stratum.sampled:,} of {stratum.population:,} {stratum.name}"
        for stratum in strata
        if stratum.sampled < stratum.population
    )
    design = f"{drawn.name}: taken as random samples: {parts}" if parts else ""
    repeated = f"{pluralise(drawn.n_repeated, 'repeated assessment')}, merged"
    others = f"{pluralise(drawn.n_others, 'assessment')} of other queries, left out"
    notes = (
        f"{line} (verified: compare this line with the deposited one)" if line else "",
        "" if line or drawn.has_strata else design,
        f"{drawn.name}: {repeated}" if drawn.n_repeated else "",
        f"{drawn.name}: {others}" if drawn.n_others else "",
    )
    return tuple(filter(None, notes))
