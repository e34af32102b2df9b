"""The normal family against slow twins and on every degenerate stratum."""

from __future__ import annotations

import math

import numpy as np
import pytest

import naive
from irbounds.errors import DataError
from irbounds.samples.counts import Counts
from irbounds.samples.koopman import koopman
from irbounds.samples.normal import (
    agresti_coull,
    laplace,
    naive_binomial,
    normal,
    normal_official,
    official_f1,
    official_precision,
    official_yield,
)
from irbounds.samples.point_estimates import divide, is_unsampled

ADDED = {normal: 0, laplace: 1, agresti_coull: 2}
OFFICIAL = [normal_official, official_precision, official_f1, official_yield]
FAMILY = [*ADDED, naive_binomial, normal_official]
Z = 1.959963984540054


def make_counts(strata, relevant=None):
    """Counts of tuples (retrieved, documents, sampled, relevant[, assessable])."""
    columns = [np.array(column, dtype=float) for column in zip(*strata, strict=True)]
    assessable = columns[4] if len(columns) == 5 else columns[2]
    relevant = columns[3] if relevant is None else np.asarray(relevant, dtype=float)
    retrieved = columns[0].astype(bool)
    return Counts(
        retrieved,
        columns[1],
        columns[2],
        relevant,
        np.broadcast_to(assessable, relevant.shape),
    )


def ends(limits, level=0.95):
    return float(limits.limit((1 - level) / 2)), float(limits.limit((1 + level) / 2))


def random_strata(rng):
    strata = [(True, 0, 0, 0), (False, 0, 0, 0)]  # empty ones count for nothing
    for retrieved in rng.permutation([True, False, *rng.integers(2, size=3)]):
        documents = int(rng.integers(1, 3000))
        sampled = int(rng.integers(1, min(documents, 60) + 1))
        strata.append((bool(retrieved), documents, sampled, int(rng.integers(sampled + 1))))
    return strata


@pytest.mark.parametrize("fit", ADDED)
def test_propagation_equals_its_twin_on_random_strata(fit):
    rng = np.random.default_rng(25)
    for _ in range(200):
        strata = random_strata(rng)
        if ADDED[fit] == 0 and not any(relevant for *_, relevant in strata):
            continue
        centre, error = naive.normal_recall(strata, ADDED[fit])
        found = ends(fit(make_counts(strata)), 0.9)
        width = 1.6448536269514722 * error
        assert found == pytest.approx((centre - width, centre + width), rel=1e-11, abs=1e-13)


def test_many_samples_at_once_equal_one_by_one():
    strata = [(True, 2000, 30, 0), (True, 400, 40, 0), (False, 90_000, 50, 0)]
    relevant = np.random.default_rng(1).integers(0, 30, size=(4, 5, 3))
    for fit in FAMILY + OFFICIAL:
        together = fit(make_counts(strata, relevant)).limit(0.2)
        assert together.shape == (4, 5)
        for index in np.ndindex(4, 5):
            alone = fit(make_counts(strata, relevant[index])).limit(0.2)
            assert together[index] == pytest.approx(float(alone), rel=1e-13)


def test_one_interval_by_hand():
    # 20 of 2000 / 10 of 40 and 10 of 100 / 5 of 50: yields 500 and 10, variances
    # 2000^2 (1/4)(3/4)/40 (1 - 40/2000) = 18375 and 100^2 (0.1)(0.9)/50 (1 - 1/2) = 9
    counts = make_counts([(True, 2000, 40, 10), (False, 100, 50, 5)])
    error = math.sqrt(18375 * 10**2 + 9 * 500**2) / 510**2
    assert ends(normal(counts)) == pytest.approx((500 / 510 - Z * error, 500 / 510 + Z * error))
    error = math.sqrt(500 / 510 * 10 / 510 / 15)  # n: the 15 relevant documents seen
    assert ends(naive_binomial(counts)) == pytest.approx(
        (500 / 510 - Z * error, 500 / 510 + Z * error)
    )


def test_official_by_hand_leaves_the_covariance_out_and_clips():
    counts = make_counts([(True, 2000, 40, 10, 32), (False, 100, 50, 5, 50)])
    found, missed = 2000**2 * 0.1875 / 39 * 0.98, 100**2 * 0.09 / 49 * 0.5
    recall = 500 / 510
    error = recall * math.sqrt(found / 500**2 + (found + missed) / 510**2)
    assert ends(normal_official(counts)) == pytest.approx((recall - Z * error, 1))
    precision = 500 / 1600  # of 2000 retrieved 32 in 40 could be assessed
    judged = 2000**2 * 0.16 / 39 * 0.98
    error = precision * math.sqrt(found / 500**2 + judged / 1600**2)
    assert ends(official_precision(counts)) == pytest.approx(
        (precision - Z * error, precision + Z * error)
    )
    error = math.sqrt(found + missed)
    assert ends(official_yield(counts)) == pytest.approx((510 - Z * error, 510 + Z * error))


@pytest.mark.parametrize("fit", FAMILY)
def test_nothing_relevant_among_the_unretrieved(fit):
    found = ends(fit(make_counts([(True, 100, 20, 8), (False, 1000, 50, 0)])))
    if ADDED.get(fit, 0):  # the added documents keep a doubt
        assert found[0] < found[1]
        assert found[0] < 0.9
    elif fit is normal_official:  # the retrieved yield's variance, counted twice, remains
        assert found[0] < 1 == found[1]
    else:
        assert found == (1, 1)


@pytest.mark.parametrize("fit", FAMILY)
def test_nothing_relevant_at_all_has_no_interval(fit):
    found = ends(fit(make_counts([(True, 100, 20, 0), (False, 1000, 50, 0)])))
    assert all(map(math.isnan, found)) == (not ADDED.get(fit, 0))


@pytest.mark.parametrize("fit", FAMILY)
def test_a_segment_without_documents_settles_recall(fit):
    assert ends(fit(make_counts([(True, 0, 0, 0), (False, 100, 20, 5)]))) == (0, 0)
    whole = ends(fit(make_counts([(True, 100, 20, 5), (False, 0, 0, 0)])))
    assert whole[1] == 1
    if fit is not normal_official:
        assert whole[0] == 1


def test_a_full_sample_leaves_no_doubt():
    counts = make_counts([(True, 30, 30, 12), (False, 50, 50, 4)])
    for fit in (normal, normal_official):
        assert ends(fit(counts)) == pytest.approx((0.75, 0.75))
    assert ends(official_yield(counts)) == pytest.approx((16, 16))
    assert ends(official_precision(counts)) == pytest.approx((0.4, 0.4))


@pytest.mark.parametrize("fit", FAMILY)
@pytest.mark.parametrize("relevant", [0, 1])
def test_samples_of_one(fit, relevant):
    found = ends(fit(make_counts([(True, 9, 1, relevant), (False, 70, 10, 3)])))
    assert all(map(math.isfinite, found))


def test_official_variance_of_a_sample_of_one_is_nothing():
    assert ends(official_yield(make_counts([(True, 9, 1, 1), (False, 4, 1, 0)]))) == (9, 9)


def test_everything_relevant():
    found = ends(normal(make_counts([(True, 90, 9, 9), (False, 70, 7, 7)])))
    assert found == pytest.approx((90 / 160, 90 / 160))


def test_official_f1_has_no_slope_where_recall_and_precision_are_0():
    counts = make_counts([(True, 100, 20, 0), (False, 1000, 50, 3)])
    assert ends(official_precision(counts)) == (0, 0)
    assert all(map(math.isnan, ends(official_f1(counts))))


@pytest.mark.parametrize("fit", [*FAMILY, *OFFICIAL, koopman])
def test_documents_without_a_sample_are_refused(fit):
    counts = make_counts([(True, 100, 0, 0), (False, 1000, 50, 3)])
    assert is_unsampled(counts).tolist() == [True, False]
    text = (
        rf"^method '{fit(make_counts([(True, 1, 1, 1), (False, 1, 1, 1)])).method}' needs a sample "
        r"of every stratum; stratum 1 has 100 documents and 0 sampled$"
    )
    with pytest.raises(DataError, match=text):
        fit(counts)


def test_share_of_nothing():
    assert math.isnan(float(divide(np.array(0.0), np.array(0.0))))
    assert math.isnan(float(divide(np.array(1.0), np.array(np.nan))))
    assert divide(np.array([1.0, 2.0]), np.array(4.0)).tolist() == [0.25, 0.5]
