"""Coverage of the intervals of AP and ROC AUC on simulated test sets with a known population.

Scores are normal, so that AP of the population is an integral (``benchmarks.classifiers``, which
measures more cells). A cell has 1,000 test sets. The true coverage of the cells below is at least
0.935, measured with 2,000 test sets each; that of 1,000 test sets is then below 0.90 less than once
in 10,000 times (a binomial probability of 1e-5).
"""

from __future__ import annotations

import pytest
from benchmarks.classifiers import Misses, draw_test_sets, make_population, measure_cell

from irbounds.intervals.ranked_rows import MEASURES, fit_difference

N_SAMPLES = 1_000
MIN_COVERAGE = 0.90
#: rows, prevalence, shape, separation: the lowest coverage that was measured, and typical ones
CELLS = [
    (100, 0.1, "binormal", 0.8),
    (100, 0.5, "binormal", 0.6),
    (100, 0.5, "narrow", 0.95),
    (100, 0.5, "binormal", 0.99),
    (1_000, 0.01, "binormal", 0.6),
    (1_000, 0.01, "wide", 0.6),
    (1_000, 0.1, "binormal", 0.8),
    (1_000, 0.5, "narrow", 0.99),
]


def cover(measure, cell, method="moderated-logit-t"):
    n, prevalence, shape, separation = cell
    population = make_population(shape, separation)
    return measure_cell(measure, n, prevalence, population, N_SAMPLES, method).coverage


@pytest.mark.parametrize("cell", CELLS, ids=str)
@pytest.mark.parametrize("measure", ["AP", "ROC AUC"])
def test_default_intervals_contain_the_population_value(measure, cell):
    assert cover(measure, cell) >= MIN_COVERAGE


def test_check_can_fail():
    """BCa has no interval where the order is perfect, which counts as a miss: 0.83."""
    assert cover("AP", (100, 0.1, "binormal", 0.99), "bca") < MIN_COVERAGE


@pytest.mark.parametrize("pair", [(0.6, 0.8), (0.8, 0.8)])
@pytest.mark.parametrize("measure", MEASURES)
def test_differences_contain_the_population_value(measure, pair):
    populations = tuple(make_population("binormal", separation) for separation in pair)
    first, second = (population.truth(measure, 0.1) for population in populations)
    misses = Misses()
    for labels, ranked in draw_test_sets(1_000, 0.1, populations, N_SAMPLES):
        one, other = (MEASURES[measure](labels, rows) for rows in ranked)
        limits = fit_difference(one - other)
        misses.add(limits, first - second, (-1.0, 1.0))
    assert misses.coverage >= MIN_COVERAGE
