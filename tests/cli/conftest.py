"""The command line as a person meets it: another process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

COMPILING = b"irbounds: compiling for this machine (first use; up to 20 seconds, once) ...\n"
HEAVY = ("numba", "polars", "pandas", "scipy.stats")
QRELS = "".join(f"q{k} 0 d{j} {int((j + k) % 3 == 0)}\n" for k in range(6) for j in range(8))


def run_text(shift: int) -> str:
    return "".join(
        f"q{k} Q0 d{(j * 5 + k * shift) % 8} {j + 1} {8 - j} t\n"
        for k in range(6)
        for j in range(8)
    )


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with qrels.txt, one.run and two.run."""
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "one.run").write_text(run_text(0))
    (tmp_path / "two.run").write_text(run_text(1))
    return tmp_path


@pytest.fixture
def irbounds(tmp_path: Path):
    """Run ``irbounds`` with some arguments in the test's folder.

    The note that kernels are compiled comes once a machine, in whichever test is first.
    """

    def call(*arguments: str, stdin: bytes | None = None, **environment: str):
        done = subprocess.run(
            [sys.executable, "-m", "irbounds", *arguments],
            cwd=tmp_path,
            env={**os.environ, **environment},
            input=stdin,
            capture_output=True,
            check=False,
        )
        done.stderr = done.stderr.replace(COMPILING, b"")
        return done

    return call


@pytest.fixture
def loaded_by():
    """Which heavy modules Python has loaded after a command."""
    program = (
        "import sys\n"
        "from irbounds.cli.app import app\n"
        "app(sys.argv[1:], standalone_mode=False)\n"
        f"print('loaded:', *[name for name in {HEAVY!r} if name in sys.modules])\n"
    )

    def call(*arguments: str) -> list[str]:
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True
        )
        return done.stdout.splitlines()[-1].split()[1:]

    return call
