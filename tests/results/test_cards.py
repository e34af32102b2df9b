"""Cards as tables, and two of them with their difference."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from every_result import result_of
from irbounds.presentation.registry import View, make_section, make_tables
from irbounds.results import Card, CardComparison, Interval
from irbounds.results.cards import card_sentence, card_table


def make_card(system: str, mean: float, **more: object) -> Card:
    interval = Interval(mean - 0.05, mean + 0.05, 0.95, "student-t", "two-sided")
    fields = {"system": system, "mean": mean, "standard_deviation": 0.1234, "interval": interval}
    return replace(result_of("card"), **{**fields, **more})


def test_cards_are_sorted_best_first_with_both_limits():
    (table,) = make_tables([make_card("bad", 0.2), make_card("good", 0.3)])
    assert table.title == "AP: published mean with its 95 % Student t interval"
    assert table.headings == ("system", "collection", "mean", "low", "high", "sd", "queries")
    assert table.cells == (
        ("good", "ours", "0.300", "0.250", "0.350", "0.123", "6"),
        ("bad", "ours", "0.200", "0.150", "0.250", "0.123", "6"),
    )
    assert [record["mean"] for record in table.records] == [0.3, 0.2]
    assert table.bars[1] == (0.15000000000000002, 0.2, 0.25)


def test_one_sided_card_has_one_limit_and_open_bar():
    limit = Interval(0.25, math.inf, 0.9, "student-t", "greater")
    (table,) = make_tables([make_card("good", 0.3, interval=limit)])
    assert table.title == "AP: published mean with its 90 % Student t lower limit"
    assert table.headings == ("system", "collection", "mean", "low", "sd", "queries")
    assert table.cells == (("good", "ours", "0.300", "0.250", "0.123", "6"),)
    assert table.bars == ((0.25, 0.3, math.inf),)


def test_one_card_table_per_measure_and_interval_type():
    other = Interval(0.1, 0.4, 0.9, "bca", "two-sided")
    cards = [
        make_card("a", 0.3),
        make_card("b", 0.3, measure="P@5"),
        make_card("c", 0.3, interval=other),
    ]
    assert [table.title.split(" mean ")[1] for table in make_tables(cards)] == [
        *("with its 95 % Student t interval", "with its 95 % Student t interval"),
        "with its 90 % BCa bootstrap interval",
    ]


def make_comparison(value, half=0.05, p=0.01, side="two-sided", reason=None):
    ends = {"two-sided": (value - half, value + half), "greater": (value - half, math.inf)}
    interval = Interval(*ends[side], 0.95, "welch", side)
    first, second = make_card("good", 0.3 + value), make_card("bad", 0.3)
    return CardComparison(first, second, value, interval, 0.02, 9.5, p, reason, ("other queries",))


def test_card_comparison_has_three_rows():
    (table,) = make_tables([make_comparison(0.1)])
    assert table.headings == ("card", "mean", "low", "high", "sd", "queries", "p")
    assert table.cells == (
        ("good (ours)", "0.400", "0.350", "0.450", "0.123", "6", ""),
        ("bad (ours)", "0.300", "0.250", "0.350", "0.123", "6", ""),
        ("difference", "0.100", "0.050", "0.150", "", "", "0.010"),
    )
    assert table.bars[2] is None
    (coarse,) = make_tables([make_comparison(0.1)], View(digits=1))
    assert coarse.cells[2][1:4] == ("0.1", "0.1", "0.2")


@pytest.mark.parametrize(
    ("comparison", "start", "facts"),
    [
        (
            make_comparison(0.1),
            "good (ours) and bad (ours) differ significantly in AP: difference 0.100",
            "95 % interval 0.050 to 0.150, p = 0.010",
        ),
        (
            make_comparison(0.01, p=0.0501),
            "good (ours) and bad (ours) do not differ significantly in AP: difference 0.010",
            "95 % interval -0.040 to 0.060, p = 0.050",
        ),
        (
            make_comparison(0.1, side="greater", p=0.0001),
            "good (ours) is shown to score higher than bad (ours) in AP: difference 0.100",
            "95 % lower limit 0.050, p < 0.001",
        ),
        (
            make_comparison(0.1, side="greater", p=0.2),
            "good (ours) is not shown to score higher than bad (ours) in AP",
            "p = 0.200",
        ),
        (
            make_comparison(0.1, half=math.nan, p=math.nan, reason="one query only"),
            "good (ours) - bad (ours): 0.1000 in AP",
            "no interval, one query only",
        ),
    ],
)
def test_card_comparison_is_one_sentence(comparison, start, facts):
    (sentence,) = make_section([comparison]).sentences
    assert sentence.startswith(start)
    assert sentence.endswith(facts)


def test_card_comparison_prints_warnings():
    assert "warning: other queries" in str(make_comparison(0.1))


def test_card_lists_its_fields():
    result = make_card("good", 0.3, note="run of May", url=None)
    table = card_table(result)
    rows = dict(table.cells)
    assert rows["mean"] == "0.300"
    assert rows["interval"] == "0.250 to 0.350"
    assert (rows["note"], rows["queries"]) == ("run of May", "6")
    assert "more" not in rows
    assert card_sentence(result) == (
        "good (ours) has a mean AP of 0.300 over 6 queries, 95 % interval 0.250 to 0.350"
    )
    alone = make_card("good", 0.3, interval=Interval(math.nan, math.nan, 0.95, "bca"), n=1)
    assert card_sentence(alone).endswith("over 1 query; these scores allow no interval")


def test_card_has_value_attribute_of_all_results():
    result = make_card("good", 0.3)
    assert result.value == result.mean == 0.3
    assert result.records()[0]["mean"] == 0.3
