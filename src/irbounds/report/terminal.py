"""What a person sees: tables on a terminal, plain columns in a pipe, progress on standard error."""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as RichTable

from .tables import Table

__all__ = ["console_for", "print_table", "print_warnings", "progress", "progress_of"]

PATIENCE = 1.0  # seconds before a bar appears
UNWRAPPED = 10_000  # a pipe has no width
LEAST_TEXT = 12  # a name is folded, but not to less than this


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


def print_table(console: Console, table: Table) -> None:
    """One table with its title above it: drawn on a terminal, plain columns elsewhere.

    Numbers are never cut: where they do not fit, lines are longer than the terminal is wide.
    """
    console.print(f"[bold]{escape(table.title)}[/bold]", soft_wrap=True)
    if not console.is_terminal:
        for line in _plain_lines(table):
            console.print(line, markup=False, soft_wrap=True)
        return
    widths = _widths(table)
    drawn = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    for place, heading in enumerate(table.headings):
        number = place >= table.first_number
        if not number:
            widths[place] = min(widths[place], LEAST_TEXT)
        drawn.add_column(
            escape(heading),
            justify="right" if number else "left",
            min_width=widths[place],
            no_wrap=number,
            overflow="fold",
        )
    for row in table.cells:
        drawn.add_row(*map(escape, row))
    with _at_least(console, sum(widths) + 2 * len(widths)):
        console.print(drawn, crop=False, no_wrap=True)


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


def print_warnings(console: Console, warnings: Sequence[str]) -> None:
    """One line a warning, set apart by its first word."""
    for warning in warnings:
        console.print(f"[yellow]warning:[/yellow] {escape(warning)}", soft_wrap=True)


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[], None]]:
    """A function to call after each step of a work whose ``total`` is known beforehand."""
    done = itertools.count(1)
    with progress_of(what) as show:
        yield lambda: show(next(done), total)


@contextmanager
def progress_of(what: str) -> Iterator[Callable[[int, int], None]]:
    """A function to call with how much is done and how much there is.

    A bar appears where the work takes longer than a moment. Nothing is shown where standard error
    is no terminal.
    """
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console_for(error=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    task = bar.add_task(what, total=None)
    began = time.monotonic()

    def show(done: int, total: int) -> None:
        bar.update(task, completed=done, total=total)
        if not bar.live.is_started and time.monotonic() - began > PATIENCE:
            bar.start()

    try:
        yield show
    finally:
        if bar.live.is_started:
            bar.stop()
