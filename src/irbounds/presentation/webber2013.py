"""Webber (2013) beside ours: intervals in one cell, and sentences on which numbers are met.

Numbers that come from formulas are to be met to every printed digit. Those of Tables IX and X come
from the paper's own random corpora and samples, and ours from others: they are to be met within a
tolerance, which is wider for the normal family, whose coverage depends on a few extreme corpora.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .registry import make_tables
from .rounding import UNKNOWN, fixed, format_setting
from .table import Table

if TYPE_CHECKING:
    from ..results import StudyTable

INTERVALS, ERRORS, WIDTHS = "Table XII", "Table IX", "Table X"
SAME = "="  # where every printed digit is the paper's
DRAWN = "beta-binomial"  # whose ends are quantiles of 10,000 draws in the paper
NORMAL_FAMILY = ("normal", "laplace", "agresti-coull")
NAIVE = "naive-binomial"
#: how near the paper's a number is to be: of the normal family, and of the other methods
TOLERANCES = {"rmse": (0.03, 0.006), "cvr": (0.015, 0.01), "width": (0.02, 0.02)}
MEAN = "mean"  # over the scenarios, which follows from them
MOST_COLUMNS = 4  # that have the paper's numbers beside them in one table
NAMED = 3  # numbers that are not met, by name
FIGURE_NOTES = (
    "Figures 4 to 7: Wald's mean coverage is 0.846 by Equation 11; the paper's 0.851 has n - 1 "
    "in the place of n in the variance",
    "Figures 3, 8 and 15 to 17 are curves without printed numbers: ours stand alone, and sizes "
    "that the paper does not name are ours",
    "Figure 17: an upper end is 1 where nothing relevant is expected in the unretrieved sample; "
    "otherwise the best split would leave that sample out (the anomaly of Figure 15)",
)
COVERAGE_NOTES = (
    "naive-binomial: the paper does not say what its n is, so its numbers are not to be met; here "
    "it is the number of relevant documents in both samples",
    "a mean coverage of the normal family has a standard error of 0.006 over 1,000 realisations, "
    "ours and the paper's; over seeds 0 to 7 all of their means are within 0.011 of the paper's",
    "beta-binomial uniform, neutral: two or three corpora in 1,000 have so little left unretrieved "
    "that no interval holds; each of them adds 0.0009 to the square of its RMSE, and five or six "
    "would make the paper's 0.072",
)


def webber_tables(tables: Sequence[StudyTable]) -> list[Table]:
    """One table for each, or several where it would be too wide."""
    shown = []
    for table in tables:
        if table.name == INTERVALS:
            shown.append(_intervals(table))
        else:
            shown += make_tables(_narrower(table))
    return shown


def finding_sentences(tables: Sequence[StudyTable]) -> list[str]:
    """Which of the paper's numbers are met, and where ours are farthest from the others."""
    said = []
    for table in tables:
        if table.name == INTERVALS:
            said += _on_intervals(table)
        elif table.name in (ERRORS, WIDTHS):
            said += _on_coverage(table)
        elif any(not math.isnan(theirs) for _, _, _, theirs in _numbers(table)):
            said.append(_on_distance(table))
    return said


def _narrower(table: StudyTable) -> list[StudyTable]:
    """Two columns at a time, where many have the paper's beside them."""
    printed = any(not math.isnan(theirs) for row in table.theirs for theirs in row)
    if not printed or len(table.columns) <= MOST_COLUMNS:
        return [table]
    parts = []
    for first in range(0, len(table.columns), 2):
        of = slice(first, first + 2)
        parts.append(
            replace(
                table,
                columns=table.columns[of],
                ours=tuple(row[of] for row in table.ours),
                theirs=tuple(row[of] for row in table.theirs),
                noise=tuple(row[of] for row in table.noise),
            )
        )
    return parts


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
    return Table(title, tuple(headings), tuple(cells), tuple(table.records()))


def _shown(ends: Sequence[float], decimals: int) -> str:
    return "-".join(fixed(end, decimals) for end in ends)


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
        f"computed; farthest apart {fixed(distance, UNKNOWN)} ({where})",
    ]


def _on_coverage(table: StudyTable) -> list[str]:
    """How many numbers are within the tolerance, of both families of methods."""
    said = []
    for place, words in enumerate(("the normal family", "koopman and the posteriors")):
        met, missed, bounds = 0, [], dict[str, float]()
        for row, column, ours, theirs in _numbers(table):
            if row == NAIVE or column == MEAN or (row in NORMAL_FAMILY) == bool(place):
                continue
            what = column.rsplit(" ", 1)[-1] if table.name == WIDTHS else "rmse"
            bounds[what] = TOLERANCES[what][place]
            if abs(ours - theirs) <= bounds[what]:
                met += 1
            else:
                missed.append(f"{row}, {column} ({fixed(ours, 3)}, paper {format_setting(theirs)})")
        within = " and ".join(f"{format_setting(bound)} ({what})" for what, bound in bounds.items())
        said.append(
            f"{table.name}, {words}: {met} of {met + len(missed)} within {within} of the paper's"
            + _not_met(missed)
        )
    return said


def _beside(ours: float, theirs: float, decimals: int) -> str:
    return f"{fixed(ours, decimals)}, paper {fixed(theirs, decimals)}"


def _not_met(missed: Sequence[str]) -> str:
    if not missed:
        return ""
    more = f" and {len(missed) - NAMED} more" if len(missed) > NAMED else ""
    return f"; not: {'; '.join(missed[:NAMED])}{more}"


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
        f"farthest apart {fixed(distance, UNKNOWN)} ({where})"
    )


def _numbers(table: StudyTable) -> Iterator[tuple[str, str, float, float]]:
    for record in table.records():
        yield record["row"], record["column"], record["ours"], record["theirs"]
