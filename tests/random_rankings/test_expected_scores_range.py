"""Scores stay from 0 to 1 to the last digit, and are exactly 1 where every order scores 1."""

from __future__ import annotations

import math

import numpy as np
import pytest

from irbounds.measurement.average_precision import AveragePrecision
from irbounds.measurement.parser import parse_measure
from irbounds.measurement.populations import Population
from irbounds.random_rankings.distribution import expected_score, score_variance
from irbounds.verbs.chance import chance

N = np.concatenate([np.full(n, n) for n in range(1, 200)])
R = np.concatenate([np.arange(1, n + 1) for n in range(1, 200)])
#: measures by which any order scores 1 where every document is relevant
FULL = ["AP", "AP@1000", "P@1", "R@1000", "Rprec", "RR", "RR@1", "RR@1000", "Success@1"]
FULL += ["Success@1000", "nDCG", "nDCG@1", "nDCG@10", "nDCG@1000", "nDCG(dcg='exp-log2')"]
OTHERS = ["AP@5", "P@5", "R@5", "RBP", "RBP(p=0.99)", "INSQ", "INSQ(T=5)", "ERR@20"]


@pytest.mark.parametrize("name", [*FULL, *OTHERS])
def test_expected_scores_are_between_0_and_1(name):
    expected = expected_score(N, R, name)
    assert ((expected >= 0) & (expected <= 1)).all()
    for n, r in [(11, 9), (17, 3), (30, 30), (31, 31), (46, 46), (1000, 1000)]:
        assert 0 <= expected_score(n, r, name) <= 1


@pytest.mark.parametrize("name", FULL)
def test_only_relevant_documents_score_exactly_1(name):
    assert set(expected_score(N[N == R], R[N == R], name).tolist()) == {1.0}
    assert expected_score(1000, 1000, name) == 1.0
    # the negative control: one document that is not relevant, and only those who see all see no
    # difference
    assert (expected_score(46, 45, name) == 1.0) == (name in ("R@1000", "Success@1000"))


@pytest.mark.parametrize("grade", [2, 3, 7, 49])
@pytest.mark.parametrize("name", ["nDCG", "nDCG@10", "nDCG(dcg='exp-log2')"])
def test_equal_grades_score_exactly_1(name, grade):
    result = [expected_score(n, {grade: n}, name) for n in range(1, 200)]
    assert set(result) == {1.0}


@pytest.mark.parametrize("name", ["RBP", "RBP(p=0.99)", "RBP(p=0.5)", "INSQ", "INSQ(T=5)"])
def test_weights_sum_to_exactly_1(name):
    assert expected_score(1000, 1000, name) == 1.0
    assert expected_score(2000, 2000, name) == 1.0


def test_recall_of_a_complete_list_is_exact():
    assert set(expected_score(N, R, "R@1000").tolist()) == {1.0}


def test_list_without_ranks_scores_positive_zero():
    shapes = (0.0, np.zeros(2))
    for depth in shapes:
        here = Population(10.0 + depth, depth, (1,), (4.0 + depth,), 1)
        for name in ("Success@5", "RR", "R@5", "AP"):
            result = np.atleast_1d(parse_measure(name).expected(here))
            assert [math.copysign(1, value) for value in result] == [1.0] * len(result)
            assert not result.any()
    assert math.copysign(1, score_variance(10, 0, "Success@5")) == 1.0


def all_relevant(n_documents):
    qrels = {"q": {f"d{k:04}": 1 for k in range(n_documents)}}
    return qrels, {"r": {"q": {f"d{k:04}": -float(k) for k in range(n_documents)}}}


@pytest.mark.parametrize("name", ["INSQ(T=5)", "INSQ(T=2)", "RBP(p=0.99)", "RBP(p=0.9)"])
def test_system_scores_above_1_by_rounding(name):
    """A thousand weights, 1 in all, added in the order of the ranks."""
    (row,) = chance(*all_relevant(1200), measures=name, n_draws=9, seed=0)
    assert row.observed <= 1
    assert math.isnan(row.corrected)
    assert row.p_value == row.queries[0].p_value == 1.0


def test_rounding_errors_are_clipped():
    """No formula is known to leave the range any more; one that did would be put back into it."""
    above, below = float(np.nextafter(1, 2)), -1e-17

    class Rounded(AveragePrecision):
        def _expected(self, population):
            return population.n_documents

    def expected(numbers):
        return Rounded(name="rounded").expected(Population(numbers, numbers, (), (), 1))

    assert (expected(above), expected(below)) == (1.0, 0.0)
    assert expected(np.array([above, below, 0.5])).tolist() == [1.0, 0.0, 0.5]
