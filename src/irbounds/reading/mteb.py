"""Predictions of MTEB as runs; the models, splits and subsets of its files.

Predictions (``{Task}_predictions.json``, which mteb writes for each task of a model) are one JSON
object: ``mteb_model_meta``, then ``{subset: {split: {query_id: {doc_id: score}}}}``. They are
parsed query by query, so that only the columns of one split are kept.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError, quote, quote_several
from .columns import Columns, as_numbers
from .error_list import LineNumbers
from .ids import GrowableArray, IdentifierTable, intern_strings
from .json_parser import JsonParser
from .sources import Source, base_name

META = "mteb_model_meta"
MODEL_EXAMPLE = f'{{"{META}": {{"model_name": "org/model", "revision": "main"}}, ...'
PREDICTIONS = "_predictions"  # the end of a name, before its extensions
CHECKED_QUERIES = 64  # queries between two checks of memory
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
        if is_predictions(source):
            parser = JsonParser(source)
            next(parser.keys(source.name))
            items = parser.items(f"{source.name}: {META}")
            model = _model_of_predictions(dict(zip(*items, strict=True)))
            if model is not None:
                return model
    raise InputError(
        f"{path}: no name of a model, by which the predictions of several tasks are joined; the "
        f"first key must be {META!r}, as mteb writes it: {MODEL_EXAMPLE}"
    )


def read_predictions(source: Source, selection: Selection = ANY) -> tuple[Columns, Origin]:
    """Return one split of one subset of predictions as the columns of a run, and its origin."""
    parser = JsonParser(source)
    model: Model | None = None
    parts: list[Part] = []
    columns: _RunColumns | None = None
    names: set[str] = set()
    for subset in parser.keys(source.name):
        if subset in names:
            raise InputError(f"{source.name}: the key {quote(subset)} is in one object twice")
        names.add(subset)
        if subset == META:
            items = parser.items(f"{source.name}: {META}")
            model = _model_of_predictions(dict(zip(*items, strict=True)))
            continue
        for split in parser.keys(f"{source.name}: subset {quote(subset)}"):
            if (split, subset) in parts:
                raise InputError(
                    f"{source.name}: subset {quote(subset)}, split {quote(split)}: twice"
                )
            parts.append((split, subset))
            where = f"{source.name}: subset {quote(subset)}, split {quote(split)}"
            chosen = [part for part in parts if selection.takes(*part)]
            is_read = chosen == [(split, subset)]
            if len(chosen) > 1:
                columns = None  # an error follows, which lists all parts
            part = _RunColumns(source, where)
            for query in parser.keys(where):
                docs, scores = parser.items(f"{where}: query {quote(query)}")
                part.add(query, docs, scores, is_kept=is_read)
            if is_read:
                columns = part
    parser.finish()
    if not parts:
        raise InputError(f"{source.name}: empty: no predictions")
    chosen = [part for part in parts if selection.takes(*part)]
    if len(chosen) != 1:
        raise PartError(f"{source.name}: {_describe_parts(parts, selection)}", parts)
    assert columns is not None
    return columns.finish(), Origin(model, chosen[0])


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


class _RunColumns:
    """The columns of a run that are collected query by query."""

    def __init__(self, source: Source, where: str) -> None:
        self._source = source
        self._where = where
        self._seen: set[str] = set()
        self._query_ids: list[str] = []
        self._documents = IdentifierTable()
        self._lengths: list[int] = []
        self._docs, self._values = GrowableArray(np.int32), GrowableArray(np.float64)

    def add(self, query: str, docs: Sequence[str], scores: Sequence[Any], *, is_kept: bool) -> None:
        """Add the documents of a query with their scores; only check them if they are not kept."""
        if query in self._seen:
            raise InputError(f"{self._where}: the query {quote(query)} is there twice")
        self._seen.add(query)
        if not query:
            raise InputError(f"{self._where}: a query has an empty id")
        if not is_kept or not docs:
            return
        values = self._parse_scores(query, docs, scores)
        try:
            parts = [doc.encode() for doc in docs]
            self._query_ids.append(query)
            query.encode()
        except UnicodeEncodeError as error:
            raise InputError(
                f"{self._where}: query {quote(query)}: {quote(error.object)} is not valid Unicode"
            ) from None
        lengths = np.fromiter(map(len, parts), np.int64, len(parts))
        if not lengths.all():
            raise InputError(f"{self._where}: query {quote(query)}: a document has an empty id")
        ends = np.cumsum(lengths)
        buffer = np.frombuffer(bytearray().join(parts), np.uint8)
        self._docs.append(self._documents.intern(buffer, ends - lengths, ends))
        self._values.append(values)
        self._lengths.append(len(parts))
        if len(self._lengths) % CHECKED_QUERIES == 0:
            n_bytes = self._documents.nbytes + self._docs.nbytes + self._values.nbytes
            self._source.check_lines_fit(len(self._docs), n_bytes)

    def _parse_scores(
        self, query: str, docs: Sequence[str], scores: Sequence[Any]
    ) -> np.ndarray[Any, np.dtype[np.float64]]:
        values = as_numbers(scores)
        wrong = np.flatnonzero(~np.isfinite(values))
        if wrong.size:
            doc, score = docs[wrong[0]], scores[wrong[0]]
            text = type(score).__name__ if isinstance(score, list) else quote(score)
            raise InputError(
                f"{self._where}: query {quote(query)}, document {quote(doc)}: score {text} is not "
                "a finite number"
            )
        return values

    def finish(self) -> Columns:
        """Return the columns; nothing can be added after that."""
        if not self._lengths:
            raise InputError(f"{self._where}: empty: no query has a document")
        query_ids, numbers = intern_strings(self._query_ids)
        return Columns(
            source=self._source.name,
            fingerprint=self._source.fingerprint,
            query_ids=query_ids,
            documents=self._documents.finish(),
            queries=np.repeat(numbers, self._lengths),
            docs=self._docs.finish(),
            values=self._values.finish(),
            ranks=None,
            lines=LineNumbers.without_gaps(),
            unit="record",
        )


def walk_files(directory: Path) -> Iterator[Path]:
    """Yield all files below a directory, in the order of their names, without hidden ones."""
    for root, directories, files in os.walk(directory):
        directories[:] = sorted(name for name in directories if not name.startswith("."))
        paths = (Path(root, name) for name in sorted(files) if not name.startswith("."))
        yield from (path for path in paths if path.is_file())
