"""Small tables that people keep by hand: a header and rows, read line by line.

Sheets of counts and of assessments have at most some ten thousand lines, so the standard library
reads them, at no cost to the start of a command. Cells stay text; whoever knows what a column means
turns them into numbers, and names the line where that fails. The header tells what separates cells:
a tab, a semicolon, as spreadsheets write it where the comma is a decimal point, or a comma.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import InputError, quote, quote_several
from ..parameters import grouping_hint
from .delimited import read_rows
from .problems import Problems
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
        f"{column} must be a whole number of at least 0; got {quote(text)}{grouping_hint(text)}",
        row.line,
    )
    return None


def _columns(names: Sequence[str]) -> str:
    return (
        f"column {quote_several(names)} is"
        if len(names) == 1
        else f"columns {quote_several(names)} are"
    )
