"""Systems' mean scores on images, and the decimals they justify."""

from __future__ import annotations

import math

import numpy as np
import pytest

from irbounds.corpora.score_precision import justified_decimals, summarise, summarise_rows
from irbounds.errors import ParameterError
from irbounds.results import Interval


def middle_share(values, level):
    low, high = np.quantile(np.asarray(values, float), ((1 - level) / 2, (1 + level) / 2))
    return Interval(low, high, level, "percentile")


def test_every_measure_and_system_in_order(images_of):
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


def test_means_are_of_all_images_kept_or_not(images_of):
    scores = np.random.default_rng(1).random((2, 3, 40))
    assert images_of(scores, n_kept=10).score_precision() == images_of(scores).score_precision()


def test_a_summary_by_hand():
    summary = summarise(np.array([4.0, 0.0, 1.0, 2.0, 3.0]))
    assert summary.mean == 2
    assert summary.standard_deviation == pytest.approx(math.sqrt(2.5))
    assert (summary.minimum, summary.lower_quartile, summary.median) == (0, 1, 2)
    assert (summary.upper_quartile, summary.maximum) == (3, 4)
    interval = middle_share(np.arange(101.0), 0.9)
    assert (interval.low, interval.high) == (pytest.approx(5), pytest.approx(95))
    assert (interval.confidence_level, interval.method) == (0.9, "percentile")


@pytest.mark.parametrize("n", [2, 3, 1000])
def test_rows_at_once_are_the_same_as_one_by_one(n):
    rows = np.random.default_rng(2).random((7, n)).astype(np.float32)
    rows[3] = 0.25
    for row, (summary, interval) in zip(rows, summarise_rows(rows, 0.95), strict=True):
        one = summarise(row)
        for name, value in vars(one).items():
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
def test_the_last_decimal_is_where_the_deviation_begins(deviation, decimals):
    assert justified_decimals(deviation) == decimals


@pytest.mark.parametrize("deviation", np.geomspace(2e-8, 0.9, 40))
def test_a_unit_of_the_last_decimal_is_a_tenth_to_once_the_deviation(deviation):
    unit = 10.0 ** -justified_decimals(deviation)
    assert 0.1 * deviation < 0.96 * unit
    assert 0.94 * unit < deviation


def test_the_paper_has_two_or_three_decimals(robust03_images):
    """Section 6: no more than two for fifty queries; here are a hundred."""
    rows = robust03_images.score_precision()
    assert {row.decimals for row in rows} <= {2, 3}
    means = robust03_images.root.means().ravel()
    for row, root in zip(rows, means, strict=True):
        assert row.value == root
        assert row.interval.low < row.images.median < row.interval.high


def test_a_level_of_95_is_a_slip(images_of):
    images = images_of(np.random.default_rng(0).random((2, 2, 9)))
    with pytest.raises(ParameterError, match=r"between 0 and 1; got 95, did you mean 0.95\?"):
        images.score_precision(95)
