"""The bootstrap over queries: against naive code, and reproducible bits."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import naive
from irbounds import execution
from irbounds.resampling import query_bootstrap
from irbounds.resampling.query_bootstrap import (
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
    draws = draw_places(11, 37, 100).tolist()
    for scores, means in zip(SCORES, bootstrap_queries(SCORES, 100, 11), strict=True):
        assert naive.bootstrap_means(scores.tolist(), draws) == pytest.approx(means, rel=1e-13)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("unit", [STREAM, 2 * STREAM, 5 * STREAM, None])
def test_query_bootstrap_has_the_same_bits_for_any_threads_and_units(threads, unit):
    with execution(threads=1):
        expected = bootstrap_queries(SCORES, 1000, 5, unit=STREAM)
    with execution(threads=threads):
        actual = bootstrap_queries(SCORES, 1000, 5, unit=unit)
    assert np.array_equal(actual, expected)


def test_more_query_resamples_begin_with_the_same_ones():
    many = bootstrap_queries(SCORES, 333, 5)
    assert np.array_equal(bootstrap_queries(SCORES, 100, 5), many[:, :100])
    assert np.array_equal(bootstrap_queries(SCORES[2:4], 333, 5), many[2:4])
    assert not np.array_equal(bootstrap_queries(SCORES, 333, 6), many)


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
    bits = bootstrap_queries(SCORES, 100, 5)
    with execution(threads=2):
        again = bootstrap_queries(SCORES, 100, 5, unit=3 * STREAM)
    assert np.array_equal(bits, again)


@pytest.mark.parametrize("shape", [(1, 1), (7, 3), (130, 50), (5, 20_000)])
@pytest.mark.parametrize("scale", [1, 1e200, 1e-200])
def test_rows_have_the_same_bits_alone_and_in_chunks(shape, scale):
    scores = np.random.default_rng(shape).normal(size=shape) * scale
    together = bootstrap_queries(scores, 40, 3)
    for other in (np.asfortranarray(scores), list(scores)):
        assert np.array_equal(together, bootstrap_queries(other, 40, 3))
    for k in {0, shape[0] // 2, shape[0] - 1}:
        assert np.array_equal(together[k], bootstrap_queries(scores[k : k + 1], 40, 3)[0])
