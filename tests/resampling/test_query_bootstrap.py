"""The bootstrap over queries: against naive code, and reproducible bits."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import naive
from irbounds import execution
from irbounds.resampling import query_bootstrap
from irbounds.resampling.query_bootstrap import (
    SCORES_AT_ONCE,
    STREAM,
    bootstrap_queries,
    draw_counts,
)
from irbounds.resampling.seeds import Purpose, stream

SCORES = np.random.default_rng(3).beta(0.5, 1.5, size=(5, 37))


def draw_places(seed, n, n_resamples):
    """Return the draws of the streams by resample."""
    units = [
        stream(seed, Purpose.query_bootstrap, k).integers(0, n, size=(STREAM, n), dtype=np.uint32)
        for k in range(-(-n_resamples // STREAM))
    ]
    return np.concatenate(units)[:n_resamples]


def test_query_bootstrap_matches_naive():
    actual = bootstrap_queries(SCORES, 100, 11, standard_errors=True)
    draws = draw_places(11, 37, 100).tolist()
    for scores, means, errors in zip(SCORES, actual.means, actual.standard_errors, strict=True):
        expected = naive.bootstrap_means(scores.tolist(), draws)
        assert np.array([mean for mean, _ in expected]) == pytest.approx(means, rel=1e-13)
        assert np.array([error for _, error in expected]) == pytest.approx(errors, rel=1e-12)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("unit", [STREAM, 2 * STREAM, 5 * STREAM, None])
def test_query_bootstrap_has_the_same_bits_for_any_threads_and_units(threads, unit):
    with execution(threads=1):
        expected = bootstrap_queries(SCORES, 1000, 5, standard_errors=True, unit=STREAM)
    with execution(threads=threads):
        actual = bootstrap_queries(SCORES, 1000, 5, standard_errors=True, unit=unit)
    assert np.array_equal(actual.means, expected.means)
    assert np.array_equal(actual.standard_errors, expected.standard_errors)


def test_more_query_resamples_begin_with_the_same_ones():
    many = bootstrap_queries(SCORES, 333, 5).means
    assert np.array_equal(bootstrap_queries(SCORES, 100, 5).means, many[:, :100])
    assert np.array_equal(bootstrap_queries(SCORES[2:4], 333, 5).means, many[2:4])
    assert not np.array_equal(bootstrap_queries(SCORES, 333, 6).means, many)


def moments_wrong(counts):
    """z scores of the variance and the covariance of counts (query x resample) against 1 - 1/n."""
    n, n_resamples = counts.shape
    variance = ((counts - 1.0) ** 2).mean()
    covariance = ((counts[0] - 1.0) * (counts[1] - 1.0)).mean()
    return (
        (variance - (1 - 1 / n)) / np.sqrt(2.0 / (n * n_resamples)),
        (covariance + 1 / n) / np.sqrt(1.0 / n_resamples),
    )


def test_query_draws_are_multinomial():
    n, n_resamples = 6, 32_000
    counts = draw_counts(4, n, 0, n_resamples)
    assert (counts.sum(axis=0) == n).all()
    # two z scores within 4.5: false alarm below 1 in 50,000
    assert np.abs(moments_wrong(counts)).max() < 4.5
    # a single count is binomial; false alarm 1 in 10,000
    observed = np.bincount(counts[2], minlength=n + 1)
    expected = stats.binom.pmf(np.arange(n + 1), n, 1 / n) * n_resamples
    merged = [[*part[:4], part[4:].sum()] for part in (observed, expected)]
    assert stats.chisquare(*merged).pvalue > 1e-4
    # the negative control: independent counts, which are not multinomial
    poisson = np.random.default_rng(1).poisson(1, size=(n, n_resamples))
    assert np.abs(moments_wrong(poisson)).max() > 10


def test_query_draws_differ_by_place():
    places = [(), (1,), (2,), (1, 1)]
    drawn = {draw_counts(4, 20, 0, STREAM, *place).tobytes() for place in places}
    assert len(drawn) == len(places)
    assert np.array_equal(draw_counts(4, 20, 0, STREAM, 1), draw_counts(4, 20, 0, STREAM, 1))


def test_query_bootstrap_of_very_many_queries(monkeypatch):
    monkeypatch.setattr(query_bootstrap, "MANY_QUERIES", 10)
    counts = draw_counts(4, 37, STREAM, 3 * STREAM)
    assert counts.shape == (37, 2 * STREAM)
    assert (counts.sum(axis=0) == 37).all()
    assert query_bootstrap.unit_of(37) == STREAM
    bits = bootstrap_queries(SCORES, 100, 5).means
    with execution(threads=2):
        again = bootstrap_queries(SCORES, 100, 5, unit=3 * STREAM).means
    assert np.array_equal(bits, again)


def test_resample_without_spread_has_standard_error_0():
    actual = bootstrap_queries(np.array([[0.1, 0.3, 0.7]]), 2000, 1, standard_errors=True)
    places = draw_places(1, 3, 2000)
    constant = (places == places[:, :1]).all(axis=1)
    assert constant.sum() > 100
    assert np.array_equal(actual.standard_errors[0] == 0, constant)


@pytest.mark.parametrize("shape", [(1, 1), (7, 3), (130, 50), (5, SCORES_AT_ONCE // 2 + 1)])
@pytest.mark.parametrize("scale", [1, 1e200, 1e-200])
def test_rows_have_the_same_bits_alone_and_in_chunks(shape, scale):
    scores = np.random.default_rng(shape).normal(size=shape) * scale
    together = bootstrap_queries(scores, 40, 3, standard_errors=True)
    strided = bootstrap_queries(np.asfortranarray(scores), 40, 3, standard_errors=True)
    listed = bootstrap_queries(list(scores), 40, 3, standard_errors=True)
    for other in (strided, listed):
        assert np.array_equal(together.means, other.means)
        assert np.array_equal(together.standard_errors, other.standard_errors)
    for k in {0, shape[0] // 2, shape[0] - 1}:
        alone = bootstrap_queries(scores[k : k + 1], 40, 3, standard_errors=True)
        assert np.array_equal(together.means[k], alone.means[0])
        assert np.array_equal(together.standard_errors[k], alone.standard_errors[0])
