"""Text that compiled libraries write to standard error, held back while they read a file.

polars reports a panic there before it raises, in several lines. A command says what is wrong with a
file in one line of its own, so it lets that report be held back. Only a command does, because
standard error belongs to the whole process: other programs keep theirs as it is.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from typing import IO

STANDARD_ERROR = 2
PANIC = re.compile(rb"\n?thread '.*panicked at ")


class _StandardError:
    """Where the process's standard error goes at present."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.is_allowed = False
        self.n_holding = 0
        #: what standard error was before it was held back, and what was written since
        self.before: int | None = None
        self.written: IO[bytes] | None = None
        self.n_passed_on = 0
        self.has_panicked = False

    def hold_back(self) -> None:
        with self.lock:
            self.n_holding += 1
            if not self.is_allowed or self.before is not None:
                return
            with suppress(OSError):  # closed, or no room for a temporary file: it stays as it is
                os.fstat(STANDARD_ERROR)
                self.written = tempfile.TemporaryFile("a+b", 0)  # noqa: SIM115 (closed in _release)
                self.before = os.dup(STANDARD_ERROR)
                os.dup2(self.written.fileno(), STANDARD_ERROR)

    def end(self) -> None:
        with self.lock:
            self.n_holding -= 1
            self._pass_on()
            if not self.n_holding:
                self._release()

    def set_allowed(self, allowed: bool) -> None:
        with self.lock:
            self.is_allowed = allowed
            self._pass_on()
            self._release()

    def _pass_on(self) -> None:
        """Write what was held back to where it was meant to go, but for panics."""
        if self.before is None or self.written is None:
            return
        self.written.seek(self.n_passed_on)  # which does not move where the next text goes
        text = self.written.read()
        self.n_passed_on += len(text)
        panic = PANIC.search(text)
        if not self.has_panicked:
            os.write(self.before, text[: panic.start()] if panic else text)
        self.has_panicked |= panic is not None  # the rest of its report may come later

    def _release(self) -> None:
        """Give standard error back."""
        if self.before is None or self.written is None:
            return
        os.dup2(self.before, STANDARD_ERROR)
        os.close(self.before)
        self.written.close()
        self.before = self.written = None
        self.n_passed_on, self.has_panicked = 0, False


_standard_error = _StandardError()


@contextmanager
def holding_back_allowed() -> Iterator[None]:
    """Let messages be held back until the end of the ``with`` block, in all threads."""
    _standard_error.set_allowed(True)
    try:
        yield
    finally:
        _standard_error.set_allowed(False)


@contextmanager
def hold_back_messages() -> Iterator[None]:
    """Keep what is written to standard error until the end of the block; drop reports of panics."""
    _standard_error.hold_back()
    try:
        yield
    finally:
        _standard_error.end()
