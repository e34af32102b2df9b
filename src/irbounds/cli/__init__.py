"""The command line: parse the arguments, make the request of a verb, run it, show the answer.

Nothing heavy is imported before a command needs it, so ``irbounds --help`` answers at once.
"""

from __future__ import annotations

import logging
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

CLOSED_PIPE = 141  # the exit status of a shell for SIGPIPE
UNEXPECTED = 70  # the exit status of an error of irbounds; 1 and 3 are verdicts
INTERRUPTED = 128 + signal.SIGINT  # the exit status of a shell for Ctrl-C
#: the handlers that Python starts with, which are replaced
DEFAULT_HANDLERS: dict[signal.Signals, Any] = {
    signal.SIGINT: signal.default_int_handler,
    signal.SIGTERM: signal.SIG_DFL,
    **({signal.SIGHUP: signal.SIG_DFL} if hasattr(signal, "SIGHUP") else {}),
}
#: modules whose code is not interrupted: imports, the compiler, and the creation of temporary
#: directories, which would not be removed if it were interrupted
UNINTERRUPTIBLE = (
    "importlib._bootstrap",
    "importlib._bootstrap_external",
    "numba",
    "llvmlite",
    "tempfile",
)


class _LogHandler(logging.Handler):
    """Print log messages of the library, such as that it is compiling, on standard error."""

    def emit(self, record: logging.LogRecord) -> None:
        from ..presentation.escaping import make_printable
        from ..presentation.verbosity import is_quiet

        if not is_quiet():
            print(f"irbounds: {make_printable(record.getMessage())}", file=sys.stderr, flush=True)


@contextmanager
def _print_log_messages() -> Iterator[None]:
    """Print log messages within a ``with`` block."""
    logger, handler = logging.getLogger("irbounds"), _LogHandler()
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


def main() -> None:
    """Run the command line; errors of the user end in one line and status 2."""
    from ..standard_streams import finish_output

    with raise_on_signals():
        try:
            status = _run(sys.argv[1:])
        except KeyboardInterrupt as stop:
            status = _stop(str(stop) or "interrupted", INTERRUPTED)
        except Exception:
            traceback.print_exc()
            status = UNEXPECTED
        finish_output()
    sys.exit(status)


def _run(arguments: list[str]) -> int:
    """Run the command, and return its status."""
    from ..standard_streams import allow_holding_back, prepare_streams

    prepare_streams()
    try:
        with allow_holding_back(), _print_log_messages():
            from .runner import run_command

            status = run_command(arguments)
            sys.stdout.flush()
    except BrokenPipeError:
        status = CLOSED_PIPE
    except Exception as error:
        from .error_messages import describe_error

        message = describe_error(error, arguments)
        if message is None:
            raise
        if "--debug" in arguments:
            traceback.print_exc()
        status = _stop(f"error: {message}", 2)
    return status


def _stop(message: str, status: int) -> int:
    from ..presentation.escaping import make_printable

    lines = [make_printable(line) for line in message.split("\n")]
    print("irbounds:", "\n".join(lines), file=sys.stderr)
    return status


# ---- signals that end a command: Ctrl-C, SIGTERM of batch systems, SIGHUP of closed terminals ----
#
# All end it by an exception, so that temporary files and processes are removed. The exception is
# raised at once, except where it would do harm: during the import of a module or a compilation it
# would be replaced by another exception, printed and lost, or end in a crash, because native code
# calls Python there and does not expect it to fail. So a signal waits for the function that caused
# the import or the compilation, and takes effect at its next line. A second signal does not wait.


@contextmanager
def raise_on_signals() -> Iterator[None]:
    """Let signals raise ``KeyboardInterrupt`` and ``SystemExit`` where it is safe."""
    of_main = threading.current_thread() is threading.main_thread()
    replaced = [
        number
        for number in DEFAULT_HANDLERS
        if of_main and signal.getsignal(number) is DEFAULT_HANDLERS[number]
    ]
    handler = _Handler()
    for number in replaced:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number in replaced:
            signal.signal(number, DEFAULT_HANDLERS[number])


class _Handler:
    """Raise the exception of a signal, now or at the next safe line."""

    def __init__(self) -> None:
        #: the deferred signal
        self._deferred: int | None = None

    def __call__(self, number: int, frame: FrameType | None) -> None:
        caller = _caller_of_uninterruptible(frame)
        if caller is None or self._deferred is not None:
            self._end(number)
        else:
            self._deferred = number
            caller.f_trace = self._end_deferred
            sys.settrace(_ignore)  # without which no function is traced

    def _end_deferred(self, frame: FrameType, event: str, argument: Any) -> None:
        if self._deferred is not None:
            self._end(self._deferred)

    def _end(self, number: int) -> None:
        if self._deferred is not None:
            self._deferred = None
            sys.settrace(None)
        raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(128 + number)


def _ignore(frame: FrameType, event: str, argument: Any) -> None:
    """Trace no function that is called from now on."""


def _caller_of_uninterruptible(frame: FrameType | None) -> FrameType | None:
    """Return the function that called uninterruptible code; None if no such code is running."""
    caller = None
    while frame is not None:
        name = frame.f_globals.get("__name__") or ""
        if name in UNINTERRUPTIBLE or name.partition(".")[0] in UNINTERRUPTIBLE:
            caller = frame.f_back
        frame = frame.f_back
    return caller
