"""The bootstrap over rows of one test set: AP and ROC AUC on resampled rows."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

import irbounds
from irbounds.intervals.ranked_rows import rank_rows
from irbounds.resampling.query_bootstrap import STREAM
from irbounds.resampling.row_bootstrap import bootstrap_rows
from irbounds.resampling.seeds import Purpose, stream

N = 45
RNG = np.random.default_rng(31)
LABELS = RNG.random(N) < 0.3
SCORES = [RNG.normal(size=N) + LABELS, np.round(RNG.normal(size=N) + LABELS), np.zeros(N)]


def bootstrap(n_resamples=70, seed=5, labels=LABELS, scores=SCORES):
    ranked = [rank_rows(column) for column in scores]
    orders, ends = [rows.order for rows in ranked], [rows.ends for rows in ranked]
    return bootstrap_rows(labels, orders, ends, n_resamples=n_resamples, seed=seed)


def draw_rows(n_resamples, seed):
    """Return the rows of each resample, from the same streams of numpy's generator."""
    by_class = np.argsort(~LABELS, kind="stable")
    units = [
        by_class[
            stream(seed, Purpose.row_bootstrap, unit).integers(
                0, N, size=(STREAM, N), dtype=np.uint32
            )
        ]
        for unit in range(-(-n_resamples // STREAM))
    ]
    return np.concatenate(units)[:n_resamples]


def test_values_match_scores_of_the_resampled_rows():
    values = bootstrap()
    assert values.shape == (2, 3, 70)
    for r, rows in enumerate(draw_rows(70, 5)):
        for c, scores in enumerate(SCORES):
            labels = LABELS[rows]
            ap, auc = (
                measure(labels, scores[rows])
                for measure in (average_precision_score, roc_auc_score)
            )
            assert tuple(values[:, c, r]) == pytest.approx((ap, auc), abs=1e-12)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_same_bits_on_any_threads(threads):
    expected = bootstrap()
    with irbounds.execution(threads=threads):
        assert np.array_equal(bootstrap(), expected)


def test_more_resamples_begin_with_the_same_ones():
    many = bootstrap(n_resamples=100)
    assert np.array_equal(bootstrap(n_resamples=33), many[..., :33])
    assert not np.array_equal(bootstrap(n_resamples=100, seed=6), many)


def test_classifiers_share_their_resamples():
    twice = bootstrap(scores=[SCORES[0], SCORES[0]])
    assert np.array_equal(twice[:, 0], twice[:, 1])
    assert np.array_equal(twice[:, 0], bootstrap()[:, 0])


def test_resamples_without_a_class_have_no_value():
    labels = np.arange(N) < 1
    values = bootstrap(labels=labels, n_resamples=200)
    # no positive is drawn with a probability of (1 - 1/45)^45 = 0.364: 72.8 of 200, and outside 35
    # to 115 less than once in 10^7 times
    assert 35 < np.isnan(values[0, 0]).sum() < 115
    assert np.array_equal(np.isnan(values[0]), np.isnan(values[1]))
