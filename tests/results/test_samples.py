"""Samples as they were drawn: counts in lines and tables."""

from __future__ import annotations

import pytest

from irbounds.errors import DataError
from irbounds.results import Stratum
from irbounds.results.samples import counts_table, sample_lines
from recall_calls import estimate_recall

STRATA = (Stratum("in", True, 2000, 100, 50, 90), Stratum("out", False, 100_000, 100, 3))


def test_drawn_sample_counts_in_lines_and_tables():
    assert sample_lines(STRATA) == [
        "retrieved    2,000 documents, 100 sampled, 90 assessable, 50 relevant",
        "unretrieved  100,000 documents, 100 sampled, 3 relevant",
    ]
    three = (*STRATA, Stratum("more", False, 500, 0, 0))
    assert sample_lines(three)[1] == (
        "unretrieved  100,500 documents, 100 sampled, 3 relevant in 2 strata"
    )


CHECKED = (
    Stratum("in", True, 2000, 100, 50, 90, 20, 15, 10, 1),
    Stratum("out", False, 100_000, 100, 3, None, 3, 2),
)


def test_second_assessment_in_lines_and_table():
    assert sample_lines(CHECKED) == [
        "retrieved    2,000 documents, 100 sampled, 90 assessable, 50 relevant (20 assessed again, "
        "15 confirmed; 10 of the others assessed again, 1 relevant)",
        "unretrieved  100,000 documents, 100 sampled, 3 relevant (3 assessed again, 2 confirmed)",
    ]
    table = counts_table(CHECKED)
    assert table.headings[5:] == ("checked", "confirmed", "others checked", "overturned", "weight")
    assert [row[5:] for row in table.cells] == [
        ("20", "15", "10", "1", "20"),
        ("3", "2", "-", "-", "1,000"),
        ("23", "17", "10", "1", ""),
    ]
    assert "overturned are relevant" in table.caption


def test_counts_by_name_leave_out_a_second_assessment_that_there_was_not():
    names = ["name", "retrieved", "population", "sampled", "relevant", "assessable"]
    assert list(STRATA[1].as_dict()) == names
    assert list(CHECKED[1].as_dict()) == [*names, "relevant_checked", "relevant_confirmed"]


def test_corrected_counts():
    inside, outside = CHECKED
    assert inside.corrected_relevant == 50 * 15 / 20 + 40 * 1 / 10
    assert inside.is_partly_checked
    assert outside.corrected_relevant == 2
    assert not outside.is_partly_checked  # the others are taken as they were judged
    untouched = Stratum("out", False, 100, 100, 3, None, 0, 0)
    assert untouched.corrected_relevant == 3
    assert not untouched.is_checked
    assert untouched.is_known
    assert not Stratum("out", False, 100, 100, 3, None, 1, 1).is_known


@pytest.mark.parametrize(
    ("checks", "message"),
    [
        ((4, 2, None, None), "relevant_checked is 4, but only 3 have this judgment"),
        ((3, 4, None, None), "relevant_confirmed is 4 of 3 relevant_checked"),
        ((None, None, 98, 0), "irrelevant_checked is 98, but only 97 have this judgment"),
        ((None, None, 5, 6), "irrelevant_overturned is 6 of 5 irrelevant_checked"),
        ((2, None, None, None), "relevant_checked without relevant_confirmed"),
        ((None, None, None, 2), "irrelevant_overturned without irrelevant_checked"),
        ((2.5, 1, None, None), "relevant_checked must be an integer of at least 0; got 2.5"),
        ((2, -1, None, None), "relevant_confirmed must be an integer of at least 0; got -1"),
    ],
)
def test_impossible_counts_of_a_second_assessment(checks, message):
    outside = Stratum("out", False, 100_000, 100, 3, None, *checks)
    with pytest.raises(DataError, match=f"stratum 'out': {message}"):
        estimate_recall([STRATA[0], outside])
