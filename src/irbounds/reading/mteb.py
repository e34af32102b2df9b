"""Predictions of MTEB as runs; the models, splits and subsets of its files.

Predictions (``{Task}_predictions.json``, which mteb writes for each task of a model) are one JSON
object: ``mteb_model_meta``, then ``{subset: {split: {query_id: {doc_id: score}}}}``. A run is one
split of one subset.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError, quote, quote_several
from .columns import Columns
from .mappings import Pairs, columns_from_mapping, find_repeated_key, parse_objects
from .sources import Source, base_name

META = "mteb_model_meta"
MODEL_EXAMPLE = f'{{"{META}": {{"model_name": "org/model", "revision": "main"}}, ...'
PREDICTIONS = "_predictions"  # the end of a name, before its extensions
META_BYTES = 1 << 20  # of the beginning of predictions, within which a model is named
REVISION_LENGTH = 8  # characters of a revision in the name of a model
PREDICTION_HEAD = re.compile(rb'\s*\{\s*"mteb_model_meta"\s*:')
#: a number in four objects, as in predictions; a run has two
NESTED_HEAD = re.compile(rb'\s*(?:\{\s*"(?:[^"\\]|\\.)*"\s*:\s*){4}[-\d]')

Part = tuple[str, str]  # split and subset


@dataclass(frozen=True)
class Model:
    """A model by its name and revision."""

    name: str
    revision: str = ""

    @property
    def with_revision(self) -> str:
        """The name with the beginning of the revision."""
        return f"{self.name}@{self.revision[:REVISION_LENGTH]}" if self.revision else self.name


def label_models(models: Iterable[Model]) -> dict[Model, str]:
    """Return the names of models, with the revision where there are several of a model."""
    distinct = dict.fromkeys(models)
    n_revisions = Counter(model.name for model in distinct)
    return {
        model: model.name if n_revisions[model.name] == 1 else model.with_revision
        for model in distinct
    }


@dataclass(frozen=True)
class Origin:
    """The model of predictions, if they name it, and the split and the subset that were read."""

    model: Model | None
    part: Part


@dataclass(frozen=True)
class Selection:
    """The tasks, the split and the subset to read; empty or None for any."""

    tasks: tuple[str, ...] = ()
    split: str | None = None
    subset: str | None = None

    def __bool__(self) -> bool:
        return bool(self.tasks) or self.split is not None or self.subset is not None

    def takes(self, split: str, subset: str) -> bool:
        """Return whether a split of a subset is selected."""
        return self.split in (None, split) and self.subset in (None, subset)


ANY = Selection()


class PartError(InputError):
    """Not one split of one subset of predictions is selected; ``parts`` are those of the file."""

    def __init__(self, fault: str, parts: Sequence[Part] = ()) -> None:
        super().__init__(fault)
        self.parts = tuple(parts)


def is_predictions(source: Source) -> bool:
    """Return whether an opened file holds predictions, by its first key."""
    return PREDICTION_HEAD.match(source.peek()) is not None


def check_first_key(source: Source) -> None:
    """Raise ``InputError`` if a file has the objects of predictions without their first key."""
    if NESTED_HEAD.match(source.peek()):
        raise InputError(
            f"{source.name}: objects as in predictions of MTEB, whose first key must be {META!r}; "
            f"write it first, as mteb does: {MODEL_EXAMPLE}"
        )


def is_prediction_file(path: Any) -> bool:
    """Return whether a path is a file of predictions, by its name and its content."""
    if not is_named_as_predictions(path) or not Path(path).is_file():
        return False
    with Source(path) as source:
        return is_predictions(source)


def task_of(path: str | Path) -> str:
    """Return the task of a file of predictions, which is in its name."""
    return base_name(path).removesuffix(PREDICTIONS)


def is_named_as_predictions(path: Any) -> bool:
    """Return whether a file has the name of predictions."""
    return isinstance(path, str | Path) and base_name(path).endswith(PREDICTIONS)


def list_predictions(directory: str | Path, tasks: Collection[str] = ()) -> list[str]:
    """Return the files of predictions in a directory and in those below it, of these tasks."""
    return [
        str(file)
        for file in walk_files(Path(directory))
        if is_named_as_predictions(file) and (not tasks or task_of(file) in tasks)
    ]


def read_model(path: str | Path) -> Model:
    """Return the model that the beginning of a file of predictions names."""
    with Source(path) as source:
        beginning = source.read(META_BYTES)
        head = PREDICTION_HEAD.match(beginning)
        if head:
            text = beginning[head.end() :].decode(errors="replace").lstrip()
            with suppress(json.JSONDecodeError, RecursionError):
                meta, _ = json.JSONDecoder().raw_decode(text)
                model = _model_of_predictions(meta) if isinstance(meta, dict) else None
                if model is not None:
                    return model
    raise InputError(
        f"{path}: no name of a model, by which the predictions of several tasks are joined; the "
        f"first key must be {META!r}, as mteb writes it: {MODEL_EXAMPLE}"
    )


def read_predictions(source: Source, selection: Selection = ANY) -> tuple[Columns, Origin]:
    """Return one split of one subset of predictions as the columns of a run, and its origin."""
    model: Model | None = None
    by_part: dict[Part, dict[str, Any]] = {}
    whole, *others = parse_objects(source)
    if others:
        raise InputError(f"{source.name}: one JSON object is expected; got {1 + len(others)}")
    for subset, splits in _check_object(whole, source.name).items():
        if subset == META:
            model = _model_of_predictions(_check_object(splits, f"{source.name}: {META}"))
            continue
        of_subset = f"{source.name}: subset {quote(subset)}"
        for split, queries in _check_object(splits, of_subset).items():
            where = f"{of_subset}, split {quote(split)}"
            by_part[split, subset] = _check_object(queries, where)
    if not by_part:
        raise InputError(f"{source.name}: empty: no predictions")
    chosen = [part for part in by_part if selection.takes(*part)]
    if len(chosen) != 1:
        parts = list(by_part)
        raise PartError(f"{source.name}: {_describe_parts(parts, selection)}", parts)
    columns = columns_from_mapping(
        by_part[chosen[0]], source.name, is_run=True, fingerprint=source.fingerprint
    )
    return columns, Origin(model, chosen[0])


def _check_object(value: Any, where: str) -> dict[str, Any]:
    """Return a JSON object, which must have every key once."""
    if isinstance(value, Pairs):
        key = find_repeated_key(value, deep=False)
        raise InputError(f"{where}: the key {quote(key)} is in one object twice")
    if not isinstance(value, dict):
        raise InputError(f"{where}: an object is expected; got {type(value).__name__}")
    return value


def _describe_parts(parts: Sequence[Part], selection: Selection) -> str:
    """Return the parts from which one has to be chosen."""
    chosen = [part for part in parts if selection.takes(*part)]
    subsets, splits = list_labels(chosen or parts)
    if not chosen:
        received = describe_selection(selection)
        return (
            f"no {received}; there are the subsets {quote_several(subsets)} and the splits "
            f"{quote_several(splits)}"
        )
    options = []
    if len(subsets) > 1:
        options.append(f"subsets {quote_several(subsets)}: choose one by --task-subset")
    if len(splits) > 1:
        options.append(f"splits {quote_several(splits)}: choose one by --task-split")
    return "; ".join(options)


def join_part_errors(
    files: Sequence[Any], errors: Sequence[InputError], selection: Selection
) -> list[InputError]:
    """Return one error in place of those of all files, if all have no or all have several parts.

    Parts that are not selected do not count.
    """
    parts = [error.parts for error in errors if isinstance(error, PartError)]
    have_some = {any(selection.takes(*part) for part in of_file) for of_file in parts}
    if not len(files) == len(errors) == len(parts) > 1 or len(have_some) > 1:
        return list(errors)
    every = list(dict.fromkeys(part for of_file in parts for part in of_file))
    where = f"{files[0]} and {len(files) - 1:,} more"
    return [PartError(f"{where}: {_describe_parts(every, selection)}", every)]


def check_same_part(origins: Mapping[str, Origin]) -> None:
    """Raise ``InputError`` if predictions, by their files, are of several splits or subsets."""
    counts = Counter(origin.part for origin in origins.values())
    if len(counts) < 2:
        return
    usual = counts.most_common(1)[0][0]
    file, part = next(
        (file, origin.part) for file, origin in origins.items() if origin.part != usual
    )
    other = next(file for file, origin in origins.items() if origin.part == usual)
    raise InputError(
        f"{file}: predictions of {_describe_part(part)}, but {other} has {_describe_part(usual)}; "
        "leave one out, or choose by --task-split and --task-subset what all files have"
    )


def _describe_part(part: Part) -> str:
    return f"split {quote(part[0])}, subset {quote(part[1])}"


def list_labels(parts: Sequence[Part]) -> tuple[list[str], list[str]]:
    """Return the subsets and the splits of some parts."""
    return (
        list(dict.fromkeys(subset for _, subset in parts)),
        list(dict.fromkeys(split for split, _ in parts)),
    )


def describe_selection(selection: Selection) -> str:
    """Return the subset and the split that are selected, for a message."""
    labels = {"subset": selection.subset, "split": selection.split}
    return " with ".join(f"{key} {quote(label)}" for key, label in labels.items() if label)


def _model_of_predictions(meta: Mapping[str, Any]) -> Model | None:
    """Return the model that predictions name; None if they do not."""
    name, revision = meta.get("model_name") or meta.get("name"), meta.get("revision")
    if not isinstance(name, str) or not name:
        return None
    return Model(name, revision if isinstance(revision, str) else "")


def walk_files(directory: Path) -> Iterator[Path]:
    """Yield all files below a directory, in the order of their names, without hidden ones."""
    for root, directories, files in os.walk(directory):
        directories[:] = sorted(name for name in directories if not name.startswith("."))
        paths = (Path(root, name) for name in sorted(files) if not name.startswith("."))
        yield from (path for path in paths if path.is_file())
