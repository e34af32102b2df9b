"""CSV and TSV: every reader of them has the same rules, and drops nothing."""

from __future__ import annotations

import csv
import hashlib
import io
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import irbounds
from irbounds.errors import InputError
from irbounds.reading.assessments import read_assessments
from irbounds.reading.sheets import read_columns, read_rows
from irbounds.reading.strata_sheet import read_populations, read_strata

READERS = {
    "judgments": (irbounds.read_qrels, "query_id,doc_id,relevance\n1,a,1\n1,b,0\n"),
    "run": (irbounds.read_run, "query_id,doc_id,score\n1,a,1.5\n1,b,0\n"),
    "wide": (irbounds.read_scores, "topic,a,b\n1,0.5,0\n2,0.25,1\n"),
    "numbered": (irbounds.read_scores, "a,b\n0.5,0\n0.25,1\n"),
    "long": (irbounds.read_scores, "query_id,system,value\n1,a,0.5\n2,a,0.25\n"),
    "strata": (
        read_strata,
        "stratum,retrieved,population,sampled,relevant\na,yes,9,3,1\nb,no,90,3,1\n",
    ),
    "sizes": (read_populations, "stratum,retrieved,population\na,yes,9\nb,no,90\n"),
    "assessments": (read_assessments, "doc_id,relevance\na,1\nb,0\n"),
}

#: sheets that people fill in
SHEETS = ("strata", "sizes", "assessments")


def content(found):
    """What was read, without the fingerprint of the file."""
    if hasattr(found, "to_dict"):
        return found.to_dict()
    if hasattr(found, "strata"):
        return found.strata
    if hasattr(found, "systems"):
        return found.systems, found.queries, found.values.tolist()
    if isinstance(found, tuple):
        return [content(one) for one in found]
    return {key: one for key, one in vars(found).items() if key != "fingerprint"}


@pytest.fixture(params=READERS)
def reader(request):
    return READERS[request.param]


def test_empty_lines_and_line_breaks_of_any_kind(write, reader):
    read, text = reader
    expected = content(read(write("t.csv", text)))
    for end in ("\r\n", "\r", "\n\n", "\n \n"):
        found = read(write("t.csv", "\n" + text.replace("\n", end) + "\n\n"))
        assert content(found) == expected


def test_rows_without_a_value_are_skipped(write, reader):
    read, text = reader
    header, first, second = text.splitlines()
    expected = content(read(write("t.csv", text)))
    empty = "," * header.count(",")
    for lines in (
        [header, first, second, empty],
        [header, first, empty, second, f" {empty}\t"],
        [empty, header, "", first, empty, second],
    ):
        assert content(read(write("t.csv", "\n".join(lines)))) == expected


def test_comment_above_the_header_that_a_spreadsheet_has_quoted(write):
    text = '"# drawn, with seed 7",\ndoc_id,relevance\na,1\n'
    found = read_assessments(write("a.csv", text))
    assert [one.doc_id for one in found.documents] == ["a"]
    with pytest.raises(InputError, match="line 3: no relevance; assess all"):
        read_assessments(write("a.csv", 'doc_id,relevance\na,1\n"#5",\n'))


def test_row_of_an_id_that_begins_like_a_comment_is_no_comment(write):
    for row in ("#5,0", '"#5",0'):
        found = read_assessments(write("a.csv", f"# drawn\ndoc_id,relevance\na,1\n{row}\n"))
        assert [one.doc_id for one in found.documents] == ["a", "#5"]
    with pytest.raises(InputError, match="line 3: 1 cells where the header has 2"):
        read_assessments(write("a.csv", "doc_id,relevance\na,1\n# checked\n"))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("kind", SHEETS)
def test_utf_16(write, kind, encoding):
    read, text = READERS[kind]
    expected = content(read(write("t.csv", text)))
    mark = "" if encoding == "utf-16" else "\ufeff"
    path = write("t.csv", f"{mark}{text}".replace("\n", "\r\n").encode(encoding))
    assert content(read(path)) == expected
    with pytest.raises(InputError, match=r"t\.csv: line 1: a zero byte: UTF-16 without a byte-ord"):
        read(write("t.csv", text.encode("utf-16-le" if encoding == "utf-16" else encoding)))


def test_utf_16_is_fingerprinted_as_stored(write):
    data = "\ufeffdoc_id\trelevance\né\t1\n".encode("utf-16-le")
    found = read_assessments(write("unicode.txt", data))  # as Excel names its Unicode text
    assert found.documents[0].doc_id == "é"
    assert found.fingerprint == f"sha256:{hashlib.sha256(data).hexdigest()}"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xff\xfea\0,", "not valid UTF-16 (byte 4): truncated data"),
        (b"\xff\xfea\0\n\0\0\0", "line 2: a zero character: binary, not text"),
        (
            "doc_id,relevance\na,1\ncaf\xe9,0\n".encode("cp1252"),
            "line 3: not UTF-8 (byte 0xe9), which is 'é' in Windows-1252; save the file as UTF-8, "
            "in Excel as 'CSV UTF-8'",
        ),
        (b"doc_id,relevance\na\x81,1\n", "line 2: not UTF-8 (byte 0x81); save the file as"),
    ],
)
@pytest.mark.parametrize("read", [read_assessments, read_strata])
def test_text_in_other_encodings(write, data, message, read):
    with pytest.raises(InputError, match=rf"t\.csv: {re.escape(message)}"):
        read(write("t.csv", data))


def test_trec_text_in_utf_16_is_an_error(write):
    data = "1 0 a 1\n".encode("utf-16")
    for read in (irbounds.read_qrels, read_assessments):
        with pytest.raises(InputError, match="line 1: UTF-16, where UTF-8 is expected; save the"):
            read(write("qrels.txt", data))


@pytest.mark.parametrize("place", [1, 2])
@pytest.mark.parametrize("end", ["\n", ""])
def test_row_of_another_width(write, reader, place, end):
    read, text = reader
    lines = text.splitlines()
    width = lines[0].count(",") + 1
    for cells in (lines[place] + ",", lines[place].rpartition(",")[0], lines[place] + ',""'):
        changed = [*lines[:place], cells, *lines[place + 1 :]]
        n = cells.count(",") + 1
        with pytest.raises(InputError, match=f"line {place + 1}: {n} cells .* has {width}"):
            read(write("t.csv", "\n".join(changed) + end))


@pytest.mark.parametrize(
    ("text", "line"),
    [('a,b\n1,"2\n', 2), ('a,b\n1,2\n1,"2"x\n', 3), ('a,b\n1,"x\ny"z\n', 2), ('a,"b\n', 1)],
)
def test_unmatched_quotes(text, line):
    with pytest.raises(InputError, match=f"t: line {line}: "):
        list(read_rows(io.StringIO(text, newline=""), ",", "t"))


TEXTS = st.text(st.sampled_from('a0",;\t\r\n #\x0b\x0c\x1c\x85\u2028é'), max_size=6)


@given(st.lists(st.lists(TEXTS, min_size=3, max_size=3), min_size=1, max_size=5))
def test_cells_are_read_as_written(rows):
    names = ["name", 'a"b', "c,d\r\n"]
    kept = [row for row in rows if "".join(row).strip(" \t\r\n\v\f")]
    for end in ("\n", "\r\n"):
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator=end, quoting=csv.QUOTE_ALL).writerows([names, *kept])
        found = read_columns(text.getvalue().encode(), ",", "t")
        assert list(found) == names
        assert [list(cells) for cells in zip(*found.values(), strict=True)] == kept


def test_names_with_quotes_and_cells_with_line_breaks(write):
    table = irbounds.read_scores(write("s.csv", 'topic,"a""b",c"d\n1,0.5,1\n'))
    assert table.systems == ('a"b', 'c"d')
    run = irbounds.read_run(write("r.csv", 'query_id,doc_id,score\n1,"a\r\nb",1\n1,"a\nb",2\n'))
    assert run.to_dict() == {"1": {"a\nb": 2.0, "a\r\nb": 1.0}}


def test_line_within_a_quoted_cell_is_not_a_comment(write):
    text = '# drawn\nstratum,retrieved,population\n"a\n# b",yes,9\nb,no,"x"\n'
    with pytest.raises(InputError, match="line 5: population must be"):
        read_populations(write("s.csv", text))
    sizes = read_populations(write("s.csv", text.replace('"x"', "5")))
    assert [one.name for one in sizes.strata] == [
        "a\n# b",
        "b",
    ]


def test_cell_of_more_than_128_kib(write):
    long = "x " * 100_000
    run = write("r.csv", f'query_id,doc_id,score,text\n1,a,2,"{long}"\n1,b,1,\n')
    assert irbounds.read_run(run).to_dict() == {"1": {"a": 2.0, "b": 1.0}}
    for name, text in (("s.csv", "topic,a\n1,{}\n"), ("t.csv", "stratum,{}\n1,1\n")):
        with pytest.raises(InputError) as caught:
            (irbounds.read_scores if name == "s.csv" else read_strata)(
                write(name, text.format(long))
            )
        assert len(str(caught.value)) < 500


def test_long_names_and_line_breaks_in_messages(write):
    long = "x" * 100_000
    text = f'topic,"a\nb",{long}\n1,?,?\n'
    with pytest.raises(InputError) as caught:
        irbounds.read_scores(write("s.csv", text))
    assert len(str(caught.value)) < 500
    assert "'a\\nb': '?' is not a finite number" in str(caught.value)
    text = f'"query_id","measure",value\n1,"a\n{long[:200]}",1\n1,"a\n{long[:200]}",1\n'
    with pytest.raises(InputError, match=r"two values of 'a\\nx+\.\.\.x+' for system"):
        irbounds.read_scores(write("s.csv", text))


def test_column_without_a_name(write):
    with pytest.raises(InputError, match="column 3 has no name in the header"):
        irbounds.read_scores(write("s.csv", "topic,a,\n1,0.5,\n2,0.5,\n"))


@pytest.mark.parametrize("text", ['" "', '" "\n', '""', "\x1c", "\u00a0\n", "#\n", ",\n"])
def test_almost_empty_files(write, reader, text):
    with pytest.raises(InputError, match=r"t\.csv: "):
        reader[0](write("t.csv", text))


def cpu_seconds_to_read(path):
    """Return the least CPU time of three readings, which other processes hardly change."""
    times = []
    for _ in range(3):
        begin = time.process_time()
        irbounds.read_scores(path)
        times.append(time.process_time() - begin)
    return min(times)


def test_many_columns_take_linear_time(write):
    """8 times the columns take 8 times as long; a count per name would take 64 times as long."""
    few, many = (
        write(f"{n}.csv", ",".join(map(str, range(n))) + "\n" + ",".join("1" * n) + "\n")
        for n in (2_000, 16_000)
    )
    assert cpu_seconds_to_read(many) < 30 * max(cpu_seconds_to_read(few), 0.02)


def test_repeated_name_among_many(write):
    names = [*map(str, range(30_000)), "7"]
    with pytest.raises(InputError, match=re.escape("column '7' is in the header twice")):
        irbounds.read_scores(write("s.csv", ",".join(names) + "\n"))
