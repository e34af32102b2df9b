"""Tables of papers, our numbers compared with theirs: results, terminal tables and figures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..presentation.explanations import add_explanations
from ..presentation.figures.dots import Dot, draw_dots
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import NOISE, UNKNOWN, fixed, with_sign, within_noise
from ..presentation.table import Table
from ..results.result import Result

if TYPE_CHECKING:
    from ..presentation.figures.style import Figure

HEADING = "The paper compared with irbounds"
ALWAYS_SHOWN = 3  # our collection and two of the paper's


@dataclass(frozen=True)
class StudyTable(Result):
    """A table of a paper, our numbers next to the paper's."""

    study: str
    #: the table's number in the paper
    number: int
    title: str
    #: above the names of the rows
    corner: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    #: row x column
    ours: tuple[tuple[float, ...], ...]
    theirs: tuple[tuple[float, ...], ...]
    #: simulation noise of ours; NaN where it is not known
    noise: tuple[tuple[float, ...], ...]
    #: as printed in the paper
    decimals: int = 3
    #: what the paper calls it, where that is not ``Table`` and the number
    name: str = ""

    def _records(self) -> list[dict[str, Any]]:
        """Return one record per number, ours and theirs in it."""
        return [
            {
                "study": self.study,
                "table": self.name or self.number,
                "row": row,
                "column": column,
                "ours": self.ours[r][c],
                "theirs": self.theirs[r][c],
                "difference": self.ours[r][c] - self.theirs[r][c],
                "noise": self.noise[r][c] if self.noise else math.nan,
            }
            for r, row in enumerate(self.rows)
            for c, column in enumerate(self.columns)
        ]


@dataclass(frozen=True)
class CollectionTable(Result):
    """A table of a paper with a column per collection, our numbers before the paper's."""

    study: str
    #: the table's number in the paper
    number: int
    title: str
    #: above the names of the rows
    corner: str
    rows: tuple[str, ...]
    #: ours first, then the paper's
    collections: tuple[str, ...]
    #: what a cell holds, as in ``("mean", "sd")``
    parts: tuple[str, ...]
    #: row x collection x part; NaN where the paper has no such row
    numbers: tuple[tuple[tuple[float, ...], ...], ...]
    #: between the parts of a cell
    between: str
    #: as printed in the paper
    decimals: int

    def _records(self) -> list[dict[str, Any]]:
        """Return one record per number."""
        return [
            {
                "study": self.study,
                "table": self.number,
                "row": row,
                "collection": collection,
                "source": "paper" if c else "ours",
                "part": part,
                "value": value,
            }
            for r, row in enumerate(self.rows)
            for c, collection in enumerate(self.collections)
            for part, value in zip(self.parts, self.numbers[r][c], strict=True)
        ]


def study_sentence(tables: Sequence[StudyTable]) -> str:
    """Return the largest difference of all, and where it is."""
    largest = max(
        (abs(record["difference"]), f"Table {table.number}, {record['row']}, {record['column']}")
        for table in tables
        for record in table.records()
        if record["column"] not in ("sd", "max") and record["row"] != "CI width"
    )
    distance, where = fixed(largest[0], UNKNOWN), largest[1]
    return f"largest difference of a mean error from the paper's: {distance} ({where})"


def _study_table(table: StudyTable) -> Table:
    """Return a table with our number, the paper's and the difference in each cell."""
    headings, cells = _spread_cells(table) if table.corner else _stack_cells(table)
    label = table.name or f"Table {table.number}"
    return Table(f"{label}: {table.title}", headings, cells, tuple(table.records()))


Cells = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]


def _spread_cells(table: StudyTable) -> Cells:
    """Return the three side by side; only ours where the paper prints nothing."""
    headings = [table.corner]
    places: list[int] = []
    for c, column in enumerate(table.columns):
        is_printed = any(not math.isnan(row[c]) for row in table.theirs)
        headings += [column, "paper", "diff"] if is_printed else [column]
        places += range(3 * c, 3 * c + (3 if is_printed else 1))
    triples = [list(_triples(table, r)) for r in range(len(table.rows))]
    cells = ((row, *(triples[r][k] for k in places)) for r, row in enumerate(table.rows))
    return tuple(headings), tuple(cells)


def _stack_cells(table: StudyTable) -> Cells:
    """Return the three one below the other, as the paper's table is wide."""
    cells = []
    for r, row in enumerate(table.rows):
        triples = list(_triples(table, r))
        for k, name in enumerate((row, "  paper", "  diff")):
            cells.append((name, *triples[k::3]))
        if table.noise:
            cells.append(("  noise", *(fixed(x, table.decimals + 1) for x in table.noise[r])))
    return (table.corner, *table.columns), tuple(cells)


def _triples(table: StudyTable, row: int) -> Iterator[str]:
    for ours, theirs in zip(table.ours[row], table.theirs[row], strict=True):
        yield fixed(ours, table.decimals)
        yield fixed(theirs, table.decimals)
        yield with_sign(ours - theirs, table.decimals)


def _collection_table(table: CollectionTable) -> Table:
    """Return a column per collection; a narrow terminal leaves out the last ones."""
    return Table(
        f"Table {table.number}: {table.title}",
        (table.corner, *table.collections),
        tuple(
            (row, *(_join_parts(table, numbers) for numbers in table.numbers[r]))
            for r, row in enumerate(table.rows)
        ),
        tuple(table.records()),
        spare=tuple(reversed(table.collections[ALWAYS_SHOWN:])),
    )


def _join_parts(table: CollectionTable, numbers: Sequence[float]) -> str:
    """Return ``2.5 / 94.7 / 2.8`` or ``0.047 ± 0.030``; one dash where nothing is known."""
    if all(map(math.isnan, numbers)):
        return "-"
    return table.between.join(fixed(number, table.decimals) for number in numbers)


def _study_tables(tables: Sequence[StudyTable], view: View) -> list[Table]:
    return list(map(_study_table, tables))


def _collection_tables(tables: Sequence[CollectionTable], view: View) -> list[Table]:
    return list(map(_collection_table, tables))


def draw_study_numbers(tables: Sequence[StudyTable]) -> Figure:
    """Draw a paper's numbers and ours, row by row and column by column."""
    points = []
    for table in tables:
        for r, row in enumerate(table.rows):
            for c, column in enumerate(table.columns):
                label = ", ".join(filter(None, (row, column)))
                ours, noise = table.ours[r][c], table.noise[r][c] if table.noise else math.nan
                ends = within_noise(ours, noise, -math.inf, math.inf)  # not all are fractions
                points.append(Dot(label, ours, *ends, series="ours"))
                points.append(Dot(label, table.theirs[r][c], series="paper"))
    return draw_dots(
        [dot for dot in points if math.isfinite(dot.value)],
        axis="value",
        name=f"{tables[0].study}-numbers",
        title=f"{tables[0].name or f'Table {tables[0].number}'}: {tables[0].title}",
        reach=f"simulation noise of ours, {NOISE} standard errors to either side",
    )


def draw_collection_numbers(tables: Sequence[CollectionTable]) -> Figure:
    """Draw the first number of every cell, our collection and the paper's."""
    points = [
        Dot(f"{row}, {collection}", table.numbers[r][c][0], series="paper" if c else "ours")
        for table in tables
        for r, row in enumerate(table.rows)
        for c, collection in enumerate(table.collections)
    ]
    first = tables[0]
    return draw_dots(
        [dot for dot in points if math.isfinite(dot.value)],
        axis=first.parts[0],
        name=f"{first.study}-collections",
        title=f"Table {first.number}: {first.title}",
    )


present(
    StudyTable,
    Presentation(HEADING, tables=_study_tables, figures=(f"{__name__}:draw_study_numbers",)),
)
present(
    CollectionTable,
    Presentation(
        HEADING, tables=_collection_tables, figures=(f"{__name__}:draw_collection_numbers",)
    ),
)
add_explanations("irbounds.replications")
