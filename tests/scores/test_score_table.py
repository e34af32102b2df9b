"""The table and the one rule for missing queries."""

from __future__ import annotations

import numpy as np
import pytest

import irbounds
from irbounds import ScoreTable
from irbounds.errors import DataError, ParameterError

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


def test_rules_without_any_query():
    runs = {"x": {"1": {"a": 1.0}}, "y": {"3": {"a": 1.0}}}
    with pytest.raises(DataError, match="no judged query is in every run"):
        irbounds.score(QRELS, runs, ["AP"], queries="common")
    with pytest.raises(ParameterError, match="queries must be one of 'all', 'common'; got 'some'"):
        irbounds.score(QRELS, RUNS, ["AP"], queries="some")


@pytest.mark.parametrize("queries", ["all", "common"])
def test_provided_measures_follow_the_same_rule(queries):
    table = irbounds.score(QRELS, RUNS, ["SetAP", "P@1"], queries=queries)
    set_ap = [[[1.0, 1.0, 0.0], [0.0, 0.25, 1.0]]]  # set precision times set recall, by hand
    places = [k for k, query in enumerate(QRELS) if query in table.queries]
    assert table.values[:1].tolist() == np.array(set_ap)[:, :, places].tolist()


def test_frames_have_one_row_per_score():
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


def test_unknown_labels():
    table = irbounds.score(QRELS, RUNS, ["AP"])
    with pytest.raises(ParameterError, match="no measure 'nDCG' here, only 'AP'"):
        table.scores("nDCG", "x")
    with pytest.raises(ParameterError, match="no system 'z' here, only 'x', 'y'"):
        table.scores("AP", "z")


class Name(str):
    """A name that counts how often it is compared."""

    n_comparisons = 0

    def __eq__(self, other):
        Name.n_comparisons += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_selection_of_many_systems_is_fast():
    names = [f"system {k}" for k in range(2000)]
    table = ScoreTable(("AP",), tuple(map(Name, names)), ("1",), np.zeros((1, 2000, 1)))
    Name.n_comparisons = 0
    assert table.select_systems(list(map(Name, names))).systems == tuple(names)
    assert Name.n_comparisons < 10 * len(names)
    Name.n_comparisons = 0
    with pytest.raises(ParameterError, match="'system 1999' is there twice"):
        ScoreTable(("AP",), tuple(map(Name, [*names, names[-1]])), ("1",), np.zeros((1, 2001, 1)))
    assert Name.n_comparisons < 10 * len(names)


def test_ways_to_give_runs():
    one = irbounds.score(QRELS, RUNS["x"], "AP")
    assert one.systems == ("run",)
    run = irbounds.read_run(RUNS["x"], name="x")
    for given in (run, [run], (run,), {"x": RUNS["x"]}):
        assert irbounds.score(QRELS, given, "AP").systems == ("x",)
    with pytest.raises(ParameterError, match="no run given"):
        irbounds.score(QRELS, [], "AP")


@pytest.mark.parametrize(
    ("labels", "values", "said"),
    [
        ((("AP",), ("a", "b"), ("1",)), [[[1.0]]], r"values must be of shape \(1, 2, 1\); got"),
        ((("AP",), ("a", "a"), ("1",)), [[[1.0], [2.0]]], "'a' is there twice"),
        ((("AP",), ("a",), ("1",)), [[[float("nan")]]], "values must be finite"),
    ],
)
def test_invalid_tables(labels, values, said):
    with pytest.raises(ParameterError, match=said):
        irbounds.ScoreTable(*labels, np.array(values))


def test_table_is_a_copy_with_a_short_repr():
    mine = np.zeros((1, 1, 2), dtype=np.float32)
    table = irbounds.ScoreTable(("AP",), ("a",), ("1", "2"), mine)
    mine[0, 0, 0] = 1.0
    assert table.values.dtype == np.float64
    assert not table.values.any()
    assert repr(table) == "<ScoreTable: 1 systems, 2 queries, AP>"


def test_progress_is_called_after_each_run():
    steps = []
    irbounds.score(QRELS, RUNS, ["AP"], progress=lambda: steps.append(1))
    assert len(steps) == len(RUNS)


def test_mean_interval_takes_a_table():
    with pytest.raises(
        irbounds.errors.InputError, match="a file or a pandas or polars frame is expected"
    ):
        irbounds.mean_interval(7)
    table = irbounds.score(QRELS, RUNS, ["AP"])
    with pytest.raises(ParameterError, match=r"must be a fraction; got '0\.95'"):
        irbounds.mean_interval(table, confidence_level="0.95")


@pytest.mark.parametrize("largest", [1.01e250, -9e307, 1.7e308])
def test_too_large_scores_name_their_cell(largest):
    values = np.array([[[0.5, 0.1], [0.2, largest]]])
    with pytest.raises(ParameterError, match=r"^b, AP, query 'q2': scores must lie .*1e\+250") as e:
        ScoreTable(("AP",), ("a", "b"), ("q1", "q2"), values)
    assert f"{abs(largest):g}" in str(e.value)
    with pytest.raises(ParameterError, match=r"query '2': scores must lie"):
        irbounds.mean_interval([0.5, largest])


def test_too_large_score_names_its_file(tmp_path):
    (tmp_path / "a.csv").write_text("query_id,one\nq1,0.5\nq2,-1e251\n")
    with pytest.raises(ParameterError, match=r"a\.csv: one, score, query 'q2': .* size 1e\+251$"):
        irbounds.read_scores(tmp_path / "a.csv")
