"""Calibration against known error rates."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irbounds
from extreme_scores import EXTREMES
from irbounds.errors import ParameterError
from irbounds.planning.calibration import _verdict, calibrate

RNG = np.random.default_rng(21)
SKEWED = pd.DataFrame({f"s{k}": RNG.beta(0.3, 2 + k, size=3000) for k in range(4)})
NORMAL = pd.DataFrame({f"s{k}": RNG.normal(0.5, 0.1 + k, size=3000) for k in range(4)})


def by_method(rows):
    return {row.method: row for row in rows}


def test_student_t_is_honest_for_normal_scores():
    rows = calibrate(NORMAL, 5, methods=["student-t", "percentile"], n_samples=1000, rng=1)
    found = by_method(rows)
    # 4,000 samples; false alarm 1 in 10,000
    misses = round(found["student-t"].error * 4000)
    assert stats.binomtest(misses, 4000, 0.05).pvalue > 1e-4
    assert found["student-t"].honest
    # the negative control: a bootstrap of five is far too short
    assert found["percentile"].error > 0.12
    assert not found["percentile"].honest
    assert [row.method for row in rows if row.recommended] == ["student-t"]


def test_error_rates_for_skewed_scores():
    table = irbounds.read_scores(SKEWED, measure="AP")
    found = by_method(calibrate(table, 5, n_samples=500, rng=2))
    assert found["percentile"].error > 0.2
    assert found["student-t"].error > 0.1
    assert found["studentised-logit"].error < found["student-t"].error
    # the long tail is above: means are missed there
    assert found["student-t"].above > 5 * found["student-t"].below
    for row in found.values():
        parts = row.below + row.above + row.without
        assert row.error == pytest.approx(parts)
        assert row.worst_error >= row.error
        assert row.error_noise == pytest.approx(
            np.sqrt(row.error * (1 - row.error) / 2000), rel=0.2
        )


def test_honest_method_with_the_lowest_score_is_recommended():
    rows = calibrate(NORMAL, 60, n_samples=2500, n_resamples=200, rng=2)
    honest = [row for row in rows if row.honest]
    assert len(honest) > 1
    best = min(honest, key=lambda row: row.interval_score)
    assert [row for row in rows if row.recommended] == [best]


def test_more_queries_bring_error_rates_closer_to_nominal():
    table = irbounds.read_scores(SKEWED, measure="AP")
    few, many = (by_method(calibrate(table, n, n_samples=300, rng=2)) for n in (5, 100))
    for method in ("student-t", "percentile", "bca"):
        assert abs(many[method].error - 0.05) < abs(few[method].error - 0.05)
        assert many[method].width < few[method].width


def test_several_measures_sizes_and_levels_in_order():
    table = irbounds.read_scores({"AP": SKEWED, "gain": 100 * SKEWED})
    told = []
    rows = calibrate(
        table,
        [3, 4],
        confidence_levels=[0.9, 0.5],
        n_samples=20,
        n_resamples=20,
        rng=1,
        progress=lambda done, total: told.append((done, total)),
    )
    seen = list(dict.fromkeys((row.measure, row.n, row.confidence_level) for row in rows))
    assert seen == [(m, n, level) for m in ("AP", "gain") for n in (3, 4) for level in (0.9, 0.5)]
    # the bounds of a gain are not known
    assert {row.method for row in rows if row.measure == "AP"} - {
        row.method for row in rows if row.measure == "gain"
    } == {"logit-t", "moderated-logit-t", "moderated-wilson", "studentised-logit"}
    assert told[-1] == (320, 320)  # samples, of four systems, two measures and two n


def test_few_samples_give_unclear_verdicts():
    table = irbounds.read_scores(SKEWED[["s0"]], measure="AP")
    rows = calibrate(table, 20, methods=["student-t", "percentile"], n_samples=40, rng=1)
    assert {row.verdict for row in rows} <= {"unclear", "short"}
    assert not any(row.recommended for row in rows)
    with pytest.raises(irbounds.errors.DataError, match="needs at least two queries; got 1"):
        calibrate(SKEWED[:1], 2)


@pytest.mark.parametrize(
    ("error", "noise", "verdict"),
    [
        (0.060, 0.0001, "honest"),
        (0.0601, 0.0001, "honest"),
        (0.0603, 0.0001, "short"),
        (0.0649, 0.0025, "honest"),
        (0.0651, 0.0025, "short"),
        (0.060, 0.01, "unclear"),
        (0.039, 0.01, "honest"),
        (0.079, 0.01, "unclear"),
        (0.081, 0.01, "short"),
    ],
)
def test_verdicts_at_their_edges(error, noise, verdict):
    assert _verdict(error, noise, 0.05) == verdict


def test_bounds_must_contain_the_population():
    with pytest.raises(ParameterError, match="must include every score; all systems, AP has"):
        calibrate(irbounds.read_scores(SKEWED * 100, measure="AP"), 5)


def test_bounds_of_an_unknown_measure_are_taken_from_scores_between_0_and_1():
    options = {"n_samples": 20, "n_resamples": 20, "rng": 1}
    with_bounds = calibrate(SKEWED, 5, bounds=(0, 1), **options)
    assert "studentised-logit" in by_method(with_bounds)
    assert calibrate(SKEWED, 5, **options) == with_bounds
    assert calibrate(SKEWED, 5, methods=["studentised-logit"], **options)[0].width > 0
    # one score outside
    for scores in (SKEWED.replace(SKEWED.max().max(), 1.01), SKEWED - 1e-9 - SKEWED.min().min()):
        assert "studentised-logit" not in by_method(calibrate(scores, 5, **options))
        assert "studentised-logit" in by_method(calibrate(scores, 5, bounds=(-1, 2), **options))
        with pytest.raises(ParameterError, match="'studentised-logit' needs bounds"):
            calibrate(scores, 5, methods=["studentised-logit"], **options)


def test_no_method_is_recommended_if_none_is_honest():
    rows = calibrate(SKEWED, 4, methods=["percentile", "basic"], n_samples=300, rng=1)
    assert not any(row.honest or row.recommended for row in rows)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"n": 1}, "n must be an integer of at least 2; got 1"),
        ({"n": []}, "n must be one or more numbers of queries; got none"),
        ({"n": 4000, "replacement": False}, "at most the 3000 queries .* got 4000"),
        ({"methods": ["normal"]}, "method must be one of .* got 'normal'"),
        ({"methods": []}, "methods must be one or more names; got none"),
        ({"confidence_levels": [95]}, "did you mean 0.95"),
        ({"confidence_levels": []}, "confidence_levels must be one or more fractions; got none"),
        ({"methods": "magic"}, "method must be one of .* got 'magic'"),
        ({"n_samples": 0}, "n_samples must be an integer of at least 2; got 0"),
    ],
)
def test_calibrate_rejects_invalid_options(options, text):
    with pytest.raises(ParameterError, match=text):
        calibrate(SKEWED, **options)


@pytest.mark.parametrize("n_resamples", [2, 3, 20])
@pytest.mark.parametrize("case", EXTREMES)
def test_extreme_scores_and_few_resamples_raise_no_warning(case, n_resamples):
    scores = EXTREMES[case]
    for n in (2, 5):
        rows = calibrate(scores, n, n_samples=9, n_resamples=n_resamples, rng=1)
        for row in rows:
            assert 0 <= row.error <= 1
            assert row.below + row.above + row.without == pytest.approx(row.error)
            assert row.without == 1 or row.width >= 0
            assert row.without == 1 or row.interval_score >= 0


def test_tiny_and_huge_scores_scale():
    scores = np.random.default_rng(1).beta(0.5, 2, 50)
    options = {"n_samples": 20, "n_resamples": 50, "rng": 1}
    plain = calibrate(scores, 10, bounds=(0, 1), **options)
    for scale in (2.0**-700, 2.0**800):
        scaled = calibrate(scores * scale, 10, bounds=(0, scale), **options)
        for a, b in zip(plain, scaled, strict=True):
            assert (b.error, b.width, b.interval_score) == pytest.approx(
                (a.error, a.width * scale, a.interval_score * scale), rel=1e-9
            )
            assert b.width_noise == pytest.approx(a.width_noise * scale, rel=1e-9)
