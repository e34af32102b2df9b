"""Files that appear whole or not at all."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from irbounds.atomic_write import write_atomically


def test_a_file_is_replaced_only_when_all_went_well(tmp_path):
    path = tmp_path / "t"
    path.write_text("old")
    with write_atomically(path) as file:
        file.write(b"new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    other = tmp_path / "other"
    other.write_text("")
    assert path.stat().st_mode == other.stat().st_mode  # as any new file, not private


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_failure_leaves_what_was_there_and_nothing_else(tmp_path, error):
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


def test_a_disk_that_takes_no_more_leaves_what_was_there(tmp_path):
    path = tmp_path / "t"
    path.write_text("old")
    done = subprocess.run([sys.executable, "-c", FULL_DISK, path], capture_output=True, check=False)
    assert b"OSError" in done.stderr  # a limit on file sizes, which the system enforces for real
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["t"]


def test_links_are_followed_modes_kept_and_devices_written_to(tmp_path):
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


def test_an_error_names_the_file_that_was_given(tmp_path):
    wanted = tmp_path / "no folder" / "file.txt"
    with pytest.raises(FileNotFoundError) as raised, write_atomically(wanted):
        pass
    assert raised.value.filename == str(wanted)


def test_a_link_to_itself_is_an_error_and_stays(tmp_path):
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(OSError, match="symbolic links") as raised, write_atomically(loop):
        pass
    assert raised.value.filename == str(loop)
    assert loop.is_symlink()


def test_where_nothing_can_be_written_or_removed_the_error_names_the_given_file(
    tmp_path, monkeypatch
):
    """A file system that is read-only refuses also to remove what is not there."""

    def refuse(path, *rest, **options):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("irbounds.atomic_write.os.open", refuse)
    monkeypatch.setattr("irbounds.atomic_write.os.unlink", refuse)
    with pytest.raises(OSError, match="Read-only") as raised, write_atomically("out.txt"):
        pass
    assert raised.value.filename == "out.txt"
