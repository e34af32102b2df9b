"""A table as a page holds it: rows to look at, small bars, and all else packed.

A page shows the first rows of a long table and holds the rest compressed, with the table's full
records as CSV; the page's script unpacks them when a reader sorts, copies or asks for all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from .escaping import spreadsheet_text
from .html_rows import HtmlLook, HtmlRows
from .packing import packed
from .printable import drawable
from .tables import Table, render

__all__ = ["SHOWN_ROWS", "HtmlTable", "html_table"]

SHOWN_ROWS = 200
TALL_ROWS = 40  # more stand in a box that scrolls, until a reader asks for all
#: classes of page.css
LOOK = HtmlLook(
    long_word=' class="wordy"',
    number=' class="number"',
    digest=' class="wordy hash"',
    bar=' class="bar"',
    ends=' class="ends"',
    between=' class="unseen"',
)


@dataclass(frozen=True)
class HtmlTable:
    """What the template makes a ``table`` element of."""

    number: int
    title: str
    caption: str
    #: rows as markup
    head: str
    rows: str
    n_rows: int
    #: whether there are rows besides those shown
    is_long: bool
    #: whether it stands in a box that scrolls
    is_tall: bool
    #: JSON of the CSV and of the other rows: deflated, then base64
    packed: str


def html_table(table: Table, number: int) -> HtmlTable:
    """A table with its rows made into markup, the first ones to be shown and the others packed."""
    made = HtmlRows(table, LOOK)
    rows = [made.row(k, _owners(table, k)) for k in range(len(table.cells))]
    shown, others = ("\n".join(part) for part in (rows[:SHOWN_ROWS], rows[SHOWN_ROWS:]))
    return HtmlTable(
        number=number,
        title=table.title,
        caption=table.caption,
        head=made.head(),
        rows=shown,
        n_rows=len(rows),
        is_long=len(rows) > SHOWN_ROWS,
        is_tall=len(rows) > TALL_ROWS,
        packed=packed({"csv": _csv(table), "rows": others}),
    )


def _csv(table: Table) -> str:
    """The full records; of a table whose records stand elsewhere, what it shows.

    Readers of a page open it with a spreadsheet, which must not run a name as a formula.
    """
    shown = (dict(zip(table.headings, row, strict=True)) for row in table.cells)
    rows = tuple(
        {spreadsheet_text(key): _cell(value) for key, value in row.items()}
        for row in table.records or shown
    )
    return render([replace(table, records=rows)], "csv", {})


def _cell(value: Any) -> Any:
    return spreadsheet_text(value) if isinstance(value, str) else value


def _owners(table: Table, place: int) -> str:
    """Whose row it is, where a row has a record of its own: what a click highlights."""
    own = len(table.records) == len(table.cells)
    record: Mapping[str, Any] = table.records[place] if own else {}
    if table.headings[0] == "run":  # a diagnosis calls systems what they are there
        record = {"system": table.cells[place][0]}
    named = ((key, record.get(key)) for key in ("system", "baseline"))
    names = ((key, drawable(name)) for key, name in named if isinstance(name, str))
    return "".join(f' data-{key}="{escape(name)}"' for key, name in names)
