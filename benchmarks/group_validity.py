"""Measure the error rates of comparisons within and between groups of queries.

``python -m benchmarks.group_validity --data DIR`` prints the table of groups in
docs/validation/error-rates.md, in a minute. The score tables are those of ``difference_validity``.

Within groups, four systems are compared in four groups with a fifth one. Queries are drawn with
replacement, and all differences of a query change sign at random, so that every true mean
difference is 0. A false finding is any adjusted p-value of at most 0.05 in the family of 16.
Between groups, the queries of all groups are drawn from the same population of differences.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from irbounds.comparisons.adjustments import holm
from irbounds.comparisons.group_differences import welch_test
from irbounds.comparisons.tests_of_difference import t_p_values

from .difference_validity import Population, read_populations, write_table

LEVEL = 0.05
SEED = 22
#: queries in each group
SIZES = (
    *((5, 5, 5, 5), (10, 10, 10, 10), (25, 25, 25, 25), (50, 50, 50, 50)),
    *((5, 10, 20, 65), (5, 5, 5, 85)),
)
N_OTHERS = 4
N_FAMILIES = 2_000  # per table and sizes
N_PAIRS, N_SAMPLES = 50, 200  # between groups, per table and sizes

Floats = NDArray[np.float64]


def rate_false_findings(
    population: Population, sizes: Sequence[int], rng: np.random.Generator
) -> tuple[float, float]:
    """Return the rates of families with a false finding: by Holm's adjustment, and without."""
    n_systems, n_queries = population.scores.shape
    hits = np.zeros(2)
    for _ in range(N_FAMILIES):
        baseline, *others = rng.choice(n_systems, 1 + N_OTHERS, replace=False)
        differences = population.scores[others] - population.scores[baseline]
        drawn = rng.integers(0, n_queries, sum(sizes))
        signed = differences[:, drawn] * rng.choice([-1.0, 1.0], sum(sizes))
        parts = np.split(signed, np.cumsum(sizes)[:-1], axis=1)
        with np.errstate(all="ignore"):
            p = np.concatenate([t_p_values(part, "two-sided") for part in parts])
        hits += [np.nanmin(values, initial=1.0) <= LEVEL for values in (holm(p), p)]
    return hits[0] / N_FAMILIES, hits[1] / N_FAMILIES


def rate_interactions(
    population: Population, sizes: Sequence[int], rng: np.random.Generator
) -> float:
    """Return the rate of p-values of at most 0.05 between groups of the same population."""
    hits = 0
    for k in rng.integers(0, len(population.first), N_PAIRS):
        differences = (
            population.scores[population.first[k]] - population.scores[population.second[k]]
        )
        samples = [rng.choice(differences, (N_SAMPLES, n)) for n in sizes]
        means = np.stack([sample.mean(axis=1) for sample in samples], axis=1)
        spreads = [
            np.where(np.ptp(sample, axis=1) > 0, sample.std(axis=1, ddof=1), np.nan)
            for sample in samples
        ]
        errors = np.stack(spreads, axis=1) / np.sqrt(sizes)
        hits += np.count_nonzero(welch_test(means, errors, np.array(sizes))[3] <= LEVEL)
    return hits / (N_PAIRS * N_SAMPLES)


def describe_rates(rates: Sequence[float]) -> str:
    """Return the mean over the tables, and the largest."""
    return f"{np.mean(rates):.3f} ({max(rates):.3f})".replace("0.", ".")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, metavar="DIR")
    populations = read_populations(parser.parse_args().data)
    if not populations:
        parser.error("no score tables in DIR/scores, no runs in DIR/robust03 or DIR/dl21")
    rows = []
    for place, sizes in enumerate(SIZES):
        rng = np.random.default_rng((SEED, place))
        within = [rate_false_findings(population, sizes, rng) for population in populations]
        between = [rate_interactions(population, sizes, rng) for population in populations]
        adjusted, unadjusted = zip(*within, strict=True)
        cells = [describe_rates(rates) for rates in (adjusted, unadjusted, between)]
        rows.append([", ".join(map(str, sizes)), *cells])
    print(write_table(["queries per group", "Holm", "none", "between groups"], rows))


if __name__ == "__main__":
    main()
