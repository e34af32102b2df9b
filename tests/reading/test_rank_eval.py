"""Responses of ``_rank_eval`` of Elasticsearch and OpenSearch as scores."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import irbounds
from irbounds.errors import InputError, ParameterError


def response(scores, metric="precision", n_unrated=0, failures=(), **detail):
    """Return a response with the fields that the servers document."""
    unrated = [{"_index": "posts", "_id": str(k)} for k in range(n_unrated)]
    details = {
        query: {
            "metric_score": score,
            "unrated_docs": unrated,
            "hits": [{"hit": {"_index": "posts", "_id": "7", "_score": 1.5}, "rating": 1}],
            "metric_details": {metric: {"relevant_docs_retrieved": 6, **detail}},
        }
        for query, score in scores.items()
    }
    return {
        "metric_score": sum(scores.values()) / max(len(scores), 1),
        "details": details,
        "failures": {query: {"error": "timed out"} for query in failures},
    }


OLD = response({"q1": 0.6, "q2": 0.25, "q3": 0})
NEW = response({"q3": 0.5, "q1": 0.7, "q2": 1})


def write_responses(directory, **responses):
    for name, content in responses.items():
        (directory / f"{name}.json").write_text(json.dumps(content, indent=1))
    return [directory / f"{name}.json" for name in responses]


def test_files_are_systems(tmp_path):
    files = write_responses(tmp_path, bm25=OLD, dense=NEW)
    table = irbounds.read_scores(files)
    # json_normalize and pivot as an independent reader
    rows = pd.concat(
        pd.json_normalize(
            [{"qid": q, **d} for q, d in json.loads(file.read_text())["details"].items()]
        ).assign(system=file.stem)
        for file in files
    )
    pivot = rows.pivot(index="qid", columns="system", values="metric_score")
    assert table.measures == ("precision",)
    assert table.systems == ("bm25", "dense")
    for system in table.systems:
        assert table.scores("precision", system).tolist() == [
            float(pivot[system][query]) for query in table.queries
        ]
    assert not table.warnings


def test_responses_in_memory():
    by_system = irbounds.compare(scores={"bm25": OLD, "dense": NEW}, measures="P@10")
    (comparison,) = by_system
    assert {comparison.system, comparison.baseline} == {"bm25", "dense"}
    assert comparison.measure == "P@10"
    assert irbounds.read_scores(OLD).systems == ("system",)

    class ObjectApiResponse:
        body = OLD

    ObjectApiResponse.__module__ = "elastic_transport"
    table = irbounds.read_scores(ObjectApiResponse())
    assert table.scores("precision", "system").tolist() == [0.6, 0.25, 0]
    both = irbounds.read_scores({"a": ObjectApiResponse(), "b": NEW})
    assert both.systems == ("a", "b")


@pytest.mark.parametrize(
    ("metric", "detail", "name", "requested", "wrong"),
    [
        ("precision", {}, "precision", "P@10", "nDCG@10"),
        ("recall", {}, "recall", "R@20", "P@20"),
        ("mean_reciprocal_rank", {"first_relevant": 1}, "mean_reciprocal_rank", "RR@10", "AP"),
        ("expected_reciprocal_rank", {}, "expected_reciprocal_rank", "ERR@20", "RR"),
        ("dcg", {"dcg": 3.2}, "dcg", "my_dcg", "nDCG@10"),
        ("dcg", {"dcg": 3.2, "normalized_dcg": 0.4}, "normalized_dcg", "nDCG@10", "P@10"),
        ("other", {}, "other", "nDCG@10", None),
    ],
)
def test_measure_is_named_by_its_metric_or_by_request(
    tmp_path, metric, detail, name, requested, wrong
):
    (file,) = write_responses(tmp_path, bm25=response({"1": 0.5, "2": 0.25}, metric, **detail))
    assert irbounds.read_scores(file).measures == (name,)
    for table in (
        irbounds.read_scores(file, measure=requested),
        irbounds.read_scores({requested: file}),
        irbounds.read_scores(file, measure=requested, measures=[requested]),
    ):
        assert table.measures == (requested,)
    if wrong:
        with pytest.raises(InputError, match=rf"bm25\.json: its metric is {name}, not {wrong}"):
            irbounds.read_scores(file, measure=wrong)


def test_response_without_details_of_the_metric():
    bare = {"metric_score": 0.5, "details": {"1": {"metric_score": 0.5}}}
    assert irbounds.read_scores(bare).measures == ("score",)


def test_failed_queries_are_refused_or_left_out(tmp_path):
    failed = response({"q1": 0.5, "q2": 0.25}, failures=["q3"])
    files = write_responses(tmp_path, bm25=OLD, dense=failed)
    with pytest.raises(InputError, match=r"dense\.json: failed queries: 'q3'; .* not a score of 0"):
        irbounds.read_scores(files)
    table = irbounds.read_scores(files, queries="common")
    assert table.queries == ("q1", "q2")
    assert any("failed queries: 'q3'; left out" in warning for warning in table.warnings)
    # the same query failed in every system, so that the table has no gap
    with pytest.raises(InputError, match="failed queries: 'q3'"):
        irbounds.read_scores({"a": failed, "b": failed})
    with pytest.raises(InputError, match=r"^the scores: failed queries: 'q1'; no query has a sc"):
        irbounds.read_scores(response({}, failures=["q1"]))


def test_unrated_documents_are_counted():
    table = irbounds.read_scores(
        {"a": response({"1": 0.5, "2": 1.0}, n_unrated=3), "b": response({"1": 0.5, "2": 0.5})}
    )
    (warning,) = table.warnings
    assert "system 'a': unrated documents in the hits: 6" in warning


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"metric_score": 0.5, "details": {', "line 1: not JSON"),
        ('{"metric_score": 0.5, "details": {}}', "empty: no scores"),
        ('{"metric_score": 0.5, "details": []}', "details: an object is expected; got list"),
        ('{"metric_score": 0.5, "details": {"1": 0.5}}', "details, '1': an object is expected"),
        ('{"metric_score": 0.5, "details": {"1": {}}}', "'1': metric_score None is not a finite"),
        ('{"metric_score": 1, "details": {"1": {"metric_score": "NaN"}}}', "'NaN' is not a finite"),
        ('{"metric_score": 1, "details": {"1": {"metric_score": true}}}', "True is not a finite"),
        ('{"metric_score": 1, "details": {"1": {"metric_score": NaN}}}', "numbers must be finite"),
        (
            '{"metric_score": 1, "details": {"1": {"metric_score": 1, "unrated_docs": 3}}}',
            "unrated_docs is not a list",
        ),
        (
            '{"metric_score": 1, "details": {"1": {"metric_score": 1}}, "failures": 3}',
            "failures: an object is expected; got int",
        ),
        (
            '{"error": {"type": "index_not_found_exception", "reason": "no such index [x]"}, '
            '"status": 404}',
            r"the server returned an error and no scores: .*'no such index \[x\]'",
        ),
        ('{"error": "no handler found", "status": 400}', "an error and no scores: 'no handler"),
        ('{"metric_score": 0.5, "failures": {}}', "details: an object is expected; got NoneType"),
    ],
)
def test_invalid_responses(write, content, message):
    with pytest.raises(InputError, match=rf"bm25\.json: .*{message}") as caught:
        irbounds.read_scores(write("bm25.json", content))
    assert "\n" not in str(caught.value)


def test_responses_are_neither_judgments_nor_runs(tmp_path):
    bm25, dense = write_responses(tmp_path, bm25=OLD, dense=NEW)
    with pytest.raises(InputError, match=r"bm25\.json: "):
        irbounds.evaluate(bm25, dense)
    with pytest.raises(InputError, match=r"dense\.json: "):
        irbounds.read_run(dense)


def test_responses_of_different_metrics_are_an_error(tmp_path):
    other = response({"q1": 0.5, "q2": 0.25, "q3": 1.0}, metric="dcg")
    files = write_responses(tmp_path, bm25=OLD, dense=other)
    message = r"dense\.json: no value of precision for system 'dense', only of 'dcg': .* differ"
    with pytest.raises(InputError, match=message):
        irbounds.read_scores(files)


def test_several_metrics_and_other_objects():
    mixed = response({"1": 0.5, "2": 1.0})
    mixed["details"]["2"]["metric_details"] = {"recall": {}}
    with pytest.raises(InputError, match="one metric is expected; got 'precision', 'recall'"):
        irbounds.read_scores(mixed)
    with pytest.raises(InputError, match="system 'b': a response of _rank_eval is expected"):
        irbounds.read_scores({"a": OLD, "b": {"1": 0.5}})
    with pytest.raises(ParameterError, match="scores takes the place of qrels and runs"):
        irbounds.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, scores=OLD)
