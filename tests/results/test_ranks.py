"""Ranks and the ranks that systems might have."""

from __future__ import annotations

from dataclasses import replace

from irbounds.presentation.registry import View, section_of, tables_of
from irbounds.results import RankEstimate, RankInterval
from irbounds.results.comparisons import LETTERS


def said(ranks):
    return section_of(ranks).sentences


def rank(system, place, low, high):
    interval = RankInterval(low, high, 0.95, "max-statistic")
    held = (0.3, 0.0123, 50, 999, 0)
    return RankEstimate("AP", system, "a", 0.5 - place / 10, place, interval, *held)


def test_ranks_say_how_much_is_certain():
    ranks = [rank("a", 1, 1, 2), rank("b", 2, 1, 3), rank("c", 3, 2, 3), rank("d", 4, 4, 4)]
    assert said(ranks) == [
        "AP: 2 of 4 systems may be the best; 1 of 3 neighbours in the order differ significantly.",
        LETTERS,
    ]
    two = [rank("a", 1, 1, 2), rank("b", 2, 1, 2)]
    assert said(two)[0].endswith("the best; the two do not differ significantly.")
    apart = [rank("a", 1, 1, 1), rank("b", 2, 2, 2)]
    assert said(apart)[0].endswith("the best; the two differ significantly.")
    # what holds of all measures is said once
    both = said([*ranks, *(replace(one, measure="RR") for one in ranks)])
    assert [line.split(":")[0] for line in both[:2]] == ["AP", "RR"]
    assert both[2:] == [LETTERS]
    (table,) = tables_of(ranks, View(queries="judged queries"))
    assert table.title == "AP: ranks by the mean over 50 judged queries"
    assert table.caption.startswith(
        "from, to and letters hold together at 95 % (means over 0.012 apart, by the max-statistic);"
    )
    assert table.records[1]["rank_high"] == 3
    assert table.cells[1] == ("b", "a", "0.300", "2", "1", "3", "0.30")
