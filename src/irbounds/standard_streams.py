"""Standard streams of a command: closed, full, without a reader, or used by compiled libraries.

A result that cannot be written is an error that names standard output. A message that cannot be
written is dropped: nobody can read it, and the command has work to do. Descriptors that the parent
process closed (``>&-``, some schedulers) are opened again, so that no file of ours gets the number
of a standard stream and then receives what a library writes there.

Compiled libraries write to standard error directly: polars reports a panic there, in several
lines, before it raises. A command states what is wrong with a file in one line of its own, so it
holds that report back while a file is read. Only a command does: standard error belongs to the
whole process, and other programs keep theirs unchanged.
"""

from __future__ import annotations

import errno
import io
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

#: modes that make each use of the stream fail, as GNU coreutils do
OPPOSITE_MODES = (os.O_WRONLY, os.O_RDONLY, os.O_RDONLY)
OUTPUT, ERROR = 1, 2
PANIC = re.compile(rb"\n?thread '.*panicked at ")


# ---- messages of compiled libraries ----


class _StandardError:
    """Standard error of the process, and what is held back of it."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.is_allowed = False
        self.n_holding = 0
        #: the descriptor before it was held back, and what was written since
        self.before: int | None = None
        self.written: IO[bytes] | None = None
        self.n_passed_on = 0
        self.has_panicked = False

    def hold_back(self) -> None:
        with self.lock:
            self.n_holding += 1
            if not self.is_allowed or self.before is not None:
                return
            with suppress(OSError):  # closed, or no space for a temporary file: it stays unchanged
                os.fstat(ERROR)
                self.written = tempfile.TemporaryFile("a+b", 0)  # noqa: SIM115 (closed in _release)
                self.before = os.dup(ERROR)
                os.dup2(self.written.fileno(), ERROR)

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
        """Write what was held back to the original descriptor, except for panics."""
        if self.before is None or self.written is None:
            return
        self.written.seek(self.n_passed_on)  # this does not change where the next text is written
        text = self.written.read()
        self.n_passed_on += len(text)
        panic = PANIC.search(text)
        if not self.has_panicked:
            os.write(self.before, text[: panic.start()] if panic else text)
        self.has_panicked |= panic is not None  # the rest of its report may come later

    def _release(self) -> None:
        """Restore standard error."""
        if self.before is None or self.written is None:
            return
        os.dup2(self.before, ERROR)
        os.close(self.before)
        self.written.close()
        self.before = self.written = None
        self.n_passed_on, self.has_panicked = 0, False


_standard_error = _StandardError()


@contextmanager
def allow_holding_back() -> Iterator[None]:
    """Allow messages to be held back within a ``with`` block, in all threads."""
    _standard_error.set_allowed(True)
    try:
        yield
    finally:
        _standard_error.set_allowed(False)


@contextmanager
def hold_back_messages() -> Iterator[None]:
    """Hold back standard error within a ``with`` block; drop reports of panics."""
    _standard_error.hold_back()
    try:
        yield
    finally:
        _standard_error.end()


# ---- output and messages ----


class _OutputStream(io.FileIO):
    """Standard output, whose errors name it."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise BrokenPipeError from None  # without its number, for which typer would exit with 1
        except OSError as error:
            error.filename = "standard output"
            if error.errno == errno.EBADF:
                error.strerror = "it is closed"
            raise


class _ErrorStream(io.FileIO):
    """Standard error, which drops what cannot be written."""

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
    sys.stdout = _replace_stream(sys.stdout, _OutputStream, OUTPUT)
    sys.stderr = _replace_stream(sys.stderr, _ErrorStream, ERROR)


def finish_output() -> None:
    """Flush standard output; errors were reported before.

    Python would flush it again when it exits, and print a traceback.
    """
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _replace_stream(stream: Any, kind: type[io.FileIO], descriptor: int) -> Any:
    """Return a stream on a raw file of this class; characters it cannot encode are escaped."""
    encoding, is_line_buffered = None, descriptor == ERROR
    if stream is not None:
        if not isinstance(stream, io.TextIOWrapper):
            return stream
        stream.reconfigure(errors="backslashreplace")
        raw = getattr(stream.buffer, "raw", stream.buffer)
        if type(raw) is not io.FileIO:
            return stream
        encoding, is_line_buffered = stream.encoding, stream.line_buffering or stream.write_through
        descriptor = stream.fileno()
    return io.TextIOWrapper(
        io.BufferedWriter(kind(descriptor, "w", closefd=False)),
        encoding=encoding,
        errors="backslashreplace",
        line_buffering=is_line_buffered,
    )
