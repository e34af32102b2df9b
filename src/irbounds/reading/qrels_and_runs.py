"""``read_qrels`` and ``read_run``: whatever holds judgments or a ranking, by its kind."""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import DataError, InputError, ParameterError, quote_several
from ..parallel.execution import current_execution
from ..parallel.work import map_in_threads
from ..validation import DuplicateRule, OrderRule
from .columns import Columns
from .error_list import raise_together
from .fitting import reading_together
from .frames import (
    FRAME_ENDINGS,
    RECORD_NAMES,
    columns_from_frame,
    columns_from_records,
    read_frame,
)
from .mappings import columns_from_json, columns_from_mapping
from .records import Qrels, Run
from .sources import Source, base_name, distinct_names, file_ending
from .trec import read_qrels_columns, read_run_columns
from .trec_eval_order import assemble_qrels, assemble_run, check_run_options

JSON_ENDINGS = {".json", ".jsonl", ".ndjson"}


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
    columns = _columns(source, "the judgments", is_run=False)
    return assemble_qrels(columns, name or _name(source, "qrels"))


def read_run(
    source: Any,
    *,
    name: str | None = None,
    duplicates: DuplicateRule = "error",
    order: OrderRule = "score",
    float32: bool = False,
    depth: int | None = None,
) -> Run:
    """Read one system's rankings and sort them in trec_eval's order.

    Parameters
    ----------
    source
        As for ``read_qrels``.
    name
        The name of the system; by default that of the file without its extensions.
    duplicates
        A document twice in a query is an ``"error"``. With ``"first"`` the better-ranked entry
        counts, and the others are counted and dropped.
    order
        By ``"score"``, ties by document id descending; or by the ``"rank"`` column.
    float32
        Round scores to single precision first, as trec_eval 9 and pytrec_eval do.
    depth
        The number of documents to keep per query.

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
    check_run_options(duplicates, order, depth)
    if isinstance(source, Run):
        if (duplicates, order, float32, depth) != ("error", "score", False, None):
            raise ParameterError("options of reading do not apply to a Run; read its source again")
        return replace(source, name=name) if name else source
    return assemble_run(
        _columns(source, f"the run {name!r}" if name else "the run", is_run=True),
        name or _name(source, "run"),
        duplicates=duplicates,
        order=order,
        float32=float32,
        depth=depth,
    )


def _columns(source: Any, what: str, *, is_run: bool) -> Columns:
    """Columns of any source; ``what`` it is called in errors where it is not a file."""
    if isinstance(source, str | Path):
        return _columns_from_file(source, is_run)
    if type(source).__module__.partition(".")[0] == "ranx":
        source = source.to_dict()
    if isinstance(source, Mapping):
        return columns_from_mapping(source, what, is_run=is_run)
    if hasattr(type(source), "columns"):
        return columns_from_frame(source, what, is_run=is_run)
    if isinstance(source, Iterable):
        return columns_from_records(source, what, is_run=is_run)
    raise InputError(
        f"{what}: a path, a dict of dict, a frame or records are expected; "
        f"got {type(source).__name__}"
    )


def _columns_from_file(path: str | Path, is_run: bool) -> Columns:
    with Source(path) as source:
        ending = file_ending(path, source)
        if ending in FRAME_ENDINGS:
            frame = read_frame(source, ending, used=RECORD_NAMES)
            return columns_from_frame(
                frame, source.name, is_run=is_run, fingerprint=source.fingerprint
            )
        if ending in JSON_ENDINGS:
            return columns_from_json(source, is_run=is_run)
        return read_run_columns(source) if is_run else read_qrels_columns(source)


def _name(source: Any, otherwise: str) -> str:
    if isinstance(source, str | Path):
        return otherwise if str(source) == "-" else base_name(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) and name else otherwise


# Several runs at once.


def read_runs(
    sources: Any, *, progress: Callable[[], None] | None = None, **options: Any
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
    **options
        Options of ``read_run``, for all runs.

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
    named = _named(list_run_files(sources))

    def read(item: tuple[str | None, Any]) -> Run | InputError:
        try:
            return read_run(item[1], name=item[0], **options)
        except InputError as error:
            return error

    runs: list[Run] = []
    names: list[str] = []
    errors: list[InputError] = []
    n_threads = (
        current_execution().n_threads
    )  # zlib and the kernels let go of the interpreter's lock
    with reading_together(), closing(map_in_threads(read, named, n_threads)) as outcomes:
        for outcome in outcomes:
            if isinstance(outcome, InputError):
                errors.append(outcome)
                runs.clear()  # their memory is for the files that are still to be read
            else:
                names.append(outcome.name)
                if not errors:
                    runs.append(outcome)
            if progress:
                progress()
    raise_together(errors, names)
    _check_distinct(names)
    return tuple(runs)


def list_run_files(sources: Any, qrels: Any = None) -> Any:
    """Return runs with the files in place of directories and patterns.

    A directory stands for the files in it that are called ``*.run``, also compressed; where there
    are none, for all its files but hidden ones and the judgments.
    """
    if isinstance(sources, str | Path):
        sources = [sources]
    if not isinstance(sources, list | tuple):
        return sources
    found: list[Any] = []
    for one in sources:
        found += _files_of(one, qrels) if isinstance(one, str | Path) and one != "-" else [one]
    return found


def _files_of(source: str | Path, qrels: Any) -> Sequence[str | Path]:
    path = Path(source)
    is_there = os.path.lexists(path)  # not where it is too long for a name, or has a zero byte
    if is_there and path.is_dir():
        files = sorted(one for one in path.iterdir() if one.is_file() and one.name[0] != ".")
        if isinstance(qrels, str | Path) and os.path.lexists(qrels):
            files = [one for one in files if not one.samefile(qrels)]
        chosen = [one for one in files if ".run" in one.suffixes] or files
        if not chosen:
            raise InputError(f"{source}: no runs in this directory")
        return [str(one) for one in chosen]
    if glob.has_magic(str(source)) and not is_there:
        matches = sorted(one for one in glob.glob(str(source)) if Path(one).is_file())  # noqa: PTH207 (absolute patterns)
        if not matches:
            raise InputError(f"{source}: no file matches this pattern")
        return matches
    return [source]


def _named(sources: Any) -> list[tuple[str | None, Any]]:
    """Runs with the names they were given; one run may be a dict of dict, or records, itself."""
    if isinstance(sources, Mapping) and not _is_one_run(sources):
        named: list[tuple[str | None, Any]] = [(str(name), run) for name, run in sources.items()]
    elif isinstance(sources, list | tuple | Iterator):
        items = list(sources)
        records = bool(items) and hasattr(items[0], "_fields")
        named = [(None, items)] if records else _named_by_files(items)
    else:
        named = [(None, sources)]
    if not named:
        raise ParameterError("no run given")
    return named


def _named_by_files(items: Sequence[Any]) -> list[tuple[str | None, Any]]:
    """Runs with names for those that are files."""
    places = [k for k, item in enumerate(items) if isinstance(item, str | Path) and item != "-"]
    names = dict(zip(places, distinct_names([items[k] for k in places]), strict=True))
    unnamed = [
        k
        for k, item in enumerate(items)
        if not isinstance(item, str | Path) and not hasattr(item, "name")
    ]
    if len(unnamed) > 1:  # frames and dicts
        names |= {k: f"run-{place}" for place, k in enumerate(unnamed, start=1)}
    return [(names.get(k), item) for k, item in enumerate(items)]


def _is_one_run(mapping: Mapping[Any, Any]) -> bool:
    inner = next(iter(mapping.values()), None)
    if not isinstance(inner, Mapping):
        return False
    return not isinstance(next(iter(inner.values()), None), Mapping)


def _check_distinct(names: Sequence[str]) -> None:
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise DataError(
            f"two runs are called {quote_several(repeated)}: give each file once; in Python, a "
            "mapping of names to runs tells them apart"
        )
