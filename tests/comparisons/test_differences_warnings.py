"""Warnings of comparisons with few differences other than 0."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from irbounds import difference_interval
from irbounds.errors import DegenerateSampleWarning

SCORES = np.random.default_rng(3).random((4, 12))


def collect_warnings(table, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        comparisons = difference_interval(table, **options)
    return comparisons, [str(warning.message) for warning in caught]


@pytest.mark.parametrize(("n_nonzero", "is_few"), [(1, True), (3, True), (4, False), (12, False)])
def test_comparisons_of_few_differences_other_than_0_warn(table, n_nonzero, is_few):
    scores = np.zeros((2, 12))
    scores[1, :n_nonzero] = SCORES[0, :n_nonzero]
    _, messages = collect_warnings(table(scores))
    expected = (
        "AP: 1 of 1 comparisons have fewer than 4 differences other than 0, and their intervals "
        "miss the true difference too often; use more queries, or a measure with fewer equal scores"
    )
    assert messages == ([expected] if is_few else [])


def test_three_queries_without_differences_of_0_get_no_warning_of_zeros(table):
    with warnings.catch_warnings():
        warnings.simplefilter("error", DegenerateSampleWarning)
        assert difference_interval(table(SCORES[:, :3]))
