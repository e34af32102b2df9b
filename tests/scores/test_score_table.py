"""The table and the one rule for missing queries."""

from __future__ import annotations

import numpy as np
import pytest

import irbounds
from irbounds import DataError, ParameterError

QRELS = {"1": {"a": 1}, "2": {"a": 1, "b": 1}, "3": {"c": 1}}
RUNS = {
    "x": {"1": {"a": 1.0}, "2": {"b": 2.0, "a": 1.0}, "9": {"a": 1.0}},
    "y": {"2": {"z": 2.0, "a": 1.0}, "3": {"c": 1.0}},
}


def test_shape_and_labels():
    table = irbounds.score(QRELS, RUNS, ["AP", "P@1"])
    assert table.measures == ("AP", "P@1")
    assert table.systems == ("x", "y")
    assert table.queries == ("1", "2", "3")
    assert table.values.tolist() == [[[1, 1, 0], [0, 0.25, 1]], [[1, 1, 0], [0, 0, 1]]]
    assert table.means().tolist() == pytest.approx(np.array([[2 / 3, 1.25 / 3], [2 / 3, 1 / 3]]))


def test_common_queries_are_those_of_every_run():
    table = irbounds.score(QRELS, RUNS, ["AP"], queries="common")
    assert table.queries == ("2",)
    assert table.values.tolist() == [[[1.0], [0.25]]]
    only = irbounds.score(QRELS, {"y": RUNS["y"]}, ["AP"], queries="common")
    assert only.queries == ("2", "3")


def test_rules_that_leave_nothing():
    runs = {"x": {"1": {"a": 1.0}}, "y": {"3": {"a": 1.0}}}
    with pytest.raises(DataError, match="no judged query is in every run"):
        irbounds.score(QRELS, runs, ["AP"], queries="common")
    with pytest.raises(ParameterError, match="queries must be 'judged' or 'common'; got 'all'"):
        irbounds.score(QRELS, RUNS, ["AP"], queries="all")


@pytest.mark.parametrize("queries", ["judged", "common"])
def test_provided_measures_follow_the_same_rule(queries):
    ours = irbounds.score(QRELS, RUNS, ["SetP"], queries=queries)
    theirs = irbounds.score(QRELS, RUNS, ["SetP(judged_only=True)"], queries=queries)
    assert ours.queries == theirs.queries
    assert ((ours.values > 0) == (theirs.values > 0)).all()


def test_frames_have_one_row_a_score():
    table = irbounds.score(QRELS, RUNS, ["AP", "P@1"])
    for frame in (table.to_polars(), table.to_pandas()):
        columns = (list(frame[name]) for name in ("query_id", "system", "measure", "value"))
        rows = list(zip(*columns, strict=True))
        assert len(rows) == 12
        assert ("2", "y", "AP", 0.25) in rows


def test_values_cannot_be_changed():
    table = irbounds.score(QRELS, RUNS, ["AP"])
    with pytest.raises(ValueError, match="read-only"):
        table.values[0, 0, 0] = 2.0


def test_labels_that_are_not_there():
    table = irbounds.score(QRELS, RUNS, ["AP"])
    with pytest.raises(ParameterError, match="no measure 'nDCG' here, only AP"):
        table.scores("nDCG", "x")
    with pytest.raises(ParameterError, match="no system 'z' here, only x, y"):
        table.scores("AP", "z")


def test_ways_to_give_runs():
    one = irbounds.score(QRELS, RUNS["x"], "AP")
    assert one.systems == ("run",)
    run = irbounds.read_run(RUNS["x"], name="x")
    for given in (run, [run], (run,), {"x": RUNS["x"]}):
        assert irbounds.score(QRELS, given, "AP").systems == ("x",)
    with pytest.raises(ParameterError, match="no run given"):
        irbounds.score(QRELS, [], "AP")


def test_the_diagnosis_counts():
    diagnosis = irbounds.score(QRELS, RUNS, ["AP"]).diagnosis
    x, y = diagnosis.runs
    assert (x.n_missing, x.n_unjudged, y.n_missing, y.n_unjudged) == (1, 1, 1, 0)
    assert (x.n_entries, x.depth_least, x.depth_most) == (4, 1, 2)
    assert y.judged_at_10 == pytest.approx(np.mean([0.5, 1.0]))
    assert diagnosis.qrels.n_relevant == 4
    assert diagnosis.n_scored == 3
