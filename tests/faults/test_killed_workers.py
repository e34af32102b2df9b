"""Dask workers killed in the middle, a scheduler that dies, and commands on a cluster."""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import signal
import subprocess
import sys
import threading
import time

import psutil
import pytest

import every_work
import irbounds
import sample_work
from irbounds.errors import ExecutionError
from irbounds.parallel.dask import dask_client
from irbounds.parallel.digests import compute_digest
from irbounds.parallel.work import bind, run_work

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_processes_left")]
distributed = pytest.importorskip("distributed")

UNITS = 40


def compute_work_digest(client, progress=None) -> str:
    work = bind(sample_work.draw_slowly, "sample", seed=1, n=300, seconds=0.02)
    with irbounds.execution(executor=client, n_blocks=20):
        return compute_digest(list(run_work(work, UNITS, cost=1.0, progress=progress)))


def list_workers() -> list[psutil.Process]:
    children = psutil.Process().children(recursive=True)
    return [child for child in children if "spawn_main" in " ".join(child.cmdline())]


class Killer:
    """Kill one worker or all of them after a number of finished units.

    On a busy machine it may come too late, so it counts how often there was work left.
    """

    def __init__(self, moments: random.Random) -> None:
        self.left = sorted(moments.sample(range(UNITS - 8), moments.choice([1, 1, 2])))
        self.wait = moments.uniform(0.0, 0.05)
        self.all = moments.random() < 0.3
        self.n_done = self.n_amid = 0
        self.timers: list[threading.Timer] = []

    def __call__(self) -> None:
        self.n_done += 1
        if self.left and self.n_done > self.left[0]:
            self.left.pop(0)
            self.timers.append(threading.Timer(self.wait, self.kill))
            self.timers[-1].start()

    def kill(self) -> None:
        with contextlib.suppress(psutil.NoSuchProcess):
            there = list_workers()
            for process in there if self.all else there[:1]:
                process.send_signal(signal.SIGKILL)
                self.n_amid += self.n_done < UNITS

    def end(self) -> int:
        """Stop killing and return how many workers were killed during the work."""
        for timer in self.timers:
            timer.join()
        return self.n_amid


def test_killed_dask_workers_do_not_change_results(capfd):
    """Run 20 rounds or more; in some, all workers and their shared data are lost at once."""
    draws = [sample_work.draw(unit, seed=1, n=300) for unit in range(UNITS)]
    expected = compute_digest(draws)
    moments = random.Random(8)
    n_rounds = 0
    with dask_client("local", 2) as client:
        assert compute_work_digest(client) == expected
        for _ in range(40):
            killer = Killer(moments)
            assert compute_work_digest(client, killer) == expected
            n_rounds += killer.end() > 0
            if n_rounds == 20:
                break
    assert n_rounds == 20  # in which a worker was lost amid the work
    assert capfd.readouterr().err == ""


CLUSTER = """
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0",
        memory_limit=0, silence_logs=60,
    ) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""


@pytest.fixture
def cluster():
    """Start a cluster in another process; it ends when its standard input is closed."""
    process = subprocess.Popen(
        [sys.executable, "-c", CLUSTER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=every_work.environment(),
        start_new_session=True,
    )
    yield process, process.stdout.readline().strip()
    process.stdin.close()
    process.wait(timeout=60)
    process.stdout.close()


def test_lost_scheduler_raises_without_hanging(cluster):
    process, address = cluster
    with dask_client(address) as client:
        units = itertools.count()

        def kill_after_three() -> None:
            if next(units) == 3:
                os.killpg(process.pid, signal.SIGKILL)

        began = time.monotonic()
        with pytest.raises(ExecutionError, match=f"connection to the Dask scheduler at {address}"):
            compute_work_digest(client, kill_after_three)
        assert time.monotonic() - began < 60


def test_command_with_lost_scheduler_prints_one_line(cluster, job, tmp_path):
    process, address = cluster
    command = job.start("--dask", address, "--checkpoint", tmp_path / "c")
    while not list(tmp_path.glob("c/*/*.block")):
        assert command.poll() is None
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    expected_error = (
        f"irbounds: error: the connection to the Dask scheduler at {address} was lost; run it "
    )
    out, errors = command.communicate(timeout=60)
    assert (out, errors.decode()) == (
        b"",
        f"{expected_error}again to continue from finished work\n",
    )
    assert command.returncode == 2


def test_command_on_cluster_writes_identical_file(cluster, job, tmp_path, monkeypatch):
    """No other file is left."""
    _, address = cluster
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    for number, more in enumerate((["--dask", address], ["--dask", "local"])):
        output = tmp_path / f"{number}.json"
        completed = subprocess.run(
            job.command(*more, "--checkpoint", tmp_path / str(number), "--output", output),
            capture_output=True,
            check=False,
        )
        assert (completed.returncode, completed.stderr) == (0, b"")
        assert output.read_bytes() == job.expected
        assert list((tmp_path / "temporary").iterdir()) == []
