"""Time the start of the command line and compilation on first use."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time

FIRST_USE = """
import time, warnings
import numba  # its own import is no compilation
began = time.perf_counter()
import irbounds, tempfile, pathlib
directory = pathlib.Path(tempfile.mkdtemp())
(directory / "q").write_text("1 0 a 1\\n")
(directory / "r").write_text("1 Q0 a 1 1.5 t\\n1 Q0 b 1 1.5 t\\n")
irbounds.score(directory / "q", directory / "r", ["AP", "nDCG@10", "P@10", "RBP", "RR"])
print(time.perf_counter() - began)
"""
RECALL = ["recall", "--retrieved", "2000", "100", "50", "--unretrieved", "100000", "100", "3"]


def time_command(*command: str, **environment: str) -> float:
    began = time.perf_counter()
    subprocess.run(command, env={**os.environ, **environment}, check=True, capture_output=True)
    return time.perf_counter() - began


def report() -> str:
    """Report the start of the command line, first use with an empty cache, and later use."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        first, second = (
            float(
                subprocess.run(
                    [sys.executable, "-c", FIRST_USE],
                    env=environment,
                    check=True,
                    capture_output=True,
                    text=True,
                ).stdout
            )
            for _ in range(2)
        )
        demo = time_command(
            sys.executable, "-m", "irbounds", "demo", NUMBA_CACHE_DIR=f"{cache}/demo"
        )
    recall = min(time_command(sys.executable, "-m", "irbounds", *RECALL) for _ in range(3))
    help_seconds = min(time_command(sys.executable, "-m", "irbounds", "--help") for _ in range(3))
    loaded = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "irbounds", "--help"],
        check=True,
        capture_output=True,
        text=True,
    ).stderr
    heavy = sorted(set(re.findall(r"\b(numba|polars|pandas|numpy)\b", loaded)))
    return (
        f"irbounds --help: {help_seconds:.2f} s, "
        f"heavy packages loaded: {', '.join(heavy) or 'none'}\n"
        f"first use (read and score, empty cache): {first:.1f} s, of which compilation "
        f"{first - second:.1f} s (target: under 10 s)\n"
        f"irbounds recall with counts: {recall:.2f} s (target: under 1 s)\n"
        f"irbounds demo, empty cache: {demo:.1f} s (target: under 20 s)"
    )
