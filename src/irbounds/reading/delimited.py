"""CSV and TSV text as rows of cells: nothing is dropped, and every row is as wide as the header.

Cells are what a writer of CSV put into them: a quoted cell keeps its line ends, its separators and
its quotes. Blank lines between rows do not count. A row whose cells are all empty, as spreadsheets
write below a table, is an error, since it may also be a row that was lost.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper

from ..errors import InputError, quote
from .problems import Problems
from .sources import BLANKS

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
