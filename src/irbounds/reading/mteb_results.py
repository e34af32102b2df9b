"""Results of MTEB as scores of models on tasks.

Results (``{model}/{revision}/{Task}.json``) hold ``scores``: ``{split: [{hf_subset, main_score,
ndcg_at_10, ...}]}``. The score of a task is the mean over its splits and subsets, as in mteb's
``TaskResult.get_score``.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError, quote, quote_several
from ..measurement.names import our_name
from ..presentation.words import TASKS
from .columns import as_numbers
from .mappings import parse_json
from .mteb import (
    ANY,
    Model,
    Part,
    Selection,
    describe_selection,
    is_named_as_predictions,
    label_models,
    list_labels,
    walk_files,
)
from .score_records import ScoreRecords
from .sources import Source

logger = logging.getLogger("irbounds")

MODEL_FILE = "model_meta.json"
EXPERIMENTS = "experiments"  # a directory with results of other settings of a model
MAIN_SCORE = "main_score"
#: keys of a result that are not scores
LABELS = {"hf_subset", "languages", "mteb_version"}
RESULT_HEAD = re.compile(rb'\s*\{\s*"(dataset_revision|task_name|mteb_version|mteb_dataset_name)"')


class ResultPaths(list[Any]):
    """Directories and files with results, which are read together."""


def is_result_source(path: Any) -> bool:
    """Return whether a path is a directory with results, or one result, by its content."""
    if not isinstance(path, str | Path) or not os.path.lexists(path):
        return False
    if Path(path).is_dir():
        return any(file.suffix == ".json" for file in walk_files(Path(path)))
    if Path(path).suffix.lower() != ".json":
        return False
    with Source(path) as source:
        return RESULT_HEAD.match(source.peek()) is not None


@dataclass
class _TaskScores:
    """The scores of one model on one task, by split and subset."""

    file: Path
    task: str
    parts: dict[Part, Mapping[str, Any]] = field(default_factory=dict)


def read_results(
    paths: Sequence[str | Path],
    measures: Collection[str] | None = None,
    selection: Selection = ANY,
    *,
    is_common: bool = False,
) -> ScoreRecords:
    """Return the results of models on tasks as scores: a task is a query, a model a system.

    ``measures`` are names in our spelling; by default the main score of every task. With
    ``is_common`` a task is scored by the splits and subsets that all models have; otherwise it is
    an error if a model lacks one.
    """
    directories = [str(path) for path in paths]
    source = directories[0] if len(directories) == 1 else f"{directories[0]} and others"
    digest = hashlib.sha256()
    by_model: dict[Model, dict[str, _TaskScores]] = {}
    known: dict[Path, Model] = {}
    n_experiments = 0
    for path in map(Path, paths):
        for file in walk_files(path) if path.is_dir() else [path]:
            if file.suffix != ".json" or file.name == MODEL_FILE:
                continue
            if is_named_as_predictions(file):
                continue
            if EXPERIMENTS in file.relative_to(path if path.is_dir() else path.parent).parts[:-1]:
                n_experiments += 1
                continue
            if selection.tasks and file.stem not in selection.tasks:
                continue
            scores, fingerprint = _read_result(file)
            if selection.tasks and scores.task not in selection.tasks:
                continue
            digest.update(f"{fingerprint}  {file.name}\n".encode())
            model = known.setdefault(file.parent, _model_of_directory(file.parent))
            tasks = by_model.setdefault(model, {})
            if scores.task in tasks:
                raise InputError(
                    f"{file}: a second result of model {quote(model.name)} on task "
                    f"{quote(scores.task)}; the first is {tasks[scores.task].file}"
                )
            tasks[scores.task] = scores
    if not by_model:
        missing = [f"of the tasks {quote_several(selection.tasks)}"] if selection.tasks else []
        raise InputError(
            " ".join([f"{source}: no results of MTEB", *missing])
            + " (MODEL/REVISION/TASK.json) in this directory"
        )
    if n_experiments:
        logger.info(
            "%s: results in directories %r; ignored: %d", source, EXPERIMENTS, n_experiments
        )
    _check_selection(source, by_model, selection)
    warnings = _align_parts(by_model, selection, is_common=is_common)
    return _make_records(source, by_model, measures, f"sha256:{digest.hexdigest()}", warnings)


def _model_of_directory(directory: Path) -> Model:
    """Return the model whose results are in a directory: by its file, else by its path."""
    file = directory / MODEL_FILE
    if not file.is_file():
        return Model(directory.parent.name.replace("__", "/"), directory.name)
    with Source(file) as source:
        meta = _parse(source)
    name, revision = meta.get("name"), meta.get("revision")
    if not isinstance(name, str) or not name:
        raise InputError(f"{file}: the key 'name' must be the name of a model; got {quote(name)}")
    return Model(name, revision if isinstance(revision, str) else "")


def _parse(source: Source) -> dict[str, Any]:
    try:
        return parse_json(source.text(), only_finite=False)
    except InputError as error:
        raise InputError(f"{source.name}: {error}") from None


def _read_result(file: Path) -> tuple[_TaskScores, str]:
    """Return the scores of one file, and the SHA-256 of its content."""
    with Source(file) as source:
        result, fingerprint = _parse(source), source.fingerprint
    scores = result.get("scores")
    task = result.get("task_name")
    if not isinstance(task, str) or not task or not isinstance(scores, Mapping):
        key = "scores" if isinstance(task, str) and task else "task_name"
        old = "mteb_dataset_name" in result
        advice = (
            "a result of mteb before 1.11; load and save it with a newer one"
            if old
            else "not a result of MTEB: give a directory of MODEL/REVISION/TASK.json"
        )
        raise InputError(f"{file}: no key {key!r} with its content; {advice}")
    parts: dict[Part, Mapping[str, Any]] = {}
    for split, entries in scores.items():
        if not isinstance(entries, list):
            raise InputError(
                f"{file}: scores, split {quote(split)}: a list is expected; got "
                f"{type(entries).__name__}"
            )
        for entry in entries:
            subset = entry.get("hf_subset") if isinstance(entry, Mapping) else None
            if not isinstance(subset, str):
                raise InputError(f"{file}: scores, split {quote(split)}: an entry has no hf_subset")
            if (split, subset) in parts:
                raise InputError(
                    f"{file}: scores, split {quote(split)}: subset {quote(subset)} is there twice"
                )
            parts[split, subset] = entry
    if not parts:
        raise InputError(f"{file}: scores: empty: no split has scores")
    return _TaskScores(file, task, parts), fingerprint


def _check_selection(
    source: str, by_model: Mapping[Model, Mapping[str, _TaskScores]], selection: Selection
) -> None:
    """Raise ``InputError`` where no result has a task, split or subset that was selected."""
    tasks = {name for of_model in by_model.values() for name in of_model}
    unknown = [task for task in selection.tasks if task not in tasks]
    if unknown:
        raise InputError(f"{source}: no results of task {quote_several(unknown)}")
    parts = [
        part for of_model in by_model.values() for task in of_model.values() for part in task.parts
    ]
    if not any(selection.takes(*part) for part in parts):
        subsets, splits = list_labels(parts)
        raise InputError(
            f"{source}: no {describe_selection(selection)}; there are the subsets "
            f"{quote_several(subsets)} and the splits {quote_several(splits)}"
        )


def _align_parts(
    by_model: Mapping[Model, dict[str, _TaskScores]], selection: Selection, *, is_common: bool
) -> tuple[str, ...]:
    """Keep the splits and subsets of a task that all its models have; return a warning on others.

    Without ``is_common`` it is an error if a model lacks one, since means over other parts cannot
    be compared.
    """
    n_dropped = 0
    for task in {name for of_model in by_model.values() for name in of_model}:
        holders = [(model, tasks[task]) for model, tasks in by_model.items() if task in tasks]
        for _, scores in holders:
            scores.parts = {k: v for k, v in scores.parts.items() if selection.takes(*k)}
        every = dict.fromkeys(part for _, scores in holders for part in scores.parts)
        common = {part for part in every if all(part in scores.parts for _, scores in holders)}
        if len(common) < len(every) and not is_common:
            part = next(part for part in every if part not in common)
            model, scores = next(item for item in holders if part not in item[1].parts)
            raise InputError(
                f"{scores.file}: task {quote(task)} of model {quote(model.name)} has no scores of "
                f"split {quote(part[0])}, subset {quote(part[1])}, which other models have; choose "
                "by --task-split and --task-subset, or --queries common uses what all models have"
            )
        n_dropped += len(every) - len(common)
        for model, scores in holders:
            scores.parts = {part: scores.parts[part] for part in every if part in common}
            if not scores.parts:
                del by_model[model][task]
    if not n_dropped:
        return ()
    return (f"splits and subsets of tasks that a model lacks; left out: {n_dropped:,}",)


def _make_records(
    source: str,
    by_model: Mapping[Model, Mapping[str, _TaskScores]],
    requested: Collection[str] | None,
    fingerprint: str,
    warnings: tuple[str, ...],
) -> ScoreRecords:
    """Return the mean of every task over its parts, by every measure that is requested."""
    labels = label_models(by_model)
    rows: list[tuple[str, str, str, float]] = []
    names: dict[str, str] = {}  # of measures in the files, in our spelling
    for model, tasks in by_model.items():
        label = labels[model]
        for task, scores in tasks.items():
            first = next(iter(scores.parts.values()))
            for key in (MAIN_SCORE,) if requested is None else first:
                if requested is not None and key not in LABELS and key not in names:
                    names[key] = our_name(key)
                if requested is None or names.get(key) in requested:
                    rows.append((key, label, task, _average(scores, key)))
    if not rows:
        raise InputError(
            f"{source}: no measure {quote_several(sorted(requested or ()))} in the results; there "
            f"are {quote_several(names)}"
        )
    measures, systems, tasks_of_rows, values = zip(*rows, strict=True)
    return ScoreRecords(
        *(source, measures, systems, tasks_of_rows, values),
        fingerprint=fingerprint,
        warnings=warnings,
        words=TASKS,
    )


def _average(scores: _TaskScores, key: str) -> float:
    """Return the mean of a measure over the splits and subsets of a task."""
    values = []
    for (split, subset), entry in scores.parts.items():
        value = entry.get(key)
        number = as_numbers([value])[0] if not isinstance(value, str) else np.nan
        if not np.isfinite(number):
            raise InputError(
                f"{scores.file}: split {quote(split)}, subset {quote(subset)}: {key} must be a "
                f"finite number; got {'nothing' if value is None else quote(value)}"
            )
        values.append(float(number))
    return float(np.mean(values))
