"""Scores, differences and ranks of systems on images, against R and naive code."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

import irbounds
import naive
from irbounds.corpora import images as module
from irbounds.corpora.images import justified_decimals, summarise_rows
from irbounds.errors import DataError, ParameterError
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


def names(rows):
    return [(row.measure, row.system, row.baseline) for row in rows]


def test_differences_of_all_pairs_put_the_better_system_first(images_of):
    scores = np.random.default_rng(0).random((2, 3, 4, 20))
    root = np.array([[0.1, 0.8, 0.4], [0.9, 0.2, 0.2]])[..., None] * np.ones(4)
    rows = images_of(scores, root=root).difference_precision()
    assert names(rows) == [
        *[("m0", "s1", "s2"), ("m0", "s1", "s0"), ("m0", "s2", "s0")],
        *[("m1", "s0", "s1"), ("m1", "s0", "s2"), ("m1", "s1", "s2")],  # equal: as they come
    ]
    np.testing.assert_allclose([row.value for row in rows], [0.4, 0.7, 0.3, 0.7, 0.7, 0.0])


def test_differences_have_the_same_pairs_as_difference_interval(images_of):
    images = images_of(np.random.default_rng(3).random((2, 5, 6, 30)))
    for baseline in (None, "s3"):
        others = irbounds.difference_interval(images.root, baseline=baseline, test="t")
        rows = images.difference_precision(baseline)
        assert names(rows) == names(others)
        np.testing.assert_allclose(
            [row.value for row in rows], [item.value for item in others], atol=1e-12
        )


def test_differences_match_r(images_of, tenths):
    """R: m <- apply(x, c(1, 3), mean); d <- round(m[1, ] - m[2, ], 10)
    c(mean(d), sd(d), mean((d > 0) + (d == 0) / 2)); quantile(d, c(.1, .25, .5, .75, .9))
    """
    (row,) = [r for r in images_of(tenths).difference_precision("s1", 0.8) if r.system == "s0"]
    assert row.images.mean == pytest.approx(-0.136111111117, abs=1e-9)
    assert row.images.standard_deviation == pytest.approx(0.176645701058, abs=1e-9)
    assert row.higher_probability == 0.125  # one of twelve is higher, one equal
    summary = row.images
    quartiles = (summary.lower_quartile, summary.median, summary.upper_quartile)
    assert quartiles == pytest.approx((-0.24166666665, -0.1666666666, -0.091666666675), abs=1e-9)
    ends = (row.interval.low, row.interval.high)
    assert ends == pytest.approx((-0.29666666667, -0.00666666667), abs=1e-9)


def test_higher_probability_of_equal_systems_is_a_half(images_of):
    first = np.random.default_rng(2).integers(0, 11, size=(6, 40)) / 10
    shuffled = first[::-1]  # the same precisions on other queries: the same mean
    assert (first.mean(axis=0) != shuffled.mean(axis=0)).any()  # as doubles they are not
    (row,) = images_of([first, shuffled]).difference_precision()
    assert row.higher_probability == 0.5
    assert (row.value, row.images.minimum, row.images.maximum) == (0, 0, 0)


def test_chunks_of_pairs_do_not_change_differences(images_of, monkeypatch):
    images = images_of(np.random.default_rng(0).random((2, 6, 3, 20)))
    whole = images.difference_precision()
    monkeypatch.setattr(module, "CHUNK", 45)
    assert images.difference_precision() == whole
    assert len(whole) == 30


def test_difference_precision_parameter_errors(images_of):
    scores = np.random.default_rng(0).random((2, 2, 9))
    with pytest.raises(ParameterError, match="a comparison needs at least two systems; got 's0'"):
        images_of(scores[:1]).difference_precision()
    with pytest.raises(ParameterError, match="baseline must be one of 's0', 's1'; got 'x'"):
        images_of(scores).difference_precision("x")
    with pytest.raises(ParameterError, match="confidence_level must be a fraction"):
        images_of(scores).difference_precision(confidence_level=0)


def test_too_many_comparisons_are_refused(images_of, monkeypatch):
    """Three pairs of two measures."""
    images = images_of(np.random.default_rng(1).random((2, 3, 4, 50)))
    monkeypatch.setattr("irbounds.comparisons.pairs.MAX_COMPARISONS", 5)
    with pytest.raises(ParameterError, match="6 comparisons of 3 systems"):
        images.difference_precision()
    assert len(images.difference_precision(baseline=images.systems[0])) == 4


def test_ranks_match_r(images_of, tenths):
    """R: m <- round(apply(x, c(1, 3), mean), 10); r <- apply(-m, 2, rank, ties.method = "min")
    rowMeans(r); apply(r, 1, sd); apply(r, 1, quantile, c(.1, .9))
    rowMeans(sweep(r == 1, 2, colSums(r == 1), "/"))
    """
    rows = sorted(images_of(tenths).rank_precision(0.8), key=lambda row: row.system)
    means = [row.images.mean for row in rows]
    assert means == pytest.approx([3.33333333333, 1.83333333333, 2.08333333333, 2.5])
    spreads = [row.images.standard_deviation for row in rows]
    assert spreads == pytest.approx([0.984731927835, 0.834847109937, 1.16450015288, 1.16774841624])
    # quantiles 2.1-4, 1-2, 1-3.9 and 1-3.9
    assert [tuple(row.interval) for row in rows] == [(2, 4), (1, 2), (1, 4), (1, 4)]
    chances = [row.best_probability for row in rows]
    assert chances == pytest.approx(
        [0.0277777777778, 0.277777777778, 0.416666666667, 0.27777777778]
    )


@pytest.mark.parametrize("decimals", [1, 9])
def test_rank_precision_matches_naive(images_of, decimals):
    scores = np.random.default_rng(decimals).random((2, 7, 3, 40)).round(decimals)
    images = images_of(scores)
    for row in images.rank_precision():
        m, s = int(row.measure[1:]), int(row.system[1:])
        rows = [naive.rank_among(column, s) for column in scores[m].mean(axis=1).T.tolist()]
        best = [naive.share_of_best(column, s) for column in scores[m].mean(axis=1).T.tolist()]
        assert row.images.mean == pytest.approx(np.mean(rows))
        assert (row.images.minimum, row.images.maximum) == (min(rows), max(rows))
        assert row.interval.low == np.floor(naive.linear_quantile(rows, 0.025))
        assert row.interval.high == np.ceil(naive.linear_quantile(rows, 0.975))
        assert row.best_probability == pytest.approx(np.mean(best))
        assert row.value == naive.rank_among(images.root.means()[m].tolist(), s)
        assert (row.n_systems, row.n_images, row.interval.confidence_level) == (7, 40, 0.95)


def test_ranks_are_sorted_by_rank_on_the_corpus(images_of):
    scores = np.random.default_rng(0).random((2, 3, 4, 20))
    root = np.array([[0.1, 0.8, 0.4], [0.2, 0.9, 0.9]])[..., None] * np.ones(4)
    rows = images_of(scores, root=root).rank_precision()
    assert [(r.measure, r.system, r.value) for r in rows] == [
        *[("m0", "s1", 1), ("m0", "s2", 2), ("m0", "s0", 3)],
        *[("m1", "s1", 1), ("m1", "s2", 1), ("m1", "s0", 3)],
    ]
    assert rows[0].mean == pytest.approx(0.8)


def test_equal_means_have_equal_ranks_despite_rounding(images_of):
    first = np.random.default_rng(2).integers(0, 11, size=(6, 40)) / 10
    rows = images_of([first, first[::-1]]).rank_precision()
    for row in rows:
        assert (row.value, *row.interval, row.best_probability) == (1, 1, 1, 0.5)


def two_systems(images_of, n, n_swapped):
    """Return two systems of which the second is better in some of n images."""
    scores = np.zeros((2, 1, n))
    scores[0] = 1.0
    scores[1, 0, :n_swapped] = 2.0
    rows = images_of(scores, root=[[1.0], [0.0]])
    return lambda level: [tuple(row.interval) for row in rows.rank_precision(level)]


@pytest.mark.parametrize(("level", "n"), [(0.95, 1001), (0.8, 11), (0.8, 81), (0.1, 101)])
def test_rank_interval_keeps_a_quantile_that_is_a_rank(images_of, level, n):
    """The quantiles are single images up to a last bit: the one that decides, no other."""
    beyond = round((n - 1) * (1 - level) / 2)
    assert two_systems(images_of, n, beyond)(level) == [(1, 1), (2, 2)]
    assert two_systems(images_of, n, beyond + 1)(level) == [(1, 2), (1, 2)]


def test_rank_interval_rounds_quantiles_outwards(images_of):
    """Of nine images one: the quantiles are 1.2 and 1.8."""
    assert two_systems(images_of, 9, 1)(0.8) == [(1, 2), (1, 2)]
    assert two_systems(images_of, 9, 0)(0.8) == [(1, 1), (2, 2)]


def test_chunks_of_images_do_not_change_ranks(images_of, monkeypatch):
    images = images_of(np.random.default_rng(0).random((2, 6, 3, 50)))
    whole = images.rank_precision()
    monkeypatch.setattr(module, "CHUNK", 42)
    assert images.rank_precision() == whole


def test_ranks_by_reciprocal_rank_vary_most(robust03_images):
    """Figure 5: RR and P@10 wide, RBP, INSQ and nDCG narrower."""
    widths: dict[str, list[int]] = {}
    for row in robust03_images.rank_precision():
        widths.setdefault(row.measure, []).append(row.interval.high - row.interval.low)
    means = {measure: np.mean(rows) for measure, rows in widths.items()}
    widest = sorted(means, key=means.__getitem__, reverse=True)
    assert set(widest[:2]) == {"RR", "P@10"}


def test_rank_precision_of_one_system_is_an_error(images_of):
    scores = np.random.default_rng(0).random((2, 2, 9))
    with pytest.raises(DataError, match="ranks need at least two systems; got 1"):
        images_of(scores[:1]).rank_precision()
    with pytest.raises(ParameterError, match="confidence_level must be a fraction"):
        images_of(scores).rank_precision(1)


def test_probability_of_ranking_above_the_next_system(images_of):
    """Against the differences of neighbours, which are counted in another way; ties count half."""
    images = images_of(np.random.default_rng(5).integers(0, 4, (2, 5, 3, 40)) / 4)
    pairs = {(d.measure, d.system, d.baseline): d for d in images.difference_precision()}
    rows = images.rank_precision()
    assert sum(row.over_next is None for row in rows) == 2
    for upper, lower in pairwise(rows):
        if upper.measure == lower.measure:
            pair = pairs[upper.measure, upper.system, lower.system]
            assert upper.over_next == pytest.approx(pair.higher_probability)
        else:
            assert upper.over_next is None
