"""TREC text: judgments of four columns, runs of six, in any mix of blanks and tabs.

The file is read in pieces of whole lines. Each piece is cut into fields, ids become integers and
numbers become numbers in compiled loops, so that a line costs its packed record and nothing else:
20 bytes of a run's line while it is read, 16 of a judgment's, beside the distinct ids.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, quote
from .columns import Columns, wrong_relevance
from .error_list import SHOWN, LineNumbers, Problems
from .fitting import check_reading_fits
from .ids import Growing, IdentifierTable
from .sources import Source

PIECE = 1 << 20

QRELS_COLUMNS = "query 0 document relevance"
RUN_COLUMNS = "query Q0 document rank score tag"


@dataclass(frozen=True)
class _Piece:
    """One piece of text, cut into fields."""

    buffer: NDArray[np.uint8]
    starts: NDArray[np.int64]  # fields x records
    ends: NDArray[np.int64]
    lines: NDArray[np.int64]

    def field(self, column: int, record: int) -> str:
        return bytes(self.buffer[self.starts[column, record] : self.ends[column, record]]).decode()


def read_run_columns(source: Source) -> Columns:
    """Six columns: query, ignored, document, rank, score, tag."""
    return _read_columns(source, RUN_COLUMNS)


def read_qrels_columns(source: Source) -> Columns:
    """Four columns: query, ignored, document, relevance."""
    return _read_columns(source, QRELS_COLUMNS)


def _read_columns(source: Source, layout: str) -> Columns:
    is_run = layout == RUN_COLUMNS
    problems = Problems(source.name)
    found = _Found()
    n_lines = 0
    for text in source.lines(PIECE):
        piece, n_more = _cut(text, n_lines, layout, problems)
        n_lines += n_more
        found.add_places(piece)
        found.values.append(_scores(piece, problems) if is_run else _relevance(piece, problems))
        if is_run:
            found.ranks.append(_ranks(piece))
        check_reading_fits(source, len(found.docs), found.nbytes)
    problems.raise_if_any()
    if not len(found.docs):
        raise InputError(f"{source.name}: empty: no line with the columns {layout!r}")
    return Columns(
        source=source.name,
        fingerprint=source.fingerprint,
        query_ids=found.query_ids.finish(),
        documents=found.documents.finish(),
        queries=found.queries.finish(),
        docs=found.docs.finish(),
        values=found.values.finish(),
        ranks=found.ranks.finish() if is_run else None,
        lines=found.lines,
    )


class _Found:
    """What was read so far, column by column."""

    def __init__(self) -> None:
        self.query_ids, self.documents = IdentifierTable(in_stretches=True), IdentifierTable()
        self.queries, self.docs = Growing(np.int32), Growing(np.int32)
        self.values, self.ranks = Growing(np.float64), Growing(np.int32)
        self.lines = LineNumbers()

    def add_places(self, piece: _Piece) -> None:
        """Query, document and line of each record."""
        self.queries.append(self.query_ids.intern(piece.buffer, piece.starts[0], piece.ends[0]))
        self.docs.append(self.documents.intern(piece.buffer, piece.starts[2], piece.ends[2]))
        self.lines.append(piece.lines)

    @property
    def nbytes(self) -> int:
        """What is taken so far."""
        parts = (self.query_ids, self.documents, self.queries, self.docs, self.values, self.ranks)
        return sum(part.nbytes for part in parts)


def _cut(text: bytes, n_before: int, layout: str, problems: Problems) -> tuple[_Piece, int]:
    from ._kernels import split_fields

    n_fields = len(layout.split())
    most = len(text) // (2 * n_fields) + 1  # a letter and a blank for each field at least
    buffer = np.frombuffer(bytearray(text), dtype=np.uint8)  # writable, as every kernel's is
    starts = np.empty((n_fields, most), dtype=np.int64)
    ends = np.empty_like(starts)
    lines = np.empty(most, dtype=np.int64)
    bad_lines = np.empty(SHOWN, dtype=np.int64)
    bad_counts = np.empty(SHOWN, dtype=np.int64)
    n, n_lines, n_bad = split_fields(buffer, starts, ends, lines, bad_lines, bad_counts)
    for i in range(min(n_bad, SHOWN)):
        problems.add(_wrong_width(int(bad_counts[i]), layout), n_before + int(bad_lines[i]) + 1)
    problems.add_unnamed(max(n_bad - SHOWN, 0))
    return _Piece(buffer, starts[:, :n], ends[:, :n], lines[:n] + (n_before + 1)), n_lines


def _wrong_width(count: int, layout: str) -> str:
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
        message += "; an id with a blank in it, perhaps"
    return message


def _scores(piece: _Piece, problems: Problems) -> NDArray[np.float64]:
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
            problems.add(_wrong_score(text), int(piece.lines[i]))
    return values


def _wrong_score(text: str) -> str:
    try:
        value = float(text)
    except ValueError:
        return f"score {quote(text)} is not a number"
    if np.isinf(value):
        return f"score {quote(text)} is infinite"
    return f"score {quote(text)} is not a decimal number"


def _relevance(piece: _Piece, problems: Problems) -> NDArray[np.float64]:
    values, wrong = _whole_numbers(piece)
    for i in np.flatnonzero(wrong).tolist():
        problems.add(wrong_relevance(piece.field(3, i)), int(piece.lines[i]))
    return values


def _ranks(piece: _Piece) -> NDArray[np.int32]:
    values, wrong = _whole_numbers(piece)
    return np.where(wrong, -1, values).astype(np.int32)


def _whole_numbers(piece: _Piece) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The fourth column, a rank or a relevance, and where it is no whole number."""
    from ._kernels import parse_integers

    values = np.empty(len(piece.lines), dtype=np.float64)
    status = np.empty(len(piece.lines), dtype=np.uint8)
    parse_integers(piece.buffer, piece.starts[3], piece.ends[3], values, status)
    return values, status != 0
