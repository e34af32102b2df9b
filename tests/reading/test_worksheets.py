"""Workbooks of Excel as sheets of strata and of assessments."""

from __future__ import annotations

import gzip
import hashlib
import re
import subprocess
import sys
from datetime import date
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from irbounds.errors import InputError
from irbounds.reading.assessments import Assessment, read_assessments
from irbounds.reading.strata_sheet import read_populations, read_strata
from irbounds.samples import Stratum
from irbounds.samples.documents import count_documents

HEADER = ["stratum", "retrieved", "population", "sampled", "relevant"]
ROWS = [HEADER, ["top", "yes", 2000, 100, 50], ["rest", False, 100000.0, "=A1*2 -> 200", 3]]
STRATA = (Stratum("top", True, 2000, 100, 50), Stratum("rest", False, 100000, 200, 3))


def test_numbers_words_booleans_and_formulas(write_workbook):
    path = write_workbook("strata.xlsx", {"Sheet1": ROWS})
    sample = read_strata(path)
    assert sample.strata == STRATA
    assert (sample.notes, sample.warnings) == ((), ())
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert sample.inputs[0].fingerprint == f"sha256:{digest}"


def test_content_decides_not_the_name(write_workbook, write):
    path = write_workbook("strata.csv", {"Sheet1": ROWS})
    assert read_strata(path).strata == STRATA
    compressed = write("x.gz", gzip.compress(path.read_bytes()))
    assert read_strata(compressed).strata == STRATA
    text = "stratum,retrieved,population,sampled,relevant\na,yes,9,2,1\nb,no,9,2,1\n"
    assert len(read_strata(write("text.xlsx", text)).strata) == 2


def test_table_may_begin_anywhere(write_workbook):
    """Rows are numbered as in the worksheet; empty columns and comments above are left out."""
    rows = [[], [None, "# drawn with seed 7"], []]
    rows += [[None, *row[:2], None, *row[2:]] for row in ROWS]
    path = write_workbook("s.xlsx", {"Sheet1": [*rows, [], [None, " "]]})
    sample = read_strata(path)
    assert sample.strata == STRATA
    rows[5][5] = 2001.5
    with pytest.raises(InputError, match=r"s\.xlsx: row 6: sampled must be .* got '2001\.5'$"):
        read_strata(write_workbook("s.xlsx", {"Sheet1": rows}))


def test_assessments(write_workbook):
    rows = [["doc_id", "relevance", "stratum"], [17, "Yes", "a"], ["x", 0, "a"], [18, True, "a"]]
    path = write_workbook("assessed.xlsx", {"Sheet1": rows})
    found = read_assessments(path)
    assert found.documents == (
        Assessment("17", 1, "a"), Assessment("x", 0, "a"), Assessment("18", 1, "a"),
    )  # fmt: skip
    for empty in (None, "=1/0 -> #DIV/0!"):
        path = write_workbook("assessed.xlsx", {"Sheet1": [*rows, ["y", empty, "a"]]})
        with pytest.raises(InputError, match="row 5: no relevance; assess all"):
            read_assessments(path)


@pytest.mark.parametrize("value", [date(2024, 3, 1), 1234567890123456, 12345678901234567890])
def test_ids_that_a_spreadsheet_altered_are_errors(write_workbook, value):
    rows = [["doc_id", "relevance"], ["a", 1], [value, 0]]
    with pytest.raises(InputError, match=r"row 3: doc_id .* is a date or a number of over 15"):
        read_assessments(write_workbook("a.xlsx", {"Sheet1": rows}))


def test_date_in_other_columns(write_workbook):
    """A stratum may be a day; a count may not, and its message has the date."""
    rows = [HEADER, [date(2024, 3, 1), "yes", 9, 3, 1], ["b", "no", 9, 3, 1]]
    assert read_strata(write_workbook("a.xlsx", {"S": rows})).strata[0].name == "2024-03-01"
    rows[1][4] = date(2024, 3, 1)
    with pytest.raises(InputError, match=r"row 2: relevant must be .*; got '2024-03-01'"):
        read_strata(write_workbook("a.xlsx", {"S": rows}))


def test_formula_without_a_value_is_an_empty_cell(write_workbook):
    rows = [HEADER, ["a", "yes", 9, 3, "=SUM(A1:A9)"], ["b", "no", 9, 3, 1]]
    with pytest.raises(InputError, match=r"row 2: relevant must be .* got ''"):
        read_strata(write_workbook("a.xlsx", {"Sheet1": rows}))


def test_several_worksheets(write_workbook):
    path = write_workbook("s.xlsx", {"Notes": [[]], "Strata": ROWS, "Empty": [[None]]})
    assert read_strata(path).strata == STRATA
    path = write_workbook("s.xlsx", {"Strata": ROWS, "Old": [[0]]})
    with pytest.raises(InputError, match=r"2 worksheets have content \('Strata', 'Old'\); keep "):
        read_strata(path)
    with pytest.raises(InputError, match="empty: no header and no rows"):
        read_strata(write_workbook("s.xlsx", {"Strata": [[]]}))


def test_sizes_of_strata(write_workbook):
    rows = [["stratum", "retrieved", "population"], ["a", "yes", 1], ["b", "no", "1,200"]]
    path = write_workbook("s.xlsx", {"Sheet1": rows})
    assert [one.population for one in read_populations(path).strata] == [1, 1200]
    drawn_path = write_workbook(
        "d.xlsx", {"S": [["doc_id", "relevance", "stratum"], ["x", 1, "a"], ["y", "no", "b"]]}
    )
    sample = count_documents(drawn_path, ["x"], strata=path)
    assert [one.relevant for one in sample.strata] == [1, 0]


def test_extra_that_is_not_installed(write_workbook, monkeypatch):
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    path = write_workbook("s.xlsx", {"Sheet1": ROWS})
    message = (
        f"{path}: a workbook of Excel, and python_calamine is not installed; it comes with: "
        'pip install "irbounds[excel]"; or save the sheet as CSV UTF-8'
    )
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        read_strata(path)


def zip_of(*names):
    def write_zip(path):
        with ZipFile(path, "w") as archive:
            for name in names:
                archive.writestr(name, "x")

    return write_zip


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600), r"\(\.xls\), or one with a password; sa"),
        (b"PK\x03\x04" + b"x" * 90, "a damaged workbook or zip archive"),
        (zip_of("mimetype", "content.xml"), r"such as \.ods and \.xlsb; save the sheet as"),
        (zip_of("xl/workbook.bin"), r"without an \.xlsx workbook"),
        (zip_of("a.csv"), r"a zip archive without an \.xlsx workbook, "),
        (zip_of("xl/workbook.xml"), "the workbook cannot be read: "),
    ],
)
@pytest.mark.parametrize("read", [read_strata, read_assessments])
def test_files_that_are_not_workbooks(tmp_path, content, message, read):
    path = tmp_path / "s.xlsx"
    path.write_bytes(content) if isinstance(content, bytes) else content(path)
    with pytest.raises(InputError, match=rf"^{re.escape(str(path))}: .*{message}") as caught:
        read(path)
    assert "\n" not in str(caught.value)


def add_cells(path, cells):
    """Add XML below the rows of a workbook's worksheets."""
    with ZipFile(path) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text.replace("</sheetData>", f"{cells}</sheetData>"))
    return path


FAR = '<row><c r="XFD1048576"><v>1</v></c></row>'


@pytest.mark.parametrize(
    ("cells", "place"),
    [
        (FAR, "17,179,869,184 cells up to row 1,048,576 and column 16,384"),
        (FAR.replace('"', "'"), "17,179,869,184 cells"),
        (FAR.replace("c r", "c s='0' r").replace("1048576", "2000"), "32,768,000 cells"),
        ("<row r='1048576'><c><v>1</v></c></row>", "5,242,880 cells"),
        ("<row/>" * 1_000_000 + "<row><c><v>1</v></c></row>", "5,000,020 cells"),
    ],
)
def test_cell_far_away(write_workbook, cells, place):
    """All cells up to it would take gigabytes, or end the process."""
    path = add_cells(write_workbook("far.xlsx", {"Sheet1": ROWS}), cells)
    with pytest.raises(InputError, match=rf"far\.xlsx: {place}"):
        read_strata(path)


def test_cell_without_content_may_be_far_away(write_workbook):
    path = write_workbook("s.xlsx", {"Sheet1": ROWS})
    assert read_strata(add_cells(path, '<row><c r="XFD1048576" s="0"/></row>')).strata == STRATA


@pytest.mark.parametrize("cells", ['<row r="2"><c><v>1</v></c></row>', '<row><c r="E2"/></row>'])
def test_cell_that_is_there_twice(write_workbook, cells):
    path = add_cells(write_workbook("s.xlsx", {"Sheet1": ROWS}), cells)
    with pytest.raises(InputError, match=r"s\.xlsx: row 2, column \d: a cell that is there twice"):
        read_strata(path)


LIMITED = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
from irbounds.cli import main
main()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit the memory")
def test_command_with_a_cell_far_away_within_limited_memory(tmp_path, write_workbook):
    path = add_cells(write_workbook("far.xlsx", {"S": ROWS}), FAR.replace("1048576", "9000"))
    assert path.stat().st_size < 3000
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, "recall", path], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"irbounds: error: {path}: 147,456,000 cells")
    assert done.stderr.count("\n") == 1
