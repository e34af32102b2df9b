"""Measure the cost of streams of scores, and Poisson weights compared with multinomial counts.

python -m benchmarks.streams            10,000 to 10 million queries, a minute or two
python -m benchmarks.streams --full     100 million queries too: 2 GB of files in a temporary
                                        directory (--directory), some five minutes on two cores
python -m benchmarks.streams --weights  the difference in spread, at 10 to 100,000 queries
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from irbounds.intervals.streamed_means import SummedSample
from irbounds.reading.score_stream import open_stream
from irbounds.reading.stream_survey import survey
from irbounds.resampling.poisson import sum_stream
from irbounds.resampling.query_bootstrap import bootstrap_queries

from .timing import machine

SIZES = (10**4, 10**5, 10**6, 10**7)
FULL = 10**8
SYSTEMS, RESAMPLES = 4, 1_000
PIECE = 10**6  # queries of a file
SEED = 1

#: prints seconds, and the megabytes that the process took at most
RUN = """
import pathlib, sys, time, irbounds
sources, n_resamples, small = sys.argv[1], int(sys.argv[2]), sys.argv[3]
def run(pattern):
    irbounds.mean_interval({"AP": pattern}, n_resamples=n_resamples, rng=1)
run(small)  # compiled and loaded
began = time.perf_counter()
run(sources)
print(time.perf_counter() - began)
lines = pathlib.Path("/proc/self/status").read_text().splitlines()
print(next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024)
"""


def write_scores(directory: Path, n_queries: int) -> Path:
    """Write files of a million queries each, with ids of 14 characters and four systems."""
    directory.mkdir()
    for number, begin in enumerate(range(0, n_queries, PIECE)):
        generator = np.random.default_rng([SEED, number])
        n = min(PIECE, n_queries - begin)
        ids = pl.format("query-{}", pl.int_range(begin, begin + n).cast(pl.String).str.zfill(8))
        ease = generator.random(n)
        scores = {
            f"system-{k}": np.round(ease * generator.random(n), 4 + k) for k in range(SYSTEMS)
        }
        frame = pl.select(query_id=ids).with_columns(**{k: pl.Series(v) for k, v in scores.items()})
        frame.write_parquet(directory / f"{number:04d}.parquet")
    return directory


def measure_costs(sizes: tuple[int, ...], parent: Path | None) -> Iterator[str]:
    yield f"{SYSTEMS} systems, {RESAMPLES:,} resamples, studentised-logit, all cores\n"
    yield "| queries | seconds | queries/s | weights/s | most memory | files |"
    yield "| ---: | ---: | ---: | ---: | ---: | ---: |"
    with tempfile.TemporaryDirectory(dir=parent) as name:
        small = write_scores(Path(name) / "small", 1000)
        for n in sizes:
            directory = write_scores(Path(name) / str(n), n)
            size = sum(file.stat().st_size for file in directory.iterdir())
            command = [sys.executable, "-c", RUN, str(directory), str(RESAMPLES), str(small)]
            process = subprocess.run(command, capture_output=True, text=True, check=True)
            seconds, memory = map(float, process.stdout.split())
            yield (
                f"| {n:,} | {seconds:.2f} | {n / seconds:.3g} | {n * RESAMPLES / seconds:.3g} "
                f"| {memory:.0f} MiB | {size / 1e6:,.0f} MB |"
            )


def compare_variances(n: int, n_resamples: int, parent: Path) -> str:
    """Return the variance of bootstrap means both ways, relative to drawing exactly n."""
    scores = np.random.default_rng(n).beta(0.6, 1.8, n)
    directory = parent / f"weights-{n}"
    directory.mkdir()
    frame = pl.DataFrame({"query_id": np.arange(n), "system": scores})
    frame.write_parquet(directory / "scores.parquet")
    stream = open_stream(directory)
    (sums,) = sum_stream(stream, survey(stream), n_resamples, SEED)
    sample = SummedSample(sums)
    assert sample.bootstrap_means is not None
    plain = bootstrap_queries([scores], n_resamples, SEED).means[0]
    exact = scores.var() / n
    poisson, drawn = sample.bootstrap_means.var() / exact, plain.var() / exact
    reach = sample.standard_error * 3.92
    ends = [np.quantile(means, (0.025, 0.975)) for means in (sample.bootstrap_means, plain)]
    apart = 100 * (np.diff(ends[0]) - np.diff(ends[1]))[0] / reach
    noise = np.sqrt((_kurtosis(plain) - 1) / n_resamples)
    return (
        f"| {n:,} | {expected_factor(n):.6f} | {poisson:.4f} | {drawn:.4f} | {noise:.4f} "
        f"| {apart:+.2f} % | {sample.n_empty:,} |"
    )


def _kurtosis(values: np.ndarray) -> float:
    return float(((values - values.mean()) ** 4).mean() / values.var() ** 2)


def expected_factor(n: int) -> float:
    """Return E(n / W | W > 0) for a Poisson number W with mean n."""
    reach = int(12 * np.sqrt(n)) + 40
    w = np.arange(max(n - reach, 1), n + reach, dtype=float)
    steps = np.log(n) - np.log(w[1:])
    chances = np.exp(np.concatenate([[0.0], np.cumsum(steps)]) - steps[: n - int(w[0])].sum())
    return float((n / w * chances).sum() / chances.sum())


def report_weights(n_resamples: int = 1_000_000) -> Iterator[str]:
    yield f"Spread of bootstrap means over that of drawing exactly n, {n_resamples:,} resamples\n"
    yield "| n | Poisson, theory | Poisson | with replacement | noise | 95 % width | empty |"
    yield "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    with tempfile.TemporaryDirectory() as name:
        for n in (10, 50, 1_000, 100_000):
            yield compare_variances(n, n_resamples if n < 10_000 else n_resamples // 20, Path(name))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--weights", action="store_true")
    parser.add_argument("--directory", type=Path, help="where files are written for a while")
    arguments = parser.parse_args()
    print(machine(), end="\n\n", flush=True)
    sizes = (*SIZES, FULL) if arguments.full else SIZES
    for line in (
        report_weights() if arguments.weights else measure_costs(sizes, arguments.directory)
    ):
        print(line, flush=True)


if __name__ == "__main__":
    main()
