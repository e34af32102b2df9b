"""Several runs at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any

from ..errors import DataError, ParameterError, quote
from ..read.fitting import reading_together
from ..read.inputs import read_run
from ..read.records import Run
from ..scale.execution import current
from ..scale.in_threads import in_threads
from ..scores.packed_runs import JudgedRun, Pool, judge_run

__all__ = ["judge_runs", "read_runs"]


def read_runs(
    sources: Any, *, progress: Callable[[], None] | None = None, **options: Any
) -> tuple[Run, ...]:
    """Read several runs, two or more at a time; names must differ.

    ``options`` are those of ``read_run``; ``progress`` is called after each run.
    """
    named = _named(sources)

    def read(item: tuple[str | None, Any]) -> Run:
        return read_run(item[1], name=item[0], **options)

    runs = []
    n_threads = current().n_threads  # zlib and the kernels let go of the interpreter's lock
    with reading_together(), closing(in_threads(read, named, n_threads)) as found:
        for run in found:
            runs.append(run)
            if progress:
                progress()
    _check_distinct(runs)
    return tuple(runs)


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
        named = [(None, items)] if records else [(None, run) for run in items]
    else:
        named = [(None, sources)]
    if not named:
        raise ParameterError("no run given")
    return named


def _is_one_run(mapping: Mapping[Any, Any]) -> bool:
    inner = next(iter(mapping.values()), None)
    if not isinstance(inner, Mapping):
        return False
    return not isinstance(next(iter(inner.values()), None), Mapping)


def _check_distinct(runs: Sequence[Run]) -> None:
    seen: set[str] = set()
    for run in runs:
        if run.name in seen:
            raise DataError(
                f"two runs are called {quote(run.name)}: one file twice, or two files of one name; "
                "in Python, a mapping of names to runs tells them apart"
            )
        seen.add(run.name)
