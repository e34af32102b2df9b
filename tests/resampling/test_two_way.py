"""The two-way bootstrap: each image with its own resample of queries."""

from __future__ import annotations

import numpy as np
import pytest

import naive
from irbounds import execution
from irbounds.resampling.query_bootstrap import STREAM, draw_counts
from irbounds.resampling.seeds import Purpose, stream
from irbounds.resampling.two_way import two_way_means

SCORES = np.random.default_rng(8).beta(0.5, 1.5, size=(2, 3, 23, 150)).astype(np.float32)


def draw_places(seed, n, n_images):
    """Return the draws of the streams by image."""
    units = [
        stream(seed, Purpose.two_way, k).integers(0, n, size=(STREAM, n), dtype=np.uint32)
        for k in range(-(-n_images // STREAM))
    ]
    return np.concatenate(units)[:n_images].tolist()


def test_two_way_means_match_naive():
    actual = two_way_means(SCORES, 11)
    draws = draw_places(11, 23, 150)
    assert (actual.shape, actual.dtype) == ((2, 3, 150), np.float64)
    for m in range(2):
        for s in range(3):
            expected = naive.two_way_means(SCORES[m, s].astype(float).tolist(), draws)
            assert actual[m, s] == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_two_way_means_have_the_same_bits_on_any_threads(threads):
    expected = two_way_means(SCORES, 5)
    with execution(threads=threads):
        assert np.array_equal(two_way_means(SCORES, 5), expected)


# 65 leaves a unit of one image, whose sum numpy would by itself do in another order
@pytest.mark.parametrize("n_images", [1, 64, 65, 100])
def test_more_two_way_images_begin_with_the_same_ones(n_images):
    many = two_way_means(SCORES, 5)
    assert np.array_equal(two_way_means(SCORES[..., :n_images], 5), many[..., :n_images])
    assert np.array_equal(two_way_means(SCORES[1, 2], 5), many[1, 2])
    assert not np.array_equal(two_way_means(SCORES, 6), many)


def test_two_way_draws_differ_from_the_query_bootstrap():
    ours = draw_counts(4, 20, 0, STREAM, purpose=Purpose.two_way)
    assert not np.array_equal(ours, draw_counts(4, 20, 0, STREAM))


def test_two_way_means_of_one_query():
    first = SCORES[0, 0, :1]
    assert np.array_equal(two_way_means(first, 3), first[0])


def test_two_way_variance_adds_images_and_queries():
    n, n_images = 10, 40_000
    rng = np.random.default_rng(9)
    scores = rng.normal(size=(n, 1)) + 0.4 * rng.normal(size=n_images)
    scores += 0.8 * rng.normal(size=(n, n_images))
    actual = two_way_means(scores, 2)
    images = scores.mean(axis=0).var()
    within = scores.var(axis=0).mean() / n  # drawing n of n: the variance over n, not n - 1
    # a variance of 40,000 normal means has a relative error of 0.007: 4.5 times that, false alarm
    # below 1 in 100,000
    assert actual.var() == pytest.approx(images + within, rel=0.032)
    # the negative control: queries' means over images vary less than queries within an image
    between = scores.mean(axis=1).var() / n
    assert actual.var() > 1.1 * (images + between)
