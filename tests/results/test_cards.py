"""Cards as tables, and two of them with their difference."""

from __future__ import annotations

import math
from dataclasses import replace

from every_result import result_of
from irbounds.presentation.registry import tables_of
from irbounds.results import Card, Interval


def card(system: str, mean: float, **more: object) -> Card:
    interval = Interval(mean - 0.05, mean + 0.05, 0.95, "student-t", "two-sided")
    given = {"system": system, "mean": mean, "standard_deviation": 0.1234, "interval": interval}
    return replace(result_of("card"), **{**given, **more})


def test_cards_stand_best_first_with_both_ends():
    (table,) = tables_of([card("bad", 0.2), card("good", 0.3)])
    assert table.title == "AP: published mean with its 95 % Student t interval"
    assert table.headings == ("system", "collection", "mean", "low", "high", "sd", "queries")
    assert table.cells == (
        ("good", "ours", "0.300", "0.250", "0.350", "0.123", "6"),
        ("bad", "ours", "0.200", "0.150", "0.250", "0.123", "6"),
    )
    assert [record["mean"] for record in table.records] == [0.3, 0.2]
    assert table.bars[1] == (0.15000000000000002, 0.2, 0.25)


def test_a_limit_is_one_end_and_its_bar_goes_on():
    limit = Interval(0.25, math.inf, 0.9, "student-t", "greater")
    (table,) = tables_of([card("good", 0.3, interval=limit)])
    assert table.title == "AP: published mean with its 90 % Student t lower limit"
    assert table.headings == ("system", "collection", "mean", "low", "sd", "queries")
    assert table.cells == (("good", "ours", "0.300", "0.250", "0.123", "6"),)
    assert table.bars == ((0.25, 0.3, math.inf),)


def test_measures_and_kinds_of_interval_have_a_table_each():
    other = Interval(0.1, 0.4, 0.9, "bca", "two-sided")
    cards = [card("a", 0.3), card("b", 0.3, measure="P@5"), card("c", 0.3, interval=other)]
    assert [table.title.split(" mean ")[1] for table in tables_of(cards)] == [
        *("with its 95 % Student t interval", "with its 95 % Student t interval"),
        "with its 90 % BCa bootstrap interval",
    ]
