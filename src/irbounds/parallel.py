"""Units of work on threads, or on an executor of the caller.

A unit is the smallest piece of work: 64 corpus images, 64 resamples of queries. Its result depends
on its number and on nothing else, and results are returned in the order of the numbers. So a sum
over units has the same bits on any threads, on any executor and with any division into blocks.
"""

from __future__ import annotations

import itertools
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from contextvars import ContextVar, copy_context
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from .errors import ParameterError
from .validation import Progress, check_count

if TYPE_CHECKING:
    from numpy.typing import NDArray

THREAD_BLOCK_COST = 5e6  # operations per block: some milliseconds
EXECUTOR_BLOCK_COST = 5e8  # half a second
CALL_COST = 2e4  # operations of a unit besides those that its caller counts
BLOCKS_AHEAD = 2  # per thread, that are submitted before their results are needed

#: the result of a unit
Arrays: TypeAlias = "tuple[NDArray[Any], ...]"
Item = TypeVar("Item")
Result = TypeVar("Result")


#: the number of threads, or an executor in their place; None for one thread per core
_workers: ContextVar[int | Executor | None] = ContextVar("workers", default=None)


@contextmanager
def execution(*, threads: int | None = None, executor: Executor | None = None) -> Iterator[None]:
    """Set the threads or the executor that work within a ``with`` block runs on.

    Results have the same bits on any number of threads and on any executor.

    Parameters
    ----------
    threads
        The number of threads; by default one per core.
    executor
        In place of threads, a ``concurrent.futures.Executor``, such as ``client.get_executor()`` of
        a Dask client. The caller starts it and ends it.

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
    if threads is not None and executor is not None:
        raise ParameterError("threads and executor: give one or the other")
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise ParameterError(
            "executor must be a concurrent.futures.Executor, such as client.get_executor() of a "
            f"Dask client; got {executor!r}"
        )
    workers = executor if threads is None else check_count("threads", threads)
    token = _workers.set(_workers.get() if workers is None else workers)
    try:
        yield
    finally:
        _workers.reset(token)


def count_threads() -> int:
    """Return the number of threads that work of this process runs on."""
    workers = _workers.get()
    if isinstance(workers, int):
        return workers
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return cores or 1


def run_work(
    work: Callable[[int], Arrays],
    n_units: int,
    *,
    cost: float,
    progress: Callable[[], None] | None = None,
) -> Generator[Arrays]:
    """Yield the result of ``work`` for every unit, in the order of their numbers.

    ``work`` is a ``partial`` of a function at the top level of a module, so that another process
    can import it. ``cost`` is the approximate number of operations per unit; ``progress`` is called
    after each unit.
    """
    workers = _workers.get()
    run_block = partial(_run_block, work)
    if workers is None or isinstance(workers, int):
        results = map_in_threads(run_block, cut_blocks(n_units, cost, THREAD_BLOCK_COST))
    else:
        blocks = cut_blocks(n_units, cost, EXECUTOR_BLOCK_COST)
        results = _collect(partial(workers.submit, run_block), blocks, len(blocks))
    with closing(results):
        for units in results:
            for arrays in units:
                yield arrays
                if progress:
                    progress()


def cut_blocks(n_units: int, cost: float, block_cost: float) -> list[range]:
    """Return ranges of units of nearly equal size, of about ``block_cost`` operations each."""
    n = max(min(round(n_units * (cost + CALL_COST) / block_cost), n_units), 1)
    ends = [n_units * k // n for k in range(n + 1)]
    return [range(ends[k], ends[k + 1]) for k in range(n)]


def _run_block(work: Callable[[int], Arrays], block: range) -> list[Arrays]:
    token = _workers.set(1)  # a unit is not divided again
    try:
        return [work(unit) for unit in block]
    finally:
        _workers.reset(token)


def map_in_threads(function: Callable[[Item], Result], items: Sequence[Item]) -> Generator[Result]:
    """Yield the result of a function for each item, in order; stop at the first error."""
    n_threads = min(count_threads(), len(items))
    if n_threads < 2:
        yield from map(function, items)
        return
    with ThreadPoolExecutor(n_threads) as pool:
        yield from _collect(
            lambda item: pool.submit(copy_context().run, function, item),
            items,
            BLOCKS_AHEAD * n_threads,
        )


def _collect(
    submit: Callable[[Item], Future[Result]], items: Sequence[Item], n_ahead: int
) -> Generator[Result]:
    """Yield the results of submitted items in order; cancel the rest if the iteration is left."""
    waiting = iter(items)
    running = deque(submit(item) for item in itertools.islice(waiting, n_ahead))
    try:
        while running:
            result = running.popleft().result()
            running.extend(submit(item) for item in itertools.islice(waiting, 1))
            yield result
    finally:
        for future in running:
            future.cancel()


def fill_arrays(units: Iterable[Arrays], *targets: NDArray[Any]) -> None:
    """Write the k-th array of every unit to the k-th target, side by side along its last axis."""
    ends = [0] * len(targets)
    for arrays in units:
        for k, (array, target) in enumerate(zip(arrays, targets, strict=True)):
            begin, ends[k] = ends[k], ends[k] + array.shape[-1]
            target[..., begin : ends[k]] = array


def count_progress(
    progress: Progress | None, total: int, *, step: float = 1
) -> Callable[[], None] | None:
    """Return a function to call after each unit of ``step`` items; it calls ``progress``."""
    if progress is None:
        return None
    done = itertools.count(1)
    return lambda: progress(min(round(next(done) * step), total), total)
