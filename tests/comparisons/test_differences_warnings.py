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


@pytest.mark.parametrize("test", ["sign-flip", "wilcoxon"])
@pytest.mark.parametrize(
    ("n_queries", "n_systems", "options", "n_needed"),
    [
        (5, 2, {}, 6),
        (6, 2, {}, 0),
        (4, 2, {"alternative": "greater", "baseline": "s0"}, 5),
        (5, 2, {"alternative": "greater", "baseline": "s0"}, 0),
        (6, 2, {"confidence_level": 0.99}, 8),
        (8, 2, {"confidence_level": 0.99}, 0),
        (7, 4, {}, 8),  # Holm's adjustment: 6 x 2 / 2**k
        (8, 4, {}, 0),
        (5, 4, {"adjustment": "benjamini-hochberg"}, 6),
        (6, 4, {"adjustment": "benjamini-hochberg"}, 0),
        (6, 4, {"adjustment": "none"}, 0),
    ],
)
def test_tests_of_signs_warn_where_no_scores_are_significant(
    table, test, n_queries, n_systems, options, n_needed
):
    scores = SCORES[:n_systems, :n_queries]
    _, messages = collect_warnings(table(scores), test=test, **options)
    m = n_systems * (n_systems - 1) // 2
    level = round(1 - options.get("confidence_level", 0.95), 12)
    expected = (
        f"AP: the {test} test cannot find a difference at {level} in {m} of {m} comparisons: it "
        f"takes {n_needed} differences other than 0; use test 't' or more queries"
    )
    assert messages == ([expected] if n_needed else [])
    # the warning is right: in the best case, all differences of one sign, p reaches the level only
    # where there is none
    best = np.arange(n_systems)[:, None] * 10 + SCORES[:n_systems, :n_queries]
    comparisons, _ = collect_warnings(table(best), test=test, **options)
    assert any(c.is_significant for c in comparisons) == (not n_needed)


def test_tests_of_signs_count_differences_other_than_0(table):
    scores = np.zeros((4, 12))
    scores[1] = SCORES[1] + 1  # 12 differences from the baseline
    scores[2, :5] = 0.5  # 5 differences; s3 equals the baseline
    _, messages = collect_warnings(table(scores), baseline="s0", test="sign-flip")
    assert messages == [
        "AP: the sign-flip test cannot find a difference at 0.05 in 1 of 3 comparisons: it takes "
        "7 differences other than 0; use test 't' or more queries",
        "s3 minus s0, AP: no interval, all 12 differences are 0",
    ]


def test_other_tests_do_not_warn_of_signs(table):
    _, messages = collect_warnings(table(SCORES[:, :5]), test="t")
    assert messages == []


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
