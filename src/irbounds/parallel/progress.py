"""Progress of work: a bar on a terminal, its rate, and the time that is left.

The first reports may come in a burst: blocks that a checkpoint already holds, or blocks that
several workers finish together. So the rate is measured from the first pause on, over the last
seconds only, and there is no rate until the reports span half a second.
"""

from __future__ import annotations

import itertools
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

from ..presentation.rounding import duration, format_count, rate, seconds
from ..presentation.terminal import make_console
from ..presentation.verbosity import is_verbose, note, shows_progress

BAR_DELAY = 1.0  # seconds before a bar appears
NOTE_INTERVAL = 60.0  # seconds between lines where standard error is not a terminal
RATE_WINDOW = 15.0  # seconds over which a rate is measured
MIN_RATE_TIME = 0.5  # seconds between two reports that make a rate
BURST_END = 0.2  # seconds without a report that end the burst at the beginning


@contextmanager
def count_steps(what: str, total: int) -> Iterator[Callable[[], None]]:
    """Yield a function to call after each of ``total`` steps; show their progress."""
    done = itertools.count(1)
    with show_progress(what) as show:
        yield lambda: show(next(done), total)


@contextmanager
def show_progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a function to call with the amount that is done and the total; show both as a bar.

    The bar appears after a second, even if the first step is not done by then. There is no bar if
    standard error is not a terminal or the verbosity is quiet. If the verbosity is verbose, a line
    is printed at the end and, where there is no bar, every minute.
    """
    bar = _ProgressBar(what)
    timer = threading.Timer(BAR_DELAY, bar.appear)
    timer.daemon = True
    if sys.stderr.isatty() and shows_progress():
        timer.start()
    try:
        yield bar.show
    finally:
        timer.cancel()
        bar.vanish()
    bar.note_end()


class Pace:
    """The rate of work and the time that is left, from reports of the amount that is done."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.total = 0
        self._is_opening = True
        #: times and amounts to measure a rate from, and the latest report
        self._marks: deque[tuple[float, int]] = deque()
        self._latest: tuple[float, int] | None = None

    def report(self, done: int, total: int) -> None:
        """Record the amount that is done at this moment."""
        now, before = self.clock(), self._latest
        self._latest, self.total = (now, done), total
        if before is None or done < before[1]:  # the first report of the work or of its next phase
            self._restart(self._latest)
            return
        if self._is_opening and now - before[0] >= BURST_END:
            self._restart(before)
            self._is_opening = False
        if now - self._marks[-1][0] >= MIN_RATE_TIME:
            self._marks.append(self._latest)
        while len(self._marks) > 1 and self._marks[1][0] <= now - RATE_WINDOW:
            self._marks.popleft()

    def _restart(self, mark: tuple[float, int]) -> None:
        self._marks.clear()
        self._marks.append(mark)
        self._is_opening = True

    @property
    def rate(self) -> float | None:
        """Steps per second; None until it is known."""
        if self._latest is None:
            return None
        (began, before), (now, done) = self._marks[0], self._latest
        is_known = now - began >= MIN_RATE_TIME and done > before
        return (done - before) / (now - began) if is_known else None

    @property
    def seconds_left(self) -> float | None:
        """Seconds that the rest takes at this rate; None until the rate is known."""
        rate = self.rate
        if rate is None or self._latest is None:
            return None
        return max((self.total - self._latest[1]) / rate - (self.clock() - self._latest[0]), 0.0)


class _DoneColumn(ProgressColumn):
    """The amount that is done, and the total."""

    def render(self, task: Task) -> Text:
        """Return ``3/10``; nothing until the total is known."""
        total = task.total
        return Text(
            "" if total is None else f"{format_count(task.completed)}/{format_count(total)}"
        )


class _RateColumn(ProgressColumn):
    """Steps per second."""

    def __init__(self, pace: Pace) -> None:
        super().__init__()
        self.pace = pace

    def render(self, task: Task) -> Text:
        """Return the rate; nothing until it is known."""
        known = self.pace.rate
        return Text("" if known is None else rate(known))


class _TimeLeftColumn(ProgressColumn):
    """The time that is left."""

    max_refresh = 0.5  # seconds; a number that changes more often cannot be read

    def __init__(self, pace: Pace) -> None:
        super().__init__()
        self.pace = pace

    def render(self, task: Task) -> Text:
        """Return the time that is left; nothing until it is known."""
        left = self.pace.seconds_left
        return Text("" if left is None else f"{timedelta(seconds=int(left))} left")


@dataclass
class _ProgressBar:
    """A progress bar that a timer thread shows while the work runs."""

    what: str
    clock: Callable[[], float] = time.monotonic
    done: int = 0
    is_over: bool = False
    #: held while the bar is started or stopped: it must not start after it was stopped
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.began = self.noted = self.clock()
        self.pace = Pace(self.clock)
        self.bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            _DoneColumn(),
            _RateColumn(self.pace),
            _TimeLeftColumn(self.pace),
            console=_console_for_bars(),
            transient=True,
        )
        self.task = self.bar.add_task(self.what, total=None)

    def show(self, done: int, total: int) -> None:
        """Show the amount that is done; print a line every minute where there is no bar."""
        self.done = done
        self.pace.report(done, total)
        self.bar.update(self.task, completed=done, total=total)
        if self.clock() - self.noted >= NOTE_INTERVAL and not sys.stderr.isatty():
            self.noted = self.clock()
            left = self.pace.seconds_left
            rest = "" if left is None else f", {duration(left)} left"
            note(f"{self.what}: {done:,} of {total:,}{rest}")

    def appear(self) -> None:
        """Start drawing the bar, unless the work is over."""
        with self.lock:
            if not self.is_over:
                self.bar.start()

    def vanish(self) -> None:
        """Remove the bar."""
        with self.lock:
            self.is_over = True
            if self.bar.live.is_started:
                self.bar.stop()
            if self.bar.console.file is not sys.stderr:
                self.bar.console.file.close()

    def note_end(self) -> None:
        """Print how much was done in how many seconds, if the verbosity is verbose."""
        if not is_verbose():
            return
        amount = f"{self.done:,} in " if self.done else ""
        note(f"{self.what}: {amount}{seconds(self.clock() - self.began)}")


def _console_for_bars() -> Console:
    """Return a console for standard error with a file descriptor of its own.

    A bar is then drawn even while messages of libraries to standard error are held back.
    """
    console = make_console(error=True)
    with suppress(OSError, ValueError):  # standard error of a notebook or a test is not a file
        descriptor = os.dup(sys.stderr.fileno())
        console.file = open(descriptor, "w", encoding=console.encoding, errors="replace")  # noqa: PTH123, SIM115
    return console
