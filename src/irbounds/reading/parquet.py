"""Parquet files: their layout, all of their rows, or a stretch of rows.

The layout (rows, columns and pages, as the footer and the page headers state them) is checked
before a file is read. polars trusts these numbers: a negative count of values in a damaged file
makes it request more memory than any machine has, which ends the process. So the numbers are
compared with each other and with the size of the file. Every page has to be within its file, and
the pages of a column have to hold the values that the footer counts. The contents of pages are not
checked. A file that is too large is refused before it is read.

For a stretch of rows, polars skips the row groups that it does not need. So a stretch takes memory
for itself and for one compressed row group. In files of common tools, a row group has some hundred
thousand to a million rows.

Footer and page headers are in Thrift's compact protocol, of which the part that Parquet uses is
implemented here.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from ..errors import InputError
from .sources import CELL, Source

PANIC = "PanicException"
VALUE = 16  # bytes of a text in a column of polars; a number has at most as many
#: programs that read a file as a test: its bytes, or stretches of the file that is named
READ_ALL = "import sys, polars; polars.read_parquet(sys.stdin.buffer.read())"
READ_STRETCHES = """
import sys, polars
rows = polars.scan_parquet(sys.stdin.buffer.read().decode(), glob=False, hive_partitioning=False)
for begin in range(0, rows.select(polars.len()).collect().item(), 1 << 18):
    rows.slice(begin, 1 << 18).collect()
"""
BEGINNINGS = (b"PAR1", b"PARE")  # the second where the footer is encrypted


def read_parquet(data: bytes, source: Source, used: Collection[str] | None = None) -> Any:
    """Return a file's rows as a polars frame, if they and their Python values fit into memory.

    ``used`` are names, in lower case, of columns that become Python values; by default all do.
    """
    import polars as pl

    with _read_errors(source.name):
        layout = read_layout(BytesIO(data))
        columns = pl.read_parquet_schema(BytesIO(data))
        n_used = sum(_is_used(column, used) for column in columns)
        rows = f"{layout.n_rows:,} rows of Parquet"
        as_values = CELL * n_used * layout.n_rows
        source.check_memory(rows, 0, layout.n_bytes + VALUE * layout.n_values + as_values)
        if layout.has_deltas:
            _try_in_subprocess(READ_ALL, data)
        frame = pl.read_parquet(BytesIO(data))
        # equal texts are stored once, and become one Python object per row
        texts = frame.select(pl.col(pl.String, pl.Categorical, pl.Enum).cast(pl.String))
        lengths = [int(text.str.len_bytes().sum()) for text in texts if _is_used(text.name, used)]
        source.check_memory(rows, 0, 2 * sum(lengths) + as_values)
    return frame


def _is_used(column: str, used: Collection[str] | None) -> bool:
    return used is None or column.lower() in used


def columns_and_layout(path: str) -> tuple[dict[str, Any], Layout]:
    """Return the columns of a file with their types, and its layout."""
    with _read_errors(path):
        _check_beginning(path)
        with Path(path).open("rb") as opened:
            layout = read_layout(opened)
        return dict(_scan(path).collect_schema()), layout


def read_rows_of(path: str, columns: Sequence[str], begin: int, end: int, name: str) -> Any:
    """Return a frame of some columns and the rows from ``begin`` up to ``end``.

    Errors call the file ``name``.
    """
    with _read_errors(name):
        frame = _scan(path).select(columns).slice(begin, end - begin).collect()
    if len(frame) != end - begin:
        raise InputError(f"{name}: the file changed while it was read")
    return frame


def check_stretches(path: str, layout: Layout) -> None:
    """Raise ``InputError`` if reading the file stretch by stretch would end the process."""
    if layout.has_deltas:
        with _read_errors(path):
            _try_in_subprocess(READ_STRETCHES, str(Path(path).absolute()).encode())


def file_fingerprint(path: str) -> str:
    """Return the SHA-256 of a file, which is what ``sha256sum FILE`` prints."""
    with _read_errors(path), Path(path).open("rb") as opened:
        return f"sha256:{hashlib.file_digest(opened, 'sha256').hexdigest()}"


def _try_in_subprocess(script: str, data: bytes) -> None:
    """Raise ``LayoutError`` if reading a file ends a separate process.

    In delta encodings, sizes are within the pages and not in the layout, and polars requests as
    much memory as they say. Such files are rare, and the test takes half a second.
    """
    if not sys.executable or getattr(sys, "frozen", False):
        return
    with suppress(OSError):
        process = subprocess.run(
            [sys.executable, "-c", script], input=data, capture_output=True, check=False
        )
        if process.returncode not in (0, 1):  # 1 is an error that will be raised here as well
            raise LayoutError("damaged: reading it ended a test process")


def _check_beginning(path: str) -> None:
    """Raise ``InputError`` if a file is not a Parquet file."""
    with Path(path).open("rb") as opened:
        if opened.read(4) not in BEGINNINGS:
            raise InputError(
                f"{path}: not a Parquet file; the patterns and directories of a stream may only "
                "have Parquet files"
            )


def _scan(path: str) -> Any:
    """Return a LazyFrame of a file; its name is neither a pattern nor a source of columns."""
    import polars as pl

    return pl.scan_parquet(path, glob=False, hive_partitioning=False)


@contextmanager
def _read_errors(name: str) -> Iterator[None]:
    """Raise ``InputError`` for errors of reading."""
    import polars as pl

    try:
        yield
    except OSError as error:
        raise InputError(f"{name}: {(error.strerror or str(error)).splitlines()[0]}") from None
    except BaseException as error:
        # polars panics on some damaged files; a panic is not an Exception, its class is not public
        known = (pl.exceptions.PolarsError, LayoutError)
        if not isinstance(error, known) and type(error).__name__ != PANIC:
            raise
        reason = "" if type(error).__name__ == PANIC else str(error)
        first = (reason.splitlines() or ["damaged"])[0]
        raise InputError(f"{name}: cannot be read as parquet: {first}") from None


# The layout

MAGIC, ENCRYPTED = b"PAR1", b"PARE"
TRAILER = 8  # bytes: the length of the footer, and MAGIC
HEADER = 1 << 10  # bytes read to find a page header; more where it is longer
MAX_HEADER = 1 << 24  # bytes: statistics may hold two long texts
#: numbers of fields: of the footer, of an element of its schema
SCHEMA, ROWS, GROUPS = 2, 3, 4
REPETITION, CHILDREN = 3, 5
#: of a group of rows, of a column in it
COLUMNS, GROUP_BYTES, GROUP_ROWS = 1, 2, 3
METADATA = 3
VALUES, UNCOMPRESSED, COMPRESSED, DATA_OFFSET, DICTIONARY_OFFSET = 5, 6, 7, 9, 11
#: of a page header, and of the header of a data page
PAGE_KIND, PAGE_UNCOMPRESSED, PAGE_COMPRESSED, PAGE_V1, PAGE_DICTIONARY, PAGE_V2 = 1, 2, 3, 5, 7, 8
PAGE_VALUES, ENCODING = 1, 2
PAGE_NULLS, PAGE_ROWS, ENCODING_V2, DEFINITION_LEVELS, REPETITION_LEVELS = 2, 3, 4, 5, 6
REPEATED = 2
DATA, DICTIONARY, DATA_V2 = 0, 2, 3
#: the field of a page header that holds the details of a kind of page
DETAILS = {DATA: PAGE_V1, DICTIONARY: PAGE_DICTIONARY, DATA_V2: PAGE_V2}
ENCODINGS = (0, 2, 3, 4, 5, 6, 7, 8, 9)
DELTAS = (5, 6, 7)  # numbers, lengths of texts, and texts, as differences from those before
#: kinds of values
TRUE, FALSE, BYTE, DOUBLE, TEXT, LIST, SET, STRUCT = 1, 2, 3, 7, 8, 9, 10, 12
LONG = 15  # means that the length of a list follows
MAX_SHIFT = 63  # bits of the longest number


class LayoutError(Exception):
    """Numbers in a Parquet file that contradict each other."""


@dataclass(frozen=True)
class Layout:
    """The numbers of rows, values and bytes in a Parquet file."""

    n_rows: int
    #: values of all columns, nulls included
    n_values: int
    #: bytes of all pages, decompressed
    n_bytes: int
    #: bytes needed to read any row: the largest row group as stored, or a larger page
    at_once: int
    #: whether any page has a delta encoding, whose sizes are within the page
    has_deltas: bool


def read_layout(file: BinaryIO) -> Layout:
    """Return the layout of an open file; raise ``LayoutError`` if it contradicts itself."""
    try:
        return _read_layout(file)
    except (IndexError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        raise LayoutError("damaged: its footer or a page header cannot be read") from None


def _read_layout(file: BinaryIO) -> Layout:
    end = file.seek(0, 2) - TRAILER
    file.seek(max(end, 0))
    trailer = file.read(TRAILER)
    begin = end - int.from_bytes(trailer[:4], "little")
    _check(trailer[4:] != ENCRYPTED, "its footer is encrypted")
    _check(
        trailer[4:] == MAGIC and begin >= len(MAGIC), "damaged: cut short, or without its footer"
    )
    file.seek(begin)
    footer = _Compact(file.read(end - begin)).struct()
    is_flat = [*_find_leaves(iter(footer[SCHEMA]))]
    n_rows = _check_count(footer[ROWS])
    n_values = n_bytes = largest_group = largest_page = rows_so_far = 0
    has_deltas = False
    for group in footer[GROUPS]:
        _check_count(group[GROUP_BYTES])
        columns = [column[METADATA] for column in group[COLUMNS]]
        _check(len(columns) == len(is_flat), "damaged: a row group lacks a column")
        for column, flat in zip(columns, is_flat, strict=True):
            _check(not flat or column[VALUES] == group[GROUP_ROWS], "damaged: a column lacks rows")
            for page in _read_pages(file, column, begin):
                n_bytes, largest_page = n_bytes + page.size, max(largest_page, page.size)
                has_deltas |= page.encoding in DELTAS
            n_values += column[VALUES]
        largest_group = max(largest_group, sum(column[COMPRESSED] for column in columns))
        rows_so_far += _check_count(group[GROUP_ROWS])
    _check(rows_so_far == n_rows, "damaged: its row groups do not have all its rows")
    return Layout(n_rows, n_values, n_bytes, max(largest_group, largest_page), has_deltas)


def _find_leaves(
    elements: Iterator[dict[int, Any]], n: int = 1, *, flat: bool = True
) -> Iterator[bool]:
    """Yield for each column whether it has one value per row; schemas list elements depth first."""
    for _ in range(n):
        element = next(elements, None)
        _check(element is not None, "damaged: its schema lacks a column")
        assert element is not None
        is_flat = flat and element.get(REPETITION) != REPEATED
        if element.get(CHILDREN):
            yield from _find_leaves(elements, _check_count(element[CHILDREN]), flat=is_flat)
        else:
            yield is_flat


class _Page(NamedTuple):
    """The numbers in a page header."""

    #: bytes, decompressed
    size: int
    #: of a column; 0 for a dictionary
    n_values: int
    encoding: int


def _read_pages(file: BinaryIO, column: dict[int, Any], end: int) -> Iterator[_Page]:
    """Yield the pages of a column, which end before the footer begins."""
    _check_count(column[UNCOMPRESSED])
    n_values, place = _check_count(column[VALUES]), column[DATA_OFFSET]
    place = min(place, column.get(DICTIONARY_OFFSET) or place)
    _check(place + _check_count(column[COMPRESSED]) <= end, "damaged: a column is outside the file")
    end = place + column[COMPRESSED]
    n_so_far = 0
    while n_so_far < n_values:
        _check(len(MAGIC) <= place < end, "damaged: a page is outside its column")
        header, place = _read_page_header(file, place)
        place += _check_count(header[PAGE_COMPRESSED])
        _check(place <= end, "damaged: a page is longer than its column")
        page = _parse_page(header)
        n_so_far += page.n_values
        yield page
    _check(n_so_far == n_values, "damaged: its pages do not have all values of a column")


def _parse_page(header: dict[int, Any]) -> _Page:
    kind, size = header[PAGE_KIND], _check_count(header[PAGE_UNCOMPRESSED])
    _check(kind in DETAILS, "damaged: a page of an unknown kind")
    about = header[DETAILS[kind]]
    encoding = about[ENCODING_V2 if kind == DATA_V2 else ENCODING]
    _check(encoding in ENCODINGS, "damaged: a page in an unknown encoding")
    n = _check_count(about[PAGE_VALUES])
    if kind == DICTIONARY:
        _check(n <= size, "damaged: a dictionary is longer than its page")
        return _Page(size, 0, encoding)
    if kind == DATA_V2:
        levels = _check_count(about[DEFINITION_LEVELS]) + _check_count(about[REPETITION_LEVELS])
        shorter = min(size, header[PAGE_COMPRESSED])
        _check(levels <= shorter, "damaged: levels are longer than their page")
        fewer = max(_check_count(about[PAGE_NULLS]), _check_count(about[PAGE_ROWS]))
        _check(fewer <= n, "damaged: a page lacks values")
    return _Page(size, n, encoding)


def _read_page_header(file: BinaryIO, place: int) -> tuple[dict[int, Any], int]:
    """Return a page header, and the place of its end."""
    length = HEADER
    while True:
        file.seek(place)
        values = _Compact(file.read(length))
        try:
            return values.struct(), place + values.place
        except IndexError:
            if len(values.data) < length or length > MAX_HEADER:
                raise
            length *= 8


def _check_count(number: int) -> int:
    """Return a number that must not be negative."""
    _check(
        isinstance(number, int) and number >= 0,
        "damaged: a negative number of rows, values or bytes",
    )
    return number


def _check(holds: bool, message: str) -> None:
    """Raise ``LayoutError`` unless a condition holds."""
    if not holds:
        raise LayoutError(message)


class _Compact:
    """A reader of Thrift's compact protocol; a struct maps field numbers to values."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.place = 0

    def struct(self) -> dict[int, Any]:
        fields: dict[int, Any] = {}
        number = 0
        while header := self.byte():
            number = number + (header >> 4) if header >> 4 else self.integer()
            kind = header & 15
            fields[number] = kind == TRUE if kind in (TRUE, FALSE) else self.value(kind)
        return fields

    def value(self, kind: int) -> Any:
        if kind == STRUCT:
            return self.struct()
        if kind in (LIST, SET):
            return self.list_()
        if kind in (TEXT, DOUBLE):  # skipped: not needed
            length = self.number() if kind == TEXT else 8
            self.place += length
            return None
        return self.byte() if kind in (TRUE, FALSE, BYTE) else self.integer()

    def list_(self) -> list[Any]:
        header = self.byte()
        length = header >> 4 if header >> 4 < LONG else self.number()
        return [self.value(header & 15) for _ in range(length)]

    def byte(self) -> int:
        self.place += 1
        return self.data[self.place - 1]

    def number(self) -> int:
        """Read an unsigned integer: seven bits per byte, the lowest first."""
        total, shift, more = 0, 0, True
        while more:
            byte = self.byte()
            if shift > MAX_SHIFT:
                raise IndexError
            total |= (byte & 127) << shift
            shift, more = shift + 7, byte > 127
        return total

    def integer(self) -> int:
        """Read a signed integer, whose lowest bit is the sign."""
        number = self.number()
        return number >> 1 ^ -(number & 1)
