"""The populations of random rankings of a collection: numbers of documents and depths."""

from __future__ import annotations

import pytest

import irbounds
from irbounds.measurement.judged_runs import Pool, judge_run
from irbounds.random_rankings.collection_populations import build_population

JUDGED = {
    "q1": {"a": 1, "b": 0, "c": 2, "f": -1},
    "q2": {"e": 1, "a": 0},
    "q3": {"b": 1, "d": 1},
}

#: d has no judgment for q1, nor b for q2; q3 is missing
RUN = {"q1": {"d": 9.0, "a": 8.0, "c": 7.0, "b": 6.0}, "q2": {"e": 2.0, "b": 1.0}}


@pytest.mark.parametrize("kind", ["corpus", "judged", "retrieved"])
def test_numbers_of_each_population(kind):
    qrels, run = irbounds.read_qrels(JUDGED), irbounds.read_run(RUN, name="r")
    pool = Pool(qrels)
    population = build_population(kind, pool, judge_run(run, pool), 6)
    expected = {  # documents, depth, grade 1 ranked, grade 2 ranked
        "corpus": ([6, 6, 6], [4, 2, 0], [1, 1, 2], [1, 0, 0]),
        "judged": ([4, 2, 2], [4, 2, 0], [1, 1, 2], [1, 0, 0]),
        "retrieved": ([4, 2, 1], [4, 2, 0], [1, 1, 0], [1, 0, 0]),
    }[kind]
    arrays = (population.n_documents, population.depth, *population.counts)
    assert [array.tolist() for array in arrays] == [list(map(float, row)) for row in expected]
    assert [array.tolist() for array in population.judged] == [[1.0, 1.0, 2.0], [1.0, 0.0, 0.0]]
    assert (population.grades, population.max_grade) == ((1, 2), 2)


def test_depth_without_a_run_is_the_number_of_documents():
    pool = Pool(irbounds.read_qrels(JUDGED))
    assert build_population("corpus", pool, None, 6).depth.tolist() == [6.0, 6.0, 6.0]
    assert build_population("judged", pool, None, None).depth.tolist() == [4.0, 2.0, 2.0]
