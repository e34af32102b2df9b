"""Ctrl-C that is heard at once, except where it would do harm.

An exception amid the import of a module or amid a compilation is turned into another one, printed
and lost, or ends in a crash: native code calls Python there, and does not expect it to fail. So
Ctrl-C waits for the function that called for the import or the compilation, and is heard at its
next line. A second one does not wait.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

__all__ = ["deferred_interrupts"]

#: modules whose code is not interrupted: the machinery of imports, and the compiler
DELICATE = ("importlib._bootstrap", "importlib._bootstrap_external", "numba", "llvmlite")


@contextmanager
def deferred_interrupts() -> Iterator[None]:
    """Let Ctrl-C wait for imports and compilations in the main thread within a ``with`` block."""
    of_main = threading.current_thread() is threading.main_thread()
    if not of_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _Interrupt())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


class _Interrupt:
    """A handler of the signal."""

    def __init__(self) -> None:
        self._is_deferred = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        caller = _caller_of_delicate(frame)
        if caller is None or self._is_deferred:
            self._raise()
        else:
            self._is_deferred = True
            caller.f_trace = self._raise
            sys.settrace(_ignore)  # without which no frame is traced

    def _raise(self, *event: Any) -> None:
        if self._is_deferred:
            self._is_deferred = False
            sys.settrace(None)
        raise KeyboardInterrupt


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
