"""Comparisons as tables and sentences."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from irbounds.presentation.registry import View, make_section, make_tables
from irbounds.results import Comparison, Interval, RankEstimate, RankInterval, Results


def make_comparison(**changed):
    fields = {
        "measure": "AP",
        "system": "a",
        "baseline": "b",
        "value": 0.0312,
        "interval": Interval(0.0102, 0.0522, 0.95, "student-t"),
        "standard_error": 0.01,
        "n": 50,
        "effect_size": 0.4412,
        "test": "t",
        "alternative": "two-sided",
        "p_value": 0.0123,
        "adjustment": "holm",
        "adjusted_p_value": 0.0369,
        "n_comparisons": 3,
        "limits": None,
    }
    fields |= changed
    limits = {f"adjusted_p_{end}": fields["adjusted_p_value"] for end in ("low", "high")}
    return Comparison(**limits | fields)


JUDGED = View(queries="judged queries")


def make_sentences(comparisons):
    return make_section(comparisons).sentences


def test_difference_digits_follow_interval():
    (table,) = make_tables([make_comparison()], JUDGED)
    assert table.title == (
        "AP: mean difference from b over 50 judged queries with its individual 95 % "
        "Student t interval"
    )
    assert table.caption == ("p: paired t test, Holm's adjustment for 3 comparisons")
    assert table.headings == (
        *("system", "difference", "low", "high"),
        *("effect size", "p", "adjusted p"),
    )
    assert table.cells == (("a", "0.031", "0.010", "0.052", "0.44", "0.012", "0.037"),)
    (table,) = make_tables([make_comparison()], View(digits=1))
    assert table.cells[0][1:4] == ("0.0", "0.0", "0.1")
    (table,) = make_tables([make_comparison(), make_comparison(baseline="c")])
    assert table.title.startswith("AP: mean difference over 50 queries with its")
    assert table.headings[:3] == ("system", "minus", "difference")
    assert table.cells[1][:3] == ("a", "c", "0.031")


def test_differences_are_sorted_with_one_table_per_measure():
    some = [
        make_comparison(value=-0.3, system="x"),
        make_comparison(value=0.1, system="y"),
        make_comparison(value=0.2, system="z", measure="P@10"),
        make_comparison(value=0.2, system="v"),
    ]
    tables = make_tables(some)
    assert [[row[0] for row in table.cells] for table in tables] == [["v", "y", "x"], ["z"]]
    assert [record["system"] for record in tables[0].records] == ["v", "y", "x"]


def test_one_sided_differences_show_one_limit():
    side = Interval(0.0102, math.inf, 0.9, "bca", "greater")
    (table,) = make_tables([make_comparison(interval=side, alternative="greater")])
    assert "90 % BCa bootstrap lower limit" in table.title
    assert table.headings[1:3] == ("difference", "low")
    assert table.cells[0][1:4] == ("0.031", "0.010", "0.44")
    assert table.records[0]["high"] == math.inf


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0.00099, "<0.001"),
        (0.001, "0.001"),
        (0.04567, "0.046"),
        (1.0, "1.000"),
        (math.nan, "-"),
    ],
)
def test_p_value_format(p, text):
    result = make_comparison(p_value=p, adjusted_p_value=p)
    assert make_tables([result])[0].cells[0][5:7] == (text, text)


def test_comparison_sentences():
    all_pairs = [
        make_comparison(adjusted_p_value=0.05),
        make_comparison(adjusted_p_value=0.0501, baseline="c"),
        make_comparison(adjusted_p_value=0.001, baseline="d"),
    ]
    assert make_sentences(all_pairs) == [
        "AP: 2 of 3 pairs differ significantly: a scores higher than b, a scores higher than d "
        "(5 % level, "
        "Holm's adjustment)."
    ]
    against = [make_comparison(adjusted_p_value=p, adjustment="none") for p in (0.01, 0.2)]
    assert make_sentences(against) == [
        "AP: 1 of the 2 others scores significantly higher than b (5 % level, no adjustment)."
    ]
    side = Interval(0.0, math.inf, 0.9, "student-t", "greater")
    result = make_comparison(
        interval=side, alternative="greater", adjusted_p_value=0.1, adjustment="benjamini-hochberg"
    )
    assert make_sentences([result]) == [
        "AP: a scores significantly higher than b (10 % level, Benjamini and Hochberg's "
        "adjustment)."
    ]
    assert make_sentences(
        [make_comparison(measure="RR"), make_comparison(adjusted_p_value=0.9)]
    ) == [
        "RR: a scores significantly higher than b (5 % level, Holm's adjustment).",
        "AP: a is not significantly different from b (5 % level, Holm's adjustment).",
    ]


def compare_with_baseline(*values):
    """Return comparisons of c1, c2 ... with one baseline, by difference and adjusted p-value."""
    return [
        make_comparison(system=f"c{k}", value=difference, adjusted_p_value=p)
        for k, (difference, p) in enumerate(values, 1)
    ]


def test_comparison_sentence_has_directions():
    how = "(5 % level, Holm's adjustment)."
    worse, better, open_one = (-0.1, 0.01), (0.1, 0.01), (-0.01, 0.4)

    def make_sentence(*values):
        (sentence,) = make_sentences(compare_with_baseline(*values))
        return sentence

    assert make_sentence(worse, worse, open_one) == (
        f"AP: 2 of the 3 others score significantly lower than b {how}"
    )
    assert make_sentence(worse, better, better) == (
        f"AP: 1 of the 3 others scores significantly lower than b and 2 higher {how}"
    )
    assert make_sentence(worse, worse) == f"AP: all 2 others score significantly lower than b {how}"
    assert (
        make_sentence(open_one, open_one)
        == f"AP: none of the 2 others differs significantly from b {how}"
    )


def test_undecided_comparisons_are_marked():
    some = [
        make_comparison(p_value=0.01, adjusted_p_value=0.06, adjusted_p_low=0.0),
        make_comparison(p_value=0.01, adjusted_p_value=0.01),
        make_comparison(p_value=0.04, adjusted_p_value=0.06),
        make_comparison(p_value=math.nan, adjusted_p_value=math.nan),
    ]
    assert make_sentences(some) == [
        "AP: 1 of the 4 others scores significantly higher than b, no test for 1 of 4 (5 % level, "
        "Holm's adjustment)."
    ]
    (table,) = make_tables(some)
    assert sorted(row[6] for row in table.cells) == ["-", "0.010", "0.060", "0.060?"]
    assert "?: the limits of adjusted p are on both sides of the level" in table.caption
    assert [record["is_decided"] for record in table.records] == [False, True, True, True]
    assert table.records[0]["adjusted_p_low"] == 0
    (table,) = make_tables(some[1:])
    assert "?" not in table.caption


@pytest.mark.parametrize(
    ("low", "p", "high", "is_decided"),
    [
        (0.01, 0.02, 0.05, True),
        (0.01, 0.02, 0.0501, False),
        (0.05, 0.06, 0.07, False),
        (0.0501, 0.06, 0.07, True),
        (0.05, 0.05, 0.05, True),
        (math.nan, math.nan, math.nan, True),
    ],
)
def test_decision_is_certain_if_both_limits_are_on_one_side(low, p, high, is_decided):
    result = make_comparison(adjusted_p_low=low, adjusted_p_value=p, adjusted_p_high=high)
    assert result.is_decided == is_decided
    # at another level the same limits may decide
    other = replace(result, interval=replace(result.interval, confidence_level=0.9))
    assert other.is_decided


def make_pairs(n, n_significant):
    """Return pairs whose p-values rise with their number, the first of them significant."""
    return [
        make_comparison(
            system=f"s{k}",
            baseline=f"b{k % 2}",
            value=1 - k / n,
            adjusted_p_value=0.01 if k < n_significant else 0.5,
        )
        for k in range(n)
    ]


def list_shown_systems(family):
    (table,) = make_tables(family)
    return [table.cells[row][0] for row in table.shown_rows], table.shown_note


def test_terminal_shows_twenty_comparisons():
    assert list_shown_systems(make_pairs(20, 7)) == ([], "")
    names, note = list_shown_systems(make_pairs(30, 7)[::-1])
    assert names == [f"s{k}" for k in range(20)]  # the largest differences
    assert note.startswith("the first 20 of 30 rows (all: --output ")
    (table,) = make_tables(make_pairs(21, 7), View(verbose=True))
    assert (table.shown_rows, table.shown_note) == ((), "")


def test_text_has_twenty_comparisons_and_files_have_all():
    results = Results(make_pairs(50, 30))
    text = str(results)
    assert sum(line.startswith("s") for line in text.splitlines()) == 21  # and the headings
    assert "20 of 50 rows" in text
    for document in (results.to_markdown(), results.to_latex(), results.to_html()):
        assert all(f"s{k}" in document for k in range(50))
        assert "20 of 50" not in document
    assert len(results.records()) == 50


def make_rank(system, place, low, high):
    interval = RankInterval(low, high, 0.95, "holm")
    return RankEstimate("AP", system, "a", 0.5 - place / 10, place, interval, 50)


def test_rank_sentences_count_leaders_and_pairs():
    ranks = [
        make_rank("a", 1, 1, 2),
        make_rank("b", 2, 1, 3),
        make_rank("c", 3, 2, 3),
        make_rank("d", 4, 4, 4),
    ]
    counts = "2 of 4 systems may be the best; 4 of 6 pairs differ significantly."
    assert make_sentences(ranks) == [f"AP: {counts}"]
    two = [make_rank("a", 1, 1, 2), make_rank("b", 2, 1, 2)]
    assert make_sentences(two)[0].endswith("the best; the two do not differ significantly.")
    apart = [make_rank("a", 1, 1, 1), make_rank("b", 2, 2, 2)]
    assert make_sentences(apart)[0].endswith("the best; the two differ significantly.")
    both = make_sentences([*ranks, *(replace(interval, measure="RR") for interval in ranks)])
    assert both == [f"AP: {counts}", f"RR: {counts}"]
    (table,) = make_tables(ranks, View(queries="judged queries"))
    assert table.title == "AP: ranks by the mean over 50 judged queries"
    assert table.records[1]["rank_high"] == 3
    assert table.cells[1] == ("b", "0.300", "2", "1", "3")
