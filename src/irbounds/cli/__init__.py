"""The command line: one file a command, each parses, calls the API and hands the result on.

Nothing heavy is imported before a command needs it, so ``irbounds --help`` answers at once.
"""

from __future__ import annotations

import logging
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["main"]

INTERRUPTED = 130
NOBODY_READS = 141
#: signals of batch systems and of terminals that are closed
ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


class _Notes(logging.Handler):
    """Notes of the library, such as that it is compiling, on standard error."""

    def emit(self, record: logging.LogRecord) -> None:
        from ..report.loudness import is_quiet
        from ..report.printable import printable

        if not is_quiet():
            print(f"irbounds: {printable(record.getMessage())}", file=sys.stderr, flush=True)


def main() -> None:
    """Run the command line; errors end in one line and status 2, unless ``--debug`` is given."""
    import typer

    from .app import app
    from .showing import given_arguments
    from .streams import finish_output, prepare_streams

    prepare_streams()
    debug = "--debug" in sys.argv[1:]
    arguments = [argument for argument in sys.argv[1:] if argument != "--debug"]
    logger = logging.getLogger("irbounds")
    logger.setLevel(logging.INFO)
    logger.addHandler(_Notes())
    try:
        with _ended_by_exception(), given_arguments(arguments):
            status = app(arguments, standalone_mode=False, prog_name="irbounds")
            sys.stdout.flush()
    except (KeyboardInterrupt, typer.Abort):
        status = INTERRUPTED  # which newer versions of typer give by themselves
    except BrokenPipeError:
        status = NOBODY_READS
    except Exception as error:
        from .error_words import error_words

        message = error_words(error, arguments)
        if debug or message is None:
            raise
        status = _stop(f"error: {message}", 2)
    if status == INTERRUPTED:
        from .executing import words_of_interruption

        _stop(words_of_interruption(), status)
    finish_output()
    sys.exit(status or 0)


@contextmanager
def _ended_by_exception() -> Iterator[None]:
    """Let signals that end the program raise, so that temporary files are removed.

    A signal that is ignored (``nohup``) or handled already stays as it is.
    """

    def end(number: int, frame: Any) -> None:
        raise SystemExit(128 + number)  # what a shell shows

    of_main = threading.current_thread() is threading.main_thread()
    numbers = [one for one in ENDING if of_main and signal.getsignal(one) is signal.SIG_DFL]
    for number in numbers:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)


def _stop(message: str, status: int) -> int:
    from ..report.printable import printable

    print(f"irbounds: {printable(message)}", file=sys.stderr)
    return status
