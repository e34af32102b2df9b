"""What queries can show, in sentences and tables."""

from __future__ import annotations

from irbounds.presentation.registry import View, make_section
from irbounds.results import QueryPlan


def make_plan(pair="typical pair", kind="typical", detectable=0.0432, **more):
    return QueryPlan(
        *("AP", kind, pair, 50, 0.1234, 0.95, "two-sided", 0.8, detectable, 0.0312),
        **more,
    )


def make_sentence_and_table(*plans, **view):
    section = make_section(plans, View(**view))
    (sentence,), (table,) = section.sentences, section.tables
    return sentence, table


def test_query_plan_sentence_uses_typical_pair():
    sentence, table = make_sentence_and_table(
        make_plan(), make_plan("hardest pair", "hardest", 0.0789)
    )
    assert sentence == (
        "AP: with 50 queries a typical pair must truly differ by 0.043 to be detected with 80 % "
        "power"
    )
    assert table.headings == ("pair", "sd", "n", "detectable", "half width")
    assert table.cells == (
        ("typical pair", "0.123", "50", "0.043", "0.031"),
        ("hardest pair", "0.123", "50", "0.079", "0.031"),
    )
    assert table.title == "AP: what queries can show with 80 % power at the 95 % level"


def test_query_plan_pairs_are_sorted_by_detectable_difference():
    sentence, _ = make_sentence_and_table(
        make_plan("a - b", "pair"), make_plan("a - c", "pair", 0.0789)
    )
    assert "a true difference of 0.043 to 0.079 is detected" in sentence
    assert sentence.endswith("(depending on the system)")
    alone, _ = make_sentence_and_table(make_plan("a - b", "pair"))
    assert alone.endswith("(a - b)")


def test_query_plan_compares_one_mean_with_fixed_value():
    sentence, table = make_sentence_and_table(make_plan("bm25", "mean"))
    assert "a true mean 0.043 away from a fixed value is detected" in sentence
    assert table.headings[0] == "system"
    assert table.caption.endswith("sd: of the scores")


def test_query_plan_answers_in_number_of_queries():
    request_fields = {
        "difference": 0.05,
        "queries_for_difference": 1234,
        "wanted_half_width": 0.01,
        "queries_for_half_width": 980,
    }
    sentence, table = make_sentence_and_table(make_plan(**request_fields))
    assert sentence.endswith("detecting 0.05 takes 1,234 queries; a half width of 0.01 takes 980")
    assert table.headings[-2:] == ("n for 0.05", "n for \N{PLUS-MINUS SIGN}0.01")
    assert table.cells[0][-2:] == ("1,234", "980")


def test_query_plan_digits_can_be_specified():
    sentence, table = make_sentence_and_table(make_plan(), digits=1)
    assert "differ by 0.0 to be" in sentence
    assert table.cells[0][1] == "0.1"
