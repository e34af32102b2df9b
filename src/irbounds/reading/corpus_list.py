"""The list of a corpus: the ids of all its documents, one a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, InputError, ParameterError, quote
from ..validation import MAX_DOCUMENTS, check_count
from .columns import fingerprint_of, integer_text
from .error_list import Problems
from .ids import Identifiers, IdentifierTable
from .records import Qrels, Run
from .sources import BLANKS, Source

PIECE = 1 << 20  # bytes of a file, or ids, worked on at once
#: what stands above a column of ids; taken for one more id, it would make the corpus larger by one
HEADINGS = (b"doc_id", b"docid", b"docno", b"document", b"document_id", b"id")


@dataclass(frozen=True, eq=False)
class CorpusList:
    """The ids of all documents, and what they were read from."""

    name: str
    documents: Identifiers
    fingerprint: str


def read_corpus(source: Any, *, what: str = "the corpus") -> CorpusList:
    """Read the ids of all documents.

    Parameters
    ----------
    source
        A file with one id a line, plain or packed, ``-`` for standard input, or an iterable of ids.
        Blank lines and lines that begin with ``#`` do not count.
    what
        What to call ids that come from no file; another set of documents may be read as well.
    """
    if isinstance(source, str | Path):
        with Source(source) as file:
            documents = _gathered(file.name, "line", _lines(file), HEADINGS)
            return CorpusList(file.name, documents, file.fingerprint)
    if isinstance(source, Iterable) and not isinstance(source, bytes | bytearray):
        documents = _gathered(what, "document", _ids(source, what))
        return CorpusList(what, documents, fingerprint_of(documents.text, documents.offsets))
    raise InputError(
        f"{what}: a path or an iterable of ids is expected; got {type(source).__name__}"
    )


def _lines(file: Source) -> Iterator[list[bytes]]:
    """Lines, some at a time; one that does not count is empty."""
    for text in file.lines(PIECE):
        lines = text.removesuffix(b"\n").split(b"\n")
        yield [b"" if line.startswith(b"#") else line.strip() for line in lines]


def _ids(source: Iterable[Any], what: str) -> Iterator[list[bytes]]:
    ids = iter(source)
    while piece := list(islice(ids, PIECE)):
        yield [_id(one, what) for one in piece]


def _id(one: Any, what: str) -> bytes:
    """Text, or an integer as text."""
    text = (one if isinstance(one, str) else integer_text(one)).strip(BLANKS)
    try:
        encoded = text.encode()
    except UnicodeEncodeError:  # half of a pair of surrogates
        encoded = b""
    if not encoded:
        raise InputError(f"{what}: an id is text; got {quote(one)}")
    return encoded


def _gathered(
    name: str, unit: str, pieces: Iterable[list[bytes]], headings: Sequence[bytes] = ()
) -> Identifiers:
    """Distinct ids; every fault of the list is named."""
    problems = Problems(name, unit)
    table = IdentifierTable()
    n_before = n_ids = 0
    for piece in pieces:
        places = [k for k, text in enumerate(piece) if text]
        ids = [piece[k] for k in places]
        if ids and not n_ids and ids[0].lower() in headings:
            shown = f"{quote(ids[0].decode())} looks like a heading; a list of ids has none"
            problems.add(shown, n_before + places[0] + 1)
        for k, text in zip(places, ids, strict=True):
            if len(text.split()) != 1:
                problems.add(
                    f"one document id expected; got {quote(text.decode())}", n_before + k + 1
                )
        codes = _interned(table, ids)
        # a new id has the next number; one that was there before has a lower one
        newest = np.maximum.accumulate(np.concatenate(([n_ids - 1], codes)))
        for k in np.flatnonzero(codes <= newest[:-1]).tolist():
            problems.add(
                f"document {quote(ids[k].decode())} is there twice", n_before + places[k] + 1
            )
        n_ids = int(newest[-1]) + 1
        n_before += len(piece)
    problems.raise_if_any()
    if not n_ids:
        raise InputError(f"{name}: empty: no document id")
    return table.finish()


def _interned(table: IdentifierTable, ids: list[bytes]) -> NDArray[np.int32]:
    ends = np.cumsum(np.fromiter(map(len, ids), dtype=np.int64, count=len(ids)))
    starts = np.concatenate(([0], ends[:-1])) if len(ends) else ends
    return table.intern(np.frombuffer(b"".join(ids), dtype=np.uint8), starts, ends)


# How many documents a corpus holds, and whether judgments and runs fit into it.
#
# Whoever needs the whole corpus is given its size or the list of its ids. Files may name documents
# that a list lacks: these belong to the corpus too, and are counted. A size that is smaller than
# the number of documents named cannot be true.

#: what is said of documents that the list of the corpus lacks, before their number
UNLISTED = (
    "judged or retrieved documents that are not in the list of the corpus; taken to belong to it"
)


def check_corpus_size(corpus_size: Any, corpus: Any) -> int | None:
    """The size of the corpus, None where its list is given; one of the two must be."""
    if (corpus_size is None) == (corpus is None):
        raise ParameterError("needs corpus_size or corpus, the list of its documents; one of them")
    if corpus_size is None:
        return None
    size = check_count("corpus_size", corpus_size)
    if size > MAX_DOCUMENTS:
        raise ParameterError(f"corpus_size must be at most {MAX_DOCUMENTS:,}; got {size:,}")
    return size


def named_documents(
    listed: Identifiers | None, qrels: Qrels, runs: Sequence[Run]
) -> tuple[Identifiers, list[NDArray[np.int32]]]:
    """All documents, listed or named, and the number that each file's documents have among them."""
    table = IdentifierTable()
    known: dict[int, NDArray[np.int32]] = {}  # runs that were made together share their ids
    files = [one.documents for one in (qrels, *runs)]
    for ids in (listed, *files) if listed else files:
        if id(ids) not in known:
            known[id(ids)] = table.intern(ids.text, ids.offsets[:-1], ids.offsets[1:])
    return table.finish(), [known[id(ids)] for ids in files]


def checked_size(corpus: int | Identifiers, n_documents: int, qrels: Qrels) -> int:
    """How many documents the corpus has, where ``n_documents`` are listed or named.

    Raises
    ------
    DataError
        If the corpus is smaller than that, or its list has no judged document.
    """
    if not isinstance(corpus, int):
        _check_list(corpus, qrels)
        return n_documents
    if n_documents > corpus:
        raise DataError(
            f"corpus_size must be at least the {n_documents:,} documents that the judgments and "
            f"runs name; got {corpus:,}"
        )
    return corpus


def _check_list(listed: Identifiers, qrels: Qrels) -> None:
    if (qrels.documents.numbers_in(listed) >= 0).any():
        return
    here, there = (
        ", ".join(repr(ids[k]) for k in range(min(len(ids), 3)))
        for ids in (listed, qrels.documents)
    )
    raise DataError(
        f"no judged document is in the list of the corpus: the list has {here}, ... and the "
        f"judgments {quote(qrels.name)} have {there}, ..."
    )
