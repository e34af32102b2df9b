"""Files of MTEB: predictions as runs, results as scores of models on tasks."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest

import irbounds
import naive
from irbounds.errors import DataError, InputError, IrboundsError, SeveralInputsError
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


def test_split_and_subset_are_chosen_where_there_are_several(tmp_path):
    other = {"q1": {"d9": 3.0}}
    parts = {"en": {"test": RUN, "dev": other}, "de": {"test": other}}
    path = write_predictions(tmp_path, "Multi", parts)
    assert irbounds.read_run(path, task_split="dev").to_dict() == other
    assert irbounds.read_run(path, task_subset="de").to_dict() == other
    run = irbounds.read_run(path, task_split="test", task_subset="en")
    assert run.to_dict() == ranked(RUN)
    with pytest.raises(InputError, match=r"subsets 'en', 'de': choose one by --task-subset; spl"):
        irbounds.read_run(path)
    with pytest.raises(InputError, match=r"no split 'x'; there are the subsets 'en', 'de' and"):
        irbounds.read_run(path, task_split="x")
    with pytest.raises(InputError, match=r"no subset 'de' with split 'dev'"):
        irbounds.read_run(path, task_split="dev", task_subset="de")


def test_split_of_a_run_of_another_format_is_an_error(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(RUN))
    with pytest.raises(InputError, match=r"a.json: split and subset are for predictions of MTEB"):
        irbounds.read_run(path, task_split="test")


def test_models_of_one_name_are_distinguished_by_revision_then_by_file(tmp_path):
    first = write_predictions(tmp_path / "a", "T", {"default": {"test": RUN}})
    second = write_predictions(tmp_path / "b", "T", {"default": {"test": RUN}}, revision="x" * 40)
    runs = irbounds.read_runs([first, second])
    assert [run.name for run in runs] == ["org/model@abc", "org/model@xxxxxxxx"]
    third = write_predictions(tmp_path / "c", "T", {"default": {"test": RUN}})
    runs = irbounds.read_runs([first, third])
    assert [run.name for run in runs] == ["a/T_predictions", "c/T_predictions"]
    assert [run.name for run in irbounds.read_runs({"old": first, "new": third})] == ["old", "new"]


def test_only_models_with_several_revisions_are_renamed(tmp_path):
    parts = {"default": {"test": RUN}}
    models = [("m", "r1"), ("m", "r2"), ("m", "r2"), ("other", "r1")]
    files = [
        write_predictions(tmp_path / place, "T", parts, *model)
        for place, model in zip("abcd", models, strict=True)
    ]
    names = [run.name for run in irbounds.read_runs(files)]
    assert names == ["m@r1", "b/T_predictions", "c/T_predictions", "other"]
    with pytest.raises(DataError, match=r"called 'm@r1', 'm@r2' \(.*a/T_pre.*b/T_pre.*: give each"):
        irbounds.read_runs(files[:2] * 2)


def test_runs_of_several_splits_or_subsets_are_an_error(tmp_path):
    parts = [{"default": {"test": RUN}}, {"default": {"dev": RUN}}, {"default": {"test": RUN}}]
    files = [
        write_predictions(tmp_path / place, "T", part, model=place)
        for place, part in zip("abc", parts, strict=True)
    ]
    with pytest.raises(InputError) as caught:
        irbounds.read_runs(files)
    assert str(caught.value).startswith(
        f"{files[1]}: predictions of split 'dev', subset 'default', but {files[0]} has split "
        "'test', subset 'default'; "
    )
    assert "--task-split" in str(caught.value)
    assert "\n" not in str(caught.value)
    write_predictions(tmp_path / "b", "T", {"default": {"test": RUN, "dev": RUN}}, model="b")
    assert len(irbounds.read_runs(files, task_split="test")) == 3
    write_predictions(tmp_path / "b", "T", {"en": {"test": RUN}}, model="b")
    with pytest.raises(InputError, match=r"split 'test', subset 'en', but .* subset 'default'"):
        irbounds.read_runs(files)


def test_selection_that_no_file_has_is_one_line(tmp_path):
    splits = {"a": ["test"], "b": ["dev", "test"], "c": ["dev"]}
    files = [
        write_predictions(tmp_path / name, "T", {"default": dict.fromkeys(of_file, RUN)}, name)
        for name, of_file in splits.items()
    ]
    with pytest.raises(InputError) as caught:
        irbounds.read_runs(files, task_split="nope")
    assert str(caught.value) == (
        f"{files[0]} and 2 more: no split 'nope'; there are the subsets 'default' and the splits "
        "'test', 'dev'"
    )
    with pytest.raises(InputError, match=r"c/T_predictions.json: no split 'test'; there are"):
        irbounds.read_runs(files, task_split="test")
    for name in "abc":
        write_predictions(tmp_path / name, "T", {"default": {"dev": RUN, "test": RUN}}, name)
    with pytest.raises(InputError, match=r" and 2 more: splits 'dev', 'test': choose one by"):
        irbounds.read_runs(files)
    files[0].write_text(f"{{{META}")
    with pytest.raises(SeveralInputsError, match="3 of 3 inputs"):
        irbounds.read_runs(files)


def test_predictions_without_their_first_key_are_an_error(tmp_path):
    path = tmp_path / "T_predictions.json"
    for text in (
        json.dumps({"default": {"test": RUN}}),
        json.dumps({"default": {"test": RUN}, "mteb_model_meta": {"model_name": "m"}}, indent=1),
        json.dumps({'d\\"': {"test": RUN}}),
    ):
        path.write_text(text)
        for read in (irbounds.read_run, irbounds.read_runs, irbounds.read_qrels):
            with pytest.raises(InputError, match=r"T_predictions.json: .*'mteb_model_meta'") as e:
                read(path)
            assert "\n" not in str(e.value)


def test_predictions_of_several_tasks_need_judgments_of_each(tmp_path):
    for task in ("A", "B"):
        write_predictions(tmp_path / "p", task, {"default": {"test": RUN}})
    with pytest.raises(InputError, match=r"predictions of several tasks \('A', 'B'\) need a dir"):
        irbounds.read_runs(tmp_path / "p")
    (run,) = irbounds.read_runs(tmp_path / "p", tasks=["B"])
    assert run.to_dict() == ranked(RUN)
    with pytest.raises(InputError, match="no predictions of task 'C' in this directory"):
        irbounds.read_runs(tmp_path / "p", tasks=["C"])


META = '"mteb_model_meta": {"model_name": "m", "revision": "r"}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{{{META}", "line 1: not JSON: "),
        (f"{{{META}, ", "line 1: not JSON: "),
        (f'{{{META},\n"default": {{"test": {{"q": {{"d": 0.5', "line 2: not JSON: "),
        (f"{{{META}}}", "empty: no predictions"),
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
    assert repr(table) == "<ScoreTable: 2 models, 2 tasks, main_score>"
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
        one = irbounds.read_scores([path], task_split="dev", task_subset="fr")
        assert one.values.item() == parts["dev"]["fr"]["main_score"]


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
        f"{tmp_path}: no value of main_score for model 'my system', task 'T' (gaps: 1); "
        "queries='common' or --queries common leaves such tasks out"
    )
    assert irbounds.read_scores(tmp_path, queries="common").queries == ("S", "U")
    assert irbounds.read_scores(tmp_path, tasks=["U", "S"]).queries == ("S", "U")


def test_models_are_compared_on_the_same_subsets(tmp_path):
    both = {"test": {"en": {"main_score": 0.5}, "de": {"main_score": 0.1}}}
    write_result(tmp_path, "a", "T", both)
    write_result(tmp_path, "b", "T", {"test": {"en": {"main_score": 0.4}}})
    with pytest.raises(InputError, match=r"T.json: task 'T' of model 'b' has no scores of split"):
        irbounds.read_scores(tmp_path)
    table = irbounds.read_scores(tmp_path, queries="common")
    assert table.values.ravel().tolist() == [0.5, 0.4]
    assert "splits and subsets of tasks that a model lacks; left out: 1" in table.warnings
    assert irbounds.read_scores(tmp_path, task_subset="en").values.ravel().tolist() == [0.5, 0.4]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ('{"task_name": "T", "scores": {', "not JSON"),
        ("[1]", "a JSON object is expected; got list"),
        ('{"a": 1}', "no key 'task_name' with its content; not a result of MTEB"),
        ('{"task_name": "T"}', "no key 'scores' with its content"),
        ('{"mteb_dataset_name": "T", "test": {}}', "a result of mteb before 1.11"),
        ('{"task_name": "T", "scores": {}}', "scores: empty: no split has scores"),
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


def test_missing_task_split_subset_or_measure_is_one_line(tmp_path):
    write_results(tmp_path, {"a": {"S": 0.5}})
    with pytest.raises(InputError, match="no results of MTEB of the tasks 'X'"):
        irbounds.read_scores(tmp_path, tasks=["X"])
    with pytest.raises(InputError, match="no results of task 'X'"):
        irbounds.read_scores(tmp_path, tasks=["S", "X"])
    with pytest.raises(InputError, match="no split 'dev'; there are the subsets 'default'"):
        irbounds.read_scores(tmp_path, task_split="dev")
    with pytest.raises(InputError, match="no measure 'P@5' in the results; there are 'ndcg_at_10'"):
        irbounds.read_scores(tmp_path, measures=["P@5"])
    with pytest.raises(InputError, match="the key 'name' must be the name of a model; got None"):
        (tmp_path / "a" / "abc" / "model_meta.json").write_text("{}")
        irbounds.read_scores(tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="empty: is a directory"):
        irbounds.read_scores(tmp_path / "empty")
    with pytest.raises(irbounds.errors.ParameterError, match="are for results of MTEB; none is"):
        irbounds.read_scores({"a": [0.1, 0.2]}, tasks=["S"])
