"""Means and variances against rankings drawn at random, and against scikit-learn.

Each check allows 4.5 standard errors: it fails by chance 7 times in a million. The prevalence is
the negative control: the same check must refuse it.
"""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import average_precision_score

from irbounds import expected_score
from irbounds.random_rankings import score_variance

LIMIT = 4.5


def mean_z(values, mean, variance):
    """Return the distance of the mean of draws in standard errors, by the claimed variance."""
    return (values.mean() - mean) / np.sqrt(variance / len(values))


def variance_z(values, mean, variance):
    """Return the distance of the mean squared distance from the claimed mean."""
    squares = (values - mean) ** 2
    return (squares.mean() - variance) / (squares.std() / np.sqrt(len(values)))


def drawn_ranks(rng, n_draws, n_documents, n_relevant):
    """Ranks of the relevant documents, ascending, one row a draw."""
    rows = [
        rng.choice(n_documents, n_relevant, replace=False, shuffle=False) for _ in range(n_draws)
    ]
    return np.sort(np.array(rows), axis=1) + 1


def average_precisions(ranks):
    return (np.arange(1, ranks.shape[1] + 1) / ranks).mean(axis=1)


def ndcgs(ranks):
    ideal = (1 / np.log2(np.arange(2, ranks.shape[1] + 2))).sum()
    return (1 / np.log2(ranks + 1)).sum(axis=1) / ideal


def weighted(weights):
    """Sums of the weights at the ranks of relevant documents; the weights end, and make 1."""

    def scores(ranks):
        table = np.append(weights / weights.sum(), 0.0)
        return table[np.minimum(ranks - 1, len(weights))].sum(axis=1)

    return scores


MEASURES = {
    "AP": average_precisions,
    "AP@500": lambda ranks: np.where(
        ranks <= 500, np.arange(1, ranks.shape[1] + 1) / ranks, 0
    ).mean(axis=1),
    "RR": lambda ranks: 1 / ranks[:, 0],
    "RR@20": lambda ranks: np.where(ranks[:, 0] <= 20, 1 / ranks[:, 0], 0),
    "nDCG": ndcgs,
    "R@1000": lambda ranks: (ranks <= 1000).mean(axis=1),
    "Rprec": lambda ranks: (ranks <= ranks.shape[1]).mean(axis=1),
    "RBP(rel=1,p=0.95)": weighted(0.95 ** np.arange(1000)),
    "INSQ(T=5,max_rel=1)": weighted((10 / (np.arange(1000) + 10)) ** 2),
    "P@1000": lambda ranks: (ranks <= 1000).sum(axis=1) / 1000,
    "Success@30": lambda ranks: (ranks[:, 0] <= 30).astype(float),
}


# a relevant document is first in some hundred draws, so that these are nearly normal
@pytest.mark.parametrize(
    ("n_documents", "n_relevant", "n_draws"), [(100_000, 5_000, 1_000), (2_000, 60, 5_000)]
)
def test_moments_match_random_rankings(n_documents, n_relevant, n_draws):
    rng = np.random.default_rng(n_relevant)
    case = (n_documents, n_relevant)
    ranks = drawn_ranks(rng, n_draws, *case)
    for name, scores in MEASURES.items():
        values = scores(ranks)
        moments = expected_score(*case, name), score_variance(*case, name)
        assert abs(mean_z(values, *moments)) < LIMIT, name
        assert abs(variance_z(values, *moments)) < LIMIT, name


@pytest.mark.parametrize(("n_documents", "n_relevant"), [(10, 4), (60, 2), (300, 30)])
def test_prevalence_is_rejected(n_documents, n_relevant):
    """The fraction of relevant documents is too low for small collections, as in the paper."""
    rng = np.random.default_rng(n_documents)
    values = average_precisions(drawn_ranks(rng, 6000, n_documents, n_relevant))
    variance = score_variance(n_documents, n_relevant)
    assert abs(mean_z(values, expected_score(n_documents, n_relevant), variance)) < LIMIT
    assert mean_z(values, n_relevant / n_documents, variance) > LIMIT


@pytest.mark.parametrize(("n_documents", "n_positive"), [(50, 2), (200, 20), (20, 15)])
def test_moments_match_scikit_learn(n_documents, n_positive):
    rng = np.random.default_rng(n_documents + n_positive)
    y_true = np.zeros(n_documents, dtype=int)
    y_true[:n_positive] = 1
    draws = rng.random((500, n_documents))
    values = np.array([average_precision_score(y_true, y_score) for y_score in draws])
    sizes = (n_documents, n_positive)
    moments = expected_score(*sizes), score_variance(*sizes)
    assert abs(mean_z(values, *moments)) < LIMIT
    assert abs(variance_z(values, *moments)) < LIMIT
    assert mean_z(values, y_true.mean(), moments[1]) > LIMIT  # the negative control
    if n_positive <= 2:
        assert moments[0] > 2 * y_true.mean()  # few positives: far off
