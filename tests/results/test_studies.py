"""Tables of papers: our numbers with theirs, and one column per collection."""

from __future__ import annotations

import math

import pytest

from irbounds.presentation.registry import tables_of
from irbounds.presentation.tables import render
from irbounds.presentation.terminal_tables import layout
from irbounds.results import CollectionTable, StudyTable
from irbounds.results.studies import study_sentence

NOTHING = (math.nan,) * 3


def test_studies_show_ours_theirs_and_the_difference():
    wide = StudyTable(
        *("s", 2, "errors", "alpha", ("0.05",), ("n = 5",), ((0.061,),), ((0.055,),), ((0.001,),))
    )
    stacked = StudyTable(
        *("s", 7, "widths", "", ("CI width",), ("n = 2",), ((3.0,),), ((4.0,),), ((0.1,),))
    )
    tables = tables_of([wide, stacked])
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


def table(number, rows, numbers, *, between=" ± ", parts=("mean", "sd"), decimals=3):
    collections = ("mine", "A", "B")
    return CollectionTable(
        *("s", number, "what", "measure", tuple(rows), collections, parts, numbers),
        between=between,
        decimals=decimals,
    )


@pytest.fixture
def validity():
    percents = {"between": " / ", "parts": ("below", "in", "above"), "decimals": 1}
    return table(
        2,
        ("AP", "P@10", "AP, normal rule", "P@10, normal rule"),
        (
            ((2.55, 94.85, 2.6), (3.0, 94.0, 3.03), (2.0, 96.0, 2.0)),
            ((1.0, 97.75, 1.25), (3.0, 93.5, 3.5), (2.5, 95.0, 2.5)),
            ((2.0, 95.5, 2.5), NOTHING, NOTHING),
            ((2.0, 95.25, 2.75), NOTHING, NOTHING),
        ),
        **percents,
    )


@pytest.fixture
def differences():
    rows = ("AP", "INSQ@5", "P@10", "RR")
    numbers = (
        ((0.048, 0.040), (0.050, 0.010), (0.060, 0.050)),
        ((0.060, 0.030), (0.080, 0.030), (0.090, 0.030)),
        ((0.130, 0.052), (0.140, 0.060), (0.120, 0.060)),
        ((0.220, 0.110), (0.130, 0.140), (0.230, 0.140)),
    )
    return table(3, rows, numbers)


def test_cells_join_their_parts_and_a_row_the_paper_lacks_is_a_dash(validity, differences):
    second, third = tables_of([validity, differences])
    assert second.title == "Table 2: what"
    assert second.headings == ("measure", "mine", "A", "B")
    assert second.cells[1] == ("P@10", "1.0 / 97.8 / 1.2", "3.0 / 93.5 / 3.5", "2.5 / 95.0 / 2.5")
    assert second.cells[2] == ("AP, normal rule", "2.0 / 95.5 / 2.5", "-", "-")
    assert third.cells[0] == ("AP", "0.048 ± 0.040", "0.050 ± 0.010", "0.060 ± 0.050")


def test_records_have_a_row_a_number_in_full(validity):
    (shown,) = tables_of([validity])
    assert len(shown.records) == 4 * 3 * 3
    assert shown.records[5] == {
        **{"study": "s", "table": 2, "row": "AP", "collection": "A", "source": "paper"},
        **{"part": "above", "value": 3.03},
    }
    assert shown.records[0]["source"] == "ours"
    lines = render([shown], "csv", {}).splitlines()
    assert lines[0] == "study,table,row,collection,source,part,value"
    assert lines[6] == "s,2,AP,A,paper,above,3.03"
    assert lines[-1] == 's,2,"P@10, normal rule",B,paper,above,'


def test_a_narrow_terminal_may_leave_out_collections_and_a_table_never_does(differences):
    wider = CollectionTable(
        **{
            **vars(differences),
            "collections": ("mine", "A", "B", "C", "D"),
            "numbers": tuple((*cells, cells[1], cells[2]) for cells in differences.numbers),
        }
    )
    (table,) = tables_of([wider])
    assert table.headings == ("measure", "mine", "A", "B", "C", "D")
    assert {len(row) for row in table.cells} == {6}
    assert len(table.records) == 4 * 5 * 2
    # "measure" and five cells of 13 are 7 + 65, and two blanks between each two of the six
    for width, shown in ((82, 6), (81, 5), (67, 5), (66, 4), (20, 4)):
        assert layout(table, width).columns == tuple(range(shown)), width
