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

#: what goes wrong in writing, of which the system does not say in which file
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
NO_ROOM = {errno.ENOSPC, errno.EDQUOT}


@contextmanager
def whole_file(
    path: str | Path, *, follow: bool = True, dir_fd: int | None = None
) -> Iterator[BinaryIO]:
    """A file to write to, that takes its name only when everything went well.

    It is written beside its final place, so that the last step is a rename and not a copy; whatever
    stood there before stays until then, and passes on its mode. A link is followed. What is no
    plain file (a pipe, ``/dev/null``) is written to as it is: it has no name to take.

    Where links are not to be followed, the file takes the place of whatever has its name; its
    directory may be given as a descriptor, and is then not looked up again.
    """
    given = str(path)
    path = Path(os.path.realpath(path)) if follow else Path(path)
    with _named(given, str(path)):
        before = _stat(path) if follow else None
    if before and not stat.S_ISREG(before.st_mode):
        with _named(given, str(path)), path.open("wb") as file:
            yield file
        return
    temporary = path.with_name(f".{path.name[:200]}.{secrets.token_hex(4)}")
    old, new = (str(one) if dir_fd is None else one.name for one in (temporary, path))

    def create(name: str, flags: int) -> int:
        return os.open(name, flags, 0o666, dir_fd=dir_fd)

    try:
        with _named(given, old):
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
    """Return what is known of a path, or None where nothing is there."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


@contextmanager
def _named(given: str, written: str) -> Iterator[None]:
    """Let an error about the file that is written name the one that a person named."""
    try:
        yield
    except OSError as error:
        if error.filename == written or (error.filename is None and error.errno in FULL):
            error.filename = given
            if error.errno in NO_ROOM:
                error.strerror = f"{error.strerror}; make room and run the same again"
        raise
