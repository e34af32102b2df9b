"""A table as a page holds it: rows to look at, small bars, and all else packed.

A page shows the first rows of a long table and holds the rest compressed, with the table's full
records as CSV; the page's script unpacks them when a reader sorts, copies or asks for all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from .packing import packed
from .tables import Bar, Table, render

__all__ = ["SHOWN_ROWS", "HtmlTable", "html_table"]

SHOWN_ROWS = 200
WIDTH, MARGIN = 110, 5  # of a bar's picture; the margin keeps a dot at the edge whole


@dataclass(frozen=True)
class HtmlRow:
    """Cells of one row, whose system it is, and its bar's places."""

    cells: tuple[str, ...]
    system: str | None
    baseline: str | None
    #: where low, value and high are drawn
    bar: tuple[float, float, float] | None


@dataclass(frozen=True)
class HtmlRows:
    """What the template makes ``tr`` elements of."""

    rows: Sequence[HtmlRow]
    first_number: int
    has_bars: bool
    #: where the bars' zero is drawn, if it lies among them
    zero: float | None


@dataclass(frozen=True)
class HtmlTable:
    """What the template makes a ``table`` element of."""

    number: int
    title: str
    caption: str
    headings: tuple[str, ...]
    first_number: int
    #: ends of the bars' scale, as text; empty without bars
    scale: tuple[str, ...]
    rows: str
    n_rows: int
    #: whether there are rows besides those shown
    is_long: bool
    #: JSON of the CSV and of the other rows: deflated, then base64
    packed: str


def html_table(table: Table, markup: Callable[[HtmlRows], str], number: int) -> HtmlTable:
    """A table with its rows made into markup, the first ones to be shown and the others packed."""
    scale = _scale(table.bars)
    rows = _rows(table, scale)
    zero = _place(0.0, scale) if scale and scale[0] < 0 < scale[1] else None
    shown, others = (
        markup(HtmlRows(part, table.first_number, scale is not None, zero)) if part else ""
        for part in (rows[:SHOWN_ROWS], rows[SHOWN_ROWS:])
    )
    return HtmlTable(
        number=number,
        title=table.title,
        caption=table.caption,
        headings=table.headings,
        first_number=table.first_number,
        scale=tuple(f"{end:.2g}" for end in scale) if scale else (),
        rows=shown,
        n_rows=len(rows),
        is_long=len(rows) > SHOWN_ROWS,
        packed=packed({"csv": render([table], "csv", {}), "rows": others}),
    )


def _rows(table: Table, scale: tuple[float, float] | None) -> list[HtmlRow]:
    """Rows with their systems, where a row has a record of its own."""
    own = len(table.records) == len(table.cells)
    records = table.records if own else ()
    rows = []
    for cells, record, bar in zip_longest(table.cells, records, table.bars):
        names = (record.get(key) if record else None for key in ("system", "baseline"))
        system, baseline = (name if isinstance(name, str) else None for name in names)
        rows.append(HtmlRow(cells, system, baseline, _places(bar, scale)))
    return rows


def _scale(bars: Sequence[Bar | None]) -> tuple[float, float] | None:
    """The least and the largest number of all bars; None where there is nothing to draw."""
    known = [number for bar in bars if bar for number in bar if math.isfinite(number)]
    if not known or min(known) == max(known):
        return None
    return min(known), max(known)


def _places(
    bar: Bar | None, scale: tuple[float, float] | None
) -> tuple[float, float, float] | None:
    """Where a bar is drawn; an end that is not bounded lies at the edge."""
    if scale is None or bar is None or not math.isfinite(bar[1]):
        return None
    low = bar[0] if math.isfinite(bar[0]) else scale[0]
    high = bar[2] if math.isfinite(bar[2]) else scale[1]
    return _place(low, scale), _place(bar[1], scale), _place(high, scale)


def _place(number: float, scale: tuple[float, float]) -> float:
    share = (number - scale[0]) / (scale[1] - scale[0])
    return round(MARGIN + (WIDTH - 2 * MARGIN) * share, 1)
