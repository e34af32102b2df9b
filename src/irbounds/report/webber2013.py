"""Webber (2013) beside ours: intervals in one cell, and sentences on which numbers are met.

Tables whose paper numbers come from formulas are to be met to every printed digit. Those that come
from the paper's own random samples can be met within both sides' simulation noise only.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ..results import StudyTable
from .studies import study_records, study_tables
from .tables import Table

__all__ = ["FIGURE_NOTES", "finding_sentences", "webber_tables"]

INTERVALS = "Table XII"
SAME = "="  # where every printed digit is the paper's
FIGURE_NOTES = (
    "Figures 4 to 7: Wald's mean over all prevalences is 0.846; the paper's 0.851 is a mean over a "
    "grid that leaves out both ends, where coverage falls to 0 (0.005 to 0.995 by 0.005: 0.851)",
    "Figures 3, 8 and 15 to 17 are curves without printed numbers: ours stand alone, and sizes "
    "that the paper does not name are ours",
)
DRAWN = "beta-binomial"  # whose ends are quantiles of 10,000 draws in the paper


def webber_tables(tables: Sequence[StudyTable]) -> list[Table]:
    """One table for each; Table XII has two ends in a cell, as it would be too wide otherwise."""
    return [
        _intervals(table) if table.name == INTERVALS else study_tables([table])[0]
        for table in tables
    ]


def finding_sentences(tables: Sequence[StudyTable]) -> list[str]:
    """Which of the paper's numbers are met, and where ours are farthest from the others."""
    said = []
    for table in tables:
        if table.name == INTERVALS:
            said += _on_intervals(table)
        elif any(not math.isnan(theirs) for _, _, _, theirs in _numbers(table)):
            said.append(_on_distance(table))
    return said


def _intervals(table: StudyTable) -> Table:
    """Recall, then each method's interval beside the paper's."""
    methods = [column.removesuffix(" low") for column in table.columns[1::2]]
    headings = [table.corner, table.columns[0]]
    for method in methods:
        headings += [method, "paper"]
    cells = []
    for row, ours, theirs in zip(table.rows, table.ours, table.theirs, strict=True):
        line = [row, _shown(ours[:1], table.decimals)]
        for c in range(1, len(ours), 2):
            mine, printed = (_shown(ends[c : c + 2], table.decimals) for ends in (ours, theirs))
            line += [mine, SAME if mine == printed else printed]
        cells.append(tuple(line))
    title = f"{table.name}: {table.title} ({SAME}: the same)"
    return Table(title, tuple(headings), tuple(cells), tuple(study_records(table)))


def _shown(ends: Sequence[float], decimals: int) -> str:
    return "-".join(f"{end:.{decimals}f}" for end in ends)


def _on_intervals(table: StudyTable) -> list[str]:
    """What is met to the digit, and how far the rest is off."""
    met: dict[str, list[bool]] = {}
    off: dict[str, tuple[float, str]] = {}
    for row, column, ours, theirs in _numbers(table):
        method = column.rsplit(" ", 1)[0]
        same = _shown([ours], table.decimals) == _shown([theirs], table.decimals)
        met.setdefault(method, []).append(same)
        off[method] = max(off.get(method, (0.0, "")), (abs(ours - theirs), row))
    counted = ", ".join(f"{method} {sum(same)} of {len(same)}" for method, same in met.items())
    distance, where = off[DRAWN]
    return [
        f"{table.name}, numbers met to every printed digit: {counted}",
        f"{table.name}, {DRAWN}: the paper's ends are quantiles of 10,000 draws, ours are "
        f"computed; farthest apart {distance:.4f} ({where})",
    ]


def _on_distance(table: StudyTable) -> str:
    called = table.name or f"Table {table.number}"
    apart = [
        (abs(ours - theirs), f"{row}, {column}")
        for row, column, ours, theirs in _numbers(table)
        if not math.isnan(ours - theirs)
    ]
    distance, where = max(apart)
    within = sum(one <= 0.5 * 10.0**-table.decimals for one, _ in apart)
    return (
        f"{called}: {within} of {len(apart)} numbers within half of the last printed digit; "
        f"farthest apart {distance:.4f} ({where})"
    )


def _numbers(table: StudyTable) -> Iterator[tuple[str, str, float, float]]:
    for record in study_records(table):
        yield record["row"], record["column"], record["ours"], record["theirs"]
