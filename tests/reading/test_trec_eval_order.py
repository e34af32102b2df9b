"""Runs in trec_eval's order; errors and arrays of files that are in order or not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import irbounds
import naive
from irbounds.errors import InputError
from irbounds.reading.ids import GrowableArray

QRELS = {"1": {"a": 1, "b": 0}}


def run_lines(*entries):
    return "".join(f"{q} Q0 {d} {r} {s} tag\n" for q, d, r, s in entries)


def test_ties_are_ordered_by_document_id_descending(write):
    run = irbounds.read_run(write("r", run_lines((1, "a", 1, 1), (1, "c", 2, 1), (1, "b", 3, 0))))
    assert list(run.to_dict()["1"]) == ["c", "a", "b"]
    assert run.n_tied == 2
    assert irbounds.check(QRELS, [run]).runs[0].tied_share == pytest.approx(2 / 3)


def test_float32_ties_scores_that_doubles_distinguish(write):
    path = write("r", run_lines((1, "a", 1, "1.000000001"), (1, "b", 2, "1.0")))
    assert list(irbounds.read_run(path).to_dict()["1"]) == ["a", "b"]
    assert list(irbounds.read_run(path, float32=True).to_dict()["1"]) == ["b", "a"]


def test_contradicting_ranks_are_counted_or_used(write):
    path = write("r", run_lines((1, "a", 2, 9), (1, "b", 1, 5), (1, "c", 3, 1)))
    run = irbounds.read_run(path)
    assert list(run.to_dict()["1"]) == ["a", "b", "c"]
    assert run.n_rank_contradictions == 1
    (warning,) = irbounds.check(QRELS, [run]).warnings
    assert warning.startswith("entries that the rank column puts behind one of lower score")
    assert warning.endswith(": r (1)")
    by_rank = irbounds.read_run(path, order="rank")
    assert list(by_rank.to_dict()["1"]) == ["b", "a", "c"]
    assert by_rank.n_rank_contradictions == 1
    assert irbounds.score(QRELS, [by_rank], "AP").values.tolist() == [[[0.5]]]


@given(
    st.lists(
        st.tuples(st.sampled_from([1.0, 2.0, 2.5]), st.one_of(st.just("x"), st.integers(0, 6))),
        min_size=1,
        max_size=8,
    )
)
def test_contradictions_match_slow_code(entries):
    frame = [
        {"query_id": "1", "doc_id": f"d{k}", "score": score, "rank": rank}
        for k, (score, rank) in enumerate(entries)
    ]
    known = [(score, -1 if rank == "x" else rank) for score, rank in entries]
    assert irbounds.read_run(frame).n_rank_contradictions == naive.n_contradictions(known)


def test_scores_beyond_single_precision_are_an_error_with_float32(write):
    path = write("r", run_lines((1, "a", 1, "1e300"), (1, "b", 2, "-1.7e308")))
    assert list(irbounds.read_run(path).to_dict()["1"]) == ["a", "b"]
    with pytest.raises(InputError, match=r"line 1: score 1e.300 is infinite in single precision"):
        irbounds.read_run(path, float32=True)


def test_order_by_rank_needs_distinct_integers(write):
    with pytest.raises(InputError, match="line 2: rank 1 is in its query twice"):
        irbounds.read_run(write("r", run_lines((1, "a", 1, 1), (1, "b", 1, 2))), order="rank")
    irbounds.read_run(write("r", run_lines((1, "a", 1, 1), (2, "b", 1, 2))), order="rank")
    with pytest.raises(InputError, match="line 2: the rank is not an integer of at least 0"):
        irbounds.read_run(write("r", run_lines((1, "a", 1, 1), (1, "b", "x", 1))), order="rank")
    with pytest.raises(InputError, match="needs a rank column"):
        irbounds.read_run({"1": {"a": 1.0}}, order="rank")


# --- numbers -----------------------------------------------------------------------------------


def test_duplicates_first_keeps_the_best_ranked(write):
    path = write("r", run_lines((1, "x", 1, 1), (1, "b", 1, 5), (1, "b", 1, 9), (1, "a", 1, 7)))
    run = irbounds.read_run(path, duplicates="first")
    assert run.to_dict() == {"1": {"b": 9.0, "a": 7.0, "x": 1.0}}
    assert run.n_duplicates == 1
    assert "the best-ranked of each was kept: r (1)" in irbounds.check(QRELS, [run]).warnings[-1]


def test_errors_name_the_lines_of_moved_entries(write):
    run = "b Q0 x 1 3 t\na Q0 x 1 3 t\n\nb Q0 y 2 2 t\nb Q0 x 3 1 t\n"
    with pytest.raises(InputError, match=r"line 5: document 'x' .* \(first on line 1\)"):
        irbounds.read_run(write("run", run))


def test_files_in_order_are_not_copied(write, monkeypatch):
    """The arrays of the run are those that were read."""
    columns, finish = [], GrowableArray.finish
    monkeypatch.setattr(
        GrowableArray, "finish", lambda self: columns.append(finish(self)) or columns[-1]
    )
    ordered = "".join(f"q{q} Q0 d{k} {k + 1} {9 - k} t\n" for q in range(3) for k in range(9))
    run = irbounds.read_run(write("ordered", ordered))
    shuffled = "".join(sorted(ordered.splitlines(keepends=True), key=lambda line: line[4:]))
    moved = irbounds.read_run(write("shuffled", shuffled), name="ordered")
    assert run.to_dict() == moved.to_dict()
    for array in (run.docs, run.scores):
        assert any(np.shares_memory(array, column) for column in columns)
    assert not any(np.shares_memory(moved.docs, column) for column in columns)  # the control


def test_entries_are_grouped_by_query(write):
    path = write("r", run_lines((1, "a", 1, 9), (2, "b", 1, 5), (1, "c", 2, 4), (2, "d", 2, 3)))
    expected = {"1": {"a": 9.0, "c": 4.0}, "2": {"b": 5.0, "d": 3.0}}
    assert irbounds.read_run(path).to_dict() == expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"duplicates": "last"}, "duplicates must be 'error' or 'first'; got 'last'"),
        ({"order": "file"}, "order must be 'score' or 'rank'; got 'file'"),
        ({"depth": 0}, "depth must be an integer of at least 1; got 0"),
    ],
)
def test_invalid_options(options, message):
    with pytest.raises(irbounds.errors.ParameterError, match=message):
        irbounds.read_run({"1": {"a": 1.0}}, **options)
