"""Execution of work: threads, executor, checkpoint and memory, set by ``execution``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ParameterError
from ..validation import as_integer, check_count

if TYPE_CHECKING:
    from .checkpoint import Checkpoint

THREADS = "IRBOUNDS_THREADS"


@dataclass(frozen=True)
class Execution:
    """Threads, executor, checkpoint and memory; only memory can change what a result contains."""

    #: None for one per core
    threads: int | None = None
    #: a ``concurrent.futures.Executor`` or a Dask client, in place of threads
    executor: Any = None
    checkpoint: Checkpoint | None = None
    #: bytes that the process may occupy
    memory: int | None = None
    #: the number of blocks; None for a number chosen by cost
    n_blocks: int | None = None
    #: whether this applies within a unit, which is not divided again
    within_unit: bool = False

    @property
    def n_threads(self) -> int:
        """Number of threads of this process that work runs on."""
        if self.threads is None and isinstance(self.executor, ThreadPoolExecutor):
            return self.executor._max_workers
        return self.threads or _read_environment() or count_cores()

    @property
    def is_remote(self) -> bool:
        """Whether work runs in other processes, which have their own memory."""
        return self.executor is not None and not isinstance(self.executor, ThreadPoolExecutor)


WITHIN_UNIT = Execution(threads=1, within_unit=True)
_current: ContextVar[Execution] = ContextVar("execution", default=Execution())  # noqa: B039 (frozen)


def current_execution() -> Execution:
    """Return the execution that applies here."""
    return _current.get()


@contextmanager
def use_execution(execution: Execution) -> Iterator[None]:
    """Apply an execution within a ``with`` block."""
    token = _current.set(execution)
    try:
        yield
    finally:
        _current.reset(token)


@contextmanager
def execution(
    *,
    threads: int | None = None,
    executor: Any = None,
    checkpoint: str | Path | None = None,
    memory: int | str | None = None,
    n_blocks: int | None = None,
) -> Iterator[None]:
    """Set how work within a ``with`` block is executed: threads, executor, checkpoint and memory.

    Results have the same bits on any number of threads, workers and blocks, and after any number of
    restarts. Nested blocks replace only the options that they name. The options apply to the thread
    that enters the block.

    Parameters
    ----------
    threads
        The number of threads. By default the value of the environment variable
        ``IRBOUNDS_THREADS``, or one per core.
    executor
        In place of threads, a ``concurrent.futures.Executor``, or a Dask client or its executor.
        The caller starts it and ends it.
    checkpoint
        A directory for finished blocks. The same work continues from there after an interruption.
        Other work is refused with a reason. ``rng=None`` is refused too, because each call would
        draw a new seed, and another seed is other work.
    memory
        The memory that the process may occupy: bytes, or a text such as ``"2GiB"``. Work that
        cannot fit raises an error before it starts.
    n_blocks
        The number of blocks into which each piece of work is divided; by default chosen by cost.

    Returns
    -------
    context manager
        For ``with``; it has no value.

    Examples
    --------
    >>> import irbounds
    >>> scores = [0.1, 0.5, 0.4, 0.0, 0.2, 0.9]
    >>> with irbounds.execution(threads=2):
    ...     estimate, = irbounds.mean_interval(scores, method="percentile", rng=1)
    >>> estimate.interval == irbounds.mean_interval(scores, method="percentile", rng=1)[0].interval
    True
    """
    from .checkpoint import Checkpoint
    from .memory import parse_bytes

    _check_executor(executor, threads)
    options = {
        "threads": None if threads is None else check_count("threads", threads),
        "executor": executor,
        "checkpoint": None if checkpoint is None else Checkpoint(_check_path(checkpoint)),
        "memory": None if memory is None else parse_bytes(memory),
        "n_blocks": None if n_blocks is None else check_count("n_blocks", n_blocks),
    }
    chosen = {name: value for name, value in options.items() if value is not None}
    if threads is not None or executor is not None:  # one replaces the other
        chosen |= {"threads": options["threads"], "executor": executor}
    with use_execution(replace(current_execution(), **chosen)):
        yield


def _check_path(checkpoint: Any) -> Path:
    if not isinstance(checkpoint, str | os.PathLike):
        raise ParameterError(f"checkpoint must be the path of a directory; got {checkpoint!r}")
    return Path(checkpoint)


def _check_executor(executor: Any, threads: int | None) -> None:
    if executor is None:
        return
    if threads is not None:
        raise ParameterError("threads and executor: give one or the other")
    if isinstance(executor, str) and "://" in executor:
        raise ParameterError(
            "executor must be a Dask client and not its address; give "
            f"dask.distributed.Client({executor!r})"
        )
    if isinstance(executor, type) or not callable(getattr(executor, "submit", None)):
        raise ParameterError(
            "executor must have a method submit, as a concurrent.futures.Executor or a Dask client "
            f"has; got {executor!r}"
        )


def count_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _read_environment() -> int | None:
    """Return the number of threads that the environment variable sets, if any."""
    text = os.environ.get(THREADS, "").strip()
    if not text:
        return None
    number = as_integer(int(text)) if text.isdecimal() else None
    if not number:
        raise ParameterError(f"{THREADS} must be an integer of at least 1; got {text!r}")
    return number
