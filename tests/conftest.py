"""What several tests need: the real data where it is, and small inputs."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

from irbounds import parallel
from irbounds.cli import main

COMPILING = b"irbounds: compiling (once for each kind of work; up to 20 seconds) ...\n"
NEARNESS = 12  # of 255, a channel: antialiased edges are not counted

HEAVY = (
    "numba",
    "polars",
    "pandas",
    "scipy.stats",
    "altair",
    "vl_convert",
    "jinja2",
    "distributed",
    "ir_datasets",
)
QRELS = "".join(f"q{k} 0 d{j} {int((j + k) % 3 == 0)}\n" for k in range(6) for j in range(8))

parallel.THREAD_BLOCK_COST = 1.0  # every unit is a block, so that threads have something to divide

# the same examples on every machine; no deadline, since the first call compiles
settings.register_profile("irbounds", deadline=None, derandomize=True)
settings.load_profile("irbounds")

# a shell has what it starts in the background ignore Ctrl-C, and tests send it
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def data_directory() -> Path:
    """The directory of real data; tests that need it are skipped without it."""
    directory = os.environ.get("IRBOUNDS_DATA")
    if not directory:
        pytest.skip(
            "needs real data: set IRBOUNDS_DATA to a directory as in docs/how-to/data-sets.md"
        )
    return Path(directory).resolve()


@pytest.fixture(scope="session")
def robust03(data_directory: Path) -> Path:
    """TREC 2003 Robust: judgments and 14 runs."""
    directory = data_directory / "robust03"
    if not directory.is_dir():
        pytest.skip(f"needs robust03, which {data_directory} does not hold")
    return directory


@pytest.fixture
def write(tmp_path: Path):
    """Write a file of the given text (or bytes) and give its path."""

    def write_file(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write_file


# ---- the command line ----


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


# ---- figures ----


def picture(figure: Any) -> np.ndarray:
    """Height x width x (red, green, blue) of a figure as it is drawn."""
    from PIL import Image

    from irbounds.presentation.figures.export import figure_bytes

    with Image.open(io.BytesIO(figure_bytes(figure, ".png"))) as image:
        return np.asarray(image.convert("RGB")).astype(int)


@pytest.fixture
def painted():
    """Where a figure has a colour: an array of height x width, True where it is that colour.

    ``legend=False`` leaves out the legend on top, which is the first band of painted rows.
    """

    pictures: dict[int, tuple[Any, np.ndarray]] = {}  # with its figure, whose id is the key

    def found(figure: Any, colour: str, *, legend: bool = True) -> np.ndarray:
        if id(figure) not in pictures:
            pictures[id(figure)] = figure, picture(figure)
        wanted = [int(colour[k : k + 2], 16) for k in (1, 3, 5)]
        mask = (np.abs(pictures[id(figure)][1] - wanted) <= NEARNESS).all(axis=2)
        rows = mask.any(axis=1)
        return mask if legend else mask[np.flatnonzero(rows[:-1] & ~rows[1:])[0] + 1 :]

    return found


@pytest.fixture
def symbol(painted):
    """The shape of the legend's symbol of a colour: how much of its box, and height by width."""

    def found(figure: Any, colour: str) -> tuple[float, float]:
        mask = painted(figure, colour)
        rows = np.flatnonzero(mask.any(axis=1))
        ends = rows[np.flatnonzero(np.diff(rows, append=len(mask) + 1) > 1)]
        band = mask[rows[0] : ends[0] + 1]  # the legend is the first band of painted rows
        columns = np.flatnonzero(band.any(axis=0))
        box = band[:, columns[0] : columns[-1] + 1]
        return float(box.mean()), box.shape[0] / box.shape[1]

    return found


@pytest.fixture
def rows_of():
    """The data behind a figure, all layers and panels together; names are not yet drawable."""

    def found(figure: Any) -> list[dict[str, Any]]:
        return [row for rows in figure.chart.to_dict()["datasets"].values() for row in rows]

    return found


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
