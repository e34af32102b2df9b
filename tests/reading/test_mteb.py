"""Files of MTEB: predictions as runs, results as scores of models on tasks."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest

import irbounds
import naive
from irbounds.errors import DataError, InputError, IrboundsError
from mteb_files import write_predictions, write_result, write_results

RUN = {"q1": {"d1": 0.25, "d2": 1.5}, "q2": {"d1": -2.0}}


def ranked(run):
    return {
        query: dict(sorted(docs.items(), key=lambda item: (item[1], item[0]), reverse=True))
        for query, docs in run.items()
    }


# ---- predictions ----


def test_predictions_are_a_run_with_the_name_of_the_model(tmp_path):
    path = write_predictions(tmp_path, "SciFact", {"default": {"test": RUN}})
    run = irbounds.read_run(path)
    assert run.name == "org/model"
    assert run.to_dict() == ranked(RUN)
    assert irbounds.read_run(path, name="mine").name == "mine"


def test_predictions_are_read_compressed(tmp_path):
    path = write_predictions(tmp_path, "SciFact", {"default": {"test": RUN}})
    compressed = tmp_path / "SciFact_predictions.json.gz"
    compressed.write_bytes(gzip.compress(path.read_bytes()))
    assert irbounds.read_run(compressed).to_dict() == ranked(RUN)


def test_split_is_chosen_where_there_are_several(tmp_path):
    other = {"q1": {"d9": 3.0}}
    path = write_predictions(tmp_path, "Multi", {"en": {"test": RUN, "dev": other}})
    assert irbounds.read_run(path, task_split="dev").to_dict() == other
    assert irbounds.read_run(path, task_split="test").to_dict() == ranked(RUN)
    with pytest.raises(
        InputError, match=r"got subset 'en', split 'test'; subset 'en', split 'dev'"
    ):
        irbounds.read_run(path)
    with pytest.raises(InputError, match=r"expected of split 'x'; got none"):
        irbounds.read_run(path, task_split="x")
    path = write_predictions(tmp_path, "Multi", {"en": {"test": RUN}, "de": {"test": other}})
    with pytest.raises(InputError, match=r"subset 'de', split 'test'; .* of several subsets keep"):
        irbounds.read_run(path, task_split="test")


def test_split_of_a_run_of_another_format_is_an_error(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(RUN))
    with pytest.raises(InputError, match=r"a.json: --task-split is for predictions of MTEB"):
        irbounds.read_run(path, task_split="test")


def test_predictions_of_one_model_are_named_by_their_files(tmp_path):
    parts = {"default": {"test": RUN}}
    files = [
        write_predictions(tmp_path / place, "T", parts, model)
        for place, model in zip("abc", ("m", "m", "other"), strict=True)
    ]
    names = [run.name for run in irbounds.read_runs(files)]
    assert names == ["a/T_predictions", "b/T_predictions", "other"]
    named = irbounds.read_runs({"old": files[0], "new": files[2]})
    assert [run.name for run in named] == ["old", "new"]
    with pytest.raises(DataError, match=r"two runs are called .*: give each file once"):
        irbounds.read_runs(files[:1] * 2)


def test_predictions_without_their_first_key_are_an_error(tmp_path):
    path = tmp_path / "T_predictions.json"
    path.write_text(json.dumps({"default": {"test": RUN}}))
    for read in (irbounds.read_run, irbounds.read_runs, irbounds.read_qrels):
        with pytest.raises(InputError, match=r"T_predictions.json: ") as caught:
            read(path)
        assert "\n" not in str(caught.value)


def test_predictions_of_several_tasks_are_an_error(tmp_path):
    for task in ("A", "B"):
        write_predictions(tmp_path / "p", task, {"default": {"test": RUN}}, model=task)
    with pytest.raises(InputError, match=r"predictions of several tasks \('A', 'B'\) have judg"):
        irbounds.read_runs(tmp_path / "p")


META = '"mteb_model_meta": {"model_name": "m", "revision": "r"}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{{{META}", "line 1: not JSON: "),
        (f"{{{META}, ", "line 1: not JSON: "),
        (f'{{{META},\n"default": {{"test": {{"q": {{"d": 0.5', "line 2: not JSON: "),
        (f"{{{META}}}", "one split of one subset is expected; got none"),
        (f'{{{META}, "default": []}}', "subset 'default': an object is expected; got list"),
        (f'{{{META}, "default": {{"test": [0, 1]}}}}', "split 'test': an object is expected; got"),
        (f'{{{META}, "default": {{"test": {{}}}}}}', "empty: no records"),
        (f'{{{META}, "default": {{"test": {{"q": {{}}}}}}}}', "empty: no records"),
        (
            f'{{{META}, "default": {{"test": {{"q": 1}}}}}}',
            "query 'q' must map document ids to numbers; got int",
        ),
        (
            f'{{{META}, "default": {{"test": {{"": {{"d": 1}}}}}}}}',
            "record 1: query id '' is neither text nor an integer",
        ),
        (
            f'{{{META}, "default": {{"test": {{"q": {{"": 1}}}}}}}}',
            "record 1: document id '' is neither text nor an integer",
        ),
        (
            f'{{{META}, "default": {{"test": {{"q": {{"d": NaN}}}}}}}}',
            "record 1: score nan is not a number",
        ),
        (
            f'{{{META}, "default": {{"test": {{"q": {{"d": null}}}}}}}}',
            "record 1: score None is not a number",
        ),
        (
            f'{{{META}, "default": {{"test": {{"q": {{"d": 1, "d": 2}}}}}}}}',
            "document 'd' is in query 'q' twice",
        ),
        (
            f'{{{META}, "default": {{"test": {{"q": {{"d": 1}}, "q": {{"d": 2}}}}}}}}',
            "split 'test': the key 'q' is in one object twice",
        ),
        (f'{{{META}, "a": {{"t": {{}}}}, "a": {{}}}}', "the key 'a' is in one object twice"),
        (f'{{{META}, "default": {{"test": {{"q": {{"d": 1}}}}}}}} x', "line 1: not JSON: "),
        ('{"mteb_model_meta": 3, "d": {}}', "mteb_model_meta: an object is expected; got int"),
        (f'{{{META}, "default": {{"test": {{"q": {{"\\ud800": 1}}}}}}}}', "not valid Unicode"),
    ],
)
def test_malformed_predictions_are_one_line_with_file_and_place(tmp_path, text, message):
    path = tmp_path / "T_predictions.json"
    path.write_text(text)
    with pytest.raises(IrboundsError) as caught:
        irbounds.read_run(path)
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_predictions_are_no_judgments(tmp_path):
    path = write_predictions(tmp_path, "T", {"default": {"test": RUN}})
    with pytest.raises(InputError, match="predictions of MTEB are a run, not judgments"):
        irbounds.read_qrels(path)


def test_judgments_with_the_column_names_of_mteb(tmp_path):
    path = tmp_path / "qrels.tsv"
    path.write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\n")
    assert irbounds.read_qrels(path).to_dict() == {"q1": {"d1": 1, "d2": 0}}


# ---- results ----


def test_results_are_a_table_of_tasks_and_models(tmp_path):
    scores = {"org/a": {"Arc": 0.3, "Bio": 0.5}, "org/b": {"Arc": 0.4, "Bio": 0.7}}
    table = irbounds.read_scores(write_results(tmp_path, scores))
    assert (table.measures, table.queries) == (("main_score",), ("Arc", "Bio"))
    assert {
        s: dict(zip(table.queries, row, strict=True))
        for s, row in zip(table.systems, table.values[0].tolist(), strict=True)
    } == scores
    assert repr(table) == "<ScoreTable: 2 systems, 2 queries, main_score>"
    by_name = irbounds.read_scores(tmp_path, measures=["nDCG@10", "map_at_10"])
    assert by_name.measures == ("nDCG@10", "AP@10")
    assert (by_name.values[1] == by_name.values[0] / 2).all()
    files = [*tmp_path.glob("*/*/Arc.json")]
    assert irbounds.read_scores(files).queries == ("Arc",)


def test_score_of_a_task_is_the_mean_over_splits_and_subsets(tmp_path):
    rng = np.random.default_rng(1)
    for model in ("a", "b"):
        parts = {
            split: {subset: {"main_score": float(rng.random())} for subset in ("en", "de", "fr")}
            for split in ("test", "dev")
        }
        path = write_result(tmp_path, model, "T", parts)
        expected = naive.mteb_score(json.loads(path.read_text()), "main_score")
        table = irbounds.read_scores([path])
        assert table.values.item() == pytest.approx(expected, abs=1e-15)
        one = irbounds.read_scores([path], task_split="dev")
        of_dev = [entry["main_score"] for entry in parts["dev"].values()]
        assert one.values.item() == pytest.approx(np.mean(of_dev), abs=1e-15)


def test_models_have_the_name_of_their_file_or_of_their_directory(tmp_path):
    part = {"test": {"default": {"main_score": 0.5}}}
    write_result(tmp_path, "org/a", "T", part, has_meta=False)
    write_result(tmp_path, "b", "T", part, revision="one")
    write_result(tmp_path, "b", "T", part, revision="two")
    assert set(irbounds.read_scores(tmp_path).systems) == {"org/a", "b@one", "b@two"}


def test_other_files_in_a_directory_of_results_are_ignored(tmp_path):
    write_results(tmp_path, {"a": {"T": 0.5}})
    place = tmp_path / "a" / "abc"
    (place / "run_settings.jsonl").write_text("{}\n")
    write_predictions(place, "T", {"default": {"test": RUN}})
    write_results(place / "experiments", {"x": {"T": 0.1}})
    assert irbounds.read_scores(tmp_path).values.tolist() == [[[0.5]]]


def test_missing_task_is_an_error_and_queries_common_leaves_it_out(tmp_path):
    write_results(tmp_path, {"a": {"S": 0.3, "T": 0.5, "U": 0.1}, "my system": {"S": 0.4, "U": 0}})
    with pytest.raises(InputError) as caught:
        irbounds.read_scores(tmp_path)
    assert str(caught.value) == (
        f"{tmp_path}: no value of main_score for system 'my system', query 'T' (gaps: 1); "
        "queries='common' or --queries common leaves such queries out"
    )
    assert irbounds.read_scores(tmp_path, queries="common").queries == ("S", "U")


def test_models_with_other_splits_or_subsets_are_an_error(tmp_path):
    part = {"en": {"main_score": 0.5}}
    write_result(tmp_path, "a", "T", {"test": part, "dev": part})
    write_result(tmp_path, "b", "T", {"test": part})
    with pytest.raises(
        InputError, match=r"b/abc/T.json: task 'T' of model 'b' has no scores of split 'dev', sub"
    ):
        irbounds.read_scores(tmp_path)
    assert irbounds.read_scores(tmp_path, task_split="test").values.ravel().tolist() == [0.5, 0.5]


def test_means_over_tasks_say_so_and_have_student_t_intervals(tmp_path):
    scores = {"a": {"S": 0.3, "T": 0.5, "U": 0.1}, "b": {"S": 0.4, "T": 0.5, "U": 0.3}}
    result = irbounds.evaluate(scores=write_results(tmp_path, scores), measures="nDCG@10")
    assert {estimate.interval.method for estimate in result} == {"student-t"}
    assert "mean over 3 tasks" in str(result)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ('{"task_name": "T", "scores": {', "not JSON"),
        ("[1]", "a JSON object is expected; got list"),
        ('{"a": 1}', "task_name and scores are expected; give a directory of"),
        ('{"mteb_dataset_name": "T", "test": {}}', "as mteb writes it since 1.11"),
        ('{"task_name": "T", "scores": {}}', "empty: no scores"),
        ('{"task_name": "T", "scores": {"test": {}}}', "split 'test': a list is expected; got"),
        ('{"task_name": "T", "scores": {"test": [{"main_score": 1}]}}', "has no hf_subset"),
        (
            '{"task_name": "T", "scores": {"test": [{"hf_subset": "en"}]}}',
            "split 'test', subset 'en': main_score must be a finite number; got nothing",
        ),
        (
            '{"task_name": "T", "scores": {"test": [{"hf_subset": "en", "main_score": NaN}]}}',
            "main_score must be a finite number; got nan",
        ),
    ],
)
def test_malformed_results_are_one_line_with_file_and_key(tmp_path, text, message):
    write_results(tmp_path, {"a": {"S": 0.5}})
    path = tmp_path / "a" / "abc" / "T.json"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        irbounds.read_scores(tmp_path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_split_or_measure_is_one_line(tmp_path):
    write_results(tmp_path, {"a": {"S": 0.5}})
    with pytest.raises(InputError, match="S.json: empty: no scores of split 'dev'; splits: "):
        irbounds.read_scores(tmp_path, task_split="dev")
    with pytest.raises(InputError, match="no measure 'P@5' in the results; there are 'ndcg_at_10'"):
        irbounds.read_scores(tmp_path, measures=["P@5"])
    with pytest.raises(InputError, match="the key 'name' must be the name of a model; got None"):
        (tmp_path / "a" / "abc" / "model_meta.json").write_text("{}")
        irbounds.read_scores(tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="empty: is a directory"):
        irbounds.read_scores(tmp_path / "empty")
    with pytest.raises(irbounds.errors.ParameterError, match="is for results of MTEB; none is"):
        irbounds.read_scores({"a": [0.1, 0.2]}, task_split="test")
