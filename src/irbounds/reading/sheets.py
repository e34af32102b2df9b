"""Small tables that people keep by hand: a header and rows, read line by line.

Sheets of counts and of assessments have at most some ten thousand lines, so the standard library
reads them, at no cost to the start of a command. Cells stay text; whoever knows what a column means
turns them into numbers, and names the line where that fails. The header tells what separates cells:
a tab, a semicolon, as spreadsheets write it where the comma is a decimal point, or a comma.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path

from ..errors import InputError, quote, quote_several
from ..validation import grouping_hint
from .error_list import Problems
from .sources import BLANKS, Source

SEPARATORS = ("\t", ";", ",")
MOST_DIGITS = 18  # of a count; there are no such corpora


@dataclass(frozen=True)
class Row:
    """One line's cells, by the meaning of their columns."""

    line: int
    cells: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells[column]


@dataclass(frozen=True)
class Meanings:
    """What the columns of a sheet stand for; None for one that is passed over."""

    columns: tuple[str | None, ...]
    #: names what is passed over: it may be a slip of the pen
    warnings: tuple[str, ...] = ()

    def __contains__(self, column: str) -> bool:
        return column in self.columns


@dataclass(frozen=True)
class Sheet:
    """A header and its rows, not yet looked into."""

    source: str
    fingerprint: str
    headings: tuple[str, ...]
    #: line and cells
    lines: tuple[tuple[int, tuple[str, ...]], ...]

    def rows(self, meanings: Meanings) -> list[Row]:
        """Rows by meaning."""
        columns = meanings.columns
        rows = []
        for line, cells in self.lines:
            named = zip(columns, cells, strict=True)
            rows.append(Row(line, {name: cell for name, cell in named if name is not None}))
        return rows

    def meanings(
        self,
        needed: Sequence[str],
        optional: Sequence[str],
        also: Mapping[str, str],
        unoffered: Sequence[str] = (),
    ) -> Meanings:
        """What each heading stands for; ``also`` are further spellings, in which case matters.

        ``unoffered`` columns are taken too, but not spoken of where others are missing.
        """
        known = [*needed, *optional, *unoffered]
        read = [also.get(heading, heading.lower()) for heading in self.headings]
        found = [one if one in known else None for one in read]
        unknown = [h for h, one in zip(self.headings, found, strict=True) if one is None]
        expected = f"expected are {', '.join(needed)}"
        if optional:
            expected += f" and, if wanted, {', '.join(optional)}"
        times = Counter(found)
        twice = sorted(one for one in times if one is not None and times[one] > 1)
        if twice:
            raise InputError(f"{self.source}: {_columns(twice)} there twice")
        missing = [one for one in needed if one not in found]
        if missing:
            instead = f", but {quote_several(unknown)}" if unknown else ""
            raise InputError(
                f"{self.source}: no column {quote_several(missing)}{instead}; {expected}"
            )
        passed_over = f"{self.source}: {_columns(unknown)} passed over; {expected}"
        return Meanings(tuple(found), (passed_over,) if unknown else ())


def read_sheet(path: str | Path) -> Sheet:
    """A file, plain or packed, or ``-`` for standard input."""
    with Source(path) as source:
        text = source.text()
        return parse_sheet(source.name, text, source.fingerprint)


def parse_sheet(name: str, text: str, fingerprint: str) -> Sheet:
    """A header, then rows; blank lines and lines that begin with ``#`` do not count."""
    headers = (line for line in text.splitlines() if line.strip(BLANKS) and line[0] != "#")
    header = next(headers, "")
    separator = next((one for one in SEPARATORS if one in header), ",")
    lines = [
        (line, tuple(cell.strip(BLANKS) for cell in cells))
        for line, cells in read_rows(text.encode(), separator, name, comments=True)
    ]
    if not lines:
        raise InputError(f"{name}: empty: no header and no rows")
    if len(lines) == 1:
        raise InputError(f"{name}: empty: a header and no rows")
    return Sheet(name, fingerprint, lines[0][1], tuple(lines[1:]))


def whole_count(row: Row, column: str, problems: Problems) -> int | None:
    """A whole number of at least 0; None for anything else, which is noted."""
    text = row[column]
    if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS:
        return int(text)
    problems.add(
        f"{column} must be an integer of at least 0; got {quote(text)}{grouping_hint(text)}",
        row.line,
    )
    return None


def _columns(names: Sequence[str]) -> str:
    return (
        f"column {quote_several(names)} is"
        if len(names) == 1
        else f"columns {quote_several(names)} are"
    )


# CSV and TSV text as rows of cells: nothing is dropped, and every row is as wide as the header.
#
# Cells are what a writer of CSV put into them: a quoted cell keeps its line ends, its separators
# and its quotes. Blank lines between rows do not count. A row whose cells are all empty, as
# spreadsheets write below a table, is an error, since it may also be a row that was lost.

MAX_CELL = (1 << 31) - 1  # characters; csv's own limit of 128 KiB is below some documents' texts
ROWS = 256  # fewer than the new lists that make Python look for garbage


def read_rows(
    data: bytes, separator: str, source: str, *, comments: bool = False
) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the cells of each row, the header first.

    ``comments`` says that a line which begins with ``#`` is no row. Whatever is wrong with rows is
    raised after the last one.
    """
    csv.field_size_limit(MAX_CELL)  # for the whole process, since csv has no other way
    problems = Problems(source)
    between_rows = True

    def lines() -> Iterator[str]:
        nonlocal between_rows
        for line in TextIOWrapper(BytesIO(data), encoding="utf-8", newline=""):
            is_comment = comments and between_rows and line.startswith("#")
            between_rows = False
            yield "\n" if is_comment else line

    reader = csv.reader(lines(), delimiter=separator, strict=True)
    width = n_lines = last_blank = 0
    try:
        for cells in reader:
            line, n_lines, between_rows = n_lines + 1, reader.line_num, True
            is_empty = not ((cells and cells[0].strip(BLANKS)) or "".join(cells).strip(BLANKS))
            if is_empty and len(cells) < 2 and cells != [""]:  # two quotes are a cell
                last_blank = line
                continue
            if width == 1 and last_blank:  # a value that is missing, for all that can be told
                problems.add("blank, in a table of one column", last_blank)
                last_blank = 0
            if not width:
                width, last_blank = len(cells), 0
            elif len(cells) != width:
                problems.add(f"{len(cells)} cells where the header has {width}", line)
                continue
            elif is_empty and width > 1:
                problems.add("every cell is empty; delete the row", line)
                continue
            yield line, cells
    except csv.Error as error:
        raise InputError(f"{source}: line {n_lines + 1}: {error}") from None
    problems.raise_if_any()


def read_columns(data: bytes, separator: str, source: str) -> dict[str, list[str]]:
    """Return the cells of each column by its name in the header."""
    rows = read_rows(data, separator, source)
    _, header = next(rows, (0, []))
    if not header:
        raise InputError(f"{source}: empty")
    columns: dict[str, list[str]] = {}
    for name in header:
        if name in columns:
            raise InputError(f"{source}: column {quote(name)} stands twice in the header")
        columns[name] = []
    waiting: list[list[str]] = []
    for _, cells in rows:
        waiting.append(cells)
        if len(waiting) == ROWS:
            _append(columns, waiting)
    _append(columns, waiting)
    return columns


def _append(columns: dict[str, list[str]], rows: list[list[str]]) -> None:
    """Move rows to the ends of the columns."""
    for column, cells in zip(columns.values(), zip(*rows, strict=True), strict=False):
        column.extend(cells)
    rows.clear()
