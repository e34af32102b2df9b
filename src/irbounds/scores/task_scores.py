"""``score_tasks``: scores of models on tasks, from the predictions and judgments of each task.

Query ids of several tasks may be the same, so every task is scored by itself, one after the other,
and the score of a task is the mean over its judged queries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..errors import InputError, quote, quote_several
from ..presentation.words import TASKS
from ..reading.error_list import raise_together
from ..reading.mteb import Model, label_models, read_model, task_of
from ..reading.qrels_and_runs import read_qrels, read_runs
from ..reading.score_records import ScoreRecords
from ..reading.sources import base_name
from ..results import InputFile
from ..validation import QueryRule, TieRule
from .score_input import table_from_records
from .score_table import ScoreTable
from .scoring import score


@dataclass(frozen=True)
class TaskFiles:
    """The judgments of a task, and the files with predictions by the names of models."""

    task: str
    qrels: Path
    predictions: Mapping[str, str]


def find_tasks(
    qrels: str | Path, runs: Iterable[str], tasks: Sequence[str] = ()
) -> tuple[list[TaskFiles], list[str]]:
    """Return the files of the tasks that have both judgments and predictions, and warnings.

    ``qrels`` is a directory of judgments, each named by its task (``SciFact.qrels``). ``runs`` are
    files with predictions. A model with several revisions in these files is named with the
    revision in all tasks.
    """
    judged: dict[str, Path] = {}
    for file in sorted(Path(qrels).iterdir()):
        task = base_name(file)
        if not file.is_file() or task.startswith("."):
            continue
        if task in judged:
            raise InputError(
                f"{file}: a second file with judgments of task {quote(task)}; the first is "
                f"{judged[task]}"
            )
        judged[task] = file
    predicted: dict[str, list[str]] = {}
    for name in runs:
        if not tasks or task_of(name) in tasks:
            predicted.setdefault(task_of(name), []).append(name)
    for task in tasks:
        if task not in judged or task not in predicted:
            what = f"{qrels}: no judgments" if task not in judged else "runs: no predictions"
            raise InputError(f"{what} of task {quote(task)}")
    common = [task for task in predicted if task in judged]
    if not common:
        raise InputError(
            f"{qrels}: no task has judgments and predictions: files are named "
            f"{quote_several(judged)}, and there are predictions of {quote_several(predicted)}"
        )
    left_out = {
        "judgments": [task for task in predicted if task not in judged],
        "predictions": [task for task in judged if task not in predicted and not tasks],
    }
    warnings = [
        f"tasks without {what}; left out: {', '.join(names)}"
        for what, names in left_out.items()
        if names
    ]
    common.sort()
    models = _read_models([name for task in common for name in predicted[task]])
    labels = label_models(models.values())
    files = []
    for task in common:
        by_model: dict[str, str] = {}
        for name in predicted[task]:
            label = labels[models[name]]
            if label in by_model:
                raise InputError(
                    f"{name}: predictions of model {quote(label)} for task {quote(task)} a second "
                    f"time; the first are in {by_model[label]}; give one file per model and task"
                )
            by_model[label] = name
        files.append(TaskFiles(task, judged[task], by_model))
    return files, warnings


def _read_models(files: Sequence[str]) -> dict[str, Model]:
    """Return the models of files with predictions; the error names all that cannot be read."""
    models: dict[str, Model] = {}
    errors: list[InputError] = []
    for file in dict.fromkeys(files):
        try:
            models[file] = read_model(file)
        except InputError as error:
            errors.append(error)
    raise_together(errors, list(models))
    return models


def _check_complete(files: Sequence[TaskFiles], queries: QueryRule) -> None:
    """Raise ``InputError`` if a model lacks a task, or with ``"common"`` if every task lacks one.

    It names the directory with other predictions of the model.
    """
    first = {name: file for part in reversed(files) for name, file in part.predictions.items()}
    gaps = [(part.task, name) for part in files for name in first if name not in part.predictions]
    has_common_task = len({task for task, _ in gaps}) < len(files)
    if not gaps or (queries == "common" and has_common_task):
        return
    task, name = gaps[0]
    remedy = (
        "queries='common' or --queries common leaves such tasks out"
        if has_common_task
        else "no task has predictions of all models"
    )
    raise InputError(
        f"{Path(first[name]).parent}: no predictions of model {quote(name)} for task {quote(task)} "
        f"(gaps: {len(gaps):,}); {remedy}"
    )


def score_tasks(
    files: Sequence[TaskFiles],
    measures: Iterable[Any] | str,
    *,
    queries: QueryRule = "all",
    ties: TieRule = "trec",
    options: Mapping[str, Any] | None = None,
    progress: Callable[[], None] | None = None,
) -> ScoreTable:
    """Return the mean of every model over the judged queries of every task.

    A model without predictions of a task is an error; with ``queries="common"`` the task is left
    out. ``options`` are those of ``read_runs``.
    """
    _check_complete(files, queries)
    rows: list[tuple[str, str, str, float]] = []
    warnings: list[str] = []
    inputs: list[InputFile] = []
    names = list(measures) if not isinstance(measures, str) else measures
    for part in files:
        runs = read_runs(part.predictions, **(options or {}))
        table = score(read_qrels(part.qrels), runs, names, ties=ties)
        means = table.means()
        rows += [
            (measure, system, part.task, float(means[m, s]))
            for m, measure in enumerate(table.measures)
            for s, system in enumerate(table.systems)
        ]
        warnings += [f"{part.task}: {warning}" for warning in table.warnings]
        inputs += [replace(file, name=f"{part.task}: {file.name}") for file in table.inputs]
        if progress:
            progress()
    names_of_measures, systems, tasks, values = zip(*rows, strict=True)
    # warnings about the queries of a task keep their words
    words = TASKS.protect(warnings)
    records = ScoreRecords(
        *(str(files[0].qrels.parent), names_of_measures, systems, tasks, values), words=words
    )
    made = table_from_records([records], queries)
    return replace(made, warnings=(*made.warnings, *warnings), inputs=tuple(inputs), ties=ties)
