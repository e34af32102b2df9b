"""Coverage of the intervals of reliability: on normal tables, and on real scores.

    python -m benchmarks.reliability --data DIRECTORY

It prints the table of reliability in docs/validation/error-rates.md in markdown. A directory
contains the score tables of TREC 2004 Robust, ``robust2004_ap.csv`` and ``robust2004_p10.csv``,
itself or in ``scores/``.

A normal table has normal systems, queries and residuals, with the variances of TREC-3. In a real
table, its queries and systems are the population. Queries are drawn with replacement, and systems
without, or all systems are kept. An interval covers both coefficients for any number of queries if
it covers the ratio of variances that they depend on.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import irbounds
from irbounds.planning.reliability import compute_mean_squares, find_ratios

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], Floats]

N_SAMPLES = 10_000  # per cell: a standard error of 0.2 points at 95 %
SIZES = (25, 50, 100)
SYSTEMS = (5, 10, 30, 100)
VARIANCES = (0.0028, 0.0281, 0.0102)  # of systems, queries and residuals on TREC-3
FILES = {"AP": "robust2004_ap.csv", "P@10": "robust2004_p10.csv"}
LEVEL = 0.95


def compute_coverage(draw: Draw, n: int, truth: tuple[float, float], seed: int) -> Floats:
    """Return the fractions of intervals of Erho2 and of Phi that cover the true ratios."""
    rng = np.random.default_rng((seed, n))
    covered = np.zeros(2)
    for _ in range(N_SAMPLES):
        ratios = find_ratios(compute_mean_squares(draw(rng, n)), LEVEL)
        covered += [
            ratio.low <= true <= ratio.high for ratio, true in zip(ratios, truth, strict=True)
        ]
    return covered / N_SAMPLES


def draw_normal(n_systems: int) -> Draw:
    """Return a function that draws a normal table of so many systems."""
    systems, queries, residual = np.sqrt(VARIANCES)

    def draw(rng: np.random.Generator, n: int) -> Floats:
        effects = systems * rng.normal(size=(n_systems, 1)) + queries * rng.normal(size=n)
        return np.asarray(effects + residual * rng.normal(size=(n_systems, n)))

    return draw


def draw_real(population: Floats, n_systems: int) -> Draw:
    """Return a function that draws queries of a table, and so many of its systems."""

    def draw(rng: np.random.Generator, n: int) -> Floats:
        columns = rng.integers(0, population.shape[1], n)
        if n_systems == len(population):
            return population[:, columns]
        return population[np.ix_(rng.choice(len(population), n_systems, replace=False), columns)]

    return draw


def find_true_ratios(population: Floats) -> tuple[float, float]:
    """Return the ratios of Erho2 and Phi of a population of queries."""
    n_systems, n_queries = population.shape
    squares = compute_mean_squares(population)
    systems = squares.systems / n_queries  # means of all queries have no error
    queries = squares.queries * (n_queries - 1) / n_queries / n_systems
    residual = squares.residual * (n_queries - 1) / n_queries
    return systems / residual, systems / (queries - residual / n_systems + residual)


def print_row(name: str, n_systems: str, draw: Draw, truth: tuple[float, float]) -> None:
    """Print a row of the table: coverage of Erho2 and of Phi in percent, by number of queries."""
    cells = (compute_coverage(draw, n, truth, seed=1) * 100 for n in SIZES)
    texts = [f"{relative:.1f}, {absolute:.1f}" for relative, absolute in cells]
    print(f"| {' | '.join((name, n_systems, *texts))} |", flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    directory = parser.parse_args().data
    print(f"| scores | systems | {' | '.join(f'{n} queries' for n in SIZES)} |")
    print("| --- " * (2 + len(SIZES)) + "|")
    systems, queries, residual = VARIANCES
    for m in SYSTEMS:
        truth = (systems / residual, systems / (queries + residual))
        print_row("normal", str(m), draw_normal(m), truth)
    for measure, file in FILES.items():
        path = next(p for p in (directory / file, directory / "scores" / file) if p.exists())
        values = irbounds.read_scores(path, measure=measure).values[0]
        means = values.mean(axis=1)
        best = values[means >= np.quantile(means, 0.25)]
        for name, population in ((measure, values), (f"{measure}, lowest quarter dropped", best)):
            truth = find_true_ratios(population)
            for m in SYSTEMS[:-1]:
                print_row(name, str(m), draw_real(population, m), truth)
            everything = draw_real(population, len(population))
            print_row(name, f"all {len(population)}", everything, truth)


if __name__ == "__main__":
    main()
