"""Beyond one core: how well two threads share the work, and what ten times as much of it costs.

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
from irbounds.planning.calibration import calibrate
from irbounds.presentation.figures import vega
from irbounds.presentation.figures.style import WIDTH, colour_scale, make_figure, values
from irbounds.replications.study_data import read_ap_scores
from irbounds.resampling.corpus_replicates import bootstrap_documents
from irbounds.resampling.packed_rankings import pack_rankings

from .resampling import table_of
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
    """What so much work took."""

    kind: str
    size: int
    seconds: float
    measured: bool = True


def efficiency(task: str, work: Callable[[], object], target: float | None = TARGET) -> str:
    """A row: seconds on one thread and on two, and how much of the second thread is of use."""

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


def efficiencies() -> str:
    made = irbounds.simulation.simulate_collection(129, 50, CORPUS_SIZE, 1000, rng=1)
    packed = pack_rankings(Pool(made.qrels), made.runs, CORPUS_SIZE)
    measures = parse_measures(MEASURES)

    def whole() -> None:
        images = irbounds.corpus_bootstrap(
            made.qrels, made.runs, MEASURES, corpus_size=CORPUS_SIZE, n_images=1000, rng=1
        )
        images.score_precision(), images.rank_precision(), images.measure_precision()

    scores = population()
    rows = [
        efficiency(
            "corpus, 129 x 50 x 1,000, six measures: 1,000 images",
            lambda: bootstrap_documents(packed, measures, 1000, 1),
        ),
        efficiency("the same, from runs in memory to the tables", whole),
        efficiency(
            "calibrate, 110 systems, n = 50, six methods: 200 samples, 1,000 resamples",
            lambda: calibrate(scores, n=50, n_samples=200, n_resamples=1000, rng=1),
        ),
        efficiency(
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
    """The AP of TREC 2004 Robust where it is there, or numbers of that size."""
    folder = os.environ.get("IRBOUNDS_DATA")
    return read_ap_scores(Path(folder), "robust2004_ap.csv") if folder else table_of(110, 249)


def images_by_size() -> list[Point]:
    made = irbounds.simulation.simulate_collection(12, 50, CORPUS_SIZE, 1000, rng=1)
    measures = parse_measures(["AP"])
    packed = pack_rankings(Pool(made.qrels), made.runs, CORPUS_SIZE)
    bootstrap_documents(packed, measures, 64, 1)
    return [
        Point("images of the corpus", n, _seconds(lambda n=n: _images(packed, measures, n), n))
        for n in N_IMAGES
    ]


def _images(packed, measures, n: int) -> None:
    bootstrap_documents(packed, measures, n, 1, n_stored=1000)


def _seconds(work: Callable[[], object], size: int) -> float:
    """Of processor time, all threads together: others may be at work here too."""
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
            folder = write_scores(Path(name) / str(size), size)
            seconds = _seconds(lambda folder=folder: stream(folder), size)
            points.append(Point("streamed queries", size, seconds))
    if not full:
        more = points[-1].seconds * FULL / points[-1].size
        points.append(Point("streamed queries", FULL, more, measured=False))
    return points


def stream(folder: Path) -> object:
    return irbounds.mean_interval({"AP": folder}, n_resamples=RESAMPLES, rng=1)


def slope(points: list[Point]) -> float:
    """Of log seconds on log size, by least squares, over what was measured."""
    known = [point for point in points if point.measured]
    sizes, seconds = np.log10([(point.size, point.seconds) for point in known]).T
    return float(np.polyfit(sizes, seconds, 1)[0])


def drawn(kinds: dict[str, list[Point]]):
    """Seconds against size, both as powers of ten."""
    labels = {kind: f"{kind}: slope {slope(points):.2f}" for kind, points in kinds.items()}
    rows = [
        {"kind": labels[kind], "size": point.size, "seconds": point.seconds, "how": _how(point)}
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


def _how(point: Point) -> str:
    return "measured" if point.measured else "extrapolated"


def table(kinds: dict[str, list[Point]]) -> str:
    lines = ["| | size | seconds of processor time | |", "| --- | ---: | ---: | --- |"]
    for kind, points in kinds.items():
        lines += [
            f"| {kind} | {point.size:,} | {point.seconds:.3g} | {_how(point)} |" for point in points
        ]
        lines.append(f"| slope | | {slope(points):.2f} | |")
    return "\n".join(lines)


def costs(*, full: bool = False) -> str:
    """The table of costs, and the picture of it."""
    found = images_by_size() + queries_by_size(full=full)
    kinds = {kind: [p for p in found if p.kind == kind] for kind in {p.kind: None for p in found}}
    drawn(kinds).save(PICTURE)
    return f"Cost against size, drawn in {PICTURE.name}\n\n{table(kinds)}"


def report() -> str:
    return f"Two threads beside one\n\n{efficiencies()}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="a hundred million queries too")
    chosen = parser.parse_args()
    print(f"{machine()}\n\n{report()}\n", flush=True)
    print(costs(full=chosen.full))
