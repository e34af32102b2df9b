"""Small tables that people keep by hand: CSV or TSV with a header, read line by line.

Sheets of counts and of assessments have at most some ten thousand lines, so the standard library
reads them, at no cost to the start of a command. Cells stay text; whoever knows what a column means
turns them into numbers, and names the line where that fails.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import InputError
from .problems import Problems
from .sources import Source

__all__ = ["Row", "Sheet", "parse_sheet", "read_sheet", "whole_count"]


@dataclass(frozen=True)
class Row:
    """One line's cells, by the meaning of their columns."""

    line: int
    cells: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells[column]


@dataclass(frozen=True)
class Sheet:
    """A header and its rows, not yet looked into."""

    source: str
    fingerprint: str
    headings: tuple[str, ...]
    #: line and cells
    lines: tuple[tuple[int, tuple[str, ...]], ...]

    def rows(self, columns: Sequence[str | None], problems: Problems) -> list[Row]:
        """Rows by meaning: what each heading stands for, None for a column that is passed over."""
        rows = []
        for line, cells in self.lines:
            if len(cells) != len(columns):
                problems.add(f"{len(cells)} cells where the header has {len(columns)}", line)
                continue
            named = zip(columns, cells, strict=True)
            rows.append(Row(line, {name: cell for name, cell in named if name is not None}))
        return rows

    def meanings(
        self, needed: Sequence[str], optional: Sequence[str], also: Mapping[str, str]
    ) -> list[str]:
        """What each heading stands for; ``also`` are further spellings, in which case matters."""
        known = [*needed, *optional]
        found = [also.get(heading, heading.lower()) for heading in self.headings]
        expected = f"expected are {', '.join(needed)}"
        if optional:
            expected += f" and, if wanted, {', '.join(optional)}"
        unknown = [h for h, one in zip(self.headings, found, strict=True) if one not in known]
        if unknown:
            raise InputError(f"{self.source}: {_columns(unknown)} not known; {expected}")
        twice = sorted({one for one in found if found.count(one) > 1})
        if twice:
            raise InputError(f"{self.source}: {_columns(twice)} there twice")
        missing = [one for one in needed if one not in found]
        if missing:
            raise InputError(f"{self.source}: no column {_listed(missing)}; {expected}")
        return found


def read_sheet(path: str | Path) -> Sheet:
    """A file, plain or packed, or ``-`` for standard input."""
    with Source(path) as source:
        text = source.text()
        return parse_sheet(source.name, text, source.fingerprint)


def parse_sheet(name: str, text: str, fingerprint: str) -> Sheet:
    """A header, then rows; blank lines and lines that begin with ``#`` do not count."""
    kept = ["" if line.startswith("#") else line for line in text.split("\n")]
    header = next((line for line in kept if line.strip()), "")
    reader = csv.reader(kept, delimiter="\t" if "\t" in header else ",", strict=True)
    lines: list[tuple[int, tuple[str, ...]]] = []
    try:
        for cells in reader:
            stripped = tuple(cell.strip() for cell in cells)
            if any(stripped):
                lines.append((reader.line_num, stripped))
    except csv.Error as error:
        raise InputError(f"{name}: line {reader.line_num}: {error}") from None
    if not lines:
        raise InputError(f"{name}: empty: no header and no rows")
    if len(lines) == 1:
        raise InputError(f"{name}: empty: a header and no rows")
    return Sheet(name, fingerprint, lines[0][1], tuple(lines[1:]))


def whole_count(row: Row, column: str, problems: Problems) -> int:
    """A whole number of at least 0; anything else is noted, and counts as 0 meanwhile."""
    text = row[column]
    if text.isascii() and text.isdigit():
        return int(text)
    problems.add(f"{column} must be a whole number of at least 0; got {text!r}", row.line)
    return 0


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(repr, names))


def _columns(names: Sequence[str]) -> str:
    return f"column {_listed(names)} is" if len(names) == 1 else f"columns {_listed(names)} are"
