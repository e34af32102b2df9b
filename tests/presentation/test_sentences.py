"""What calibration, ranks and studies say, word for word."""

from __future__ import annotations

import math
from dataclasses import replace

from irbounds.presentation.calibration import calibration_sentences, calibration_tables
from irbounds.presentation.ranks import LETTERS, rank_sentences, rank_tables
from irbounds.presentation.studies import study_sentence, study_tables

from irbounds.results import CalibrationRow, RankEstimate, StudyTable


def row(method, error, *, honest=False, verdict="short", recommended=False, width=0.3, level=0.95):
    return CalibrationRow(
        *("AP", 10, method, level, error, 0.0012, 0.01, error - 0.01, 0.0, width, 0.001, 0.5),
        *(0.02, 0.2, "poor", "honest" if honest else verdict, recommended),
    )


def test_calibration_says_what_to_use_or_that_nothing_will_do():
    good = row("bca", 0.055, honest=True, recommended=True)
    assert calibration_sentences([row("basic", 0.1), good]) == [
        "AP, 10 queries, 95 %: use bca, which misses 5.5 %"
    ]
    endless = row("studentised", 0.04, honest=True, width=math.inf)
    assert calibration_sentences([row("basic", 0.1), endless]) == [
        "AP, 10 queries, 95 %: only studentised is honest, and some of its intervals have no end; "
        "more queries are needed"
    ]
    assert calibration_sentences([row("basic", 0.1), row("bca", 0.08)]) == [
        "AP, 10 queries, 95 %: none of these methods is honest; bca comes nearest, missing 8.0 %"
    ]
    assert calibration_sentences([row("basic", 0.1), row("bca", 0.08, verdict="unclear")]) == [
        "AP, 10 queries, 95 %: too few samples to tell which method is honest; draw more"
    ]


def test_calibration_tables_are_one_a_level():
    rows = [row("bca", 0.08), row("bca", 0.2, level=0.8)] * 2
    first, second = calibration_tables(rows)
    assert [len(table.cells) for table in (first, second)] == [2, 2]
    assert first.cells[0] == (
        *("10", "bca", "0.080", "0.0012", "0.010", "0.070", "0.000", "0.300", "0.200", "short"),
    )
    assert "nominally 0.2" in second.title


def rank(system, place, low, high):
    held = (0.0123, 0.95, 50, 999, 0)
    return RankEstimate("AP", system, 0.5 - place / 10, place, low, high, 0.3, "a", *held)


def test_ranks_say_how_much_is_certain():
    ranks = [rank("a", 1, 1, 2), rank("b", 2, 1, 3), rank("c", 3, 2, 3), rank("d", 4, 4, 4)]
    assert rank_sentences(ranks) == [
        "AP: 2 of 4 systems may be the best; 1 of 3 neighbours in the order can be told apart.",
        LETTERS,
    ]
    two = [rank("a", 1, 1, 2), rank("b", 2, 1, 2)]
    assert rank_sentences(two)[0].endswith("the best; the two cannot be told apart.")
    apart = [rank("a", 1, 1, 1), rank("b", 2, 2, 2)]
    assert rank_sentences(apart)[0].endswith("the best; the two can be told apart.")
    # what holds of all measures is said once
    both = rank_sentences([*ranks, *(replace(one, measure="RR") for one in ranks)])
    assert [line.split(":")[0] for line in both[:2]] == ["AP", "RR"]
    assert both[2:] == [LETTERS]
    (table,) = rank_tables(ranks, "judged queries")
    assert table.title == "AP: ranks by the mean over 50 judged queries"
    assert table.caption.startswith(
        "from, to and letters hold together at 95 % (means over 0.012 apart, by the max-statistic);"
    )
    assert table.records[1]["rank_high"] == 3
    assert table.cells[1] == ("b", "a", "0.300", "2", "1", "3", "0.30")


def test_studies_show_ours_theirs_and_the_difference():
    wide = StudyTable(
        *("s", 2, "errors", "alpha", ("0.05",), ("n = 5",), ((0.061,),), ((0.055,),), ((0.001,),))
    )
    stacked = StudyTable(
        *("s", 7, "widths", "", ("CI width",), ("n = 2",), ((3.0,),), ((4.0,),), ((0.1,),))
    )
    tables = study_tables([wide, stacked])
    assert tables[0].headings == ("alpha", "n = 5", "paper", "diff")
    assert tables[0].cells == (("0.05", "0.061", "0.055", "+0.006"),)
    assert tables[1].cells == (
        ("CI width", "3.000"),
        ("  paper", "4.000"),
        ("  diff", "-1.000"),
        ("  noise", "0.1000"),
    )
    assert tables[0].records[0]["difference"] == 0.061 - 0.055
    assert study_sentence([wide, stacked]) == (
        "largest difference of a mean error from the paper's: 0.0060 (Table 2, 0.05, n = 5)"
    )
