"""Files of MTEB: predictions of retrieval tasks as runs, and results as scores of models on tasks.

Predictions (``{Task}_predictions.json``, which mteb writes for each task of a model) are one JSON
object: ``mteb_model_meta``, then ``{subset: {split: {query_id: {doc_id: score}}}}``. They are
parsed query by query, so that only the columns of one split are kept.

Results (``{model}/{revision}/{Task}.json``) hold ``scores``: ``{split: [{hf_subset, main_score,
ndcg_at_10, ...}]}``. The score of a task is the mean over its splits and subsets, as in mteb's
``TaskResult.get_score``.
"""

from __future__ import annotations

import codecs
import hashlib
import json
import logging
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError, quote, quote_several
from ..measurement.names import our_name
from ..presentation.words import TASKS
from .columns import Columns, as_numbers
from .error_list import LineNumbers
from .ids import GrowableArray, IdentifierTable, intern_strings
from .mappings import parse_json
from .score_records import ScoreRecords
from .sources import WHITE_SPACE, Source, base_name

logger = logging.getLogger("irbounds")

META = "mteb_model_meta"
MODEL_EXAMPLE = f'{{"{META}": {{"model_name": "org/model", "revision": "main"}}, ...'
PREDICTIONS = "_predictions"  # the end of a name, before its extensions
MODEL_FILE = "model_meta.json"
EXPERIMENTS = "experiments"  # a directory with results of other settings of a model
MAIN_SCORE = "main_score"
#: keys of a result that are not scores
LABELS = {"hf_subset", "languages", "mteb_version"}
PIECE = 1 << 20
MAX_STRING = 1 << 20  # characters of text that may be the unfinished part of a string
CHECKED_QUERIES = 64  # queries between two checks of memory
REVISION_LENGTH = 8  # characters of a revision in the name of a model
PREDICTION_HEAD = re.compile(rb'\s*\{\s*"mteb_model_meta"\s*:')
#: a number in four objects, as in predictions; a run has two
NESTED_HEAD = re.compile(rb'\s*(?:\{\s*"(?:[^"\\]|\\.)*"\s*:\s*){4}[-\d]')
RESULT_HEAD = re.compile(rb'\s*\{\s*"(dataset_revision|task_name|mteb_version|mteb_dataset_name)"')

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


# ---- predictions ----


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
        for file in _walk_files(Path(directory))
        if is_named_as_predictions(file) and (not tasks or task_of(file) in tasks)
    ]


def read_model(path: str | Path) -> Model:
    """Return the model that the beginning of a file of predictions names."""
    with Source(path) as source:
        if is_predictions(source):
            parser = _Parser(source)
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
    parser = _Parser(source)
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
    subsets, splits = _labels(chosen or parts)
    if not chosen:
        received = _describe_selection(selection)
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


def _labels(parts: Sequence[Part]) -> tuple[list[str], list[str]]:
    """Return the subsets and the splits of some parts."""
    return (
        list(dict.fromkeys(subset for _, subset in parts)),
        list(dict.fromkeys(split for split, _ in parts)),
    )


def _describe_selection(selection: Selection) -> str:
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


class _Parser:
    """A JSON object of nested objects, read piece by piece and never kept as text."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        self._decoder = json.JSONDecoder()
        self._text = ""
        self._place = 0
        self._n_lines = 1  # the line on which the text begins
        self._is_complete = False
        self._last = (0, 0)  # the place of the last value in the text

    def keys(self, where: str) -> Iterator[str]:
        """Yield the keys of an object; the value of each has to be read before the next key."""
        if self._next() != "{":
            raise InputError(f"{where}: an object is expected; got {self._describe_next()}")
        self._place += 1
        if self._next() == "}":
            self._place += 1
            return
        while True:
            if self._next() != '"':
                raise self._make_error("a key in quotes is expected", self._place)
            key: str = self.value()
            self._skip(":")
            yield key
            if self._next() == "}":
                self._place += 1
                return
            self._skip(",")

    def items(self, where: str) -> tuple[Sequence[str], Sequence[Any]]:
        """Return the keys of an object and their values, repeated keys too."""
        if self._next() != "{":
            raise InputError(f"{where}: an object is expected; got {self._describe_next()}")
        by_key = self.value()
        begin, end = self._last
        # a key has a colon, so as many colons as keys in the dict mean that no key is repeated
        if self._text.count(":", begin, end) == len(by_key):
            return list(by_key), list(by_key.values())
        pairs = json.JSONDecoder(object_pairs_hook=list).raw_decode(self._text, begin)[0]
        return [key for key, _ in pairs], [value for _, value in pairs]

    def value(self) -> Any:
        """Return a value that has an end of its own: a string or an object."""
        self._next()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._place)
            except json.JSONDecodeError as error:
                # text that ends too early may go on in the next piece
                if self._is_complete or len(self._text) - error.pos > MAX_STRING:
                    raise self._make_error(error.msg, error.pos) from None
            except (RecursionError, ValueError) as error:  # nested too deep; 5,000 digits
                raise InputError(
                    f"{self._source.name}: JSON that cannot be read: {error}"
                ) from None
            else:
                self._last = self._place, end
                self._place = end
                return value
            self._read_more()

    def finish(self) -> None:
        """Raise ``InputError`` if anything follows the object; read the file to its end."""
        if self._next():
            raise self._make_error("text behind the object", self._place)

    def _next(self) -> str:
        """Return the next character that is not white space, without consuming it."""
        while True:
            while self._place < len(self._text):
                if self._text[self._place] not in WHITE_SPACE:
                    return self._text[self._place]
                self._place += 1
            if self._is_complete:
                return ""
            self._read_more()

    def _skip(self, character: str) -> None:
        if self._next() != character:
            raise self._make_error(f"{character!r} is expected", self._place)
        self._place += 1

    def _read_more(self) -> None:
        """Read the next piece; what has been parsed is dropped."""
        self._n_lines += self._text.count("\n", 0, self._place)
        rest = self._text[self._place :]
        piece = self._source.read(max(PIECE, len(rest)))
        self._is_complete = not piece
        try:
            more = self._decode(piece, final=self._is_complete)
        except UnicodeDecodeError as error:
            byte = error.object[error.start]
            raise InputError(f"{self._source.name}: not UTF-8 (byte 0x{byte:02x})") from None
        self._text, self._place = rest + more, 0

    def _make_error(self, message: str, place: int) -> InputError:
        line = self._n_lines + self._text.count("\n", 0, place)
        return InputError(f"{self._source.name}: line {line}: not JSON: {message}")

    def _describe_next(self) -> str:
        first = self._next()
        return {"[": "a list", '"': "a text", "": "the end of the file"}.get(first, quote(first))


# ---- results ----


class ResultPaths(list[Any]):
    """Directories and files with results, which are read together."""


def is_result_source(path: Any) -> bool:
    """Return whether a path is a directory with results, or one result, by its content."""
    if not isinstance(path, str | Path) or not os.path.lexists(path):
        return False
    if Path(path).is_dir():
        if any(Path(path).glob("*.parquet")):
            return False  # a stream
        return any(file.suffix == ".json" for file in _walk_files(Path(path)))
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
        for file in _walk_files(path) if path.is_dir() else [path]:
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


def _walk_files(directory: Path) -> Iterator[Path]:
    """Yield all files below a directory, in the order of their names, without hidden ones."""
    for root, directories, files in os.walk(directory):
        directories[:] = sorted(name for name in directories if not name.startswith("."))
        paths = (Path(root, name) for name in sorted(files) if not name.startswith("."))
        yield from (path for path in paths if path.is_file())


def list_result_files(path: str | Path) -> list[str]:
    """Return the files that are read where scores are a directory of results."""
    return [str(file) for file in _walk_files(Path(path)) if file.suffix == ".json"]


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
        subsets, splits = _labels(parts)
        raise InputError(
            f"{source}: no {_describe_selection(selection)}; there are the subsets "
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
