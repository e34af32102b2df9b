"""The command line: parse the arguments, make the request of a verb, run it, show the answer.

Nothing heavy is imported before a command needs it, so ``irbounds --help`` answers at once.
"""

from __future__ import annotations

import io
import logging
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

CLOSED_PIPE = 141  # the exit status of a shell for SIGPIPE
UNEXPECTED = 70  # the exit status of an error of irbounds; 1 and 3 are verdicts
INTERRUPTED = 130  # the exit status of a shell for Ctrl-C


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
    _prepare_streams()
    try:
        status = _run(sys.argv[1:])
    except KeyboardInterrupt:
        status = _stop("interrupted", INTERRUPTED)
    except SystemExit:
        raise
    except BaseException:  # also a panic of a compiled library
        traceback.print_exc()
        status = UNEXPECTED
    try:
        sys.stdout.flush()
    except OSError:  # reported already; Python would flush again when it exits, and report it too
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(status)


def _prepare_streams() -> None:
    """Escape characters that a stream cannot encode; discard what goes to a closed stream."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: PTH123, SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _run(arguments: list[str]) -> int:
    """Run the command, and return its status."""
    try:
        with _print_log_messages():
            from .runner import run_command

            status = run_command(arguments)
            sys.stdout.flush()
    except BrokenPipeError:
        return CLOSED_PIPE
    except Exception as error:
        from .error_messages import describe_error

        message = describe_error(error, arguments)
        if message is None:
            raise
        if "--debug" in arguments:
            traceback.print_exc()
        return _stop(f"error: {message}", 2)
    return status


def _stop(message: str, status: int) -> int:
    from ..presentation.escaping import make_printable

    lines = [make_printable(line) for line in message.split("\n")]
    print("irbounds:", "\n".join(lines), file=sys.stderr)
    return status
