"""Standard streams that may be closed, full, or connected to a reader that has gone.

A result that cannot be written is an error that names standard output. A message that cannot be
written is dropped: nobody can read it, and the command has work to do. Descriptors that the parent
process closed (``>&-``, some schedulers) are opened again, so that no file of ours gets the number
of a standard stream and then receives what a library writes there.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

#: modes that make each use of the stream fail, as GNU coreutils do
OPPOSITE_MODES = (os.O_WRONLY, os.O_RDONLY, os.O_RDONLY)
OUTPUT, ERROR = 1, 2


class _Output(io.FileIO):
    """Standard output, whose errors say so."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise BrokenPipeError from None  # without its number, by which typer exits with 1
        except OSError as error:
            error.filename = "standard output"
            if error.errno == errno.EBADF:
                error.strerror = "it is closed"
            raise


class _Messages(io.FileIO):
    """Standard error, where what cannot be written is dropped."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes


def prepare_streams() -> None:
    """Open closed standard streams again, and replace standard output and standard error.

    A stream that is not a file descriptor (in a test or a notebook) stays as it is.
    """
    for descriptor, mode in enumerate(OPPOSITE_MODES):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, mode)  # gets the lowest free number, which is this one
    sys.stdout = _replaced(sys.stdout, _Output, OUTPUT)
    sys.stderr = _replaced(sys.stderr, _Messages, ERROR)


def finish_output() -> None:
    """Write what is left of standard output; what cannot be written was reported before.

    Python tries once more when it ends, and would complain.
    """
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _replaced(stream: Any, kind: type[io.FileIO], descriptor: int) -> Any:
    """Return the stream over a descriptor of this kind; a name it cannot encode is spelt out."""
    encoding, at_once = None, descriptor == ERROR
    if stream is not None:
        if not isinstance(stream, io.TextIOWrapper):
            return stream
        stream.reconfigure(errors="backslashreplace")
        raw = getattr(stream.buffer, "raw", stream.buffer)
        if type(raw) is not io.FileIO:
            return stream
        encoding, at_once = stream.encoding, stream.line_buffering or stream.write_through
        descriptor = stream.fileno()
    return io.TextIOWrapper(
        io.BufferedWriter(kind(descriptor, "w", closefd=False)),
        encoding=encoding,
        errors="backslashreplace",
        line_buffering=at_once,
    )
