"""Counts of strata from documents: the corpus, the retrieved set and the assessed documents.

The corpus (a list of ids, or its size) and the list of the retrieved set define the two segments.
Every assessed document belongs to the sample of its segment, or of the stratum that its record
names, or of the stratum with its inclusion probability. Impossible counts are an error. Documents
that are not in the list of the corpus are left out, and their number is reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from ..errors import DataError, quote
from ..presentation.phrases import pluralise
from ..reading.assessments import Assessment, Assessments, read_assessments
from ..reading.corpus_list import read_corpus
from ..reading.strata_sheet import read_populations
from ..results import InputFile, Stratum
from ..results.samples import Sample
from .inclusion_probabilities import stratum_sizes
from .random_draw import check_documents

SEGMENTS = {True: "retrieved", False: "unretrieved"}


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


def count_documents(
    assessed: Any,
    retrieved_ids: Any,
    *,
    query: str | None = None,
    corpus: Any = None,
    corpus_size: int | None = None,
    strata: str | Path | None = None,
    retrieved: tuple[int, int, int] | None = None,
) -> Sample:
    """Return the counts of assessed documents, which must be random samples of their strata.

    ``strata`` is the sheet of sizes for assessments that name their stratum. ``retrieved`` has the
    documents, read ones and relevant ones of a retrieved set that was read in full, where
    ``assessed`` is a sample of the rest.
    """
    drawn = read_assessments(assessed, query)
    if drawn.has_strata != (strata is not None):
        raise DataError(
            f"{drawn.name}: no column 'stratum', but strata gives the sizes of strata"
            if strata
            else f"{drawn.name}: assessments name their strata; give the sheet of their sizes as "
            "strata"
        )
    listed = read_corpus(retrieved_ids, what="the retrieved documents")
    segments = _divide(drawn, set(listed.documents.strings()), corpus, corpus_size)
    sizes = None if strata is None else read_populations(strata)
    counted = _count_strata(segments) if sizes is None else _count_named_strata(segments, sizes)
    if retrieved is not None:
        counted = (_check_read(retrieved, segments), *(c for c in counted if not c.retrieved))
    return Sample(
        counted,
        (
            InputFile(drawn.name, drawn.fingerprint),
            InputFile(listed.name, listed.fingerprint),
            *segments.inputs,
            *(sizes.inputs if sizes else ()),
        ),
        _describe(drawn, counted, segments.line),
        (*drawn.warnings, *segments.warnings, *(sizes.warnings if sizes else ())),
    )


def _divide(
    drawn: Assessments, retrieved: set[str], corpus: Any, corpus_size: int | None
) -> _Segments:
    """Return the segments; documents that the list of the corpus lacks are left out."""
    listed = None if corpus is None else read_corpus(corpus)
    members = None if listed is None else set(listed.documents.strings())
    line = check_documents(drawn, retrieved, members)
    warnings = []
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
        values = [document.iprob for document in documents if document.iprob is not None]
        if not values:
            strata.append(_count_sample(Stratum(name, side, size, 0, 0), documents))
            continue
        # 0.1 and 0.1000 are counted as 0.1000
        finest = {p: p for p in sorted(values, key=lambda p: p.as_tuple().exponent, reverse=True)}
        counts: dict[Decimal, int] = {finest[p]: n for p, n in Counter(values).items()}
        for probability, population in stratum_sizes(counts, size, name).items():
            drawn = [document for document in documents if document.iprob == probability]
            stratum = Stratum(f"{name}, iprob {probability}", side, population, 0, 0)
            strata.append(_count_sample(stratum, drawn))
    return tuple(strata)


def _count_named_strata(segments: _Segments, sizes: Sample) -> tuple[Stratum, ...]:
    """Return the strata of a sheet, with documents assigned by stratum name and segment."""
    source = sizes.inputs[0].name
    documents: dict[tuple[str | None, bool], list[Assessment]] = {
        (stratum.name, stratum.retrieved): [] for stratum in sizes.strata
    }
    for side, name in SEGMENTS.items():
        size = segments.sizes[side]
        total = sum(stratum.population for stratum in sizes.strata if stratum.retrieved is side)
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
        _count_sample(stratum, documents[stratum.name, stratum.retrieved])
        for stratum in sizes.strata
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


def _check_read(counts: tuple[int, int, int], segments: _Segments) -> Stratum:
    """Return the stratum of a retrieved set that was read in full.

    Retrieved documents among the assessed ones are among the documents read.
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
    if contradiction := read.find_contradiction():
        raise DataError(f"retrieved: {contradiction}")
    relevances = [document.relevance for document in segments.documents[True]]
    n_relevant = sum(relevance >= 1 for relevance in relevances)
    n_others = sum(relevance == 0 for relevance in relevances)
    if n_relevant > read.relevant or n_others > read.irrelevant:
        raise DataError(
            f"retrieved has {read.relevant:,} relevant documents of {read.population:,}, but "
            f"{n_relevant:,} relevant and {n_others:,} other retrieved ones are assessed"
        )
    return read


def _describe(drawn: Assessments, strata: Sequence[Stratum], line: str) -> tuple[str, ...]:
    """Return the line of the draw or the assumed design, and assessments that were not used."""
    parts = "; ".join(
        f"{stratum.sampled:,} of {stratum.population:,} {stratum.name}"
        for stratum in strata
        if stratum.sampled < stratum.population
    )
    notes = [f"{line} (verified: compare this line with the deposited one)"] if line else []
    if parts and not line and not drawn.has_strata:
        notes.append(f"{drawn.name}: taken as random samples: {parts}")
    if drawn.n_repeated:
        repeated = pluralise(drawn.n_repeated, "repeated assessment")
        notes.append(f"{drawn.name}: {repeated}, merged")
    if drawn.n_others:
        others = pluralise(drawn.n_others, "assessment")
        notes.append(f"{drawn.name}: {others} of other queries, left out")
    return tuple(notes)
