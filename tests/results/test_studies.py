"""Tables of papers: our numbers with theirs, and one column per collection."""

from __future__ import annotations

import math

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
