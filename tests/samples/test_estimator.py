"""The sampling distribution of estimated recall, and the bias-reduced estimate."""

from __future__ import annotations

import math

import numpy as np
import pytest

import naive
from irbounds.errors import DataError, ParameterError
from irbounds.samples.counts import Counts
from irbounds.samples.estimator import (
    bias_reduced_recall,
    estimator_bias,
    estimator_distribution,
)
from irbounds.samples.hypergeometric import hypergeometric_masses
from irbounds.samples.point_estimates import (
    estimate_recall,
)

TABLE_III = (2_000, 1_000, 100), (100_000, 3_000, 100)


def make_counts(strata, relevant=None):
    """Counts of tuples (retrieved, documents, sampled, relevant[, assessable])."""
    columns = [np.array(column, dtype=float) for column in zip(*strata, strict=True)]
    relevant = columns[3] if relevant is None else np.asarray(relevant, dtype=float)
    assessable = columns[4] if len(columns) == 5 else np.broadcast_to(columns[2], relevant.shape)
    return Counts(columns[0].astype(bool), columns[1], columns[2], relevant, assessable)


def test_estimator_distribution_matches_table_iii():
    found = estimator_distribution(*TABLE_III)
    assert found.recall == 0.25
    assert found.mean == pytest.approx(0.31, abs=0.005)
    assert found.masses.sum() == pytest.approx(1, abs=1e-12)
    assert (np.diff(found.values) >= 0).all()
    assert found.values[-1] == 1  # Figure 2: nothing relevant among the unretrieved
    assert found.undefined < 1e-30


@pytest.mark.parametrize(
    ("retrieved", "unretrieved"),
    [
        ((9, 4, 3), (30, 5, 6)),
        ((5, 5, 1), (20, 1, 1)),  # samples of one
        ((6, 2, 6), (10, 3, 10)),  # everything sampled
        ((6, 0, 2), (10, 3, 4)),
    ],
)
def test_estimator_distribution_matches_naive(retrieved, unretrieved):
    twin = naive.mean_recall_estimate(retrieved, unretrieved)
    truth = retrieved[1] / (retrieved[1] + unretrieved[1])
    found = estimator_distribution(retrieved, unretrieved)
    assert found.mean == pytest.approx(float(twin), rel=1e-12)
    assert estimator_bias(retrieved, unretrieved) == pytest.approx(float(twin) - truth, abs=1e-12)
    nothing = naive.hypergeometric_mass(0, *retrieved) if retrieved[2] < 6 else 0
    nothing *= naive.hypergeometric_mass(0, *unretrieved) if unretrieved[2] < 10 else 0
    assert found.undefined == pytest.approx(float(nothing), rel=1e-12)


def test_full_sample_is_unbiased():
    found = estimator_distribution((6, 2, 6), (10, 3, 10))
    assert found.bias == pytest.approx(0, abs=1e-15)
    assert found.standard_deviation == pytest.approx(0, abs=1e-12)


def test_bias_falls_with_sample_size_as_in_figure_3():
    """Recall and precision fixed; the yields and the retrieved set shrink together."""
    curves = []
    for divisor in (1, 2, 10):
        retrieved = 2_000 // divisor, 1_000 // divisor, 100
        curve = [
            estimator_bias(retrieved, (100_000, 3_000 // divisor, sampled))
            for sampled in (100, 400, 1_600, 6_400)
        ]
        assert (np.diff(curve) < 0).all()
        assert curve[-1] > -0.001
        curves.append(curve)
    assert (np.diff(np.array(curves), axis=0) > 0).all()
    # fourth curve: the retrieved set stays, so recall rises and the bias is less
    assert estimator_bias((2_000, 1_000, 100), (100_000, 300, 400)) < curves[2][1]


def test_estimator_with_an_empty_segment():
    assert estimator_distribution((0, 0, 0), (10, 3, 4)).mean == 0
    assert estimator_distribution((10, 3, 4), (0, 0, 0)).mean == 1


@pytest.mark.parametrize(
    ("retrieved", "unretrieved", "error", "text"),
    [
        ((5, 2), (9, 1, 3), ParameterError, r"^retrieved must be \(documents, relevant, sampled\)"),
        (7, (9, 1, 3), ParameterError, r"integers from 0 to 1,000,.*; got 7$"),
        ((5, 2, 1), (9, -1, 3), ParameterError, r"^unretrieved must .* got \(9, -1, 3\)$"),
        ((5, 2, 6), (9, 1, 3), DataError, r"^retrieved: 2 relevant and 6 sampled of 5 documents$"),
        ((5, 2, 1), (9, 1, 0), DataError, r"^unretrieved: a sample of 0 gives no estimate$"),
        ((5, 0, 1), (9, 0, 2), DataError, r"^recall needs a relevant document; both segments"),
    ],
)
def test_impossible_segments_are_rejected(retrieved, unretrieved, error, text):
    with pytest.raises(error, match=text):
        estimator_distribution(retrieved, unretrieved)


def bias_and_error(estimate, retrieved, unretrieved):
    """Bias and root mean squared error by a sum over all samples with something relevant."""
    (first1, masses1), (first0, masses0) = (
        hypergeometric_masses(*segment) for segment in (retrieved, unretrieved)
    )
    hits = np.stack(
        np.meshgrid(
            first1 + np.arange(len(masses1)), first0 + np.arange(len(masses0)), indexing="ij"
        ),
        axis=-1,
    )
    strata = [(True, *retrieved[::2], 0), (False, *unretrieved[::2], 0)]
    found = estimate(make_counts(strata, hits))
    mass = np.where(np.isnan(found), 0, np.outer(masses1, masses0))
    off = np.nan_to_num(found) - retrieved[1] / (retrieved[1] + unretrieved[1])
    return float((off * mass).sum() / mass.sum()), math.sqrt((off**2 * mass).sum() / mass.sum())


def test_bias_reduced_estimate_of_table_iii():
    assert bias_and_error(estimate_recall, *TABLE_III) == pytest.approx((0.0642, 0.1998), abs=1e-4)
    assert bias_and_error(bias_reduced_recall, *TABLE_III) == pytest.approx(
        (0.0153, 0.1585), abs=1e-4
    )


def test_bias_reduction_around_table_iii_and_elsewhere():
    for documents, precision in ((1_000, 0.5), (4_000, 0.5), (2_000, 0.25), (2_000, 0.75)):
        for recall in (0.15, 0.25, 0.6):
            for sampled in (50, 400):
                relevant = round(documents * precision)
                retrieved = documents, relevant, 100
                unretrieved = 100_000, round(relevant * (1 / recall - 1)), sampled
                plain = bias_and_error(estimate_recall, retrieved, unretrieved)
                reduced = bias_and_error(bias_reduced_recall, retrieved, unretrieved)
                assert abs(reduced[0]) < abs(plain[0])
                assert reduced[1] < plain[1]
    # negative control, as documented: a high recall that hardly any sample can confirm
    design = (2_000, 1_000, 100), (100_000, 53, 100)
    plain, reduced = (bias_and_error(f, *design) for f in (estimate_recall, bias_reduced_recall))
    assert abs(reduced[0]) > abs(plain[0]) + 0.05


def test_bias_reduced_is_clipped_and_exact_for_full_samples():
    full = make_counts([(True, 30, 30, 12), (False, 50, 50, 4)])
    assert float(bias_reduced_recall(full)) == pytest.approx(0.75)
    relevant = np.stack(np.meshgrid(np.arange(4), np.arange(4), indexing="ij"), axis=-1)
    found = bias_reduced_recall(make_counts([(True, 900, 3, 0), (False, 50, 3, 0)], relevant))
    defined = found[~np.isnan(found)]
    assert len(defined) == 15
    assert ((defined >= 0) & (defined <= 1)).all()
