"""Bestgen (2015): the paper's tables and claims, by its procedure and by our closed form."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from replications.bestgen2015 import (
    PREVALENCES,
    SIZES,
    apply_procedure,
    least_size_below,
    procedure_terms,
    rows,
)

from irbounds import expected_score


@pytest.fixture(scope="module")
def numbers():
    """Return the paper's number and ours by table, row and column."""
    return {tuple(names): (paper, ours) for *names, paper, ours in rows(Path(), 1.0)}


def select(numbers, table):
    return {names[1:]: pair for names, pair in numbers.items() if names[0] == table}


def difference(n_documents, n_relevant):
    """What the exact value has above the prevalence, in fractions: the study's closed form."""
    if n_documents == 1:
        return Fraction(0)
    others = sum(Fraction(1, n) for n in range(2, n_documents + 1)) / (n_documents - 1)
    return (1 - Fraction(n_relevant, n_documents)) * others


def test_table_1_as_printed(numbers):
    table = select(numbers, "Table 1")
    rankings = list(table)[:10]
    assert (rankings[0], rankings[9]) == (("11000", "AP"), ("00011", "AP"))
    for ranking in rankings:
        paper, ours = table[ranking]
        assert round(ours, 2) == paper
    # the paper adds what it has rounded
    assert sum(table[ranking][0] for ranking in rankings) == pytest.approx(5.93)
    assert table["sum", "AP"] == (5.93, 5.925)
    assert table["expected AP", "AP"] == (0.593, 0.5925)


def test_table_2_as_printed_but_for_one_contribution(numbers):
    table = select(numbers, "Table 2")
    halves = {"dhyper": 0.05, "i/n": 0.005, "final prob.": 0.05, "contribution": 0.0005}
    terms = {names: pair for names, pair in table.items() if names[0][0].isdigit()}
    assert len(terms) == 32
    off = [
        names
        for names, (paper, ours) in terms.items()
        if abs(ours - paper) > halves[names[1]] + 1e-12
    ]
    assert off == [("2, 3", "contribution")]
    assert table["2, 3", "contribution"] == (0.134, pytest.approx(0.4 / 3))  # 0.2 x 0.67
    contributions = [paper for names, (paper, _) in terms.items() if names[1] == "contribution"]
    assert sum(contributions) == pytest.approx(1.186)
    assert table["sum", "contribution"] == (1.186, 1.185)
    assert table["expected AP", "contribution"] == (0.593, 0.5925)


def test_numbers_in_the_text(numbers):
    claims = {names[0]: pair for names, pair in select(numbers, "Sections 3 and 4").items()}
    paper, ours = claims["expected AP, N = 10, R = 4"]
    assert f"{ours:.7f}" == f"{paper:.7f}" == "0.5285979"
    assert claims["the same by the paper's procedure"] == (paper, pytest.approx(ours, rel=1e-14))
    assert claims["rankings, N = 100, R = 10"][1] == 17_310_309_456_440
    assert claims["terms to add, N = 100, R = 10"] == (910, 910)
    assert claims["terms to add, N = 10,000, R = 4,000"][1] == 24_004_000
    assert claims["least N, difference below 0.01"] == (600, 597)
    largest = claims["largest difference, N = 600"][1]
    assert largest == pytest.approx(float(difference(600, 1)))
    seconds = [pair for name, pair in claims.items() if name.startswith("seconds")]
    assert len(seconds) == 2
    for paper, ours in seconds:
        assert 0 < ours < paper


def test_points_of_figure_1(numbers):
    points = select(numbers, "Figure 1")
    whole = sum(percent * n % 100 == 0 for percent in (1, 5, 10, 20, 40, 60, 80) for n in SIZES)
    assert len(points) == len(SIZES) + whole
    last = []
    for curve in ("R = 1", *(f"p = {p:g}" for p in PREVALENCES)):
        ours = []
        for (row, column), (paper, value) in points.items():
            if column == curve:
                n = int(row.removeprefix("N = "))
                r = 1 if curve == "R = 1" else round(float(curve.removeprefix("p = ")) * n)
                assert value == pytest.approx(float(difference(n, r)), abs=1e-14)
                assert math.isnan(paper)
                ours.append(value)
        assert (np.diff(ours) < 0).all()
        last.append(ours[-1])
    assert (np.diff(last) < 0).all()
    assert difference(2, 1) < difference(3, 1)  # with R fixed it may rise first


def test_final_probabilities_of_each_document_sum_to_one():
    """The paper's footnote: they sum to 1 for each i, and the hypergeometric ones do not."""
    for n_documents, n_relevant in [(5, 2), (10, 4), (12, 1), (7, 7)]:
        terms = list(procedure_terms(n_documents, n_relevant))
        assert len(terms) == n_relevant * (n_documents - n_relevant + 1)
        for i in range(1, n_relevant + 1):
            assert sum(term.final for term in terms if term.i == i) == 1
    assert sum(term.dhyper for term in procedure_terms(5, 2) if term.i == 1) == 2


@pytest.mark.parametrize("n_documents", range(1, 10))
def test_procedure_enumeration_and_closed_form_agree(n_documents):
    for n_relevant in range(1, n_documents + 1):
        places = list(combinations(range(1, n_documents + 1), n_relevant))
        scores = [sum(Fraction(i, n) for i, n in enumerate(one, 1)) for one in places]
        mean = sum(scores) / len(places) / n_relevant
        assert apply_procedure(n_documents, n_relevant) == mean
        assert mean - Fraction(n_relevant, n_documents) == difference(n_documents, n_relevant)
        assert expected_score(n_documents, n_relevant) == pytest.approx(float(mean), rel=1e-14)


def test_the_papers_function_in_r():
    """R 4.2.2, with the function as the paper prints it, in 0.001 and 35 seconds:

    print(RandomAPExact(100, 10), digits = 16); print(RandomAPExact(10000, 4000), digits = 16)
    """
    assert expected_score(100, 10) == pytest.approx(0.1380670683421783, rel=1e-14)
    # 24 million roundings leave the loop off in the twelfth digit
    assert expected_score(10_000, 4_000) == pytest.approx(0.4005273090924766, rel=2e-12)
    assert expected_score(10_000, 4_000) == pytest.approx(0.400527309093072, rel=1e-14)


def test_difference_is_below_one_percent_from_597_documents_on():
    """In fractions, and one fewer are not."""
    assert difference(597, 1) < Fraction(1, 100) <= difference(596, 1)
    assert least_size_below(0.01) == 597
    # it falls from 3 on, so it stays below; no other R has more
    largest = [difference(n, 1) for n in range(3, 600)]
    assert all(later < sooner for sooner, later in pairwise(largest))
    assert max(range(1, 31), key=lambda r: difference(30, r)) == 1
