"""Tables of papers: our numbers with theirs, and one column per collection."""

from __future__ import annotations

import math

from irbounds.presentation.registry import make_tables
from irbounds.results import StudyTable
from irbounds.results.studies import study_sentence

NOTHING = (math.nan,) * 3


def test_studies_show_ours_theirs_and_the_difference():
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
