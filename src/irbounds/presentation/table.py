"""Tables in every format, and the small interval bars in them.

People see rounded cells; programs read full records as CSV, JSON or JSON lines.

A bar ``├────●──┤`` reaches from the low end to the high end, with the value between them. The rows
of a table have one scale. A missing end, as of a one-sided interval, is an arrow. Without an
interval only the value is drawn, without a value only the interval. Zero is a dotted line if the
scale contains it, and a cross where a bar passes over it. The geometry is the same for terminals,
pages and notebooks: ``terminal`` draws it with characters, ``html.table_markup`` with lines.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from .escaping import escape_latex, escape_latex_number, escape_markdown
from .rounding import scale, tick

if TYPE_CHECKING:
    from ..results import Interval

MAX_LATEX_COLUMNS = 7  # of a paper's table, which fit a page
BarEnds: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True)
class Table:
    """Rounded ``cells`` for people and full ``records`` for programs, row by row."""

    title: str
    headings: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    records: tuple[Mapping[str, Any], ...]
    #: columns from this one on are numbers and are aligned to the right
    first_number: int = 1
    #: units, method, draws and seed
    caption: str = ""
    #: low, value and high of each row, drawn as small bars on one scale where there is space
    bars: tuple[BarEnds | None, ...] = ()
    #: headings that a narrow terminal may leave out, in the order in which they go
    spare: tuple[str, ...] = ()
    #: row and column of cells in bold
    strong: frozenset[tuple[int, int]] = frozenset()
    #: rows that a terminal shows if there are too many; all if empty
    shown_rows: tuple[int, ...] = ()
    #: a line on which rows these are
    shown_note: str = ""
    #: whether terminal and text leave the table out; pages, notebooks and data files contain it
    is_detail: bool = False
    #: whether sentences contain its numbers, so that no line says where a hidden table is
    is_stated: bool = False


def render(tables: Sequence[Table], form: str, about: Mapping[str, Any]) -> str:
    """Return text in one of the ``FORMATS``; ``about`` is added to the records in JSON."""
    return FORMATS[form](tables, about)


def _csv(tables: Sequence[Table], about: Mapping[str, Any]) -> str:
    """Return CSV with one header for tables of all kinds; missing values are empty."""
    text = io.StringIO()
    records = [record for table in tables for record in table.records]
    columns = dict.fromkeys(column for record in records for column in record)
    writer = csv.DictWriter(text, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows({k: "" if _is_nan(v) else v for k, v in r.items()} for r in records)
    return text.getvalue()


def _json(tables: Sequence[Table], about: Mapping[str, Any]) -> str:
    records = [_replace_unknown(record) for table in tables for record in table.records]
    return json.dumps({**about, "results": records}, indent=2, ensure_ascii=False) + "\n"


def _jsonl(tables: Sequence[Table], about: Mapping[str, Any]) -> str:
    return "".join(
        json.dumps(_replace_unknown(record), ensure_ascii=False) + "\n"
        for table in tables
        for record in table.records
    )


def _markdown(tables: Sequence[Table], about: Mapping[str, Any]) -> str:
    return "\n".join(_markdown_table(table) for table in tables)


def _markdown_table(table: Table) -> str:
    rule = ["---" if k < table.first_number else "---:" for k in range(len(table.headings))]
    headings, *rows = ([*map(escape_markdown, row)] for row in (table.headings, *table.cells))
    for r, k in table.strong:
        rows[r][k] = f"**{rows[r][k].strip()}**"
    body = "\n".join("| " + " | ".join(row) + " |" for row in (headings, rule, *rows))
    caption = f"\n{escape_markdown(table.caption)}\n" if table.caption else ""
    return f"**{escape_markdown(table.title)}**\n\n{body}\n{caption}"


def _latex(tables: Sequence[Table], about: Mapping[str, Any]) -> str:
    return "\n".join(("% needs \\usepackage{booktabs}", *map(_latex_table, tables)))


def trim_caption(table: Table, visible: Sequence[str]) -> str:
    """Return the caption without the parts that explain only columns that are not shown."""
    parts = table.caption.split("; ")
    return "; ".join(part for part in parts if not _explains_hidden(part, visible, table.headings))


def _explains_hidden(part: str, visible: Sequence[str], headings: Sequence[str]) -> bool:
    """Return whether a part such as ``low to high: 95 % of images`` is about hidden columns only.

    A note on ``p`` is also one on ``adjusted p``.
    """
    words, colon, _ = part.partition(": ")
    names = re.split(", | and | to ", words)
    if not colon or not set(names) <= set(headings):
        return False
    return not any(
        heading == name or heading.endswith(f" {name}") for name in names for heading in visible
    )


def _fit_page(table: Table) -> Table:
    """Return the table of a paper, which has cells in bold, with the columns that fit a page."""
    places = list(range(len(table.headings)))
    for heading in table.spare if table.strong else ():
        if len(places) > MAX_LATEX_COLUMNS:
            gone = max((k for k in places if table.headings[k] == heading), default=None)
            places = [place for place in places if place != gone]
    headings = tuple(table.headings[place] for place in places)
    return replace(
        table,
        headings=headings,
        cells=tuple(tuple(row[place] for place in places) for row in table.cells),
        caption=trim_caption(table, headings),
        strong=frozenset((row, places.index(k)) for row, k in table.strong if k in places),
    )


def _latex_table(table: Table) -> str:
    table = _fit_page(table)
    n_numbers = len(table.headings) - table.first_number
    lines = [_latex_row(row, table.first_number) for row in (table.headings, *table.cells)]
    for r in {row for row, _ in table.strong}:
        strong = {k for row, k in table.strong if row == r}
        lines[1 + r] = _latex_row(table.cells[r], table.first_number, strong)
    caption = "; ".join(filter(None, (table.title, table.caption)))
    dense = [r"\footnotesize", r"\setlength{\tabcolsep}{3pt}"] if table.strong else []
    return "\n".join(
        (
            r"\begin{table}",
            r"\centering",
            *dense,
            rf"\caption{{{escape_latex(caption)}}}",
            rf"\begin{{tabular}}{{{'l' * table.first_number}{'r' * n_numbers}}}",
            r"\toprule",
            lines[0],
            r"\midrule",
            *lines[1:],
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        )
    )


def _latex_row(row: Sequence[str], first_number: int, strong: Iterable[int] = ()) -> str:
    names, numbers = row[:first_number], row[first_number:]
    cells = [*map(escape_latex, names), *map(escape_latex_number, numbers)]
    for k in strong:
        cells[k] = rf"\textbf{{{cells[k]}}}"
    return " & ".join(cells) + r" \\"


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _replace_unknown(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record for JSON, which has no NaN and no infinity: both become null."""
    return {
        key: None if isinstance(value, float) and not math.isfinite(value) else value
        for key, value in record.items()
    }


FORMATS: dict[str, Callable[[Sequence[Table], Mapping[str, Any]], str]] = {
    "csv": _csv,
    "json": _json,
    "jsonl": _jsonl,
    "markdown": _markdown,
    "latex": _latex,
}


@dataclass(frozen=True)
class BarParts:
    """Positions of the parts of a bar, from 0 to 1 along the scale; None is not drawn."""

    zero: float | None = None
    #: first and last position
    line: tuple[float, float] | None = None
    value: float | None = None
    #: whether the line continues without an end
    is_open_low: bool = False
    is_open_high: bool = False


@dataclass(frozen=True)
class BarScale:
    """The numbers at the two edges of a bar."""

    low: float
    high: float
    #: decimals of both in the heading
    places: int

    @property
    def texts(self) -> tuple[str, str]:
        """The two ends as text."""
        return tick(self.low, self.places), tick(self.high, self.places)

    def parts(self, bar: BarEnds | None) -> BarParts:
        """Return the positions of the parts of a row's bar."""
        zero = self._locate(0.0) if self.low < 0 < self.high else None
        if bar is None:
            return BarParts(zero)
        low, value, high = bar
        middle = self._locate(value) if math.isfinite(value) else None
        if math.isnan(low) or math.isnan(high):
            return BarParts(zero, None, middle)
        line = self._locate(low), self._locate(high)
        return BarParts(zero, line, middle, math.isinf(low), math.isinf(high))

    def _locate(self, number: float) -> float:
        """Return the position of a number from 0 to 1, also of one beyond the scale."""
        return min(max((number - self.low) / (self.high - self.low), 0.0), 1.0)


def make_bar(value: float, interval: Interval) -> BarEnds:
    """Return the bar of an interval; an end that is no limit is infinite, drawn as an arrow."""
    low = float("-inf") if interval.alternative == "less" else interval.low
    high = float("inf") if interval.alternative == "greater" else interval.high
    return low, value, high


def make_bar_scale(bars: Iterable[BarEnds | None]) -> BarScale | None:
    """Return a scale with round ends around all bars; None if there are none."""
    numbers = [x for bar in bars if bar is not None for x in bar if math.isfinite(x)]
    return BarScale(*scale(min(numbers), max(numbers))) if numbers else None
