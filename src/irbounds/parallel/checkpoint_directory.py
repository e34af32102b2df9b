"""Directories whose content is not trusted: no link is followed, and no device is opened.

A checkpoint may come from an archive, or be in a place where others can write. A link in it could
cause any file of the user to be overwritten, and reading a named pipe would block. So a directory
must belong to this user or to the superuser, and only regular files are opened in it. Names are
looked up by the descriptor of the directory that was checked, so that a link that replaces it
afterwards has no effect. Windows has neither descriptors of directories nor comparable owners;
there, names are checked just before they are opened.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ..atomic_write import write_atomically
from ..errors import CheckpointError

HAS_DESCRIPTORS = os.open in os.supports_dir_fd and os.scandir in os.supports_fd
NO_LINK = getattr(os, "O_NOFOLLOW", 0)
READ_FLAGS = getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)  # a pipe does not block
#: errors of O_NOFOLLOW for a link
LINK_ERRORS = {errno.ELOOP, errno.EMLINK}
KINDS = {
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFDIR: "a directory",
    stat.S_IFREG: "a file",
}
JUNCTION = getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", None)  # a link of directories on Windows


@dataclass(frozen=True)
class Directory:
    """A directory that was checked."""

    path: Path
    #: for looking up names in it, if the system has such descriptors
    descriptor: int | None

    def names(self) -> list[str]:
        """Return the names of all entries, in order."""
        with os.scandir(self.path if self.descriptor is None else self.descriptor) as entries:
            return sorted(entry.name for entry in entries)

    def kind(self, name: str) -> str:
        """Return what an entry is, such as ``a file``; links are not followed."""
        return _kind(self._status(name))

    def age(self, name: str, now: float) -> float:
        """Return how many seconds ago a file was written."""
        return now - self._status(name).st_mtime

    def remove(self, name: str) -> None:
        """Remove a file, or a link itself."""
        os.unlink(self._place(name), dir_fd=self.descriptor)

    def read(self, name: str, max_bytes: int | None = None) -> bytes | None:
        """Return the content of a regular file; None if it is missing, b"" if it is too large.

        The directory is listed before the file is opened. A file that another process writes in
        between is then missing or complete, and never taken for one that is too large.
        """
        if name not in self.names():
            return None
        with self._file(name) as file:
            if max_bytes is not None and os.fstat(file.fileno()).st_size > max_bytes:
                return b""
            return file.read()

    def write(self, name: str) -> AbstractContextManager[BinaryIO]:
        """Open a file to write it atomically, in place of the entry of that name."""
        return write_atomically(self.path / name, follow=False, dir_fd=self.descriptor)

    def _file(self, name: str) -> BinaryIO:
        descriptor = _open(self.path / name, os.O_RDONLY | READ_FLAGS, self.descriptor, "a file")
        return os.fdopen(descriptor, "rb")

    def _status(self, name: str) -> os.stat_result:
        return os.stat(self._place(name), dir_fd=self.descriptor, follow_symlinks=False)

    def _place(self, name: str) -> str:
        return str(self.path / name) if self.descriptor is None else name


@contextmanager
def open_directory(path: Path, *names: str) -> Iterator[Directory]:
    """Open a directory, or one below it, to read and write files there.

    The path itself may be a link, because the user gives it; the names below may not.
    """
    top = path.resolve()
    if not HAS_DESCRIPTORS:
        for k in range(len(names) + 1):
            place = top.joinpath(*names[:k])
            _check_kind(place, os.lstat(place), "a directory")
        yield Directory(path.joinpath(*names), None)
        return
    here, descriptor = path, _open(top, os.O_RDONLY, None, "a directory")
    try:
        for name in names:
            here /= name
            below = _open(here, os.O_RDONLY, descriptor, "a directory")
            os.close(descriptor)
            descriptor = below
        yield Directory(here, descriptor)
    finally:
        os.close(descriptor)


def _open(path: Path, flags: int, within: int | None, expected: str) -> int:
    """Open an entry of the expected kind, by its name in a directory that is open."""
    if within is None:
        _check_kind(path, os.lstat(path), expected)
    place = path if within is None else path.name
    try:
        descriptor = os.open(place, flags | NO_LINK, dir_fd=within)
    except OSError as error:
        if error.errno in LINK_ERRORS:
            raise _refusal(path, KINDS[stat.S_IFLNK], expected) from None
        if error.errno == errno.ENXIO:  # a socket cannot be opened
            raise _refusal(path, KINDS[stat.S_IFSOCK], expected) from None
        error.filename = str(path)
        raise
    try:
        _check_kind(path, os.fstat(descriptor), expected)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _check_kind(path: Path, status: os.stat_result, expected: str) -> None:
    kind = _kind(status)
    if kind != expected:
        raise _refusal(path, kind, expected)
    if hasattr(os, "geteuid") and status.st_uid not in (0, os.geteuid()):
        raise CheckpointError(
            f"{path}: this belongs to another user (number {status.st_uid}), who could have "
            "written anything there; give a directory of your own, or a copy"
        )


def _kind(status: os.stat_result) -> str:
    if JUNCTION is not None and getattr(status, "st_reparse_tag", 0) == JUNCTION:
        return KINDS[stat.S_IFLNK]
    return KINDS.get(stat.S_IFMT(status.st_mode), "something else")


def _refusal(path: Path, kind: str, expected: str) -> CheckpointError:
    return CheckpointError(
        f"{path}: this is {kind}, a checkpoint has {expected} here; remove it, or give another "
        "directory"
    )
