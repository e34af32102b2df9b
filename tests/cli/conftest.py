"""The command line: its output, its errors and how it ends."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from irbounds.cli import main

COMPILING = b"irbounds: compiling (once for each kind of work; up to 20 seconds) ...\n"
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
def irbounds(tmp_path: Path, monkeypatch):
    """Run ``irbounds`` with some arguments in the test's directory.

    In this process, with streams of its own: to start Python and load everything anew for each of
    hundreds of commands takes minutes. ``irbounds_process`` is for what only a process shows. The
    note that kernels are compiled comes once per machine, in whichever test is first.
    """

    def call(*arguments: str, stdin: bytes | None = None, **environment: str):
        streams = {name: io.TextIOWrapper(io.BytesIO(), "utf-8") for name in ("stdout", "stderr")}
        streams["stdin"] = io.TextIOWrapper(io.BytesIO(stdin or b""), "utf-8")
        with monkeypatch.context() as patched:
            patched.chdir(tmp_path)
            patched.setattr(sys, "argv", ["irbounds", *arguments])
            for name, stream in streams.items():
                patched.setattr(sys, name, stream)
            for name, value in environment.items():
                patched.setenv(name, value)
            with pytest.raises(SystemExit) as ended:
                main()
        written = {}
        for name in ("stdout", "stderr"):
            streams[name].flush()
            written[name] = streams[name].buffer.getvalue().replace(COMPILING, b"")
        return subprocess.CompletedProcess(arguments, ended.value.code, **written)

    return call


@pytest.fixture
def irbounds_process(tmp_path: Path):
    """The same in another process, as a person meets it."""

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
