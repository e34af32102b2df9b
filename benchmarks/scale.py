"""Measure the efficiency of two threads, and the cost of ten times as much work.

``python -m benchmarks.scale`` prints the table of efficiencies and the slopes, and draws
``docs/images/cost-against-size.svg``; ``--full`` streams a hundred million queries too, which takes
some minutes and two gigabytes of disk.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import irbounds
from irbounds.measurement.judged_runs import Pool
from irbounds.measurement.parser import parse_measures
from irbounds.presentation.figures import vega
from irbounds.presentation.figures.style import WIDTH, colour_scale, make_figure, values
from irbounds.resampling.corpus_replicates import bootstrap_documents
from irbounds.resampling.packed_rankings import pack_rankings

from .resampling import make_table
from .streams import FULL, RESAMPLES, SIZES, write_scores
from .timing import best_times, machine

MEASURES = ("AP", "nDCG", "P@10", "RBP(p=0.95,rel=1)", "INSQ(T=5)", "RR")
CORPUS_SIZE = 528_155
TARGET = 0.8
ROUNDS = 7
PICTURE = Path(__file__).parent.parent / "docs" / "images" / "cost-against-size.svg"
HEIGHT = 320

N_IMAGES = (100, 1_000, 10_000, 100_000)


@dataclass(frozen=True)
class Point:
    """The measured cost of work of one size."""

    kind: str
    size: int
    seconds: float
    measured: bool = True


def measure_efficiency(task: str, work: Callable[[], object], target: float | None = TARGET) -> str:
    """Return a row: seconds on one and on two threads, and the parallel efficiency."""

    def on(threads: int) -> Callable[[], None]:
        def call() -> None:
            with irbounds.execution(threads=threads):
                work()

        return call

    on(2)()  # compiled and loaded
    times = best_times({"one": on(1), "two": on(2)}, ROUNDS)
    share = times["one"] / times["two"] / 2
    missed = " **missed**" if target is not None and share < target else ""
    aim = "" if target is None else f"{target:.0%}"
    return f"| {task} | {times['one']:.2f} s | {times['two']:.2f} s | {share:.0%} | {aim}{missed} |"


def measure_efficiencies() -> str:
    collection = irbounds.simulation.simulate_collection(129, 50, CORPUS_SIZE, 1000, rng=1)
    packed = pack_rankings(Pool(collection.qrels), collection.runs, CORPUS_SIZE)
    measures = parse_measures(MEASURES)

    def whole() -> None:
        images = irbounds.corpus_bootstrap(
            collection.qrels,
            collection.runs,
            MEASURES,
            corpus_size=CORPUS_SIZE,
            n_images=1000,
            rng=1,
        )
        images.score_precision(), images.rank_precision(), images.measure_precision()

    scores = population()
    rows = [
        measure_efficiency(
            "corpus, 129 x 50 x 1,000, six measures: 1,000 images",
            lambda: bootstrap_documents(packed, measures, 1000, 1),
        ),
        measure_efficiency("the same, from runs in memory to the tables", whole),
        measure_efficiency(
            "evaluate, 110 x 249, three methods: 9,999 resamples",
            lambda: irbounds.mean_interval(
                scores, method=("percentile", "bca", "studentised-logit"), rng=1
            ),
            None,
        ),
    ]
    head = "| | 1 thread | 2 threads | efficiency | target |\n| --- | ---: | ---: | ---: | ---: |"
    return "\n".join([head, *rows])


def population():
    """Return the AP of TREC 2004 Robust if available, else simulated numbers of that size."""
    directory = os.environ.get("IRBOUNDS_DATA")
    if not directory:
        return make_table(110, 249)
    return irbounds.read_scores(Path(directory, "scores/robust2004_ap.csv"), measure="AP")


def images_by_size() -> list[Point]:
    collection = irbounds.simulation.simulate_collection(12, 50, CORPUS_SIZE, 1000, rng=1)
    measures = parse_measures(["AP"])
    packed = pack_rankings(Pool(collection.qrels), collection.runs, CORPUS_SIZE)
    bootstrap_documents(packed, measures, 64, 1)
    return [
        Point("images of the corpus", n, _seconds(lambda n=n: _images(packed, measures, n), n))
        for n in N_IMAGES
    ]


def _images(packed, measures, n: int) -> None:
    bootstrap_documents(packed, measures, n, 1, n_stored=1000)


def _seconds(work: Callable[[], object], size: int) -> float:
    """Return the processor time of all threads, which other processes do not affect."""
    best = float("inf")
    for _ in range(5 if size <= 10_000 else 1):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best


def queries_by_size(*, full: bool = False) -> list[Point]:
    points = []
    with tempfile.TemporaryDirectory() as name:
        stream(write_scores(Path(name) / "small", 1_000))  # compiled and loaded
        for size in (*SIZES, FULL) if full else SIZES:
            directory = write_scores(Path(name) / str(size), size)
            seconds = _seconds(lambda directory=directory: stream(directory), size)
            points.append(Point("streamed queries", size, seconds))
    if not full:
        more = points[-1].seconds * FULL / points[-1].size
        points.append(Point("streamed queries", FULL, more, measured=False))
    return points


def stream(directory: Path) -> object:
    return irbounds.mean_interval({"AP": directory}, n_resamples=RESAMPLES, rng=1)


def slope(points: list[Point]) -> float:
    """Return the least-squares slope of log seconds on log size."""
    known = [point for point in points if point.measured]
    sizes, seconds = np.log10([(point.size, point.seconds) for point in known]).T
    return float(np.polyfit(sizes, seconds, 1)[0])


def draw_costs(kinds: dict[str, list[Point]]):
    """Draw seconds against size on logarithmic axes."""
    labels = {kind: f"{kind}: slope {slope(points):.2f}" for kind, points in kinds.items()}
    rows = [
        {
            "kind": labels[kind],
            "size": point.size,
            "seconds": point.seconds,
            "how": _describe_point(point),
        }
        for kind, points in kinds.items()
        for point in points
    ]
    sizes, seconds = (
        {"format": form, "tickCount": 8, "labelOverlap": True} for form in ("~s", "~g")
    )
    logarithmic = {"type": "log", "nice": False}
    base = vega.Chart(values(rows)).encode(
        x=vega.X("size:Q", title="images or queries", scale=logarithmic, axis=sizes),
        y=vega.Y("seconds:Q", title="seconds of processor time", scale=logarithmic, axis=seconds),
        color=vega.channel(
            "kind:N",
            title=None,
            scale=colour_scale(labels.values()),
            legend={"orient": "top", "labelLimit": 400},
        ),
    )
    unlike = len({row["how"] for row in rows}) > 1
    shape = vega.channel("how:N", title=None, legend={"orient": "top"} if unlike else None)
    chart = vega.layer(base.mark_line(), base.mark_point(size=70, filled=True).encode(shape=shape))
    return make_figure(
        chart.properties(width=WIDTH, height=HEIGHT),
        name="cost-against-size",
        title="Ten times the work takes ten times as long",
        description=" ".join(f"{label}." for label in labels.values()),
    )


def _describe_point(point: Point) -> str:
    return "measured" if point.measured else "extrapolated"


def table(kinds: dict[str, list[Point]]) -> str:
    lines = ["| | size | seconds of processor time | |", "| --- | ---: | ---: | --- |"]
    for kind, points in kinds.items():
        lines += [
            f"| {kind} | {point.size:,} | {point.seconds:.3g} | {_describe_point(point)} |"
            for point in points
        ]
        lines.append(f"| slope | | {slope(points):.2f} | |")
    return "\n".join(lines)


def report_costs(*, full: bool = False) -> str:
    """Return the table of costs and write its figure."""
    points_measured = images_by_size() + queries_by_size(full=full)
    kinds = {
        kind: [p for p in points_measured if p.kind == kind]
        for kind in {p.kind: None for p in points_measured}
    }
    draw_costs(kinds).save(PICTURE)
    return f"Cost against size, drawn in {PICTURE.name}\n\n{table(kinds)}"


def report() -> str:
    return f"Two threads beside one\n\n{measure_efficiencies()}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="a hundred million queries too")
    chosen = parser.parse_args()
    print(f"{machine()}\n\n{report()}\n", flush=True)
    print(report_costs(full=chosen.full))
