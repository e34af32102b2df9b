"""Check that results are bit-identical wherever work runs.

``python -m benchmarks.fingerprints`` computes the golden numbers with one unit of work per block on
one thread, on two and in two other processes, prints the time of each, and ends with an error that
names the calls that differ.
"""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import irbounds
from irbounds import parallel

from .golden import compute, list_differences


def main() -> None:
    parallel.THREAD_BLOCK_COST = parallel.EXECUTOR_BLOCK_COST = 1e-9
    expected = None
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        ways = {
            "one thread": {"threads": 1},
            "two threads": {"threads": 2},
            "two processes": {"executor": processes},
        }
        for name, options in ways.items():
            began = time.perf_counter()
            with irbounds.execution(**options):
                numbers = compute()
            expected = expected or numbers
            differences = list_differences(expected, numbers, tolerance=0.0)
            if differences:
                raise SystemExit("\n".join([f"{name} differs from one thread:", *differences]))
            print(f"{name}: {len(numbers)} calls, {time.perf_counter() - began:.1f} s")


if __name__ == "__main__":
    main()
