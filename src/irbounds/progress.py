"""Progress of long work: a bar on a terminal, with the time that is left."""

from __future__ import annotations

import itertools
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from .presentation.terminal import make_console
from .presentation.verbosity import is_quiet

BAR_DELAY = 1.0  # seconds before a bar appears


@contextmanager
def count_steps(what: str, total: int) -> Iterator[Callable[[], None]]:
    """Yield a function to call after each of ``total`` steps; show their progress."""
    done = itertools.count(1)
    with show_progress(what) as show:
        yield lambda: show(next(done), total)


@contextmanager
def show_progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a function to call with what is done and the total; after a second a bar shows both.

    There is no bar where standard error is not a terminal, or where only results are printed.
    """
    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[amount]}"),
        TimeRemainingColumn(),
        console=make_console(error=True),
        transient=True,
    )
    task = bar.add_task(what, total=None, amount="")
    timer = threading.Timer(BAR_DELAY, bar.start)
    timer.daemon = True
    is_shown = sys.stderr.isatty() and not is_quiet()
    if is_shown:
        timer.start()
    try:
        yield lambda done, total: bar.update(
            task, completed=done, total=total, amount=f"{done:,}/{total:,}"
        )
    finally:
        if is_shown:
            timer.cancel()
            timer.join()  # the bar must not start after it was stopped
            if bar.live.is_started:
                bar.stop()
