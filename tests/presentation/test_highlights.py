"""Sentences above long tables, and scores query by query."""

from __future__ import annotations

import numpy as np
import pytest
from irbounds.presentation.highlights import leading_sentences, tie_sentences
from irbounds.presentation.queries import query_range_tables, query_sentences, score_rows

from irbounds import ScoreTable, mean_interval, tie_effects


@pytest.fixture
def table() -> ScoreTable:
    scores = [[0.0, 0.2, 0.4, 0.9], [0.0, 0.3, 0.5, 0.95], [0.0, 0.0, 0.01, 0.02]]
    return ScoreTable(("AP",), ("a", "b", "c"), ("q1", "q2", "q10", "q3"), np.array([scores]))


def test_who_leads_and_whose_intervals_reach_into_it(table):
    found = mean_interval(table, method="student-t")
    (said,) = leading_sentences(found)
    assert said.startswith("AP: b has the highest mean, 0.44 (95 % interval -0.20 to 1.07); ")
    assert "the intervals of all 2 others reach into this one" in said
    (said,) = leading_sentences(found, 4)
    assert said.startswith("AP: b has the highest mean, 0.4375 (95 % interval -0.1969 to 1.0719); ")
    # an interval that ends below the leader's begins is not counted
    apart = ScoreTable(table.measures, ("a", "b"), ("1", "2"), np.array([[[0, 0.01], [0.9, 0.91]]]))
    (said,) = leading_sentences(mean_interval(apart, method="student-t"))
    assert said.endswith("; the interval of the other system does not reach into this one.")


@pytest.mark.parametrize(
    ("reach", "n_others", "words"),
    [
        (0, 1, "the interval of the other system does not reach into"),
        (1, 1, "the interval of the other system reaches into"),
        (0, 3, "the intervals of none of the 3 others reach into"),
        (1, 3, "the interval of 1 of the 3 others reaches into"),
        (2, 3, "the intervals of 2 of the 3 others reach into"),
        (3, 3, "the intervals of all 3 others reach into"),
    ],
)
def test_one_and_none_are_said_as_people_say_them(reach, n_others, words):
    near, far = [0.8, 0.9, 1.0], [0.0, 0.01, 0.02]
    scores = [[0.85, 0.95, 1.0], *[near] * reach, *[far] * (n_others - reach)]
    names = tuple("abcd"[: n_others + 1])
    table = ScoreTable(("AP",), names, ("1", "2", "3"), np.array([scores]))
    (said,) = leading_sentences(mean_interval(table, method="student-t"))
    assert words in said


def test_one_system_leads_nobody(table):
    alone = table.select_systems(["a"])
    (said,) = leading_sentences(mean_interval(alone, method="student-t"))
    assert said == "AP: a has a mean of 0.38 (95 % interval -0.24 to 0.99)."


def test_who_has_no_interval_leads_without_one(table):
    scores = np.array([[[0.9, 0.9, 0.9], [0.1, 0.2, 0.3]]])
    constant = ScoreTable(("AP",), ("same", "other"), ("1", "2", "3"), scores)
    with pytest.warns(UserWarning, match="same"):
        found = mean_interval(constant, method="bca", n_resamples=99, rng=0)
    (said,) = leading_sentences(found)
    assert said.startswith("AP: same has the highest mean, 0.9")
    assert said.endswith(", without an interval.")


def test_one_sentence_a_measure_by_the_first_method(table):
    found = mean_interval(table, method=["student-t", "percentile"], n_resamples=99, rng=0)
    assert leading_sentences(found) == leading_sentences(mean_interval(table, method="student-t"))


def test_queries_hardest_first(table):
    (found,) = query_range_tables(table)
    assert [row[0] for row in found.cells] == ["q1", "q2", "q10", "q3"]
    assert found.cells[2] == ("q10", "0.3033", "0.0100", "0.4000", "0.5000", "0")
    assert found.records[0]["n_zero"] == 3
    assert query_range_tables(table, 1)[0].cells[2][1] == "0.3"


def test_the_hardest_and_the_easiest_query_in_words(table):
    assert query_sentences(table) == [
        "AP: the hardest query is q1, where systems score 0.0000 on average, the easiest q3 with "
        "0.6233; on 1 of 4 queries every system scores 0."
    ]


def test_two_queries_have_no_hardest():
    few = ScoreTable(("AP",), ("a",), ("1", "2"), np.array([[[0.1, 0.2]]]))
    assert query_sentences(few) == []


def test_rows_for_a_figure(table):
    rows = score_rows(table, "AP")
    assert len(rows) == 12
    assert rows[4:6] == [("b", "q1", 0.0), ("b", "q2", 0.3)]


def test_ties_that_matter_and_ties_that_do_not():
    qrels = {"q": {"a": 0, "b": 1}}
    runs = {"all": {"q": {"a": 1.0, "b": 1.0}}, "none": {"q": {"a": 1.0, "b": 2.0}}}
    assert tie_sentences(tie_effects(qrels, runs, "RR")) == [
        "RR: by the order within ties the mean of all could be anything from 0.5000 to 1.0000, a "
        "span of 0.5000; no other run's is wider."
    ]
    assert tie_sentences(tie_effects(qrels, {"none": runs["none"]}, "RR")) == [
        "RR: ties move no run's mean by as much as 0.0001."
    ]
