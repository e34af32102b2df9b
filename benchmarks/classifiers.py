"""Measure the coverage of intervals of AP and ROC AUC on simulated test sets, and their speed.

``python -m benchmarks.classifiers`` prints the tables of docs/validation/classifier-coverage.md,
which takes about half an hour on two cores; ``--samples 200`` takes less.
``python -m benchmarks.classifiers speed`` prints only the time of the bootstrap.

Scores of negatives are normal with mean 0 and standard deviation 1. Scores of positives are

- *binormal*: normal with standard deviation 1;
- *wide* and *narrow*: normal with standard deviation 2 and 1/2;
- *mixed*: three quarters normal, one and a half times as far away, one quarter like negatives.

A separation is the ROC AUC of the binormal scores (and of the wide and narrow ones). AP and AUC of
the population are integrals over the scores of positives. Labels are drawn at random with the
prevalence.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from irbounds.intervals.ranked_rows import (
    MEASURES,
    RankedRows,
    fit_bca,
    fit_difference,
    fit_limits,
    rank_rows,
)
from irbounds.resampling.row_bootstrap import bootstrap_rows
from irbounds.results.interval import Limits, compute_interval

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

SIZES = (100, 1_000, 10_000)
PREVALENCES = (0.01, 0.1, 0.5)
SEPARATIONS = (0.6, 0.8, 0.95, 0.99)
METHODS = ("moderated-logit-t", "bca")
SHAPES = ("binormal", "wide", "narrow", "mixed")
SAMPLES = 2_000
RESAMPLES = 999
BOOTSTRAP_SAMPLES = {100: 1_000, 1_000: 500, 10_000: 200}  # test sets where rows are resampled
#: of the two classifiers of a difference
PAIRS = ((0.6, 0.8), (0.8, 0.8), (0.8, 0.95), (0.95, 0.95))
CORRELATION = 0.7
GRID = np.linspace(-12.0, 22.0, 200_001)
SEED = 22


@dataclass(frozen=True)
class Population:
    """Scores of positives: components with weight, mean and standard deviation."""

    components: tuple[tuple[float, float, float], ...]

    def draw(self, rng: np.random.Generator, noise: Floats) -> Floats:
        weights = [weight for weight, _, _ in self.components]
        chosen = rng.choice(len(weights), size=len(noise), p=weights)
        means, deviations = (np.array([part[k] for part in self.components]) for k in (1, 2))
        return np.asarray(means[chosen] + deviations[chosen] * noise)

    def average_precision(self, prevalence: float) -> float:
        density, above = np.zeros_like(GRID), np.zeros_like(GRID)
        for weight, mean, deviation in self.components:
            density += weight * stats.norm.pdf(GRID, mean, deviation)
            above += weight * stats.norm.sf(GRID, mean, deviation)
        true = prevalence * above
        false = (1 - prevalence) * stats.norm.sf(GRID)
        precision = np.divide(true, true + false, out=np.zeros_like(true), where=true + false > 0)
        return float(np.trapezoid(density * precision, GRID))

    def roc_auc(self) -> float:
        return sum(w * float(stats.norm.cdf(m / np.hypot(1, s))) for w, m, s in self.components)

    def truth(self, measure: str, prevalence: float) -> float:
        return self.average_precision(prevalence) if measure == "AP" else self.roc_auc()


def make_population(shape: str, separation: float) -> Population:
    distance = float(stats.norm.ppf(separation))
    if shape == "mixed":
        return Population(((0.75, 1.5 * np.sqrt(2) * distance, 1.0), (0.25, 0.0, 1.0)))
    deviation = {"binormal": 1.0, "wide": 2.0, "narrow": 0.5}[shape]
    return Population(((1.0, distance * float(np.hypot(1, deviation)), deviation),))


def draw_labels(rng: np.random.Generator, n: int, prevalence: float) -> Bools:
    return np.asarray(rng.random(n) < prevalence)


def draw_scores(rng: np.random.Generator, labels: Bools, population: Population) -> Floats:
    scores = rng.normal(size=len(labels))
    scores[labels] = population.draw(rng, scores[labels])
    return scores


def draw_test_sets(
    n: int, prevalence: float, populations: tuple[Population, ...], n_samples: int
) -> Iterator[tuple[Bools, list[RankedRows]]]:
    """Yield labels and rankings of test sets with two rows of each class."""
    rng = np.random.default_rng((SEED, n, round(1_000 * prevalence)))
    shared = np.sqrt(CORRELATION)
    for _ in range(n_samples):
        labels = draw_labels(rng, n, prevalence)
        if not 2 <= np.count_nonzero(labels) <= n - 2:
            continue
        common = rng.normal(size=n) if len(populations) > 1 else None
        ranked = []
        for population in populations:
            noise = rng.normal(size=n)
            if common is not None:
                noise = shared * common + np.sqrt(1 - CORRELATION) * noise
            scores = noise
            scores[labels] = population.draw(rng, noise[labels])
            ranked.append(rank_rows(scores))
        yield labels, ranked


def resample(labels: Bools, ranked: list[RankedRows], n_resamples: int = RESAMPLES) -> Floats:
    orders, ends = [rows.order for rows in ranked], [rows.ends for rows in ranked]
    return bootstrap_rows(labels, orders, ends, n_resamples=n_resamples, seed=SEED)


@dataclass
class Misses:
    """How often intervals are above and below the truth, and their length."""

    above: int = 0
    below: int = 0
    n: int = 0
    length: float = 0.0

    def add(self, limits: Limits, truth: float, bounds: tuple[float, float] = (0.0, 1.0)) -> None:
        interval = compute_interval(limits, 0.95, "two-sided", bounds)
        self.n += 1
        self.above += truth < interval.low
        self.below += not truth <= interval.high  # NaN: no interval
        self.length += np.nan_to_num(interval.high - interval.low, nan=1.0)

    @property
    def coverage(self) -> float:
        return 1 - (self.above + self.below) / max(self.n, 1)


def measure_cell(
    measure: str,
    n: int,
    prevalence: float,
    population: Population,
    n_samples: int,
    method: str = METHODS[0],
) -> Misses:
    """Return the misses of a method for one population and size."""
    truth = population.truth(measure, prevalence)
    misses = Misses()
    for labels, ranked in draw_test_sets(n, prevalence, (population,), n_samples):
        statistic = MEASURES[measure](labels, ranked[0])
        limits: Limits = fit_limits(statistic)
        if method == "bca":
            limits = fit_bca(statistic, resample(labels, ranked)[list(MEASURES).index(measure), 0])
        misses.add(limits, truth)
    return misses


def cells() -> list[tuple[int, float]]:
    return [(n, prevalence) for n in SIZES for prevalence in PREVALENCES]


def table(heading: str, names: list[str], row: Callable[[int, float], list[float]]) -> None:
    print(f"\n{heading}\n\n| rows | prevalence | {' | '.join(names)} |", flush=True)
    print(f"| ---: | ---: |{' ---: |' * len(names)}")
    for n, prevalence in cells():
        values = [f"{100 * value:.1f}" for value in row(n, prevalence)]
        print(f"| {n:,} | {prevalence} | {' | '.join(values)} |", flush=True)


def print_default(measure: str, n_samples: int) -> None:
    def cover(n: int, prevalence: float, shape: str) -> list[float]:
        return [
            measure_cell(
                measure, n, prevalence, make_population(shape, separation), n_samples
            ).coverage
            for separation in SEPARATIONS
        ]

    def row(n: int, prevalence: float) -> list[float]:
        worst = min(min(cover(n, prevalence, shape)) for shape in SHAPES[1:])
        return [*cover(n, prevalence, SHAPES[0]), worst]

    names = [*(f"AUC {separation}" for separation in SEPARATIONS), "lowest of other shapes"]
    table(f"Coverage of {METHODS[0]}, {measure}, binormal scores", names, row)


def print_methods(measure: str, n_samples: int) -> None:
    """Print the lowest coverage over separations by method, on the same test sets."""

    def row(n: int, prevalence: float) -> list[float]:
        size = max(BOOTSTRAP_SAMPLES[n] * n_samples // SAMPLES, 50)
        populations = [make_population("binormal", separation) for separation in SEPARATIONS]
        return [
            min(
                measure_cell(measure, n, prevalence, population, size, method).coverage
                for population in populations
            )
            for method in METHODS
        ]

    table(f"Lowest coverage over separations by method, {measure}", list(METHODS), row)


def print_differences(measure: str, n_samples: int) -> None:
    def row(n: int, prevalence: float) -> list[float]:
        values = []
        for pair in PAIRS:
            populations = tuple(make_population("binormal", separation) for separation in pair)
            first, second = (part.truth(measure, prevalence) for part in populations)
            misses = Misses()
            for labels, ranked in draw_test_sets(n, prevalence, populations, n_samples):
                one, other = (MEASURES[measure](labels, rows) for rows in ranked)
                limits = fit_difference(one - other)
                misses.add(limits, first - second, (-1.0, 1.0))
            values.append(misses.coverage)
        return values

    names = [f"AUC {one} - {other}" for one, other in PAIRS]
    table(f"Coverage of differences in {measure}", names, row)


def report_speed() -> str:
    """Return the time of 1,000 resamples of 10,000 rows, and of the same in a loop."""
    from sklearn.metrics import average_precision_score

    rng = np.random.default_rng(SEED)
    n, n_resamples = 10_000, 1_000
    labels = draw_labels(rng, n, 0.1)
    scores = draw_scores(rng, labels, make_population("binormal", 0.8))
    ranked = [rank_rows(scores)]

    def ours(size: int) -> None:
        resample(labels, ranked, size)

    def theirs(size: int) -> None:
        for _ in range(size):
            rows = rng.integers(0, n, n)
            average_precision_score(labels[rows], scores[rows])

    ours(64)  # compiles
    times = {}
    for name, call, size in (
        ("ours", ours, n_resamples),
        ("default", ours, 9_999),
        ("scikit-learn", theirs, n_resamples),
    ):
        began = time.process_time()
        call(size)
        times[name] = time.process_time() - began
    return (
        f"CPU seconds, {n:,} rows: {n_resamples:,} resamples {times['ours']:.3f}, a loop over "
        f"average_precision_score {times['scikit-learn']:.2f}, "
        f"{times['scikit-learn'] / times['ours']:.0f} times as long; 9,999 resamples "
        f"{times['default']:.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="?", default="all")
    parser.add_argument("--samples", type=int, default=SAMPLES)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    parts: dict[str, Callable[[], None]] = {
        "speed": lambda: print(report_speed(), flush=True),
        "default": lambda: print_default("AP", options.samples),
        "auc": lambda: print_default("ROC AUC", options.samples),
        "differences": lambda: print_differences("AP", options.samples),
        "auc-differences": lambda: print_differences("ROC AUC", options.samples),
        "methods": lambda: print_methods("AP", options.samples),
    }
    for name, run in parts.items():
        if options.part in ("all", name):
            run()


if __name__ == "__main__":
    main()
