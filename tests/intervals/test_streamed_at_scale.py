"""Streams of millions of queries: memory, and processes of others."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import polars as pl
import pytest

import irbounds

pytestmark = pytest.mark.slow

ROWS = 1_000_000  # of a file
PROGRAM = """
import irbounds, re, sys
with irbounds.execution(threads=2, memory={memory!r}):
    found = irbounds.mean_interval(sys.argv[1:], method="percentile", n_resamples=64, rng=0)
status = open("/proc/self/status").read()
print(found[0].interval.low.hex(), int(re.search(r"VmHWM:\\s+(\\d+)", status)[1]) // 1024)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Six million queries in six files of 30 MB."""
    folder = tmp_path_factory.mktemp("scores")
    generator = np.random.default_rng(0)
    for k in range(6):
        columns = {f"s{j}": generator.random(ROWS, dtype=np.float32) for j in range(4)}
        ids = pl.int_range(k * ROWS, (k + 1) * ROWS, eager=True)
        frame = pl.DataFrame({"query_id": ids, **columns})
        frame.write_parquet(folder / f"{k}.parquet")
    return folder


def peak(folder, pattern: str, memory: str | None = None) -> tuple[str, int]:
    """One end of an interval, and the most MiB that the process took."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(memory=memory), str(folder / pattern)],
        capture_output=True,
        text=True,
        check=True,
    )
    low, size = done.stdout.split()
    return low, int(size)


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")
def test_memory_does_not_grow_with_the_files(folder):
    """But for the search for queries that stand twice: 16 bytes each, up to a limit."""
    _, two = peak(folder, "[01].parquet")
    low, six = peak(folder, "*.parquet")
    assert six - two < 4 * 16 + 50
    assert six < 600
    limited, least = peak(folder, "*.parquet", "400MiB")
    assert least < 1.2 * 400
    assert limited == low


def test_processes_of_others_give_the_same_bits(folder):
    """Started anew: to fork with threads of polars about is not safe."""
    pattern = str(folder / "[0].parquet")
    options = {"method": "studentised", "n_resamples": 64, "rng": 0}
    expected = irbounds.mean_interval(pattern, **options)
    with (
        ProcessPoolExecutor(2, get_context("spawn")) as pool,
        irbounds.execution(executor=pool),
    ):
        found = irbounds.mean_interval(pattern, **options)
    assert [one.interval for one in found] == [one.interval for one in expected]
