"""Numbers that cannot be, and those at the border, as docs/bad-inputs.md has them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from irbounds import expected_score
from irbounds.errors import MeasureError, ParameterError
from irbounds.random_rankings import corrected_score, null_distribution, p_value, score_variance

MEASURES = ("AP", "AP@3", "P@3", "R@3", "RR", "nDCG", "RBP", "INSQ", "Rprec", "ERR@3", "Success@3")
OF_COUNTS = [expected_score, score_variance, null_distribution]


@pytest.mark.parametrize("function", OF_COUNTS)
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((3, 5), "n_relevant must be at most n_documents; got 5 relevant of 3"),
        ((3, {1: 2, 2: 2}), "n_relevant must be at most n_documents; got 4 relevant of 3"),
        (([9, 3], [1, 5]), "n_relevant must be at most n_documents; got 5 relevant of 3"),
        ((10, -1), "n_relevant must be an integer of 0 to 1,000,000,000,000,000; got -1"),
        ((10, 2.5), "n_relevant must be an integer .* got 2.5"),
        ((10, 4.0), "n_relevant must be an integer .* got 4.0"),
        ((10, "4"), "n_relevant must be an integer .* got '4'"),
        ((10, True), "n_relevant must be an integer .* got True"),
        ((10, math.nan), "n_relevant must be an integer .* got nan"),
        ((0, 0), "n_documents must be an integer of 1 to .* got 0"),
        ((-5, 1), "n_documents must be an integer of 1 to .* got -5"),
        ((10.5, 1), "n_documents must be an integer of 1 to .* got 10.5"),
        ((10**16, 1), "n_documents must be an integer of 1 to 1,000,000,000,000,000; got 1"),
        (([10, 12], [4, -1]), "n_relevant must be an integer of 0 to .* got -1 at place 1"),
        (([10, 12], [4.5, 1.0]), "n_relevant must be an integer .* or a list or array"),
        ((10, {0: 3}), "grades must be whole numbers of 1 to 999,999,999; got 0"),
        ((10, None), "needs n_documents and n_relevant, or y_true"),
    ],
)
def test_counts_that_cannot_be(function, given, said):
    with pytest.raises(ParameterError, match=said):
        function(*given)


@pytest.mark.parametrize(
    "labels", [[], [[0, 1], [1, 0]], ["no", "yes"], [0.5, 1.0], [math.nan, 1.0], 1]
)
def test_labels_that_cannot_be(labels):
    with pytest.raises(ParameterError, match="y_true must be a list or array of labels"):
        expected_score(y_true=labels)


def test_labels_of_0_and_below_are_not_relevant():
    assert expected_score(y_true=[1, 0, -1, -2, 1]) == expected_score(5, 2)
    assert expected_score(y_true=[True, False, 1.0]) == expected_score(3, 2)


def test_labels_take_the_place_of_counts():
    with pytest.raises(ParameterError, match="y_true takes the place of n_documents"):
        expected_score(10, 4, y_true=[0, 1])


@pytest.mark.parametrize("measure", MEASURES)
def test_nothing_relevant_scores_0(measure):
    """As everywhere: a query with nothing relevant has 0, whatever is done there."""
    assert expected_score(10, 0, measure) == 0
    assert expected_score(y_true=[0, 0, 0], measure=measure) == 0
    if not measure.startswith("ERR"):  # of which no variance is known
        assert score_variance(10, 0, measure) == 0
    found = expected_score([10, 10], [0, 4], measure)
    assert found[0] == 0
    assert found[1] == pytest.approx(expected_score(10, 4, measure), rel=1e-12)


def test_nothing_relevant_proves_nothing():
    assert p_value(0.0, 10, 0) == 1


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("P@10", 0.2),  # two relevant documents by ten ranks, as in trec_eval
        ("R@10", 1.0),
        ("Success@10", 1.0),
        ("AP@10", expected_score(3, 2)),
        ("RR@10", (2 * 1 + 1 / 2) / 3),
        ("nDCG@10", expected_score(3, 2, "nDCG")),
    ],
)
def test_a_cutoff_below_the_end_of_the_list(measure, expected):
    assert expected_score(3, 2, measure) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("observed", [-0.1, 1.1, 70, math.nan, math.inf, "0.5", None, True])
def test_scores_that_cannot_be(observed):
    said = rf"observed must (lie between 0 and 1|be a number); got {observed!r}"
    with pytest.raises(ParameterError, match=said):
        p_value(observed, 10, 4)


def test_all_relevant_is_no_chance():
    assert expected_score(7, 7) == 1
    assert score_variance(7, 7) == 0
    assert p_value(1.0, 7, 7) == 1
    assert math.isnan(corrected_score(1.0, expected_score(7, 7)))


@pytest.mark.parametrize("measure", ["Bpref", "Judged@10"])
def test_measures_without_a_formula(measure):
    with pytest.raises(MeasureError, match="has no formula for what chance scores; these have"):
        expected_score(10, 4, measure)


def test_arrays_of_two_lengths():
    with pytest.raises(ParameterError):
        expected_score([10, 20, 30], [1, 2])


def test_numpy_numbers_are_numbers():
    assert expected_score(np.int64(10), np.int32(4)) == expected_score(10, 4)
