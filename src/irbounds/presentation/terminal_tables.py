"""Where the columns of a table go on a terminal of some width.

A wide terminal shows everything on one line a row, and draws the intervals as small bars in what
room is left. A narrow one first has headings on two lines, then names folded, then goes without the
columns that the table can spare; which ones these are is said below it. Numbers are never cut:
where even that does not help, lines are longer than the terminal is wide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rich import box
from rich.cells import cell_len, chop_cells
from rich.markup import escape
from rich.table import Table as RichTable

from .bars import BOXES, Strokes, bar_scale, bar_text, scale_text
from .printable import printable
from .tables import Table
from .words import counted

GAP = 2  # blanks between columns
LEAST_TEXT = 12  # a name is folded, but not to less than this
EASY_TEXT = 20  # nor to less than this while there are columns to spare
LEAST_BAR = 16  # less would show nothing
MOST_BAR = 48  # more would part the bars from their numbers
NAMED = 5  # columns that are left out, by name
BLANK = "\N{NO-BREAK SPACE}"  # in place of a mark
#: how to see the rows and tables that a terminal leaves out
WHERE_ALL_IS = "--verbose or --output FILE.csv, in Python .to_pandas()"


@dataclass(frozen=True)
class Layout:
    """What of a table is shown, and how wide."""

    #: places of the columns that are shown, in the table
    columns: tuple[int, ...]
    #: their headings, with line ends where they are broken
    headings: tuple[str, ...]
    widths: tuple[int, ...]
    #: width of the bars, 0 for none
    bar: int = 0

    @property
    def total(self) -> int:
        """How wide all columns are together."""
        bar = self.bar + GAP if self.bar else 0
        return sum(self.widths) + GAP * (len(self.widths) - 1) + bar


def printable_table(table: Table) -> Table:
    """The table with nothing in its cells and headings that a terminal would obey."""
    return replace(
        table,
        headings=tuple(map(printable, table.headings)),
        cells=tuple(tuple(map(printable, row)) for row in table.cells),
        spare=tuple(map(printable, table.spare)),
    )


def without_bold(table: Table) -> Table:
    """Return the table with an asterisk in place of bold, for text without styles."""
    if not table.strong:
        return table
    cells = [list(row) for row in table.cells]
    for place in {place for _, place in table.strong}:
        strong = {row for row, column in table.strong if column == place}
        free = all(cells[row][place].endswith(BLANK) for row in strong)  # room of a mark
        for row, texts in enumerate(cells):
            text = texts[place].removesuffix(BLANK) if free and row in strong else texts[place]
            texts[place] = text + ("*" if row in strong else "" if free else BLANK)
    caption = table.caption.replace("bold: best", "*: best")
    return replace(table, cells=tuple(map(tuple, cells)), caption=caption, strong=frozenset())


def select_shown_rows(table: Table) -> Table:
    """Return the table with the rows that a terminal shows."""
    rows = table.shown_rows
    if not rows:
        return table
    return replace(
        table,
        cells=tuple(table.cells[row] for row in rows),
        bars=tuple(table.bars[row] for row in rows) if table.bars else (),
        strong=frozenset((rows.index(row), k) for row, k in table.strong if row in rows),
    )


def layout(table: Table, width: int) -> Layout:
    """The fullest layout that fits, else the narrowest."""
    found = next((one for one in _layouts(table) if one.total <= width), None)
    if found is None:
        # names give way before numbers: what is narrowest is shown, and is too wide
        return list(_layouts(table))[-1]
    found = _with_names(found, table, width)
    left = width - found.total - GAP
    if not any(table.bars) or left < LEAST_BAR:
        return found
    return Layout(found.columns, found.headings, found.widths, min(left, MOST_BAR))


def _layouts(table: Table) -> Iterator[Layout]:
    """From the fullest to the narrowest."""
    everything = range(len(table.headings))
    yield _layout(table, everything, cells_only=False, least=None)
    subsets = [list(everything)]
    for heading in table.spare:  # one that several columns have drops the last of them
        shown = subsets[-1]
        gone = max((k for k in shown if table.headings[k] == heading), default=None)
        subsets.append([place for place in shown if place != gone])
    for least in (EASY_TEXT, LEAST_TEXT):
        for shown in subsets:
            yield _layout(table, shown, cells_only=True, least=least)


def _layout(table: Table, shown: Sequence[int], *, cells_only: bool, least: int | None) -> Layout:
    """Columns as wide as their cells and headings; ``cells_only``: headings on several lines."""
    headings, widths = [], []
    for place in shown:
        heading, cells = table.headings[place], [row[place] for row in table.cells]
        widest = max(map(cell_len, cells), default=0)
        if least is not None and place < table.first_number:
            widest = min(widest, least)
        if cells_only:
            heading = _broken(heading, max(widest, _least_heading(heading, least)))
        headings.append(heading)
        widths.append(max(widest, *map(cell_len, heading.split("\n"))))
    return Layout(tuple(shown), tuple(headings), tuple(widths))


def _least_heading(heading: str, least: int | None) -> int:
    """How narrow two lines can be; a long word, as a system's name is, may be folded."""
    words = heading.split(" ")
    halves = [
        max(cell_len(" ".join(words[:k])), cell_len(" ".join(words[k:])))
        for k in range(1, len(words))
    ]
    return min([cell_len(heading), *halves, *([least] if len(words) == 1 and least else [])])


def _broken(heading: str, width: int) -> str:
    """A heading on as many lines of ``width`` as it takes, broken at blanks where it has them."""
    lines: list[str] = []
    for word in heading.split(" "):
        if lines and cell_len(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines += chop_cells(word, max(width, 1)) or [""]
    return "\n".join(lines)


def _with_names(found: Layout, table: Table, width: int) -> Layout:
    """Names get back what room is left, before bars get any."""
    widths, left = list(found.widths), width - found.total
    for k, place in enumerate(found.columns):
        if place < table.first_number:
            widest = max((cell_len(row[place]) for row in table.cells), default=0)
            more = min(max(widest - widths[k], 0), left)
            widths[k] += more
            left -= more
    return Layout(found.columns, found.headings, tuple(widths))


def drawn_table(table: Table, found: Layout, strokes: Strokes = BOXES) -> RichTable:
    """Return the table for rich to print; ``found`` says how wide."""
    drawn = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    for place, heading, width in zip(found.columns, found.headings, found.widths, strict=True):
        lines = (_aligned(table, place, line, width) for line in heading.split("\n"))
        drawn.add_column(
            escape("\n".join(lines)),
            width=width,
            no_wrap=place >= table.first_number,
            overflow="fold",
        )
    bars = _bars(table, found, strokes)
    if bars:
        drawn.add_column(bars[0], width=found.bar, no_wrap=True)
    for k, row in enumerate(table.cells):
        cells = []
        for place, width in zip(found.columns, found.widths, strict=True):
            text = escape(_aligned(table, place, row[place], width))
            cells.append(f"[bold]{text}[/bold]" if (k, place) in table.strong else text)
        drawn.add_row(*cells, *bars[k + 1 : k + 2])
    return drawn


def _aligned(table: Table, place: int, text: str, width: int) -> str:
    """Return a number with spaces before it: rich would drop the space of a missing mark."""
    room = width - cell_len(text) if place >= table.first_number else 0
    return " " * room + text


def _bars(table: Table, found: Layout, strokes: Strokes) -> list[str]:
    """The heading of the bars and a bar a row; nothing where there is no room for them."""
    ends = bar_scale(table.bars) if found.bar else None
    if ends is None:
        return []
    heading = scale_text(ends, found.bar)
    return [heading, *(bar_text(ends.parts(bar), found.bar, strokes) for bar in table.bars)]


def hidden_line(table: Table, found: Layout) -> str:
    """Which columns have no room, and how to see them; empty where all have."""
    shown = set(found.columns)
    hidden = [heading for k, heading in enumerate(table.headings) if k not in shown]
    hidden = list(dict.fromkeys(hidden))
    if not hidden:
        return ""
    named = ", ".join(hidden[:NAMED])
    more = f" and {len(hidden) - NAMED:,} more" if len(hidden) > NAMED else ""
    how = f"widen the terminal, or {table.instead}" if table.instead else "widen the terminal"
    return f"no room for {named}{more}: {how}; CSV and records have all columns"


def detail_line(tables: Sequence[Table]) -> str:
    """Return how many tables are left out and where they are; empty where all are shown."""
    n = sum(table.is_detail for table in tables)
    return f"{counted(n, 'table')} of numbers: {WHERE_ALL_IS}" if n else ""
