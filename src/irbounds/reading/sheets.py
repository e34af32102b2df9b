"""CSV and TSV text, and sheets: small tables that people fill in, whose headings have meanings.

Every row has as many cells as the header; another width is an error. A quoted cell keeps its line
breaks, separators and quotes. Empty lines and rows without a value are skipped. Cells remain text;
the caller, who knows what a column means, converts them to numbers.

A sheet may also be a worksheet of a workbook, or text in UTF-16. Its header decides what separates
cells: a tab, a comma, or a semicolon, as spreadsheets write it where the comma is the decimal
point. Lines above the header that begin with ``#`` are comments.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

from ..errors import InputError, quote, quote_several
from ..validation import count_hint, parse_written_count
from .encodings import is_utf_16
from .sources import WHITE_SPACE, Source
from .worksheets import AlteredCell, is_workbook, read_worksheet

SEPARATORS = ("\t", ";", ",")
MAX_CELL = (1 << 31) - 1  # characters; csv's own limit is less than the text of some documents
ROWS = 256  # fewer than the new lists that start a garbage collection


@dataclass(frozen=True)
class Row:
    """The cells of one line, by the meaning of their columns."""

    source: str
    line: int
    cells: Mapping[str, str]
    #: what the number of a line counts: lines of text, or rows of a worksheet
    unit: str = "line"
    decimal_mark: str = "."

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")

    def error(self, message: str) -> InputError:
        """Return an error that names the file and the line."""
        return InputError(f"{self.source}: {self.unit} {self.line}: {message}")

    def count(self, column: str) -> int:
        """Return an integer of at least 0, which may have separated thousands."""
        count = parse_written_count(self[column], self.decimal_mark)
        if count is None:
            hint = count_hint(self[column], self.decimal_mark)
            raise self.error(
                f"{column} must be an integer of at least 0; got {quote(self[column])}{hint}"
            )
        return count


@dataclass(frozen=True)
class Sheet:
    """A header and its rows, as text."""

    source: str
    fingerprint: str
    headings: tuple[str, ...]
    #: the line and the cells of each row
    lines: tuple[tuple[int, tuple[str, ...]], ...]
    unit: str = "line"
    decimal_mark: str = "."
    #: lines above the header that begin with ``#``
    comments: str = ""

    def rows(
        self, names: Mapping[str, str], needed: Sequence[str]
    ) -> tuple[list[Row], tuple[str, ...]]:
        """Return the rows by meaning, and a warning about columns that are ignored.

        ``names`` has the meaning of each heading, in any case of its letters or exactly as it is.
        """
        columns = [names.get(heading, names.get(heading.lower(), "")) for heading in self.headings]
        for name in names.values():
            if columns.count(name) > 1:
                raise InputError(
                    f"{self.source}: column {name!r} is there twice; got "
                    f"{quote_several(self.headings)}"
                )
        if missing := [name for name in needed if name not in columns]:
            raise InputError(
                f"{self.source}: no column {quote_several(missing)}; got "
                f"{quote_several(self.headings)}"
            )
        unknown = [h for h, column in zip(self.headings, columns, strict=True) if not column]
        warnings = (f"{self.source}: ignored columns: {quote_several(unknown)}",) if unknown else ()
        rows = [
            Row(
                self.source,
                line,
                {name: cell for name, cell in zip(columns, cells, strict=True) if name},
                self.unit,
                self.decimal_mark,
            )
            for line, cells in self.lines
        ]
        return rows, warnings


def read_sheet(path: str | Path) -> Sheet:
    """Read a file, plain or compressed, or ``-`` for standard input."""
    with Source(path) as source:
        return parse_source(source)


def parse_source(source: Source) -> Sheet:
    """Parse a workbook, or text in UTF-8 or UTF-16."""
    if is_workbook(source.peek()):
        rows = read_worksheet(source)
        n_above = 0
        while n_above < len(rows) and rows[n_above][1][0].startswith("#"):
            n_above += 1
        comments = "\n".join(cells[0] for _, cells in rows[:n_above])
        return _make_sheet(source.name, source.fingerprint, rows[n_above:], comments, unit="row")
    text = _decode_utf_16(source) if is_utf_16(source.peek()) else source.text()
    return parse_sheet(source.name, text, source.fingerprint)


def parse_sheet(name: str, text: str, fingerprint: str) -> Sheet:
    """Parse comments, a header and rows."""
    lines = list(StringIO(text, newline=""))
    # spreadsheets put quotes around a comment, and separators behind it
    plain = [line.strip(f'{WHITE_SPACE}",;') for line in lines]
    n_above = next((k for k, line in enumerate(plain) if line and line[0] != "#"), len(lines))
    header = lines[n_above] if n_above < len(lines) else ""
    separator = next((mark for mark in SEPARATORS if mark in header), ",")
    rows = read_rows(lines[n_above:], separator, name, n_above)
    mark = "," if separator == ";" else "."
    return _make_sheet(name, fingerprint, rows, "\n".join(plain[:n_above]), decimal_mark=mark)


def _make_sheet(
    name: str,
    fingerprint: str,
    rows: Iterable[tuple[int, list[str]]],
    comments: str,
    unit: str = "line",
    decimal_mark: str = ".",
) -> Sheet:
    lines = [(number, tuple(map(_strip_cell, cells))) for number, cells in rows]
    if len(lines) < 2:
        what = "a header and no rows" if lines else "no header and no rows"
        raise InputError(f"{name}: empty: {what}")
    (_, headings), *others = lines
    return Sheet(name, fingerprint, headings, tuple(others), unit, decimal_mark, comments)


def _strip_cell(cell: str) -> str:
    return cell if isinstance(cell, AlteredCell) else cell.strip(WHITE_SPACE)


def _decode_utf_16(source: Source) -> str:
    try:
        text = source.read().decode("utf-16")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{source.name}: not valid UTF-16 (byte {error.start:,}): {error.reason}"
        ) from None
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise InputError(f"{source.name}: line {line}: a zero character: binary, not text")
    return text


def read_rows(
    lines: Iterable[str], separator: str, source: str, n_above: int = 0
) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the cells of each row with a value, the header first.

    ``n_above`` is the number of lines above the first one.
    """
    csv.field_size_limit(MAX_CELL)  # for the whole process; csv has no other way
    reader = csv.reader(lines, delimiter=separator, strict=True)
    width = last_empty = 0
    line = n_above + 1
    try:
        for cells in reader:
            is_empty = not (
                (cells and cells[0].strip(WHITE_SPACE)) or "".join(cells).strip(WHITE_SPACE)
            )
            if not is_empty or cells == [""]:  # two quotes are a cell
                if width == 1 and last_empty:  # it may be a missing value
                    raise InputError(
                        f"{source}: line {last_empty}: an empty line in a table of one column"
                    )
                if width and len(cells) != width:
                    raise InputError(
                        f"{source}: line {line}: {len(cells)} cells where the header has {width}"
                    )
                yield line, cells
                width = width or len(cells)
            elif width and len(cells) < 2:
                last_empty = line
            line = n_above + reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{source}: line {line}: {error}") from None


def read_columns(data: bytes, separator: str, source: str) -> dict[str, list[str]]:
    """Return the cells of each column by its name in the header."""
    rows = read_rows(TextIOWrapper(BytesIO(data), "utf-8", newline=""), separator, source)
    _, header = next(rows, (0, []))
    if not header:
        raise InputError(f"{source}: empty")
    columns: dict[str, list[str]] = {}
    for name in header:
        if name in columns:
            raise InputError(f"{source}: column {quote(name)} is in the header twice")
        columns[name] = []
    waiting: list[list[str]] = []
    for _, cells in rows:
        waiting.append(cells)
        if len(waiting) == ROWS:
            _append_rows(columns, waiting)
    _append_rows(columns, waiting)
    return columns


def _append_rows(columns: dict[str, list[str]], rows: list[list[str]]) -> None:
    """Move rows to the ends of the columns."""
    for column, cells in zip(columns.values(), zip(*rows, strict=True), strict=False):
        column.extend(cells)
    rows.clear()
