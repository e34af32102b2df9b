"""Columns that grow, lines without numbers, and files that do not fit."""

from __future__ import annotations

import gzip
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import irbounds
from irbounds.errors import InputError
from irbounds.read import fitting, trec
from irbounds.read.growing import Growing, grow
from irbounds.read.identifiers import IdentifierTable
from irbounds.read.line_numbers import LineNumbers
from irbounds.scale import memory


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
        here = line + np.cumsum(part, dtype=np.uint32)
        numbers.append(here.astype(np.uint32))
        lines += here.tolist()
        line = lines[-1] if lines else 0
    assert [numbers[k] for k in range(len(lines))] == lines


def test_line_numbers_without_gaps():
    numbers = LineNumbers.without_gaps()
    assert [numbers[k] for k in (0, 7, 10**9)] == [1, 8, 10**9 + 1]


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
    with pytest.raises(InputError, match=r"line 5: document 'x' .* \(first on line 1;"):
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
    monkeypatch.setattr(fitting, "TRIFLE", 0)
    monkeypatch.setattr(trec, "PIECE", 1 << 12)
    monkeypatch.setattr(memory, "resident", lambda: 0)
    monkeypatch.setattr(memory, "machine_memory", lambda: memory.PROGRAM + 300_000)


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
        monkeypatch.setattr("irbounds.read.sources.CHUNK", 1 << 8)
    with pytest.raises(
        InputError,
        match=r"large\.run: about \d\d,\d+ lines take at least \d+ KiB of memory, and \d+ KiB may "
        r"be taken; read fewer .*--memory .*irbounds\.execution\(memory=",
    ):
        irbounds.read_run(large)
    assert seen[-1][1] < 30_000
    with irbounds.execution(memory="1GiB"):
        assert len(irbounds.read_run(large)) == 40_000


@pytest.mark.parametrize("threads", [1, 2])
def test_the_limit_holds_for_several_files_on_any_threads(write, monkeypatch, threads):
    """625 KiB each, and 300 KiB are left."""
    monkeypatch.setattr(fitting, "TRIFLE", 0)
    monkeypatch.setattr(memory, "resident", lambda: 0)
    large = [write(f"{name}.run", lines_of(40_000)) for name in "ab"]
    with (
        irbounds.execution(threads=threads, memory=memory.PROGRAM + 300_000),
        pytest.raises(InputError, match=r"\.run: about \d\d,\d+ lines take at least .* of memory"),
    ):
        irbounds.read_runs(large)


def test_files_that_are_read_at_once_have_to_fit_together(monkeypatch):
    """What another thread's file is going to take is not there to be taken."""
    monkeypatch.setattr(fitting, "TRIFLE", 0)
    monkeypatch.setattr(fitting, "left_now", lambda: 250_000)

    def half_read(name, share=0.5):
        """10,000 lines are to come: 160,000 bytes."""
        fitting.check_reading_fits(SimpleNamespace(name=name, share_read=share), 10_000, 0)

    with fitting.reading_together():
        half_read("first")
        half_read("first")  # the same thread goes on, or to another file
        in_another_thread(half_read, "as large", 1.0)  # at its end it takes no more
        half_read("first")
        with pytest.raises(InputError, match=r"^second: about 20,000 lines .* 88 KiB may be taken"):
            in_another_thread(half_read, "second")
    in_another_thread(half_read, "by itself")
    half_read("by itself")


def in_another_thread(function, *arguments):
    with ThreadPoolExecutor(1) as pool:
        copy = copy_context()
        pool.submit(copy.run, function, *arguments).result()


def test_a_file_that_fits_is_read(write, small_machine):
    assert len(irbounds.read_run(write("small.run", lines_of(2000)))) == 2000
