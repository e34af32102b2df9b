"""The documents of a corpus: the list of their ids, or only their number.

Methods that need the whole corpus take its size or the list of its ids. Judgments and runs may name
documents that a list lacks. These belong to the corpus too, and are counted. A size that is smaller
than the number of documents named is an error.
"""

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
from .ids import Identifiers, IdentifierTable
from .records import Qrels, Run
from .sources import WHITE_SPACE, Source

PIECE = 1 << 20  # bytes of a file, or ids, that are processed at once
#: headings of a column of ids; read as an id, one would make the corpus larger by one document
HEADINGS = (b"doc_id", b"docid", b"docno", b"document", b"document_id", b"id")


@dataclass(frozen=True, eq=False)
class CorpusList:
    """The ids of all documents, and the name and fingerprint of their source."""

    name: str
    documents: Identifiers
    fingerprint: str


def read_corpus(source: Any, *, what: str = "the corpus") -> CorpusList:
    """Read the ids of all documents.

    Parameters
    ----------
    source
        A file with one id per line, plain or compressed, ``-`` for standard input, or an iterable
        of ids. Empty lines are ignored; an id may begin with ``#``.
    what
        The name in errors of ids that are not in a file; other sets of documents are read, too.

    Returns
    -------
    CorpusList
        The ids, which are distinct.
    """
    if isinstance(source, str | Path):
        with Source(source) as file:
            pieces = (
                [line.strip() for line in text.removesuffix(b"\n").split(b"\n")]
                for text in file.lines(PIECE)
            )
            documents = _collect_ids(file.name, "line", pieces, HEADINGS)
            return CorpusList(file.name, documents, file.fingerprint)
    if isinstance(source, Iterable) and not isinstance(source, bytes | bytearray):
        documents = _collect_ids(what, "document", _encode_ids(source, what))
        return CorpusList(what, documents, fingerprint_of(documents.text, documents.offsets))
    raise InputError(
        f"{what}: a path or an iterable of ids is expected; got {type(source).__name__}"
    )


def _encode_ids(source: Iterable[Any], what: str) -> Iterator[list[bytes]]:
    ids = iter(source)
    while piece := list(islice(ids, PIECE)):
        yield [_encode_id(value, what) for value in piece]


def _encode_id(value: Any, what: str) -> bytes:
    """Return text, or an integer as text, in UTF-8."""
    text = (value if isinstance(value, str) else integer_text(value)).strip(WHITE_SPACE)
    try:
        encoded = text.encode()
    except UnicodeEncodeError:  # half of a pair of surrogates
        encoded = b""
    if not encoded:
        raise InputError(f"{what}: an id is text; got {quote(value)}")
    return encoded


def _collect_ids(
    name: str, unit: str, pieces: Iterable[list[bytes]], headings: Sequence[bytes] = ()
) -> Identifiers:
    """Return distinct ids; raise ``InputError`` for the first error of the list."""
    table = IdentifierTable()
    n_before = n_ids = 0
    for piece in pieces:
        places = [k for k, text in enumerate(piece) if text]
        ids = [piece[k] for k in places]

        def make_error(k: int, message: str) -> InputError:
            return InputError(f"{name}: {unit} {n_before + places[k] + 1}: {message}")  # noqa: B023

        if ids and not n_ids and ids[0].lower() in headings:
            word = quote(ids[0].decode())
            raise make_error(0, f"{word} looks like a heading; a list of ids has none")
        for k, text in enumerate(ids):
            if len(text.split()) != 1:
                raise make_error(k, f"one document id expected; got {quote(text.decode())}")
        # a new id has the next number
        repeated = np.flatnonzero(_intern(table, ids) != n_ids + np.arange(len(ids)))
        if len(repeated):
            k = int(repeated[0])
            raise make_error(k, f"document {quote(ids[k].decode())} is there twice")
        n_ids += len(ids)
        n_before += len(piece)
    if not n_ids:
        raise InputError(f"{name}: empty: no document id")
    return table.finish()


def _intern(table: IdentifierTable, ids: list[bytes]) -> NDArray[np.int32]:
    ends = np.cumsum(np.fromiter(map(len, ids), dtype=np.int64, count=len(ids)))
    starts = np.concatenate(([0], ends[:-1])) if len(ends) else ends
    return table.intern(np.frombuffer(bytearray().join(ids), dtype=np.uint8), starts, ends)


#: the warning about documents that the list of the corpus lacks, before their number
UNLISTED = (
    "judged or retrieved documents that are not in the list of the corpus; taken to belong to it"
)


def check_corpus_size(corpus_size: Any, corpus: Any) -> int | None:
    """Return the size of the corpus, None if its list is given; raise unless one of the two is."""
    if (corpus_size is None) == (corpus is None):
        raise ParameterError("needs either corpus_size or corpus, the list of its documents")
    if corpus_size is None:
        return None
    size = check_count("corpus_size", corpus_size)
    if size > MAX_DOCUMENTS:
        raise ParameterError(f"corpus_size must be at most {MAX_DOCUMENTS:,}; got {size:,}")
    return size


def number_documents(
    listed: Identifiers | None, qrels: Qrels, runs: Sequence[Run]
) -> tuple[Identifiers, list[NDArray[np.int32]]]:
    """Return all documents, and the number that each file's documents have among them.

    All documents are those in the list of the corpus and those in the judgments and runs.
    """
    table = IdentifierTable()
    known: dict[int, NDArray[np.int32]] = {}  # simulated runs share their ids
    files = [records.documents for records in (qrels, *runs)]
    for ids in (listed, *files) if listed else files:
        if id(ids) not in known:
            known[id(ids)] = table.intern(ids.text, ids.offsets[:-1], ids.offsets[1:])
    return table.finish(), [known[id(ids)] for ids in files]


def find_corpus_size(corpus: int | Identifiers, n_documents: int, qrels: Qrels) -> int:
    """Return the number of documents in the corpus, of which files name ``n_documents``.

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
    """Raise ``DataError`` if no judged document is in the list."""
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
