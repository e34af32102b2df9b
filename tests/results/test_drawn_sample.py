"""The sheet of a drawn sample, and what is read from its first lines."""

from __future__ import annotations

import csv
import io

import pytest

from irbounds.errors import InputError
from irbounds.reading.assessments import read_assessments
from irbounds.results import DrawnSample
from irbounds.samples.random_draw import find_line

LISTS = "0123456789abcdef" * 4
LINE = f"irbounds draw seed=7 unretrieved=1500/95000 retrieved=300/5000 lists={LISTS}"


def test_sheet_has_the_line_to_deposit_and_the_rows():
    sample = DrawnSample(LINE, ("a", "b"))
    first, *lines = sample.to_sheet().splitlines()
    assert first == f"# {LINE}"
    assert [line for line in lines if not line.startswith("#")] == ["doc_id,relevance", "a,", "b,"]
    assert LINE in " ".join(str(sample).split())


def save_as_spreadsheet(text: str, separator: str) -> str:
    """Return a sheet as spreadsheets save it: every row as long as the longest one."""
    rows = list(csv.reader(io.StringIO(text)))
    width = max(map(len, rows))
    saved = io.StringIO()
    writer = csv.writer(saved, delimiter=separator)  # lines end in CR LF
    writer.writerows([*row, *[""] * (width - len(row))] for row in rows)
    return saved.getvalue()


@pytest.mark.parametrize("separator", ",;\t")
def test_line_survives_a_spreadsheet(separator, write):
    text = DrawnSample(LINE, ("a", "b")).to_sheet().replace(",\n", ",1\n")
    saved = save_as_spreadsheet(text, separator)
    assert '"' not in saved
    assessments = read_assessments(write("sheet.csv", b"\xef\xbb\xbf" + saved.encode()))
    assert [document.doc_id for document in assessments.documents] == ["a", "b"]
    assert find_line("sheet.csv", assessments.comments) == LINE


IDS = (
    "a,b",
    'say"x"',
    "#a",
    "ä€",
    "a;b",
    "'q'",
    "''",
    "=1+1",
    "=a,b",
    '="x"',
    "+1",
    "-5",
    "-Kx",
    "@a",
)
FORMULAS = tuple("=+-@\t\r")


def test_ids_of_any_characters_are_read_back_and_none_is_a_formula(write):
    text = DrawnSample(LINE, IDS).to_sheet().replace(",\n", ",0\n")
    for separator in ",;":  # a spreadsheet may take either to separate cells
        cells = [cell for row in csv.reader(io.StringIO(text), delimiter=separator) for cell in row]
        assert not [cell for cell in cells if cell.startswith(FORMULAS)]
    for saved in (text, *(save_as_spreadsheet(text, separator) for separator in ",;\t")):
        documents = read_assessments(write("sheet.csv", saved)).documents
        assert tuple(document.doc_id for document in documents) == IDS


def test_ids_of_a_sheet_without_a_draw_are_read_as_they_are(write):
    (document,) = read_assessments(write("sheet.csv", "doc_id,relevance\n'=a,1\n")).documents
    assert document.doc_id == "'=a"


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("seed=7", "seed=seven"),
        ("seed=7", "seed=\N{ARABIC-INDIC DIGIT SEVEN}"),
        ("seed=7 ", ""),
        ("=1500/95000", "=some/95000"),
        (" unretrieved=1500/95000 retrieved=300/5000", ""),
        ("lists=0123", "lists="),
        (f"lists={LISTS}", f"lists={LISTS}0"),
        (LINE, f"{LINE}\n# {LINE}"),
    ],
)
def test_changed_lines_are_refused(part, change):
    assert find_line("sheet.csv", "# assessed in May\n# seed: 7") == ""
    with pytest.raises(InputError, match="line above the table, which irbounds draw wrote, is inc"):
        find_line("sheet.csv", f"# {LINE}".replace(part, change))
