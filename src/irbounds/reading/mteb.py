"""Files of MTEB: predictions as runs, and results as scores of models on tasks.

Predictions (``{Task}_predictions.json``, which mteb writes for each task of a model) are one JSON
object: ``mteb_model_meta``, then ``{subset: {split: {query_id: {doc_id: score}}}}``. Results
(``{model}/{revision}/{Task}.json``) hold ``scores``: ``{split: [{hf_subset, main_score, ...}]}``.
The score of a task is the mean over its splits and subsets, as in mteb's ``TaskResult.get_score``.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError, quote, quote_several
from ..measurement.names import our_name
from .columns import Columns, as_numbers
from .mappings import Pairs, columns_from_mapping, find_repeated_key, parse_json, parse_objects
from .score_records import ScoreRecords
from .sources import Source, base_name

META = "mteb_model_meta"
MODEL_FILE = "model_meta.json"
MAIN_SCORE = "main_score"
PREDICTIONS = "_predictions"  # the end of a name, before its extensions
EXPERIMENTS = "experiments"  # a directory with results of other settings of a model
PREDICTION_HEAD = re.compile(rb'\s*\{\s*"mteb_model_meta"\s*:')
RESULT_HEAD = re.compile(rb'\s*\{\s*"(dataset_revision|task_name|mteb_version|mteb_dataset_name)"')
#: keys of a result that are not scores
LABELS = {"hf_subset", "languages", "mteb_version"}
REVISION_LENGTH = 8  # characters of a revision in the name of a model


# ---- predictions ----


def is_predictions(source: Source) -> bool:
    """Return whether an opened file holds predictions, by its first key."""
    return PREDICTION_HEAD.match(source.peek()) is not None


def read_predictions(source: Source, split: str | None = None) -> tuple[Columns, str]:
    """Return one split of predictions as the columns of a run, and the name of the model."""
    model = ""
    parts: dict[tuple[str, str], dict[str, Any]] = {}
    whole, *others = parse_objects(source)
    if others:
        raise InputError(f"{source.name}: one JSON object is expected; got {1 + len(others)}")
    for subset, splits in _check_object(whole, source.name).items():
        if subset == META:
            meta = _check_object(splits, f"{source.name}: {META}")
            model = str(meta.get("model_name") or meta.get("name") or "")
            continue
        where = f"{source.name}: subset {quote(subset)}"
        for name, queries in _check_object(splits, where).items():
            if split in (None, name):
                parts[subset, name] = _check_object(queries, f"{where}, split {quote(name)}")
    if len(parts) != 1:
        received = "; ".join(f"subset {quote(part[0])}, split {quote(part[1])}" for part in parts)
        raise InputError(
            f"{source.name}: one split of one subset is expected{_of_split(split)}; got "
            f"{received or 'none'}; choose a split by --task-split, and of several subsets keep "
            "one in the file"
        )
    (queries,) = parts.values()
    columns = columns_from_mapping(
        queries, source.name, is_run=True, fingerprint=source.fingerprint
    )
    return columns, model


def _check_object(value: Any, where: str) -> dict[str, Any]:
    """Return a JSON object, which must have every key once."""
    if isinstance(value, Pairs):
        key = find_repeated_key(value, deep=False)
        raise InputError(f"{where}: the key {quote(key)} is in one object twice")
    if not isinstance(value, dict):
        raise InputError(f"{where}: an object is expected; got {type(value).__name__}")
    return value


def task_of(path: str | Path) -> str:
    """Return the task of a file of predictions, which is in its name."""
    return base_name(path).removesuffix(PREDICTIONS)


def _of_split(split: str | None) -> str:
    return "" if split is None else f" of split {quote(split)}"


# ---- results ----


class ResultPaths(list[Any]):
    """Directories and files with results, which are read together."""


@dataclass(frozen=True)
class _Result:
    """The scores of a model on a task, by split and subset."""

    file: Path
    model: tuple[str, str]  # name and revision
    task: str
    parts: Mapping[tuple[str, str], Mapping[str, Any]]


def is_result_source(path: Any) -> bool:
    """Return whether a path is a directory with results, or one result, by its content."""
    if not isinstance(path, str | Path) or not os.path.lexists(path):
        return False
    if Path(path).is_dir():
        return next(Path(path).rglob("*.json"), None) is not None
    if Path(path).suffix.lower() != ".json":
        return False
    with Source(path) as source:
        return RESULT_HEAD.match(source.peek()) is not None


def read_results(
    paths: Sequence[str | Path], measures: Collection[str] | None = None, split: str | None = None
) -> ScoreRecords:
    """Return the results of models on tasks as scores: a task is a query, a model a system.

    ``measures`` are names in our spelling; by default the main score of every task.
    """
    source = str(paths[0]) if len(paths) == 1 else f"{paths[0]} and others"
    digest = hashlib.sha256()
    results: dict[tuple[tuple[str, str], str], _Result] = {}
    for file in _list_results(paths):
        result, fingerprint = _read_result(file, split)
        digest.update(f"{fingerprint}  {file.name}\n".encode())
        first = results.setdefault((result.model, result.task), result)
        if first is not result:
            raise InputError(
                f"{file}: a second result of model {quote(result.model[0])} on task "
                f"{quote(result.task)}; the first is {first.file}"
            )
    if not results:
        raise InputError(f"{source}: no results of MTEB (MODEL/REVISION/TASK.json)")
    _check_same_parts(list(results.values()))
    n_revisions = Counter(name for name, _ in dict.fromkeys(model for model, _ in results))
    rows: list[tuple[str, str, str, float]] = []
    ours: dict[str, str] = {}  # names of measures in our spelling
    for result in results.values():
        name, revision = result.model
        label = name if n_revisions[name] == 1 else f"{name}@{revision[:REVISION_LENGTH]}"
        entry = next(iter(result.parts.values()))
        keys = [MAIN_SCORE] if measures is None else [key for key in entry if key not in LABELS]
        rows += [
            (key, label, result.task, _average(result, key))
            for key in keys
            if measures is None or ours.setdefault(key, our_name(key)) in measures
        ]
    if not rows:
        raise InputError(
            f"{source}: no measure {quote_several(sorted(measures or ()))} in the results; there "
            f"are {quote_several(ours)}"
        )
    names, systems, tasks, values = zip(*rows, strict=True)
    fingerprint = f"sha256:{digest.hexdigest()}"
    return ScoreRecords(
        source, names, systems, tasks, values, fingerprint=fingerprint, are_tasks=True
    )


def _list_results(paths: Sequence[str | Path]) -> Iterator[Path]:
    for path in map(Path, paths):
        for file in sorted(path.rglob("*.json")) if path.is_dir() else [path]:
            places = file.relative_to(path).parts
            is_other = file.name == MODEL_FILE or base_name(file).endswith(PREDICTIONS)
            is_hidden = any(place.startswith(".") or place == EXPERIMENTS for place in places)
            if not is_other and not is_hidden:
                yield file


def _read_result(file: Path, split: str | None) -> tuple[_Result, str]:
    """Return the scores of one file, and the SHA-256 of its content."""
    result, fingerprint = _read_json(file)
    task, scores = result.get("task_name"), result.get("scores")
    if not isinstance(task, str) or not task or not isinstance(scores, Mapping):
        raise InputError(
            f"{file}: task_name and scores are expected; give a directory of MODEL/REVISION/"
            "TASK.json as mteb writes it since 1.11"
        )
    parts: dict[tuple[str, str], Mapping[str, Any]] = {}
    for name, entries in scores.items():
        where = f"{file}: scores, split {quote(name)}"
        if not isinstance(entries, list):
            raise InputError(f"{where}: a list is expected; got {type(entries).__name__}")
        for entry in entries if split in (None, name) else ():
            subset = entry.get("hf_subset") if isinstance(entry, Mapping) else None
            if not isinstance(subset, str):
                raise InputError(f"{where}: an entry has no hf_subset")
            if (name, subset) in parts:
                raise InputError(f"{where}: subset {quote(subset)} is there twice")
            parts[name, subset] = entry
    if not parts:
        raise InputError(f"{file}: empty: no scores{_of_split(split)}; splits: {[*scores]}")
    return _Result(file, _find_model(file.parent), task, parts), fingerprint


def _find_model(directory: Path) -> tuple[str, str]:
    """Return name and revision of the model of a directory: by its file, else by its path."""
    file = directory / MODEL_FILE
    if not file.is_file():
        return directory.parent.name.replace("__", "/"), directory.name
    meta, _ = _read_json(file)
    name = meta.get("name")
    if not isinstance(name, str) or not name:
        raise InputError(f"{file}: the key 'name' must be the name of a model; got {quote(name)}")
    return name, str(meta.get("revision"))


def _read_json(file: Path) -> tuple[dict[str, Any], str]:
    with Source(file) as source:
        try:
            return parse_json(source.text(), only_finite=False), source.fingerprint
        except InputError as error:
            raise InputError(f"{source.name}: {error}") from None


def _check_same_parts(results: Sequence[_Result]) -> None:
    """Raise ``InputError`` if models have other splits or subsets: their means do not compare."""
    first: dict[str, _Result] = {}
    for result in results:
        other = first.setdefault(result.task, result)
        for split, subset in sorted(other.parts.keys() ^ result.parts.keys()):
            lacking = other if (split, subset) in result.parts else result
            raise InputError(
                f"{lacking.file}: task {quote(result.task)} of model {quote(lacking.model[0])} has "
                f"no scores of split {quote(split)}, subset {quote(subset)}, which "
                f"{quote((result if lacking is other else other).model[0])} has; choose a split by "
                "--task-split, or leave the task out"
            )


def _average(result: _Result, key: str) -> float:
    """Return the mean of a measure over the splits and subsets of a task."""
    values = []
    for (split, subset), entry in result.parts.items():
        value = entry.get(key)
        number = as_numbers([value])[0] if not isinstance(value, str) else np.nan
        if not np.isfinite(number):
            raise InputError(
                f"{result.file}: split {quote(split)}, subset {quote(subset)}: {key} must be a "
                f"finite number; got {'nothing' if value is None else quote(value)}"
            )
        values.append(float(number))
    return float(np.mean(values))
