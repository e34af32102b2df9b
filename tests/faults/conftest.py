"""A command that takes a second or two, what it gives undisturbed, and how to disturb it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

NUMBERS = ",".join(map(str, range(6, 30, 2)))


@dataclass(frozen=True)
class Job:
    """A command, and the file that it writes where nothing goes wrong."""

    arguments: tuple[str, ...]
    expected: bytes

    def command(self, *more: str | Path) -> list[str]:
        return [sys.executable, "-m", "irbounds", *self.arguments, *map(str, more)]

    def start(self, *more: str | Path) -> subprocess.Popen[bytes]:
        """In a process group of its own, as a terminal has it."""
        return subprocess.Popen(
            self.command(*more),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env=os.environ | {"IRBOUNDS_THREADS": "2"},
        )


@pytest.fixture(scope="session")
def job(tmp_path_factory: pytest.TempPathFactory) -> Job:
    """Twelve pieces of work, of a block or two each."""
    folder = tmp_path_factory.mktemp("job")
    scores = np.random.default_rng(8).beta(2, 3, size=(30, 15)).round(4)
    names = ["query_id", *(f"run{k}" for k in range(15))]
    rows = [[f"q{k}", *map(str, row)] for k, row in enumerate(scores)]
    (folder / "scores.csv").write_text("\n".join(",".join(row) for row in [names, *rows]) + "\n")
    arguments = ("calibrate", "--scores", f"AP={folder / 'scores.csv'}", "--quiet")
    sizes = ("--n-queries", NUMBERS, "--n-samples", "300", "--n-resamples", "150")
    output = folder / "expected.json"
    whole = Job((*arguments, *sizes), b"")
    subprocess.run(whole.command("--threads", "1", "--output", output), check=True)
    return Job(whole.arguments, output.read_bytes())


@pytest.fixture
def nothing_left() -> Iterator[None]:
    """Fail where a test leaves processes behind; a browser of other tests may start more."""
    import psutil

    before = {process.pid for process in psutil.Process().children()}
    yield
    started = [one for one in psutil.Process().children() if one.pid not in before]
    children = [child for one in started for child in one.children(recursive=True)]
    left = [one for one in (*started, *children) if "resource_tracker" not in _line(one)]
    psutil.wait_procs(left, timeout=10)
    assert [_line(one) for one in left if one.is_running() and one.status() != "zombie"] == []


def _line(process) -> str:
    import psutil

    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""
