"""A table as HTML to stand among other things, as in a notebook: plain, accessible and escaped.

The page around it decides on fonts and colours; what is set here is where numbers stand and how the
small bars of intervals look, drawn in the colour of the text, so that light and dark both work. A
table with very many rows or columns is cut, and says so: the whole of it is in the records.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from .tables import Bar, Table

__all__ = ["table_html"]

MOST_ROWS, MOST_COLUMNS = 100, 14
BAR_WIDTH, BAR_HEIGHT, MARGIN = 120, 12, 4  # pixels; a dot at the edge stays whole
MIDDLE = BAR_HEIGHT // 2
PADDED = "padding:.2em .6em"
LEFT, RIGHT = (f"text-align:{side};{PADDED}" for side in ("left", "right"))
#: a page without a doctype would have its own colour for tables
AROUND = "color:inherit;border-collapse:collapse;margin-bottom:1em"


def table_html(table: Table) -> str:
    """One table, its title and caption above it; numbers to the right."""
    n_columns = min(len(table.headings), MOST_COLUMNS)
    scale = _scale(table.bars)
    head = "".join(
        f'<th scope="col" style="{_side(k, table)}">{escape(heading)}</th>'
        for k, heading in enumerate(table.headings[:n_columns])
    )
    if scale:
        head += f'<th scope="col" style="{LEFT}">interval</th>'
    rows = (
        _row(cells[:n_columns], table, table.bars[place] if scale else None, scale)
        for place, cells in enumerate(table.cells[:MOST_ROWS])
    )
    return (
        f'<table class="irbounds" style="{AROUND}">{_caption(table)}'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>{_cut(table)}"
    )


def _caption(table: Table) -> str:
    more = f"<br><small>{escape(table.caption)}</small>" if table.caption else ""
    return f'<caption style="{LEFT};color:inherit">{escape(table.title)}{more}</caption>'


def _row(
    cells: Sequence[str], table: Table, bar: Bar | None, scale: tuple[float, float] | None
) -> str:
    """The first cell names the row."""
    first, *others = cells
    named = f'<th scope="row" style="{_side(0, table)}">{escape(first)}</th>'
    rest = "".join(
        f'<td style="{_side(k, table)}">{escape(cell)}</td>' for k, cell in enumerate(others, 1)
    )
    drawn = f"<td>{_bar(bar, scale)}</td>" if scale else ""
    return f"<tr>{named}{rest}{drawn}</tr>"


def _side(column: int, table: Table) -> str:
    return LEFT if column < table.first_number else RIGHT


def _scale(bars: Sequence[Bar | None]) -> tuple[float, float] | None:
    """From the lowest to the highest number of all bars; None where there is nothing to draw."""
    known = [x for bar in bars if bar for x in bar if math.isfinite(x)]
    return (min(known), max(known)) if known and min(known) < max(known) else None


def _bar(bar: Bar | None, scale: tuple[float, float] | None) -> str:
    """A dot, on a line from low to high where both are known; zero is a dashed line.

    An end that is not bounded is that of the scale.
    """
    if bar is None or scale is None:
        return ""
    low, value, high = bar
    parts = [_line(0.0, 0.0, scale, 1)] if scale[0] < 0 < scale[1] else []
    if not (math.isnan(low) or math.isnan(high)):
        parts.append(_line(low, high, scale, 2))
    if math.isfinite(value):
        parts.append(
            f'<circle cx="{_place(value, scale)}" cy="{MIDDLE}" r="3.5" fill="currentColor"/>'
        )
    return (
        f'<svg width="{BAR_WIDTH}" height="{BAR_HEIGHT}" aria-hidden="true" focusable="false">'
        f"{''.join(parts)}</svg>"
    )


def _line(low: float, high: float, scale: tuple[float, float], width: int) -> str:
    """Between two numbers, or from top to bottom where they are one."""
    ends = (0, BAR_HEIGHT) if low == high == 0 else (MIDDLE, MIDDLE)
    dashes = ' stroke-dasharray="2 2"' if low == high == 0 else ""
    return (
        f'<line x1="{_place(low, scale)}" x2="{_place(high, scale)}" y1="{ends[0]}" '
        f'y2="{ends[1]}" stroke="currentColor" stroke-width="{width}"{dashes}/>'
    )


def _place(number: float, scale: tuple[float, float]) -> float:
    least, most = scale
    share = (min(max(number, least), most) - least) / (most - least)
    return round(MARGIN + (BAR_WIDTH - 2 * MARGIN) * share, 1)


def _cut(table: Table) -> str:
    """What is not shown, and where it is."""
    rows, columns = len(table.cells) - MOST_ROWS, len(table.headings) - MOST_COLUMNS
    left = [
        f"{number:,} {what}"
        for number, what in ((rows, "rows"), (columns, "columns"))
        if number > 0
    ]
    return f"<p>not shown: {' and '.join(left)}; records has all</p>" if left else ""
