"""What a line of a run costs to read: seconds, and bytes of memory at the most and kept.

``python -m benchmarks.reading_lines`` reads a million and ten million lines, plain and gzip;
``--full`` reads a hundred million as well (5 GB of text in a temporary folder, removed at the end).
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


def pieces(n_lines: int) -> Iterator[bytes]:
    """Text of a run: a thousand lines a query, documents drawn at random, scores descending."""
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
    """A run of so many lines, packed if its name ends in .gz."""
    with gzip.open(file, "wb", 1) if file.suffix == ".gz" else file.open("wb") as opened:
        for piece in pieces(n_lines):
            opened.write(piece)


def reading(file: Path) -> dict[str, float]:
    """What it took to read a file: seconds, lines, bytes kept and the process at its largest."""
    command = [sys.executable, "-c", READ, str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        printed = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"reading {file} failed")
    return {**json.loads(printed), "peak": usage.ru_maxrss * 1024}


def report(sizes: list[int], folder: Path) -> Iterator[str]:
    """A table, row by row as they are known."""
    yield "| lines | file | seconds | lines/s | documents | most bytes a line | kept | for ids |"
    yield "| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    small = folder / "small.run"
    write_run(small, DEPTH)
    reading(small)  # compiled now, if it was not
    base = reading(small)["peak"]
    for size in sizes:
        for kind in ("plain", "gzip"):
            file = folder / f"{size}.run{'.gz' if kind == 'gzip' else ''}"
            write_run(file, size)
            yield _row(kind, reading(file), base)
            file.unlink()


def _row(kind: str, found: dict[str, float], base: float) -> str:
    n = found["lines"]
    kept = found["entries"] + found["ids"]
    return (
        f"| {n:,} | {kind} | {found['seconds']:.1f} | {n / found['seconds']:,.0f} "
        f"| {found['documents']:,} | {(found['peak'] - base) / n:.1f} | {kept / n:.1f} "
        f"| {found['ids'] / n:.1f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="a hundred million lines, too")
    parser.add_argument("--folder", type=Path, help="where files are written for the moment")
    parser.add_argument("--only", type=int, help="read this many lines and no others")
    given = parser.parse_args()
    sizes = [10**6, 10**7, *([10**8] if given.full else [])]
    print(machine(), end="\n\n")
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        for line in report([given.only] if given.only else sizes, Path(folder)):
            print(line, flush=True)


if __name__ == "__main__":
    main()
