"""Several runs at once."""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from ..errors import DataError, InputError, ParameterError, quote_several
from ..measurement.judged_runs import JudgedRun, Pool, judge_run
from ..parallel.execution import current
from ..parallel.in_threads import in_threads
from ..reading.fitting import reading_together
from ..reading.inputs import read_run
from ..reading.problems import raise_together
from ..reading.records import Run
from ..reading.sources import distinct_names


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
    named = _named(files_of_runs(sources))

    def read(item: tuple[str | None, Any]) -> Run | InputError:
        try:
            return read_run(item[1], name=item[0], **options)
        except InputError as error:
            return error

    runs: list[Run] = []
    names: list[str] = []
    errors: list[InputError] = []
    n_threads = current().n_threads  # zlib and the kernels let go of the interpreter's lock
    with reading_together(), closing(in_threads(read, named, n_threads)) as outcomes:
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


def files_of_runs(sources: Any, qrels: Any = None) -> Any:
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


def judge_runs(runs: Sequence[Run], pool: Pool) -> list[JudgedRun]:
    """Find the judged documents of every run."""
    return list(in_threads(lambda run: judge_run(run, pool), runs, current().n_threads))


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
