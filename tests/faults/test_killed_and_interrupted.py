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

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("nothing_left")]

#: killed by the signal as it ends where that came while Python compiled a text; a shell shows both
#: as 130
INTERRUPTED = (130, -signal.SIGINT)


def disturbed(job, folder: Path, n_new: int, wait: float, number: signal.Signals):
    """The command with a checkpoint and an output, sent a signal amid its work, and ended.

    After so many more blocks and a while: seconds alone would miss the work on a busy machine.
    """
    process = job.start("--checkpoint", folder / "c", "--output", folder / "out.json")
    wanted = n_blocks(folder) + n_new
    while process.poll() is None and n_blocks(folder) < wanted:
        time.sleep(0.002)
    try:
        told = process.communicate(timeout=wait)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, number)
        told = process.communicate(timeout=60)
    return process.returncode, told


def finish(job, folder: Path) -> None:
    subprocess.run(
        job.command("--checkpoint", folder / "c", "--output", folder / "out.json"), check=True
    )
    assert (folder / "out.json").read_bytes() == job.expected


def n_blocks(folder: Path) -> int:
    return len(list(folder.glob("c/*/*.block")))


def test_killed_again_and_again_it_ends_with_the_same_bits(job, tmp_path):
    """20 times; whenever it ends in between, it begins anew in another folder."""
    moments = random.Random(20)
    n_killed = n_done = 0
    while n_killed < 20:
        folder = tmp_path / str(n_done)
        folder.mkdir(exist_ok=True)
        wait = moments.uniform(0.0, 0.1)
        status, _ = disturbed(job, folder, moments.choice([0, 1, 2]), wait, signal.SIGKILL)
        n_killed += status == -signal.SIGKILL
        if (folder / "out.json").exists():  # whole, also where it was killed a moment later
            assert (folder / "out.json").read_bytes() == job.expected
            n_done += 1
        else:
            assert status == -signal.SIGKILL
    finish(job, folder)


def test_interrupted_again_and_again_it_ends_with_the_same_bits(job, tmp_path):
    """10 times; after Ctrl-C one line is said, and nothing half written is left."""
    moments = random.Random(10)
    n_interrupted = n_done = 0
    while n_interrupted < 10:
        folder = tmp_path / str(n_done)
        folder.mkdir(exist_ok=True)
        wait = moments.uniform(0.0, 0.1)
        status, told = disturbed(job, folder, moments.choice([1, 2, 3]), wait, signal.SIGINT)
        if status == 0 or (folder / "out.json").exists():  # or interrupted when all was done
            assert (folder / "out.json").read_bytes() == job.expected
            n_done += 1
            continue
        n_interrupted += 1
        assert status in INTERRUPTED
        assert told[0] == b""
        assert re.fullmatch(rb"irbounds: interrupted(; finished work is in .*)?\n", told[1])
        assert not [path for path in folder.rglob(".*") if path.is_file()]
    finish(job, folder)


ENDS = {
    signal.SIGINT: (INTERRUPTED, rb"irbounds: interrupted(; finished work is in .*)?\n"),
    signal.SIGTERM: ((128 + signal.SIGTERM,), rb""),  # as batch systems send it
}


@pytest.mark.parametrize("number", ENDS)
@pytest.mark.parametrize("amid", [False, True])
def test_ended_on_dask_it_leaves_nothing(job, tmp_path, monkeypatch, amid, number):
    """As the cluster starts, and as it works: no process, no file, and it can go on."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    process = job.start("--dask", "local", "--checkpoint", tmp_path / "c")
    while not (n_blocks(tmp_path) if amid else has_children(process.pid)):
        assert process.poll() is None
        time.sleep(0.01)
    os.killpg(process.pid, number)
    told = process.communicate(timeout=60)
    status, said = ENDS[number]
    assert told[0] == b""
    assert re.fullmatch(said, told[1])
    assert process.returncode in status
    patience = time.monotonic() + 10
    while living(process.pid) and time.monotonic() < patience:
        time.sleep(0.05)
    assert living(process.pid) == []
    assert list((tmp_path / "temporary").iterdir()) == []
    finish(job, tmp_path)


def living(group: int) -> list[str]:
    """What still runs of a group of processes."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, ProcessLookupError):
            if os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE:
                found.append(" ".join(process.cmdline()))
    return found


def has_children(pid: int) -> bool:
    return bool(psutil.Process(pid).children())
