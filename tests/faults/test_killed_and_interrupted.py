"""The main process killed, or interrupted with Ctrl-C, at random moments, and started again."""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_processes_left")]

#: killed by the signal as it ends where that came while Python compiled a text; a shell shows both
#: as 130
INTERRUPTED = (130, -signal.SIGINT)


def run_and_signal(job, directory: Path, n_new: int, wait: float, number: signal.Signals):
    """Run the command with a checkpoint and an output, and send it a signal during its work.

    The signal follows ``n_new`` more blocks and a delay; a delay only could miss the work.
    """
    process = job.start("--checkpoint", directory / "c", "--output", directory / "out.json")
    n_blocks_expected = count_blocks(directory) + n_new
    while process.poll() is None and count_blocks(directory) < n_blocks_expected:
        time.sleep(0.002)
    try:
        streams = process.communicate(timeout=wait)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, number)
        streams = process.communicate(timeout=60)
    return process.returncode, streams


def finish(job, directory: Path) -> None:
    subprocess.run(
        job.command("--checkpoint", directory / "c", "--output", directory / "out.json"), check=True
    )
    assert (directory / "out.json").read_bytes() == job.expected


def count_blocks(directory: Path) -> int:
    return len(list(directory.glob("c/*/*.block")))


def test_repeatedly_killed_command_writes_identical_bytes(job, tmp_path):
    """Kill it 20 times; whenever it finishes in between, start again in another directory."""
    moments = random.Random(20)
    n_killed = n_done = 0
    while n_killed < 20:
        directory = tmp_path / str(n_done)
        directory.mkdir(exist_ok=True)
        wait = moments.uniform(0.0, 0.1)
        status, _ = run_and_signal(job, directory, moments.choice([0, 1, 2]), wait, signal.SIGKILL)
        n_killed += status == -signal.SIGKILL
        if (directory / "out.json").exists():  # whole, also where it was killed a moment later
            assert (directory / "out.json").read_bytes() == job.expected
            n_done += 1
        else:
            assert status == -signal.SIGKILL
    finish(job, directory)


def test_repeatedly_interrupted_command_writes_identical_bytes(job, tmp_path):
    """Interrupt it 10 times; Ctrl-C prints one line and leaves no partial file."""
    moments = random.Random(10)
    n_interrupted = n_done = 0
    while n_interrupted < 10:
        directory = tmp_path / str(n_done)
        directory.mkdir(exist_ok=True)
        wait = moments.uniform(0.0, 0.1)
        status, streams = run_and_signal(
            job, directory, moments.choice([1, 2, 3]), wait, signal.SIGINT
        )
        if status == 0 or (directory / "out.json").exists():  # or interrupted when all was done
            assert (directory / "out.json").read_bytes() == job.expected
            n_done += 1
            continue
        n_interrupted += 1
        assert status in INTERRUPTED
        assert streams[0] == b""
        assert re.fullmatch(rb"irbounds: interrupted(; finished work is in .*)?\n", streams[1])
        assert not [path for path in directory.rglob(".*") if path.is_file()]
    finish(job, directory)


ENDS = {
    signal.SIGINT: (INTERRUPTED, rb"irbounds: interrupted(; finished work is in .*)?\n"),
    signal.SIGTERM: ((128 + signal.SIGTERM,), rb""),  # as batch systems send it
}


@pytest.mark.parametrize("number", ENDS)
@pytest.mark.parametrize("amid", [False, True])
def test_dask_command_ended_by_signal_leaves_no_process_or_file(
    job, tmp_path, monkeypatch, amid, number
):
    """Signal it while the cluster starts and while it works; it can be resumed."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    process = job.start("--dask", "local", "--checkpoint", tmp_path / "c")
    while not (count_blocks(tmp_path) if amid else has_children(process.pid)):
        assert process.poll() is None
        time.sleep(0.01)
    os.killpg(process.pid, number)
    streams = process.communicate(timeout=60)
    status, expected_errors = ENDS[number]
    assert streams[0] == b""
    assert re.fullmatch(expected_errors, streams[1])
    assert process.returncode in status
    patience = time.monotonic() + 10
    while list_living_processes(process.pid) and time.monotonic() < patience:
        time.sleep(0.05)
    assert list_living_processes(process.pid) == []
    assert list((tmp_path / "temporary").iterdir()) == []
    finish(job, tmp_path)


def list_living_processes(group: int) -> list[str]:
    """Return the command lines of the running processes of a process group."""
    commands = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, ProcessLookupError):
            if os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE:
                commands.append(" ".join(process.cmdline()))
    return commands


def has_children(pid: int) -> bool:
    return bool(psutil.Process(pid).children())
