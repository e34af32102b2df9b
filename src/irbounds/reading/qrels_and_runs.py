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
from .mteb import (
    ANY,
    Origin,
    Selection,
    check_first_key,
    check_same_part,
    is_prediction_file,
    is_predictions,
    join_part_errors,
    label_models,
    list_predictions,
    read_predictions,
    task_of,
)
from .rank_eval import check_no_response
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
    columns, _ = _read_columns(source, "the judgments", is_run=False)
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
    task_subset: str | None = None,
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
    task_split, task_subset
        The split and the subset of predictions of MTEB, where a file has several.

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
        Selection(split=task_split, subset=task_subset),
        name=name,
        duplicates=duplicates,
        order=order,
        float32=float32,
        depth=depth,
    )
    return run


def _read_run(
    source: Any,
    selection: Selection = ANY,
    *,
    name: str | None = None,
    duplicates: DuplicateRule = "error",
    order: OrderRule = "score",
    float32: bool = False,
    depth: int | None = None,
) -> tuple[Run, Origin | None]:
    """Read a run, and its origin where it is predictions of MTEB."""
    check_run_options(duplicates, order, depth)
    if isinstance(source, Run):
        if (duplicates, order, float32, depth) != ("error", "score", False, None) or selection:
            raise ParameterError("options of reading do not apply to a Run; read its source again")
        return replace(source, name=name) if name else source, None
    what = f"the run {name!r}" if name else "the run"
    columns, origin = _read_columns(source, what, selection, is_run=True)
    model = origin.model if origin else None
    run = assemble_run(
        columns,
        name or (model.name if model else _name_of(source, "run")),
        duplicates=duplicates,
        order=order,
        float32=float32,
        depth=depth,
    )
    return run, origin


def _read_columns(
    source: Any,
    what: str,
    selection: Selection = ANY,
    *,
    is_run: bool,
) -> tuple[Columns, Origin | None]:
    """Return the columns of any source, and the origin of predictions.

    Errors call the source ``what`` if it is not a file.
    """
    if isinstance(source, str | Path):
        return _read_file(source, selection, is_run)
    _refuse_selection(what, selection)
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


def _read_file(
    path: str | Path, selection: Selection, is_run: bool
) -> tuple[Columns, Origin | None]:
    with Source(path) as source:
        extension = detect_format(path, source)
        if extension in JSON_EXTENSIONS and is_predictions(source):
            if not is_run:
                raise InputError(f"{source.name}: predictions of MTEB are a run, not judgments")
            return read_predictions(source, selection)
        if extension in JSON_EXTENSIONS:
            check_first_key(source)
            check_no_response(source)
        _refuse_selection(source.name, selection)
        return _read_table(source, extension, is_run), None


def _read_table(source: Source, extension: str, is_run: bool) -> Columns:
    if extension in FRAME_EXTENSIONS:
        frame = read_frame(source, extension)
        return columns_from_frame(frame, source.name, is_run=is_run, fingerprint=source.fingerprint)
    if extension in JSON_EXTENSIONS:
        return columns_from_json(source, is_run=is_run)
    return read_run_columns(source) if is_run else read_qrels_columns(source)


def _refuse_selection(name: str, selection: Selection) -> None:
    """Raise ``InputError`` where a split or subset is given for a file that has none."""
    if selection.split is not None or selection.subset is not None:
        raise InputError(
            f"{name}: split and subset are for predictions of MTEB, which this is not; leave out "
            "--task-split and --task-subset"
        )


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
    tasks: Sequence[str] = (),
    task_split: str | None = None,
    task_subset: str | None = None,
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
    tasks
        The tasks whose predictions of MTEB are read from a directory; all by default.
    task_split, task_subset
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
    selection = Selection(tuple(tasks), task_split, task_subset)
    named = _name_sources(list_run_files(sources, tasks=tasks))
    _check_one_task(named)

    def read(item: _Named) -> tuple[Run, Origin | None] | InputError:
        try:
            return _read_run(item.source, selection, name=item.name, **options)
        except InputError as error:
            return error

    runs: list[Run] = []
    names: list[str] = []
    origins: list[Origin | None] = []
    errors: list[InputError] = []
    # zlib and the kernels release the interpreter's lock
    with closing(map_in_threads(read, named)) as outcomes:
        for outcome in outcomes:
            if isinstance(outcome, InputError):
                errors.append(outcome)
                runs.clear()  # their memory is needed for the files that are still to be read
            else:
                run, origin = outcome
                names.append(run.name)
                origins.append(origin)
                if not errors:
                    runs.append(run)
            if progress:
                progress()
    raise_together(join_part_errors([item.source for item in named], errors, selection), names)
    check_same_part(
        {str(item.source): of for item, of in zip(named, origins, strict=True) if of is not None}
    )
    names = _name_models(named, names, origins)
    _check_distinct(named, names)
    return tuple(replace(run, name=name) for run, name in zip(runs, names, strict=True))


def list_run_files(sources: Any, qrels: Any = None, tasks: Sequence[str] = ()) -> Any:
    """Return runs with directories and patterns replaced by their files.

    The runs of a directory are the files in it that are called ``*.run``, also compressed ones. If
    there are none, they are predictions of MTEB in it and below it, of these ``tasks``; and if
    there are none of these, all its files except hidden ones and the judgments.
    """
    if isinstance(sources, str | Path):
        sources = [sources]
    if not isinstance(sources, list | tuple):
        return sources
    expanded: list[Any] = []
    for source in sources:
        is_path = isinstance(source, str | Path) and source != "-"
        expanded += _list_files(source, qrels, tasks) if is_path else [source]
    return expanded


def _list_files(source: str | Path, qrels: Any, tasks: Sequence[str] = ()) -> Sequence[str | Path]:
    path = Path(source)
    exists = os.path.lexists(path)  # false if the name is too long or has a zero byte
    if exists and path.is_dir():
        files = sorted(file for file in path.iterdir() if file.is_file() and file.name[0] != ".")
        if isinstance(qrels, str | Path) and os.path.lexists(qrels):
            files = [file for file in files if not file.samefile(qrels)]
        runs = [str(file) for file in files if ".run" in file.suffixes]
        predictions = [] if runs else list_predictions(path)
        if predictions and tasks:
            predictions = list_predictions(path, tasks)
            if not predictions:
                named = quote_several(tasks)
                raise InputError(f"{source}: no predictions of task {named} in this directory")
        runs = runs or predictions or [str(file) for file in files]
        if not runs:
            raise InputError(f"{source}: no runs in this directory")
        return runs
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


def _check_one_task(named: Sequence[_Named]) -> None:
    """Raise ``InputError`` for predictions of several tasks, which need several judgments."""
    files = [item.source for item in named if is_prediction_file(item.source)]
    tasks = list(dict.fromkeys(map(task_of, files)))
    if len(tasks) > 1:
        raise InputError(
            f"{files[0]}: predictions of several tasks ({quote_several(tasks)}) need a directory "
            "of judgments with one file per task, such as TASK.qrels; or choose one by --tasks"
        )


def _name_models(
    named: Sequence[_Named], names: Sequence[str], origins: Sequence[Origin | None]
) -> list[str]:
    """Return the names of runs, with those of the models that predictions of MTEB name.

    The revision is added where a model has several. A run whose name another one has all the same
    is named by its file, if no other file has that name.
    """
    models = {
        place: origin.model
        for place, (item, origin) in enumerate(zip(named, origins, strict=True))
        if origin is not None and origin.model is not None and not item.is_given
    }
    labels = label_models(models.values())
    with_models = list(names)
    for place, model in models.items():
        with_models[place] = labels[model]
    counts, file_counts = Counter(with_models), Counter(names)
    return [
        name if counts[label] > 1 and file_counts[name] == 1 else label
        for name, label in zip(names, with_models, strict=True)
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
