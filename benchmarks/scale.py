"""Measure the efficiency of two threads, and the cost of ten times as much work.

``python -m benchmarks.scale`` prints the table of efficiencies and the slopes, and draws
``docs/images/cost-against-size.svg``.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import irbounds
from irbounds.corpora.bootstrap import corpus_bootstrap
from irbounds.measurement.judged_runs import Pool
from irbounds.measurement.parser import parse_measures
from irbounds.presentation.figures import vega
from irbounds.presentation.figures.style import WIDTH, make_figure, values
from irbounds.resampling.corpus_replicates import bootstrap_documents
from irbounds.resampling.packed_rankings import pack_rankings
from irbounds.simulation import simulate_collection

from .resampling import make_table
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

    size: int
    seconds: float


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
    collection = simulate_collection(129, 50, CORPUS_SIZE, 1000, rng=1)
    packed = pack_rankings(Pool(collection.qrels), collection.runs, CORPUS_SIZE)
    measures = parse_measures(MEASURES)

    def whole() -> None:
        images = corpus_bootstrap(
            collection.qrels,
            collection.runs,
            MEASURES,
            corpus_size=CORPUS_SIZE,
            n_images=1000,
            rng=1,
        )
        images.score_precision(), images.rank_precision()

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
    collection = simulate_collection(12, 50, CORPUS_SIZE, 1000, rng=1)
    measures = parse_measures(["AP"])
    packed = pack_rankings(Pool(collection.qrels), collection.runs, CORPUS_SIZE)
    bootstrap_documents(packed, measures, 64, 1)
    return [Point(n, _seconds(lambda n=n: _images(packed, measures, n), n)) for n in N_IMAGES]


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


def slope(points: list[Point]) -> float:
    """Return the least-squares slope of log seconds on log size."""
    sizes, seconds = np.log10([(point.size, point.seconds) for point in points]).T
    return float(np.polyfit(sizes, seconds, 1)[0])


def draw_costs(points: list[Point]):
    """Draw seconds against images on logarithmic axes."""
    rows = [{"size": point.size, "seconds": point.seconds} for point in points]
    sizes, seconds = (
        {"format": form, "tickCount": 8, "labelOverlap": True} for form in ("~s", "~g")
    )
    logarithmic = {"type": "log", "nice": False}
    base = vega.Chart(values(rows)).encode(
        x=vega.X("size:Q", title="images", scale=logarithmic, axis=sizes),
        y=vega.Y("seconds:Q", title="seconds of processor time", scale=logarithmic, axis=seconds),
    )
    chart = vega.layer(base.mark_line(), base.mark_point(size=70, filled=True))
    return make_figure(
        chart.properties(width=WIDTH, height=HEIGHT),
        name="cost-against-size",
        title="Ten times the work takes ten times as long",
        description=f"Images of the corpus: slope {slope(points):.2f}.",
    )


def table(points: list[Point]) -> str:
    lines = ["| images of the corpus | seconds of processor time |", "| ---: | ---: |"]
    lines += [f"| {point.size:,} | {point.seconds:.3g} |" for point in points]
    return "\n".join([*lines, f"| slope | {slope(points):.2f} |"])


def report_costs() -> str:
    """Return the table of costs and write its figure."""
    points = images_by_size()
    draw_costs(points).save(PICTURE)
    return f"Cost against size, drawn in {PICTURE.name}\n\n{table(points)}"


def report() -> str:
    return f"Two threads beside one\n\n{measure_efficiencies()}"


if __name__ == "__main__":
    print(f"{machine()}\n\n{report()}\n", flush=True)
    print(report_costs())
