"""Counting signed sums in two halves against listing them all."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from irbounds.comparisons._kernels import count_signed_sums


def listed(row, threshold):
    values = [value for value in row if value]
    signs = itertools.product((1, -1), repeat=len(values))
    return sum(sum(s * v for s, v in zip(one, values, strict=True)) >= threshold for one in signs)


@pytest.mark.parametrize("n", range(13))
def test_equal_to_listing_them_all(n):
    # whole numbers, so that every sum is exact; ties, zeros and both signs are common
    rows = np.random.default_rng(n).integers(-4, 5, size=(9, n)).astype(float)
    thresholds = np.array([-100.0, -3, -1, 0, 0.5, 1, 2, 5, 100])
    counts = np.full(9, -1, np.int64)
    count_signed_sums(rows, thresholds, 13, counts)
    expected = [listed(row, limit) for row, limit in zip(rows, thresholds, strict=True)]
    assert counts.tolist() == expected


def test_thirty_numbers_are_counted_exactly():
    # 2**k: every signed sum occurs once, so just one reaches the largest and half are positive
    row = 2.0 ** np.arange(30)[None]
    for threshold, expected in ((row.sum(), 1), (0.0, 2**29), (-row.sum(), 2**30)):
        counts = np.zeros(1, np.int64)
        count_signed_sums(row, np.array([threshold]), 30, counts)
        assert counts[0] == expected
