"""Sheets of strata."""

from __future__ import annotations

import gzip
import hashlib
import re

import pytest

from irbounds.errors import InputError
from irbounds.reading.strata_sheet import read_populations, read_strata
from irbounds.samples import Stratum

STRATA = """\
stratum,retrieved,population,sampled,relevant
top,yes,2000,100,50
rest,no,100000,200,3
"""


def test_sheet_of_strata(write):
    path = write("strata.csv", STRATA)
    sample = read_strata(path)
    assert sample.strata == (
        Stratum("top", True, 2000, 100, 50),
        Stratum("rest", False, 100000, 200, 3),
    )
    digest = hashlib.sha256(STRATA.encode()).hexdigest()
    assert [(one.name, one.fingerprint) for one in sample.inputs] == [
        (str(path), f"sha256:{digest}")
    ]
    assert (sample.notes, sample.warnings) == ((), ())


def test_column_order_tabs_compression_comments_and_empty_lines(write):
    text = (
        "\ufeff# drawn in May\r\n\r\n"
        "Relevant\tassessable\tSAMPLED\tpopulation\tretrieved\tstratum\r\n"
        "50\t90\t100\t2000\tR\t top, first \r\n\r\n3\t200\t200\t100000\tN\trest\r\n"
    )
    expected = (
        Stratum("top, first", True, 2000, 100, 50, 90),
        Stratum("rest", False, 100000, 200, 3, 200),
    )
    assert read_strata(write("strata.tsv", text)).strata == expected
    assert read_strata(write("x.gz", gzip.compress(text.encode()))).strata == expected


YES, NO = ("yes", "Y", "True", "1", "R", "retrieved"), ("no", "FALSE", "0", "n", "unretrieved")


@pytest.mark.parametrize(
    ("word", "is_retrieved"), [*((word, True) for word in YES), *((word, False) for word in NO)]
)
def test_words_for_retrieved(write, word, is_retrieved):
    other = "no" if is_retrieved else "yes"
    text = STRATA.replace("top,yes", f"top,{word}").replace("rest,no", f"rest,{other}")
    assert read_strata(write("s.csv", text)).strata[0].retrieved is is_retrieved


HEADER = "stratum,retrieved,population,sampled,relevant\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty: no header and no rows"),
        (HEADER, "empty: a header and no rows"),
        (
            HEADER.replace("population", "popullation") + "a,yes,9,2,1\n",
            "no column 'population'; got 'stratum', 'retrieved', 'popullation', ",
        ),
        (HEADER + "a,yes,9,2\n", "line 2: 4 cells where the header has 5"),
        (
            HEADER + "a,perhaps,9,2,1\n",
            "line 2: retrieved must be yes (y, true, 1, r, retrieved) or no (n, false, 0, "
            "unretrieved); got 'perhaps'",
        ),
        (HEADER + "Gesamt:,,9,2,1\n", "got ''; is this a row of totals? delete it"),
        (HEADER + "Grand total,-,9,2,1\n", "got '-'; is this a row of totals? delete it"),
        (HEADER + "a,yes,9,10,1\n", "line 2: 10 sampled of a population of 9"),
        (HEADER + "a,yes,9,2,3\n", "line 2: 3 relevant of 2 sampled"),
        (HEADER + "a,yes,9,-2,1\n", "sampled must be an integer of at least 0; got '-2'"),
        (HEADER + "a,yes,9.5,2,1\n", "population must be an integer of at least 0; got '9.5'"),
        (HEADER + "a,yes,88.000,2,1\n", "of at least 0; got '88.000'; write 88 or 88000"),
        (HEADER + "a,yes,9,1.200,1\n", "got '1.200'; write 1200 if '.' separates thousands"),
        (HEADER + "a,yes,9,2,50%\n", "got '50%'; a count is needed, not a percentage"),
        (HEADER + "a,yes,1.2E+05,2,1\n", "got '1.2E+05'; write all digits"),
        (HEADER + "a,yes,9,any,1\n", "sampled must be an integer of at least 0; got 'any'"),
        (HEADER + "a,yes,9,all,10\n", "line 2: 10 relevant of 9 sampled"),
        (HEADER + "a,yes,9,2,\n", "relevant must be an integer of at least 0; got ''"),
        (HEADER + ",yes,9,2,1\n", "line 2: a stratum without a name"),
        (
            HEADER + "a,no,9,2,1\na,yes,9,2,1\na,no,9,2,1\n",
            "line 4: stratum 'a' (unretrieved) is there twice",
        ),
        (HEADER + "a,yes,9,2,1\n", "every stratum is retrieved: recall needs both segments"),
        (HEADER + "a,no,9,2,1\n", "every stratum is unretrieved: recall needs both segments"),
        (HEADER + 'a,"yes" x,9,2,1\n', "line 2: ',' expected after '\"'"),
        (
            HEADER.replace("\n", ",assessable\n") + "a,yes,9,5,4,3\nb,no,9,5,4,6\n",
            "line 2: 4 relevant of 3 assessable",
        ),
    ],
)
def test_invalid_sheets(write, text, message):
    path = write("bad.csv", text)
    with pytest.raises(InputError, match=f"^{re.escape(str(path))}: .*{re.escape(message)}"):
        read_strata(path)


def test_counts_as_people_and_spreadsheets_write_them(write):
    rows = 'a,yes,"1,200",800.0,1 0\nb,no,"1,200,300","1\u202f200,00",1\'000.0\nc,no,9,3,1\n'
    path = write("s.csv", HEADER + rows.replace("1 0", "10"))
    sample = read_strata(path)
    assert sample.strata == (
        Stratum("a", True, 1200, 800, 10),
        Stratum("b", False, 1200300, 1200, 1000),
        Stratum("c", False, 9, 3, 1),
    )


def test_comma_is_the_decimal_mark_of_sheets_with_semicolons(write):
    text = HEADER.replace(",", ";")
    path = write("s.csv", text + "a;yes;1.200;800,0;10,00\nb;no;1.000;9;0\n")
    sample = read_strata(path)
    assert sample.strata == (Stratum("a", True, 1200, 800, 10), Stratum("b", False, 1000, 9, 0))
    for count, hint in (("1,000", "1 or 1000"), ("1,200", "1200 if ',' separates thousands")):
        with pytest.raises(InputError, match=f"line 2: population .* got '{count}'; write {hint}"):
            read_strata(write("s.csv", f"{text}a;yes;{count};1;1\nb;no;9;9;0\n"))


def test_names_that_look_like_counts_are_kept(write):
    sample = read_strata(write("s.csv", HEADER + '"1,200",yes,9,3,1\n2.0,no,9,3,1\n'))
    assert [one.name for one in sample.strata] == ["1,200", "2.0"]


def test_stratum_that_was_read_in_full(write):
    sample = read_strata(write("s.csv", HEADER + 'a,yes,"1,200",all,10\nb,no,90,ALL,1\n'))
    assert [one.sampled for one in sample.strata] == [1200, 90]


def test_semicolons_as_separators(write):
    text = STRATA.replace(",", ";").replace("top", "top, or nearly")
    first, second = read_strata(write("s.csv", text)).strata
    assert first == Stratum("top, or nearly", True, 2000, 100, 50)
    assert second == Stratum("rest", False, 100000, 200, 3)
    tabs = STRATA.replace("\n", ",x\n").replace(",", "\t").replace("relevant\tx", "relevant\ta; b")
    assert read_strata(write("s.tsv", tabs)).strata == read_strata(write("s.csv", STRATA)).strata


def test_unknown_columns_are_ignored_with_a_warning(write):
    """A misspelt column that need not be there would else be missed in silence."""
    text = "stratum,retrieved,population,sampled,relevant,asessable,r1\n"
    path = write("s.csv", text + "a,yes,9,5,1,4,1\nb,no,90,5,0,5,0\n")
    sample = read_strata(path)
    assert [one.assessable for one in sample.strata] == [None, None]
    assert sample.warnings == (f"{path}: ignored columns: 'asessable', 'r1'",)


def test_read_populations(write):
    text = "stratum,retrieved,population\na,yes,5\nb,no,50\n"
    assert [(s.name, s.population) for s in read_populations(write("s.csv", text)).strata] == [
        ("a", 5), ("b", 50),
    ]  # fmt: skip
    whole = read_populations(write("t.csv", STRATA))
    assert [(one.population, one.sampled, one.relevant) for one in whole.strata] == [
        (2000, 0, 0), (100_000, 0, 0),
    ]  # fmt: skip


def test_count_of_thousands_of_digits(write):
    text = f"stratum,retrieved,population,sampled,relevant\na,yes,{'9' * 5000},3,1\nb,no,9,3,1\n"
    with pytest.raises(
        InputError, match=r"line 2: population must be.*got '9{30,40}\.\.\.9{30,40}'"
    ):
        read_strata(write("s.csv", text))


CHECKS = "relevant_checked,relevant_confirmed,irrelevant_checked,irrelevant_overturned"


def test_columns_of_a_second_assessment(write):
    """An empty cell is a stratum in which nothing was assessed again."""
    text = (
        f"stratum,retrieved,population,sampled,relevant,{CHECKS}\n"
        "top,yes,2000,100,50,20,18,,\nrest,no,100000,200,3,3,1,60,2\n"
    )
    assert read_strata(write("strata.csv", text)).strata == (
        Stratum("top", True, 2000, 100, 50, None, 20, 18, None, None),
        Stratum("rest", False, 100000, 200, 3, None, 3, 1, 60, 2),
    )


@pytest.mark.parametrize(
    ("columns", "cells", "message"),
    [
        ("relevant_checked", "1", "line 3: relevant_checked without relevant_confirmed: give"),
        ("irrelevant_overturned", "1", "irrelevant_overturned without irrelevant_checked"),
        ("relevant_checked,relevant_confirmed", "4,1", "line 3: relevant_checked is 4, but only 3"),
        ("relevant_checked,relevant_confirmed", "2,", "line 3: relevant_checked without"),
        ("relevant_checked,relevant_confirmed", "x,1", "line 3: relevant_checked must be an int"),
    ],
)
def test_incomplete_or_impossible_second_assessments(write, columns, cells, message):
    head, top, rest = STRATA.splitlines()
    empty = "," * columns.count(",")
    path = write("s.csv", f"{head},{columns}\n{top},{empty}\n{rest},{cells}\n")
    with pytest.raises(InputError, match=re.escape(message)):
        read_strata(path)
