"""The command line: its output, its errors and how it ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = (
    "numba",
    "polars",
    "pandas",
    "scipy.stats",
    "altair",
    "vl_convert",
    "jinja2",
    "distributed",
)
QRELS = "".join(f"q{k} 0 d{j} {int((j + k) % 3 == 0)}\n" for k in range(6) for j in range(8))


def run_text(shift: int) -> str:
    return "".join(
        f"q{k} Q0 d{(j * 5 + k * shift) % 8} {j + 1} {8 - j} t\n"
        for k in range(6)
        for j in range(8)
    )


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A directory with qrels.txt, one.run and two.run."""
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "one.run").write_text(run_text(0))
    (tmp_path / "two.run").write_text(run_text(1))
    return tmp_path


@pytest.fixture
def loaded_by():
    """Which heavy modules Python has loaded after a command."""
    program = (
        "import sys\n"
        "from irbounds.cli.runner import run_command\n"
        "run_command(sys.argv[1:])\n"
        f"print('loaded:', *[name for name in {HEAVY!r} if name in sys.modules])\n"
    )

    def call(*arguments: str) -> list[str]:
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True
        )
        return done.stdout.splitlines()[-1].split()[1:]

    return call
