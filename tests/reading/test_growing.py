"""Columns that grow, lines without numbers, and files that do not fit."""

from __future__ import annotations

import gzip
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import irbounds
from irbounds.errors import InputError
from irbounds.parallel import memory
from irbounds.reading import _kernels as fields
from irbounds.reading import fitting, sources, trec
from irbounds.reading.assessments import read_assessments
from irbounds.reading.corpus_list import read_corpus
from irbounds.reading.error_list import LineNumbers
from irbounds.reading.ids import Growing, IdentifierTable, grow
from irbounds.reading.strata_sheet import read_strata


@given(st.lists(st.lists(st.integers(-5, 5), max_size=9000), max_size=5))
def test_a_column_is_its_parts_end_to_end(parts):
    column = Growing(np.int32)
    for part in parts:
        column.append(np.array(part, np.int32))
    flat = [value for part in parts for value in part]
    assert len(column) == len(flat)
    assert column.finish().tolist() == flat


def test_a_column_takes_an_eighth_more_than_it_holds():
    column = Growing(np.float64)
    for k in range(2000):
        column.append(np.full(1000, k, np.float64))
        assert column.nbytes <= max(8 * 1.125 * len(column) + 8000, 8 << 12)
    found = column.finish()
    assert found.nbytes == 16_000_000
    assert (found == np.repeat(np.arange(2000), 1000)).all()


def test_room_that_is_there_is_left_alone():
    array = np.arange(10)
    grow(array, 10)
    assert array.tolist() == list(range(10))


def test_ids_survive_growing():
    """A hundred thousand of them in ten parts, each met again in the next."""
    ids = [f"document-{k}" for k in range(100_000)]
    table = IdentifierTable()
    for begin in range(0, 100_000, 10_000):
        part = [text.encode() for text in ids[max(begin - 10_000, 0) : begin + 10_000]]
        ends = np.cumsum([len(text) for text in part])
        starts = ends - [len(text) for text in part]
        codes = table.intern(np.frombuffer(bytearray().join(part), np.uint8), starts, ends)
        assert codes.tolist() == list(range(max(begin - 10_000, 0), begin + 10_000))
    found = table.finish()
    assert found.strings() == ids
    assert found.numbers_in(found).tolist() == list(range(100_000))
    assert found.text.nbytes == sum(map(len, ids))


@given(st.lists(st.lists(st.integers(1, 3), max_size=20), min_size=1, max_size=4))
def test_line_numbers(steps):
    numbers, lines, line = LineNumbers(), [], 0
    for part in steps:
        here = line + np.cumsum(part, dtype=np.int64)
        numbers.append(here.astype(np.int64))
        lines += here.tolist()
        line = lines[-1] if lines else 0
    assert [numbers[k] for k in range(len(lines))] == lines


def test_line_numbers_without_gaps():
    numbers = LineNumbers.without_gaps()
    assert [numbers[k] for k in (0, 7, 10**9)] == [1, 8, 10**9 + 1]


def test_lines_beyond_four_billion(write, monkeypatch):
    """The first piece is said to have 2**32 lines; the line of a fault is still right."""
    split, n_calls = fields.split_fields, []

    def split_many(*arguments):
        n, n_lines, n_bad = split(*arguments)
        n_calls.append(n)
        return n, n_lines if len(n_calls) > 1 else 2**32, n_bad

    monkeypatch.setattr(trec, "PIECE", 8)
    monkeypatch.setattr(fields, "split_fields", split_many)
    with pytest.raises(InputError) as caught:
        irbounds.read_qrels(write("qrels", "q 0 a 1\nq 0 b 1\nq 0 c 1\nq 0 b 0\nq 0 a 0\n"))
    said = str(caught.value)
    assert f"line {2**32 + 3}: conflicting judgments of document 'b'" in said
    assert f"1 on line {2**32 + 1} and 0 here" in said
    assert (
        f"line {2**32 + 4}: conflicting judgments of document 'a' in query 'q': 1 on line 1" in said
    )
    with pytest.raises(InputError, match=f"line {2**32 + 1}: relevance 'x'"):
        n_calls.clear()
        irbounds.read_qrels(write("qrels", "q 0 a 1\nq 0 b x\n"))


@pytest.mark.parametrize("piece", [40, 1 << 20])
def test_lines_in_errors_are_those_of_the_file(write, monkeypatch, piece):
    """Whatever is skipped, and wherever a piece of the file ends."""
    monkeypatch.setattr(trec, "PIECE", piece)
    text = "# a comment\n\nq 0 a 1\nq 0 b 1\n\n\nq 0 c 0\n# more\nq 0 b 2\nq 0 c 1\n"
    with pytest.raises(InputError) as caught:
        irbounds.read_qrels(write("qrels", text))
    said = str(caught.value)
    assert "line 9: conflicting judgments of document 'b'" in said
    assert "1 on line 4 and 2 here" in said
    assert "line 10: conflicting" in said
    assert "0 on line 7 and 1 here" in said


def test_lines_of_entries_that_are_moved(write):
    run = "b Q0 x 1 3 t\na Q0 x 1 3 t\n\nb Q0 y 2 2 t\nb Q0 x 3 1 t\n"
    with pytest.raises(InputError, match=r"line 5: document 'x' .* \(first on line 1\)"):
        irbounds.read_run(write("run", run))


def test_what_is_in_order_is_kept_as_it_was_read(write, monkeypatch):
    """No copy: the arrays are those that were read, and hold what stands in the file."""
    columns, finish = [], Growing.finish
    monkeypatch.setattr(Growing, "finish", lambda self: columns.append(finish(self)) or columns[-1])
    ordered = "".join(f"q{q} Q0 d{k} {k + 1} {9 - k} t\n" for q in range(3) for k in range(9))
    run = irbounds.read_run(write("ordered", ordered))
    shuffled = "".join(sorted(ordered.splitlines(keepends=True), key=lambda line: line[4:]))
    moved = irbounds.read_run(write("shuffled", shuffled), name="ordered")
    assert run.to_dict() == moved.to_dict()
    for array in (run.docs, run.scores):
        assert any(np.shares_memory(array, column) for column in columns)
    assert not any(np.shares_memory(moved.docs, column) for column in columns)  # the control
    assert run.nbytes < 200_000


@pytest.fixture
def small_machine(monkeypatch):
    """Asked for every byte, on a machine that has little beside the program."""
    monkeypatch.setattr(fitting, "NEGLIGIBLE", 0)
    monkeypatch.setattr(trec, "PIECE", 1 << 12)
    monkeypatch.setattr(memory, "resident_memory", lambda: 0)
    monkeypatch.setattr(memory, "machine_memory", lambda: memory.PROGRAM_BYTES + 300_000)


def lines_of(n: int) -> str:
    return "".join(f"q{k // 100} Q0 d{k % 100} {k % 100 + 1} {-(k % 100)} t\n" for k in range(n))


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_a_file_that_cannot_fit_is_refused_at_its_beginning(
    write, small_machine, monkeypatch, pack
):
    """16 bytes for each of 40,000 lines are 625 KiB; the first pieces are enough to know."""
    large = write("large.run", pack(lines_of(40_000).encode()))
    seen = []
    check = trec.check_reading_fits
    monkeypatch.setattr(
        trec, "check_reading_fits", lambda *given: (seen.append(given), check(*given))
    )
    if pack is gzip.compress:  # packed text is read in larger steps than this file is long
        monkeypatch.setattr("irbounds.reading.sources.CHUNK", 1 << 8)
    with pytest.raises(
        InputError,
        match=r"large\.run: about \d\d,\d+ lines: at least \d+ KiB of memory, and \d+ KiB may "
        r"be taken; read fewer .*--memory .*irbounds\.execution\(memory=",
    ):
        irbounds.read_run(large)
    assert seen[-1][1] < 30_000
    with irbounds.execution(memory="1GiB"):
        assert len(irbounds.read_run(large)) == 40_000


@pytest.mark.parametrize("threads", [1, 2])
def test_the_limit_holds_for_several_files_on_any_threads(write, monkeypatch, threads):
    """625 KiB each, and 300 KiB are left."""
    monkeypatch.setattr(fitting, "NEGLIGIBLE", 0)
    monkeypatch.setattr(memory, "resident_memory", lambda: 0)
    large = [write(f"{name}.run", lines_of(40_000)) for name in "ab"]
    with (
        irbounds.execution(threads=threads, memory=memory.PROGRAM_BYTES + 300_000),
        pytest.raises(InputError, match=r"\.run: about \d\d,\d+ lines: at least .* of memory"),
    ):
        irbounds.read_runs(large)


def test_files_that_are_read_at_once_have_to_fit_together(monkeypatch):
    """What another thread's file is going to take is not there to be taken."""
    monkeypatch.setattr(fitting, "NEGLIGIBLE", 0)
    monkeypatch.setattr(fitting, "remaining_memory", lambda: 250_000)

    def half_read(name, share=0.5):
        """10,000 lines are to come: 160,000 bytes."""
        fitting.check_reading_fits(SimpleNamespace(name=name, share_read=share), 10_000, 0)

    with fitting.reading_together():
        half_read("first")
        half_read("first")  # the same thread goes on, or to another file
        in_another_thread(half_read, "as large", 1.0)  # at its end it takes no more
        half_read("first")
        with pytest.raises(
            InputError, match=r"^second: about 20,000 lines: .* 88 KiB may be taken"
        ):
            in_another_thread(half_read, "second")
    in_another_thread(half_read, "by itself")
    half_read("by itself")


def in_another_thread(function, *arguments):
    with ThreadPoolExecutor(1) as pool:
        copy = copy_context()
        pool.submit(copy.run, function, *arguments).result()


def test_a_file_that_fits_is_read(write, small_machine):
    assert len(irbounds.read_run(write("small.run", lines_of(2000)))) == 2000


MANY = 20_000  # lines or entries: some 200 KB, which take some megabytes as Python values
HELD_WHOLE = {
    "JSON": (".json", '{"q": {' + ",".join(f'"d{k}": 1' for k in range(MANY)) + "}}", "run"),
    "JSON lines": (".jsonl", '{"q": {"d": 1}}\n' * MANY, "run"),
    "JSON that is not ended": (".json", '{"q": {' + '"d": 1,\n' * MANY, "run"),
    "CSV": (".csv", "query_id,doc_id,score\n" + "q,d,1\n" * MANY, "run"),
    "TSV": (".tsv", "query_id\tdoc_id\trelevance\n" + "q\td\t1\n" * MANY, "qrels"),
    "wide table": (".csv", "query_id,a,b\n" + "q,1,1\n" * MANY, "scores"),
    "trec_eval's output": (".txt", "map\tq\t0.5\n" * MANY, "scores"),
    "empty cells": (".csv", "a,b\n" + ",\n" * 3 * MANY, "scores"),
    "blank lines": (".csv", "a,b\n" + "\n" * 3 * MANY + "1,2\n", "scores"),
    "strata": (".csv", "stratum,N,n,r\n" + "s,9,5,1\n" * MANY, "strata"),
    "assessments": (".txt", "q 0 d 1\n" * MANY, "assessments"),
    "table of assessments": (".csv", "doc_id,relevance\n" + "d,1\n" * MANY, "assessments"),
    "card": (".json", '{"a": [' + "1,\n" * 3 * MANY, "card"),
    "factors": (".json", '{"a": [' + "1,\n" * 3 * MANY, "factors"),
    "run of one line": (".run", "q Q0 " + "d" * 20 * MANY, "run"),
    "cells of one line": (".csv", "a," * MANY, "strata"),
    "words of one line": (".txt", "a " * MANY, "assessments"),
    "corpus of one line": (".txt", "d" * 20 * MANY, "corpus"),
    "sheet of one line": (".csv", "s" * 20 * MANY, "strata"),
}
READERS = {
    "run": irbounds.read_run,
    "qrels": irbounds.read_qrels,
    "scores": irbounds.read_scores,
    "strata": read_strata,
    "assessments": read_assessments,
    "corpus": read_corpus,
    "card": irbounds.cards.read_card,
    "factors": irbounds.standardisation.read_factors,
}


@pytest.fixture
def small_pieces(monkeypatch):
    """Asked for every byte, piece by piece of 4 KiB."""
    monkeypatch.setattr(fitting, "NEGLIGIBLE", 0)
    monkeypatch.setattr(sources, "PIECE", 1 << 12)
    monkeypatch.setattr(trec, "PIECE", 1 << 12)
    monkeypatch.setattr("irbounds.reading.corpus_list.PIECE", 1 << 12)
    monkeypatch.setattr(memory, "resident_memory", lambda: 0)


@pytest.mark.parametrize("case", HELD_WHOLE)
def test_every_format_is_refused_while_it_is_unpacked(write, small_pieces, monkeypatch, case):
    ending, text, kind = HELD_WHOLE[case]
    packed = write(f"large{ending}.gz", gzip.compress(text.encode()))
    unpacked = []
    read = sources.Source.read
    monkeypatch.setattr(
        sources.Source, "read", lambda *given: unpacked.append(read(*given)) or unpacked[-1]
    )
    with (
        irbounds.execution(memory=memory.PROGRAM_BYTES + 1_000_000),
        pytest.raises(
            InputError,
            match=rf"large\{ending}\.gz: .*iB.* unpacked: at least .* of memory, and .*iB may be "
            r"taken; .*--memory .*irbounds\.execution\(memory=",
        ) as refused,
    ):
        READERS[kind](packed)
    assert len(str(refused.value).splitlines()) == 1
    assert sum(map(len, unpacked)) < len(text)  # while it was unpacked, not afterwards


@pytest.mark.parametrize("case", HELD_WHOLE)
def test_every_format_of_a_small_file_is_read_as_before(write, monkeypatch, case):
    """What is wrong with a file is said rather than that it does not fit."""
    ending, text, kind = HELD_WHOLE[case]
    said = ""
    with irbounds.execution(memory=memory.PROGRAM_BYTES + 1_000_000):
        try:
            READERS[kind](write(f"small{ending}", text[:2000]))
        except InputError as error:
            said = str(error)
    assert "memory" not in said


def test_a_list_of_ids_ends_where_the_process_is_as_large_as_it_may_be(write, small_pieces):
    """Ids are kept one by one, and the size of the process says what they take."""
    ids = write("ids.txt", "".join(f"d{k}\n" for k in range(MANY)))
    left = iter(range(10, -1, -1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fitting, "remaining_memory", lambda: next(left))
        with pytest.raises(InputError, match=r"ids\.txt: after 44 KiB there is no memory left"):
            read_corpus(ids)
    assert len(read_corpus(ids).documents) == MANY


def test_rows_of_parquet_are_counted_before_they_are_read(tmp_path, small_pieces, monkeypatch):
    """A hundred thousand equal rows are a small file, and not as Python values."""
    path = tmp_path / "equal.parquet"
    frame = pl.DataFrame({"query_id": ["q"] * 100_000, "doc_id": "d", "score": 1.0})
    frame.write_parquet(path)
    assert path.stat().st_size < 10_000
    monkeypatch.setattr(pl, "read_parquet", lambda _: pytest.fail("was read"))
    for reader in (irbounds.read_run, irbounds.read_qrels, irbounds.read_scores):
        with (
            irbounds.execution(memory=memory.PROGRAM_BYTES + 30_000_000),
            pytest.raises(InputError, match=r"equal\.parquet: 100,000 rows .* \d+ MiB.*--memory"),
        ):
            reader(path)


def test_long_texts_of_parquet_count_once_a_row(tmp_path, small_pieces):
    """A thousand rows that share a text of a million characters."""
    path = tmp_path / "long.parquet"
    pl.DataFrame({"query_id": "q" * 1_000_000, "doc_id": "d", "score": [1.0] * 1000}).write_parquet(
        path
    )
    with (
        irbounds.execution(memory=memory.PROGRAM_BYTES + 100_000_000),
        pytest.raises(InputError, match=r"long\.parquet: 1,000 rows .* at least 1\.9 GiB"),
    ):
        irbounds.read_run(path)


def test_columns_that_nobody_reads_take_less(tmp_path, small_pieces):
    """Twenty columns of text beside a run of 10,000 rows, which takes 4 MB as Python values."""
    path = tmp_path / "r.parquet"
    run = {"query_id": "q", "docno": [f"d{k}" for k in range(10_000)], "score": 1.0}
    pl.DataFrame(run | {f"text {k}": "x" * 1000 for k in range(20)}).write_parquet(path)
    with irbounds.execution(memory=memory.PROGRAM_BYTES + 10_000_000):
        assert len(irbounds.read_run(path)) == 10_000
        with pytest.raises(InputError, match=r"10,000 rows .* memory"):
            irbounds.read_scores(path)  # in which every column is a system


def test_a_system_without_memory_is_said_of_the_file(write, monkeypatch):
    def fail(_):
        raise MemoryError

    monkeypatch.setattr("irbounds.reading.qrels_and_runs.read_run_columns", fail)
    with pytest.raises(InputError, match=r"r\.run: the system has no more memory .*smaller files"):
        irbounds.read_run(write("r.run", lines_of(3)))


@pytest.mark.parametrize(
    ("text", "n"),
    [
        (b"a,b\n1,2\n", 4),
        (b"q 0  d\t1\r\nq 0 e 2", 8),
        (b",,,\n\n", 5),
        (b'{"q": {"d": 1,\n   "e": 2}}', 5),
        (b"word", 1),
    ],
)
def test_cells_of_a_text(text, n):
    assert sources._count_cells(text) == n
