"""Where work is done, and within what limits: ``execution``."""

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
from ..parameters import check_count, whole_number
from .sizes import bytes_of

if TYPE_CHECKING:
    from .checkpoints import Checkpoint

THREADS = "IRBOUNDS_THREADS"


@dataclass(frozen=True)
class Execution:
    """Where work is done, and within what limits; only memory can change what a result holds."""

    #: None for as many as there are cores
    threads: int | None = None
    #: a ``concurrent.futures.Executor`` or a Dask client, in place of threads
    executor: Any = None
    checkpoint: Checkpoint | None = None
    #: bytes that the process may come to occupy
    memory: int | None = None
    #: as many blocks as this, in place of as many as the work's cost asks for
    n_blocks: int | None = None
    #: whether this holds for a unit, which is not divided again
    within_unit: bool = False

    @property
    def n_threads(self) -> int:
        """How many threads of this process to work on."""
        if self.threads is None and isinstance(self.executor, ThreadPoolExecutor):
            return self.executor._max_workers
        return self.threads or _threads_of_environment() or available_cores()

    @property
    def is_elsewhere(self) -> bool:
        """Whether others have the memory that work takes: an executor's own processes."""
        return self.executor is not None and not isinstance(self.executor, ThreadPoolExecutor)


WITHIN_UNIT = Execution(threads=1, within_unit=True)
_current: ContextVar[Execution] = ContextVar("execution", default=Execution())  # noqa: B039 (frozen)


def current() -> Execution:
    """How work is to be done here."""
    return _current.get()


@contextmanager
def using(chosen: Execution) -> Iterator[None]:
    """Work in this way until the end of the ``with`` block."""
    token = _current.set(chosen)
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
    from .checkpoints import Checkpoint

    _check_executor(executor, threads)
    given = {
        "threads": None if threads is None else check_count("threads", threads),
        "executor": executor,
        "checkpoint": None if checkpoint is None else Checkpoint(_folder(checkpoint)),
        "memory": None if memory is None else bytes_of(memory),
        "n_blocks": None if n_blocks is None else check_count("n_blocks", n_blocks),
    }
    chosen = {name: value for name, value in given.items() if value is not None}
    if threads is not None or executor is not None:  # one takes the place of the other
        chosen |= {"threads": given["threads"], "executor": executor}
    with using(replace(current(), **chosen)):
        yield


def _folder(checkpoint: Any) -> Path:
    if not isinstance(checkpoint, str | os.PathLike):
        raise ParameterError(f"checkpoint must be the name of a folder; got {checkpoint!r}")
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


def available_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _threads_of_environment() -> int | None:
    text = os.environ.get(THREADS, "").strip()
    if not text:
        return None
    number = whole_number(int(text)) if text.isdecimal() else None
    if not number:
        raise ParameterError(f"{THREADS} must be a whole number of at least 1; got {text!r}")
    return number
