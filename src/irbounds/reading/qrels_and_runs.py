"""``read_qrels``, ``read_run`` and ``read_runs``: judgments and runs of any format."""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from ..errors import DataError, InputError, ParameterError, quote_several
from ..parallel import map_in_threads
from ..validation import DuplicateRule, OrderRule
from .columns import Columns
from .error_list import raise_together
from .frames import (
    FRAME_EXTENSIONS,
    columns_from_frame,
    columns_from_records,
    read_frame,
)
from .mappings import columns_from_json, columns_from_mapping
from .mteb import is_predictions, read_predictions, task_of
from .records import Qrels, Run
from .sources import Source, base_name, detect_format, distinct_names
from .trec import read_qrels_columns, read_run_columns
from .trec_eval_order import assemble_qrels, assemble_run, check_run_options

JSON_EXTENSIONS = {".json", ".jsonl", ".ndjson"}
MAX_FILES = 3  # files in a message about runs of one name


def read_qrels(source: Any, *, name: str | None = None) -> Qrels:
    """Read relevance judgments.

    Parameters
    ----------
    source
        A path (TREC text, JSON, JSON lines, CSV, TSV or Parquet; plain or compressed with gzip,
        zstd, bzip2 or xz), ``-`` for standard input, a dict of dict, a pandas or polars frame (a
        LazyFrame is collected), an iterable of records with named fields, a ranx ``Qrels``, or a
        ``Qrels`` of irbounds.
    name
        The name of the judgments; by default that of the file.

    Returns
    -------
    Qrels
        The judgments, query by query.

    Examples
    --------
    >>> read_qrels({"q1": {"a": 1, "b": 0}, "q2": {"a": 2}})
    <Qrels qrels: 3 judgments of 2 queries>
    """
    if isinstance(source, Qrels):
        return replace(source, name=name) if name else source
    columns, _ = _read_columns(source, "the judgments", None, is_run=False)
    return assemble_qrels(columns, name or _name_of(source, "qrels"))


def read_run(
    source: Any,
    *,
    name: str | None = None,
    duplicates: DuplicateRule = "error",
    order: OrderRule = "score",
    float32: bool = False,
    depth: int | None = None,
    task_split: str | None = None,
) -> Run:
    """Read one system's rankings and sort them in trec_eval's order.

    Parameters
    ----------
    source
        As for ``read_qrels``, or predictions of MTEB (``{Task}_predictions.json``).
    name
        The name of the system; by default that of the file without its extensions, or of the model
        that predictions of MTEB name.
    duplicates
        A document twice in a query is an ``"error"``. With ``"first"`` the better-ranked entry
        counts, and the others are counted and dropped.
    order
        By ``"score"``, ties by document id descending; or by the ``"rank"`` column.
    float32
        Round scores to single precision first, as trec_eval 9 and pytrec_eval do.
    depth
        The number of documents to keep per query.
    task_split
        The split of predictions of MTEB, where a file has several.

    Returns
    -------
    Run
        The rankings, best document first.

    Examples
    --------
    >>> run = read_run({"q1": {"a": 1.5, "b": 2.5}}, name="mine")
    >>> run, run.to_dict()
    (<Run mine: 2 entries for 1 queries>, {'q1': {'b': 2.5, 'a': 1.5}})
    """
    run, _ = _read_run(
        source,
        task_split,
        name=name,
        duplicates=duplicates,
        order=order,
        float32=float32,
        depth=depth,
    )
    return run


def _read_run(
    source: Any,
    split: str | None,
    *,
    name: str | None = None,
    duplicates: DuplicateRule = "error",
    order: OrderRule = "score",
    float32: bool = False,
    depth: int | None = None,
) -> tuple[Run, str | None]:
    """Read a run, and the name of its model where it is predictions of MTEB."""
    check_run_options(duplicates, order, depth)
    if isinstance(source, Run):
        if (duplicates, order, float32, depth) != ("error", "score", False, None) or split:
            raise ParameterError("options of reading do not apply to a Run; read its source again")
        return replace(source, name=name) if name else source, None
    what = f"the run {name!r}" if name else "the run"
    columns, model = _read_columns(source, what, split, is_run=True)
    run = assemble_run(
        columns,
        name or model or _name_of(source, "run"),
        duplicates=duplicates,
        order=order,
        float32=float32,
        depth=depth,
    )
    return run, model


def _read_columns(
    source: Any, what: str, split: str | None, *, is_run: bool
) -> tuple[Columns, str | None]:
    """Return the columns of any source, and the model of predictions.

    Errors call the source ``what`` if it is not a file.
    """
    if isinstance(source, str | Path):
        return _read_file(source, split, is_run)
    _refuse_split(what, split)
    if type(source).__module__.partition(".")[0] == "ranx":
        source = source.to_dict()
    if isinstance(source, Mapping):
        return columns_from_mapping(source, what, is_run=is_run), None
    if hasattr(type(source), "columns"):
        return columns_from_frame(source, what, is_run=is_run), None
    if isinstance(source, Iterable):
        return columns_from_records(source, what, is_run=is_run), None
    raise InputError(
        f"{what}: a path, a dict of dict, a frame or records are expected; "
        f"got {type(source).__name__}"
    )


def _read_file(path: str | Path, split: str | None, is_run: bool) -> tuple[Columns, str | None]:
    with Source(path) as source:
        extension = detect_format(path, source)
        if extension in JSON_EXTENSIONS and is_predictions(source):
            if not is_run:
                raise InputError(f"{source.name}: predictions of MTEB are a run, not judgments")
            return read_predictions(source, split)
        _refuse_split(source.name, split)
        return _read_table(source, extension, is_run), None


def _read_table(source: Source, extension: str, is_run: bool) -> Columns:
    if extension in FRAME_EXTENSIONS:
        frame = read_frame(source, extension)
        return columns_from_frame(frame, source.name, is_run=is_run, fingerprint=source.fingerprint)
    if extension in JSON_EXTENSIONS:
        return columns_from_json(source, is_run=is_run)
    return read_run_columns(source) if is_run else read_qrels_columns(source)


def _refuse_split(name: str, split: str | None) -> None:
    """Raise ``InputError`` where a split is given for a file that has none."""
    if split is not None:
        raise InputError(f"{name}: --task-split is for predictions of MTEB, which this is not")


def _name_of(source: Any, default: str) -> str:
    """Return the name of a file or an object; ``default`` if it has none."""
    if isinstance(source, str | Path):
        return default if str(source) == "-" else base_name(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) and name else default


def read_runs(
    sources: Any,
    *,
    progress: Callable[[], None] | None = None,
    task_split: str | None = None,
    **options: Any,
) -> tuple[Run, ...]:
    """Read several runs, in parallel.

    Every file is read before an error is raised. The error names all files that cannot be read.

    Parameters
    ----------
    sources
        One run or several: a list, or a mapping of names to anything that ``read_run`` takes.
        Names must differ. Files that share a name are named by the shortest paths that differ:
        ``a/bm25``, ``b/bm25``.
    progress
        Called after each run.
    task_split
        As for ``read_run``.
    **options
        Other options of ``read_run``, for all runs.

    Returns
    -------
    tuple of Run
        The runs, in the order of ``sources``.

    Examples
    --------
    >>> runs = read_runs({"mine": {"q": {"a": 2.0, "b": 1.0}}, "yours": {"q": {"b": 3.0}}})
    >>> runs
    (<Run mine: 2 entries for 1 queries>, <Run yours: 1 entries for 1 queries>)
    """
    named = _name_sources(list_run_files(sources))

    def read(item: _Named) -> tuple[Run, str | None] | InputError:
        try:
            return _read_run(item.source, task_split, name=item.name, **options)
        except InputError as error:
            return error

    runs: list[Run] = []
    names: list[str] = []
    models: list[str | None] = []
    errors: list[InputError] = []
    # zlib and the kernels release the interpreter's lock
    with closing(map_in_threads(read, named)) as outcomes:
        for outcome in outcomes:
            if isinstance(outcome, InputError):
                errors.append(outcome)
                runs.clear()  # their memory is needed for the files that are still to be read
            else:
                run, model = outcome
                names.append(run.name)
                models.append(model)
                if not errors:
                    runs.append(run)
            if progress:
                progress()
    raise_together(errors, names)
    names = _name_models(named, names, models)
    _check_distinct(named, names)
    return tuple(replace(run, name=name) for run, name in zip(runs, names, strict=True))


def list_run_files(sources: Any, qrels: Any = None) -> Any:
    """Return runs with directories and patterns replaced by their files.

    The runs of a directory are the files in it that are called ``*.run``, also compressed ones. If
    there are none, they are all its files except hidden ones and the judgments.
    """
    if isinstance(sources, str | Path):
        sources = [sources]
    if not isinstance(sources, list | tuple):
        return sources
    expanded: list[Any] = []
    for source in sources:
        is_path = isinstance(source, str | Path) and source != "-"
        expanded += _list_files(source, qrels) if is_path else [source]
    return expanded


def _list_files(source: str | Path, qrels: Any) -> Sequence[str | Path]:
    path = Path(source)
    exists = os.path.lexists(path)  # false if the name is too long or has a zero byte
    if exists and path.is_dir():
        files = sorted(file for file in path.iterdir() if file.is_file() and file.name[0] != ".")
        if isinstance(qrels, str | Path) and os.path.lexists(qrels):
            files = [file for file in files if not file.samefile(qrels)]
        runs = [file for file in files if ".run" in file.suffixes] or files
        if not runs:
            raise InputError(f"{source}: no runs in this directory")
        return [*map(str, runs)]
    if glob.has_magic(str(source)) and not exists:
        matches = sorted(file for file in glob.glob(str(source)) if Path(file).is_file())  # noqa: PTH207 (absolute patterns)
        if not matches:
            raise InputError(f"{source}: no file matches this pattern")
        return matches
    return [source]


@dataclass(frozen=True)
class _Named:
    """A run with its name: given by the caller, or that of its file or of its place."""

    source: Any
    name: str | None = None
    is_given: bool = False


def _name_sources(sources: Any) -> list[_Named]:
    """Return runs with their names; a dict of dict or a list of records may be one run."""
    if isinstance(sources, Mapping) and not _is_one_run(sources):
        named = [_Named(run, str(name), is_given=True) for name, run in sources.items()]
    elif isinstance(sources, list | tuple | Iterator):
        items = list(sources)
        are_records = bool(items) and hasattr(items[0], "_fields")
        named = [_Named(items)] if are_records else _name_items(items)
    else:
        named = [_Named(sources)]
    if not named:
        raise ParameterError("no run given")
    return named


def _name_items(items: Sequence[Any]) -> list[_Named]:
    """Return runs with names for files, and for frames and dicts if there are several."""
    places = [k for k, item in enumerate(items) if isinstance(item, str | Path) and item != "-"]
    names = dict(zip(places, distinct_names([items[k] for k in places]), strict=True))
    unnamed = [
        k
        for k, item in enumerate(items)
        if not isinstance(item, str | Path) and not _name_of(item, "")
    ]
    if len(unnamed) > 1:
        names |= {k: f"run-{place}" for place, k in enumerate(unnamed, start=1)}
    return [_Named(item, names.get(k)) for k, item in enumerate(items)]


def _name_models(
    named: Sequence[_Named], names: Sequence[str], models: Sequence[str | None]
) -> list[str]:
    """Return the names of runs; predictions of MTEB are named by their model if it has one run."""
    files = [item.source for item, model in zip(named, models, strict=True) if model is not None]
    tasks = dict.fromkeys(task_of(file) for file in files)
    if len(tasks) > 1:
        raise InputError(
            f"{files[0]}: predictions of several tasks ({quote_several(tasks)}) have judgments of "
            "their own; give those of one task, as in 'predictions/*/TASK_predictions.json'"
        )
    counts = Counter(models)
    return [
        model if model and counts[model] == 1 and not item.is_given else name
        for item, name, model in zip(named, names, models, strict=True)
    ]


def _is_one_run(mapping: Mapping[Any, Any]) -> bool:
    """Return whether a mapping is a run itself, rather than a mapping of names to runs."""
    inner = next(iter(mapping.values()), None)
    if not isinstance(inner, Mapping):
        return False
    return not isinstance(next(iter(inner.values()), None), Mapping)


def _check_distinct(named: Sequence[_Named], names: Sequence[str]) -> None:
    """Raise ``DataError`` if two runs have the same name."""
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        files = dict.fromkeys(
            str(item.source)
            for item, name in zip(named, names, strict=True)
            if name in repeated and isinstance(item.source, str | Path)
        )
        where = f" ({', '.join(islice(files, MAX_FILES))})" if files else ""
        raise DataError(
            f"two runs are called {quote_several(repeated)}{where}: give each file once; in "
            "Python, use a mapping of names to runs"
        )
