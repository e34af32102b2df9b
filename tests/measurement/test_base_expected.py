"""``Measure.expected`` and ``Measure.variance`` of every measure against every ranking."""

from __future__ import annotations

import math

import numpy as np
import pytest

import naive
from irbounds.errors import MeasureError
from irbounds.measurement.parser import parse_measure
from irbounds.measurement.populations import Population
from irbounds.measurement.registry import MEASURES
from irbounds.random_rankings.distribution import expected_score, score_variance
from measure_cases import BINARY, GRADED, TOP


def population(n_documents, relevant, depth=None):
    """Of numbers, or of a list of numbers for many queries."""
    depth = n_documents if depth is None else depth

    def floats(value):
        return np.asarray(value, dtype=float) if np.ndim(value) else float(value)

    return Population(
        floats(n_documents),
        floats(depth),
        tuple(relevant),
        tuple(floats(count) for count in relevant.values()),
        max(relevant),
    )


def check(name, twin, n_documents, relevant, depth=None):
    """Both moments against all rankings, to the last digits."""
    measure = parse_measure(name)
    here = population(n_documents, relevant, depth)
    mean, variance = naive.random_moments(twin, n_documents, relevant, depth)
    case = (name, n_documents, relevant, depth)
    assert measure.expected(here) == pytest.approx(float(mean), rel=1e-13, abs=1e-300), case
    computed = measure.variance(here)
    if name.startswith("ERR") and any(relevant.values()):
        assert math.isnan(computed), case
    else:
        assert computed == pytest.approx(float(variance), rel=1e-12, abs=1e-17), case


@pytest.mark.parametrize("name", BINARY)
def test_binary_measures_agree_with_every_ranking(name):
    for n_documents in range(1, 8):
        for n_relevant in range(n_documents + 1):
            check(name, BINARY[name], n_documents, {1: n_relevant})


@pytest.mark.slow
@pytest.mark.parametrize("name", BINARY)
def test_binary_measures_agree_with_every_ranking_of_eight_and_nine(name):
    for n_documents in (8, 9):
        for n_relevant in range(n_documents + 1):
            check(name, BINARY[name], n_documents, {1: n_relevant})


@pytest.mark.slow
@pytest.mark.parametrize("name", GRADED)
def test_graded_measures_agree_with_every_ranking_of_eight_and_nine(name):
    check(name, GRADED[name], 8, {1: 2, 2: 1, TOP: 1})
    check(name, GRADED[name], 8, {1: 1, 2: 4, TOP: 2})
    check(name, GRADED[name], 9, {1: 2, 2: 1, TOP: 1})
    check(name, GRADED[name], 9, {1: 1, 2: 0, TOP: 3})


@pytest.mark.parametrize("name", GRADED)
def test_graded_measures_agree_with_every_ranking(name):
    for n_documents in range(1, 5):
        for ones in range(n_documents + 1):
            for twos in range(n_documents - ones + 1):
                for threes in range(n_documents - ones - twos + 1):
                    check(name, GRADED[name], n_documents, {1: ones, 2: twos, TOP: threes})
    check(name, GRADED[name], 6, {1: 2, 2: 1, TOP: 1})
    check(name, GRADED[name], 7, {1: 1, 2: 2, TOP: 1})


@pytest.mark.parametrize("name", [n for n in BINARY if n.endswith("@3") or "@" not in n])
def test_lists_that_end_early(name):
    for depth in (0, 1, 2, 4, 5):
        check(name, BINARY[name], 5, {1: 2}, depth)
        check(name, BINARY[name], 5, {1: 0}, depth)
    check(name, BINARY[name], 6, {1: 5}, 2)


@pytest.mark.parametrize(
    "name", ["nDCG@3", "nDCG(dcg='exp-log2')", "AP(rel=2)", "ERR", "nERR", "RBP"]
)
def test_graded_lists_that_end_early(name):
    twin = GRADED[name]
    check(name, twin, 6, {1: 1, 2: 1, TOP: 1}, 4)
    check(name, twin, 5, {1: 2, 2: 0, TOP: 1}, 3)


@pytest.mark.parametrize("n_documents", [1, 2, 3, 7, 49, 1000, 10**6 + 1, 10**12])
def test_all_relevant_scores_1_and_none_relevant_0(n_documents):
    assert expected_score(n_documents, n_documents) == 1.0
    assert score_variance(n_documents, n_documents) == 0.0
    for name in ("AP", "RR", "nDCG", "P@5", "R@5", "Success@5", "Rprec", "RBP", "INSQ", "ERR@5"):
        assert expected_score(n_documents, 0, name) == 0.0
        assert score_variance(n_documents, 0, name) == 0.0


@pytest.mark.parametrize("name", list(dict.fromkeys([*BINARY, *GRADED])))
def test_many_queries_equal_single_queries(name):
    n = [1, 5, 40, 1000, 10**6, 10**12, 7, 50]
    relevant = {1: [1, 2, 0, 30, 20, 10**4, 7, 3], 2: [0, 1, 0, 2, 300, 5, 0, 7], 3: [0] * 7 + [4]}
    if name in ("ERR", "nERR"):
        n, relevant = n[:4], {grade: counts[:4] for grade, counts in relevant.items()}
    for moment in (expected_score, score_variance):
        many = moment(n, relevant, name)
        assert isinstance(many, np.ndarray)
        assert many.shape == (len(n),)
        for place, n_documents in enumerate(n):
            # a grade without documents still sets the highest grade
            counts = {grade: relevant[grade][place] for grade in relevant}
            single = moment(n_documents, counts, name)
            assert type(single) is float
            assert many[place] == pytest.approx(single, rel=1e-13, nan_ok=True)


def test_measures_without_a_formula():
    stems = {name.partition("@")[0].partition("(")[0] for name in BINARY}
    assert stems == {known.description.stem for known in MEASURES if known.has_chance_level()}
    text = "Bpref has no formula for its chance level; these have one: AP, P, R, Rprec"
    for moment in (expected_score, score_variance):
        with pytest.raises(MeasureError, match=text):
            moment(10, 4, "Bpref")
        with pytest.raises(MeasureError, match=r"R\(judged_only=True\)@10 has no formula"):
            moment(10, 4, "R(judged_only=True)@10")
        with pytest.raises(MeasureError, match=r"AP\(rel=0\): rel must be at least 1 in a random"):
            moment(10, 4, "AP(rel=0)")
        with pytest.raises(MeasureError, match="min_rel must be at least 0 in a random ranking"):
            moment(10, 4, "INSQ(min_rel=-1)")
        with pytest.raises(MeasureError, match="unknown measure 'MAPP'"):
            moment(10, 4, "MAPP")


def test_ir_measures_objects():
    import ir_measures

    assert expected_score(10, 4, ir_measures.AP) == expected_score(10, 4)
    assert expected_score(10, 4, ir_measures.nDCG @ 5) == expected_score(10, 4, "nDCG@5")
