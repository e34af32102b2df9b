"""Expected scores, variances and corrected scores: edges, invalid input, imports."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest

from irbounds import expected_score
from irbounds.errors import MeasureError, ParameterError
from irbounds.random_rankings import null_distribution, score_variance
from irbounds.random_rankings.distribution import correct_score


def test_corrected_scores():
    observed, expected = [0.75, 0.25, 1.0, 1.0, 1.0], [0.5, 0.5, 0.3, 1 - 4e-16, 1 - 1e-9]
    corrected = [0.5, -0.5, 1.0, math.nan, 1.0]
    assert correct_score(observed, expected).tolist() == pytest.approx(corrected, nan_ok=True)
    assert correct_score(0.6, [0.2, 0.5]) == pytest.approx([0.5, 0.2])


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
    ],
)
def test_invalid_counts(function, arguments, message):
    with pytest.raises(ParameterError, match=message):
        function(*arguments)


@pytest.mark.parametrize("measure", MEASURES)
def test_no_relevant_documents_score_0(measure):
    """A query without relevant documents scores 0 in any order."""
    assert expected_score(10, 0, measure) == 0
    if not measure.startswith("ERR"):  # of which no variance is known
        assert score_variance(10, 0, measure) == 0
    result = expected_score([10, 10], [0, 4], measure)
    assert result[0] == 0
    assert result[1] == pytest.approx(expected_score(10, 4, measure), rel=1e-12)


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
        "irbounds.expected_score(10, {1: 2, 3: 1}, 'nDCG@5')",
        "irbounds.random_rankings.null_distribution(10, 4)",
    ],
)
def test_no_heavy_imports(code):
    assert heavy_after(code) == "[]"


def test_heavy_imports_are_detected():
    assert heavy_after("import irbounds.measurement._kernels") == "['numba']"
