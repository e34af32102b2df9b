"""The papers' tables, ours beside theirs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from ..results import CollectionTable, StudyTable
from .rounding import UNKNOWN, fixed, signed
from .tables import Table

__all__ = ["collection_tables", "study_records", "study_sentence", "study_tables"]

ALWAYS_SHOWN = 3  # our collection and two of the paper's


def study_tables(tables: Sequence[StudyTable]) -> list[Table]:
    """One table for each of the paper's: a cell is our number, the paper's and the difference."""
    return [_across(table) if table.corner else _stacked(table) for table in tables]


def study_sentence(tables: Sequence[StudyTable]) -> str:
    """The largest difference of all, and where it is."""
    largest = max(
        (abs(record["difference"]), f"Table {table.number}, {record['row']}, {record['column']}")
        for table in tables
        for record in study_records(table)
        if record["column"] not in ("sd", "max") and record["row"] != "CI width"
    )
    distance, where = fixed(largest[0], UNKNOWN), largest[1]
    return f"largest difference of a mean error from the paper's: {distance} ({where})"


def _across(table: StudyTable) -> Table:
    """Ours, theirs and the difference side by side; ours alone where the paper prints nothing."""
    headings = [table.corner]
    shown: list[int] = []
    for c, column in enumerate(table.columns):
        printed = any(not math.isnan(row[c]) for row in table.theirs)
        headings += [column, "paper", "diff"] if printed else [column]
        shown += range(3 * c, 3 * c + (3 if printed else 1))
    cells = []
    for r, row in enumerate(table.rows):
        triples = list(_triples(table, r))
        cells.append((row, *(triples[k] for k in shown)))
    return _table(table, tuple(headings), tuple(cells))


def _stacked(table: StudyTable) -> Table:
    """Ours, theirs and the difference one below the other, as the paper's table is wide."""
    cells = []
    for r, row in enumerate(table.rows):
        triples = list(_triples(table, r))
        for k, name in enumerate((row, "  paper", "  diff")):
            cells.append((name, *triples[k::3]))
        if table.noise:
            cells.append(("  noise", *(fixed(x, table.decimals + 1) for x in table.noise[r])))
    return _table(table, (table.corner, *table.columns), tuple(cells))


def _triples(table: StudyTable, row: int) -> Iterator[str]:
    for ours, theirs in zip(table.ours[row], table.theirs[row], strict=True):
        yield fixed(ours, table.decimals)
        yield fixed(theirs, table.decimals)
        difference = ours - theirs
        yield signed(difference, table.decimals)


def _table(
    table: StudyTable, headings: tuple[str, ...], cells: tuple[tuple[str, ...], ...]
) -> Table:
    called = table.name or f"Table {table.number}"
    return Table(f"{called}: {table.title}", headings, cells, tuple(study_records(table)))


def study_records(table: StudyTable) -> Iterator[dict[str, Any]]:
    """One record a number, ours and theirs in it."""
    for r, row in enumerate(table.rows):
        for c, column in enumerate(table.columns):
            ours, theirs = table.ours[r][c], table.theirs[r][c]
            yield {
                "study": table.study,
                "table": table.name or table.number,
                "row": row,
                "column": column,
                "ours": ours,
                "theirs": theirs,
                "difference": ours - theirs,
                "noise": table.noise[r][c] if table.noise else math.nan,
            }


def collection_tables(tables: Sequence[CollectionTable]) -> list[Table]:
    """One table for each of the paper's, a column for each collection.

    A narrow terminal may leave out the last collections, but never the first two of the paper's.
    """
    return [
        Table(
            f"Table {table.number}: {table.title}",
            (table.corner, *table.collections),
            tuple(
                (row, *(_joined(table, numbers) for numbers in table.numbers[r]))
                for r, row in enumerate(table.rows)
            ),
            tuple(_collection_records(table)),
            spare=tuple(reversed(table.collections[ALWAYS_SHOWN:])),
        )
        for table in tables
    ]


def _joined(table: CollectionTable, numbers: Sequence[float]) -> str:
    """``2.5 / 94.7 / 2.8`` or ``0.047 ± 0.030``; one dash where nothing is known."""
    if all(map(math.isnan, numbers)):
        return "-"
    return table.between.join(fixed(number, table.decimals) for number in numbers)


def _collection_records(table: CollectionTable) -> Iterator[dict[str, Any]]:
    for r, row in enumerate(table.rows):
        for c, collection in enumerate(table.collections):
            for part, value in zip(table.parts, table.numbers[r][c], strict=True):
                yield {
                    "study": table.study,
                    "table": table.number,
                    "row": row,
                    "collection": collection,
                    "source": "paper" if c else "ours",
                    "part": part,
                    "value": value,
                }
