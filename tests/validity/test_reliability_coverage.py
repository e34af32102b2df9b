"""Coverage of the intervals of reliability, on normal tables and on real scores.

False alarms: every binomial test has a rate below 1 in 10,000.
"""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.reliability import VARIANCES, draw_normal, draw_real, find_true_ratios
from scipy import stats

import irbounds
from irbounds.planning.reliability import compute_mean_squares, find_ratios

N_SAMPLES = 2_000
FALSE_ALARM = 1e-4


def count_covered(draw, n, truth, level=0.95):
    rng = np.random.default_rng((2, n))
    covered = np.zeros(2, int)
    for _ in range(N_SAMPLES):
        ratios = find_ratios(compute_mean_squares(draw(rng, n)), level)
        covered += [
            ratio.low <= true <= ratio.high for ratio, true in zip(ratios, truth, strict=True)
        ]
    return covered.tolist()


def is_nominal(count, alternative="two-sided"):
    return stats.binomtest(count, N_SAMPLES, 0.95, alternative).pvalue > FALSE_ALARM


@pytest.mark.parametrize(("n_systems", "n"), [(2, 5), (5, 25), (10, 50), (40, 20)])
def test_intervals_cover_on_normal_tables(n_systems, n):
    systems, queries, residual = VARIANCES
    truth = (systems / residual, systems / (queries + residual))
    relative, absolute = count_covered(draw_normal(n_systems), n, truth)
    assert is_nominal(relative)
    assert is_nominal(absolute, "less")  # wider than necessary
    narrow, _ = count_covered(draw_normal(n_systems), n, truth, level=0.9)
    assert not is_nominal(narrow)  # a negative control


def test_intervals_on_real_scores_are_as_the_page_says(data_directory):
    table = irbounds.read_scores(data_directory / "scores/robust2004_ap.csv", measure="AP")
    values = table.values[0]
    means = values.mean(axis=1)
    best = values[means >= np.quantile(means, 0.25)]
    truth = find_true_ratios(best)
    relative, absolute = count_covered(draw_real(best, 10), 50, truth)
    assert is_nominal(relative, "less")
    assert is_nominal(absolute, "less")
    # many similar systems on few queries: far from it, so a warning is printed
    relative, absolute = count_covered(draw_real(best, len(best)), 25, truth)
    assert relative < 0.75 * N_SAMPLES
    assert absolute < 0.9 * N_SAMPLES
    sample = irbounds.ScoreTable(
        ("AP",),
        tuple(f"s{k}" for k in range(len(best))),
        tuple(map(str, range(25))),
        best[None, :, :25],
    )
    with pytest.warns(irbounds.errors.DegenerateSampleWarning, match="intervals may be too short"):
        irbounds.plan_reliability(scores=sample)
