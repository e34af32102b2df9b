"""The lowest and the highest score of any ranking: against all of them, and what is beyond."""

from __future__ import annotations

import functools
import warnings
from fractions import Fraction

import numpy as np
import pytest

import naive
from irbounds.errors import DegenerateSampleWarning
from irbounds.measurement.parser import find_measure
from irbounds.measurement.populations import Population, population_of
from irbounds.random_rankings import null_distribution, p_value
from irbounds.random_rankings.distribution import check_reachable, compute_range

TOP = 3  # highest grade


def exponential(grade):
    return Fraction(2**grade - 1)


# cutoffs below, at and above the number of documents
TWINS = {
    "AP": naive.exact_average_precision,
    "AP(rel=2)": functools.partial(naive.exact_average_precision, rel=2),
    "Rprec": naive.exact_r_precision,
    "Rprec(rel=2)": functools.partial(naive.exact_r_precision, rel=2),
    "RR": naive.exact_reciprocal_rank,
    "nDCG": naive.exact_ndcg,
    "nDCG(dcg='exp-log2')@2": functools.partial(naive.exact_ndcg, cutoff=2, gain=exponential),
    "RBP": functools.partial(naive.exact_rank_biased_precision, max_grade=TOP),
    "RBP(p=0.5,rel=2)@4": functools.partial(
        naive.exact_rank_biased_precision, p=0.5, rel=2, cutoff=4
    ),
    "INSQ": functools.partial(naive.exact_inverse_squares, max_rel=TOP),
    "INSQ(min_rel=1,max_rel=2)": functools.partial(
        naive.exact_inverse_squares, min_rel=1, max_rel=2
    ),
    "ERR": naive.exact_expected_reciprocal_rank,
    **{
        f"{name}@{cutoff}": functools.partial(twin, cutoff=cutoff)
        for cutoff in (1, 3, 7, 10)
        for name, twin in {
            "AP": naive.exact_average_precision,
            "P": naive.exact_precision,
            "P(rel=2)": functools.partial(naive.exact_precision, rel=2),
            "R": naive.exact_recall,
            "RR": naive.exact_reciprocal_rank,
            "Success": naive.exact_success,
            "nDCG": naive.exact_ndcg,
            "ERR": naive.exact_expected_reciprocal_rank,
        }.items()
    },
}
# documents, how many of each grade, ranks that are looked at, how many of each grade are judged
CASES = [
    (7, {1: 2, 2: 1, 3: 1}, 7, None),
    (7, {1: 2, 2: 1, 3: 1}, 4, None),
    (6, {1: 2, 2: 1, 3: 2}, 4, {1: 2, 2: 3, 3: 3}),
    (4, {1: 1, 2: 2, 3: 1}, 4, None),
    (7, {1: 0, 2: 0, 3: 2}, 5, None),
    (3, {1: 0, 2: 0, 3: 0}, 3, None),
]


def case_of(n_documents, relevant, depth, judged):
    counts = tuple(float(count) for count in relevant.values())
    divided = tuple(float(count) for count in (judged or relevant).values())
    return Population(float(n_documents), float(depth), (1, 2, 3), counts, divided, TOP)


def scores_of_all(twin, n_documents, relevant, depth, judged):
    graded = [grade for grade, count in (judged or relevant).items() for _ in range(count)]
    counts = {**relevant, 0: n_documents - sum(relevant.values())}
    return [float(twin(ranked[:depth], graded)) for ranked in naive.arrangements(counts)]


@pytest.mark.parametrize("case", CASES, ids=[str(case[:3]) for case in CASES])
def test_extremes_are_those_of_all_rankings(case):
    for name, twin in TWINS.items():
        scores = scores_of_all(twin, *case)
        found = compute_range(find_measure(name), case_of(*case))
        assert found == pytest.approx((min(scores), max(scores)), rel=1e-13, abs=1e-300), name


def test_extremes_of_a_mean_over_queries():
    many = population_of([9, 5, 4], {1: [3, 1, 0], 2: [2, 0, 0]})
    for name in ("AP", "P@3", "nDCG@4", "ERR@5", "INSQ"):
        measure = find_measure(name)
        queries = [population_of(9, {1: 3, 2: 2}), population_of(5, {1: 1, 2: 0})]
        # a query with nothing relevant scores 0
        expected = np.sum([compute_range(measure, query) for query in queries], axis=0) / 3
        assert compute_range(measure, many) == pytest.approx(expected, rel=1e-13)


def test_too_many_to_lay_out():
    assert compute_range(find_measure("AP"), population_of(10**10, 10**9)) == (0.0, 1.0)
    assert compute_range(find_measure("P@10"), population_of(10**10, 10**9)) == (0.0, 1.0)


BEYOND = [
    ((0.5, 3, 3, "P@10"), "0.5 by P@10: scores lie between 0.3 and 0.3"),
    ((0.1, 3, 3, "P@10"), "0.1 by P@10: scores lie between 0.3 and 0.3"),
    ((0.4, 10, 0), "0.4 by AP: scores lie between 0 and 0"),
    ((0.2, 10, 8), r"0.2 by AP: scores lie between 0.642\d+ and 1"),
    ((0.9, [5, 5], [0, 2]), r"0.9 by AP: scores lie between 0.1625 and 0.5"),
    ((1.0, 50, {1: 5, 2: 1}, "ERR@5"), r"1 by ERR@5: scores lie between 0 and 0.2\d+"),
]


@pytest.mark.parametrize("method", [None, "monte-carlo"])
@pytest.mark.parametrize(("asked", "said"), BEYOND, ids=[said[:12] for _, said in BEYOND])
def test_scores_that_no_ranking_has(asked, said, method):
    text = f"^no ranking of these documents scores {said}$"
    with pytest.warns(DegenerateSampleWarning, match=text):
        found = p_value(*asked, method=method, n_draws=9, rng=1)
    assert found == null_distribution(*asked[1:], method=method, n_draws=9, rng=1).p_value(asked[0])


def test_the_warning_is_about_the_line_that_asks():
    with pytest.warns(DegenerateSampleWarning) as said:
        p_value(0.5, 10, 0)
    assert said[0].filename == __file__
    with pytest.warns(DegenerateSampleWarning) as said:
        p_value(0.9, 1000, 1, method="matched-moments")
    assert said[0].filename == __file__


def test_scores_at_the_ends_are_not_beyond():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for case in CASES[:3]:
            for name in TWINS:
                measure, population = find_measure(name), case_of(*case)
                for end in compute_range(measure, population):
                    check_reachable(measure, population, end)
                    check_reachable(measure, population, min(end * (1 + 1e-14), 1.0))
                    check_reachable(measure, population, end * (1 - 1e-14))
        p_value(0.0, 10, 0)
        p_value(1.0, 10, 10)
