"""Atomic writing of files: a file appears complete or not at all."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

#: errors of writing for which the system does not name the file
WRITE_ERRORS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
NO_SPACE = {errno.ENOSPC, errno.EDQUOT}


@contextmanager
def write_atomically(
    path: str | Path, *, follow: bool = True, dir_fd: int | None = None
) -> Iterator[BinaryIO]:
    """Open a file for writing that is renamed to its path only if no error occurs.

    The temporary file is in the same directory, so that the last step is a rename and not a copy.
    An existing file stays until then, and the new one gets its mode. A link is followed. Anything
    but a regular file (a pipe, ``/dev/null``) is written to directly, because it cannot be
    replaced.

    With ``follow=False`` the file replaces whatever has its name, even a link. Its directory may be
    given as a descriptor, and is then not looked up again.
    """
    user_path = str(path)
    path = Path(os.path.realpath(path)) if follow else Path(path)
    with _name_in_errors(user_path, str(path)):
        before = _stat(path) if follow else None
    if before and not stat.S_ISREG(before.st_mode):
        with _name_in_errors(user_path, str(path)), path.open("wb") as file:
            yield file
        return
    temporary = path.with_name(f".{path.name[:200]}.{secrets.token_hex(4)}")
    old, new = (str(place) if dir_fd is None else place.name for place in (temporary, path))

    def create(name: str, flags: int) -> int:
        return os.open(name, flags, 0o666, dir_fd=dir_fd)

    try:
        with _name_in_errors(user_path, old):
            with open(old, "xb", opener=create) as file:
                yield file
            if before:
                temporary.chmod(stat.S_IMODE(before.st_mode))
            os.replace(old, new, src_dir_fd=dir_fd, dst_dir_fd=dir_fd)
    except BaseException:
        with suppress(OSError):  # of a read-only file system: the first error is the one to show
            os.unlink(old, dir_fd=dir_fd)
        raise


def _stat(path: Path) -> os.stat_result | None:
    """Return the status of a path, or None if it does not exist."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


@contextmanager
def _name_in_errors(user_path: str, written_path: str) -> Iterator[None]:
    """Replace the path of the temporary file in errors by the one that the user gave."""
    try:
        yield
    except OSError as error:
        has_no_name = error.filename is None and error.errno in WRITE_ERRORS
        if error.filename == written_path or has_no_name:
            error.filename = user_path
            if error.errno in NO_SPACE:
                error.strerror = f"{error.strerror}; free some space and run it again"
        raise
