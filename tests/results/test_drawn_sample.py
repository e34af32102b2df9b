"""The sheet of a drawn sample, and what is read from its first lines."""

from __future__ import annotations

import csv
import io

import pytest

from irbounds.errors import InputError
from irbounds.reading.assessments import read_assessments
from irbounds.results import DrawnSample, DrawnSegment, InputFile
from irbounds.results.drawn_sample import Draw, parse_draw

DIGEST = "sha256:" + "0123456789abcdef" * 4
SEGMENTS = (DrawnSegment(False, 95_000, 1500), DrawnSegment(True, 5000, 300))
FILES = (InputFile("ids.txt", DIGEST), InputFile("found.txt", DIGEST[::-1].replace(":", "")))


def make_sample(doc_ids=("a", "b"), segments=SEGMENTS, names=("ids.txt", "found.txt")):
    return DrawnSample(7, segments, tuple(InputFile(name, DIGEST) for name in names), doc_ids)


def facts_of(sample):
    return Draw(sample.seed, sample.segments, sample.inputs)


def test_sheet_has_the_facts_and_the_rows():
    lines = make_sample().to_sheet().splitlines()
    assert lines[1:] == [
        "# seed: 7",
        "# order: SHA-256 of 7:doc_id",
        "# population: 100000 documents in ids.txt",
        f"# population sha256: {DIGEST[7:]}",
        "# retrieved: 5000 documents in found.txt",
        f"# retrieved sha256: {DIGEST[7:]}",
        "# drawn: 1500 of 95000 unretrieved documents",
        "# drawn: 300 of 5000 retrieved documents",
        "# relevance: 1 relevant or 0 not relevant or -1 could not be judged",
        "# then: irbounds recall --assessed SHEET --retrieved-ids found.txt --corpus ids.txt",
        "doc_id,relevance",
        "a,",
        "b,",
    ]


def save_as_spreadsheet(text: str, separator: str) -> str:
    """Return a sheet as spreadsheets save it: every row as long as the longest one."""
    rows = list(csv.reader(io.StringIO(text)))
    width = max(map(len, rows))
    saved = io.StringIO()
    writer = csv.writer(saved, delimiter=separator)  # lines end in CR LF
    writer.writerows([*row, *[""] * (width - len(row))] for row in rows)
    return saved.getvalue()


@pytest.mark.parametrize("separator", ",;\t")
@pytest.mark.parametrize(
    "sample",
    [
        make_sample(),
        make_sample(segments=(DrawnSegment(None, 9, 2),), names=("ids.txt",)),
        make_sample(names=('a,b;c "d".txt', "found.txt")),
    ],
)
def test_facts_survive_a_spreadsheet(sample, separator, write):
    text = sample.to_sheet().replace(",\n", ",1\n")
    saved = save_as_spreadsheet(text, separator)
    assert '"' not in saved
    path = write("sheet.csv", b"\xef\xbb\xbf" + saved.encode())
    assessments = read_assessments(path)
    assert [document.doc_id for document in assessments.documents] == ["a", "b"]
    read = assessments.draw
    assert (read.seed, read.segments) == (7, sample.segments)
    assert [file.fingerprint for file in read.inputs] == [f.fingerprint for f in sample.inputs]


def test_name_of_a_file_has_no_character_that_a_spreadsheet_quotes():
    text = make_sample(names=('a,b;c "d".txt', "found.txt")).to_sheet()
    assert "documents in a_b_c _d_.txt\n" in text
    assert parse_draw("sheet.csv", text).inputs[0].name == "a_b_c _d_.txt"


def test_ids_of_any_characters_are_read_back(write):
    doc_ids = ("a,b", 'say"x"', "#a", "=1+1", "ä€", "a;b", "'q'", "-5")
    text = make_sample(doc_ids).to_sheet().replace(",\n", ",0\n")
    documents = read_assessments(write("sheet.csv", text)).documents
    assert tuple(document.doc_id for document in documents) == doc_ids


def test_sheet_without_facts_has_no_draw(write):
    text = "# assessed in May\n# seed: 7\ndoc_id,relevance\na,1\n"
    assert parse_draw("sheet.csv", text) is None
    assert read_assessments(write("sheet.csv", text)).draw is None


def test_facts_below_the_header_are_ignored():
    text = make_sample().to_sheet()
    facts, header, rows = text.partition("doc_id,relevance\n")
    assert parse_draw("sheet.csv", text + "# seed: 8\n") == facts_of(make_sample())
    assert parse_draw("sheet.csv", header + facts + rows) is None


@pytest.mark.parametrize(
    ("line", "change"),
    [
        ("# seed: 7", "# seed: seven"),
        ("# seed: 7", "# seed: \N{ARABIC-INDIC DIGIT SEVEN}"),
        ("# seed: 7\n", ""),
        ("# drawn: 1500 of 95000 unretrieved", "# drawn: some of 95000 unretrieved"),
        ("documents in ids.txt", "ids"),
        (DIGEST[7:], "0123"),
    ],
)
def test_changed_facts_are_refused(line, change):
    text = make_sample().to_sheet().replace(line, change)
    with pytest.raises(InputError, match="the lines above the table, which irbounds draw wrote"):
        parse_draw("sheet.csv", text)


def test_records_and_print():
    sample = make_sample(tuple(f"d{k}" for k in range(1800)))
    assert len(sample) == len(sample.records()) == 1800
    assert sample.records()[0] == {"doc_id": "d0", "relevance": None}
    shown = " ".join(str(sample).split())
    assert "1,500 of 95,000 unretrieved documents and 300 of 5,000 retrieved documents" in shown
    assert "seed 7: ids.txt (sha256 0123456789ab), found.txt" in shown
    assert "d4" in shown
    assert "d5" not in shown
    assert "the first 5 of 1,800" in shown


def test_next_command_asks_for_the_counts_of_a_set_that_was_not_drawn_from():
    sample = make_sample(segments=(DrawnSegment(False, 9400, 344), DrawnSegment(True, 600, 0)))
    assert sample.next_command == (
        "irbounds recall --retrieved 600 all RELEVANT --assessed SHEET --retrieved-ids found.txt "
        "--corpus ids.txt"
    )
    assert "all RELEVANT" not in make_sample().next_command


def test_next_command_has_placeholders_for_objects():
    sample = make_sample(segments=(DrawnSegment(None, 9, 2),), names=("the population",))
    assert sample.next_command.endswith("--retrieved-ids RETRIEVED --corpus POPULATION")
