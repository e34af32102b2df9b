"""``read_qrels``, ``read_run`` and ``read_runs``: every format gives the same records."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import sys

import ir_measures
import pandas as pd
import polars as pl
import pytest

import irbounds

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

QRELS = {"301": {"d1": 2, "dé": 0, "d3": 1}, "302": {"d1": 0, "d4": 1}}
RUN = {"301": {"dé": 9.25, "d1": 3.0, "d7": -1.5}, "302": {"d4": 1e-3, "d1": 5e-324}}


def trec_qrels():
    return "".join(f"{q} 0 {d} {v}\n" for q, docs in QRELS.items() for d, v in docs.items())


def trec_run():
    return "".join(
        f"{q}\tQ0\t{d}\t{rank}\t{v!r}\ttag\n"
        for q, docs in RUN.items()
        for rank, (d, v) in enumerate(docs.items())
    )


def rows(nested, value):
    return [
        {"query_id": q, "doc_id": d, value: v} for q, ds in nested.items() for d, v in ds.items()
    ]


def assert_both_read(qrels_source, run_source, **options):
    assert irbounds.read_qrels(qrels_source).to_dict() == QRELS
    assert irbounds.read_run(run_source, **options).to_dict() == RUN


COMPRESS = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstd.compress,
}


@pytest.mark.parametrize("extension", COMPRESS)
def test_compressed_trec_text(write, extension):
    compress = COMPRESS[extension]
    qrels = write(f"q.txt{extension}", compress(trec_qrels().encode()))
    assert_both_read(qrels, write("r", compress(trec_run().encode())))


def test_gzip_of_several_members(write):
    lines = trec_run().encode().splitlines(keepends=True)
    assert irbounds.read_run(write("r", b"".join(map(gzip.compress, lines)))).to_dict() == RUN


def test_standard_input(monkeypatch):
    for text, read, expected in (
        (trec_qrels(), irbounds.read_qrels, QRELS),
        (trec_run(), irbounds.read_run, RUN),
    ):
        stream = io.TextIOWrapper(io.BytesIO(gzip.compress(text.encode())))
        monkeypatch.setattr(sys, "stdin", stream)
        assert read("-").to_dict() == expected
        assert not stream.closed


@pytest.mark.parametrize("separator", [",", "\t"])
def test_csv_and_tsv(write, separator):
    extension = "csv" if separator == "," else "tsv"
    qrels = pl.DataFrame(rows(QRELS, "relevance")).write_csv(separator=separator)
    run = pl.DataFrame(rows(RUN, "score")).write_csv(separator=separator)
    assert_both_read(
        write(f"q.{extension}", qrels), write(f"r.{extension}.gz", gzip.compress(run.encode()))
    )


def test_parquet(tmp_path):
    pl.DataFrame(rows(QRELS, "relevance")).write_parquet(tmp_path / "q.parquet")
    pl.DataFrame(rows(RUN, "score")).write_parquet(tmp_path / "r")  # recognised by its first bytes
    assert_both_read(tmp_path / "q.parquet", tmp_path / "r")


@pytest.mark.parametrize("frame", [pl.DataFrame, pd.DataFrame])
def test_frames(frame):
    assert_both_read(frame(rows(QRELS, "relevance")), frame(rows(RUN, "score")))


class FakeRanx:
    """An object like those of ranx, which is not installed for tests; benchmarks/ use ranx."""

    def __init__(self, nested, name=None):
        self.nested, self.name = nested, name

    def to_dict(self):
        return self.nested


FakeRanx.__module__ = "ranx.data_structures.run"


def test_ranx_objects():
    assert_both_read(FakeRanx(QRELS), FakeRanx(RUN, "bm25"))
    assert irbounds.read_run(FakeRanx(RUN, "bm25")).name == "bm25"
    runs = irbounds.read_runs([FakeRanx(RUN), FakeRanx(RUN, "bm25"), FakeRanx(RUN), RUN])
    assert [run.name for run in runs] == ["run-1", "bm25", "run-2", "run-3"]


def test_records_are_returned_unchanged():
    qrels, run = irbounds.read_qrels(QRELS), irbounds.read_run(RUN)
    assert irbounds.read_qrels(qrels) is qrels
    assert irbounds.read_run(run) is run


def test_names_and_fingerprints(write):
    compressed = gzip.compress(trec_run().encode())
    run = irbounds.read_run(write("bm25.run.gz", compressed))
    assert run.name == "bm25"
    assert run.fingerprint == f"sha256:{hashlib.sha256(compressed).hexdigest()}"
    same, other = irbounds.read_run(RUN), irbounds.read_run({"301": RUN["301"]})
    assert irbounds.read_run(RUN).fingerprint == same.fingerprint != other.fingerprint


def test_names_and_options_of_records():
    run = irbounds.read_run(RUN, name="orig")
    assert irbounds.read_run(run, name="new").name == "new"
    assert irbounds.score(QRELS, {"new": run}, "AP").systems == ("new",)
    with pytest.raises(irbounds.errors.ParameterError, match="do not apply to a Run"):
        irbounds.read_run(run, depth=1)


def test_records_as_one_run_and_iterators_of_runs():
    records = [ir_measures.ScoredDoc(*row.values()) for row in rows(RUN, "score")]
    expected = irbounds.score(QRELS, RUN, "AP").values
    assert (irbounds.score(QRELS, records, "AP").values == expected).all()
    both = (irbounds.read_run(RUN, name=name) for name in "xy")
    assert irbounds.score(QRELS, both, "AP").systems == ("x", "y")
    with pytest.raises(irbounds.errors.DataError, match="use a mapping of names to runs"):
        irbounds.score(QRELS, [irbounds.read_run(RUN, name="x")] * 2, "AP")
    assert irbounds.score(QRELS, [RUN, dict(RUN)], "AP").systems == ("run-1", "run-2")


def test_csv_from_standard_input(monkeypatch):
    text = pl.DataFrame(rows(RUN, "score")).write_csv()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert irbounds.read_run("-").to_dict() == RUN
