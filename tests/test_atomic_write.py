"""Atomic writing of files."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from irbounds.atomic_write import write_atomically


def test_file_is_replaced_only_on_success(tmp_path):
    path = tmp_path / "t"
    path.write_text("old")
    with write_atomically(path) as file:
        file.write(b"new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    other = tmp_path / "other"
    other.write_text("")
    assert path.stat().st_mode == other.stat().st_mode  # the mode of any new file, not private


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_failure_keeps_the_old_file_and_leaves_no_other(tmp_path, error):
    path = tmp_path / "t"
    path.write_text("old")
    with pytest.raises(error), write_atomically(path) as file:
        file.write(b"half")
        raise error
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["t"]


FULL_DISK = """
import resource, sys
from irbounds.atomic_write import write_atomically
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
with write_atomically(sys.argv[1]) as file:
    file.write(b"x" * 5000)
"""


def test_full_disk_keeps_the_old_file(tmp_path):
    path = tmp_path / "t"
    path.write_text("old")
    result = subprocess.run(
        [sys.executable, "-c", FULL_DISK, path], capture_output=True, check=False
    )
    assert b"OSError" in result.stderr  # a limit on file sizes, enforced by the system
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["t"]


def test_links_modes_and_devices(tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    real.chmod(0o600)
    link.symlink_to(real)
    with write_atomically(link) as file:
        file.write(b"new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert real.stat().st_mode & 0o777 == 0o600
    with write_atomically("/dev/null") as file:
        file.write(b"x")
    assert Path("/dev/null").is_char_device()


def test_error_names_the_requested_file(tmp_path):
    path = tmp_path / "no directory" / "file.txt"
    with pytest.raises(FileNotFoundError) as raised, write_atomically(path):
        pass
    assert raised.value.filename == str(path)


def test_link_to_itself_is_an_error_and_is_not_removed(tmp_path):
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(OSError, match="symbolic links") as raised, write_atomically(loop):
        pass
    assert raised.value.filename == str(loop)
    assert loop.is_symlink()


def test_error_on_read_only_file_system_names_the_requested_file(tmp_path, monkeypatch):
    """A read-only file system also refuses to remove a missing file."""

    def refuse(path, *rest, **options):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("irbounds.atomic_write.os.open", refuse)
    monkeypatch.setattr("irbounds.atomic_write.os.unlink", refuse)
    with pytest.raises(OSError, match="Read-only") as raised, write_atomically("out.txt"):
        pass
    assert raised.value.filename == "out.txt"
