"""TREC text: judgments of four columns and runs of six, separated by any mix of spaces and tabs.

A file is read in pieces of complete lines. Kernels cut each piece into fields, number the ids and
parse the numbers. So a line takes only its record: 20 bytes per line of a run while it is read and
16 per judgment, in addition to the distinct ids.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, quote
from .columns import Columns, describe_wrong_relevance
from .error_list import MAX_NAMED, ErrorList, LineNumbers
from .ids import GrowableArray, IdentifierTable
from .sources import Source

PIECE = 1 << 20

QRELS_COLUMNS = "query 0 document relevance"
RUN_COLUMNS = "query Q0 document rank score tag"


@dataclass(frozen=True)
class _Piece:
    """A piece of text, cut into fields."""

    buffer: NDArray[np.uint8]
    starts: NDArray[np.int64]  # fields x records
    ends: NDArray[np.int64]
    lines: NDArray[np.int64]

    def field(self, column: int, record: int) -> str:
        return bytes(self.buffer[self.starts[column, record] : self.ends[column, record]]).decode()


def read_run_columns(source: Source) -> Columns:
    """Read a run of six columns: query, ignored, document, rank, score, tag."""
    return _read_columns(source, RUN_COLUMNS)


def read_qrels_columns(source: Source) -> Columns:
    """Read judgments of four columns: query, ignored, document, relevance."""
    return _read_columns(source, QRELS_COLUMNS)


def _read_columns(source: Source, layout: str) -> Columns:
    is_run = layout == RUN_COLUMNS
    errors = ErrorList(source.name)
    records = _RecordsSoFar()
    n_lines = 0
    for text in source.lines(PIECE):
        piece, n_more = _cut(text, n_lines, layout, errors)
        n_lines += n_more
        records.add_ids(piece)
        values = _parse_scores(piece, errors) if is_run else _parse_relevance(piece, errors)
        records.values.append(values)
        if is_run:
            records.ranks.append(_parse_ranks(piece))
    errors.raise_if_any()
    if not len(records.docs):
        raise InputError(f"{source.name}: empty: no line with the columns {layout!r}")
    return Columns(
        source=source.name,
        fingerprint=source.fingerprint,
        query_ids=records.query_ids.finish(),
        documents=records.documents.finish(),
        queries=records.queries.finish(),
        docs=records.docs.finish(),
        values=records.values.finish(),
        ranks=records.ranks.finish() if is_run else None,
        lines=records.lines,
    )


class _RecordsSoFar:
    """The records of the pieces that have been read, column by column."""

    def __init__(self) -> None:
        self.query_ids, self.documents = IdentifierTable(is_grouped=True), IdentifierTable()
        self.queries, self.docs = GrowableArray(np.int32), GrowableArray(np.int32)
        self.values, self.ranks = GrowableArray(np.float64), GrowableArray(np.int32)
        self.lines = LineNumbers()

    def add_ids(self, piece: _Piece) -> None:
        """Add the query, the document and the line of each record."""
        self.queries.append(self.query_ids.intern(piece.buffer, piece.starts[0], piece.ends[0]))
        self.docs.append(self.documents.intern(piece.buffer, piece.starts[2], piece.ends[2]))
        self.lines.append(piece.lines)


def _cut(text: bytes, n_before: int, layout: str, errors: ErrorList) -> tuple[_Piece, int]:
    """Return the fields of a piece that follows ``n_before`` lines, and its number of lines."""
    from ._kernels import split_fields

    n_fields = len(layout.split())
    max_records = len(text) // (2 * n_fields) + 1  # a field has a character and a separator
    buffer = np.frombuffer(bytearray(text), dtype=np.uint8)  # writable: one compilation for all
    starts = np.empty((n_fields, max_records), dtype=np.int64)
    ends = np.empty_like(starts)
    lines = np.empty(max_records, dtype=np.int64)
    bad_lines = np.empty(MAX_NAMED, dtype=np.int64)
    bad_counts = np.empty(MAX_NAMED, dtype=np.int64)
    n, n_lines, n_bad = split_fields(buffer, starts, ends, lines, bad_lines, bad_counts)
    for i in range(min(n_bad, MAX_NAMED)):
        message = _describe_wrong_width(int(bad_counts[i]), layout)
        errors.add(message, n_before + int(bad_lines[i]) + 1)
    errors.count_more(max(n_bad - MAX_NAMED, 0))
    return _Piece(buffer, starts[:, :n], ends[:, :n], lines[:n] + (n_before + 1)), n_lines


def _describe_wrong_width(count: int, layout: str) -> str:
    """Return the error message for a line with another number of columns than expected."""
    expected = len(layout.split())
    message = f"{count} columns where {expected} are expected ({layout})"
    if layout == QRELS_COLUMNS and count == 5:
        message += (
            "; five look like sampled assessments with inclusion probabilities (Legal Track), "
            "from which irbounds recall --assessed FILE estimates recall; runs cannot be scored "
            "with them"
        )
    elif count == len((RUN_COLUMNS if layout == QRELS_COLUMNS else QRELS_COLUMNS).split()):
        message += "; are judgments and run swapped?"
    elif count > expected:
        message += "; perhaps an id contains a space"
    return message


def _parse_scores(piece: _Piece, errors: ErrorList) -> NDArray[np.float64]:
    from ._kernels import HARD, parse_floats

    values = np.empty(len(piece.lines), dtype=np.float64)
    status = np.empty(len(piece.lines), dtype=np.uint8)
    if parse_floats(piece.buffer, piece.starts[4], piece.ends[4], values, status):
        for i in np.flatnonzero(status).tolist():
            text = piece.field(4, i)
            if status[i] == HARD:
                values[i] = float(text)
                if np.isfinite(values[i]):
                    continue
            errors.add(_describe_wrong_score(text), int(piece.lines[i]))
    return values


def _describe_wrong_score(text: str) -> str:
    try:
        value = float(text)
    except ValueError:
        return f"score {quote(text)} is not a number"
    if np.isinf(value):
        return f"score {quote(text)} is infinite"
    return f"score {quote(text)} is not a decimal number"


def _parse_relevance(piece: _Piece, errors: ErrorList) -> NDArray[np.float64]:
    values, is_wrong = _parse_integers(piece)
    for i in np.flatnonzero(is_wrong).tolist():
        errors.add(describe_wrong_relevance(piece.field(3, i)), int(piece.lines[i]))
    return values


def _parse_ranks(piece: _Piece) -> NDArray[np.int32]:
    values, is_wrong = _parse_integers(piece)
    return np.where(is_wrong, -1, values).astype(np.int32)


def _parse_integers(piece: _Piece) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the fourth column, a rank or a relevance, and where it is not an integer."""
    from ._kernels import parse_integers

    values = np.empty(len(piece.lines), dtype=np.float64)
    status = np.empty(len(piece.lines), dtype=np.uint8)
    parse_integers(piece.buffer, piece.starts[3], piece.ends[3], values, status)
    return values, status != 0
