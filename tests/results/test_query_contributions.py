"""Contributions of queries as tables and sentences."""

from __future__ import annotations

import json

import pytest

import irbounds
from irbounds.presentation.registry import View


def compare(old, new, **options):
    scores = {"old": old, "new": new, **options.pop("more", {})}
    return irbounds.compare(scores=scores, measures="AP", baseline="old", by_query=True, **options)


OLD = [0.2, 0.3, 0.1, 0.4, 0.25, 0.15]


def test_sentence_and_table_of_a_difference_that_one_query_decides():
    result = compare(OLD, [0.3, 0.42, 0.19, 0.1, 0.36, 0.26])
    (section,) = result._sections()
    assert section.sentences == [
        "AP, new minus old: the difference is not significant (5 % level, Holm's adjustment); "
        "removing 2 of 6 queries would turn the sign; without 4 it is significant."
    ]
    (table,) = section.tables
    assert table.title.startswith("AP: queries of new minus old, mean difference +0.04 over 6 que")
    assert table.title.endswith("(p = 0.596)")
    assert table.headings == (
        *("query", "system score", "baseline score", "difference", "contribution", "fraction"),
        *("cumulative", "without it", "p without it", "decision"),
    )
    assert table.cells[0][0] == "4"
    assert table.cells[0][3:6] == ("-0.300", "-0.050", "-1.30")
    assert table.cells[0][-1] == "significant"
    assert {row[-1] for row in table.cells[1:]} == {""}
    assert "fraction: of the mean difference" in table.caption
    assert "decision: that without the query" in table.caption


def test_sentences_of_clear_differences():
    (section,) = compare(OLD, [score + 0.3 + k / 100 for k, score in enumerate(OLD)])._sections()
    assert "every query has a difference of the same sign" in section.sentences[0]
    assert "removing half of the queries would not turn the decision" in section.sentences[0]
    with pytest.warns(irbounds.errors.DegenerateSampleWarning, match="all 6 differences are 0"):
        (section,) = compare(OLD, OLD)._sections()
    assert "the mean difference is 0" in section.sentences[0]


def test_terminal_shows_ten_queries_and_sums_up_the_others():
    old = [0.01 * k for k in range(14)]
    result = compare(old, [score + 0.02 * (k + 1) for k, score in enumerate(old)])
    (table,) = result._sections()[0].tables
    assert table.shown_rows == tuple(range(10))
    assert table.shown_note.startswith(
        "10 of 14 queries, the largest contributions, 90 % of the difference; the others "
        "contribute +0.0143 (all: "
    )
    assert len(table.records) == 14
    assert not result._answer.sections(View(verbose=True))[0].tables[0].shown_rows


def test_terminal_shows_the_first_five_pairs():
    more = {f"s{k}": [score + k / 100 for score in reversed(OLD)] for k in range(6)}
    result = compare(OLD, OLD[::-1], more=more)
    (section,) = result._sections()
    assert len(section.tables) == 7
    assert [table.is_detail for table in section.tables] == [False] * 5 + [True] * 2
    assert section.sentences[-1].startswith("5 of 7 comparisons are described")
    assert section.tables[0].title.startswith("AP: queries of s5 minus old")
    assert "(adjusted p = " in section.tables[0].title
    assert "Holm's adjustment for 7 comparisons" in section.tables[0].caption
    assert len(result.records()) == 42
    figures = section.drawn
    assert len(figures) == 5
    assert len({figure.name for figure in figures}) == 5


def test_figure_is_that_of_the_differences_query_by_query():
    result = compare(OLD, OLD[::-1])
    figure = result.plot()
    assert figure.name == "differences-AP"
    assert "query by query" in figure.description
    assert json.dumps(figure.to_dict())


def test_records_have_all_numbers():
    rows = compare(OLD, OLD[::-1]).records()
    assert list(rows[0]) == [
        *("measure", "system", "baseline", "query_id", "system_score", "baseline_score"),
        *("difference", "contribution", "fraction", "cumulative_fraction"),
        *("difference_without", "p_without", "adjusted_p_without", "turns_decision"),
        *("n_to_turn_sign", "n_to_turn_decision"),
    ]
