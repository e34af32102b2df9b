"""Guaranteed limits of a retrieved set that is read in full, against enumeration."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import irbounds
import naive
from irbounds.planning.recall_exact import (
    exact_limit,
    largest_yield,
    shows_recall,
    smallest_yield,
)

TAIL = "1/20"


@pytest.mark.parametrize(("documents", "sampled"), [(12, 5), (30, 1), (30, 29), (40, 17), (25, 25)])
@pytest.mark.parametrize("credit_found", [False, True])
def test_lower_limit_matches_enumeration(documents, sampled, credit_found):
    counts = np.arange(sampled + 1.0)
    pairs = np.stack([np.full(len(counts), 7.0), counts], axis=-1)
    limits = exact_limit(pairs, documents, sampled, 0.05, is_lower=True, credit_found=credit_found)
    expected = [
        naive.exact_recall_limit(7, documents, sampled, x, TAIL, credit_found)
        for x in range(sampled + 1)
    ]
    assert limits.tolist() == expected


@pytest.mark.parametrize("credit_found", [False, True])
@pytest.mark.parametrize("recall", [0.25, 0.5, 0.7, 0.8, 0.95, 1.0])
def test_claim_is_shown_exactly_if_the_limit_reaches_it(recall, credit_found):
    """Some limits equal these recalls; without relevant documents there is no limit."""
    for documents, sampled in ((20, 11), (33, 8), (33, 32), (9, 9)):
        counts = np.arange(sampled + 1.0)
        for known in (0, 1, 7, 40):
            is_shown = shows_recall(
                known, counts, documents, sampled, 0.05, recall, credit_found=credit_found
            )
            for x, shown in enumerate(is_shown.tolist()):
                limit = naive.exact_recall_limit(known, documents, sampled, x, TAIL, credit_found)
                assert shown == (limit >= recall), (documents, sampled, known, x)


def test_probability_that_equals_the_tail_is_kept():
    """95 of 100 documents miss a single relevant one in exactly 5 % of samples."""
    assert largest_yield(0, 100, 95, 1 - 0.95) == 1
    assert largest_yield(0, 100, 96, 1 - 0.95) == 0
    none = np.zeros(1)
    assert not shows_recall(9, none, 100, 95, 1 - 0.95, 0.95, credit_found=False)[0]
    assert not shows_recall(9, none, 100, 95, 1 - 0.95, 0.95, credit_found=True)[0]


def test_smallest_yield_matches_enumeration():
    documents, sampled = 30, 12
    for x in range(sampled + 1):
        possible = [
            relevant
            for relevant in range(documents + 1)
            if sum(
                naive.hypergeometric_mass(k, documents, relevant, sampled)
                for k in range(x, sampled + 1)
                if k <= relevant and sampled - k <= documents - relevant
            )
            >= Fraction(TAIL)
        ]
        assert smallest_yield(x, documents, sampled, 0.05) == min(possible)


def test_limit_is_interpolated_between_integers():
    pairs = np.array([[7.0, 2.0], [7.0, 3.0], [7.0, 2.25]])
    low, high, between = exact_limit(pairs, 40, 15, 0.05, is_lower=True, credit_found=False)
    assert between == pytest.approx(0.75 * low + 0.25 * high)


@pytest.mark.parametrize(
    ("relevant", "fractions"),
    [
        (20, (0.28, 0.39, 0.63, 0.78)),
        (50, (0.13, 0.21, 0.39, 0.63)),
        (100, (0.067, 0.11, 0.22, 0.39)),
        (200, (0.034, 0.057, 0.12, 0.24)),
        (1000, (0.007, 0.012, 0.026, 0.055)),
    ],
)
def test_fraction_of_a_large_rest_that_must_show_nothing(relevant, fractions):
    """(1 - f)^k <= 0.05 with k = floor(r / t) + 1 - r, the smallest number that is too many."""
    rest = 1_000_000
    for recall, fraction in zip((0.7, 0.8, 0.9, 0.95), fractions, strict=True):
        k = int(relevant / recall + 1e-9) + 1 - relevant
        f = 1 - 0.05 ** (1 / k)
        assert f == pytest.approx(fraction, abs=0.006)
        for size, shown in ((round((f + 1e-4) * rest), True), (round((f - 1e-4) * rest), False)):
            none = np.zeros(1)
            assert shows_recall(relevant, none, rest, size, 0.05, recall, credit_found=False) == [
                shown
            ]


@pytest.mark.parametrize("credit_found", [False, True])
def test_lower_limit_is_that_of_recall(credit_found):
    rng = np.random.default_rng(20_232)
    for _ in range(40):
        rest = int(rng.integers(2, 3_000))
        sampled, known = int(rng.integers(1, rest + 1)), int(rng.integers(1, 500))
        x = int(rng.binomial(sampled, rng.choice([0.0, 0.01, 0.3])))
        estimate = irbounds.recall_interval(
            retrieved=(500, 500, known),
            unretrieved=(rest, sampled, x),
            method="exact",
            alternative="greater",
            credit_found=credit_found,
        )
        pairs = np.array([[known, x]], dtype=float)
        (limit,) = exact_limit(
            pairs, rest, sampled, 0.05, is_lower=True, credit_found=credit_found
        ).tolist()
        assert limit == pytest.approx(estimate.interval.low, abs=1e-12), (rest, sampled, known, x)
    hundred = irbounds.recall_interval(
        retrieved=(9, 9, 9), unretrieved=(100, 95, 0), method="exact", alternative="greater"
    )
    assert hundred.interval.low == 0.9
