"""Random samples of documents that anyone can draw again, and the comparison with a draw.

A draw belongs to its lists: the retrieved documents and the others. Their digest is the SHA-256 of
the sorted ids, one per line, the retrieved ones first, then an empty line, then the others.
Documents are ordered by the SHA-256 of ``seed:digest:id``, and a sample of n documents of a list
is its first n. So a draw depends on the seed and on the lists only: not on the order of a list, on
a random number generator or on a version of irbounds. With other lists the same seed draws other
documents. A larger sample from the same lists contains the smaller one. A control set is drawn
from the whole corpus as one list, without retrieved documents.

A sheet lists the documents of both segments in the order of their hashes read backwards, so that
an assessor cannot tell which were retrieved.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from hashlib import sha256
from heapq import nsmallest
from typing import TYPE_CHECKING, Any

from ..errors import DataError, quote, quote_several
from ..presentation.phrases import pluralise
from ..results import InputFile
from ..results.drawn_sample import TITLE, Draw, DrawnSample, DrawnSegment

if TYPE_CHECKING:
    from ..reading.assessments import Assessments
    from ..reading.corpus_list import CorpusList
    from ..reading.ids import Identifiers

ANY_SET = (
    "drawn from the whole corpus, so that the draw does not fix the retrieved set: it must not "
    "have been changed after these documents were assessed"
)
ASSESS_ALL = "assess all documents of the draw, no others, or give the line of this sheet's draw"
LABEL_ALL = (
    f"label every retrieved record and, of the others, those of a draw; copy the lines above its "
    f"sheet, which {TITLE} wrote, to the top of the export"
)


def draw_documents(
    listed: Collection[str],
    retrieved: Collection[str],
    seed: int,
    sizes: Mapping[bool | None, int | None],
) -> tuple[Draw, tuple[str, ...]]:
    """Return the draw of the first documents of each segment, and these in the order of a sheet.

    ``sizes`` has the number of documents to draw from the retrieved segment (True), the other one
    (False), or the whole corpus (None). A size of None is the whole segment.
    """
    members = set() if None in sizes else set(retrieved)
    inside = sorted(members.intersection(listed))
    outside = sorted(set(listed) - members)
    digest = sha256("\n".join([*inside, "", *outside, ""]).encode()).hexdigest()

    def order(document: str) -> bytes:
        return sha256(f"{seed}:{digest}:{document}".encode()).digest()

    segments, drawn = [], []
    for kind, size in sizes.items():
        part = inside if kind else outside
        first = nsmallest(len(part) if size is None else size, part, key=order)
        segments.append(DrawnSegment(kind, len(part), len(first)))
        drawn += first
    drawn.sort(key=lambda document: order(document)[::-1])
    return Draw(seed, tuple(segments), digest), tuple(drawn)


def draw_sample(
    population: Any, n: int, seed: int, retrieved_ids: Any = None, retrieved_sample: int | None = 0
) -> DrawnSample:
    """Return ``n`` documents of the population, or of the part of it that was not retrieved.

    A retrieved sample of None is all retrieved documents.
    """
    from ..reading.corpus_list import read_corpus

    sources = [read_corpus(population, what="the population")]
    listed = sources[0].documents.strings()
    retrieved: set[str] = set()
    sizes: dict[bool | None, int | None] = {None: n}
    warnings: tuple[str, ...] = ()
    if retrieved_ids is not None:
        sources.append(read_corpus(retrieved_ids, what="the retrieved documents"))
        sizes = {False: n, True: retrieved_sample}
        retrieved = set(sources[1].documents.strings())
        lacking = retrieved.difference(listed)
        name, many = sources[0].name, f"{len(lacking):,} of {len(retrieved):,} retrieved documents"
        if lacking == retrieved:
            raise DataError(
                f"{name} lists none of the retrieved documents: "
                f"{quote(sources[1].documents[0])} is not there, {quote(listed[0])} is"
            )
        warnings = (f"{name} lacks {many}, left out",) if lacking else ()
    draw, drawn = draw_documents(listed, retrieved, seed, sizes)
    for part, size in zip(draw.segments, sizes.values(), strict=True):
        if size is not None and part.sampled < size:
            raise DataError(
                f"{'retrieved_sample' if part.retrieved else 'n'} is {size:,}, but there are only "
                f"{pluralise(part.population, f'{part.name} document')} to draw from"
            )
    inputs = tuple(InputFile(source.name, source.fingerprint) for source in sources)
    return DrawnSample(draw.seed, draw.segments, draw.lists, inputs, drawn, warnings)


def check_documents(
    assessed: Assessments, retrieved: Identifiers, corpus: CorpusList | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return a note and a warning about the draw of the assessed documents, if there was one.

    Raises
    ------
    DataError
        If the assessed documents are not those of the draw that their sheet records, or if this is
        not a draw from these lists. An export of ASReview has all retrieved documents too.
    """
    name, draw = assessed.name, assessed.draw
    if draw is None and not assessed.is_export:
        return (), ()
    members = set(retrieved.strings())
    expected = members if assessed.is_export else set()
    if draw is not None:
        if corpus is None:
            raise DataError(
                f"{name}: a sheet of {TITLE} needs corpus, the list of ids that it was drawn from"
            )
        sizes = {part.retrieved: part.sampled for part in draw.segments}
        again, drawn = draw_documents(corpus.documents.strings(), members, draw.seed, sizes)
        if again != draw:
            raise DataError(
                f"{name}: drawn from other lists: the sheet has {draw.line}, these lists give "
                f"{again.line}; give the corpus and the retrieved set of the draw, "
                "without the documents that the sample found, which credit_found adds"
            )
        expected = expected.union(drawn)
    wanted = " or ".join(["retrieved"] * assessed.is_export + ["drawn"] * (draw is not None))
    documents = {document.doc_id for document in assessed.documents}
    differences = [
        f"{pluralise(len(ids), 'document')} {words}: {quote_several(sorted(ids))}"
        for ids, words in (
            (expected - documents, f"{wanted} but not assessed"),
            (documents - expected, f"assessed but not {wanted}"),
        )
        if ids
    ]
    if differences:
        remedy = LABEL_ALL if assessed.is_export else ASSESS_ALL
        raise DataError(f"{name}: {'; '.join(differences)}; {remedy}")
    if draw is None:
        return (), ()
    is_any = any(part.retrieved is None for part in draw.segments)
    compared = f"these are the documents of {name}; compare the line with the deposited one"
    note = f"{draw.line} (verified: {compared})"
    return (note,), (f"{name}: {ANY_SET}",) if is_any else ()
