"""Measure the cost of reading a line of a run: seconds, peak and retained bytes of memory.

``python -m benchmarks.reading_lines`` reads a million and ten million lines, plain and gzip;
``--full`` reads a hundred million as well (5 GB of temporary text, removed at the end).
Each file is read in a process of its own, whose largest size is looked up when it has ended, and a
process that reads a thousand lines is subtracted.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .timing import machine

DEPTH = 1000  # documents a query
N_DOCUMENTS = 8_841_823  # in the corpus, as many as MS MARCO has passages
QUERIES_AT_ONCE = 100
READ = """
import json, sys, time
import irbounds
began = time.perf_counter()
run = irbounds.read_run(sys.argv[1])
seconds = time.perf_counter() - began
ids = run.documents
kept = {
    "entries": run.docs.nbytes + run.scores.nbytes,
    "ids": sum(one.nbytes for one in (ids.text, ids.offsets, ids.hashes, ids.slots)),
}
print(json.dumps({"seconds": seconds, "lines": len(run), "documents": len(ids), **kept}))
"""


def generate_pieces(n_lines: int) -> Iterator[bytes]:
    """Generate the text of a run: 1,000 lines per query, random documents, descending scores."""
    generator = np.random.default_rng(1)
    n_queries = max(n_lines // DEPTH, 1)
    for begin in range(0, n_queries, QUERIES_AT_ONCE):
        queries = np.arange(begin, min(begin + QUERIES_AT_ONCE, n_queries))
        yield _lines(queries, generator)


def _lines(queries: NDArray[np.int64], generator: np.random.Generator) -> bytes:
    """``1000007 Q0 passage-000004711007 0042 0958.123456 bm25``, every line of one length."""
    n = len(queries) * DEPTH
    ranks = np.tile(np.arange(1, DEPTH + 1), len(queries))
    # a query's documents follow each other by a step that shares no factor with the corpus' size
    first = np.repeat(generator.integers(0, N_DOCUMENTS, len(queries)), DEPTH)
    docs = (first + 104_729 * ranks) % N_DOCUMENTS
    scores = (DEPTH - ranks) * 1_000_000 + generator.integers(0, 1_000_000, n)
    parts = (
        _digits(np.repeat(queries, DEPTH) + 1_000_000, 7),
        _text(" Q0 passage-", n),
        _digits(docs, 12),
        _text(" ", n),
        _digits(ranks, 4),
        _text(" ", n),
        _digits(scores // 1_000_000, 4),
        _text(".", n),
        _digits(scores % 1_000_000, 6),
        _text(" bm25\n", n),
    )
    return np.concatenate(parts, axis=1).tobytes()


def _digits(numbers: NDArray[np.int64], width: int) -> NDArray[np.uint8]:
    powers = 10 ** np.arange(width - 1, -1, -1)
    return (numbers[:, None] // powers % 10 + ord("0")).astype(np.uint8)


def _text(text: str, n: int) -> NDArray[np.uint8]:
    return np.tile(np.frombuffer(text.encode(), np.uint8), (n, 1))


def write_run(file: Path, n_lines: int) -> None:
    """Write a run of this number of lines, compressed if its file extension is .gz."""
    with gzip.open(file, "wb", 1) if file.suffix == ".gz" else file.open("wb") as opened:
        for piece in generate_pieces(n_lines):
            opened.write(piece)


def measure_reading(file: Path) -> dict[str, float]:
    """Return the cost of reading a file: seconds, lines, retained bytes and peak memory."""
    command = [sys.executable, "-c", READ, str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        printed = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"reading {file} failed")
    return {**json.loads(printed), "peak": usage.ru_maxrss * 1024}


def report(sizes: list[int], directory: Path) -> Iterator[str]:
    """Generate the rows of the table as they are measured."""
    yield "| lines | file | seconds | lines/s | documents | most bytes a line | kept | for ids |"
    yield "| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    small = directory / "small.run"
    write_run(small, DEPTH)
    measure_reading(small)  # compiled now, if it was not
    base = measure_reading(small)["peak"]
    for size in sizes:
        for kind in ("plain", "gzip"):
            file = directory / f"{size}.run{'.gz' if kind == 'gzip' else ''}"
            write_run(file, size)
            yield _row(kind, measure_reading(file), base)
            file.unlink()


def _row(kind: str, costs: dict[str, float], base: float) -> str:
    n = costs["lines"]
    retained_bytes = costs["entries"] + costs["ids"]
    return (
        f"| {n:,} | {kind} | {costs['seconds']:.1f} | {n / costs['seconds']:,.0f} "
        f"| {costs['documents']:,} | {(costs['peak'] - base) / n:.1f} | {retained_bytes / n:.1f} "
        f"| {costs['ids'] / n:.1f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="a hundred million lines, too")
    parser.add_argument("--directory", type=Path, help="where files are written for the moment")
    parser.add_argument("--only", type=int, help="read this many lines and no others")
    arguments = parser.parse_args()
    sizes = [10**6, 10**7, *([10**8] if arguments.full else [])]
    print(machine(), end="\n\n")
    with tempfile.TemporaryDirectory(dir=arguments.directory) as directory:
        for line in report([arguments.only] if arguments.only else sizes, Path(directory)):
            print(line, flush=True)


if __name__ == "__main__":
    main()
