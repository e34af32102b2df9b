"""Assessed documents of a sample, in three layouts."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest

from irbounds import read_qrels
from irbounds.errors import DataError, InputError
from irbounds.reading.assessments import Assessment, read_assessments


def test_four_columns(write):
    path = write("a.qrels", "# drawn\n7 0 a 1\n7\t0\tb  0\r\n\n7 0 c -1\n7 0 a 1\n8 0 z 2\n")
    found = read_assessments(path, "7")
    assert found.documents == (Assessment("a", 1), Assessment("b", 0), Assessment("c", -1))
    assert (found.query_id, found.n_repeated, found.n_others) == ("7", 1, 1)
    assert not found.has_strata


def test_five_columns_keep_the_probability_as_written(write):
    found = read_assessments(write("a.txt", "7 0 a 1 0.0500\n7 0 b 0 1\n7 0 c 2 1e-3\n"))
    assert [one.iprob for one in found.documents] == [
        Decimal("0.0500"),
        Decimal(1),
        Decimal("1e-3"),
    ]
    assert str(found.documents[0].iprob) == "0.0500"


@pytest.mark.parametrize("separator", [",", "\t"])
def test_table_with_named_columns(write, separator):
    text = "stratum,DocNo,rel\nhead,a,1\ntail,b,-2\n".replace(",", separator)
    found = read_assessments(write("a.csv", text))
    assert found.documents == (Assessment("a", 1, "head"), Assessment("b", -2, "tail"))
    assert (found.query_id, found.has_strata) == (None, True)


def test_semicolons_and_an_unknown_column(write):
    path = write("a.csv", "doc_id;relevance;assessor\na;1;me\nb;0;you\n")
    found = read_assessments(path)
    assert found.documents == (Assessment("a", 1), Assessment("b", 0))
    assert found.warnings == (f"{path}: ignored columns: 'assessor'",)


WORDS = {
    1: ("yes", "Y", "TRUE", "Relevant", "responsive", "1.0", "1,00"),
    0: ("no", "N", "false", "Not relevant", "irrelevant", "non-relevant", "nonrelevant", "0.0",
        "not responsive", "Non-Responsive", "nonresponsive"),
    -1: ("-1", "-1.0"),
}  # fmt: skip


@pytest.mark.parametrize("relevance", WORDS)
def test_relevance_in_words(write, relevance):
    for word in WORDS[relevance]:
        (found,) = read_assessments(write("a.csv", f'doc_id,relevance\na,"{word}"\n')).documents
        assert found.relevance == relevance


def test_dict(write):
    assert read_assessments({"a": 1, 5: 0}).documents == (Assessment("a", 1), Assessment("5", 0))
    assert read_assessments({"a": 1}).fingerprint != read_assessments({"a": 0}).fingerprint


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.txt", "\n", "empty: no line with the columns 'query 0 document relevance [iprob]'"),
        ("a.txt", "", "empty: the file has no content"),
        ("a.xlsx", "", "empty: the file has no content"),
        ("a.txt", "7 0 a\n", "line 1: 3 columns where 4 or 5 are expected (query 0 document"),
        ("a.txt", "7 Q0 a 1 0.5 tag\n", "6 columns where 4 or 5 are expected"),
        ("a.txt", "7 0 a 1\n7 0 b 1 0.5\n", "line 2: 5 columns where 4 are expected"),
        ("a.txt", "7 0 a maybe\n", "line 1: relevance 'maybe' is not an integer"),
        ("a.txt", "7 0 a 1.5\n", "relevance '1.5' is not an integer"),
        ("a.txt", "7 0 a -+1\n", "relevance '-+1' is not an integer"),
        ("a.txt", "7 0 a 1 1E-400000000\n", "from 1E-12 to 1; got '1E-400000000'"),
        ("a.txt", "7 0 a 1 0\n", "iprob must be a probability from 1E-12 to 1; got '0'"),
        ("a.txt", "7 0 a 1 1.01\n", "to 1; got '1.01'"),
        ("a.txt", "7 0 a 1 nan\n", "to 1; got 'nan'"),
        ("a.txt", "7 0 a 1 often\n", "to 1; got 'often'"),
        ("a.txt", "7 0 a 1 0_1\n", "to 1; got '0_1'"),
        ("a.txt", f"7 0 a 1 1e-{'9' * 25}\n", f"to 1; got '1e-{'9' * 25}'"),
        ("a.txt", "7 0 a 1 0.\u0661\n", "to 1; got '0.\u0661'"),
        ("a.txt", "7 0 a 1 \u20280.5\n", r"to 1; got '\u20280.5'"),
        ("a.txt", "7 0 a 1\n7 0 a 0\n", "line 2: document 'a' was assessed differently on line 1"),
        ("a.txt", "7 0 a 1 0.5\n7 0 a 1 0.4\n", "line 2: document 'a' was assessed differently"),
        ("a.csv", "doc_id,relevance\n,1\n", "line 2: no doc_id"),
        ("a.csv", "doc_id,relevance,stratum\na,1,\n", "line 2: no stratum"),
        (
            "a.csv",
            "doc_id\na\n",
            "no column 'relevance'; got 'doc_id'",
        ),
        (
            "a.csv",
            "doc_id,relevance,stratum,iprob\na,1,s,1\n",
            "columns 'stratum' and 'iprob' exclude",
        ),
        ("a.csv", "doc_id,relevance\na,1\nb,\n", "line 3: no relevance; assess all documents of"),
    ],
)
def test_invalid_assessments(write, name, text, message):
    path = write(name, text)
    with pytest.raises(InputError, match=f"^{re.escape(str(path))}: .*{re.escape(message)}"):
        read_assessments(path)


def test_choice_of_the_query(write):
    path = write("a.txt", "".join(f"{q} 0 a 1\n" for q in (7, 8, 9, 10)))
    with pytest.raises(DataError, match=r"4 queries \('7', '8', '9' \.\.\.\): select one with"):
        read_assessments(path)
    with pytest.raises(DataError, match="no assessment of query '6'; there are '7', '8', '9'"):
        read_assessments(path, "6")


def test_invalid_sources():
    with pytest.raises(
        InputError, match="a path or a dict of ids to relevances is expected; got i"
    ):
        read_assessments(3)
    with pytest.raises(InputError, match="the assessments: empty: no documents"):
        read_assessments({})
    with pytest.raises(
        InputError, match="the assessments: document 2: relevance 'x' is not an int"
    ):
        read_assessments({"a": 1, "b": "x"})


def test_five_columns_as_judgments_name_the_right_command(write):
    path = write("qrels.txt", "7 0 a 1 0.5\n")
    with pytest.raises(InputError, match="from which irbounds recall --assessed FILE estimates re"):
        read_qrels(path)
