"""Random samples of documents that anyone can draw again, and the comparison with a draw.

A draw belongs to its lists: the retrieved documents and the others. Their digest is the SHA-256 of
the sorted ids, one per line, the retrieved ones first, then an empty line, then the others.
Documents are ordered by the SHA-256 of ``seed:digest:id``, and a sample of n documents of a list
is its first n. So a larger sample from the same lists contains the smaller one. A control set is
drawn from the whole corpus as one list, without retrieved documents.

A sheet lists the documents of both segments in the order of their hashes read backwards, so that
an assessor cannot tell which were retrieved.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from hashlib import sha256
from heapq import nsmallest
from typing import TYPE_CHECKING, Any

from ..errors import DataError, InputError, quote, quote_several
from ..presentation.phrases import pluralise
from ..reading.corpus_list import read_corpus
from ..results import InputFile
from ..results.drawn_sample import TITLE, DrawnSample

if TYPE_CHECKING:
    from ..reading.assessments import Assessments

COUNTS = re.compile(r" (corpus|unretrieved|retrieved)=([0-9]{1,18})/[0-9]{1,18}")
LINE = re.compile(rf"{TITLE} seed=([0-9]{{1,19}})((?:{COUNTS.pattern})+) lists=[0-9a-f]{{64}}\b")


def draw_documents(
    listed: Collection[str], retrieved: Collection[str], seed: int, sizes: Mapping[str, int]
) -> tuple[str, tuple[str, ...]]:
    """Return the line of a draw, and its documents in the order of a sheet.

    ``sizes`` has the number of documents to draw from each segment: ``retrieved`` and
    ``unretrieved``, or ``corpus``.
    """
    members = set() if "corpus" in sizes else set(retrieved)
    inside = sorted(members.intersection(listed))
    outside = sorted(set(listed) - members)
    digest = sha256("\n".join([*inside, "", *outside, ""]).encode()).hexdigest()

    def order(document: str) -> bytes:
        return sha256(f"{seed}:{digest}:{document}".encode()).digest()

    drawn: list[str] = []
    counts = []
    for segment, size in sizes.items():
        part = inside if segment == "retrieved" else outside
        if size > len(part):
            raise DataError(
                f"{size:,} documents to draw, but there are only "
                f"{pluralise(len(part), f'{segment} document')}"
            )
        drawn += nsmallest(size, part, key=order)
        counts.append(f"{segment}={size}/{len(part)}")
    drawn.sort(key=lambda document: order(document)[::-1])
    return f"{TITLE} seed={seed} {' '.join(counts)} lists={digest}", tuple(drawn)


def draw_sample(
    population: Any, n: int, seed: int, retrieved_ids: Any = None, retrieved_sample: int = 0
) -> DrawnSample:
    """Return ``n`` documents of the population, or of the part of it that was not retrieved."""
    listed = read_corpus(population, what="the population")
    sources, retrieved, sizes = [listed], [], {"corpus": n}
    if retrieved_ids is not None:
        sources.append(read_corpus(retrieved_ids, what="the retrieved documents"))
        retrieved = sources[1].documents.strings()
        sizes = {"unretrieved": n, "retrieved": retrieved_sample}
        if lacking := set(retrieved).difference(listed.documents.strings()):
            raise DataError(
                f"{listed.name} lacks {len(lacking):,} of {len(retrieved):,} retrieved documents, "
                f"such as {quote(min(lacking))}"
            )
    line, drawn = draw_documents(listed.documents.strings(), retrieved, seed, sizes)
    inputs = tuple(InputFile(source.name, source.fingerprint) for source in sources)
    return DrawnSample(line, drawn, inputs)


def check_documents(
    assessed: Assessments, retrieved: Collection[str], corpus: Collection[str] | None
) -> str:
    """Return the line above a drawn sheet; empty without one.

    Raise ``DataError`` if the assessed documents or the lists are not those of the draw.
    """
    name = assessed.name
    line = find_line(name, assessed.comments)
    if not line:
        return ""
    if corpus is None:
        raise DataError(
            f"{name}: a sheet of {TITLE} needs corpus, the list of ids that it was drawn from"
        )
    sizes = {segment: int(size) for segment, size in COUNTS.findall(line)}
    again, drawn = draw_documents(corpus, retrieved, int(re.findall(r"seed=(\d+)", line)[0]), sizes)
    if again != line:
        raise DataError(
            f"{name}: drawn from other lists: the sheet has {line}, these lists give {again}; give "
            "the corpus and the retrieved set of the draw, without the documents that the sample "
            "found, which credit_found adds"
        )
    documents = {document.doc_id for document in assessed.documents}
    for ids, words in (
        (set(drawn) - documents, "drawn but not assessed"),
        (documents.difference(drawn), "assessed but not drawn"),
    ):
        if ids:
            raise DataError(
                f"{name}: {pluralise(len(ids), 'document')} {words}: "
                f"{quote_several(sorted(ids))}; assess all of these documents and no others"
            )
    return line


def find_line(name: str, comments: str) -> str:
    """Return the line of the draw in the comments above a sheet; empty if there is none."""
    match = LINE.search(comments)
    if comments.count(TITLE) != (match is not None):
        raise InputError(
            f"{name}: the line above the table, which {TITLE} wrote, is incomplete or changed; "
            "restore it, or delete it and give up the verification of the draw"
        )
    return match[0] if match else ""
