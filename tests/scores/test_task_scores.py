"""Scores of models on tasks, from judgments and predictions of each task."""

from __future__ import annotations

import json

import numpy as np
import pytest

import irbounds
from irbounds.errors import InputError, ParameterError
from mteb_files import write_predictions

MODELS = {"org/strong": 0.8, "org/medium": 0.5, "weak": 0.1}
TASKS = ("Arc", "Bio", "Cod")


def write_tasks(directory, tasks=TASKS, models=MODELS):
    """Write judgments and predictions; all tasks have the same ids of queries and documents."""
    rng = np.random.default_rng(3)
    (directory / "qrels").mkdir()
    docs, queries = [f"d{k}" for k in range(30)], [f"{k}" for k in range(8)]
    for task in tasks:
        qrels = {q: {str(d): 1 for d in rng.choice(docs, 3, replace=False)} for q in queries}
        (directory / "qrels" / f"{task}.json").write_text(json.dumps(qrels))
        for model, quality in models.items():
            run = {
                q: {d: float(rng.random() + quality * (d in qrels[q])) for d in docs}
                for q in queries
            }
            place = directory / "predictions" / model.replace("/", "__")
            write_predictions(place, task, {"default": {"test": run}}, model=model)
    return str(directory / "qrels"), str(directory / "predictions")


def test_score_of_a_task_is_the_mean_over_its_judged_queries(tmp_path):
    qrels, predictions = write_tasks(tmp_path)
    evaluation = irbounds.evaluate(qrels, predictions, measures="nDCG@10")
    table = evaluation.scores
    assert table.queries == TASKS
    assert set(table.systems) == set(MODELS)
    for task in TASKS:
        runs = irbounds.read_runs(predictions, tasks=[task])
        alone = irbounds.score(f"{qrels}/{task}.json", runs, "nDCG@10")
        for system in MODELS:
            mean = alone.scores("nDCG@10", system).mean()
            assert table.scores("nDCG@10", system)[table.queries.index(task)] == mean
    assert {file.name for file in table.inputs} >= {"Arc: Arc", "Bio: org/strong"}


def test_tasks_are_ranked_and_compared_in_their_words(tmp_path):
    qrels, predictions = write_tasks(tmp_path)
    text = str(irbounds.rank(qrels, predictions, measures="nDCG@10"))
    assert "ranks by the mean over 3 tasks" in text
    assert "quer" not in text
    text = str(irbounds.compare(qrels, predictions, measures="nDCG@10", baseline="weak"))
    assert "mean difference from weak over 3 tasks" in text
    page = irbounds.report(qrels, predictions, measures="nDCG@10")
    assert page.page.title == "3 models on 3 tasks"


def test_default_method_of_tasks_is_student_t_whose_prior_is_not_of_single_queries(tmp_path):
    qrels, predictions = write_tasks(tmp_path)
    evaluation = irbounds.evaluate(qrels, predictions, measures="nDCG@10")
    assert {estimate.interval.method for estimate in evaluation} == {"student-t"}
    assert not any("bounds" in warning for warning in evaluation.warnings)


def test_warnings_within_a_task_are_about_queries(tmp_path):
    qrels, predictions = write_tasks(tmp_path)
    file = tmp_path / "qrels" / "Arc.json"
    judged = {query: {**docs, "far": 1} for query, docs in json.loads(file.read_text()).items()}
    file.write_text(json.dumps(judged))
    warnings = irbounds.evaluate(qrels, predictions, measures="AP").warnings
    assert any("fewer than 100 documents per query" in warning for warning in warnings)
    assert any("with 3 tasks" in warning for warning in warnings)


def test_tasks_are_selected_and_missing_ones_are_named(tmp_path):
    qrels, predictions = write_tasks(tmp_path)
    options = {"measures": "nDCG@10"}
    assert {row.n for row in irbounds.rank(qrels, predictions, tasks="Arc,Cod", **options)} == {2}
    with pytest.raises(InputError, match="no predictions of task 'Dev' in this directory"):
        irbounds.rank(qrels, predictions, tasks="Dev", **options)
    (tmp_path / "qrels" / "Bio.json").unlink()
    ranks = irbounds.rank(qrels, predictions, **options)
    assert ranks.warnings == ("tasks without judgments; left out: Bio",)
    with pytest.raises(InputError, match="no judgments of task 'Bio'"):
        irbounds.rank(qrels, predictions, tasks=["Arc", "Bio"], **options)
    (tmp_path / "predictions" / "weak" / "Cod_predictions.json").unlink()
    message = r"predictions/weak: no predictions of model 'weak' for task 'Cod' \(gaps: 1\)"
    with pytest.raises(InputError, match=message):
        irbounds.rank(qrels, predictions, **options)
    for file in (tmp_path / "qrels").iterdir():
        file.rename(file.with_name(f"x{file.name}"))
    with pytest.raises(InputError, match="no task has judgments and predictions: files are named"):
        irbounds.rank(qrels, predictions, **options)


def test_model_without_predictions_of_a_task_is_named_with_their_directory(tmp_path):
    qrels, predictions = write_tasks(tmp_path)
    (tmp_path / "predictions" / "weak" / "Cod_predictions.json").unlink()
    message = r"predictions/weak: no predictions of model 'weak' for task 'Cod' \(gaps: 1\); quer"
    with pytest.raises(InputError, match=message):
        irbounds.evaluate(qrels, predictions, measures="nDCG@10")
    table = irbounds.evaluate(qrels, predictions, measures="nDCG@10", queries="common").scores
    assert table.queries == ("Arc", "Bio")
    for task in ("Arc", "Bio"):
        (tmp_path / "predictions" / "org__medium" / f"{task}_predictions.json").unlink()
    with pytest.raises(InputError, match=r"org__medium: .*'Arc' .*; no task has predictions of al"):
        irbounds.evaluate(qrels, predictions, measures="nDCG@10", queries="common")
    with pytest.raises(InputError, match=r"^runs: no predictions of task 'Dev'$"):
        (tmp_path / "qrels" / "Dev.qrels").write_text("1 0 d1 1\n")
        irbounds.evaluate(qrels, predictions, measures="nDCG@10", tasks=["Arc", "Dev"])


def test_judgments_without_predictions_are_named_in_a_warning(tmp_path):
    qrels, predictions = write_tasks(tmp_path)
    (tmp_path / "qrels" / "Other.qrels").write_text("1 0 d1 1\n")
    options = {"measures": "nDCG@10"}
    ranks = irbounds.rank(qrels, predictions, **options)
    assert "tasks without predictions; left out: Other" in ranks.warnings
    ranks = irbounds.rank(qrels, predictions, tasks=["Arc", "Bio"], **options)
    assert not any("Other" in warning for warning in ranks.warnings)


def test_only_a_model_with_several_revisions_is_renamed_and_in_all_tasks(tmp_path):
    qrels, predictions = write_tasks(tmp_path)
    (tmp_path / "predictions" / "new").mkdir()
    for task in ("Arc", "Bio"):
        old = tmp_path / "predictions" / "org__medium" / f"{task}_predictions.json"
        new = tmp_path / "predictions" / "new" / f"{task}_predictions.json"
        new.write_text(old.read_text().replace('"abc"', '"rev2"'))
    message = "new: no predictions of model 'org/medium@rev2' for task 'Cod'"
    with pytest.raises(InputError, match=message):
        irbounds.evaluate(qrels, predictions, measures="nDCG@10")
    table = irbounds.evaluate(qrels, predictions, measures="nDCG@10", queries="common").scores
    assert table.queries == ("Arc", "Bio")
    assert set(table.systems) == {"org/strong", "org/medium@abc", "org/medium@rev2", "weak"}


def test_predictions_of_one_model_and_task_are_given_once(tmp_path):
    qrels, predictions = write_tasks(tmp_path)
    message = r"org__medium/Arc_predictions.json: predictions of model 'org/medium' for task 'Arc' "
    with pytest.raises(InputError, match=f"{message}a second time; the first are in .*org__medium"):
        irbounds.evaluate(qrels, [predictions, predictions])


def test_predictions_of_several_tasks_name_their_model(tmp_path):
    qrels, predictions = write_tasks(tmp_path)
    file = tmp_path / "predictions" / "weak" / "Bio_predictions.json"
    content = json.loads(file.read_text())
    last_key = {"default": content["default"], "mteb_model_meta": content["mteb_model_meta"]}
    for wrong in (last_key, {"mteb_model_meta": {}, "default": content["default"]}):
        file.write_text(json.dumps(wrong))
        with pytest.raises(InputError, match=r"Bio_predictions.json: no name of a model, .*first"):
            irbounds.evaluate(qrels, predictions)


def test_models_are_scored_on_the_same_split_of_a_task(tmp_path):
    qrels, predictions = write_tasks(tmp_path)
    file = tmp_path / "predictions" / "weak" / "Bio_predictions.json"
    file.write_text(file.read_text().replace('"test"', '"dev"'))
    with pytest.raises(InputError, match=r"weak/Bio_predictions.json: predictions of split 'dev'"):
        irbounds.evaluate(qrels, predictions)
    for model in ("org__strong", "org__medium"):  # tasks may have different splits
        file = tmp_path / "predictions" / model / "Bio_predictions.json"
        file.write_text(file.read_text().replace('"test"', '"dev"'))
    assert irbounds.evaluate(qrels, predictions, measures="nDCG@10").scores.queries == TASKS


def test_two_files_of_judgments_of_one_task_are_an_error(tmp_path):
    qrels, predictions = write_tasks(tmp_path)
    (tmp_path / "qrels" / "Arc.qrels").write_text("1 0 d1 1\n")
    with pytest.raises(InputError, match="a second file with judgments of task 'Arc'"):
        irbounds.rank(qrels, predictions, measures="AP")


@pytest.mark.parametrize("verb", [irbounds.check, irbounds.corpus])
def test_verbs_about_one_collection_take_no_directory_of_judgments(tmp_path, verb):
    qrels, predictions = write_tasks(tmp_path)
    with pytest.raises(ParameterError, match="this is a directory; judgments come first"):
        verb(qrels, predictions)


def test_chance_levels_need_the_judgments_of_one_task(tmp_path):
    qrels, predictions = write_tasks(tmp_path)
    with pytest.raises(ParameterError, match="tasks are scored one by one"):
        irbounds.evaluate(qrels, predictions, chance=True, corpus_size=100)
