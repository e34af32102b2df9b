"""What queries can show, in sentences and tables."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace

from irbounds.presentation.registry import View, make_section, make_sections
from irbounds.results import (
    Interval,
    QueryPlan,
    Reliability,
    ReliabilityPlan,
    RequiredQueries,
    SystemsPlan,
    VarianceComponent,
)


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


def make_systems_plan(anova="two-way", **more):
    return SystemsPlan(
        *("AP", anova, 10, 50, 0.01234, 0.95, 0.8, 0.0823),
        **{"difference": 0.1, "queries_for_difference": 1036, **more},
    )


def test_systems_plan_sentence_is_about_the_two_way_analysis():
    one_way = make_systems_plan("one-way", queries_for_difference=1106)
    sentence, table = make_sentence_and_table(one_way, make_systems_plan())
    assert sentence == (
        "AP: with 50 queries the best and the worst of 10 systems must truly differ by 0.082 to be "
        "detected with 80 % power by a two-way analysis of variance; detecting 0.1 takes 1,036 "
        "queries"
    )
    assert (
        table.title
        == "AP: what queries can show about 10 systems with 80 % power at the 95 % level"
    )
    assert table.headings == ("ANOVA", "variance", "n", "detectable", "n for 0.1")
    assert table.cells == (
        ("one-way", "0.0123", "50", "0.082", "1,106"),
        ("two-way", "0.0123", "50", "0.082", "1,036"),
    )
    assert "two-way: residual variance, without the effect of queries" in table.caption


def test_systems_plan_without_scores_has_numbers_of_queries_only():
    blank = {"n": None, "detectable_difference": None}
    plans = [replace(make_systems_plan(anova), **blank) for anova in ("one-way", "two-way")]
    sentence, table = make_sentence_and_table(*plans)
    assert sentence == (
        "detecting a difference of 0.1 between the best and the worst of 10 systems with 80 % "
        "power takes 1,036 queries"
    )
    assert table.title.startswith("what queries can show about 10 systems")
    assert table.headings == ("ANOVA", "variance", "n for 0.1")


def test_systems_plan_without_difference_has_no_number_of_queries():
    plan = make_systems_plan(difference=None, queries_for_difference=None)
    sentence, table = make_sentence_and_table(plan)
    assert sentence.endswith("by a two-way analysis of variance")
    assert table.headings == ("ANOVA", "variance", "n", "detectable")


def make_reliability_plan(queries=(69, 37, 114)):
    number, *ends = queries
    coefficients, required = [], []
    for name, value in (("Erho2", 0.93265), ("Phi", 0.78613)):
        own = tuple(
            RequiredQueries("AP", name, target, number, Interval(*ends, 0.95, "feldt"))
            for target in (0.95, 0.9)
        )
        interval = Interval(value - 0.04, value + 0.03, 0.95, "feldt")
        coefficients += [
            Reliability("AP", name, 30, n, value, interval, required=own) for n in (50, 100)
        ]
        required += own
    variance = VarianceComponent("AP", "systems", 0.00281, 0.0685, 0.1507, 29)
    return ReliabilityPlan((*coefficients, *required, variance))


def make_tables_of(plan, **view):
    return [table for section in make_sections(plan, View(**view)) for table in section.tables]


def test_reliability_sentence_is_about_the_present_queries_and_the_first_request():
    first, *others = make_sections(make_reliability_plan(), View())
    assert first.sentences == [
        "AP: 50 queries have a reliability of 0.933 [0.893, 0.963] for differences of 30 systems "
        "(Erho2) and 0.786 [0.746, 0.816] for means (Phi); 0.95 takes 69 [37, 114] (Erho2) and 69 "
        "[37, 114] (Phi) queries"
    ]
    assert [section.sentences for section in others] == [[], []]


def test_reliability_tables():
    coefficients, required, variances = make_tables_of(make_reliability_plan())
    assert variances.cells == (("systems", "0.00281", "6.9 %", "0.151", "29"),)
    assert coefficients.headings == ("coefficient", "n", "reliability", "low", "high")
    assert coefficients.cells[1] == ("Erho2", "100", "0.933", "0.893", "0.963")
    assert required.headings == ("coefficient", "reliability", "queries", "low", "high")
    assert required.cells[1] == ("Erho2", "0.9", "69", "37", "114")
    assert required.caption == ""


def test_reliability_plan_has_its_parts():
    plan = make_reliability_plan()
    assert [len(part) for part in (plan.coefficients, plan.required, plan.variances)] == [4, 4, 1]
    assert (*plan.coefficients, *plan.required, *plan.variances) == tuple(plan)
    copied = pickle.loads(pickle.dumps(plan))
    assert copied == plan
    assert copied.required == plan.required


def test_reliability_that_no_queries_reach():
    plan = make_reliability_plan((math.inf, 1812, math.inf))
    section = make_sections(plan, View())[0]
    assert "0.95 takes none [1,812, none] (Erho2)" in section.sentences[0]
    required = make_tables_of(plan)[1]
    assert required.cells[0] == ("Erho2", "0.95", "none", "1,812", "none")
    assert required.caption == "none: no number of queries is enough"


def test_reliability_tables_state_the_rule_for_ties():
    for table in make_tables_of(make_reliability_plan(), ties="worst"):
        assert table.title.count("ties in their worst order") == 1
        assert {row["ties"] for row in table.records} == {"worst"}
