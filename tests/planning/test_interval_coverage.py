"""Coverage by simulation against a slow twin; the same bits on any threads."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from irbounds import execution
from irbounds.intervals.methods import METHODS
from irbounds.intervals.variance_prior import prior_of
from irbounds.planning.interval_coverage import (
    SHARED,
    UNIT,
    CoveragePlan,
    DrawFrom,
    _bootstrap,
    count_samples,
    draw_places,
    tally_misses,
)
from irbounds.resampling.seeds import Purpose, stream

POPULATION = np.random.default_rng(8).beta(0.5, 2, size=(3, 60))
ALL = [name for name in METHODS if not METHODS[name].needs_binary]


def plan(**options):
    given = {
        "methods": ALL,
        "confidence_levels": [0.95, 0.7],
        "n_samples": 2 * UNIT + 30,
        "n_resamples": 64,
        "seed": 3,
        "bounds": (0, 1),
        "prior": prior_of("AP"),
    }
    return CoveragePlan(**{**given, **options})


@pytest.mark.parametrize("replacement", [True, False])
def test_student_t_misses_match_single_intervals(replacement):
    wanted = plan(methods=["student-t"], n_samples=130, confidence_levels=[0.9])
    tally = tally_misses(DrawFrom(POPULATION, replacement=replacement), 3, 4, wanted)
    for system, scores in enumerate(POPULATION):
        below = above = 0
        widths, interval_scores = [], []
        for part, size in enumerate([SHARED, 30]):
            generator = stream(3, Purpose.samples, 4, system, part)
            for row in scores[draw_places(generator, 60, (size, 4), replacement)]:
                low, high = stats.ttest_1samp(row, 0).confidence_interval(0.9)
                below += scores.mean() < low
                above += scores.mean() > high
                widths.append(high - low)
                overshoot = max(low - scores.mean(), scores.mean() - high, 0)
                interval_scores.append(high - low + 2 / 0.1 * overshoot)
        assert (tally.mean_below[system, 0, 0], tally.mean_above[system, 0, 0]) == (below, above)
        assert tally.width_sums[system, 0, 0] == pytest.approx(sum(widths))
        assert tally.score_sums[system, 0, 0] == pytest.approx(sum(interval_scores))
    assert tally.width(0, 0)[0] == pytest.approx(tally.width_sums.sum() / 390)


def test_coverage_is_the_same_on_any_number_of_threads():
    draw = DrawFrom(POPULATION, replacement=True)
    with execution(threads=1):
        one = tally_misses(draw, 3, 6, plan())
    with execution(threads=3, n_blocks=5):
        three = tally_misses(draw, 3, 6, plan())
    for name in ("mean_below", "mean_above", "without", "width_sums", "score_sums"):
        assert np.array_equal(getattr(one, name), getattr(three, name), equal_nan=True), name
    # a method's numbers do not depend on which others are tried
    alone = tally_misses(draw, 3, 6, plan(methods=["studentised"]))
    place = ALL.index("studentised")
    assert np.array_equal(alone.errors[:, 0], one.errors[:, place])


def test_parts_of_units_have_different_resamples():
    """Otherwise the noise of a tally would not shrink with the number of samples."""
    same = np.tile(POPULATION[:1], (2, 1))
    drawn = DrawFrom(same, replacement=True)(0, 5, 3, np.random.default_rng(1))
    wanted = plan(methods=["percentile"])
    parts = [(5, 0, 0), (5, 1, 0), (5, 0, 1)]
    means = {_bootstrap([drawn], wanted, [part]).bootstrap_means.tobytes() for part in parts}
    assert len(means) == 3
    assert drawn.sigma[0] == pytest.approx(POPULATION[0].std())


def test_samples_without_replacement_have_distinct_queries():
    generator = np.random.default_rng(1)
    for n in (1, 5, 9):
        places = draw_places(generator, 9, (500, n), False)
        assert all(len(set(row)) == n for row in places.tolist())
        counts = np.bincount(places.ravel(), minlength=9)
        # every query as often as every other; false alarm below 1 in 10,000
        assert n == 9 or stats.chisquare(counts).pvalue > 1e-4


def test_constant_samples_have_no_interval():
    population = np.zeros((1, 40))
    population[0, :2] = 1
    tally = tally_misses(DrawFrom(population, replacement=True), 1, 3, plan(methods=["percentile"]))
    # no 1 among three: 0.95 ** 3 of the samples, give or take 5 standard errors
    assert tally.without[0, 0, 0] / tally.n_samples == pytest.approx(0.857, abs=0.12)
    assert tally.errors[0, 0, 0] >= tally.without[0, 0, 0] / tally.n_samples


def test_progress_is_called_after_every_unit():
    told = []
    wanted = plan(methods=["student-t"])
    step = count_samples(lambda *now: told.append(now), 3, wanted.n_samples)
    tally_misses(DrawFrom(POPULATION, replacement=True), 3, 4, wanted, step)
    n = 3 * wanted.n_samples  # told of samples, three units a system
    assert told == [(round(n * k / 9), n) for k in range(1, 10)]
