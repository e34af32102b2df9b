"""Scores of single queries: all of them, and the range of each query's."""

from __future__ import annotations

import numpy as np
import pytest

from irbounds import ScoreTable
from irbounds.presentation.registry import View, make_tables
from irbounds.results.query_scores import query_range_tables, query_sentences


@pytest.fixture
def table() -> ScoreTable:
    scores = [[0.0, 0.2, 0.4, 0.9], [0.0, 0.3, 0.5, 0.95], [0.0, 0.0, 0.01, 0.02]]
    return ScoreTable(("AP",), ("a", "b", "c"), ("q1", "q2", "q10", "q3"), np.array([scores]))


def test_query_ranges_are_sorted_hardest_first(table):
    (range_table,) = query_range_tables(table)
    assert [row[0] for row in range_table.cells] == ["q1", "q2", "q10", "q3"]
    assert range_table.cells[2] == ("q10", "0.3033", "0.0100", "0.4000", "0.5000", "0")
    assert range_table.records[0]["n_zero"] == 3
    assert query_range_tables(table, 1)[0].cells[2][1] == "0.3"


def test_query_ranges_name_hardest_and_easiest_query(table):
    assert query_sentences(table) == [
        "AP: the hardest query is q1, where systems score 0.0000 on average, the easiest q3 with "
        "0.6233; on 1 of 4 queries every system scores 0."
    ]


def test_query_ranges_of_two_queries_name_no_hardest():
    few = ScoreTable(("AP",), ("a",), ("1", "2"), np.array([[[0.1, 0.2]]]))
    assert query_sentences(few) == []


def test_query_score_table_is_queries_by_systems(table):
    (score_table,) = make_tables([table])
    assert score_table.headings == ("query", "a", "b", "c")
    assert score_table.cells[2] == ("q10", "0.4000", "0.5000", "0.0100")
    assert score_table.spare == ("c", "b")
    assert len(score_table.records) == 12
    assert score_table.records[4] == {
        "query_id": "q2",
        "system": "b",
        "measure": "AP",
        "value": 0.3,
    }
    assert make_tables([table], View(digits=1))[0].cells[2][1] == "0.4"
