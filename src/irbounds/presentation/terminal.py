"""Text output: tables and sentences on a terminal, plain columns in a pipe.

On a terminal, lines are broken at words and tables fit the width. In a pipe or a file, every
sentence and every row is on one line, for grep and diff.

A wide terminal shows all columns on one line per row, and draws the intervals as small bars in the
space that is left. A narrower one breaks headings over two lines, then folds names, then leaves out
the columns that the table lists as spare and names them below the table. Numbers are never cut: if
nothing helps, lines are longer than the terminal is wide.
"""

from __future__ import annotations

import io
import math
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from rich import box
from rich.cells import cell_len, chop_cells
from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable
from rich.text import Text

from .escaping import make_printable
from .page_content import Section
from .phrases import WHERE_ALL_IS, pluralise
from .table import BarParts, BarScale, Table, make_bar_scale, trim_caption
from .verbosity import is_quiet

WARNING = "warning:"
#: colours of the first word of a line
VERDICT_STYLES = {"PASS:": "bold green", "FAIL:": "bold red", "UNDECIDED:": "bold yellow"}
UNWRAPPED = 10_000  # a pipe has no width


@dataclass(frozen=True)
class Strokes:
    """The characters that bars are drawn with."""

    line: str
    low: str
    high: str
    value: str
    #: of ends that do not exist
    no_low: str
    no_high: str
    #: zero, next to a bar and under it
    zero: str
    crossed: str


BOXES = Strokes("─", "├", "┤", "●", "◄", "►", "┊", "┼")
ASCII = Strokes("-", "|", "|", "o", "<", ">", ":", "+")


class FileConsole(Console):
    """A console that writes only to its stream, also in a notebook."""

    def __init__(self, **options: Any) -> None:
        super().__init__(highlight=False, force_jupyter=False, **options)

    def on_broken_pipe(self) -> None:
        """Raise ``BrokenPipeError``; rich exits with status 1."""
        raise BrokenPipeError


def make_console(*, error: bool = False) -> Console:
    """Return a console for standard output or standard error; plain and unwrapped for a pipe."""
    if (sys.stderr if error else sys.stdout).isatty():
        return FileConsole(stderr=error)
    return FileConsole(stderr=error, width=UNWRAPPED, color_system=None)


def render_text(
    sections: Sequence[Section], lines: Sequence[str] = (), warnings: Sequence[str] = ()
) -> str:
    """Return sentences, tables and conclusions as a terminal shows them, without colours."""
    text = io.StringIO()
    width = shutil.get_terminal_size().columns
    console = FileConsole(file=text, width=width, color_system=None, force_terminal=True)
    print_lines(console, lines)
    for place, section in enumerate(sections):
        if place:
            console.print()
        section_warnings = () if place else warnings
        show(console, section.tables, section.sentences, section_warnings, section.conclusion)
    return "\n".join(map(str.rstrip, text.getvalue().splitlines())) or "no results"


def show(
    console: Console,
    tables: Sequence[Table],
    above: Sequence[str],
    warnings: Sequence[str],
    below: Sequence[str] = (),
) -> None:
    """Print sentences, warnings and tables, then the conclusion; details are left out."""
    print_lines(console, above)
    print_warnings(console, warnings)
    has_lines = bool(above or warnings)
    for table in tables:
        if table.is_detail:
            continue
        if has_lines:
            console.print()
        print_table(console, table)
        has_lines = True
    if below and has_lines:
        console.print()
    print_lines(console, below)
    details = "" if is_quiet() else describe_hidden_tables(tables)
    print_lines(console, [details] if details else [], "dim")


def print_lines(console: Console, lines: Sequence[str], style: str = "") -> None:
    """Print sentences: broken at words on a terminal, one line each elsewhere."""
    for line in _wrap(console, lines):
        text = Text(line, style=style)
        word = line.partition(" ")[0]
        if word in VERDICT_STYLES:
            text.stylize(VERDICT_STYLES[word], 0, len(word))
        console.print(text, soft_wrap=not console.is_terminal)


def print_warnings(console: Console, warnings: Sequence[str]) -> None:
    """Print one line per warning, which begins with a coloured word."""
    for warning in warnings:
        one_line = " ".join(warning.splitlines())  # a warning of another library may have several
        first, *rest = _wrap(console, [f"{WARNING} {one_line}"])
        text = Text.assemble((WARNING, "yellow"), first.removeprefix(WARNING))
        console.print(text, soft_wrap=not console.is_terminal)
        print_lines(console, rest)


def _wrap(console: Console, lines: Sequence[str]) -> Iterator[str]:
    """Yield lines that fit the terminal; a number stays with its percent sign."""
    for line in map(make_printable, lines):
        if not console.is_terminal:
            yield line
            continue
        for part in line.splitlines():
            tied = part.replace(" %", "\N{NO-BREAK SPACE}%")
            broken = textwrap.wrap(
                tied, console.width, break_long_words=False, break_on_hyphens=False
            )
            yield from (text.replace("\N{NO-BREAK SPACE}%", " %") for text in broken or [""])


def print_table(console: Console, table: Table) -> None:
    """Print a table, its title above and its caption below; plain columns if not on a terminal."""
    table = escape_table(table if console.color_system else replace_bold(table))
    print_lines(console, [table.title], "bold")
    if not console.is_terminal:
        print_lines(console, list(_format_plain_lines(table)))
        print_lines(console, [table.caption] if table.caption else [])
        return
    table = select_shown_rows(table)
    layout = choose_layout(table, console.width)
    with _widen(console, layout.total):
        console.print(
            make_rich_table(table, layout, _choose_strokes(console)), crop=False, no_wrap=True
        )
    below = (
        trim_caption(table, [table.headings[place] for place in layout.columns]),
        describe_hidden_columns(table, layout),
    )
    print_lines(console, [line for line in below if line], "dim")
    print_lines(console, [table.shown_note] if table.shown_note else [])


def _choose_strokes(console: Console) -> Strokes:
    """Return box-drawing characters, or ASCII where the terminal cannot encode them."""
    try:
        "".join(vars(BOXES).values()).encode(console.encoding)
    except UnicodeEncodeError:
        return ASCII
    return BOXES


def _measure_columns(table: Table) -> list[int]:
    rows = (table.headings, *table.cells)
    return [max(map(cell_len, column)) for column in zip(*rows, strict=True)]


def _format_plain_lines(table: Table) -> Iterator[str]:
    widths = _measure_columns(table)
    for row in (table.headings, *table.cells):
        pads = [" " * (width - cell_len(cell)) for width, cell in zip(widths, row, strict=True)]
        cells = [
            pad + cell if place >= table.first_number else cell + pad
            for place, (cell, pad) in enumerate(zip(row, pads, strict=True))
        ]
        yield "  ".join(cells).rstrip()


@contextmanager
def _widen(console: Console, width: int) -> Iterator[None]:
    """Make the console at least so wide within a ``with`` block; rich wraps to its own width."""
    before = console.width
    console.width = max(before, width)
    try:
        yield
    finally:
        console.width = before


GAP = 2  # spaces between columns
MIN_TEXT = 12  # characters: names are folded to no less
COMFORTABLE_TEXT = 20  # characters: the same while there are spare columns
MIN_BAR = 16  # characters: a narrower bar shows nothing
MAX_BAR = 48  # characters: a wider bar is far from its numbers
MAX_NAMED = 5  # columns that are listed when they are left out
SPACE = "\N{NO-BREAK SPACE}"  # where other cells have a mark


@dataclass(frozen=True)
class Layout:
    """The columns of a table that are shown, and their widths."""

    #: indices of the columns in the table
    columns: tuple[int, ...]
    #: their headings, with line ends where they are broken
    headings: tuple[str, ...]
    widths: tuple[int, ...]
    #: width of the bars, 0 for none
    bar: int = 0

    @property
    def total(self) -> int:
        """The width of all columns together."""
        bar = self.bar + GAP if self.bar else 0
        return sum(self.widths) + GAP * (len(self.widths) - 1) + bar


def escape_table(table: Table) -> Table:
    """Return the table without control characters in its cells and headings."""
    return replace(
        table,
        headings=tuple(map(make_printable, table.headings)),
        cells=tuple(tuple(map(make_printable, row)) for row in table.cells),
        spare=tuple(map(make_printable, table.spare)),
    )


def replace_bold(table: Table) -> Table:
    """Return the table with an asterisk in place of bold, for text without styles."""
    if not table.strong:
        return table
    cells = [list(row) for row in table.cells]
    for place in {place for _, place in table.strong}:
        strong = {row for row, column in table.strong if column == place}
        free = all(cells[row][place].endswith(SPACE) for row in strong)  # space for a mark
        for row, texts in enumerate(cells):
            text = texts[place].removesuffix(SPACE) if free and row in strong else texts[place]
            texts[place] = text + ("*" if row in strong else "" if free else SPACE)
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


def choose_layout(table: Table, width: int) -> Layout:
    """Return the fullest layout that fits, else the narrowest."""
    layouts = list(_list_layouts(table))
    layout = next((layout for layout in layouts if layout.total <= width), None)
    if layout is None:  # the narrowest one, which is too wide
        return layouts[-1]
    layout = _widen_names(layout, table, width)
    left = width - layout.total - GAP
    if not any(table.bars) or left < MIN_BAR:
        return layout
    return Layout(layout.columns, layout.headings, layout.widths, min(left, MAX_BAR))


def _list_layouts(table: Table) -> Iterator[Layout]:
    """Yield layouts from the fullest to the narrowest."""
    everything = range(len(table.headings))
    yield _make_layout(table, everything, cells_only=False, min_width=None)
    subsets = [list(everything)]
    for heading in table.spare:  # of several columns with this heading the last is left out
        columns = subsets[-1]
        gone = max((k for k in columns if table.headings[k] == heading), default=None)
        subsets.append([place for place in columns if place != gone])
    for min_width in (COMFORTABLE_TEXT, MIN_TEXT):
        for columns in subsets:
            yield _make_layout(table, columns, cells_only=True, min_width=min_width)


def _make_layout(
    table: Table, columns: Sequence[int], *, cells_only: bool, min_width: int | None
) -> Layout:
    """Return columns as wide as their cells and headings.

    ``cells_only`` breaks headings over several lines; ``min_width`` folds names to that width.
    """
    headings, widths = [], []
    for place in columns:
        heading, cells = table.headings[place], [row[place] for row in table.cells]
        widest = max(map(cell_len, cells), default=0)
        if min_width is not None and place < table.first_number:
            widest = min(widest, min_width)
        if cells_only:
            heading = _break_heading(heading, max(widest, _min_heading_width(heading, min_width)))
        headings.append(heading)
        widths.append(max(widest, *map(cell_len, heading.split("\n"))))
    return Layout(tuple(columns), tuple(headings), tuple(widths))


def _min_heading_width(heading: str, min_width: int | None) -> int:
    """Return the smallest width of a heading on two lines; a single long word may be folded."""
    words = heading.split(" ")
    halves = [
        max(cell_len(" ".join(words[:k])), cell_len(" ".join(words[k:])))
        for k in range(1, len(words))
    ]
    return min(
        [cell_len(heading), *halves, *([min_width] if len(words) == 1 and min_width else [])]
    )


def _break_heading(heading: str, width: int) -> str:
    """Return a heading broken into lines of ``width``, at spaces where it has them."""
    lines: list[str] = []
    for word in heading.split(" "):
        if lines and cell_len(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines += chop_cells(word, max(width, 1)) or [""]
    return "\n".join(lines)


def _widen_names(layout: Layout, table: Table, width: int) -> Layout:
    """Return a layout in which names take the space that is left, before bars do."""
    widths, left = list(layout.widths), width - layout.total
    for k, place in enumerate(layout.columns):
        if place < table.first_number:
            widest = max((cell_len(row[place]) for row in table.cells), default=0)
            more = min(max(widest - widths[k], 0), left)
            widths[k] += more
            left -= more
    return Layout(layout.columns, layout.headings, tuple(widths))


def make_rich_table(table: Table, layout: Layout, strokes: Strokes = BOXES) -> RichTable:
    """Return the table for rich to print, in a layout."""
    drawn = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    for place, heading, width in zip(layout.columns, layout.headings, layout.widths, strict=True):
        lines = (_align(table, place, line, width) for line in heading.split("\n"))
        drawn.add_column(
            escape("\n".join(lines)),
            width=width,
            no_wrap=place >= table.first_number,
            overflow="fold",
        )
    bars = _draw_bars(table, layout, strokes)
    if bars:
        drawn.add_column(bars[0], width=layout.bar, no_wrap=True)
    for k, row in enumerate(table.cells):
        cells = []
        for place, width in zip(layout.columns, layout.widths, strict=True):
            text = escape(_align(table, place, row[place], width))
            cells.append(f"[bold]{text}[/bold]" if (k, place) in table.strong else text)
        drawn.add_row(*cells, *bars[k + 1 : k + 2])
    return drawn


def _align(table: Table, place: int, text: str, width: int) -> str:
    """Return a number with spaces before it: rich would drop the space of a missing mark."""
    room = width - cell_len(text) if place >= table.first_number else 0
    return " " * room + text


def _draw_bars(table: Table, layout: Layout, strokes: Strokes) -> list[str]:
    """Return the heading of the bars and one bar per row; nothing where they have no space."""
    ends = make_bar_scale(table.bars) if layout.bar else None
    if ends is None:
        return []
    heading = draw_bar_scale(ends, layout.bar)
    return [heading, *(draw_bar(ends.parts(bar), layout.bar, strokes) for bar in table.bars)]


def describe_hidden_columns(table: Table, layout: Layout) -> str:
    """Return which columns are left out and how to see them; empty where all are shown."""
    hidden = [heading for k, heading in enumerate(table.headings) if k not in set(layout.columns)]
    hidden = list(dict.fromkeys(hidden))
    if not hidden:
        return ""
    named = ", ".join(hidden[:MAX_NAMED])
    more = f" and {len(hidden) - MAX_NAMED:,} more" if len(hidden) > MAX_NAMED else ""
    return f"no room for {named}{more}: widen the terminal; CSV and records have all columns"


def describe_hidden_tables(tables: Sequence[Table]) -> str:
    """Return how many tables are left out and where they are; empty where all are shown."""
    n = sum(table.is_detail and not table.is_stated for table in tables)
    return f"{pluralise(n, 'table')} of numbers: {WHERE_ALL_IS}" if n else ""


def draw_bar_scale(ends: BarScale, width: int) -> str:
    """Return the two ends of a scale, aligned with the ends of the bars."""
    low, high = ends.texts
    return f"{low}{high:>{max(width - len(low), len(high) + 1)}}"


def draw_bar(parts: BarParts, width: int, strokes: Strokes = BOXES) -> str:
    """Return one bar of ``width`` characters."""
    drawn = [" "] * width
    if parts.zero is not None:
        drawn[_choose_character(parts.zero, width)] = strokes.zero
    if parts.line is not None:
        first, last = (_choose_character(fraction, width) for fraction in parts.line)
        for place in range(first, last + 1):
            drawn[place] = strokes.line if drawn[place] == " " else strokes.crossed
        drawn[first] = strokes.no_low if parts.is_open_low else strokes.low
        drawn[last] = strokes.no_high if parts.is_open_high else strokes.high
    if parts.value is not None:
        drawn[_choose_character(parts.value, width)] = strokes.value
    return "".join(drawn)


def _choose_character(fraction: float, width: int) -> int:
    """Return which of ``width`` characters is at a fraction of the scale."""
    return math.floor(fraction * (width - 1) + 0.5)
