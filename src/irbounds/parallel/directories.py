"""Directories that somebody else may have filled: no link is followed, and no device is opened.

A checkpoint may be unpacked from an archive or lie where others can write. A link in it would let
its maker have any file of ours overwritten, and a pipe would be waited for. So a directory must
belong to this user (or to the superuser, whom all trust), and what is opened in it must be a
regular file. Names are looked up in the directory that was checked, by its descriptor; a link that
takes its place afterwards changes nothing. Windows has neither descriptors of directories nor
owners that compare so; there, names are looked at just before they are opened.
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

from ..atomic_write import whole_file
from ..errors import CheckpointError

HAS_DESCRIPTORS = os.open in os.supports_dir_fd and os.scandir in os.supports_fd
NO_LINK = getattr(os, "O_NOFOLLOW", 0)
AS_IT_IS = getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)  # not waiting for a pipe
#: how systems say that O_NOFOLLOW met a link
LINK_MET = {errno.ELOOP, errno.EMLINK}
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
    #: by which names in it are looked up, where the system has such
    descriptor: int | None

    def names(self) -> list[str]:
        """Return the names of all entries, in order."""
        with os.scandir(self.path if self.descriptor is None else self.descriptor) as entries:
            return sorted(entry.name for entry in entries)

    def kind(self, name: str) -> str:
        """Return what an entry is, in words; a link is a link."""
        return _kind(self._status(name))

    def age(self, name: str, now: float) -> float:
        """Return how many seconds ago a file was written."""
        return now - self._status(name).st_mtime

    def remove(self, name: str) -> None:
        """Remove a file, or a link itself."""
        os.unlink(self._place(name), dir_fd=self.descriptor)

    def read(self, name: str, max_bytes: int | None = None) -> bytes | None:
        """Return the content of a regular file; None where there is none, b"" if it is larger.

        The directory is listed before the file is opened. A file that another process writes in
        between is then missing or whole, never taken for one that is too large.
        """
        if name not in self.names():
            return None
        with self._file(name) as file:
            if max_bytes is not None and os.fstat(file.fileno()).st_size > max_bytes:
                return b""
            return file.read()

    def write(self, name: str) -> AbstractContextManager[BinaryIO]:
        """Write a file that appears whole or not at all, in place of what has the name."""
        return whole_file(self.path / name, follow=False, dir_fd=self.descriptor)

    def _file(self, name: str) -> BinaryIO:
        descriptor = _open(self.path / name, os.O_RDONLY | AS_IT_IS, self.descriptor, "a file")
        return os.fdopen(descriptor, "rb")

    def _status(self, name: str) -> os.stat_result:
        return os.stat(self._place(name), dir_fd=self.descriptor, follow_symlinks=False)

    def _place(self, name: str) -> str:
        return str(self.path / name) if self.descriptor is None else name


@contextmanager
def open_directory(path: Path, *names: str) -> Iterator[Directory]:
    """Open a directory, or one below it, to read and write files there.

    The first may be reached by a link, since a person names it; what is below may not.
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


def _open(path: Path, flags: int, within: int | None, wanted: str) -> int:
    """Open what a path names, by its last name in a directory that is open, if it is as wanted."""
    if within is None:
        _check_kind(path, os.lstat(path), wanted)
    place = path if within is None else path.name
    try:
        descriptor = os.open(place, flags | NO_LINK, dir_fd=within)
    except OSError as error:
        if error.errno in LINK_MET:
            raise _refusal(path, KINDS[stat.S_IFLNK], wanted) from None
        if error.errno == errno.ENXIO:  # a socket cannot be opened
            raise _refusal(path, KINDS[stat.S_IFSOCK], wanted) from None
        error.filename = str(path)
        raise
    try:
        _check_kind(path, os.fstat(descriptor), wanted)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _check_kind(path: Path, status: os.stat_result, wanted: str) -> None:
    kind = _kind(status)
    if kind != wanted:
        raise _refusal(path, kind, wanted)
    if hasattr(os, "geteuid") and status.st_uid not in (0, os.geteuid()):
        raise CheckpointError(
            f"{path}: this belongs to another user (number {status.st_uid}), who could have put "
            "anything there; give a directory of your own, or a copy"
        )


def _kind(status: os.stat_result) -> str:
    if JUNCTION is not None and getattr(status, "st_reparse_tag", 0) == JUNCTION:
        return KINDS[stat.S_IFLNK]
    return KINDS.get(stat.S_IFMT(status.st_mode), "something else")


def _refusal(path: Path, kind: str, wanted: str) -> CheckpointError:
    return CheckpointError(
        f"{path}: this is {kind}, where a checkpoint has {wanted}; remove it, or give another "
        "directory"
    )
