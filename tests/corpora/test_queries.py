"""Scores on single queries: their distribution over images, their spread over systems."""

from __future__ import annotations

import numpy as np
import pytest

from irbounds.corpora import score_precision as module
from irbounds.corpora.score_precision import summarise
from irbounds.errors import ParameterError
from irbounds.results import Interval


def middle_share(values, level):
    low, high = np.quantile(np.asarray(values, float), ((1 - level) / 2, (1 + level) / 2))
    return Interval(low, high, level, "percentile")


def test_one_system_on_every_query_measure_by_measure(images_of):
    scores = np.random.default_rng(0).random((2, 3, 4, 50))
    images = images_of(scores, root=scores[..., 0])
    rows = images.query_precision("s1", 0.8)
    assert [(r.measure, r.system, r.query_id) for r in rows] == [
        (m, "s1", q) for m in ("m0", "m1") for q in ("q0", "q1", "q2", "q3")
    ]
    for row in rows:
        m, q = int(row.measure[1:]), int(row.query_id[1:])
        assert row.value == scores[m, 1, q, 0]
        assert row.images == summarise(images.scores[m, 1, q])
        assert row.interval == middle_share(images.scores[m, 1, q], 0.8)
        assert row.images.mean == pytest.approx(scores[m, 1, q].mean(), abs=1e-7)
        assert row.n_images == 50


def test_distributions_are_of_the_images_kept_spreads_of_all(images_of):
    scores = np.random.default_rng(1).random((2, 3, 40))
    some = images_of(scores, n_kept=10)
    for row, kept in zip(some.query_precision("s0"), scores[0, :, :10], strict=True):
        assert row.n_images == 10
        assert row.images.mean == pytest.approx(kept.mean(), abs=1e-7)
        assert row.images.maximum == pytest.approx(kept.max(), abs=1e-7)
    assert some.query_spreads() == images_of(scores).query_spreads()
    assert {row.n_images for row in some.query_spreads()} == {40}


def test_spreads_are_quantiles_over_systems(images_of):
    scores = np.random.default_rng(2).random((2, 21, 3, 30))
    rows = images_of(scores).query_spreads()
    assert [(r.measure, r.query_id) for r in rows] == [
        (m, q) for m in ("m0", "m1") for q in ("q0", "q1", "q2")
    ]
    for row in rows:
        m, q = int(row.measure[1:]), int(row.query_id[1:])
        ordered = sorted(np.std(images, ddof=1) for images in scores[m, :, q])
        # of 21 the 11th, the 20th and the 21st
        expected = (ordered[10], ordered[19], ordered[20])
        assert (row.median, row.percentile_95, row.maximum) == pytest.approx(expected)
        assert row.n_systems == 21


def test_the_numbers_of_r(images_of, tenths):
    """R: quantile(apply(x, c(1, 2), sd)[, 1], c(.5, .95, 1))"""
    first = images_of(tenths).query_spreads()[0]
    found = (first.median, first.percentile_95, first.maximum)
    assert found == pytest.approx((0.315961464365, 0.362517749956, 0.365148371670))


def test_chunks_change_nothing(images_of, monkeypatch):
    images = images_of(np.random.default_rng(0).random((2, 2, 7, 20)))
    whole = images.query_precision("s1")
    monkeypatch.setattr(module, "CHUNK", 45)
    assert images.query_precision("s1") == whole
    assert len(whole) == 14


def test_single_queries_move_far_more_than_the_mean(robust03_images):
    """Section 5, and Figure 1: RBP the same from query to query, AP and nDCG not."""
    scores = {(r.measure, r.system): r.images for r in robust03_images.score_precision()}
    rows = robust03_images.query_precision("pircRBa1")
    for measure in robust03_images.measures:
        here = [r.images.standard_deviation for r in rows if r.measure == measure]
        assert np.mean(here) > 5 * scores[measure, "pircRBa1"].standard_deviation
    high: dict[str, list[float]] = {}
    for spread in robust03_images.query_spreads():
        high.setdefault(spread.measure, []).append(spread.percentile_95)
    uneven = {measure: np.std(found) / np.mean(found) for measure, found in high.items()}
    even = uneven["RBP(p=0.95,rel=1)"]
    assert even < min(uneven["AP"], uneven["nDCG"]) / 1.5
    assert max(uneven["INSQ(T=5)"], even) < min(uneven["AP"], uneven["nDCG"])


def test_an_unknown_system_is_an_error(images_of):
    images = images_of(np.random.default_rng(0).random((2, 2, 9)))
    with pytest.raises(ParameterError, match="system must be one of 's0', 's1'; got 'x'"):
        images.query_precision("x")
    with pytest.raises(ParameterError, match="confidence_level must be a fraction"):
        images.query_precision("s0", 2)
