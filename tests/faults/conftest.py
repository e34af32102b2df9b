"""Fixtures: a command of one or two seconds, its expected output, and how to start it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest


@dataclass(frozen=True)
class Job:
    """A command and the bytes that it writes without faults."""

    arguments: tuple[str, ...]
    expected: bytes

    def command(self, *more: str | Path) -> list[str]:
        return [sys.executable, "-m", "irbounds", *self.arguments, *map(str, more)]

    def start(self, *more: str | Path) -> subprocess.Popen[bytes]:
        """Start the command in a separate process group, as a terminal does."""
        return subprocess.Popen(
            self.command(*more),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env=os.environ | {"IRBOUNDS_THREADS": "2"},
        )


@pytest.fixture(scope="session")
def job(tmp_path_factory: pytest.TempPathFactory) -> Job:
    """Return a job of many units of work."""
    directory = tmp_path_factory.mktemp("job")
    scores = np.random.default_rng(8).beta(2, 3, size=(30, 15)).round(4)
    names = ["query_id", *(f"run{k}" for k in range(15))]
    rows = [[f"q{k}", *map(str, row)] for k, row in enumerate(scores)]
    (directory / "scores.csv").write_text("\n".join(",".join(row) for row in [names, *rows]) + "\n")
    arguments = ("evaluate", "--scores", f"AP={directory / 'scores.csv'}", "--quiet")
    sizes = ("--method", "studentised", "--n-resamples", "200000")
    output = directory / "expected.json"
    unfinished = Job((*arguments, *sizes), b"")
    subprocess.run(unfinished.command("--threads", "1", "--output", output), check=True)
    return Job(unfinished.arguments, output.read_bytes())


@pytest.fixture
def no_processes_left() -> Iterator[None]:
    """Fail if a test leaves processes behind; the browser of other tests is ignored."""
    import psutil

    before = {process.pid for process in psutil.Process().children()}
    yield
    started = [survivor for survivor in psutil.Process().children() if survivor.pid not in before]
    children = [child for survivor in started for child in survivor.children(recursive=True)]
    left = [
        survivor for survivor in (*started, *children) if "resource_tracker" not in _line(survivor)
    ]
    psutil.wait_procs(left, timeout=10)
    assert [
        _line(survivor)
        for survivor in left
        if survivor.is_running() and survivor.status() != "zombie"
    ] == []


def _line(process) -> str:
    import psutil

    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""
