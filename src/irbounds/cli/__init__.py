"""The command line: parse the words, make the request of a verb, run it and show the answer.

Nothing heavy is imported before a command needs it, so ``irbounds --help`` answers at once.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from .interrupting import INTERRUPTED, ending_by_exception

__all__ = ["main"]

NOBODY_READS = 141


class _Notes(logging.Handler):
    """Notes of the library, such as that it is compiling, on standard error."""

    def emit(self, record: logging.LogRecord) -> None:
        from ..presentation.escaping import make_printable
        from ..presentation.verbosity import is_quiet

        if not is_quiet():
            print(f"irbounds: {make_printable(record.getMessage())}", file=sys.stderr, flush=True)


@contextmanager
def _notes() -> Iterator[None]:
    """Show notes until the end of the ``with`` block."""
    logger, handler = logging.getLogger("irbounds"), _Notes()
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


def main() -> None:
    """Run the command line; errors end in one line and status 2, unless ``--debug`` is given."""
    from .streams import finish_output

    with ending_by_exception():
        try:
            status = _run(sys.argv[1:])
        except KeyboardInterrupt as stop:
            status = _stop(str(stop) or "interrupted", INTERRUPTED)
        finish_output()
    sys.exit(status)


def _run(arguments: list[str]) -> int:
    """Run the command, and return its status."""
    from ..native_messages import holding_back_allowed
    from .streams import prepare_streams

    prepare_streams()
    try:
        with holding_back_allowed(), _notes():
            from .running import run_command

            status = run_command(arguments)
            sys.stdout.flush()
    except BrokenPipeError:
        status = NOBODY_READS
    except Exception as error:
        from .error_words import error_words

        message = error_words(error, arguments)
        if "--debug" in arguments or message is None:
            raise
        status = _stop(f"error: {message}", 2)
    return status


def _stop(message: str, status: int) -> int:
    from ..presentation.escaping import make_printable

    lines = [make_printable(line) for line in message.split("\n")]
    print("irbounds:", "\n".join(lines), file=sys.stderr)
    return status
