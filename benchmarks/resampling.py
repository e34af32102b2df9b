"""Time intervals compared with scipy's bootstrap, and their memory.

``python -m benchmarks.resampling`` prints the comparison with scipy.
"""

from __future__ import annotations

import subprocess
import sys

import numpy as np
from scipy import stats

from irbounds import ScoreTable, mean_interval

from .timing import Row, best_times, markdown

METHODS = ("percentile", "bca", "studentised-logit")
N_RESAMPLES = 9_999
TARGET = 4

#: prints seconds and the megabytes that the call needs at most beyond what is there before it
MEMORY = """
import pathlib, sys, time
from benchmarks.resampling import compute_all_methods, make_table

def megabytes(field):
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field)) / 1024

n_systems, n_queries, n_resamples = map(int, sys.argv[1:])
compute_all_methods(make_table(2, 10), 64)  # compiled and loaded
table = make_table(n_systems, n_queries)
pathlib.Path("/proc/self/clear_refs").write_text("5")  # the peak is counted from here
before = megabytes("VmRSS")
began = time.perf_counter()
compute_all_methods(table, n_resamples)
print(time.perf_counter() - began)
print(megabytes("VmHWM") - before)
"""


def make_table(n_systems: int, n_queries: int) -> ScoreTable:
    values = np.random.default_rng(1).beta(0.6, 1.8, size=(1, n_systems, n_queries))
    names = tuple(map(str, range(n_systems))), tuple(map(str, range(n_queries)))
    return ScoreTable(("AP",), *names, values)


def compute_all_methods(table: ScoreTable, n_resamples: int = N_RESAMPLES) -> None:
    mean_interval(table, method=METHODS, n_resamples=n_resamples, rng=1)


def compute_with_scipy(table: ScoreTable) -> None:
    stats.bootstrap(
        (table.values[0],),
        np.mean,
        axis=-1,
        vectorized=True,
        n_resamples=N_RESAMPLES,
        method="percentile",
        rng=1,
    )


def compute_default(table: ScoreTable) -> str:
    """Compute the intervals of the default method, and return its name."""
    return mean_interval(table)[0].interval.method


def compare() -> str:
    rows = []
    for n_systems, n_queries, rounds in ((110, 249, 7), (10, 6_980, 3)):
        table = make_table(n_systems, n_queries)
        default = compute_default(table)
        compute_all_methods(table)
        times = best_times(
            {
                "default": lambda t=table: compute_default(t),
                "several": lambda t=table: compute_all_methods(t),
                "scipy": lambda t=table: compute_with_scipy(t),
            },
            rounds,
        )
        size = f"{n_systems} systems x {n_queries:,} queries"
        tasks = {"default": f"the default, {default}", "several": ", ".join(METHODS)}
        rows += [
            Row(f"{task}: {size}", times[ours], "scipy percentile", times["scipy"], TARGET)
            for ours, task in tasks.items()
        ]
    return f"Intervals; {N_RESAMPLES:,} resamples for a bootstrap\n\n{markdown(rows)}"


def measure_memory(n_systems: int, n_queries: int, n_resamples: int = N_RESAMPLES) -> str:
    command = [sys.executable, "-c", MEMORY, *map(str, (n_systems, n_queries, n_resamples))]
    process = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds, added = map(float, process.stdout.split())
    return (
        f"{n_systems} systems x {n_queries:,} queries, {n_resamples:,} resamples, three methods: "
        f"{seconds:.1f} s, {added:.0f} MiB above the scores (target: 300)"
    )


def report() -> str:
    return "\n\n".join(
        [
            compare(),
            measure_memory(10, 6_980),
            measure_memory(10, 1_000_000, 999),
        ]
    )


if __name__ == "__main__":
    print(compare())
