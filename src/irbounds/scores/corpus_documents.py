"""How many documents a corpus holds, and whether judgments and runs fit into it.

Whoever needs the whole corpus is given its size or the list of its ids. Files may name documents
that a list lacks: these belong to the corpus too, and are counted. A size that is smaller than the
number of documents named cannot be true.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, ParameterError, quote
from ..parameters import MOST_DOCUMENTS, check_count
from ..reading.identifiers import Identifiers, IdentifierTable
from ..reading.records import Qrels, Run

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
    if size > MOST_DOCUMENTS:
        raise ParameterError(f"corpus_size must be at most {MOST_DOCUMENTS:,}; got {size:,}")
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
