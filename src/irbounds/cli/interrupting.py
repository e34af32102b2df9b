"""Signals that end a command: Ctrl-C, SIGTERM of batch systems, SIGHUP of a closed terminal.

All end it by an exception, so that temporary files and processes go with it. They are heard at
once, except where that would do harm: an exception amid the import of a module or amid a
compilation is turned into another one, printed and lost, or ends in a crash, since native code
calls Python there and does not expect it to fail. So a signal waits for the function that called
for the import or the compilation, and is heard at its next line. A second one does not wait.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

INTERRUPTED = 128 + signal.SIGINT  # what a shell shows
#: the handlers that Python starts with, which are replaced
USUAL: dict[signal.Signals, Any] = {
    signal.SIGINT: signal.default_int_handler,
    signal.SIGTERM: signal.SIG_DFL,
    **({signal.SIGHUP: signal.SIG_DFL} if hasattr(signal, "SIGHUP") else {}),
}
#: modules whose code is not interrupted: the machinery of imports, the compiler, and what makes
#: temporary directories, which would stay if it were interrupted before it knows them
DELICATE = (
    "importlib._bootstrap",
    "importlib._bootstrap_external",
    "numba",
    "llvmlite",
    "tempfile",
)


@contextmanager
def ending_by_exception() -> Iterator[None]:
    """Let signals raise ``KeyboardInterrupt`` and ``SystemExit`` where it is safe."""
    of_main = threading.current_thread() is threading.main_thread()
    replaced = [number for number in USUAL if of_main and signal.getsignal(number) is USUAL[number]]
    handler = _Handler()
    for number in replaced:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number in replaced:
            signal.signal(number, USUAL[number])


class _Handler:
    """Raises the exception of a signal, now or at the next line that is safe."""

    def __init__(self) -> None:
        #: the signal that waits
        self._waiting: int | None = None

    def __call__(self, number: int, frame: FrameType | None) -> None:
        caller = _caller_of_delicate(frame)
        if caller is None or self._waiting is not None:
            self._end(number)
        else:
            self._waiting = number
            caller.f_trace = self._end_waiting
            sys.settrace(_ignore)  # without which no function is traced

    def _end_waiting(self, frame: FrameType, event: str, argument: Any) -> None:
        if self._waiting is not None:
            self._end(self._waiting)

    def _end(self, number: int) -> None:
        if self._waiting is not None:
            self._waiting = None
            sys.settrace(None)
        raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(128 + number)


def _ignore(frame: FrameType, event: str, argument: Any) -> None:
    """Trace no function that is called from now on."""


def _caller_of_delicate(frame: FrameType | None) -> FrameType | None:
    """Return the function that called for all that is delicate; None where nothing is."""
    caller = None
    while frame is not None:
        name = frame.f_globals.get("__name__") or ""
        if name in DELICATE or name.partition(".")[0] in DELICATE:
            caller = frame.f_back
        frame = frame.f_back
    return caller
