"""Text output: tables and sentences on a terminal, plain columns in a pipe.

A terminal has lines broken at words and tables that fit it; a pipe or a file has every sentence and
every row on one line, for grep and for people who compare two of them.
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

from rich import box
from rich.cells import cell_len, chop_cells
from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable
from rich.text import Text

from .escaping import make_printable
from .phrases import WHERE_ALL_IS, pluralise
from .sections import Section
from .table import BarParts, BarScale, Table, make_bar_scale, trim_caption
from .verbosity import is_quiet

WARNING = "warning:"
UNWRAPPED = 10_000  # a pipe has no width


@dataclass(frozen=True)
class Strokes:
    """What bars are drawn with."""

    line: str
    low: str
    high: str
    value: str
    #: in place of ends that are not there
    no_low: str
    no_high: str
    #: zero, beside a bar and under it
    zero: str
    crossed: str


BOXES = Strokes("─", "├", "┤", "●", "◄", "►", "┊", "┼")
ASCII = Strokes("-", "|", "|", "o", "<", ">", ":", "+")


class _Console(Console):
    """A console that leaves a reader who has gone away to the caller; rich would exit with 1."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def make_console(*, error: bool = False) -> Console:
    """A console for standard output or standard error; plain and unwrapped when it is a pipe."""
    stream = sys.stderr if error else sys.stdout
    if stream.isatty():
        return _Console(stderr=error, highlight=False)
    return _Console(stderr=error, highlight=False, width=UNWRAPPED, color_system=None)


def render_text(
    sections: Sequence[Section], lines: Sequence[str] = (), warnings: Sequence[str] = ()
) -> str:
    """Return sentences, tables and conclusions as a terminal shows them, without colours."""
    text = io.StringIO()
    width = shutil.get_terminal_size().columns
    console = Console(
        file=text, width=width, color_system=None, highlight=False, force_terminal=True
    )
    print_lines(console, lines)
    for place, section in enumerate(sections):
        if place:
            console.print()
        said = () if place else warnings
        show(console, section.tables, section.sentences, said, section.conclusion)
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
    """Sentences: broken at words on a terminal, a line each elsewhere."""
    for line in _wrapped(console, lines):
        console.print(Text(line, style=style), soft_wrap=not console.is_terminal)


def print_warnings(console: Console, warnings: Sequence[str]) -> None:
    """One line a warning, set apart by its first word."""
    for warning in warnings:
        one_line = " ".join(warning.splitlines())  # those of other libraries may have several
        first, *rest = _wrapped(console, [f"{WARNING} {one_line}"])
        text = Text.assemble((WARNING, "yellow"), first.removeprefix(WARNING))
        console.print(text, soft_wrap=not console.is_terminal)
        print_lines(console, rest)


def _wrapped(console: Console, lines: Sequence[str]) -> Iterator[str]:
    """Lines no longer than a terminal is wide; a number stays with its percent sign."""
    for line in map(make_printable, lines):
        if not console.is_terminal:
            yield line
            continue
        for part in line.splitlines():
            tied = part.replace(" %", "\N{NO-BREAK SPACE}%")
            broken = textwrap.wrap(
                tied, console.width, break_long_words=False, break_on_hyphens=False
            )
            yield from (one.replace("\N{NO-BREAK SPACE}%", " %") for one in broken or [""])


def print_table(console: Console, table: Table) -> None:
    """One table, its title above and its caption below: drawn on a terminal, else plain columns."""
    table = escape_table(table if console.color_system else replace_bold(table))
    print_lines(console, [table.title], "bold")
    if not console.is_terminal:
        print_lines(console, list(_plain_lines(table)))
        print_lines(console, [table.caption] if table.caption else [])
        return
    table = select_shown_rows(table)
    found = choose_layout(table, console.width)
    with _at_least(console, found.total):
        console.print(make_rich_table(table, found, _strokes(console)), crop=False, no_wrap=True)
    below = (
        trim_caption(table, [table.headings[place] for place in found.columns]),
        describe_hidden_columns(table, found),
    )
    print_lines(console, [line for line in below if line], "dim")
    print_lines(console, [table.shown_note] if table.shown_note else [])


def _strokes(console: Console) -> Strokes:
    """Boxes, where the terminal can show them."""
    try:
        "".join(vars(BOXES).values()).encode(console.encoding)
    except UnicodeEncodeError:
        return ASCII
    return BOXES


def _widths(table: Table) -> list[int]:
    rows = (table.headings, *table.cells)
    return [max(map(cell_len, column)) for column in zip(*rows, strict=True)]


def _plain_lines(table: Table) -> Iterator[str]:
    widths = _widths(table)
    for row in (table.headings, *table.cells):
        blanks = [" " * (width - cell_len(cell)) for width, cell in zip(widths, row, strict=True)]
        cells = [
            blank + cell if place >= table.first_number else cell + blank
            for place, (cell, blank) in enumerate(zip(row, blanks, strict=True))
        ]
        yield "  ".join(cells).rstrip()


@contextmanager
def _at_least(console: Console, width: int) -> Iterator[None]:
    """Make a console wide enough for a while; rich squeezes what it prints into its own width."""
    before = console.width
    console.width = max(before, width)
    try:
        yield
    finally:
        console.width = before


GAP = 2  # blanks between columns
LEAST_TEXT = 12  # a name is folded, but not to less than this
EASY_TEXT = 20  # nor to less than this while there are columns to spare
LEAST_BAR = 16  # less would show nothing
MOST_BAR = 48  # more would part the bars from their numbers
NAMED = 5  # columns that are left out, by name
BLANK = "\N{NO-BREAK SPACE}"  # in place of a mark


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


def escape_table(table: Table) -> Table:
    """The table with nothing in its cells and headings that a terminal would obey."""
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


def choose_layout(table: Table, width: int) -> Layout:
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


def make_rich_table(table: Table, found: Layout, strokes: Strokes = BOXES) -> RichTable:
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
    ends = make_bar_scale(table.bars) if found.bar else None
    if ends is None:
        return []
    heading = draw_bar_scale(ends, found.bar)
    return [heading, *(draw_bar(ends.parts(bar), found.bar, strokes) for bar in table.bars)]


def describe_hidden_columns(table: Table, found: Layout) -> str:
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


def describe_hidden_tables(tables: Sequence[Table]) -> str:
    """Return how many tables are left out and where they are; empty where all are shown."""
    n = sum(table.is_detail for table in tables)
    return f"{pluralise(n, 'table')} of numbers: {WHERE_ALL_IS}" if n else ""


def draw_bar_scale(ends: BarScale, width: int) -> str:
    """The two ends of a scale, above the two ends of the bars."""
    low, high = ends.texts
    return f"{low}{high:>{max(width - len(low), len(high) + 1)}}"


def draw_bar(parts: BarParts, width: int, strokes: Strokes = BOXES) -> str:
    """One bar of ``width`` characters."""
    drawn = [" "] * width
    if parts.zero is not None:
        drawn[_place(parts.zero, width)] = strokes.zero
    if parts.line is not None:
        first, last = (_place(share, width) for share in parts.line)
        for place in range(first, last + 1):
            drawn[place] = strokes.line if drawn[place] == " " else strokes.crossed
        drawn[first] = strokes.no_low if parts.is_open_low else strokes.low
        drawn[last] = strokes.no_high if parts.is_open_high else strokes.high
    if parts.value is not None:
        drawn[_place(parts.value, width)] = strokes.value
    return "".join(drawn)


def _place(share: float, width: int) -> int:
    """Which of ``width`` characters."""
    return math.floor(share * (width - 1) + 0.5)
