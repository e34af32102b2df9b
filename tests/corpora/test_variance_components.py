"""Variance components of a mean, against an analysis of variance in R and the assumed model."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import irbounds
import naive
from irbounds import ScoreTable
from irbounds.corpora.bootstrap import corpus_bootstrap
from irbounds.corpora.images import CorpusBootstrap
from irbounds.corpora.variance_components import split_variance

MEASURES = ["AP", "nDCG", "P@10", "RBP(p=0.95,rel=1)", "RR"]


def images_of(root, scores):
    """Scores as if they had been found: ``root`` without the last axis of ``scores``, images."""
    labels = ["ABCD", "stuvw", [f"q{k}" for k in range(root.shape[2])]]
    names = [tuple(part[:n]) for part, n in zip(labels, root.shape, strict=True)]
    return CorpusBootstrap(
        root=ScoreTable(*names, root),
        scores=scores.astype(np.float32),
        means=scores.mean(axis=2),
        corpus_size=1000,
        seed=0,
    )


def some_images(seed=1, n_measures=2, n_systems=3, n_queries=12, n_images=40):
    rng = np.random.default_rng(seed)
    root = rng.beta(1, 2, size=(n_measures, n_systems, n_queries))
    scores = root[..., None] + 0.06 * rng.normal(size=(n_measures, n_systems, 1, n_images))
    return images_of(root, scores + 0.1 * rng.normal(size=(*root.shape, n_images)))


def of(row):
    return row.queries, row.documents, row.interaction, row.two_way_bootstrap


def test_variance_split_matches_naive():
    images = some_images()
    rows = images.variance_split()
    assert [(row.measure, row.system) for row in rows] == [(m, s) for m in "AB" for s in "stu"]
    for row in rows:
        m, s = images.measures.index(row.measure), images.systems.index(row.system)
        root, scores = images.root.values[m, s], images.scores[m, s].astype(float)
        assert of(row) == pytest.approx(
            naive.variance_parts(root.tolist(), scores.tolist()), rel=1e-9
        )
        assert row.total == row.queries + row.documents + row.interaction
        assert row.query_bootstrap == pytest.approx(stats.sem(root) ** 2, rel=1e-12)
        assert row.document_bootstrap == pytest.approx(scores.mean(axis=0).var(ddof=1))
        assert (row.value, row.baseline) == (pytest.approx(root.mean()), None)
        assert (row.n_queries, row.n_images) == (12, 40)


def test_variance_split_of_differences_matches_naive():
    images = some_images()
    rows = images.variance_split("t")
    assert [(row.measure, row.system) for row in rows] == [(m, s) for m in "AB" for s in "su"]
    for row in rows:
        m, s = images.measures.index(row.measure), images.systems.index(row.system)
        root = images.root.values[m, s] - images.root.values[m, 1]
        scores = images.scores[m, s].astype(float) - images.scores[m, 1]
        expected = naive.variance_parts(root.tolist(), scores.tolist())
        assert of(row) == pytest.approx(expected, rel=1e-9)
        assert (row.value, row.baseline) == (pytest.approx(root.mean()), "t")


# x <- matrix(c(0.51, 1.15, 0.72, ...), 5, 7)   # the numbers of IN_R, queries as rows
# d <- data.frame(x = as.vector(x), q = factor(row(x)), b = factor(col(x)))
# ms <- anova(lm(x ~ q + b, d))[["Mean Sq"]]
# root <- c(0.51, 1.02, 0.68, 0.64, 0.85)
# print(c(ms[3] / 5, (ms[2] - ms[3]) / 5, ms[2] / 5), digits = 15)
#   0.00911214285714286 0.09395166666666670 0.10306380952380956
# var(root) / 5                   0.00785
# mean(apply(x, 2, var)) / 5      0.00861828571428571
IN_R = np.array(
    [
        [0.51, 1.15, 0.72, 0.67, 0.94],
        [1.49, 1.01, 1.18, 1.47, 1.52],
        [0.71, 0.71, 0.73, 0.76, 1.07],
        [1.41, 0.69, 1.28, 1.48, 0.86],
        [0.44, 0.23, 0.34, 0.30, 0.45],
        [1.07, 0.88, 1.19, 0.84, 1.04],
        [1.17, 1.16, 0.96, 1.24, 1.05],
    ]
)
ROOT_IN_R = np.array([0.51, 1.02, 0.68, 0.64, 0.85])


def test_variance_split_matches_r_aov():
    rows = split_variance(2 * ROOT_IN_R, IN_R.T)
    assert rows["interaction"] == pytest.approx(0.00911214285714286, rel=1e-13)
    assert rows["documents"] == pytest.approx(0.09395166666666670, rel=1e-13)
    assert rows["document_bootstrap"] == pytest.approx(0.10306380952380956, rel=1e-13)
    assert rows["query_bootstrap"] == pytest.approx(4 * 0.00785, rel=1e-13)
    assert rows["queries"] == pytest.approx(4 * 0.00785 - 0.00911214285714286, rel=1e-13)
    two_way = 0.10306380952380956 + 0.00861828571428571
    assert rows["two_way_bootstrap"] == pytest.approx(two_way, rel=1e-13)


def test_negative_components_are_zero_and_the_total_is_their_sum():
    rows = split_variance(ROOT_IN_R, IN_R.T)  # 0.00785 of queries, less than the interaction
    assert rows["queries"] == 0
    assert rows["total"] == pytest.approx(rows["document_bootstrap"], rel=1e-13)
    opposite = np.array([[1.0, -1.0, 2.0, -2.0], [-1.0, 1.0, -2.0, 2.0]])  # no image moves the mean
    rows = split_variance(np.array([0.0, 9.0]), opposite)
    assert (rows["documents"], rows["document_bootstrap"]) == (0, 0)
    assert rows["total"] == pytest.approx(rows["query_bootstrap"], rel=1e-13)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.99])
def test_variance_split_interval_is_student_t(level):
    for row in some_images().variance_split(confidence_level=level):
        ends = stats.t.interval(level, 11, loc=row.value, scale=math.sqrt(row.total))
        assert (row.interval.low, row.interval.high) == pytest.approx(ends, rel=1e-9)
        assert (row.interval.method, row.interval.confidence_level) == ("student-t", level)


def additive_rounds(A, B, E, n_queries=15, n_images=60, n_rounds=1500):
    """Mean estimates where scores and images follow the model: a, b and e drawn, each normal."""
    rng = np.random.default_rng(6)
    names = ("queries", "documents", "interaction", "total")
    names += ("query_bootstrap", "document_bootstrap", "two_way_bootstrap")
    rows = []
    for _ in range(n_rounds):
        root = math.sqrt(A) * rng.normal(size=n_queries) + math.sqrt(B) * rng.normal()
        root += math.sqrt(E) * rng.normal(size=n_queries)
        scores = root[:, None] + math.sqrt(B) * rng.normal(size=n_images)
        scores += math.sqrt(E) * rng.normal(size=(n_queries, n_images))
        parts = split_variance(root, scores)
        rows.append([parts[name] for name in names])
    return dict(zip(names, np.mean(rows, axis=0), strict=True))


def test_components_are_unbiased_under_the_model_and_bootstraps_are_not():
    A, B, E, n = 3.0, 0.5, 2.0, 15
    rows = additive_rounds(A, B, E)
    # relative errors: 0.38 of a variance of 15 scores, over 1,500 rounds 0.010; 4.5 times that
    assert rows["total"] == pytest.approx(A / n + B + E / n, rel=0.045)
    assert rows["query_bootstrap"] == pytest.approx((A + E) / n, rel=0.045)
    assert rows["document_bootstrap"] == pytest.approx(B + E / n, rel=0.03)
    assert rows["two_way_bootstrap"] == pytest.approx(A / n + B + 3 * E / n, rel=0.045)
    assert rows["interaction"] == pytest.approx(E / n, rel=0.01)
    assert rows["documents"] == pytest.approx(B, rel=0.03)
    assert rows["queries"] == pytest.approx(A / n, rel=0.09)
    # the negative controls: each way by itself misses the truth by far more than the noise
    truth = A / n + B + E / n
    assert rows["query_bootstrap"] < 0.5 * truth
    assert rows["document_bootstrap"] < 0.8 * truth
    assert rows["two_way_bootstrap"] > 1.25 * truth


def test_constant_scores_have_no_interval():
    images = images_of(np.full((1, 1, 5), 0.25), np.full((1, 1, 5, 20), 0.25))
    message = "s, A: no interval: the same score on every query"
    with pytest.warns(irbounds.errors.DegenerateSampleWarning, match=message) as calls:
        (row,) = images.variance_split()
    assert calls[0].filename == __file__  # the caller's line
    assert (row.total, math.isnan(row.interval.low)) == (0, True)


def test_variance_split_of_one_query():
    images = some_images(n_measures=1, n_systems=1, n_queries=1)
    with pytest.warns(irbounds.errors.DegenerateSampleWarning, match="no interval: a single query"):
        (row,) = images.variance_split()
    assert row.document_bootstrap == pytest.approx(images.scores[0, 0, 0].var(ddof=1), rel=1e-5)
    assert all(math.isnan(value) for value in (*of(row), row.total, row.interval.high))


def test_variance_split_parameter_errors():
    images = some_images()
    with pytest.raises(
        irbounds.errors.ParameterError, match=r"between 0 and 1; got 95, did you mean"
    ):
        images.variance_split(confidence_level=95)
    with pytest.raises(
        irbounds.errors.ParameterError, match=r"baseline must be one of 's', .*; got 'x'"
    ):
        images.variance_split("x")
    with pytest.raises(irbounds.errors.ParameterError, match=r"at least two systems; got 's'"):
        some_images(n_systems=1).variance_split("s")


def test_query_component_dominates_on_real_runs(robust03):
    """TREC 2003 Robust: what an error bar must hold is in the resampled queries already."""
    runs = [robust03 / f"{name}.run.gz" for name in ("pircRBa1", "aplrob03a", "uic0301")]
    qrels = robust03 / "qrels.txt.gz"
    images = corpus_bootstrap(qrels, runs, MEASURES, corpus_size=528_155, n_images=400, rng=0)
    for row in (*images.variance_split(), *images.variance_split("uic0301")):
        assert row.query_bootstrap > 0.9 * row.total
        assert row.document_bootstrap < 0.7 * row.total
        assert row.two_way_bootstrap > 1.1 * row.total
