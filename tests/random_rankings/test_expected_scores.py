"""Expected scores, variances and corrected scores: edges, invalid input, imports."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from irbounds import expected_score
from irbounds.errors import MeasureError, ParameterError
from irbounds.random_rankings import corrected_score, null_distribution, p_value, score_variance


def test_corrected_scores():
    assert corrected_score(0.75, 0.5) == 0.5
    assert corrected_score(0.25, 0.5) == -0.5
    assert corrected_score(1, 0.3) == 1.0
    assert np.isnan(corrected_score(1.0, 1.0))
    many = corrected_score([0.75, 1.0, np.nan], np.array([0.5, 1.0, 0.2]))
    assert many == pytest.approx([0.5, np.nan, np.nan], nan_ok=True)
    assert corrected_score(0.6, [0.2, 0.5]) == pytest.approx([0.5, 0.2])


@pytest.mark.parametrize("value", [1.2, -0.1, "0.5", True, None, [0.5, 2]])
def test_corrected_scores_of_invalid_input(value):
    with pytest.raises(ParameterError, match=r"^observed must lie between 0 and 1; got "):
        corrected_score(value, 0.5)
    with pytest.raises(ParameterError, match=r"^expected must lie between 0 and 1; got "):
        corrected_score(0.5, value)


def test_corrected_scores_of_unequal_lengths():
    with pytest.raises(ParameterError, match=r"must be of one length; got \(2,\) and \(3,\)$"):
        corrected_score([0.1, 0.2], [0.1, 0.2, 0.3])


ABOVE = float(np.nextafter(1, 2))


def test_corrected_score_tolerates_rounding_errors():
    assert corrected_score(ABOVE, 0.5) == 1.0
    assert corrected_score(-1e-13, 0.0) == 0.0
    assert np.isnan(corrected_score(1.0, ABOVE))
    assert corrected_score([0.5, ABOVE], [0.0, 0.0]).tolist() == [0.5, 1.0]
    with pytest.raises(ParameterError, match="observed must lie between 0 and 1"):
        corrected_score(1 + 1e-11, 0.5)


def test_corrected_score_is_nan_at_chance_level_1():
    assert np.isnan(corrected_score(1.0, 1 - 4e-16))
    assert np.isnan(corrected_score([1.0, 0.3], [1 - 1e-13, 1.0])).all()
    # the negative control: a room that is small and there
    assert corrected_score(1.0, 1 - 1e-9) == 1.0


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([0.5, 2, 3], "got 2.0 at place 1"),
        (np.r_[np.full(999, 0.5), -0.25], "got -0.25 at place 999"),
        (np.array([0.5, np.inf]), "got inf at place 1"),
        (1.5, "got 1.5"),
        (["0.5"], "got ['0.5']"),
        ([True], "got [True]"),
        ([True, 0.5], "got [True, 0.5]"),
        (np.array([True]), "got array([ True])"),
        (np.bool_(True), "got "),
        ([None, 0.5], "got [None, 0.5]"),
        ([0.5, [0.1, 0.2]], "got [0.5, [0.1, 0.2]]"),
        (0.5j, "got 0.5j"),
    ],
)
def test_corrected_score_names_the_first_invalid_value(value, message):
    for name, pair in (("observed", (value, 0.5)), ("expected", (0.5, value))):
        text = re.escape(f"{name} must lie between 0 and 1; {message}")
        with pytest.raises(ParameterError, match=text + ("$" if message != "got " else "")):
            corrected_score(*pair)


def test_corrected_score_of_numeric_types():
    for value in (np.float32(0.75), Fraction(3, 4), np.array(0.75), np.array([0.75])[0]):
        assert corrected_score(value, 0.5) == 0.5
    assert corrected_score((0, 1), np.array([0, 0])).tolist() == [0.0, 1.0]
    assert corrected_score([Fraction(3, 4)], 0.5).tolist() == [0.5]


MEASURES = ("AP", "AP@3", "P@3", "R@3", "RR", "nDCG", "RBP", "INSQ", "Rprec", "ERR@3", "Success@3")


OF_COUNTS = [expected_score, score_variance, null_distribution]


@pytest.mark.parametrize("function", OF_COUNTS)
@pytest.mark.parametrize(
    ("arguments", "message"),
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
        ((10, {0: 3}), "grades must be integers of 1 to 999,999,999; got 0"),
        ((10, None), "needs n_documents and n_relevant, or y_true"),
    ],
)
def test_invalid_counts(function, arguments, message):
    with pytest.raises(ParameterError, match=message):
        function(*arguments)


@pytest.mark.parametrize(
    "labels", [[], [[0, 1], [1, 0]], ["no", "yes"], [0.5, 1.0], [math.nan, 1.0], 1]
)
def test_invalid_labels(labels):
    with pytest.raises(ParameterError, match="y_true must be a list or array of labels"):
        expected_score(y_true=labels)


def test_labels_of_0_and_below_are_not_relevant():
    assert expected_score(y_true=[1, 0, -1, -2, 1]) == expected_score(5, 2)
    assert expected_score(y_true=[True, False, 1.0]) == expected_score(3, 2)


def test_labels_and_counts_exclude_each_other():
    with pytest.raises(ParameterError, match="y_true takes the place of n_documents"):
        expected_score(10, 4, y_true=[0, 1])


@pytest.mark.parametrize("measure", MEASURES)
def test_no_relevant_documents_score_0(measure):
    """A query without relevant documents scores 0 in any order."""
    assert expected_score(10, 0, measure) == 0
    assert expected_score(y_true=[0, 0, 0], measure=measure) == 0
    if not measure.startswith("ERR"):  # of which no variance is known
        assert score_variance(10, 0, measure) == 0
    result = expected_score([10, 10], [0, 4], measure)
    assert result[0] == 0
    assert result[1] == pytest.approx(expected_score(10, 4, measure), rel=1e-12)


def test_p_value_without_relevant_documents():
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
def test_cutoff_greater_than_the_number_of_documents(measure, expected):
    assert expected_score(3, 2, measure) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("observed", [-0.1, 1.1, 70, math.nan, math.inf, "0.5", None, True])
def test_invalid_scores(observed):
    message = rf"observed must (lie between 0 and 1|be a number); got {observed!r}"
    with pytest.raises(ParameterError, match=message):
        p_value(observed, 10, 4)


def test_only_relevant_documents():
    assert expected_score(7, 7) == 1
    assert score_variance(7, 7) == 0
    assert p_value(1.0, 7, 7) == 1
    assert math.isnan(corrected_score(1.0, expected_score(7, 7)))


@pytest.mark.parametrize("measure", ["Bpref", "Judged@10"])
def test_measures_without_a_formula(measure):
    with pytest.raises(MeasureError, match="has no formula for its chance level; these have"):
        expected_score(10, 4, measure)


def test_arrays_of_different_lengths():
    with pytest.raises(ParameterError):
        expected_score([10, 20, 30], [1, 2])


def test_numpy_integers():
    assert expected_score(np.int64(10), np.int32(4)) == expected_score(10, 4)


HEAVY = "('numba', 'polars', 'pandas', 'scipy.stats')"


def heavy_after(code: str) -> str:
    code = f"import sys, irbounds\n{code}\nprint([x for x in {HEAVY} if x in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    return done.stdout.decode().splitlines()[-1]


@pytest.mark.parametrize(
    "code",
    [
        "irbounds.expected_score(10, 4); irbounds.random_rankings.score_variance(10, 4)",
        "irbounds.expected_score(y_true=[0, 1, 0])",
        "irbounds.expected_score(10, {1: 2, 3: 1}, 'nDCG@5')",
        "irbounds.random_rankings.p_value(0.7, 10, 4)",
    ],
)
def test_no_heavy_imports(code):
    assert heavy_after(code) == "[]"


def test_heavy_imports_are_detected():
    assert heavy_after("import irbounds.measurement._kernels") == "['numba']"
