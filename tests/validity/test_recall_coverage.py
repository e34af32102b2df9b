"""Webber's Tables IX and X at full scale: 1,000 realisations x 1,000 samples, nine methods.

The margins are what was promised, the seed is the default of the study. An RMSE over a thousand
realisations has a noise of its own, the paper's as well as ours: where a few realisations make it,
as those with a coverage of 0 make that of the uniform prior, it may be 0.035 or 0.065. A mean
coverage of the normal family has a standard error of 0.006, and on one seed of several some are
more than 0.015 off (on seed 0 three of nine). So its numbers are means over eight seeds, with a
standard error of 0.002: the paper's noise alone is left, which exceeds 0.015 in one of 80 such
numbers.
"""

from __future__ import annotations

from statistics import fmean

import pytest

from irbounds.planning.recall_simulation import NINE_METHODS, recall_coverage

SCENARIO_NAMES = ("neutral", "legal", "small")
SEED = 0
SEEDS = range(8)
BEST = NINE_METHODS[4:]
NORMAL = NINE_METHODS[1:4]
UNIFORM = "beta-binomial uniform"


@pytest.fixture(scope="module", params=SCENARIO_NAMES)
def simulated_coverage(request):
    coverage = recall_coverage(request.param, rng=SEED)
    return request.param, {row.method: row for row in coverage.rows}


def read_published_values(name, method):
    """Return the paper's RMSE, width and coverage, which the replications have."""
    study = pytest.importorskip("irbounds.replications.webber2013_coverage")
    return [column[NINE_METHODS.index(method)] for column in study.THEIRS[name]]


@pytest.mark.slow
def test_coverage_of_ratio_and_posterior_methods_matches_paper(simulated_coverage):
    name, rows = simulated_coverage
    for method in BEST:
        rmse, width, coverage = read_published_values(name, method)
        row = rows[method]
        if (name, method) == ("neutral", UNIFORM):
            assert 0.03 < row.rmse < 0.09  # a handful of realisations decides
        else:
            assert row.rmse == pytest.approx(rmse, abs=0.006), method
        assert row.coverage == pytest.approx(coverage, abs=0.01), method
        assert row.width == pytest.approx(width, abs=0.02), method


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENARIO_NAMES)
def test_coverage_of_normal_methods_matches_paper(name):
    runs = [recall_coverage(name, methods=NORMAL, rng=seed).rows for seed in SEEDS]
    for method, rows in zip(NORMAL, zip(*runs, strict=True), strict=True):
        rmse, width, coverage = read_published_values(name, method)
        assert fmean(row.rmse for row in rows) == pytest.approx(rmse, abs=0.03), method
        assert fmean(row.coverage for row in rows) == pytest.approx(coverage, abs=0.015), method
        assert fmean(row.width for row in rows) == pytest.approx(width, abs=0.02), method


@pytest.mark.slow
def test_recommended_method_has_best_and_balanced_coverage(simulated_coverage):
    _, rows = simulated_coverage
    best = rows["beta-binomial 0.5"]
    assert best.rmse < 0.016
    assert best.below == pytest.approx(best.above, abs=0.01)
    # the negative controls: half the misses of a method that understates recall are not below
    assert rows["agresti-coull"].above > 5 * rows["agresti-coull"].below
    assert rows["normal"].below > 1.5 * rows["normal"].above
    assert min(rows["normal"].rmse, rows["agresti-coull"].rmse) > 5 * best.rmse


@pytest.mark.slow
def test_uniform_prior_never_covers_a_few_realisations():
    coverage = recall_coverage(
        "neutral", methods=[UNIFORM, "beta-binomial 0.5"], n_samples=100, rng=0
    )
    uniform, half = coverage.coverages.T
    never = uniform < 0.2
    assert 1 <= never.sum() <= 8
    assert ((uniform[never] - 0.95) ** 2).sum() > 0.7 * ((uniform - 0.95) ** 2).sum()
    assert half[never].min() > 0.8
    for place in never.nonzero()[0]:
        realisation = coverage.realisations[place]
        assert (
            realisation.relevant_unretrieved / realisation.unretrieved
            < 0.05 / realisation.unretrieved_sample
        )
