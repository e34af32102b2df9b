"""Differences within and between groups as tables and sentences."""

from __future__ import annotations

import json

import irbounds
from irbounds.presentation.registry import View, make_section
from irbounds.results import GroupInteraction
from irbounds.results.group_comparisons import ALL

QUERIES = [f"q{k}" for k in range(12)]
GROUPS = {query: ("short", "long")[k % 2] for k, query in enumerate(QUERIES)}


def make_scores(*shifts):
    base = [0.1 + (7 * k % 12) / 40 for k in range(12)]
    rows = {"base": dict(zip(QUERIES, base, strict=True))}
    for s, (short, long) in enumerate(shifts):
        rows[f"s{s}"] = {
            query: base[k] + (long if k % 2 else short) + (k % 5 - 2) / 50
            for k, query in enumerate(QUERIES)
        }
    return rows


def compare(*shifts, **options):
    options = {"baseline": "base", "measures": "AP", "groups": GROUPS, **options}
    return irbounds.compare(scores=make_scores(*shifts), **options)


def make_interaction(**changed):
    fields = {
        "measure": "AP",
        "system": "a",
        "baseline": "b",
        "statistic": 5.25,
        "df_between": 2,
        "df_within": 20.34,
        "lowest": -0.012,
        "lowest_group": "long",
        "highest": 0.034,
        "highest_group": "short",
        "p_value": 0.012,
        "adjusted_p_value": 0.012,
        "n_groups": 3,
        "n_left_out": 0,
        "n_comparisons": 1,
        "adjustment": "holm",
        "confidence_level": 0.95,
    }
    return GroupInteraction(**{**fields, **changed})


def test_one_pair_has_a_sentence_with_groups_and_one_between_them():
    result = compare((0.2, 0.0))
    within, between = result._sections()
    assert within.sentences == [
        "AP: 1 of 2 differences within groups (short) are significant (5 % level, Holm's "
        "adjustment)."
    ]
    (table,) = within.tables
    assert table.title == (
        "AP: mean difference of s0 minus base within groups of queries with its individual 95 % "
        "Student t interval"
    )
    assert table.headings[:4] == ("group", "n", "difference", "low")
    assert [row[:2] for row in table.cells] == [(ALL, "12"), ("short", "6"), ("long", "6")]
    assert table.caption == (
        "p: paired t test, Holm's adjustment for 2 comparisons; (all) is adjusted for the pairs "
        "only"
    )
    assert between.sentences == [
        "AP: the difference varies significantly between groups (Welch's F test, p < 0.001)."
    ]
    assert between.tables[0].cells[0][1:5] == ("-0.003", "long", "0.193", "short")


def test_several_pairs_are_counted():
    result = compare((0.2, 0.0), (0.01, 0.0))
    within, between = result._sections()
    assert within.sentences[0].startswith("AP: 1 of 4 differences within groups are significant")
    assert between.sentences == [
        "AP: the difference varies significantly between groups for 1 of 2 pairs."
    ]
    assert within.tables[0].headings[:3] == ("system", "group", "n")


def test_records_have_the_group_in_front_and_name_their_table():
    result = compare((0.2, 0.0))
    rows = result.records()
    assert [row["table"] for row in rows] == ["groups"] * 3 + ["between groups"]
    assert list(rows[0])[:5] == ["table", "measure", "group", "system", "baseline"]
    assert [row["group"] for row in rows[:3]] == [ALL, "short", "long"]
    assert rows[3]["p_value"] == result.interactions[0].p_value
    assert json.dumps(rows)


def test_terminal_shows_the_first_rows():
    shifts = [(k / 50, 0.0) for k in range(9)]
    result = compare(*shifts)
    (table,) = make_section(list(result)).tables
    assert len(table.cells) == 27
    assert table.shown_rows == tuple(range(20))
    assert table.shown_note.startswith("the first 20 of 27 rows (all: ")
    assert not make_section(list(result), View(verbose=True)).tables[0].shown_rows
    assert table.cells[0][0] == "s8"


def test_sentences_about_a_comparison_between_groups():
    (sentence,) = make_section([make_interaction(adjusted_p_value=0.2)]).sentences
    assert "does not vary significantly" in sentence


def test_interactions_are_sorted_by_p_and_a_terminal_shows_the_first():
    rows = [make_interaction(system=f"s{k}", p_value=(k * 7 % 25) / 25) for k in range(25)]
    (table,) = make_section(rows).tables
    shown = [float(row[-2].lstrip("<")) for row in table.cells]
    assert shown == sorted(shown)
    assert table.shown_rows == tuple(range(20))
    assert "20 of 25 rows" in table.shown_note


def test_figure_has_a_row_per_group():
    figure = compare((0.2, 0.0)).plot()
    assert figure.name == "group-differences-AP"
    assert "within groups" in figure.title
    text = json.dumps(figure.to_dict())
    assert all(f'"{name}"' in text for name in (ALL, "short", "long"))
    several = compare((0.2, 0.0), (0.1, 0.1)).plot()
    assert '"s1, short"' in json.dumps(several.to_dict())
