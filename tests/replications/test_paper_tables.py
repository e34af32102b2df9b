"""Tables of papers: our numbers with theirs, and one column per collection."""

from __future__ import annotations

import math

import pytest

from every_result import result_of
from irbounds.presentation.explanations import EXPLANATIONS, list_references
from irbounds.presentation.registry import make_tables
from irbounds.replications.paper_tables import (
    StudyTable,
    draw_collection_numbers,
    draw_study_numbers,
    study_sentence,
)

NOTHING = (math.nan,) * 3


def test_table_has_ours_theirs_and_the_difference():
    wide = StudyTable(
        *("s", 2, "errors", "alpha", ("0.05",), ("n = 5",), ((0.061,),), ((0.055,),), ((0.001,),))
    )
    stacked = StudyTable(
        *("s", 7, "widths", "", ("CI width",), ("n = 2",), ((3.0,),), ((4.0,),), ((0.1,),))
    )
    tables = make_tables([wide, stacked])
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


def by_label(rows):
    return {(row["label"], row["series"]): row for row in rows if "label" in row}


def test_figures_show_the_papers_numbers_and_ours(rows_of):
    rows = by_label(rows_of(draw_study_numbers([result_of("study")])))
    assert (rows["5, bca", "ours"]["value"], rows["5, bca", "paper"]["value"]) == (0.06, 0.061)
    assert rows["10, t", "ours"]["low"] == pytest.approx(0.038)
    assert ("10, bca", "paper") not in rows
    rows = by_label(rows_of(draw_collection_numbers([result_of("collections")])))
    assert rows["AP, TREC-8", "paper"]["value"] == 0.2
    assert ("P@10, TREC-8", "paper") not in rows


def test_topic_of_studies_is_added_to_the_explanations():
    explanation = EXPLANATIONS["study"]
    assert explanation.name == "Replication of a paper"
    assert len(explanation.means) == 1
    assert len(explanation.does_not_mean) == 2
    assert list_references(["study"]) == []
