"""Parquet files: what they hold, all of their rows, or rows stretch by stretch.

The layout of every file is checked first, so that a damaged one cannot end the process, and one too
large is refused before it is read.

For a stretch, polars skips the groups of rows that it does not touch, so a stretch costs memory for
itself and for one group, compressed as it is. Written by the usual tools, a group has some hundred
thousand rows to a million.
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
from ..standard_streams import hold_back_messages
from .fitting import CELL, check_more_fits

PANIC = "PanicException"
VALUE = 16  # bytes of a text in a column of polars, and at most of a number
#: programs that read a file on trial: its bytes, or stretches of the file that is named
READ_ALL = "import sys, polars; polars.read_parquet(sys.stdin.buffer.read())"
READ_STRETCHES = """
import sys, polars
rows = polars.scan_parquet(sys.stdin.buffer.read().decode(), glob=False, hive_partitioning=False)
for begin in range(0, rows.select(polars.len()).collect().item(), 1 << 18):
    rows.slice(begin, 1 << 18).collect()
"""
BEGINNINGS = (b"PAR1", b"PARE")  # the second where the footer is encrypted


def read_parquet(data: bytes, name: str, used: Collection[str] | None = None) -> Any:
    """Return a file's rows as a polars frame, if they and their Python values fit into memory.

    ``used`` are names, in small letters, of columns that become Python values; by default all do.
    """
    import polars as pl

    with _reading(name):
        layout = read_layout(BytesIO(data))
        columns = pl.read_parquet_schema(BytesIO(data))
        n_used = sum(_is_used(column, used) for column in columns)
        rows = f"{layout.n_rows:,} rows of Parquet"
        as_values = CELL * n_used * layout.n_rows
        check_more_fits(name, rows, 0, layout.n_bytes + VALUE * layout.n_values + as_values)
        if layout.has_deltas:
            _try_elsewhere(READ_ALL, data)
        frame = pl.read_parquet(BytesIO(data))
        # equal texts are stored once, and become one Python object per row
        texts = frame.select(pl.col(pl.String, pl.Categorical, pl.Enum).cast(pl.String))
        lengths = [int(text.str.len_bytes().sum()) for text in texts if _is_used(text.name, used)]
        check_more_fits(name, rows, 0, 2 * sum(lengths) + as_values)
    return frame


def _is_used(column: str, used: Collection[str] | None) -> bool:
    return used is None or column.lower() in used


def columns_and_layout(path: str) -> tuple[dict[str, Any], Layout]:
    """Return the columns of a file with their types, and how many rows it has in what pages."""
    with _reading(path):
        _check_beginning(path)
        with Path(path).open("rb") as opened:
            layout = read_layout(opened)
        return dict(_scanned(path).collect_schema()), layout


def rows_of(path: str, columns: Sequence[str], begin: int, end: int, name: str) -> Any:
    """A frame of some columns and the rows from ``begin`` up to ``end``.

    ``name`` is what the file is called in errors.
    """
    with _reading(name):
        frame = _scanned(path).select(columns).slice(begin, end - begin).collect()
    if len(frame) != end - begin:
        raise InputError(f"{name}: this changed while it was read")
    return frame


def check_stretches(path: str, layout: Layout) -> None:
    """Raise ``InputError`` where reading the file stretch by stretch would end the process."""
    if layout.has_deltas:
        with _reading(path):
            _try_elsewhere(READ_STRETCHES, str(Path(path).absolute()).encode())


def file_fingerprint(path: str) -> str:
    """SHA-256 of a file: what ``sha256sum FILE`` prints."""
    with _reading(path), Path(path).open("rb") as opened:
        return f"sha256:{hashlib.file_digest(opened, 'sha256').hexdigest()}"


def _try_elsewhere(script: str, given: bytes) -> None:
    """Raise ``LayoutError`` where a process of its own does not survive the reading of a file.

    Sizes that stand among the differences of numbers and texts are not in the layout, and polars
    asks for as much memory as they say. Such files are rare, and this takes half a second.
    """
    if not sys.executable or getattr(sys, "frozen", False):
        return
    with suppress(OSError):
        tried = subprocess.run(
            [sys.executable, "-c", script], input=given, capture_output=True, check=False
        )
        if tried.returncode not in (0, 1):  # 1 is an error that will be raised here as well
            raise LayoutError("damaged: a process that read it on trial was ended by it")


def _check_beginning(path: str) -> None:
    """Raise ``InputError`` where a file is not of this kind at all."""
    with Path(path).open("rb") as opened:
        if opened.read(4) not in BEGINNINGS:
            raise InputError(
                f"{path}: this is no Parquet file, and a stream's patterns and folders are of "
                "Parquet files alone"
            )


def _scanned(path: str) -> Any:
    """Names are taken as they are: neither a pattern nor folders have anything to say here."""
    import polars as pl

    return pl.scan_parquet(path, glob=False, hive_partitioning=False)


@contextmanager
def _reading(name: str) -> Iterator[None]:
    import polars as pl

    try:
        with hold_back_messages():
            yield
    except OSError as error:
        raise InputError(f"{name}: {(error.strerror or str(error)).splitlines()[0]}") from None
    except BaseException as error:
        # polars panics on some damaged files; a panic is no Exception and has no public class
        known = (pl.exceptions.PolarsError, LayoutError)
        if not isinstance(error, known) and type(error).__name__ != PANIC:
            raise
        reason = "" if type(error).__name__ == PANIC else str(error)
        first = (reason.splitlines() or ["damaged"])[0]
        raise InputError(f"{name}: cannot be read as parquet: {first}") from None


# The layout of a Parquet file: rows, columns and pages, as its footer and page headers state them.
#
# polars trusts these numbers. A negative count of values in a damaged file makes it ask for more
# memory than any machine has, which ends the process. So the numbers are compared with each other
# and with the size of the file first: every page has to be within its file, and the pages of a
# column have to hold the values that the footer counts. Page contents are not looked at.
#
# Both are in Thrift's compact protocol, of which that much is read here as Parquet uses.

MAGIC, ENCRYPTED = b"PAR1", b"PARE"
ENDING = 8  # bytes: the length of the footer, and MAGIC
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
#: the field of a page header that holds what is particular to a kind of pages
PARTICULARS = {DATA: PAGE_V1, DICTIONARY: PAGE_DICTIONARY, DATA_V2: PAGE_V2}
ENCODINGS = (0, 2, 3, 4, 5, 6, 7, 8, 9)
DELTAS = (5, 6, 7)  # numbers, lengths of texts, and texts, as differences from those before
#: kinds of values
TRUE, FALSE, BYTE, DOUBLE, TEXT, LIST, SET, STRUCT = 1, 2, 3, 7, 8, 9, 10, 12
LONG = 15  # says that a list's length comes next
MAX_SHIFT = 63  # bits: no number is longer


class LayoutError(Exception):
    """Numbers in a Parquet file that cannot be true."""


@dataclass(frozen=True)
class Layout:
    """What a Parquet file holds."""

    n_rows: int
    #: values of all columns, nulls included
    n_values: int
    #: bytes of all pages, decompressed
    n_bytes: int
    #: bytes that are held to read any row: the largest group of rows as stored, or a larger page
    at_once: int
    #: whether any page holds differences of numbers or texts, which decide on sizes themselves
    has_deltas: bool


def read_layout(file: BinaryIO) -> Layout:
    """Return the layout of an open file; raise ``LayoutError`` where it contradicts itself."""
    try:
        return _read_layout(file)
    except (IndexError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        raise LayoutError("damaged: its footer or a page header cannot be read") from None


def _read_layout(file: BinaryIO) -> Layout:
    end = file.seek(0, 2) - ENDING
    file.seek(max(end, 0))
    ending = file.read(ENDING)
    begin = end - int.from_bytes(ending[:4], "little")
    _check(ending[4:] != ENCRYPTED, "its footer is encrypted")
    _check(ending[4:] == MAGIC and begin >= len(MAGIC), "damaged: cut short, or without its footer")
    file.seek(begin)
    footer = _Compact(file.read(end - begin)).struct()
    is_flat = [*_leaves(iter(footer[SCHEMA]))]
    n_rows = _count(footer[ROWS])
    n_values = n_bytes = largest_group = largest_page = rows_so_far = 0
    has_deltas = False
    for group in footer[GROUPS]:
        _count(group[GROUP_BYTES])
        columns = [column[METADATA] for column in group[COLUMNS]]
        _check(len(columns) == len(is_flat), "damaged: a group of rows lacks a column")
        for column, flat in zip(columns, is_flat, strict=True):
            _check(not flat or column[VALUES] == group[GROUP_ROWS], "damaged: a column lacks rows")
            for page in _pages(file, column, begin):
                n_bytes, largest_page = n_bytes + page.size, max(largest_page, page.size)
                has_deltas |= page.encoding in DELTAS
            n_values += column[VALUES]
        largest_group = max(largest_group, sum(column[COMPRESSED] for column in columns))
        rows_so_far += _count(group[GROUP_ROWS])
    _check(rows_so_far == n_rows, "damaged: its groups of rows are not all its rows")
    return Layout(n_rows, n_values, n_bytes, max(largest_group, largest_page), has_deltas)


def _leaves(elements: Iterator[dict[int, Any]], n: int = 1, *, flat: bool = True) -> Iterator[bool]:
    """Whether each column of values has one per row; a schema lists its elements depth first."""
    for _ in range(n):
        element = next(elements, None)
        _check(element is not None, "damaged: its schema lacks a column")
        assert element is not None
        here = flat and element.get(REPETITION) != REPEATED
        if element.get(CHILDREN):
            yield from _leaves(elements, _count(element[CHILDREN]), flat=here)
        else:
            yield here


class _Page(NamedTuple):
    """What a page header states."""

    #: bytes, decompressed
    size: int
    #: of a column; 0 for a dictionary
    n_values: int
    encoding: int


def _pages(file: BinaryIO, column: dict[int, Any], end: int) -> Iterator[_Page]:
    """Yield the pages of a column, which end before the footer begins."""
    _count(column[UNCOMPRESSED])
    n_values, place = _count(column[VALUES]), column[DATA_OFFSET]
    place = min(place, column.get(DICTIONARY_OFFSET) or place)
    _check(place + _count(column[COMPRESSED]) <= end, "damaged: a column is outside the file")
    end = place + column[COMPRESSED]
    n_seen = 0
    while n_seen < n_values:
        _check(len(MAGIC) <= place < end, "damaged: a page is outside its column")
        header, place = _page_header(file, place)
        place += _count(header[PAGE_COMPRESSED])
        _check(place <= end, "damaged: a page is longer than its column")
        page = _page(header)
        n_seen += page.n_values
        yield page
    _check(n_seen == n_values, "damaged: its pages are not all values of a column")


def _page(header: dict[int, Any]) -> _Page:
    kind, size = header[PAGE_KIND], _count(header[PAGE_UNCOMPRESSED])
    _check(kind in PARTICULARS, "damaged: a page of an unknown kind")
    about = header[PARTICULARS[kind]]
    encoding = about[ENCODING_V2 if kind == DATA_V2 else ENCODING]
    _check(encoding in ENCODINGS, "damaged: a page in an unknown encoding")
    n = _count(about[PAGE_VALUES])
    if kind == DICTIONARY:
        _check(n <= size, "damaged: a dictionary is longer than its page")
        return _Page(size, 0, encoding)
    if kind == DATA_V2:
        levels = _count(about[DEFINITION_LEVELS]) + _count(about[REPETITION_LEVELS])
        shorter = min(size, header[PAGE_COMPRESSED])
        _check(levels <= shorter, "damaged: levels are longer than their page")
        fewer = max(_count(about[PAGE_NULLS]), _count(about[PAGE_ROWS]))
        _check(fewer <= n, "damaged: a page lacks values")
    return _Page(size, n, encoding)


def _page_header(file: BinaryIO, place: int) -> tuple[dict[int, Any], int]:
    """Return a page header, and where it ends."""
    length = HEADER
    while True:
        file.seek(place)
        values = _Compact(file.read(length))
        try:
            return values.struct(), place + values.place
        except IndexError:
            if len(values.told) < length or length > MAX_HEADER:
                raise
            length *= 8


def _count(number: int) -> int:
    _check(
        isinstance(number, int) and number >= 0,
        "damaged: a negative number of rows, values or bytes",
    )
    return number


def _check(holds: bool, otherwise: str) -> None:
    if not holds:
        raise LayoutError(otherwise)


class _Compact:
    """Values from bytes, one after another; records are known by the numbers of their fields."""

    def __init__(self, told: bytes) -> None:
        self.told = told
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
            return self.listed()
        if kind in (TEXT, DOUBLE):  # passed over: nobody asks for these
            length = self.number() if kind == TEXT else 8
            self.place += length
            return None
        return self.byte() if kind in (TRUE, FALSE, BYTE) else self.integer()

    def listed(self) -> list[Any]:
        header = self.byte()
        length = header >> 4 if header >> 4 < LONG else self.number()
        return [self.value(header & 15) for _ in range(length)]

    def byte(self) -> int:
        self.place += 1
        return self.told[self.place - 1]

    def number(self) -> int:
        """Seven bits a byte, the lowest first."""
        total, shift, more = 0, 0, True
        while more:
            here = self.byte()
            if shift > MAX_SHIFT:
                raise IndexError
            total |= (here & 127) << shift
            shift, more = shift + 7, here > 127
        return total

    def integer(self) -> int:
        """With a sign, which is the lowest bit."""
        number = self.number()
        return number >> 1 ^ -(number & 1)
