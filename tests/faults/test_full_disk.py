"""A disk that is full: a small file system of its own, or the device that always is."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from irbounds.cli import main

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux has /dev/full and tmpfs")

# runs with a directory that a file system of 4 MiB is mounted on, for this program alone
PROGRAM = """
import json, shutil, subprocess, sys
from pathlib import Path

small, kept, command = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]

def fill():
    with (small / "filling").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass

def run():
    done = subprocess.run(command, capture_output=True, text=True)
    names = sorted(str(path.relative_to(small)) for path in small.rglob("*") if path.is_file())
    return [done.returncode, done.stderr, names]

fill()
full = run()
(small / "filling").unlink()
empty = run()
shutil.copytree(small, kept)
print(json.dumps([full, empty]))
"""
COPYING = PROGRAM.replace("\nfill()\n", "\nshutil.copytree(command.pop(0), small / 'c')\nfill()\n")
MOUNTED = 'mount -t tmpfs -o size=4m none "$1" && exec "$0" -c "$2" "$1" "${@:3}"'


def run_on_small_disk(small: Path, backup: Path, command: list[str], program: str = PROGRAM):
    """Run a command on a full disk, then with free space, and return both outcomes."""
    unshare = shutil.which("unshare")
    if unshare is None:
        pytest.skip("needs unshare, of util-linux, to mount a small file system")
    small.mkdir()
    shell = ["bash", "-c", MOUNTED, sys.executable, str(small), program, str(backup), *command]
    for rights in (["-rm"], ["-m"]):  # as anybody, in a namespace of users; as root
        completed = subprocess.run(
            [unshare, *rights, *shell], capture_output=True, text=True, timeout=120, check=False
        )
        if completed.returncode == 0:
            return json.loads(completed.stdout)
    pytest.skip(f"needs the right to mount a small file system: {completed.stderr}")


NO_ROOM = "No space left on device; free some space and run it again"
OUTPUTS = {"--output": "out.json", "--figure": "out.svg", "--report": "out.html"}


@pytest.mark.slow
@pytest.mark.parametrize("option", OUTPUTS)
def test_full_disk_at_output_is_an_error(job, tmp_path, option):
    small, backup = tmp_path / "small", tmp_path / "kept"
    file = small / OUTPUTS[option]
    command = job.command(option, file, "--n-resamples", "64")
    full, empty = run_on_small_disk(small, backup, command)
    assert full == [2, f"irbounds: error: {file}: {NO_ROOM}\n", ["filling"]]
    assert empty == [0, "", [file.name]]
    assert (backup / file.name).stat().st_size > 1000


@pytest.mark.slow
def test_checkpoint_on_full_disk_resumes_when_there_is_space(job, tmp_path):
    """Written blocks are kept, and are read once the others can be written."""
    small, backup, some = tmp_path / "small", tmp_path / "kept", tmp_path / "some"
    subprocess.run(job.command("--checkpoint", some), check=True, capture_output=True)
    files = sorted(some.glob("*/*.block"))
    assert len(files) > 10
    for file in files[5:]:
        file.unlink()
    output = tmp_path / "out.json"
    command = job.command("--checkpoint", small / "c", "--output", output)
    full, empty = run_on_small_disk(small, backup, [str(some), *command], COPYING)
    status, errors, names = full
    assert status == 2
    assert errors.startswith(f"irbounds: error: {small}/c/")
    assert errors.endswith(f".block: {NO_ROOM}\n")
    assert errors.count("\n") == 1
    assert len([name for name in names if name.endswith(".block")]) == 5
    assert not [name for name in names if "/." in name]
    assert empty[:2] == [0, ""]
    assert output.read_bytes() == job.expected
    for file in files[:5]:  # copied with their times, and not written again
        again = backup / "c" / file.relative_to(some)
        assert again.stat().st_mtime_ns == file.stat().st_mtime_ns


@pytest.mark.slow
def test_full_disk_at_numba_cache_compiles_without_caching(write, tmp_path, monkeypatch):
    """Functions are compiled but not cached, with one warning; with space they are cached."""
    small, backup = tmp_path / "small", tmp_path / "kept"
    scores = write("scores.csv", "query_id,a\nq1,0.2\nq2,0.4\nq3,0.9\n")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(small / "cache"))
    options = ["--scores", f"AP={scores}", "--method", "percentile"]
    command = [sys.executable, "-m", "irbounds", "evaluate", *options]
    full, empty = run_on_small_disk(small, backup, command)
    status, text, names = full
    compiling, lost = text.splitlines()
    assert status == 0
    assert compiling.startswith("irbounds: compiling (once for")
    assert lost.startswith(f"irbounds: compiled functions cannot be cached in {small / 'cache'}")
    assert "(No space left on device)" in lost
    assert not [name for name in names if name.endswith(".nbc")]
    assert empty[0] == 0
    assert [name for name in empty[2] if name.endswith(".nbc")]


def test_output_to_dev_full_is_an_error(write, monkeypatch, capsys):
    """A device is written directly, not atomically, and the error names it."""
    rows = "".join(f"q{k},{k / 20}\n" for k in range(12))  # fewer than ten would have a warning
    scores = write("scores.csv", "query_id,a\n" + rows)
    arguments = [
        "evaluate",
        "--scores",
        f"AP={scores}",
        "--method",
        "student-t",
        "--format",
        "json",
    ]
    monkeypatch.setattr(sys, "argv", ["irbounds", *arguments, "--output", "/dev/full"])
    with pytest.raises(SystemExit) as exit_info:
        main()
    assert exit_info.value.code == 2
    assert capsys.readouterr().err == f"irbounds: error: /dev/full: {NO_ROOM}\n"
