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
DEFAULT = "moderated-logit-t"
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


def cover(measure, cell, method=DEFAULT, **options):
    n, prevalence, shape, separation = cell
    population = make_population(shape, separation)
    found = measure_cell(
        measure, n, prevalence, population, N_SAMPLES, methods=(method,), **options
    )
    return found[method].coverage


@pytest.mark.parametrize("cell", CELLS, ids=str)
@pytest.mark.parametrize("measure", ["AP", "ROC AUC"])
def test_default_intervals_contain_the_population_value(measure, cell):
    assert cover(measure, cell) >= MIN_COVERAGE


def test_fixed_prevalence_is_covered_by_both_intervals():
    cell = (1_000, 0.1, "binormal", 0.8)
    assert cover("AP", cell, is_fixed=True) >= MIN_COVERAGE
    assert cover("AP", cell, is_fixed=True, is_stratified=True) >= MIN_COVERAGE


def test_check_can_fail():
    """These intervals are too short, and must be found so.

    Of the logit-t interval 0.80 to 0.84 contain the value where few negatives decide AP, of the
    stratified one 0.86 to 0.88 where the prevalence is random.
    """
    assert cover("AP", (100, 0.5, "narrow", 0.95), method="logit-t") < MIN_COVERAGE
    assert cover("AP", (1_000, 0.5, "binormal", 0.6), is_stratified=True) < MIN_COVERAGE


@pytest.mark.parametrize("pair", [(0.6, 0.8), (0.8, 0.8)])
@pytest.mark.parametrize("measure", MEASURES)
def test_differences_contain_the_population_value(measure, pair):
    populations = tuple(make_population("binormal", separation) for separation in pair)
    first, second = (population.truth(measure, 0.1) for population in populations)
    misses = Misses()
    for labels, ranked in draw_test_sets(1_000, 0.1, populations, N_SAMPLES, False):
        one, other = (MEASURES[measure](labels, rows) for rows in ranked)
        limits = fit_difference(one - other, is_fixed=measure == "ROC AUC")
        misses.add(limits, first - second, (-1.0, 1.0))
    assert misses.coverage >= MIN_COVERAGE
