"""Frames and records with named fields."""

from __future__ import annotations

from collections import namedtuple

import ir_measures
import pandas as pd
import pytest

import irbounds
from irbounds.errors import InputError

QRELS = {"301": {"d1": 2, "dé": 0, "d3": 1}, "302": {"d1": 0, "d4": 1}}
RUN = {"301": {"dé": 9.25, "d1": 3.0, "d7": -1.5}, "302": {"d4": 1e-3, "d1": 5e-324}}


def assert_both_read(qrels_source, run_source, **options):
    assert irbounds.read_qrels(qrels_source).to_dict() == QRELS
    assert irbounds.read_run(run_source, **options).to_dict() == RUN


def rows(nested, value):
    return [
        {"query_id": q, "doc_id": d, value: v} for q, ds in nested.items() for d, v in ds.items()
    ]


def test_column_names_of_other_tools(write):
    names = {"query_id": "qid", "doc_id": "docno"}
    pyterrier = pd.DataFrame(rows(RUN, "score")).rename(columns=names)
    pyterrier["rank"] = [0, 1, 2, 0, 1]
    lines = (f"{q},{d},{v}\n" for q, ds in QRELS.items() for d, v in ds.items())
    assert_both_read(
        write("q.csv", "Topic,DocNo,Label\n" + "".join(lines)), pyterrier, order="rank"
    )


def test_missing_and_ambiguous_columns():
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


def test_records_without_named_fields():
    with pytest.raises(InputError, match="records need named fields"):
        irbounds.read_run([("1", "a", 1.0)])
    with pytest.raises(InputError, match="a path, a dict of dict, a frame or records are expected"):
        irbounds.read_run(5)


def test_first_record_that_lacks_a_field_is_named(write):
    first, other = '{"qid": "1", "docno": "a", "score": 1}', '{"qid": "1", "docno": "b", "sim": 1}'
    with pytest.raises(InputError, match=r"r\.jsonl: record 3: no 'score'"):
        irbounds.read_run(write("r.jsonl", f"{first}\n{first.replace('a', 'c')}\n{other}\n"))
    with pytest.raises(InputError, match="record 2: no 'query_id'"):
        irbounds.read_run([{"query_id": "1", "doc_id": "a", "score": 1}, ("1", "b", 2)])


def test_results_of_pyterrier():
    frame = pd.DataFrame(rows(RUN, "score")).rename(columns={"query_id": "qid", "doc_id": "docno"})
    frame["docid"] = range(len(frame))
    frame["query"] = "some words"
    frame["name"] = "ignored"
    assert irbounds.read_run(frame).to_dict() == RUN


def test_judgments_of_beir_and_ranx(write):
    expected = {"1": {"a": 2, "b": 0}, "2": {"c": 1}}
    lines = "1\ta\t2\n1\tb\t0\n2\tc\t1\n"
    beir = write("test.tsv", f"query-id\tcorpus-id\tscore\n{lines}")
    assert irbounds.read_qrels(beir).to_dict() == expected
    saved_by_ranx = pd.read_csv(beir, sep="\t").set_axis(["q_id", "doc_id", "score"], axis=1)
    assert irbounds.read_qrels(saved_by_ranx).to_dict() == expected
    both = saved_by_ranx.assign(relevance=[1, 0, 1])
    assert irbounds.read_qrels(both).to_dict() == {"1": {"a": 1, "b": 0}, "2": {"c": 1}}
    with pytest.raises(InputError, match=r"record 2: relevance 0\.5 is not an integer"):
        irbounds.read_qrels(saved_by_ranx.assign(score=[1, 0.5, 1]))


def test_records_with_ranks_and_repeated_keys(write):
    ranked = [{**row, "rank": 9 - k} for k, row in enumerate(rows(RUN, "score"))]
    assert irbounds.read_run(ranked).n_rank_contradictions == 3
    with pytest.raises(InputError, match="record 1: the key 'qid' is in one object twice"):
        irbounds.read_run(write("r.jsonl", '{"qid": "1", "qid": "2", "docno": "a", "score": 1}'))


@pytest.mark.parametrize("header", ["qid,docno,score,score", "qid,qid,docno,score"])
def test_repeated_heading(write, header):
    with pytest.raises(InputError, match="is in the header twice"):
        irbounds.read_run(write("r.csv", f"{header}\n1,a,1,2\n"))


def test_empty_lines_of_csv_are_ignored(write):
    run = irbounds.read_run(write("r.csv", "\nquery_id,doc_id,score\n\n1,a,2\n \n"))
    assert run.to_dict() == {"1": {"a": 2.0}}


@pytest.mark.parametrize("text", ["1_000", "٣", "0x10", "1e", "true", ""])
def test_numbers_of_csv_are_those_of_trec_text(write, text):
    with pytest.raises(InputError, match=r"record 1: score .* is not a number"):
        irbounds.read_run(write("r.csv", f"query_id,doc_id,score\n1,a,{text}\n"))
