"""Populations from people's numbers. What is refused stands in test_bad_inputs.py."""

from __future__ import annotations

import numpy as np
import pytest

from irbounds import expected_score, read_qrels
from irbounds.errors import InputError, ParameterError
from irbounds.measurement.populations import MAX_GRADE, make_population


def test_population_of_numbers():
    population = make_population(10, {3: 1, 1: 4})
    assert (population.grades, population.counts, population.max_grade) == ((1, 3), (4.0, 1.0), 3)
    assert (population.n_documents, population.depth) == (10.0, 10.0)
    relevant = [population.n_relevant(rel) for rel in (1, 2, 3, 4)]
    assert relevant == [5, 1, 1, 0]


def test_one_number_for_many_queries():
    population = make_population(10, [1, 2, 3])
    assert population.n_documents.tolist() == [10, 10, 10] == population.depth.tolist()
    population = make_population(np.array([10, 20], dtype=np.uint8), {1: 4, 2: [1, 0]})
    assert population.n_relevant(1).tolist() == [5, 4]
    assert population.n_relevant(2).tolist() == [1, 0]
    assert population.n_relevant(3).tolist() == [0, 0]


def test_no_grade_is_nothing_relevant():
    assert make_population(10, {}).n_relevant() == 0


def test_lists_of_different_length_raise():
    text = "n_documents and n_relevant must have the same length, .* got 2 and 3"
    with pytest.raises(ParameterError, match=text):
        make_population([5, 6], [1, 2, 3])
    with pytest.raises(ParameterError, match=text):
        make_population(50, {1: [1, 2, 3], 2: [1, 2]})


@pytest.mark.parametrize("grade", [10**9, 2**63, 2**70])
def test_grades_beyond_those_of_judgments(grade):
    text = f"^grades must be integers of 1 to 999,999,999; got {grade}$"
    with pytest.raises(ParameterError, match=text):
        expected_score(10, {grade: 1}, "nDCG")
    assert 0 < expected_score(10, {10**9 - 1: 1}, "nDCG") < 1


def test_the_limit_is_that_of_judgments():
    assert read_qrels({"q": {"a": MAX_GRADE}}).relevance.tolist() == [MAX_GRADE]
    with pytest.raises(InputError, match="is not an integer"):
        read_qrels({"q": {"a": MAX_GRADE + 1}})
