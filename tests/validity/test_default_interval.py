"""The claim of the default interval: it misses in at most 6 % of samples of five queries or more.

``benchmarks.validity`` draws the samples, with prior variances from other collections, and prints
the whole table. Here some numbers of queries are checked at every level with fewer samples, and
with the methods that draw nothing. A cell with a true error of 0.05 and 10,000 samples has a
standard error of 0.0022, so that it exceeds 0.06 in fewer than 1 of 100,000 runs; there are about
120 cells.
"""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.validity import (
    DEFAULT,
    LEVELS,
    MAX_ERROR,
    judge,
    judge_tables,
    load_tables,
    make_worlds,
    prior_without,
    select,
)

from irbounds.intervals.variance_prior import prior_of

METHODS = [DEFAULT, "student-t", "logit-t"]
N_SAMPLES = 10_000
SIZES = (5, 10, 20, 50)


def largest_error(results, method=DEFAULT, level=0.95):
    return max(
        (row.error, name, n)
        for name, rows in results.items()
        for n, row in select(rows, method, level).items()
    )


@pytest.fixture(scope="module")
def worlds():
    """Return the error rates in simulated worlds, with the prior of AP."""
    prior = prior_of("AP").variance
    return {
        name: judge(name, "AP", scores[None], prior, N_SAMPLES, METHODS, SIZES)
        for name, scores in make_worlds().items()
    }


@pytest.fixture(scope="module")
def tables(data_directory):
    """Return the error rates on real score tables."""
    scores = load_tables([data_directory])
    return judge_tables(scores, N_SAMPLES, METHODS, SIZES)


def test_default_holds_in_worlds_that_fit_its_prior(worlds):
    fitting = {name: rows for name, rows in worlds.items() if "as the prior" in name}
    assert len(fitting) == 4
    assert largest_error(fitting)[0] <= MAX_ERROR


def test_default_holds_for_half_zeros_and_known_items(worlds):
    broken = {name: rows for name, rows in worlds.items() if "half" in name or "item" in name}
    assert len(broken) == 4
    assert largest_error(broken)[0] <= MAX_ERROR


def test_default_nearly_holds_with_twice_the_variance_of_its_prior(worlds):
    broken = {name: rows for name, rows in worlds.items() if "twice" in name}
    assert len(broken) == 4
    assert largest_error(broken)[0] <= 0.075


def test_default_is_too_short_where_nothing_shows_a_rare_large_score(worlds):
    """The stated limit: one query in ten scores 0.8, the others 0.02, and twenty queries."""
    rare = next(rows for name, rows in worlds.items() if "one query in ten" in name)
    errors = {n: row.error for n, row in select(rare, DEFAULT).items()}
    assert errors[5] <= MAX_ERROR
    assert 0.08 < errors[20] < 0.14
    assert errors[50] < 0.065


def test_other_methods_fail_in_the_same_worlds(worlds):
    """Negative controls: the same samples show that these methods are too short."""
    assert largest_error(worlds, "student-t")[0] > 0.3
    assert largest_error(worlds, "logit-t")[0] > 0.2
    fitting = {name: rows for name, rows in worlds.items() if "as the prior" in name}
    assert largest_error(fitting, "student-t")[0] > 0.15
    assert largest_error(fitting, "logit-t")[0] > 0.1


def test_default_holds_on_every_collection(tables):
    assert len(tables) >= 15
    error, name, n = largest_error(tables)
    assert error <= MAX_ERROR, (name, n)


@pytest.mark.parametrize("level", LEVELS)
def test_default_holds_at_other_levels(tables, level):
    error, name, n = largest_error(tables, level=level)
    # 1.2 times the nominal error, and four standard errors of 10,000 samples
    noise = 4 * np.sqrt(level * (1 - level) / N_SAMPLES)
    assert error <= 1.2 * (1 - level) + noise, (name, n)


@pytest.mark.parametrize(("side", "largest"), [("below", 0.06), ("above", 0.07)])
def test_one_sided_limits_of_the_default(tables, side, largest):
    """Of a level of 0.95: lower limits hold, upper ones err a little more often, as stated."""
    rows = [row for of_table in tables.values() for row in select(of_table, DEFAULT, 0.9).values()]
    assert max(getattr(row, side) for row in rows) <= largest


def test_other_methods_fail_on_real_collections(tables):
    assert largest_error(tables, "student-t")[0] > 0.4  # RR: equal scores have no interval
    average_precision = {name: rows for name, rows in tables.items() if name.endswith(" AP")}
    assert largest_error(average_precision, "student-t")[0] > 0.12
    assert largest_error(average_precision, "logit-t")[0] > 0.08


def test_default_fails_with_a_prior_that_is_far_too_small(data_directory):
    scores = load_tables([data_directory])["adhoc6", "AP"]
    rows = judge("adhoc6", "AP", scores, 0.005, N_SAMPLES, [DEFAULT], SIZES)
    assert max(row.error for row in select(rows, DEFAULT).values()) > 0.07


def test_default_is_no_wider_than_methods_that_err_more(tables):
    """Mean widths over all tables: of five queries shorter, of twenty at most 2 % wider."""

    def mean_width(method, n):
        return np.mean([select(rows, method)[n].width for rows in tables.values()])

    assert mean_width(DEFAULT, 5) < 0.92 * mean_width("logit-t", 5)
    assert mean_width(DEFAULT, 5) < 0.85 * mean_width("student-t", 5)
    assert mean_width(DEFAULT, 10) < mean_width("logit-t", 10)
    assert mean_width(DEFAULT, 20) < 1.02 * mean_width("logit-t", 20)


def test_priors_never_see_the_collection_that_is_judged():
    assert prior_without("RR", "adhoc8") != prior_of("RR").variance
    assert prior_without("a measure of nobody", "adhoc8") == prior_of("another").variance
