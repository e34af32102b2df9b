"""What a person sees: tables on a terminal, plain columns in a pipe, progress on standard error.

A terminal has lines broken at words and tables that fit it; a pipe or a file has every sentence and
every row on one line, for grep and for people who compare two of them.
"""

from __future__ import annotations

import io
import itertools
import os
import shutil
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta

from rich.cells import cell_len
from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
)
from rich.text import Text

from .bars import ASCII, BOXES, Strokes
from .loudness import is_quiet, note, shows_progress
from .pace import Pace
from .pages import Section
from .printable import printable
from .rounding import duration, rate, seconds, whole
from .tables import Table, caption_of
from .terminal_tables import (
    detail_line,
    drawn_table,
    hidden_line,
    layout,
    printable_table,
    select_shown_rows,
    without_bold,
)

PATIENCE = 1.0  # seconds before a bar appears
EVERY = 60.0  # seconds between lines where no bar is to be seen
WARNING = "warning:"
UNWRAPPED = 10_000  # a pipe has no width


class _Console(Console):
    """A console that leaves a reader who has gone away to the caller; rich would exit with 1."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console_for(*, error: bool = False) -> Console:
    """A console for standard output or standard error; plain and unwrapped when it is a pipe."""
    stream = sys.stderr if error else sys.stdout
    if stream.isatty():
        return _Console(stderr=error, highlight=False)
    return _Console(stderr=error, highlight=False, width=UNWRAPPED, color_system=None)


def _console_for_bars() -> Console:
    """Return a console for standard error under a file descriptor of its own.

    What libraries write to standard error may be held back for a while, and a bar is still drawn.
    """
    console = console_for(error=True)
    with suppress(OSError, ValueError):  # standard error of a notebook or a test is no file
        descriptor = os.dup(sys.stderr.fileno())
        console.file = open(descriptor, "w", encoding=console.encoding, errors="replace")  # noqa: PTH123, SIM115
    return console


def text_of(
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
    details = "" if is_quiet() else detail_line(tables)
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
    for line in map(printable, lines):
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
    table = printable_table(table if console.color_system else without_bold(table))
    print_lines(console, [table.title], "bold")
    if not console.is_terminal:
        print_lines(console, list(_plain_lines(table)))
        print_lines(console, [table.caption] if table.caption else [])
        return
    table = select_shown_rows(table)
    found = layout(table, console.width)
    with _at_least(console, found.total):
        console.print(drawn_table(table, found, _strokes(console)), crop=False, no_wrap=True)
    below = (
        caption_of(table, [table.headings[place] for place in found.columns]),
        hidden_line(table, found),
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


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[], None]]:
    """A function to call after each step of a work whose ``total`` is known beforehand."""
    done = itertools.count(1)
    with progress_of(what) as show:
        yield lambda: show(next(done), total)


@contextmanager
def progress_of(what: str) -> Iterator[Callable[[int, int], None]]:
    """A function to call with how much is done and how much there is.

    A bar appears where the work takes longer than a moment, also while its first step takes long.
    Nothing is shown where standard error is no terminal, nor where quiet is asked for; where
    everything is to be told, work that is done leaves a line, and so does every minute of it where
    there is no bar.
    """
    bar = _ProgressBar(what)
    timer = threading.Timer(PATIENCE, bar.appear)
    timer.daemon = True
    if sys.stderr.isatty() and shows_progress():
        timer.start()
    try:
        yield bar.show
    finally:
        timer.cancel()
        bar.vanish()
    bar.tell()


class _Done(ProgressColumn):
    """How much of how much is done."""

    def render(self, task: Task) -> Text:
        """Nothing before it is known."""
        total = task.total
        return Text("" if total is None else f"{whole(task.completed)}/{whole(total)}")


class _Speed(ProgressColumn):
    """How many things a second."""

    def __init__(self, pace: Pace) -> None:
        super().__init__()
        self.pace = pace

    def render(self, task: Task) -> Text:
        """Nothing before it is known."""
        known = self.pace.rate
        return Text("" if known is None else rate(known))


class _Left(ProgressColumn):
    """How long it will still take."""

    max_refresh = 0.5  # seconds; a number that jumps cannot be read

    def __init__(self, pace: Pace) -> None:
        super().__init__()
        self.pace = pace

    def render(self, task: Task) -> Text:
        """Nothing before it is known."""
        left = self.pace.seconds_left
        return Text("" if left is None else f"{timedelta(seconds=int(left))} left")


@dataclass
class _ProgressBar:
    """A bar that may come to be seen: the clock that shows it runs beside the work."""

    what: str
    clock: Callable[[], float] = time.monotonic
    done: int = 0
    is_over: bool = False
    #: held while the bar comes or goes: it must not come after it went
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.began = self.told = self.clock()
        self.pace = Pace(self.clock)
        self.bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            _Done(),
            _Speed(self.pace),
            _Left(self.pace),
            console=_console_for_bars(),
            transient=True,
        )
        self.task = self.bar.add_task(self.what, total=None)

    def show(self, done: int, total: int) -> None:
        self.done = done
        self.pace.report(done, total)
        self.bar.update(self.task, completed=done, total=total)
        if self.clock() - self.told >= EVERY and not sys.stderr.isatty():
            self.told = self.clock()
            left = self.pace.seconds_left
            rest = "" if left is None else f", {duration(left)} left"
            note(f"{self.what}: {done:,} of {total:,}{rest}")

    def appear(self) -> None:
        with self.lock:
            if not self.is_over:
                self.bar.start()

    def vanish(self) -> None:
        with self.lock:
            self.is_over = True
            if self.bar.live.is_started:
                self.bar.stop()
            if self.bar.console.file is not sys.stderr:
                self.bar.console.file.close()

    def tell(self) -> None:
        counted = f"{self.done:,} in " if self.done else ""
        note(f"{self.what}: {counted}{seconds(self.clock() - self.began)}")
