"""Faults that evaluation tools were hit by, one test each, in the order of docs/bad-inputs.md."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import math
import pickle
import re
import subprocess
import sys
import time
import warnings

import numpy as np
import pandas as pd
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

import irbounds
import naive
from irbounds.errors import DataError, InputError, ParameterError, SeveralInputsError
from irbounds.reading import parquet
from irbounds.reading.assessments import read_assessments
from irbounds.reading.columns import as_numbers
from irbounds.reading.sources import CHUNK

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

QRELS = "1 0 a 1\n1 0 b 0\n2 0 a 1\n"
RUN = "1 Q0 a 1 2.0 tag\n1 Q0 b 2 1.0 tag\n2 Q0 b 1 9 tag\n2 Q0 a 2 3 tag\n"


def run_lines(*entries):
    return "".join(f"{q} Q0 {d} {r} {s} tag\n" for q, d, r, s in entries)


def scores(qrels, run, measure="AP", **options):
    table = irbounds.score(qrels, {"mine": run}, [measure], **options)
    return dict(zip(table.queries, table.values[0, 0].tolist(), strict=True))


def warnings_of(qrels, run, **options):
    return " | ".join(irbounds.check(qrels, {"mine": run}, **options).warnings)


# --- queries -----------------------------------------------------------------------------------


def test_a_judged_query_missing_from_a_run_scores_0_and_is_counted(write):
    qrels, run = write("q", QRELS), write("r", run_lines((1, "a", 1, 2)))
    assert scores(qrels, run) == {"1": 1.0, "2": 0.0}
    assert "judged queries missing; each scores 0 there" in warnings_of(qrels, run)
    assert warnings_of(qrels, run).endswith(": mine (1)")


def test_common_queries_are_the_intersection_and_that_is_said(write):
    qrels, run = write("q", QRELS), write("r", run_lines((1, "a", 1, 2)))
    assert scores(qrels, run, queries="common") == {"1": 1.0}
    assert "left out for every run: mine (1)" in warnings_of(qrels, run, queries="common")


def test_a_query_without_judgments_is_left_out_and_counted(write):
    qrels, run = write("q", QRELS), write("r", RUN + run_lines((3, "a", 1, 2)))
    assert scores(qrels, run) == {"1": 1.0, "2": 0.5}
    assert "queries without judgments; left out: mine (1)" in warnings_of(qrels, run)


def test_no_query_in_common_is_an_error_that_shows_ids_of_both_sides(write):
    qrels = write("q", "".join(f"clef2015.{k} 0 a 1\n" for k in range(5)))
    run = write("r", "".join(f"qtest.{k} Q0 a 1 1 t\n" for k in range(5)))
    with pytest.raises(DataError, match="no query in common") as caught:
        scores(qrels, run)
    for k in range(3):
        assert f"'clef2015.{k}'" in str(caught.value)
        assert f"'qtest.{k}'" in str(caught.value)
    assert "qtest.3" not in str(caught.value)


@pytest.mark.parametrize("content", ["", "\n\n", "# nothing here\n"])
def test_an_empty_file_is_an_error(write, content):
    with pytest.raises(InputError, match="empty"):
        irbounds.read_qrels(write("q", content))
    with pytest.raises(InputError, match="empty"):
        irbounds.read_run(write("r", content))
    with pytest.raises(InputError, match="empty"):
        irbounds.read_run({})


def test_a_query_with_nothing_relevant_scores_0_and_is_counted(write):
    qrels, run = write("q", "1 0 a 0\n2 0 a 1\n"), write("r", RUN)
    for measure in ("AP", "nDCG", "R@5", "Rprec", "Bpref", "SetR", "SetF", "ERR@5", "RBP"):
        assert scores(qrels, run, measure)["1"] == 0.0
    assert "judged queries with nothing relevant, which score 0: 1" in warnings_of(qrels, run)


# --- repeats -----------------------------------------------------------------------------------


def test_a_document_twice_in_a_query_is_an_error_with_both_lines(write):
    run = write("r", RUN + run_lines((1, "b", 3, 0.5)))
    expected = "line 5: document 'b' stands twice in query '1' \\(first on line 2\\)"
    with pytest.raises(InputError, match=expected) as caught:
        irbounds.read_run(run)
    assert str(caught.value).endswith("--duplicates first keeps the best-ranked")


def test_duplicates_first_keeps_the_best_ranked_and_counts(write):
    path = write("r", run_lines((1, "x", 1, 1), (1, "b", 1, 5), (1, "b", 1, 9), (1, "a", 1, 7)))
    run = irbounds.read_run(path, duplicates="first")
    assert run.to_dict() == {"1": {"b": 9.0, "a": 7.0, "x": 1.0}}
    assert run.n_duplicates == 1
    assert (
        "the best-ranked of each was kept: r (1)" in irbounds.check(QREL_DICT, [run]).warnings[-1]
    )


QREL_DICT = {"1": {"a": 1, "b": 0}}


def test_the_same_document_in_two_queries_is_no_duplicate(write):
    assert irbounds.read_run(write("r", RUN)).n_duplicates == 0


def test_conflicting_judgments_are_an_error_that_names_the_pair(write):
    expected = "line 4: conflicting judgments of document 'b' in query '1': 0 on line 2 and 2 here"
    with pytest.raises(InputError, match=expected):
        irbounds.read_qrels(write("q", QRELS + "1 0 b 2\n"))


def test_identical_judgments_are_merged_and_counted(write):
    qrels = irbounds.read_qrels(write("q", QRELS + "1 0 b 0\n1 0 b 0\n"))
    assert qrels.to_dict() == {"1": {"a": 1, "b": 0}, "2": {"a": 1}}
    assert qrels.n_repeated == 2
    assert "judgments given more than once, identically; merged: 2" in warnings_of(qrels, RUN_DICT)


RUN_DICT = {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 1.0}}


# --- order -------------------------------------------------------------------------------------


def test_ties_are_counted_and_go_by_document_id_descending(write):
    run = irbounds.read_run(write("r", run_lines((1, "a", 1, 1), (1, "c", 2, 1), (1, "b", 3, 0))))
    assert list(run.to_dict()["1"]) == ["c", "a", "b"]
    assert run.n_tied == 2
    assert irbounds.check(QREL_DICT, [run]).runs[0].tied_share == pytest.approx(2 / 3)


def test_a_query_whose_scores_are_all_equal_is_named(write):
    run = write("r", run_lines((1, "a", 1, 1), (1, "c", 2, 1)))
    assert "documents all have one score" in warnings_of(QREL_DICT, run)


def test_double_precision_orders_what_float32_ties(write):
    path = write("r", run_lines((1, "a", 1, "1.000000001"), (1, "b", 2, "1.0")))
    assert list(irbounds.read_run(path).to_dict()["1"]) == ["a", "b"]
    assert list(irbounds.read_run(path, float32=True).to_dict()["1"]) == ["b", "a"]


def test_a_rank_column_that_contradicts_the_score_is_counted_and_can_be_used(write):
    path = write("r", run_lines((1, "a", 2, 9), (1, "b", 1, 5), (1, "c", 3, 1)))
    run = irbounds.read_run(path)
    assert list(run.to_dict()["1"]) == ["a", "b", "c"]
    assert run.n_rank_contradictions == 1
    (said,) = irbounds.check(QREL_DICT, [run]).warnings
    assert said.startswith("entries that the rank column puts behind one of lower score")
    assert said.endswith(": r (1)")
    by_rank = irbounds.read_run(path, order="rank")
    assert list(by_rank.to_dict()["1"]) == ["b", "a", "c"]
    assert by_rank.n_rank_contradictions == 1
    assert scores(QREL_DICT, by_rank) == {"1": 0.5}


@given(
    st.lists(
        st.tuples(st.sampled_from([1.0, 2.0, 2.5]), st.one_of(st.just("x"), st.integers(0, 6))),
        min_size=1,
        max_size=8,
    )
)
def test_contradictions_are_counted_across_ties_and_without_unknown_ranks(entries):
    frame = [
        {"query_id": "1", "doc_id": f"d{k}", "score": score, "rank": rank}
        for k, (score, rank) in enumerate(entries)
    ]
    known = [(score, -1 if rank == "x" else rank) for score, rank in entries]
    assert irbounds.read_run(frame).n_rank_contradictions == naive.n_contradictions(known)


def test_scores_beyond_single_precision_are_an_error_only_there(write):
    path = write("r", run_lines((1, "a", 1, "1e300"), (1, "b", 2, "-1.7e308")))
    assert list(irbounds.read_run(path).to_dict()["1"]) == ["a", "b"]
    with pytest.raises(InputError, match=r"line 1: score 1e.300 is infinite in single precision"):
        irbounds.read_run(path, float32=True)


def test_order_by_rank_needs_whole_ranks(write):
    with pytest.raises(InputError, match="line 2: rank 1 stands twice in its query"):
        irbounds.read_run(write("r", run_lines((1, "a", 1, 1), (1, "b", 1, 2))), order="rank")
    irbounds.read_run(write("r", run_lines((1, "a", 1, 1), (2, "b", 1, 2))), order="rank")
    with pytest.raises(InputError, match="line 2: the rank is not a whole number of at least 0"):
        irbounds.read_run(write("r", run_lines((1, "a", 1, 1), (1, "b", "x", 1))), order="rank")
    with pytest.raises(InputError, match="needs a rank column"):
        irbounds.read_run({"1": {"a": 1.0}}, order="rank")


# --- numbers -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nan", "score 'nan' is not a"),
        ("NaN", "score 'NaN' is not a"),
        ("abc", "score 'abc' is not a number"),
        ("1,5", "score '1,5' is not a number"),
        ("inf", "score 'inf' is infinite"),
        ("-Infinity", "score '-Infinity' is infinite"),
        ("1e999", "score '1e999' is infinite"),
    ],
)
def test_a_score_that_is_no_finite_number_is_an_error(write, text, said):
    with pytest.raises(InputError, match=f"line 5: {said}"):
        irbounds.read_run(write("r", RUN + run_lines((1, "c", 3, text))))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), None, "abc"])
def test_a_score_that_is_no_finite_number_is_an_error_in_memory_too(value):
    with pytest.raises(InputError, match=r"record 2: score .* is (not a number|infinite)"):
        irbounds.read_run({"1": {"a": 1.0, "b": value}})


@pytest.mark.parametrize("text", ["1.7", "yes", "1.0", "", "1e0"])
def test_a_relevance_that_is_no_whole_number_is_an_error(write, text):
    expected = f"line 4: relevance '{text}' is not a whole number" if text else "line 4: 3 columns"
    with pytest.raises(InputError, match=expected):
        irbounds.read_qrels(write("q", QRELS + f"2 0 z {text}\n"))


@pytest.mark.parametrize("value", [1.7, "yes", None, float("nan")])
def test_a_relevance_that_is_no_whole_number_is_an_error_in_memory_too(value):
    with pytest.raises(InputError, match=r"record 1: relevance .* is not a whole number"):
        irbounds.read_qrels({"1": {"a": value}})


def test_negative_relevance_is_not_relevant_and_counted(write):
    qrels = write("q", "1 0 a -2\n1 0 b 1\n2 0 a 1\n")
    assert scores(qrels, write("r", RUN)) == {"1": 0.5, "2": 0.5}
    assert "negative judgments, which count as not relevant: 1" in warnings_of(qrels, RUN_DICT)


# --- lines -------------------------------------------------------------------------------------


def test_too_few_columns_are_an_error_with_the_line(write):
    with pytest.raises(InputError, match="line 3: 5 columns where 6 are expected"):
        irbounds.read_run(write("r", "1 Q0 a 1 2 t\n\n1 Q0 b 2 1\n"))


def test_a_document_id_with_a_blank_is_an_error_with_the_line(write):
    with pytest.raises(InputError, match=r"line 2: 7 columns .* an id with a blank"):
        irbounds.read_run(write("r", "1 Q0 a 1 2 t\n1 Q0 my doc 2 1 t\n"))


def test_all_problems_are_reported_together_the_first_few_by_line(write):
    bad = "".join(f"1 Q0 d{k} 1 x t\n" for k in range(1000))
    with pytest.raises(InputError) as caught:
        irbounds.read_run(write("r", bad + "too few\n"))
    message = str(caught.value)
    assert all(f"line {k}: " in message for k in (1001, 1, 2))
    assert "; and 998 more" in message
    assert "\n" not in message


def test_five_column_judgments_are_sampled_assessments(write):
    with pytest.raises(InputError, match="inclusion probabilities"):
        irbounds.read_qrels(write("q", "1 0 a 1 0.25\n"))


def test_crlf_tabs_blanks_and_empty_lines_are_accepted(write):
    text = "\r\n1\t0  a\t 1  \r\n \t\n  1 0\tb 0\r\n2 0 a 1"
    assert (
        irbounds.read_qrels(write("q", text)).to_dict()
        == irbounds.read_qrels(write("p", QRELS)).to_dict()
    )


def test_a_byte_order_mark_is_removed(write):
    qrels = irbounds.read_qrels(write("q", b"\xef\xbb\xbf" + QRELS.encode()))
    assert qrels.query_ids == ("1", "2")


def test_a_hash_belongs_to_an_id_and_starts_a_comment(write):
    qrels = irbounds.read_qrels(write("q", "# made by hand\n1 0 msmarco#7 1\n1 0 a#b# 0\n"))
    assert qrels.to_dict() == {"1": {"msmarco#7": 1, "a#b#": 0}}


# --- files -------------------------------------------------------------------------------------


def test_what_is_not_utf8_is_an_error_with_the_line(write):
    with pytest.raises(InputError, match=r"line 4: not UTF-8 \(byte 0xe9\)"):
        irbounds.read_qrels(write("q", QRELS.encode() + "1 0 é 1\n".encode("latin-1")))


def test_a_binary_file_is_an_error(write):
    with pytest.raises(InputError, match="binary"):
        irbounds.read_run(write("r", bytes(range(256)) * 10))


@pytest.mark.parametrize("pack", [bz2.compress, lzma.compress, zstd.compress, gzip.compress])
def test_what_follows_a_packed_stream_is_read_or_refused_but_never_dropped(write, pack):
    first, second = pack(RUN.encode()), pack(run_lines((3, "a", 1, 1)).encode() * 1)
    assert irbounds.read_run(write("r", first + second)).query_ids == ("1", "2", "3")
    damaged = bytearray(second)
    damaged[len(damaged) // 2] ^= 0xFF
    for tail in (bytes(damaged), second[:-3], b"rubbish"):
        # zstd has no checksum unless asked for one, so damage may come out as text that is wrong
        with pytest.raises(InputError, match=r"r: (cannot be read|line [56]: )"):
            irbounds.read_run(write("r", first + tail))


@pytest.mark.parametrize("pack", [bz2.compress, lzma.compress, zstd.compress, gzip.compress])
@pytest.mark.parametrize("end", [1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK + 5])
def test_zeros_between_streams_hide_nothing_however_many_they_are(write, pack, end):
    """``end`` is where the zeros end in the file, or how many they are where it is small."""
    first, second = pack(RUN.encode()), pack(run_lines((3, "a", 1, 1)).encode())
    padded = first + b"\0" * max(end - len(first), 1)
    assert irbounds.read_run(write("r", padded + second)).query_ids == ("1", "2", "3")
    assert irbounds.read_run(write("r", padded)).query_ids == ("1", "2")
    for tail in (b"rubbish", second[:-3], first[:1]):
        with pytest.raises(InputError, match=r"r: cannot be read"):
            irbounds.read_run(write("r", padded + tail))


@pytest.mark.parametrize("pack", [bz2.compress, lzma.compress, zstd.compress, gzip.compress])
def test_a_format_is_recognised_across_short_streams(write, pack):
    text = b"query_id,doc_id,score\n1,a,2\n"
    streams = b"".join(pack(text[k : k + 1]) for k in range(len(text)))
    assert irbounds.read_run(write("r", streams)).to_dict() == {"1": {"a": 2.0}}


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_truncated_file_is_an_error(write, pack):
    packed = pack(RUN.encode() * 500)
    with pytest.raises(InputError, match="r: cannot be read"):
        irbounds.read_run(write("r", packed[: len(packed) // 2]), duplicates="first")


def test_a_damaged_gzip_file_is_an_error(write):
    packed = bytearray(gzip.compress(RUN.encode() * 500))
    packed[len(packed) // 2] ^= 0xFF
    with pytest.raises(InputError, match="cannot be read"):
        irbounds.read_run(write("r", bytes(packed)), duplicates="first")


def test_a_folder_and_a_missing_file_are_errors(tmp_path):
    with pytest.raises(InputError, match="is a directory"):
        irbounds.read_run(tmp_path)
    with pytest.raises(InputError, match="no such file"):
        irbounds.read_run(tmp_path / "none.run")


def test_more_than_a_thousand_documents_are_used_and_depth_cuts(write):
    path = write("r", run_lines(*((1, f"d{k}", k, 5000 - k) for k in range(1500))))
    assert irbounds.read_run(path).depths.tolist() == [1500]
    cut = irbounds.read_run(path, depth=1000)
    assert cut.depths.tolist() == [1000]
    assert list(cut.to_dict()["1"])[-1] == "d999"
    diagnosis = irbounds.check({"1": {"d1": 1}}, [cut])
    assert diagnosis.notes == ("on request: cut to depth 1000",)
    assert diagnosis.warnings == ()


def test_numeric_ids_of_a_frame_become_text_once():
    frame = pd.DataFrame({"qid": [301, 301], "docno": [7, 8], "label": [1, 0]})
    assert irbounds.read_qrels(frame).to_dict() == {"301": {"7": 1, "8": 0}}
    gaps = pd.DataFrame({"qid": [301.0, 302.0], "docno": ["a", "b"], "score": [1, 2]})
    assert irbounds.read_run(gaps).query_ids == ("301", "302")
    with pytest.raises(InputError, match="query id nan is neither text nor a whole number"):
        irbounds.read_run(pd.DataFrame({"qid": [float("nan")], "docno": ["a"], "score": [1]}))


def test_the_same_file_twice_and_two_runs_of_one_name_are_errors(write, monkeypatch):
    path = write("r.run", RUN)
    monkeypatch.chdir(path.parent)
    for again in (path, str(path), "r.run", "./r.run", irbounds.read_run(path)):
        with pytest.raises(DataError, match="two runs are called 'r'"):
            irbounds.score(QREL_DICT, [path, again], "AP")


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["a/bm25.run", "b/bm25.run", "b/other.run"], ["a/bm25", "b/bm25", "other"]),
        (["bm25.run", "b/bm25.run"], ["bm25", "b/bm25"]),
        (["bm25.run", "bm25.txt"], ["bm25.run", "bm25.txt"]),
        (["bm25.run", "bm25.run.gz"], ["bm25.run", "bm25.run.gz"]),
        (["x/a/r.run", "y/a/r.run"], ["x/a/r", "y/a/r"]),
        (["a/r.run", "b/r.run", "b/r.txt"], ["a/r.run", "b/r.run", "b/r.txt"]),
        (["a/../b/r.run", "a/r.run"], ["b/r", "a/r"]),
    ],
)
def test_files_of_one_name_are_told_apart_by_the_shortest_path(tmp_path, monkeypatch, paths, names):
    monkeypatch.chdir(tmp_path)
    for number, path in enumerate(paths):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "a").mkdir(exist_ok=True)
        (tmp_path / path).write_text(run_lines((1, f"d{number}", 1, 2)))
    runs = irbounds.read_runs(paths)
    assert [run.name for run in runs] == names
    assert [run.doc_ids() for run in runs] == [[f"d{k}"] for k in range(len(paths))]
    whole = irbounds.read_runs([tmp_path / path for path in paths])
    assert [run.name for run in whole][2:] == names[2:]
    assert len({run.name for run in whole}) == len(paths)


def test_errors_of_all_runs_are_raised_together(write):
    good = [write(f"good{k}.run", RUN) for k in range(2)]
    twice = [write(f"twice{k}.run", RUN + run_lines((1, "b", 3, 0.5))) for k in range(3)]
    text = write("text.run", run_lines((1, "a", 1, "x"), (1, "b", 1, "y")))
    paths = [twice[0], good[0], text, *twice[1:], good[1], "none.run"]
    with pytest.raises(SeveralInputsError) as caught:
        irbounds.score(QREL_DICT, paths, "AP")
    lines = caught.value.lines
    assert lines[0].startswith("5 of 7 inputs")
    named = [twice[0], text, *twice[1:], "none.run"]
    assert [line.partition(": ")[0] for line in lines[1:6]] == [str(path) for path in named]
    assert "line 5: document 'b'" in lines[1]
    assert "line 1: score 'x'" in lines[2]
    assert "line 2: score 'y'" in lines[2]
    assert [line for line in lines if "--duplicates first" in line] == [lines[6]]
    assert lines[7:] == ("read without a fault: good0, good1",)
    assert str(caught.value) == "\n".join(lines)
    assert [error.fault for error in caught.value.errors] == list(lines[1:6])
    assert pickle.loads(pickle.dumps(caught.value)).lines == lines
    with pytest.raises(
        SeveralInputsError, match=r"the run 'x': record 1: .*\n.*the run 'y': record 1: "
    ):
        irbounds.read_runs({"x": {"1": {"a": "?"}}, "y": {"1": {"a": "?"}}})


def test_all_runs_without_a_query_in_common_are_named():
    strange = {name: {f"q{name}": {"a": 1.0}} for name in "xyz"}
    with pytest.raises(DataError, match=r"run 'x' has 'qx', \.\.\.; nor in 'y', 'z'"):
        irbounds.score(QREL_DICT, {"mine": {"1": {"a": 1.0}}, **strange}, "AP")


def test_one_run_under_two_names_is_said(write):
    diagnosis = irbounds.check(QRELS_ALL, {"a": write("x", RUN), "b": write("y", RUN)})
    assert diagnosis.warnings == ("the same run under several names: a, b",)


QRELS_ALL = {"1": {"a": 1, "b": 0}, "2": {"a": 1}}


@pytest.mark.parametrize("measure", ["AP", "infAP", "Compat"])
def test_a_second_evaluation_with_the_same_objects_gives_the_same(write, measure):
    qrels = irbounds.read_qrels(write("q", QRELS))
    run = irbounds.read_run(write("r", RUN))
    first = irbounds.score(qrels, [run], [measure]).values
    assert (irbounds.score(qrels, [run], [measure]).values == first).all()
    assert first.any()


def test_a_system_that_found_nothing_is_counted_and_shown_first(write):
    run = write("r", run_lines((1, "z", 1, 2)))
    assert warnings_of(QRELS_ALL, run).startswith("found nothing relevant in any query: mine")


@pytest.mark.parametrize("value", [[0.5], [0.5, 0.5, 0.5], [0.0, 0.0]])
def test_one_query_or_equal_scores_give_no_interval_with_a_reason(value):
    table = irbounds.read_scores(pd.DataFrame({"mine": value}))
    with pytest.warns(irbounds.errors.DegenerateSampleWarning, match="mine, score: no interval, "):
        (estimate,) = irbounds.mean_interval(table)
    assert estimate.value == value[0]
    assert math.isnan(estimate.interval.low)
    assert math.isnan(estimate.interval.high)


def test_a_level_of_95_is_an_error_with_a_hint():
    table = irbounds.read_scores(pd.DataFrame({"mine": [0.1, 0.4]}))
    with pytest.raises(ParameterError, match=r"between 0 and 1; got 95, did you mean 0.95\?"):
        irbounds.mean_interval(table, confidence_level=95)
    for level in (0, 1, -0.5, float("nan")):
        with pytest.raises(ParameterError, match="between 0 and 1"):
            irbounds.mean_interval(table, confidence_level=level)


def test_clean_input_has_no_warning(write):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert irbounds.check(write("q", QRELS), [write("r", RUN)]).warnings == ()


def test_a_query_that_is_left_out_is_not_said_to_score_0(write):
    qrels = {"1": {"a": 1}, "2": {"a": 0}}
    said = warnings_of(qrels, {"1": {"a": 1.0}}, queries="common")
    assert "nothing relevant" not in said


@pytest.mark.parametrize(
    ("nested", "said"),
    [
        ({"1": {"a": [2]}}, "record 1: score \\[2\\] is not a number"),
        ({"1": {"a": True}}, "record 1: score True is not a number"),
        ({"1": {"a": 10**400}}, "is infinite"),
        ({"1": {"\ud800": 1}}, "is no valid Unicode"),
        ({"1": {"": 1}}, "document id '' is neither"),
        ({"1": 5}, "query '1' must map document ids to numbers; got int"),
        ({1: {"a": 1}, "1": {"b": 2}}, "the keys 1, '1' are the id of one query"),
    ],
)
def test_dicts_that_hold_something_else(nested, said):
    with pytest.raises(InputError, match=said):
        irbounds.read_run(nested)


def test_judgments_of_nothing_are_an_error_and_a_ranking_of_nothing_is_a_missing_query():
    with pytest.raises(InputError, match="query '2' has no judgments; leave it out"):
        irbounds.read_qrels({"1": {"a": 1}, "2": {}})
    run = irbounds.read_run({"1": {"a": 1.0}, "2": {}})
    assert "judged queries missing" in warnings_of(QRELS_ALL, run)


def test_json_too_deep_or_too_long_is_an_error(write):
    with pytest.raises(InputError, match="JSON that cannot be read"):
        irbounds.read_run(write("r.json", '{"a":' * 100_000))
    with pytest.raises(InputError, match="JSON that cannot be read"):
        irbounds.read_run(write("r.json", '{"1": {"a": ' + "9" * 6000 + "}}"))


def test_control_characters_belong_to_the_id(write):
    run = irbounds.read_run(write("r", "1 Q0 a\x01 1 9 t\n1 Q0 a 2 8 t\n"))
    assert list(run.to_dict()["1"]) == ["a\x01", "a"]


def test_damaged_parquet_is_an_error(tmp_path):
    path = tmp_path / "r.parquet"
    pd.DataFrame({"query_id": ["1"], "doc_id": ["a"], "score": [1.0]}).to_parquet(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="cannot be read as parquet"):
        irbounds.read_run(path)


def plain_parquet(path, **options):
    """Forty rows, in one page for each column, as pyarrow writes them."""
    columns = {"query_id": ["q"] * 40, "doc_id": [f"d{k}" for k in range(40)], "score": [1.0] * 40}
    plain = {"compression": "none", "use_dictionary": False, "data_page_version": "1.0"}
    pyarrow.parquet.write_table(pyarrow.table(columns), path, **(plain | options))
    return path.read_bytes()


READ_ALL_DAMAGED = """
import random, sys
from pathlib import Path
import irbounds
from irbounds.standard_streams import holding_back_allowed
path, random = Path(sys.argv[1]), random.Random(1)
whole = path.read_bytes()
length = int.from_bytes(whole[-8:-4], "little")
for case in range(200):
    data = bytearray(whole)
    for _ in range(random.choice((1, 2, 8))):
        place = random.randrange(4, len(data) - 8 - length * random.randrange(2))
        data[place] = random.choice((0, 1, 0x7F, 0x80, 0xFF, data[place] ^ 1, data[place] ^ 0x80))
    path.write_bytes(data[: random.choice((len(data), len(data), random.randrange(len(data))))])
    with holding_back_allowed():
        try:
            irbounds.read_run(path)
        except irbounds.errors.InputError as error:
            assert len(str(error).splitlines()) == 1
"""


@pytest.mark.parametrize("compression", ["none", "snappy", "zstd"])
def test_no_damaged_parquet_ends_the_process_or_says_more_than_an_error(tmp_path, compression):
    plain_parquet(tmp_path / "r.parquet", compression=compression)
    done = subprocess.run(
        [sys.executable, "-c", READ_ALL_DAMAGED, str(tmp_path / "r.parquet")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_negative_number_of_values_does_not_end_the_process(tmp_path):
    """polars would ask for 2,305,843,009,213,693,944 bytes, and abort."""
    path = tmp_path / "r.parquet"
    whole = plain_parquet(path)
    count = bytes([0x15, 2 * 40])  # the number of values of a page, as Thrift writes it
    place = whole.index(count)
    path.write_bytes(whole[:place] + bytes([0x15, 2 * 40 + 1]) + whole[place + 2 :])
    (tmp_path / "q.txt").write_text("q 0 d1 1\n")
    done = subprocess.run(
        [sys.executable, "-m", "irbounds", "evaluate", tmp_path / "q.txt", path, "-m", "AP"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert "r.parquet: cannot be read as parquet: damaged" in line


def test_texts_as_differences_are_read_on_trial_first(tmp_path, monkeypatch):
    """Their lengths are in the pages, and polars asks for as much memory as they say."""
    path = tmp_path / "r.parquet"
    monkeypatch.setattr(parquet, "READ_ALL", "import os; os.abort()")
    monkeypatch.setattr(parquet, "READ_STRETCHES", "import os; os.abort()")
    plain_parquet(path)
    assert len(irbounds.read_run(path)) == 40  # which need no trial
    plain_parquet(path, column_encoding={"query_id": "DELTA_BYTE_ARRAY"})
    _, layout = parquet.columns_and_layout(str(path))
    for read in (irbounds.read_run, lambda path: parquet.check_stretches(str(path), layout)):
        with pytest.raises(InputError, match=r"r\.parquet: .*parquet: damaged: .* trial"):
            read(path)
    monkeypatch.undo()
    assert len(irbounds.read_run(path)) == 40


def test_encrypted_parquet_is_called_so(write):
    with pytest.raises(InputError, match=r"r\.parquet: .*encrypted"):
        irbounds.read_run(write("r.parquet", b"PAR1" + b"x" * 50 + b"PARE"))


@pytest.mark.parametrize("header", ["qid,docno,score,score", "qid,qid,docno,score"])
def test_a_column_twice_in_a_header_is_an_error(write, header):
    with pytest.raises(InputError, match="stands twice in the header"):
        irbounds.read_run(write("r.csv", f"{header}\n1,a,1,2\n"))


def test_blank_lines_of_csv_are_accepted(write):
    run = irbounds.read_run(write("r.csv", "\nquery_id,doc_id,score\n\n1,a,2\n \n"))
    assert run.to_dict() == {"1": {"a": 2.0}}


@pytest.mark.parametrize("text", ["1_000", "٣", "0x10", "1e", "true", ""])
def test_numbers_of_csv_follow_the_rule_of_trec_text(write, text):
    with pytest.raises(InputError, match=r"record 1: score .* is not a number"):
        irbounds.read_run(write("r.csv", f"query_id,doc_id,score\n1,a,{text}\n"))


def test_a_long_file_without_a_line_end_is_refused_quickly(write):
    with pytest.raises(InputError, match="columns where 6 are expected"):
        irbounds.read_run(write("r", b"x " * 20_000_000))


@pytest.mark.parametrize("character", ["\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\u2003"])
@pytest.mark.parametrize("text", ["{}1", "1{}", "{}1{}"])
def test_only_white_space_of_trec_text_may_stand_beside_a_number(write, text, character):
    text = text.replace("{}", character)
    for name, content in (
        ("r", run_lines((1, "a", 1, text))),
        ("r.csv", f"query_id,doc_id,score\n1,a,{text}\n"),
        ("r.json", json.dumps({"1": {"a": text}})),
    ):
        with pytest.raises(InputError, match=r"1: score .* is not a"):
            irbounds.read_run(write(name, content))
    for name, content in (("s.txt", f"map 1 0\nmap 2 {text}\n"), ("s.csv", f"topic,a\n1,{text}\n")):
        with pytest.raises(InputError, match="is not a finite number"):
            irbounds.read_scores(write(name, content))
    assert irbounds.read_run({"1": {"a": " 1\t"}}).to_dict() == {"1": {"a": 1.0}}


LONG = "9" * 1000 + "x" * 100_000
DEEP = "[" * 900 + "]" * 900
LONG_VALUES = {
    "r": run_lines((1, "a", 1, LONG)),
    "run.csv": f"query_id,doc_id,score\n1,a,{LONG}\n",
    "run.json": json.dumps({"1": {"a": LONG}}),
    "query.json": json.dumps({LONG: 5, "1": {}}),
    "deep.json": f'{{"1": {{"a": {DEEP}}}}}',
    "record.jsonl": f'{{"query_id": {DEEP}, "doc_id": {DEEP}, "score": 1}}',
    "twice": run_lines((LONG, LONG, 1, 1)) * 2,
    "header.csv": ",".join(f"{LONG}{k}" for k in range(30)) + "\n" + "1," * 29 + "1\n",
    "headers.csv": ",".join(map(str, range(5000))) + "\n" + "1," * 4999 + "1\n",
}


@pytest.mark.parametrize("name", LONG_VALUES)
def test_what_was_received_is_shortened_in_every_message(write, name):
    with pytest.raises(InputError) as caught:
        irbounds.read_run(write(name, LONG_VALUES[name]))
    assert len(str(caught.value)) < 3000
    if name in ("r", "run.csv", "run.json"):
        assert re.search(r"1: score '9{30,}\.{3}x{30,}' is not a", str(caught.value))


def test_a_list_too_deep_or_a_number_too_long_in_memory_is_shortened_too():
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    for value in (deep, 10**6000, "x" * 10**6):
        with pytest.raises(InputError, match=r"record 1: score .{5,100} is"):
            irbounds.read_run({"1": {"a": value}})
        with pytest.raises(InputError, match=r"document 1: relevance .{5,100} is not a whole"):
            read_assessments({"a": value})
    with pytest.raises(InputError, match="record 1: query id an integer of 19,932 bits"):
        irbounds.read_run({10**6000: {"a": 1}})


def seconds_to_refuse(text):
    begin = time.perf_counter()
    assert np.isnan(as_numbers([text])).all()
    return time.perf_counter() - begin


@pytest.mark.parametrize("shape", ["{}x", "{}.{}x", ".{}x", "1e{}x", "-{}ex"])
def test_what_is_no_number_is_refused_in_one_pass(shape):
    """8 times the digits take 8 times as long; a pattern that tries all splits takes 64 times."""
    short, long = (
        min(seconds_to_refuse(shape.replace("{}", "9" * n)) for _ in range(5))
        for n in (1_000, 8_000)
    )
    assert long < 25 * short
