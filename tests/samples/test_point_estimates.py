"""Point estimates of recall and other quantities, by hand and where they are not defined."""

from __future__ import annotations

import math

import numpy as np
import pytest

from irbounds.errors import DataError
from irbounds.samples.counts import Counts
from irbounds.samples.point_estimates import (
    check_sampled,
    estimate_elusion,
    estimate_f1,
    estimate_precision,
    estimate_prevalence,
    estimate_recall,
    estimate_yield,
)


def make_counts(strata, relevant=None):
    """Counts of tuples (retrieved, documents, sampled, relevant[, assessable])."""
    columns = [np.array(column, dtype=float) for column in zip(*strata, strict=True)]
    relevant = columns[3] if relevant is None else np.asarray(relevant, dtype=float)
    assessable = columns[4] if len(columns) == 5 else np.broadcast_to(columns[2], relevant.shape)
    return Counts(columns[0].astype(bool), columns[1], columns[2], relevant, assessable)


def test_estimates_by_hand():
    # yields 2000 (10/40) = 500, 300 (3/30) = 30 and 1000 (1/50) = 20, of which 530 retrieved;
    # assessable among the retrieved 2000 (32/40) + 300 = 1900
    counts = make_counts(
        [(True, 2000, 40, 10, 32), (False, 1000, 50, 1, 45), (True, 300, 30, 3, 30)]
    )
    recall, precision = 530 / 550, 530 / 1900
    assert float(estimate_recall(counts)) == pytest.approx(recall)
    assert float(estimate_precision(counts)) == pytest.approx(precision)
    assert float(estimate_yield(counts)) == pytest.approx(550)
    assert float(estimate_prevalence(counts)) == pytest.approx(550 / 3300)
    assert float(estimate_elusion(counts)) == pytest.approx(20 / 1000)
    f1 = 2 * precision * recall / (precision + recall)
    assert float(estimate_f1(counts)) == pytest.approx(f1)


def test_arrays_of_samples():
    strata = [(True, 200, 10, 0), (False, 900, 30, 0)]
    relevant = np.array([[[0, 0], [3, 0]], [[0, 3], [10, 30]]])
    counts = make_counts(strata, relevant)
    expected = [[math.nan, 1], [0, 200 / 1100]]
    np.testing.assert_allclose(estimate_recall(counts), expected)
    np.testing.assert_allclose(estimate_f1(counts), [[0, 120 / 260], [0, 400 / 1300]])
    for estimate in (estimate_precision, estimate_yield, estimate_prevalence, estimate_elusion):
        assert estimate(counts).shape == (2, 2)


def test_estimate_of_0_over_0_is_nan():
    nothing = make_counts([(True, 0, 0, 0), (False, 50, 10, 2)])
    assert float(estimate_recall(nothing)) == 0
    assert math.isnan(float(estimate_precision(nothing)))
    assert float(estimate_f1(nothing)) == 0
    everything = make_counts([(True, 50, 10, 2), (False, 0, 0, 0)])
    assert float(estimate_recall(everything)) == 1
    assert math.isnan(float(estimate_elusion(everything)))
    empty = make_counts([(True, 50, 10, 0), (False, 50, 10, 0)])
    assert math.isnan(float(estimate_recall(empty)))
    assert float(estimate_yield(empty)) == float(estimate_precision(empty)) == 0


def test_unsampled_stratum_has_no_estimate():
    counts = make_counts([(True, 50, 10, 2), (False, 50, 0, 0)])
    for estimate in (estimate_recall, estimate_yield, estimate_prevalence, estimate_elusion):
        assert math.isnan(float(estimate(counts)))
    assert float(estimate_precision(counts)) == pytest.approx(0.2)
    with pytest.raises(DataError, match=r"stratum 2 has 50 documents and 0 sampled$"):
        check_sampled(counts, "normal")
