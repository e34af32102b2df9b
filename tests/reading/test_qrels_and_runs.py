"""Every format gives the same judgments and the same run."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import json
import lzma
import sys
from collections import namedtuple

import ir_measures
import pandas as pd
import polars as pl
import pytest

import irbounds
from irbounds.errors import InputError
from irbounds.reading.sources import base_name

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


PACKERS = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstd.compress,
}


@pytest.mark.parametrize("ending", PACKERS)
def test_trec_text_packed_in_every_way_and_named_in_any_way(write, ending):
    pack = PACKERS[ending]
    qrels = write(f"q.txt{ending}", pack(trec_qrels().encode()))
    assert_both_read(qrels, write("r", pack(trec_run().encode())))


@pytest.mark.parametrize("ending", PACKERS)
def test_a_packed_file_that_unpacks_to_far_more_than_a_buffer(write, ending):
    text = "".join(f"1 0 document-{k:09d} 0\n" for k in range(100_000))
    for zeros in (b"", b"\0" * 700):  # tapes and some tools pad with zeros
        packed = PACKERS[ending](text.encode()) + (zeros if ending else b"")
        assert len(irbounds.read_qrels(write("q", packed))) == 100_000


def test_gzip_of_several_members_is_read_to_its_end(write):
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


def test_lines_that_cross_the_pieces_of_reading(write, monkeypatch):
    monkeypatch.setattr("irbounds.reading.trec.PIECE", 7)
    assert_both_read(write("q", trec_qrels().rstrip("\n")), write("r", trec_run()))
    with pytest.raises(InputError, match="line 6: 1 columns"):
        irbounds.read_qrels(write("q", trec_qrels() + "x"))


def test_queries_that_are_not_together(write):
    lines = trec_run().splitlines(keepends=True)
    assert irbounds.read_run(write("r", "".join(lines[::2] + lines[1::2]))).to_dict() == RUN


def test_json_and_json_lines(write):
    packed = gzip.compress(json.dumps(RUN).encode())
    assert_both_read(write("q.json", json.dumps(QRELS, indent=2)), write("r.json.gz", packed))
    lines = "".join(json.dumps({q: docs}) + "\n" for q, docs in RUN.items())
    records = "".join(json.dumps(row) + "\n" for row in rows(QRELS, "relevance"))
    assert_both_read(write("q.jsonl", records), write("r.jsonl", lines))


def test_json_that_repeats_a_key_is_not_merged_in_silence(write):
    with pytest.raises(InputError, match="document 'a' stands twice in query '1'"):
        irbounds.read_run(write("r.json", '{"1": {"a": 1.0, "a": 2.0}}'))
    with pytest.raises(InputError, match="document 'a' stands twice in query '1'"):
        irbounds.read_run(write("r.jsonl", '{"1": {"a": 1.0}}\n{"1": {"a": 2.0}}'))
    with pytest.raises(InputError, match="record 2: the key '1' stands twice in one object"):
        irbounds.read_run(write("r.json", '{"2": {"a": 1}} {"1": {"a": 1.0}, "1": {"b": 2.0}}'))
    with pytest.raises(InputError, match="record 1: the key '1' stands twice in one object"):
        irbounds.read_qrels(write("q.json", '{"1": {"a": 1}, "2": {"a": 1}, "1": {"a": 1}}'))
    for extra in ('{"k": 1, "k": 2}', '[0, {"x": [{"k": 1, "k": 1}]}]', '{"x": {"k": 1, "k": 1}}'):
        record = f'{{"qid": "1", "docno": "a", "score": 1, "extra": {extra}}}'
        with pytest.raises(InputError, match="record 2: the key 'k' stands twice in one object"):
            irbounds.read_run(write("r.jsonl", f'{{"qid": "1", "docno": "b", "score": 1}}{record}'))


def test_a_query_on_two_lines_of_json_is_one_query(write):
    run = irbounds.read_run(write("r.jsonl", '{"1": {"a": 1.0}}\n{"1": {"b": 2.0}}'))
    assert run.to_dict() == {"1": {"b": 2.0, "a": 1.0}}


def test_a_record_without_a_field_of_the_first_is_named(write):
    first, other = '{"qid": "1", "docno": "a", "score": 1}', '{"qid": "1", "docno": "b", "sim": 1}'
    with pytest.raises(InputError, match=r"r\.jsonl: record 3: no 'score'"):
        irbounds.read_run(write("r.jsonl", f"{first}\n{first.replace('a', 'c')}\n{other}\n"))
    with pytest.raises(InputError, match="record 2: no 'query_id'"):
        irbounds.read_run([{"query_id": "1", "doc_id": "a", "score": 1}, ("1", "b", 2)])


@pytest.mark.parametrize(
    ("text", "said"),
    [("{", "not JSON"), ('{"1": 5}', "no column"), ('{"1": {}} [1]', "JSON objects are expected")],
)
def test_json_of_another_shape_is_an_error(write, text, said):
    with pytest.raises(InputError, match=said):
        irbounds.read_run(write("r.json", text))


@pytest.mark.parametrize("separator", [",", "\t"])
def test_csv_and_tsv(write, separator):
    ending = "csv" if separator == "," else "tsv"
    qrels = pl.DataFrame(rows(QRELS, "relevance")).write_csv(separator=separator)
    run = pl.DataFrame(rows(RUN, "score")).write_csv(separator=separator)
    assert_both_read(
        write(f"q.{ending}", qrels), write(f"r.{ending}.gz", gzip.compress(run.encode()))
    )


def test_parquet(tmp_path):
    pl.DataFrame(rows(QRELS, "relevance")).write_parquet(tmp_path / "q.parquet")
    pl.DataFrame(rows(RUN, "score")).write_parquet(tmp_path / "r")  # told by its first bytes
    assert_both_read(tmp_path / "q.parquet", tmp_path / "r")


@pytest.mark.parametrize("frame", [pl.DataFrame, pd.DataFrame])
def test_frames(frame):
    assert_both_read(frame(rows(QRELS, "relevance")), frame(rows(RUN, "score")))


def test_frames_in_other_tools_words(write):
    names = {"query_id": "qid", "doc_id": "docno"}
    pyterrier = pd.DataFrame(rows(RUN, "score")).rename(columns=names)
    pyterrier["rank"] = [0, 1, 2, 0, 1]
    lines = (f"{q},{d},{v}\n" for q, ds in QRELS.items() for d, v in ds.items())
    assert_both_read(
        write("q.csv", "Topic,DocNo,Label\n" + "".join(lines)), pyterrier, order="rank"
    )


def test_frames_without_a_column_or_with_two_of_a_kind():
    with pytest.raises(InputError, match=r"no column 'score' .* found 'query_id', 'doc_id'"):
        irbounds.read_run(pd.DataFrame({"query_id": ["1"], "doc_id": ["a"]}))
    with pytest.raises(InputError, match="columns 'query_id' and 'qid' could both be 'query_id'"):
        irbounds.read_run(
            pd.DataFrame({"query_id": ["1"], "qid": ["1"], "doc_id": ["a"], "score": [1]})
        )


def test_records_of_ir_measures_and_ir_datasets():
    trec_qrel = namedtuple("TrecQrel", ["query_id", "doc_id", "relevance", "iteration"])
    qrels = (trec_qrel(*row.values(), "0") for row in rows(QRELS, "relevance"))
    run = (ir_measures.ScoredDoc(*row.values()) for row in rows(RUN, "score"))
    assert_both_read(qrels, run)


def test_records_without_names_are_an_error():
    with pytest.raises(InputError, match="records need named fields"):
        irbounds.read_run([("1", "a", 1.0)])
    with pytest.raises(InputError, match="a path, a dict of dict, a frame or records are expected"):
        irbounds.read_run(5)


class FakeRanx:
    """Looks like ranx, which is not installed for the tests; benchmarks/ use the real one."""

    def __init__(self, nested, name=None):
        self.nested, self.name = nested, name

    def to_dict(self):
        return self.nested


FakeRanx.__module__ = "ranx.data_structures.run"


def test_ranx_objects():
    assert_both_read(FakeRanx(QRELS), FakeRanx(RUN, "bm25"))
    assert irbounds.read_run(FakeRanx(RUN, "bm25")).name == "bm25"


def test_ours_come_back_as_they_are():
    qrels, run = irbounds.read_qrels(QRELS), irbounds.read_run(RUN)
    assert irbounds.read_qrels(qrels) is qrels
    assert irbounds.read_run(run) is run


def test_names_and_fingerprints(write):
    packed = gzip.compress(trec_run().encode())
    run = irbounds.read_run(write("bm25.run.gz", packed))
    assert run.name == "bm25"
    assert run.fingerprint == f"sha256:{hashlib.sha256(packed).hexdigest()}"
    same, other = irbounds.read_run(RUN), irbounds.read_run({"301": RUN["301"]})
    assert irbounds.read_run(RUN).fingerprint == same.fingerprint != other.fingerprint


def test_scores_are_read_to_the_last_bit(write):
    values = [
        "20.979169090265216",
        "5e-324",
        "1.7976931348623157e308",
        "0.1",
        "123456789012345678901",
    ]
    text = "".join(f"1 Q0 d{k} 1 {v} t\n" for k, v in enumerate(values))
    found = irbounds.read_run(write("r", text)).to_dict()["1"]
    assert found == {f"d{k}": float(v) for k, v in enumerate(values)}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"duplicates": "last"}, "duplicates must be 'error' or 'first'; got 'last'"),
        ({"order": "file"}, "order must be 'score' or 'rank'; got 'file'"),
        ({"depth": 0}, "depth must be an integer of at least 1; got 0"),
    ],
)
def test_options_outside_their_range(options, said):
    with pytest.raises(irbounds.errors.ParameterError, match=said):
        irbounds.read_run(RUN, **options)


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
def test_a_run_is_called_after_its_file(path, name):
    assert base_name(path) == name


def test_names_and_options_for_what_was_read_already():
    run = irbounds.read_run(RUN, name="orig")
    assert irbounds.read_run(run, name="new").name == "new"
    assert irbounds.score(QRELS, {"new": run}, "AP").systems == ("new",)
    with pytest.raises(irbounds.errors.ParameterError, match="do not apply to a Run"):
        irbounds.read_run(run, depth=1)


def test_pyterrier_results_as_they_are():
    frame = pd.DataFrame(rows(RUN, "score")).rename(columns={"query_id": "qid", "doc_id": "docno"})
    frame["docid"] = range(len(frame))
    frame["query"] = "some words"
    frame["name"] = "ignored"
    assert irbounds.read_run(frame).to_dict() == RUN


def test_one_run_of_records_and_iterators_of_runs():
    records = [ir_measures.ScoredDoc(*row.values()) for row in rows(RUN, "score")]
    expected = irbounds.score(QRELS, RUN, "AP").values
    assert (irbounds.score(QRELS, records, "AP").values == expected).all()
    both = (irbounds.read_run(RUN, name=name) for name in "xy")
    assert irbounds.score(QRELS, both, "AP").systems == ("x", "y")
    with pytest.raises(
        irbounds.errors.DataError, match="a mapping of names to runs tells them apart"
    ):
        irbounds.score(QRELS, [irbounds.read_run(RUN, name="x")] * 2, "AP")
    assert irbounds.score(QRELS, [RUN, dict(RUN)], "AP").systems == ("run-1", "run-2")


def test_csv_from_standard_input_is_told_by_its_first_line(monkeypatch):
    text = pl.DataFrame(rows(RUN, "score")).write_csv()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert irbounds.read_run("-").to_dict() == RUN


def test_records_with_ranks_and_with_repeated_keys(write):
    ranked = [{**row, "rank": 9 - k} for k, row in enumerate(rows(RUN, "score"))]
    assert irbounds.read_run(ranked).n_rank_contradictions == 3
    with pytest.raises(InputError, match="record 1: the key 'qid' stands twice"):
        irbounds.read_run(write("r.jsonl", '{"qid": "1", "qid": "2", "docno": "a", "score": 1}'))


def test_fingerprints_tell_ids_apart_that_read_alike():
    a, b = {"q": {"ab": 1.0, "c": 2.0}}, {"q": {"a": 1.0, "bc": 2.0}}
    assert irbounds.read_run(a).fingerprint != irbounds.read_run(b).fingerprint
