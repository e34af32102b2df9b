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

__all__ = ["hold_back_messages", "holding_back_allowed"]

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

    def hold_back(self) -> None:
        with self.lock:
            self.n_holding += 1
            if not self.is_allowed or self.before is not None:
                return
            with suppress(OSError):  # closed, or no room for a temporary file: it stays as it is
                os.fstat(STANDARD_ERROR)
                self.written = tempfile.TemporaryFile()  # noqa: SIM115 (closed when it is released)
                self.before = os.dup(STANDARD_ERROR)
                os.dup2(self.written.fileno(), STANDARD_ERROR)

    def end(self) -> None:
        with self.lock:
            self.n_holding -= 1
            if not self.n_holding:
                self._release()

    def set_allowed(self, allowed: bool) -> None:
        with self.lock:
            self.is_allowed = allowed
            self._release()

    def _release(self) -> None:
        """Give standard error back, and write there what was written meanwhile but for panics."""
        if self.before is None or self.written is None:
            return
        os.dup2(self.before, STANDARD_ERROR)
        os.close(self.before)
        with self.written:
            self.written.seek(0)
            text = self.written.read()
        self.before = self.written = None
        panic = PANIC.search(text)
        os.write(STANDARD_ERROR, text[: panic.start()] if panic else text)


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
