"""``--memory``: real commands in processes of their own, and how large these become.

Each is run without the limit first, as a control: there it becomes clearly larger than the limit
allows. Then it has to stay within 20 % of the limit and give the same numbers; or, where it cannot
fit, say so in one line before it starts. The size is the kernel's own record of the largest
(``ru_maxrss``), so nothing that comes and goes is missed. A process begins with the record of the
one that starts it, which here would be all of these tests: so a small one is between them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import irbounds

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="sizes as Linux tells them"),
]

MIB = 1 << 20
SLACK = 1.2


@dataclass(frozen=True)
class ProcessResult:
    """Exit status, output and peak memory of a process."""

    status: int
    output: str
    errors: str
    peak: float  # MiB


STARTED = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[2:])
_, status, usage = os.wait4(process.pid, 0)
open(sys.argv[1], "w").write(str(usage.ru_maxrss))
os._exit(os.waitstatus_to_exitcode(status))
"""


def run_process(*command: str, directory: Path) -> ProcessResult:
    size = directory / "size"
    completed = subprocess.run(
        [sys.executable, "-S", "-c", STARTED, str(size), *command],
        capture_output=True,
        text=True,
        check=False,
    )
    return ProcessResult(
        completed.returncode, completed.stdout, completed.stderr, int(size.read_text()) / 1024
    )


def test_peak_memory_excludes_parent_process(tmp_path):
    large_buffer = bytearray(b"x") * (300 * MIB)
    assert run_process(sys.executable, "-c", "", directory=tmp_path).peak < 50
    large = run_process(sys.executable, "-c", f"bytearray(b'x') * {200 * MIB}", directory=tmp_path)
    assert 200 < large.peak < 250
    assert len(large_buffer) == 300 * MIB


@pytest.fixture
def irbounds_command(tmp_path):
    def run(*arguments: object) -> ProcessResult:
        return run_process(
            sys.executable, "-m", "irbounds", *map(str, arguments), directory=tmp_path
        )

    return run


@pytest.fixture(scope="module")
def directory(tmp_path_factory) -> Path:
    """Write a collection of 300 queries and 8 systems, and scores of 100 systems on 200 queries."""
    directory = tmp_path_factory.mktemp("collection")
    collection = irbounds.simulation.simulate_collection(8, 300, 20_000, 30, rng=1)
    irbounds.simulation.write_collection(collection, directory)
    scores = np.random.default_rng(1).beta(1, 3, (200, 100))
    np.savetxt(
        directory / "scores.csv",
        scores,
        delimiter=",",
        header=",".join(f"s{k}" for k in range(100)),
        comments="",
        fmt="%.6f",
    )
    np.savetxt(directory / "one.csv", scores[:, :1], header="s0", comments="", fmt="%.6f")
    return directory


def make_corpus_arguments(directory: Path, n_images: int) -> list[object]:
    measures = ("AP", "nDCG@10", "P@10", "RR", "Rprec", "RBP(rel=1)")
    return [
        "corpus",
        directory / "qrels.txt",
        *sorted(directory.glob("*.run")),
        *(part for measure in measures for part in ("-m", measure)),
        *("--corpus-size", 20_000, "--n-images", n_images, "--format", "json"),
    ]


def test_corpus_within_memory_limit_keeps_fewer_scores(irbounds_command, directory):
    """6 measures x 8 systems x 300 queries x 7,000 images at 4 bytes are 385 MiB."""
    arguments = [*make_corpus_arguments(directory, 7_000), "--show", "scores", "--show", "ranks"]
    free = irbounds_command(*arguments)
    limited = irbounds_command(*arguments, "--memory", "400MiB")
    assert free.status == limited.status == 0, limited.errors
    assert free.peak > 400 * SLACK  # the control
    assert limited.peak < 400 * SLACK
    assert "images only" in limited.output  # of how many single scores are kept is said
    # means and ranks are of all images
    assert remove_warnings(limited.output) == remove_warnings(free.output)


def remove_warnings(output: str) -> dict[str, object]:
    return {name: value for name, value in json.loads(output).items() if name != "warnings"}


MANY_QUERIES = """
import sys
import numpy as np
import irbounds
scores = np.random.default_rng(1).random(1_000_000)
with irbounds.execution(threads=8, memory=sys.argv[1]):
    estimate, = irbounds.mean_interval(scores, method="percentile", n_resamples=288, rng=1)
print(repr(estimate.interval))
"""


def test_bootstrap_within_memory_limit_uses_fewer_threads(tmp_path):
    """The counts of a million queries take 64 MiB per thread, and eight are requested."""
    free, limited = (
        run_process(sys.executable, "-c", MANY_QUERIES, memory, directory=tmp_path)
        for memory in ("8GiB", "450MiB")
    )
    assert free.status == limited.status == 0, limited.errors
    assert free.peak > 450 * SLACK
    assert limited.peak < 450 * SLACK
    assert limited.output == free.output


REFUSED = {
    "evaluate": ("evaluate --scores {scores} --method bca --n-resamples 200000", "200,000 resam"),
    "compare": (
        "compare --scores {scores} --method bca --n-resamples 9999",
        "--method 'bca': 9,999 resamples",
    ),
    "chance": (
        "chance 100 5 -m nDCG --method monte-carlo --n-draws 20000000",
        "20,000,000 draws for 1 measure",
    ),
}


@pytest.mark.parametrize(("command", "message"), REFUSED.values(), ids=REFUSED)
def test_command_above_memory_limit_is_refused_at_start(
    irbounds_command, directory, command, message
):
    words = command.format(scores=directory / "scores.csv").split()
    refused = irbounds_command(*words, "--memory", "350MiB")
    assert refused.status == 2
    assert refused.output == ""
    (line,) = refused.errors.splitlines()
    assert line.startswith(f"irbounds: error: {message}")
    assert "MiB" in line
    assert refused.peak < 350


def test_too_many_replicates_are_refused_before_drawing(irbounds_command, directory):
    """The means only, 6 x 8 x 1,000,000 x 8 bytes, take 366 MiB."""
    refused = irbounds_command(*make_corpus_arguments(directory, 1_000_000), "--memory", "500MiB")
    assert (refused.status, refused.output) == (2, "")
    assert "error: 1,000,000 images: at least 1.1 GiB of memory, and 250 MiB may" in refused.errors
