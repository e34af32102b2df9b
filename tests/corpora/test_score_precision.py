"""Precision of scores by system, query and measure, with the decimals that they justify."""

from __future__ import annotations

import math

import numpy as np
import pytest

import naive
from irbounds.corpora import score_precision as module
from irbounds.corpora.score_precision import (
    _pair_deviations,
    justified_decimals,
    summarise_rows,
)
from irbounds.errors import ParameterError
from irbounds.results import Interval


def summarise(row):
    ((summary, _),) = summarise_rows(row[None], 0.5)
    return summary


def middle_share(values, level):
    low, high = np.quantile(np.asarray(values, float), ((1 - level) / 2, (1 + level) / 2))
    return Interval(low, high, level, "percentile")


def test_score_precision_rows_by_measure_and_system(images_of):
    scores = np.random.default_rng(0).random((2, 3, 4, 50))
    root = scores[..., 0]
    rows = images_of(scores, root=root).score_precision(0.8)
    assert [(r.measure, r.system) for r in rows] == [
        (m, s) for m in ("m0", "m1") for s in ("s0", "s1", "s2")
    ]
    for row, means, on_corpus in zip(
        rows, scores.mean(axis=2).reshape(6, 50), root.mean(axis=2).ravel(), strict=True
    ):
        assert row.value == pytest.approx(on_corpus)
        assert row.images == summarise(means)
        assert row.interval == middle_share(means, 0.8)
        assert row.shift == pytest.approx(means.mean() - on_corpus)
        assert row.decimals == justified_decimals(means.std(ddof=1))
        assert (row.n_queries, row.n_images) == (4, 50)


def test_score_precision_uses_all_images(images_of):
    scores = np.random.default_rng(1).random((2, 3, 40))
    assert images_of(scores, n_kept=10).score_precision() == images_of(scores).score_precision()


def test_summarise_by_hand():
    summary = summarise(np.array([4.0, 0.0, 1.0, 2.0, 3.0]))
    assert summary.mean == 2
    assert summary.standard_deviation == pytest.approx(math.sqrt(2.5))
    assert (summary.minimum, summary.lower_quartile, summary.median) == (0, 1, 2)
    assert (summary.upper_quartile, summary.maximum) == (3, 4)
    interval = middle_share(np.arange(101.0), 0.9)
    assert (interval.low, interval.high) == (pytest.approx(5), pytest.approx(95))
    assert (interval.confidence_level, interval.method) == (0.9, "percentile")


@pytest.mark.parametrize("n", [2, 3, 1000])
def test_summarise_rows_equals_single_rows(n):
    rows = np.random.default_rng(2).random((7, n)).astype(np.float32)
    rows[3] = 0.25
    for row, (summary, interval) in zip(rows, summarise_rows(rows, 0.95), strict=True):
        first = summarise(row)
        for name, value in vars(first).items():
            assert getattr(summary, name) == pytest.approx(value, rel=1e-12, abs=1e-15)
        alone = middle_share(row, 0.95)
        assert (interval.low, interval.high) == pytest.approx((alone.low, alone.high))
        assert (interval.confidence_level, interval.method) == (0.95, "percentile")


@pytest.mark.parametrize(
    ("deviation", "decimals"),
    [
        *[(0.013, 2), (0.094, 2), (0.0949, 2), (0.0041, 3), (0.0076, 3)],
        *[(0.01, 2), (0.001, 3), (1e-5, 5), (0.1, 1), (0.5, 1)],
        *[(0.096, 1), (0.0096, 2), (0.96, 0)],  # rounded to a digit: 0.1, 0.01 and 1
        *[(1.0, 0), (7.0, 0), (123.0, 0)],
        *[(1.2e-8, 8), (1e-8, 8), (1e-12, 8), (0.0, 8)],
    ],
)
def test_justified_decimals_by_hand(deviation, decimals):
    assert justified_decimals(deviation) == decimals


@pytest.mark.parametrize("deviation", np.geomspace(2e-8, 0.9, 40))
def test_last_justified_decimal_is_near_the_deviation(deviation):
    unit = 10.0 ** -justified_decimals(deviation)
    assert 0.1 * deviation < 0.96 * unit
    assert 0.94 * unit < deviation


def test_justified_decimals_on_robust03_are_two_or_three(robust03_images):
    """Section 6: no more than two for fifty queries; here are a hundred."""
    rows = robust03_images.score_precision()
    assert {row.decimals for row in rows} <= {2, 3}
    means = robust03_images.root.means().ravel()
    for row, root in zip(rows, means, strict=True):
        assert row.value == root
        assert row.interval.low < row.images.median < row.interval.high


def test_level_of_95_is_an_error(images_of):
    images = images_of(np.random.default_rng(0).random((2, 2, 9)))
    with pytest.raises(ParameterError, match=r"between 0 and 1; got 95, did you mean 0.95\?"):
        images.score_precision(95)


def test_query_precision_rows_by_measure_and_query(images_of):
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


def test_query_precision_uses_stored_images(images_of):
    scores = np.random.default_rng(1).random((2, 3, 40))
    some = images_of(scores, n_kept=10)
    for row, stored in zip(some.query_precision("s0"), scores[0, :, :10], strict=True):
        assert row.n_images == 10
        assert row.images.mean == pytest.approx(stored.mean(), abs=1e-7)
        assert row.images.maximum == pytest.approx(stored.max(), abs=1e-7)


def test_chunks_of_queries_do_not_change_query_precision(images_of, monkeypatch):
    images = images_of(np.random.default_rng(0).random((2, 2, 7, 20)))
    whole = images.query_precision("s1")
    monkeypatch.setattr(module, "CHUNK", 45)
    assert images.query_precision("s1") == whole
    assert len(whole) == 14


def test_single_queries_vary_far_more_than_the_mean(robust03_images):
    """Section 5, and Figure 1: RBP the same from query to query, AP and nDCG not."""
    scores = {(r.measure, r.system): r.images for r in robust03_images.score_precision()}
    rows = robust03_images.query_precision("pircRBa1")
    for measure in robust03_images.measures:
        part = [r.images.standard_deviation for r in rows if r.measure == measure]
        assert np.mean(part) > 5 * scores[measure, "pircRBa1"].standard_deviation
    high: dict[str, list[float]] = {}
    for measure, deviations in zip(
        robust03_images.measures, robust03_images.query_deviations, strict=True
    ):
        high[measure] = np.quantile(deviations, 0.95, axis=0).tolist()
    uneven = {measure: np.std(actual) / np.mean(actual) for measure, actual in high.items()}
    even = uneven["RBP(p=0.95,rel=1)"]
    assert even < min(uneven["AP"], uneven["nDCG"]) / 1.5
    assert max(uneven["INSQ(T=5)"], even) < min(uneven["AP"], uneven["nDCG"])


def test_query_precision_of_an_unknown_system_is_an_error(images_of):
    images = images_of(np.random.default_rng(0).random((2, 2, 9)))
    with pytest.raises(ParameterError, match="system must be one of 's0', 's1'; got 'x'"):
        images.query_precision("x")
    with pytest.raises(ParameterError, match="confidence_level must be a fraction"):
        images.query_precision("s0", 2)


# Table 3, lowest and highest of its four collections
TABLE_3 = {
    "AP": (0.046, 0.067),
    "nDCG": (0.045, 0.071),
    "P@10": (0.131, 0.148),
    "RBP(p=0.95,rel=1)": (0.051, 0.060),
    "RR": (0.201, 0.230),
}
ROOM = 0.01


def both(spread):
    return spread.mean, spread.standard_deviation


def test_measure_precision_matches_r(images_of, tenths):
    """R: one <- apply(x, c(1, 2), sd); c(mean(one), sd(one))
    and of sds, the sd of x[a, q, ] - x[b, q, ] for all a < b and all q: c(mean(sds), sd(sds))
    """
    images = images_of(tenths)
    (row,) = images.measure_precision()
    assert both(row.scores) == pytest.approx((0.3167874736117, 0.0491580864388))
    assert both(row.differences) == pytest.approx((0.4413261979801, 0.0727585446405), rel=1e-6)


def test_measure_precision_matches_naive(images_of):
    rng = np.random.default_rng(0)
    scores = rng.random((2, 4, 3, 30))
    scores[1, 2] = scores[1, 0]  # two systems alike
    scores[1, :, 1] = 0.5  # and a query on which nothing moves
    images = images_of(scores)
    rows = images.measure_precision()
    assert [row.measure for row in rows] == ["m0", "m1"]
    for row, stored, exact in zip(rows, images.scores.tolist(), scores.tolist(), strict=True):
        expected = naive.spread_of_differences(stored)
        assert both(row.differences) == pytest.approx(expected, rel=1e-6)
        cells = [query for system in exact for query in system]
        assert both(row.scores) == pytest.approx(naive.spread_of_scores(cells))
        assert (row.n_systems, row.n_queries, row.n_images) == (4, 3, 30)


def test_measure_precision_uses_all_images_for_scores_only(images_of):
    scores = np.random.default_rng(2).random((3, 4, 40))
    (row,) = images_of(scores, n_kept=10).measure_precision()
    (whole,) = images_of(scores).measure_precision()
    (first,) = images_of(scores[..., :10]).measure_precision()
    assert row.scores == whole.scores
    assert row.differences == first.differences
    assert (row.n_images, whole.n_images) == (10, 40)


def test_measure_precision_of_one_system_has_no_differences(images_of):
    scores = np.random.default_rng(3).random((1, 4, 40))
    (row,) = images_of(scores, n_kept=10).measure_precision()
    assert row.differences is None
    assert row.n_images == 40


def test_measure_precision_of_one_cell_has_no_spread(images_of):
    scores = np.random.default_rng(4).random((2, 1, 40))
    (row,) = images_of(scores[:1]).measure_precision()
    assert row.scores.mean == pytest.approx(scores[0].std(ddof=1))
    assert math.isnan(row.scores.standard_deviation)
    (pair,) = images_of(scores).measure_precision()
    assert pair.differences.mean == pytest.approx((scores[0] - scores[1]).std(ddof=1), rel=1e-5)
    assert math.isnan(pair.differences.standard_deviation)


@pytest.mark.parametrize("size", [1e-6, 1.0])
def test_pair_deviations_of_nearly_equal_systems(size):
    rng = np.random.default_rng(5)
    shared = rng.random(500)
    scores = shared + size * 1e-3 * rng.random((6, 500))
    scores[5] = scores[0]
    rows = _pair_deviations(scores)
    above, below = np.triu_indices(6, 1)
    expected = (scores[above] - scores[below]).std(axis=1, ddof=1)
    assert expected[4] == 0  # the first and its double
    np.testing.assert_allclose(rows, expected, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_pair_deviations_are_never_nan(seed):
    """Triplets that differ in the ninth decimal, where the matrix product has no digits left."""
    rng = np.random.default_rng(seed)
    scores = np.repeat(rng.random((3, 1000)), 3, axis=0) + 1e-9 * rng.random((9, 1000))
    rows = _pair_deviations(scores)
    above, below = np.triu_indices(9, 1)
    expected = (scores[above] - scores[below]).std(axis=1, ddof=1)
    np.testing.assert_allclose(rows, expected, rtol=1e-6, atol=1e-7)


def test_table_3_of_the_paper_on_other_runs(robust03_images):
    """Twelve runs of Robust 2003 lie among the four collections of the paper."""
    rows = {row.measure: row for row in robust03_images.measure_precision()}
    for measure, (low, high) in TABLE_3.items():
        assert low - ROOM < rows[measure].differences.mean < high + ROOM
    # negative control: the ranges do not hold whatever is put in
    low, high = TABLE_3["RR"]
    assert not low - ROOM < rows["RR"].scores.mean < high + ROOM
    for other in TABLE_3.keys() - {"RR", "P@10"}:
        low, high = TABLE_3["P@10"]
        assert not low - ROOM < rows[other].differences.mean < high + ROOM


def test_order_of_measures_by_precision(robust03_images):
    """RR and P@10 have the largest standard deviations.

    The paper calls RBP the most consistent. Its standard deviations do spread least, of scores and
    of differences; beside its mean, the spread of P@10's differences is smaller still, here as in
    the paper's own Table 3 (0.056 / 0.144 on TREC-8, RBP 0.024 / 0.057).
    """
    rows = {row.measure: row for row in robust03_images.measure_precision()}
    for spreads in (
        {measure: row.scores for measure, row in rows.items()},
        {measure: row.differences for measure, row in rows.items()},
    ):
        largest = sorted(spreads, key=lambda measure: -spreads[measure].mean)
        assert largest[:2] == ["RR", "P@10"]
        even = min(spreads, key=lambda measure: spreads[measure].standard_deviation)
        assert even == "RBP(p=0.95,rel=1)"
    relative = {m: r.differences.standard_deviation / r.differences.mean for m, r in rows.items()}
    assert min(relative, key=relative.__getitem__) == "P@10"
    relative = {m: r.scores.standard_deviation / r.scores.mean for m, r in rows.items()}
    assert min(relative, key=relative.__getitem__) == "RBP(p=0.95,rel=1)"
