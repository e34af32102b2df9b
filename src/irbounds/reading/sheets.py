"""CSV and TSV text: rows, columns, and sheets whose headings have known meanings.

Nothing is dropped, and every row has as many cells as the header. A quoted cell keeps its line
breaks, separators and quotes. Empty lines between rows are ignored. A row whose cells are all
empty, as spreadsheets write below a table, is an error, since it may be a row whose values were
lost.

Sheets are small tables that people keep by hand, such as counts and assessments. They have at most
some ten thousand lines. So the standard library reads them, which does not slow down the start of a
command. Cells remain text; the caller, who knows what a column means, converts them to numbers. The
header decides what separates cells: a tab, a comma, or a semicolon, as spreadsheets write it where
the comma is the decimal point.

Since people fill them in, sheets of strata and of assessments (``read_sheet``) may also be a
worksheet of a workbook or text in UTF-16, and rows without a value are skipped. Notes say so.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO, TextIOWrapper
from itertools import dropwhile, takewhile
from pathlib import Path

from ..errors import InputError, quote, quote_several
from ..presentation.phrases import pluralise
from ..validation import MAX_COUNT_DIGITS, count_hint, parse_written_count
from .encodings import is_utf_16
from .error_list import MAX_NAMED, ErrorList
from .sources import WHITE_SPACE, Source
from .worksheets import AlteredCell, is_workbook, read_worksheet

SEPARATORS = ("\t", ";", ",")


@dataclass(frozen=True)
class Row:
    """The cells of one line, by the meaning of their columns."""

    line: int
    cells: Mapping[str, str]
    decimal_mark: str = "."

    def __getitem__(self, column: str) -> str:
        return self.cells[column]


@dataclass(frozen=True)
class Meanings:
    """The meanings of the columns of a sheet; None for a column that is ignored."""

    columns: tuple[str | None, ...]
    #: names the columns that are ignored, since a heading may be misspelt
    warnings: tuple[str, ...] = ()

    def __contains__(self, column: str) -> bool:
        return column in self.columns


@dataclass(frozen=True)
class Sheet:
    """A header and its rows, as text."""

    source: str
    fingerprint: str
    headings: tuple[str, ...]
    #: the line and the cells of each row
    lines: tuple[tuple[int, tuple[str, ...]], ...]
    #: what the number of a line counts: lines of text, or rows of a worksheet
    unit: str = "line"
    decimal_mark: str = "."
    #: sentences about how it was read
    notes: tuple[str, ...] = ()
    #: lines above the header that begin with ``#``
    comments: str = ""

    def rows(self, meanings: Meanings) -> list[Row]:
        """Return the rows by meaning."""
        columns = meanings.columns
        rows = []
        for line, cells in self.lines:
            named = zip(columns, cells, strict=True)
            known = {name: cell for name, cell in named if name is not None}
            rows.append(Row(line, known, self.decimal_mark))
        return rows

    def meanings(
        self,
        needed: Sequence[str],
        optional: Sequence[str],
        also: Mapping[str, str],
        unoffered: Sequence[str] = (),
    ) -> Meanings:
        """Return the meaning of each heading; ``also`` maps further, case-sensitive spellings.

        ``unoffered`` columns are accepted too, but not listed where others are missing.
        """
        known = [*needed, *optional, *unoffered]
        spelt = [also.get(heading, heading.lower()) for heading in self.headings]
        columns = [name if name in known else None for name in spelt]
        pairs = zip(self.headings, columns, strict=True)
        unknown = [heading for heading, column in pairs if column is None]
        expected = f"expected are {', '.join(needed)}"
        if optional:
            expected += f" and optionally {', '.join(optional)}"
        times = Counter(columns)
        repeated = sorted(name for name in times if name is not None and times[name] > 1)
        if repeated:
            raise InputError(f"{self.source}: {_describe_columns(repeated)} there twice")
        missing = [name for name in needed if name not in columns]
        if missing:
            instead = f", but {quote_several(unknown)}" if unknown else ""
            raise InputError(
                f"{self.source}: no column {quote_several(missing)}{instead}; {expected}"
            )
        ignored = f"{self.source}: {_describe_columns(unknown)} ignored; {expected}"
        return Meanings(tuple(columns), (ignored,) if unknown else ())


def read_sheet(path: str | Path) -> Sheet:
    """Read a file, plain or compressed, or ``-`` for standard input."""
    with Source(path) as source:
        return parse_source(source)


def parse_source(source: Source) -> Sheet:
    """Parse text or a workbook; rows without a value are skipped with a note."""
    head = source.peek()
    if is_workbook(head):
        sheet = _parse_worksheet(source)
    elif is_utf_16(head):
        sheet = parse_sheet(source.name, _decode_utf_16(source), "", skip_blank=True)
        note = f"{source.name}: encoded in UTF-16, and read as such"
        sheet = replace(sheet, notes=(note, *sheet.notes))
    else:
        sheet = parse_sheet(source.name, source.text(), "", skip_blank=True)
    return replace(sheet, fingerprint=source.fingerprint)


def parse_sheet(name: str, text: str, fingerprint: str, *, skip_blank: bool = False) -> Sheet:
    """Parse a header and rows; empty lines, and above the header lines with ``#``, are ignored.

    A row without a value is an error, or skipped with a note.
    """
    headers = (line for line in text.splitlines() if line.strip(WHITE_SPACE) and line[0] != "#")
    header = next(headers, "")
    separator = next((mark for mark in SEPARATORS if mark in header), ",")
    blank: list[int] | None = [] if skip_blank else None
    rows = list(read_rows(text.encode(), separator, name, comments=True, blank=blank))
    sheet = _make_sheet(name, _skip_comments(rows) if skip_blank else rows, "line", blank or ())
    decimal_mark = "," if separator == ";" else "."
    above = takewhile(lambda line: not line or line.startswith("#"), _unquoted_lines(text))
    return replace(
        sheet, fingerprint=fingerprint, decimal_mark=decimal_mark, comments="\n".join(above)
    )


def _unquoted_lines(text: str) -> Iterator[str]:
    """Yield lines without the quotes and white space that a spreadsheet may have put around."""
    return (line.strip(WHITE_SPACE + '"') for line in text.splitlines())


def _parse_worksheet(source: Source) -> Sheet:
    rows: list[tuple[int, list[str]]] = []
    blank: list[int] = []
    for number, cells in read_worksheet(source):
        if "".join(cells).strip(WHITE_SPACE):
            rows.append((number, cells))
        else:
            blank.append(number)
    sheet = _make_sheet(source.name, _skip_comments(rows), "row", blank)
    above = takewhile(lambda row: row[1][0].startswith("#"), rows)
    return replace(sheet, comments="\n".join(cells[0] for _, cells in above))


def _skip_comments(rows: Iterable[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    """Leave out comments above the header, which a spreadsheet has put into cells."""
    return list(dropwhile(lambda row: row[1][0].startswith("#"), rows))


def _make_sheet(
    name: str, rows: Iterable[tuple[int, list[str]]], unit: str, blank: Sequence[int]
) -> Sheet:
    lines = [(number, tuple(map(_strip_cell, cells))) for number, cells in rows]
    if not lines:
        raise InputError(f"{name}: empty: no header and no rows")
    if len(lines) == 1:
        raise InputError(f"{name}: empty: a header and no rows")
    notes: tuple[str, ...] = ()
    if blank:
        what = f"{pluralise(len(blank), 'row')} without a value"
        first = "the first is " if len(blank) > 1 else ""
        notes = (f"{name}: {what} ({first}{unit} {blank[0]}), skipped",)
    return Sheet(name, "", lines[0][1], tuple(lines[1:]), unit=unit, notes=notes)


def _strip_cell(cell: str) -> str:
    return cell if isinstance(cell, AlteredCell) else cell.strip(WHITE_SPACE)


def _decode_utf_16(source: Source) -> str:
    data = source.read()
    try:
        text = data.decode("utf-16")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{source.name}: not valid UTF-16 (byte {error.start:,}): {error.reason}"
        ) from None
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise InputError(f"{source.name}: line {line}: a zero character: binary, not text")
    return text


def take_written_counts(
    sheet: Sheet, rows: Sequence[Row], names: Sequence[str]
) -> tuple[list[Row], tuple[str, ...]]:
    """Return rows with counts as plain digits, and a note on those that were written otherwise.

    Counts are all columns but ``names``. What is not one integer for certain is left as it is.
    """
    changed: list[str] = []
    plain = []
    for row in rows:
        cells = dict(row.cells)
        for column, text in row.cells.items():
            count = None if column in names else parse_written_count(text, row.decimal_mark)
            if count is not None and not text.isdigit():
                cells[column] = str(count)
                changed.append(f"{quote(text)} on {sheet.unit} {row.line} is {count}")
        plain.append(replace(row, cells=cells))
    if not changed:
        return plain, ()
    others = len(changed) - MAX_NAMED
    more = f", and {others:,} more" if others > 0 else ""
    what = f"{pluralise(len(changed), 'count')} with separators or decimal zeros"
    return plain, (f"{sheet.source}: {what}: {', '.join(changed[:MAX_NAMED])}{more}",)


def parse_count(row: Row, column: str, errors: ErrorList) -> int | None:
    """Return an integer of at least 0; for anything else add an error and return None."""
    text = row[column]
    if text.isascii() and text.isdigit() and len(text) <= MAX_COUNT_DIGITS:
        return int(text)
    hint = count_hint(text, row.decimal_mark)
    errors.add(f"{column} must be an integer of at least 0; got {quote(text)}{hint}", row.line)
    return None


def _describe_columns(names: Sequence[str]) -> str:
    return (
        f"column {quote_several(names)} is"
        if len(names) == 1
        else f"columns {quote_several(names)} are"
    )


MAX_CELL = (
    1 << 31
) - 1  # characters; csv's own limit of 128 KiB is less than the text of some documents
ROWS = 256  # fewer than the new lists that start a garbage collection


def read_rows(
    data: bytes,
    separator: str,
    source: str,
    *,
    comments: bool = False,
    blank: list[int] | None = None,
) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the cells of each row, the header first.

    With ``comments``, lines above the header that begin with ``#`` are ignored. With ``blank``, the
    lines of rows without a value are added to it, which are errors otherwise. Errors of rows are
    raised after the last row.
    """
    csv.field_size_limit(MAX_CELL)  # for the whole process; csv has no other way
    errors = ErrorList(source)
    between_rows = True

    def lines() -> Iterator[str]:
        nonlocal between_rows
        for line in TextIOWrapper(BytesIO(data), encoding="utf-8", newline=""):
            is_comment = comments and between_rows and not width and line.startswith("#")
            between_rows = False
            yield "\n" if is_comment else line

    reader = csv.reader(lines(), delimiter=separator, strict=True)
    width = n_lines = last_empty = 0
    try:
        for cells in reader:
            line, n_lines, between_rows = n_lines + 1, reader.line_num, True
            is_empty = not (
                (cells and cells[0].strip(WHITE_SPACE)) or "".join(cells).strip(WHITE_SPACE)
            )
            if is_empty and len(cells) < 2 and cells != [""]:  # two quotes are a cell
                last_empty = line
                continue
            if is_empty and len(cells) > 1 and blank is not None:
                blank.append(line)
                continue
            if width == 1 and last_empty:  # it may be a missing value
                errors.add("an empty line in a table of one column", last_empty)
                last_empty = 0
            if not width:
                width, last_empty = len(cells), 0
            elif len(cells) != width:
                errors.add(f"{len(cells)} cells where the header has {width}", line)
                continue
            elif is_empty and width > 1:
                errors.add("every cell is empty; delete the row", line)
                continue
            yield line, cells
    except csv.Error as error:
        raise InputError(f"{source}: line {n_lines + 1}: {error}") from None
    errors.raise_if_any()


def read_columns(data: bytes, separator: str, source: str) -> dict[str, list[str]]:
    """Return the cells of each column by its name in the header."""
    rows = read_rows(data, separator, source)
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
