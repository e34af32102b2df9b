"""Per-query scores in memory, as other tools return them."""

from __future__ import annotations

import json
import logging
from collections import namedtuple
from fractions import Fraction

import ir_measures
import numpy as np
import pandas as pd
import polars as pl
import pytest

import irbounds
from irbounds.errors import InputError

LISTS = {"a": [0.1, 0.2], "b": [0.3, 0.1]}
PYTREC = {"q1": {"map": 0.5, "P_10": 0.1}, "q2": {"map": 0.25, "P_10": 0.2}}
RANX = {"map": {"q1": 0.5, "q2": 0.25}, "ndcg@10": {"q1": 0.1, "q2": 0.2}}
Metric = namedtuple("Metric", ["query_id", "measure", "value"])


def as_dict(table):
    return {
        (m, s): dict(zip(table.queries, table.scores(m, s).tolist(), strict=True))
        for m in table.measures
        for s in table.systems
    }


@pytest.mark.parametrize(
    "kind", [list, tuple, np.array, pd.Series, pl.Series, lambda x: np.array(x, dtype=object)]
)
def test_systems_with_lists_of_scores(kind):
    table = irbounds.read_scores({name: kind(x) for name, x in LISTS.items()}, measure="AP")
    assert as_dict(table) == {
        ("AP", "a"): {"1": 0.1, "2": 0.2},
        ("AP", "b"): {"1": 0.3, "2": 0.1},
    }
    assert table.inputs[0].fingerprint.startswith("sha256:")


def test_numbers_of_any_type():
    scores = {"a": [True, 1], "b": np.array([True, False]), "c": [Fraction(1, 4), np.float32(0.5)]}
    table = irbounds.read_scores(scores)
    assert table.values.tolist() == [[[1, 1], [1, 0], [0.25, 0.5]]]


def test_index_of_a_series_names_the_queries():
    a = pd.Series([0.1, 0.2], index=["q1", "q2"])
    b = pd.Series([0.4, 0.3], index=["q2", "q1"])
    assert as_dict(irbounds.read_scores({"a": a, "b": b})) == {
        ("score", "a"): {"q1": 0.1, "q2": 0.2},
        ("score", "b"): {"q1": 0.3, "q2": 0.4},
    }
    twice = pd.Series([0.1, 0.2], index=["q1", "q1"])
    with pytest.raises(InputError, match="two values of score for system 'a', query 'q1'"):
        irbounds.read_scores({"a": twice})


def test_systems_queries_and_scores():
    scores = {"a": {"q1": 0.1, 2: 0.2}, "b": {2: 0.1, "q1": 0.3}}
    expected = {("nDCG", "a"): {"q1": 0.1, "2": 0.2}, ("nDCG", "b"): {"q1": 0.3, "2": 0.1}}
    assert as_dict(irbounds.read_scores(scores, measure="nDCG")) == expected
    assert as_dict(irbounds.read_scores({"nDCG": scores})) == expected
    scores["b"].pop(2)
    with pytest.raises(InputError, match=r"system 'b', query '2' \(gaps: 1\)"):
        irbounds.read_scores(scores)
    assert irbounds.read_scores(scores, queries="common").queries == ("q1",)


def test_results_of_pytrec_eval(caplog):
    expected = {
        ("AP", "system"): {"q1": 0.5, "q2": 0.25},
        ("P@10", "system"): {"q1": 0.1, "q2": 0.2},
    }
    with caplog.at_level(logging.INFO, "irbounds"):
        assert as_dict(irbounds.read_scores(PYTREC)) == expected
    assert "query ('q1', 'q2') -> measure ('map', 'P_10')" in caplog.text
    both = irbounds.read_scores({"x": PYTREC, "y": PYTREC})
    assert (both.systems, both.measures, both.queries) == (("x", "y"), ("AP", "P@10"), ("q1", "q2"))
    assert (both.scores("AP", "y") == [0.5, 0.25]).all()
    assert irbounds.read_scores({"x": PYTREC}, measures="P@10").measures == ("P@10",)


def test_all_measures_of_pytrec_eval():
    pytrec_eval = pytest.importorskip("pytrec_eval")
    qrels, run = {"q1": {"a": 1, "b": 0}, "q2": {"b": 1}}, {"q1": {"a": 2.0}, "q2": {"a": 1.0}}
    names = pytrec_eval.supported_measures
    results = pytrec_eval.RelevanceEvaluator(qrels, names).evaluate(run)
    table = irbounds.read_scores({"mine": results})
    assert table.queries == ("q1", "q2")
    assert table.scores("AP", "mine").tolist() == [1, 0]
    assert table.scores("nDCG@10", "mine").tolist() == [1, 0]
    assert irbounds.read_scores(results).measures == table.measures


def test_text_measures_of_pytrec_eval_are_ignored():
    results = {query: {**scores, "relstring": "'10'"} for query, scores in PYTREC.items()}
    table = irbounds.read_scores(results)
    assert table.measures == ("AP", "P@10")
    assert "'relstring'" in table.warnings[0]


def test_scores_of_ranx():
    arrays = {name: np.array(list(scores.values())) for name, scores in RANX.items()}
    table = irbounds.read_scores(arrays)
    assert (table.measures, table.systems, table.queries) == (
        ("AP", "nDCG@10"),
        ("system",),
        ("1", "2"),
    )
    assert table.values[:, 0].tolist() == [[0.5, 0.25], [0.1, 0.2]]
    several = irbounds.read_scores({"x": arrays, "y": arrays})
    assert (several.systems, several.measures) == (("x", "y"), ("AP", "nDCG@10"))
    by_query = irbounds.read_scores({"x": RANX})
    assert by_query.queries == irbounds.read_scores(RANX).queries == ("q1", "q2")
    assert by_query.values.tolist() == table.values.tolist()
    one = irbounds.read_scores(arrays["map"], measure="AP")
    assert as_dict(one) == {("AP", "system"): {"1": 0.5, "2": 0.25}}
    assert irbounds.read_scores([0.5, 0.25]).values.tolist() == [[[0.5, 0.25]]]


def test_saved_report_of_ranx_has_only_means(write):
    report = '{"metrics": ["map"], "model_names": ["x"], "stat_test": "student", "x": {}}'
    with pytest.raises(InputError, match=r"report\.json: a Report of ranx, which has only means"):
        irbounds.read_scores(write("report.json", report))


@pytest.mark.slow  # ranx compiles
@pytest.mark.filterwarnings("ignore")
def test_scores_of_installed_ranx():
    ranx = pytest.importorskip("ranx")
    qrels = ranx.Qrels({"q2": {"a": 1, "b": 1}, "q10": {"c": 1}})
    x = ranx.Run({"q2": {"b": 1.0}, "q10": {"a": 0.7, "c": 0.3}}, name="x")
    y = ranx.Run({"q10": {"c": 0.9}, "q2": {"a": 1.0, "b": 0.5}}, name="y")
    with pytest.raises(InputError, match="Run holds no scores per query; call ranx"):
        irbounds.read_scores(x)
    expected = {("AP", "x"): {"q10": 0.5, "q2": 0.5}, ("AP", "y"): {"q10": 1.0, "q2": 1.0}}
    report = ranx.compare(qrels, [x, y], ["map", "mrr"])
    table = irbounds.read_scores([x, y], measures="AP")
    assert as_dict(table) == expected
    with pytest.raises(InputError, match="Report holds no scores per query"):
        irbounds.read_scores(report)
    several = ranx.evaluate(qrels, y, ["map", "mrr"], return_mean=False)
    assert irbounds.read_scores(several).values.tolist() == [[[1, 1]], [[1, 1]]]
    single = ranx.evaluate(qrels, x, "map", return_mean=False)
    assert irbounds.read_scores(single).values.tolist() == [[[0.5, 0.5]]]
    assert irbounds.mean_interval(single)[0].value == 0.5


def test_records_of_ir_measures():
    qrels, run = {"1": {"a": 1}, "2": {"b": 1}}, {"1": {"a": 1.0}, "2": {"a": 2.0, "b": 1.0}}

    def calculate():
        return ir_measures.iter_calc([ir_measures.AP, ir_measures.P @ 1], qrels, run)

    expected = {"AP": {"1": 1.0, "2": 0.5}, "P@1": {"1": 1.0, "2": 0.0}}
    for scores in (calculate(), list(calculate())):
        assert as_dict(irbounds.read_scores(scores)) == {
            (m, "system"): values for m, values in expected.items()
        }
    table = irbounds.read_scores({"x": calculate(), "y": list(calculate())})
    assert as_dict(table) == {(m, s): expected[m] for m in expected for s in ("x", "y")}
    assert irbounds.mean_interval(calculate(), method="student-t")[0].value == 0.75


def test_invalid_records():
    metrics = [Metric("1", "AP", 0.5), Metric("2", "AP", float("nan"))]
    with pytest.raises(InputError, match="record 2: AP: nan is not a finite number"):
        irbounds.read_scores(metrics)
    with pytest.raises(InputError, match=r"system 'y' must have records .* got list"):
        irbounds.read_scores({"x": metrics[:1], "y": [0.5]})
    with pytest.raises(InputError, match=r"0\.5 lacks one of the fields"):
        irbounds.read_scores([metrics[0], 0.5])


def test_lists_of_sources_in_memory():
    table = irbounds.read_scores([{"a": [0.1, 0.2]}, {"b": [0.3, 0.4]}])
    assert as_dict(table) == {
        ("score", "a"): {"1": 0.1, "2": 0.2},
        ("score", "b"): {"1": 0.3, "2": 0.4},
    }


def test_measures_of_files_and_of_mappings(write):
    path = write("s.csv", "topic,a\n1,0.5\n2,0.25\n")
    table = irbounds.read_scores({"AP": path, "mine": {"a": [0.1, 0.2]}})
    assert as_dict(table) == {
        ("AP", "a"): {"1": 0.5, "2": 0.25},
        ("mine", "a"): {"1": 0.1, "2": 0.2},
    }


@pytest.mark.parametrize("scores", [LISTS, PYTREC, RANX, {"x": PYTREC, "y": PYTREC}])
def test_mapping_as_json(write, scores):
    table = irbounds.read_scores(write("mine.json", json.dumps(scores)))
    expected = irbounds.read_scores(scores)
    assert (table.values == expected.values).all()
    assert (table.measures, table.queries) == (expected.measures, expected.queries)
    named = expected.systems == ("system",)
    assert table.systems == (("mine",) if named else expected.systems)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": [0.5], "a": [1]}', "mine.json: the key 'a' is in one object twice"),
        ('{"a": [0.5, NaN]}', "mine.json: numbers must be finite; got 'NaN'"),
        ('{"a": [0.5, null]}', "mine.json: 'a', '2': None is not a finite number"),
        ('{"a": [0.5]', "mine.json: line 1: not JSON"),
        ("{}", "mine.json: the mapping: empty"),
    ],
)
def test_invalid_json(write, text, message):
    with pytest.raises(InputError, match=message):
        irbounds.read_scores(write("mine.json", text))


@pytest.mark.parametrize(
    ("scores", "facts"),
    [
        ({"a": [0.1, 0.2], "b": [0.3]}, ["'a' has 2 scores and 'b' has 1"]),
        ({"a": [0.1, 0.2], "b": {"q1": 0.3}}, ["'a', '1' and 'b', 'q1' are not on the same level"]),
        ({"a": [0.1, "x"]}, ["'a', '2': 'x' is not a finite number"]),
        ({"a": [0.1, float("inf")]}, ["'a', '2': inf is not a finite number"]),
        ({"a": [0.1, 10**400]}, ["'a', '2': ", "is not a finite number"]),
        ({"a": {"q1": None}}, ["'a', 'q1': None is not a finite number"]),
        ({"a": {"q1": "0.5"}}, ["no value is a number"]),
        ({"a": np.eye(2)}, ["'a': one score per query is expected; got shape (2, 2)"]),
        ({"a": np.ma.array([1.0, 2.0], mask=[True, False])}, ["'a': a masked array"]),
        ({"a": np.array([])}, ["'a': empty: no scores"]),
        ({"a": {}}, ["'a': empty: no scores"]),
        ({"q1": 0.5, "q2": 0.1}, ["one number for each of 'q1', 'q2'", "{system: {query: score}}"]),
        ({"a": {"q1": {"map": {"x": 1}}}}, ["'a', 'q1', 'map': more than 3 levels"]),
        ({"a": {"x": {"map": [1.0]}}}, ["'a', 'x', 'map': more than 3 levels"]),
        ({"a": {1: 0.5, "1": 0.25}}, ["two values of score for system 'a', query '1'"]),
        ({"a": {1.5: 0.5}}, ["query id 1.5 is neither text nor an integer"]),
        ({"a": {"q1": 0.5}, "b": 0.5}, ["'a', 'q1' and 'b' are not on the same level"]),
    ],
)
def test_invalid_mappings(scores, facts):
    with pytest.raises(InputError) as caught:
        irbounds.read_scores(scores)
    assert "\n" not in str(caught.value)
    for fact in ("the scores: ", *facts):
        assert fact in str(caught.value)


@pytest.mark.parametrize(
    ("scores", "readings"),
    [
        ({"q1": {"map": 0.1, "mine": 0.2}}, ["query -> measure", "system -> query"]),
        ({"map": {"q1": 0.1}, "mine": {"q1": 0.2}}, ["measure -> query", "system -> query"]),
        ({"map": {"P_10": 0.1}}, ["measure -> query", "query -> measure"]),
        ({"map": [0.1], "bm25": [0.2]}, ["measure -> query", "system -> query"]),
        ({"x": {"y": [0.1]}}, ["measure -> system -> query", "system -> measure -> query"]),
        (
            {"x": {"y": {"z": 0.1}}},
            ["measure -> system -> query", "system -> measure", "system -> query -> measure"],
        ),
    ],
)
def test_ambiguous_mappings(scores, readings):
    with pytest.raises(InputError) as caught:
        irbounds.read_scores(scores)
    for reading in (*readings, "columns query_id, system, measure and value"):
        assert reading in str(caught.value)


def test_one_known_measure_is_enough_on_three_levels():
    table = irbounds.read_scores({"bm25": {"q1": {"map": 0.1, "mine": 0.2}}})
    assert (table.measures, table.systems, table.queries) == (("AP", "mine"), ("bm25",), ("q1",))


def test_level_of_measures_decides_over_levels_with_some_names():
    table = irbounds.read_scores({"R": {"map": 0.1}, "S": {"map": 0.2}})
    assert (table.measures, table.queries) == (("AP",), ("R", "S"))


def test_level_of_many_keys_is_queries():
    scores = {"a": {f"P_{k}": 0.5 for k in range(1, 1002)}}
    assert irbounds.read_scores(scores).systems == ("a",)
