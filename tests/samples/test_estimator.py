"""The bias-reduced estimate of recall."""

from __future__ import annotations

import math

import numpy as np
import pytest

from irbounds.samples.counts import Counts
from irbounds.samples.estimator import (
    bias_reduced_recall,
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
