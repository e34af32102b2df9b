"""The sheet of a drawn sample, and what is read from its first lines."""

from __future__ import annotations

import csv
import io

import pytest

from irbounds.errors import InputError
from irbounds.reading.assessments import read_assessments
from irbounds.results import DrawnSample, DrawnSegment, InputFile
from irbounds.results.drawn_sample import Draw, parse_draw

LISTS = "0123456789abcdef" * 4
DIGEST = f"sha256:{LISTS}"
SEGMENTS = (DrawnSegment(False, 95_000, 1500), DrawnSegment(True, 5000, 300))


def make_sample(doc_ids=("a", "b"), segments=SEGMENTS, names=("ids.txt", "found.txt")):
    inputs = tuple(InputFile(name, DIGEST) for name in names)
    return DrawnSample(7, segments, LISTS, inputs, doc_ids)


def facts_of(sample):
    return Draw(sample.seed, sample.segments, sample.lists)


def test_sheet_has_the_line_to_deposit_and_the_rows():
    sample = make_sample()
    assert sample.line == (
        f"irbounds draw seed=7 unretrieved=1500/95000 retrieved=300/5000 lists={LISTS}"
    )
    first, *lines = sample.to_sheet().splitlines()
    assert first == f"# {sample.line}"
    assert [line for line in lines if not line.startswith("#")] == ["doc_id,relevance", "a,", "b,"]
    assert sample.line in " ".join(str(sample).split())


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
    assert assessments.draw == facts_of(sample)


def test_name_of_a_file_has_no_character_that_a_spreadsheet_quotes():
    text = make_sample(names=('a,b;c"d".txt', "found.txt")).to_sheet()
    facts = [line for line in text.splitlines() if line.startswith("#")]
    assert not set("".join(facts)) & set(',;"')


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
    text = make_sample(IDS).to_sheet().replace(",\n", ",0\n")
    for separator in ",;":  # a spreadsheet may take either to separate cells
        cells = [cell for row in csv.reader(io.StringIO(text), delimiter=separator) for cell in row]
        assert not [cell for cell in cells if cell.startswith(FORMULAS)]
    for saved in (text, *(save_as_spreadsheet(text, separator) for separator in ",;\t")):
        documents = read_assessments(write("sheet.csv", saved)).documents
        assert tuple(document.doc_id for document in documents) == IDS


def test_ids_of_a_sheet_without_a_draw_are_read_as_they_are(write):
    (document,) = read_assessments(write("sheet.csv", "doc_id,relevance\n'=a,1\n")).documents
    assert document.doc_id == "'=a"


def test_sheet_without_facts_has_no_draw(write):
    text = "# assessed in May\n# seed: 7\ndoc_id,relevance\na,1\n"
    assert parse_draw("sheet.csv", text) is None
    assert read_assessments(write("sheet.csv", text)).draw is None


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
        (f"# {make_sample().line}\n", ""),
        ("doc_id,relevance", f"# {make_sample().line}\ndoc_id,relevance"),
    ],
)
def test_changed_facts_are_refused(write, part, change):
    text = make_sample().to_sheet().replace(",\n", ",1\n").replace(part, change, 1)
    with pytest.raises(InputError, match="the lines above the table, which irbounds draw wrote"):
        read_assessments(write("sheet.csv", text))


def test_records_and_print():
    sample = make_sample(tuple(f"d{k}" for k in range(1800)))
    assert len(sample) == len(sample.records()) == 1800
    assert sample.records()[0] == {"doc_id": "d0", "relevance": None}
    shown = " ".join(str(sample).split())
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
