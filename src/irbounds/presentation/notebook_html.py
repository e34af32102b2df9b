"""A table as HTML to stand among other things, as in a notebook: plain, accessible and escaped.

The page around it decides on fonts and colours; what is set here is where numbers stand, and the
small bars of intervals have the colour of the text, so that light and dark both work. A table with
very many rows or columns is cut, and says so: the whole of it is in the records.
"""

from __future__ import annotations

from dataclasses import replace
from html import escape

from .bar_svg import WIDTH
from .html_rows import HtmlLook, HtmlRows
from .tables import Table

__all__ = ["table_html"]

MOST_ROWS, MOST_COLUMNS = 100, 14
PADDED = "padding:.2em .6em"
LEFT, RIGHT = (f"text-align:{side};{PADDED}" for side in ("left", "right"))
#: a page without a doctype would have its own colour for tables
AROUND = "color:inherit;border-collapse:collapse;margin-bottom:1em"
APART = f"display:flex;justify-content:space-between;width:{WIDTH}px;font-weight:normal"
LOOK = HtmlLook(
    word=f' style="{LEFT}"',
    long_word=f' style="{LEFT}"',
    number=f' style="{RIGHT}"',
    bar=f' style="{LEFT}"',
    ends=f' style="{APART}"',
    has_bars_last=True,
)


def table_html(table: Table) -> str:
    """One table, its title and caption above it; numbers to the right."""
    made = HtmlRows(_cut(table), LOOK)
    rows = "".join(made.row(k) for k in range(len(made.table.cells)))
    return (
        f'<table class="irbounds" style="{AROUND}">{_caption(table)}'
        f"<thead>{made.head()}</thead><tbody>{rows}</tbody></table>{_not_shown(table)}"
    )


def _caption(table: Table) -> str:
    more = f"<br><small>{escape(table.caption)}</small>" if table.caption else ""
    return f'<caption style="{LEFT};color:inherit">{escape(table.title)}{more}</caption>'


def _cut(table: Table) -> Table:
    """The first rows and columns."""
    return replace(
        table,
        headings=table.headings[:MOST_COLUMNS],
        cells=tuple(row[:MOST_COLUMNS] for row in table.cells[:MOST_ROWS]),
        bars=table.bars[:MOST_ROWS],
    )


def _not_shown(table: Table) -> str:
    """What is not shown, and where it is."""
    rows, columns = len(table.cells) - MOST_ROWS, len(table.headings) - MOST_COLUMNS
    left = [
        f"{number:,} {what}"
        for number, what in ((rows, "rows"), (columns, "columns"))
        if number > 0
    ]
    return f"<p>not shown: {' and '.join(left)}; records has all</p>" if left else ""
