"""Tables and sections as HTML, for pages and notebooks, with interval bars.

Text is escaped. A page has classes and a style sheet; a payload contains the table's records as CSV
and all but the first rows of a long table. A notebook has inline styles, and a long table is cut.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from ..escaping import escape_formula, make_drawable
from ..page_content import Section
from ..table import BarParts, Table, make_bar_scale, render

SHOWN_ROWS = 200  # of a page's table; the rest are in the payload
TALL_ROWS = 15  # of a page's table; more are in a box that scrolls
MAX_ROWS, MAX_COLUMNS = 100, 14  # of a notebook's table
LONG = 32  # characters of a cell that may be wrapped
DIGEST = re.compile("(sha256:)?[0-9a-f]{32,}")
OWNERS = ("system", "baseline", "measure")

BAR_WIDTH, BAR_HEIGHT, BAR_MARGIN, ARROW = 110, 12, 5, 4  # pixels
MIDDLE = BAR_HEIGHT // 2
INK = 'stroke="currentColor" fill="none"'


@dataclass(frozen=True)
class _Style:
    """Attributes of cells, as markup that begins with a space."""

    word: str = ""
    long_word: str = ""
    number: str = ""
    digest: str = ""
    bar: str = ""
    #: of the two ends of the scale above the bars, and of the word between them
    ends: str = ""
    between: str = ""
    has_bars_last: bool = False


PAGE = _Style(
    long_word=' class="wordy"',
    number=' class="number"',
    digest=' class="wordy hash"',
    bar=' class="bar"',
    ends=' class="ends"',
    between=' class="unseen"',
)
LEFT, RIGHT = (f"text-align:{side};padding:.2em .6em" for side in ("left", "right"))
ENDS = f"display:flex;justify-content:space-between;width:{BAR_WIDTH}px;font-weight:normal"
NOTEBOOK = _Style(
    word=f' style="{LEFT}"',
    long_word=f' style="{LEFT}"',
    number=f' style="{RIGHT}"',
    digest=f' style="{LEFT}"',
    bar=f' style="{LEFT}"',
    ends=f' style="{ENDS}"',
    has_bars_last=True,
)


@dataclass(frozen=True)
class HtmlTable:
    """A table of a page, for its template."""

    number: int
    title: str
    caption: str
    head: str
    rows: str
    n_rows: int
    #: whether rows are in the payload only
    is_long: bool
    #: whether the table is in a box that scrolls
    is_tall: bool
    #: the CSV and the other rows
    payload: str


def make_html_table(table: Table, number: int) -> HtmlTable:
    """Return a page's table: the first rows as markup, the others and the CSV as payload."""
    from .content_security_policy import pack

    head, rows = _head_and_rows(table, PAGE, [_owners(table, k) for k in range(len(table.cells))])
    return HtmlTable(
        number=number,
        title=table.title,
        caption=table.caption,
        head=head,
        rows="\n".join(rows[:SHOWN_ROWS]),
        n_rows=len(rows),
        is_long=len(rows) > SHOWN_ROWS,
        is_tall=len(rows) > TALL_ROWS,
        payload=pack({"csv": _csv(table), "rows": "\n".join(rows[SHOWN_ROWS:])}),
    )


def render_notebook_table(table: Table) -> str:
    """Return a notebook's table, its title and caption above it."""
    cut = replace(
        table,
        headings=table.headings[:MAX_COLUMNS],
        cells=tuple(row[:MAX_COLUMNS] for row in table.cells[:MAX_ROWS]),
        bars=table.bars[:MAX_ROWS],
    )
    head, rows = _head_and_rows(cut, NOTEBOOK, [""] * len(cut.cells))
    caption = f"<br><small>{escape(table.caption)}</small>" if table.caption else ""
    missing = [
        f"{number:,} {what}"
        for number, what in (
            (len(table.cells) - MAX_ROWS, "rows"),
            (len(table.headings) - MAX_COLUMNS, "columns"),
        )
        if number > 0
    ]
    note = f"<p>not shown: {' and '.join(missing)}; records has all</p>" if missing else ""
    return (
        '<table class="irbounds" style="color:inherit;border-collapse:collapse;margin-bottom:1em">'
        f'<caption style="{LEFT};color:inherit">{escape(table.title)}{caption}</caption>'
        f"<thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>{note}"
    )


def _head_and_rows(table: Table, style: _Style, owners: Sequence[str]) -> tuple[str, list[str]]:
    """Return the row of headings and all rows, each with the attributes of its owner."""
    scale = make_bar_scale(table.bars)
    place = len(table.headings) if style.has_bars_last else table.first_number

    def side(column: int, cell: str = "") -> str:
        if DIGEST.fullmatch(cell):
            return style.digest
        if column >= table.first_number:
            return style.number
        return style.long_word if len(cell) > LONG else style.word

    def join(cells: list[str], bar: str) -> str:
        return "".join((*cells[:place], bar, *cells[place:]))

    def row(number: int) -> str:
        texts = (
            f"<strong>{escape(cell)}</strong>" if (number, k) in table.strong else escape(cell)
            for k, cell in enumerate(table.cells[number])
        )
        sides = (side(k, cell) for k, cell in enumerate(table.cells[number]))
        first, *others = (f"{side}>{text}" for side, text in zip(sides, texts, strict=True))
        cells = [f'<th scope="row"{first}</th>', *(f"<td{other}</td>" for other in others)]
        bar = f"<td{style.bar}>{_bar_svg(scale.parts(table.bars[number]))}</td>" if scale else ""
        return f"<tr{owners[number]}>{join(cells, bar)}</tr>"

    headings = [
        f'<th scope="col"{side(k)}>{escape(words)}</th>' for k, words in enumerate(table.headings)
    ]
    ends = ""
    if scale:
        low, high = scale.texts
        ends = (
            f'<th scope="col"{style.bar}><span{style.ends}><span>{low}</span>'
            f"<span{style.between}> to </span><span>{high}</span></span></th>"
        )
    return f"<tr>{join(headings, ends)}</tr>", [row(k) for k in range(len(table.cells))]


def _csv(table: Table) -> str:
    """Return the records, else the cells; a spreadsheet must not run a name as a formula."""
    cells = (dict(zip(table.headings, row, strict=True)) for row in table.cells)
    rows = tuple(
        {escape_formula(key): _csv_cell(value) for key, value in row.items()}
        for row in table.records or cells
    )
    return render([replace(table, records=rows)], "csv", {})


def _csv_cell(value: Any) -> Any:
    return escape_formula(value) if isinstance(value, str) else value


def _owners(table: Table, place: int) -> str:
    """Return the systems and the measure of a row, which a click on it selects."""
    has_records = len(table.records) == len(table.cells)
    record: Mapping[str, Any] = table.records[place] if has_records else {}
    if table.headings[0] == "run" or (not has_records and table.headings[0] == "system"):
        record = {"system": table.cells[place][0]}
    names = ((key, record.get(key)) for key in OWNERS)
    return "".join(
        f' data-{key}="{escape(make_drawable(name))}"'
        for key, name in names
        if isinstance(name, str)
    )


def _bar_svg(parts: BarParts) -> str:
    """Return an interval bar in the colour of the text, hidden from screen readers."""
    drawn = ""
    if parts.zero is not None:
        across = f'd="M{_pixel(parts.zero)} 0V{BAR_HEIGHT}"'
        drawn += f'<path class="zero" {across} {INK} stroke-dasharray="2 2"/>'
    if parts.line is not None:
        low, high = map(_pixel, parts.line)
        path = f"M{low} {MIDDLE}H{high}"
        path += _arrow(low, ARROW) if parts.is_open_low else ""
        path += _arrow(high, -ARROW) if parts.is_open_high else ""
        drawn += f'<path d="{path}" {INK} stroke-width="2"/>'
    if parts.value is not None:
        drawn += f'<circle cx="{_pixel(parts.value)}" cy="{MIDDLE}" r="3" fill="currentColor"/>'
    size = f'viewBox="0 0 {BAR_WIDTH} {BAR_HEIGHT}" width="{BAR_WIDTH}" height="{BAR_HEIGHT}"'
    return f'<svg {size} aria-hidden="true" focusable="false">{drawn}</svg>' if drawn else ""


def _arrow(tip: float, back: int) -> str:
    return f"M{tip + back} {MIDDLE - ARROW}L{tip} {MIDDLE}L{tip + back} {MIDDLE + ARROW}"


def _pixel(fraction: float) -> float:
    return round(BAR_MARGIN + (BAR_WIDTH - 2 * BAR_MARGIN) * fraction, 1)


def render_html(
    sections: Sequence[Section], lines: Sequence[str] = (), warnings: Sequence[str] = ()
) -> str:
    """Return sentences, tables and conclusions as HTML for a notebook."""
    parts = [f"<p>{escape(line)}</p>" for line in lines]
    for place, section in enumerate(sections):
        above = [*section.sentences, *(() if place else warnings)]
        parts += [f"<p>{escape(line)}</p>" for line in above]
        parts += [render_notebook_table(table) for table in section.tables]
        parts += [f"<p>{escape(line)}</p>" for line in section.conclusion]
    if not parts:
        return "<p>no results</p>"
    return f'<div style="overflow-x:auto">{"".join(parts)}</div>'
