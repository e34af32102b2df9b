"""Sources: compression, text, names of files and memory estimates."""

from __future__ import annotations

import bz2
import gzip
import lzma
import sys

import polars as pl
import pytest

import irbounds
from irbounds.errors import InputError
from irbounds.parallel import memory
from irbounds.reading import sources, trec
from irbounds.reading.assessments import read_assessments
from irbounds.reading.corpus_list import read_corpus
from irbounds.reading.sources import CHUNK, MemoryForecast, Source, base_name
from irbounds.reading.strata_sheet import read_strata

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

RUN = "1 Q0 a 1 2.0 tag\n1 Q0 b 2 1.0 tag\n2 Q0 b 1 9 tag\n2 Q0 a 2 3 tag\n"
THIRD = b"3 Q0 a 1 1 tag\n"
COMPRESS = [bz2.compress, lzma.compress, zstd.compress, gzip.compress]


def test_text_that_is_not_utf8(write):
    with pytest.raises(InputError, match=r"line 4: not UTF-8 \(byte 0xe9\)"):
        irbounds.read_qrels(write("q", b"1 0 a 1\n" * 3 + "1 0 é 1\n".encode("latin-1")))


def test_binary_file(write):
    with pytest.raises(InputError, match="binary"):
        irbounds.read_run(write("r", bytes(range(256)) * 10))


def test_lz4_is_refused_by_name(write):
    with pytest.raises(InputError, match=r"r\.lz4: LZ4 is not read; decompress the file"):
        irbounds.read_run(write("r.lz4", b"\x04\x22\x4d\x18\x64\x40\xa7"))


@pytest.mark.parametrize("compress", COMPRESS)
def test_bytes_behind_a_stream_are_read_or_refused(write, compress):
    first, second = compress(RUN.encode()), compress(THIRD)
    assert irbounds.read_run(write("r", first + second)).query_ids == ("1", "2", "3")
    damaged = bytearray(second)
    damaged[len(damaged) // 2] ^= 0xFF
    for tail in (bytes(damaged), second[:-3], b"rubbish"):
        # zstd has no checksum unless asked for one, so damage may come out as text that is wrong
        with pytest.raises(InputError, match=r"r: (cannot be read|line [56]: )"):
            irbounds.read_run(write("r", first + tail))


@pytest.mark.parametrize("compress", COMPRESS)
@pytest.mark.parametrize("end", [1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 5])
def test_zeros_between_streams(write, compress, end):
    """``end`` is the place in the file where the zeros end; there is one zero at least."""
    first, second = compress(RUN.encode()), compress(THIRD)
    padded = first + b"\0" * max(end - len(first), 1)
    assert irbounds.read_run(write("r", padded + second)).query_ids == ("1", "2", "3")
    assert irbounds.read_run(write("r", padded)).query_ids == ("1", "2")
    for tail in (b"rubbish", second[:-3], first[:1]):
        with pytest.raises(InputError, match=r"r: cannot be read"):
            irbounds.read_run(write("r", padded + tail))


@pytest.mark.parametrize("compress", COMPRESS)
def test_format_is_recognised_across_short_streams(write, compress):
    text = b"query_id,doc_id,score\n1,a,2\n"
    streams = b"".join(compress(text[k : k + 1]) for k in range(len(text)))
    assert irbounds.read_run(write("r", streams)).to_dict() == {"1": {"a": 2.0}}


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
def test_truncated_file(write, compress):
    compressed = compress(RUN.encode() * 500)
    with pytest.raises(InputError, match="r: cannot be read"):
        irbounds.read_run(write("r", compressed[: len(compressed) // 2]), duplicates="first")


def test_damaged_gzip_file(write):
    compressed = bytearray(gzip.compress(RUN.encode() * 500))
    compressed[len(compressed) // 2] ^= 0xFF
    with pytest.raises(InputError, match="cannot be read"):
        irbounds.read_run(write("r", bytes(compressed)), duplicates="first")


def test_directory_and_missing_file(tmp_path):
    with pytest.raises(InputError, match="is a directory"):
        irbounds.read_run(tmp_path)
    with pytest.raises(InputError, match="no such file"):
        irbounds.read_run(tmp_path / "none.run")


@pytest.mark.parametrize("compress", [bytes, *COMPRESS])
def test_compressed_file_larger_than_a_buffer(write, compress):
    n = 40_000
    text = "".join(f"1 0 document-{k:09d} 0\n" for k in range(n))
    for zeros in (b"", b"" if compress is bytes else b"\0" * 700):  # some tools pad with zeros
        assert len(irbounds.read_qrels(write("q", compress(text.encode()) + zeros))) == n


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("runs/bm25.run.gz", "bm25"),
        ("x.RUN.GZ", "x"),
        ("input.ok8alx", "input.ok8alx"),
        ("bm25-k1=0.9", "bm25-k1=0.9"),
        ("a.b.txt", "a.b"),
        (".run", ".run"),
        ("plain", "plain"),
    ],
)
def test_base_name(path, name):
    assert base_name(path) == name


@pytest.fixture
def small_machine(monkeypatch):
    """Check memory for every byte, on a machine with 300,000 bytes to spare."""
    monkeypatch.setattr(sources, "NEGLIGIBLE", 0)
    monkeypatch.setattr(trec, "PIECE", 1 << 12)
    monkeypatch.setattr(memory, "resident_memory", lambda: 0)
    monkeypatch.setattr(memory, "machine_memory", lambda: memory.PROGRAM_BYTES + 300_000)


def lines_of(n: int) -> str:
    return "".join(f"q{k // 100} Q0 d{k % 100} {k % 100 + 1} {-(k % 100)} t\n" for k in range(n))


@pytest.mark.parametrize("compress", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_large_file_is_refused_at_its_beginning(write, small_machine, monkeypatch, compress):
    """40,000 lines of 16 bytes are 625 KiB; the first pieces are enough to know."""
    large = write("large.run", compress(lines_of(40_000).encode()))
    calls = []
    check = Source.check_lines_fit
    monkeypatch.setattr(
        Source, "check_lines_fit", lambda *values: (calls.append(values), check(*values))
    )
    if compress is gzip.compress:  # compressed text is read in larger steps than this file
        monkeypatch.setattr("irbounds.reading.sources.CHUNK", 1 << 8)
    with pytest.raises(
        InputError,
        match=r"large\.run: about \d\d,\d+ lines: needs at least \d+ KiB of memory, and \d+ KiB "
        r"is available; read fewer .*--memory .*irbounds\.execution\(memory=",
    ):
        irbounds.read_run(large)
    assert calls[-1][1] < 30_000
    with irbounds.execution(memory="1GiB"):
        assert len(irbounds.read_run(large)) == 40_000


@pytest.mark.parametrize("threads", [1, 2])
def test_memory_limit_holds_for_several_files(write, monkeypatch, threads):
    """625 KiB each, and 300 KiB are left."""
    monkeypatch.setattr(sources, "NEGLIGIBLE", 0)
    monkeypatch.setattr(memory, "resident_memory", lambda: 0)
    large = [write(f"{name}.run", lines_of(40_000)) for name in "ab"]
    with (
        irbounds.execution(threads=threads, memory=memory.PROGRAM_BYTES + 300_000),
        pytest.raises(
            InputError, match=r"\.run: about \d\d,\d+ lines: needs at least .* of memory"
        ),
    ):
        irbounds.read_runs(large)


def test_files_that_are_read_at_the_same_time_have_to_fit_together(monkeypatch):
    """Memory that another file is going to take is not available."""
    monkeypatch.setattr(sources, "NEGLIGIBLE", 0)
    monkeypatch.setattr(sources, "remaining_memory", lambda: 250_000)
    monkeypatch.setattr(Source, "fraction_read", 0.5)
    forecast = MemoryForecast()
    first, second = Source("first", forecast), Source("second", forecast)
    first.check_lines_fit(10_000, 0)  # 10,000 lines of 16 bytes are still to come
    first.check_lines_fit(10_000, 0)
    with pytest.raises(InputError, match=r"^second: about 20,000 lines: .* 88 KiB is available"):
        second.check_lines_fit(10_000, 0)
    forecast.remove(first)
    second.check_lines_fit(10_000, 0)
    monkeypatch.setattr(Source, "fraction_read", 1.0)
    second.check_lines_fit(20_000, 0)  # at its end a file takes no more
    monkeypatch.setattr(Source, "fraction_read", 0.5)
    first.check_lines_fit(10_000, 0)
    Source("alone").check_lines_fit(10_000, 0)


def test_small_file_fits(write, small_machine):
    assert len(irbounds.read_run(write("small.run", lines_of(2000)))) == 2000


N_LINES = 20_000  # some 200 KB, which take some megabytes as Python values
FORMATS = {
    "JSON": (".json", '{"q": {' + ",".join(f'"d{k}": 1' for k in range(N_LINES)) + "}}", "run"),
    "JSON lines": (".jsonl", '{"q": {"d": 1}}\n' * N_LINES, "run"),
    "JSON without an end": (".json", '{"q": {' + '"d": 1,\n' * N_LINES, "run"),
    "CSV": (".csv", "query_id,doc_id,score\n" + "q,d,1\n" * N_LINES, "run"),
    "TSV": (".tsv", "query_id\tdoc_id\trelevance\n" + "q\td\t1\n" * N_LINES, "qrels"),
    "wide table": (".csv", "query_id,a,b\n" + "q,1,1\n" * N_LINES, "scores"),
    "trec_eval's output": (".txt", "map\tq\t0.5\n" * N_LINES, "scores"),
    "empty cells": (".csv", "a,b\n" + ",\n" * 3 * N_LINES, "scores"),
    "blank lines": (".csv", "a,b\n" + "\n" * 3 * N_LINES + "1,2\n", "scores"),
    "strata": (".csv", "stratum,N,n,r\n" + "s,9,5,1\n" * N_LINES, "strata"),
    "assessments": (".txt", "q 0 d 1\n" * N_LINES, "assessments"),
    "table of assessments": (".csv", "doc_id,relevance\n" + "d,1\n" * N_LINES, "assessments"),
    "card": (".json", '{"a": [' + "1,\n" * 3 * N_LINES, "card"),
    "factors": (".json", '{"a": [' + "1,\n" * 3 * N_LINES, "factors"),
    "run of one line": (".run", "q Q0 " + "d" * 20 * N_LINES, "run"),
    "cells of one line": (".csv", "a," * N_LINES, "strata"),
    "words of one line": (".txt", "a " * N_LINES, "assessments"),
    "corpus of one line": (".txt", "d" * 20 * N_LINES, "corpus"),
    "sheet of one line": (".csv", "s" * 20 * N_LINES, "strata"),
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
    """Check memory for every byte, in pieces of 4 KiB."""
    monkeypatch.setattr(sources, "NEGLIGIBLE", 0)
    monkeypatch.setattr(sources, "PIECE", 1 << 12)
    monkeypatch.setattr(trec, "PIECE", 1 << 12)
    monkeypatch.setattr("irbounds.reading.corpus_list.PIECE", 1 << 12)
    monkeypatch.setattr(memory, "resident_memory", lambda: 0)


@pytest.mark.parametrize("case", FORMATS)
def test_large_files_are_refused_while_they_are_decompressed(
    write, small_pieces, monkeypatch, case
):
    extension, text, kind = FORMATS[case]
    compressed = write(f"large{extension}.gz", gzip.compress(text.encode()))
    pieces = []
    read = sources.Source.read
    monkeypatch.setattr(
        sources.Source, "read", lambda *values: pieces.append(read(*values)) or pieces[-1]
    )
    with (
        irbounds.execution(memory=memory.PROGRAM_BYTES + 1_000_000),
        pytest.raises(
            InputError,
            match=rf"large\{extension}\.gz: .*iB.* decompressed: needs at least .* of memory, and "
            r".*iB is available; .*--memory .*irbounds\.execution\(memory=",
        ) as refused,
    ):
        READERS[kind](compressed)
    assert len(str(refused.value).splitlines()) == 1
    assert sum(map(len, pieces)) < len(text)


@pytest.mark.parametrize("case", FORMATS)
def test_small_files_are_not_refused_for_memory(write, monkeypatch, case):
    """Errors of the file are reported, not a lack of memory."""
    extension, text, kind = FORMATS[case]
    message = ""
    with irbounds.execution(memory=memory.PROGRAM_BYTES + 1_000_000):
        try:
            READERS[kind](write(f"small{extension}", text[:2000]))
        except InputError as error:
            message = str(error)
    assert "memory" not in message


def test_list_of_ids_is_refused_if_the_process_has_reached_its_limit(write, small_pieces):
    """The size of the process shows the memory that ids have taken."""
    ids = write("ids.txt", "".join(f"d{k}\n" for k in range(N_LINES)))
    left = iter(range(10, -1, -1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sources, "remaining_memory", lambda: next(left))
        with pytest.raises(InputError, match=r"ids\.txt: after 44 KiB there is no memory left"):
            read_corpus(ids)
    assert len(read_corpus(ids).documents) == N_LINES


def test_parquet_is_refused_before_it_is_read(tmp_path, small_pieces, monkeypatch):
    """100,000 equal rows are a small file, and many Python values."""
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


def test_long_texts_of_parquet_count_once_per_row(tmp_path, small_pieces):
    """1,000 rows share a text of a million characters."""
    path = tmp_path / "long.parquet"
    pl.DataFrame({"query_id": "q" * 1_000_000, "doc_id": "d", "score": [1.0] * 1000}).write_parquet(
        path
    )
    with (
        irbounds.execution(memory=memory.PROGRAM_BYTES + 100_000_000),
        pytest.raises(InputError, match=r"long\.parquet: 1,000 rows .* at least 1\.9 GiB"),
    ):
        irbounds.read_run(path)


def test_unused_columns_of_parquet_take_less_memory(tmp_path, small_pieces):
    """A run of 10,000 rows takes 4 MB as Python values; 20 other columns are not converted."""
    path = tmp_path / "r.parquet"
    run = {"query_id": "q", "docno": [f"d{k}" for k in range(10_000)], "score": 1.0}
    pl.DataFrame(run | {f"text {k}": "x" * 1000 for k in range(20)}).write_parquet(path)
    with irbounds.execution(memory=memory.PROGRAM_BYTES + 10_000_000):
        assert len(irbounds.read_run(path)) == 10_000
        with pytest.raises(InputError, match=r"10,000 rows .* memory"):
            irbounds.read_scores(path)  # in which every column is a system


def test_memory_error_names_the_file(write, monkeypatch):
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
def test_count_cells(text, n):
    assert sources._count_cells(text) == n
