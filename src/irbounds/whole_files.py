"""Files that appear whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

__all__ = ["whole_file"]

#: what goes wrong in writing, of which the system does not say in which file
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
NO_ROOM = {errno.ENOSPC, errno.EDQUOT}


@contextmanager
def whole_file(path: str | Path) -> Iterator[BinaryIO]:
    """A file to write to, that takes its name only when everything went well.

    It is written beside its final place, so that the last step is a rename and not a copy; whatever
    stood there before stays until then, and passes on its mode. A link is followed. What is no
    plain file (a pipe, ``/dev/null``) is written to as it is: it has no name to take.
    """
    given = str(path)
    path = Path(os.path.realpath(path))
    with _named(given, path):
        before = _stat(path)
    if before and not stat.S_ISREG(before.st_mode):
        with _named(given, path), path.open("wb") as file:
            yield file
        return
    temporary = path.with_name(f".{path.name[:200]}.{secrets.token_hex(4)}")
    try:
        with _named(given, temporary):
            with temporary.open("xb") as file:
                yield file
            if before:
                temporary.chmod(stat.S_IMODE(before.st_mode))
            os.replace(temporary, path)  # noqa: PTH105
    except BaseException:
        with suppress(
            OSError
        ):  # a file system that is read-only: the first error is the one to show
            temporary.unlink()
        raise


def _stat(path: Path) -> os.stat_result | None:
    """Return what is known of a path, or None where nothing is there."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


@contextmanager
def _named(given: str, path: Path) -> Iterator[None]:
    """Let an error about the path that is written to name the file that a person named."""
    try:
        yield
    except OSError as error:
        if error.filename == str(path) or (error.filename is None and error.errno in FULL):
            error.filename = given
            if error.errno in NO_ROOM:
                error.strerror = f"{error.strerror}; make room and run the same again"
        raise
