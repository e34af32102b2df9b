"""Units of work, and blocks of units that threads, processes or a cluster run.

A unit is the smallest piece of work: 64 corpus images, 64 resamples of queries, 500 samples of a
calibration, a range of a stream. Each unit has its own random numbers: its result depends on the
number of the unit and on nothing else. Units run in blocks, ranges of units that are large enough
to hand to another thread or machine. The division into blocks changes no result.

Blocks are cut by estimated cost: small ones for threads, which are cheap to hand over, large ones
for other processes and for checkpoints. Units are returned in the order of their numbers, whichever
finishes first, so that a sum over them has the same bits however they were run.

Threads do not use ``concurrent.futures``. An interruption while the main thread waits for a future
can leave its lock held, and the workers then wait forever. Here items and results pass through
queues whose operations are atomic, and the main thread holds no lock that a worker needs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from itertools import islice
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ..validation import Progress
from .execution import WITHIN_UNIT, Execution, current_execution, use_execution

#: operations per block: some milliseconds for threads, tenths of a second otherwise; an operation
#: takes about a nanosecond
THREAD_BLOCK_COST = 5e6
REMOTE_BLOCK_COST = 5e8
CALL_COST = 2e4  # operations of a unit besides those that its caller counts

AHEAD = 2  # items per worker that are handed over before their results are needed
POLL_INTERVAL = 0.2  # seconds; a signal may reach another thread, and is handled after waking up
END_TIMEOUT = 2.0  # seconds to wait for running items whose results are no longer needed

#: the result of a unit
Arrays = tuple[NDArray[Any], ...]
#: the shape and dtype of each array that a unit returns, by the number of the unit
Layout = Callable[[int], Sequence[tuple[tuple[int, ...], DTypeLike]]]
#: the numbers of a block's units
Block = range
#: the result of a block, unit by unit
Units = list[Arrays]

Item = TypeVar("Item")
Result = TypeVar("Result")
#: items with their numbers, and one None per thread, which ends it
Todo = SimpleQueue[tuple[int, Item] | None]
Done = SimpleQueue[tuple[int, list[Result] | BaseException]]


@dataclass(frozen=True, eq=False)
class Work:
    """A function of units, the arguments that all units share, and its description for people."""

    #: at the top level of a module, so that another process can import it
    function: Callable[..., Arrays]
    #: a noun phrase
    what: str
    #: options that the user gave, by the names that users know
    options: Mapping[str, Any]
    #: descriptions of the shared arguments that were read from files, by name
    inputs: Mapping[str, str]
    #: arguments of the function besides the number of the unit
    shared: Mapping[str, Any]

    def __call__(self, unit: int) -> Arrays:
        """Return the result of a unit."""
        return self.function(unit, **self.shared)


def bind(
    function: Callable[..., Arrays],
    what: str,
    /,
    *,
    options: Mapping[str, Any] | None = None,
    inputs: Mapping[str, str] | None = None,
    **shared: Any,
) -> Work:
    """Return work whose ``function`` is called with a unit's number and the shared arguments.

    ``what``, ``options`` and ``inputs`` describe the work in a checkpoint, and in the error that is
    raised if a checkpoint contains other work.
    """
    unbound = sorted(set(inputs or {}) - set(shared))
    if unbound:
        raise TypeError(f"{what}: in inputs but not shared: {', '.join(unbound)}")
    return Work(function, what, options or {}, inputs or {}, shared)


def run_work(
    work: Work,
    n_units: int,
    *,
    cost: float,
    layout: Layout | None = None,
    progress: Callable[[], None] | None = None,
) -> Generator[Arrays]:
    """Yield the result of every unit of ``work``, in the order of their numbers.

    ``cost`` is the approximate number of operations per unit; ``progress`` is called after each
    unit. ``layout`` describes the arrays of a unit: blocks of a checkpoint that differ from it are
    not used. After an error or an interruption, only the blocks that are running are completed.
    """
    with closing(_run_blocks(work, n_units, cost, layout, current_execution())) as blocks:
        for units in blocks:
            for arrays in units:
                yield arrays
                if progress:
                    progress()


def _run_blocks(
    work: Work, n_units: int, cost: float, layout: Layout | None, execution: Execution
) -> Generator[Units]:
    is_remote = execution.executor is not None or execution.checkpoint is not None
    block_cost = REMOTE_BLOCK_COST if is_remote else THREAD_BLOCK_COST
    blocks = cut_blocks(n_units, cost + CALL_COST, block_cost, execution.n_blocks)
    if execution.checkpoint is None:
        return _start_engine(work, execution, blocks)
    engine = partial(_start_engine, work, execution)
    return execution.checkpoint.run_blocks(work, blocks, engine, layout)


def _start_engine(work: Work, execution: Execution, blocks: Sequence[Block]) -> Generator[Units]:
    """Run blocks on the executor or on threads; yield their results in order."""
    if execution.executor is not None:
        from .executor import run_blocks_on_executor

        return run_blocks_on_executor(work, blocks, execution.executor, execution.threads)
    return map_in_threads(partial(run_block, work), blocks, execution.n_threads)


def run_block(work: Work, block: Block) -> Units:
    """Run the units of a block in this thread, and return their results."""
    with use_execution(WITHIN_UNIT):  # the same here as on a worker without the caller's context
        return [work(unit) for unit in block]


def cut_blocks(n_units: int, cost: float, block_cost: float, n_blocks: int | None) -> list[Block]:
    """Return blocks of nearly equal size, of about ``block_cost`` operations each."""
    intended = n_blocks or max(round(n_units * cost / block_cost), 1)
    n = max(min(intended, n_units), 1)
    ends = [n_units * k // n for k in range(n + 1)]
    return [range(ends[k], ends[k + 1]) for k in range(n)]


def fill_arrays(units: Iterable[Arrays], *targets: NDArray[Any]) -> None:
    """Write the k-th array of every unit to the k-th target, side by side along its last axis."""
    ends = [0] * len(targets)
    for arrays in units:
        for k, (array, target) in enumerate(zip(arrays, targets, strict=True)):
            begin, ends[k] = ends[k], ends[k] + array.shape[-1]
            target[..., begin : ends[k]] = array


def layout_of(step: int, *targets: NDArray[Any]) -> Layout:
    """Return the layout of units that ``fill_arrays`` writes to these targets, ``step`` wide."""

    def layout(unit: int) -> list[tuple[tuple[int, ...], np.dtype[Any]]]:
        sizes = [max(min(step, target.shape[-1] - unit * step), 0) for target in targets]
        return [
            ((*target.shape[:-1], size), target.dtype)
            for target, size in zip(targets, sizes, strict=True)
        ]

    return layout


def count_progress(
    progress: Progress | None, total: int, *, step: float = 1
) -> Callable[[], None] | None:
    """Return a function to call after each unit of ``step`` items, which reports to ``progress``.

    The last unit may have fewer items. If several units have fewer, ``step`` is their mean.
    """
    if progress is None:
        return None
    done = 0

    def count() -> None:
        nonlocal done
        done += 1
        progress(min(round(done * step), total), total)

    return count


# ---- threads of this process ----


def map_in_threads(
    function: Callable[[Item], Result], items: Sequence[Item], n_threads: int
) -> Generator[Result]:
    """Yield the result of a function for each item, in order; stop at the first error.

    No thread is started for a single item, or if ``n_threads`` is 1.
    """
    n_workers = min(n_threads, len(items))
    if n_workers < 2:
        yield from map(function, items)
        return
    todo: Todo[Item] = SimpleQueue()
    done: Done[Result] = SimpleQueue()
    serve = partial(_serve, function, todo, done)
    workers = [  # each in a copy of this context: verbosity, numpy's error state
        Thread(target=copy_context().run, args=(serve,), daemon=True) for _ in range(n_workers)
    ]
    waiting = iter(enumerate(items))
    results: dict[int, list[Result] | BaseException] = {}
    try:
        for worker in workers:
            worker.start()
        for _ in range(AHEAD * n_workers):
            todo.put(next(waiting, None))
        for number in range(len(items)):
            while number not in results:
                results.update([wait_for_item(done)])
            result = results.pop(number)
            if isinstance(result, BaseException):
                raise result
            todo.put(next(waiting, None))
            yield result[0]
    finally:
        _end(todo, workers)


def iterate_in_thread(items: Generator[Item], left: Event | None = None) -> Generator[Item]:
    """Yield the items of a generator that runs in a separate thread, which no signal interrupts.

    If the iteration is left early, the generator is closed as soon as its current item is done.
    ``left`` is set then, so that the generator can abandon that item.
    """
    requests: SimpleQueue[bool] = SimpleQueue()
    responses: SimpleQueue[list[Item] | BaseException] = SimpleQueue()

    def serve() -> None:
        with closing(items):
            while requests.get():
                try:
                    responses.put(list(islice(items, 1)))
                except BaseException as failure:
                    responses.put(failure)

    server = Thread(target=copy_context().run, args=(serve,), daemon=True)
    try:
        server.start()
        requests.put(True)
        while response := wait_for_item(responses):
            if isinstance(response, BaseException):
                raise response
            yield response[0]
            requests.put(True)
    finally:
        if left is not None:
            left.set()
        requests.put(False)
        if server.is_alive():
            server.join(END_TIMEOUT)


def _serve(function: Callable[[Item], Result], todo: Todo[Item], done: Done[Result]) -> None:
    """Process items until the queue yields None."""
    while (task := todo.get()) is not None:
        number, item = task
        try:
            done.put((number, [function(item)]))
        except BaseException as failure:
            done.put((number, failure))


def wait_for_item(queue: SimpleQueue[Item]) -> Item:
    """Return the next item of a queue; an interruption is raised while waiting."""
    while True:
        try:
            return queue.get(timeout=POLL_INTERVAL)
        except Empty:
            continue


def _end(todo: Todo[Item], workers: Sequence[Thread]) -> None:
    """Remove the items that no thread has begun, and wait for the threads.

    If the iteration was left early, the wait is limited: an abandoned item writes nothing, and its
    thread ends by itself.
    """
    while not todo.empty():
        try:
            todo.get_nowait()
        except Empty:
            break
    for _ in workers:
        todo.put(None)
    until = time.monotonic() + END_TIMEOUT
    for worker in workers:
        if worker.is_alive():
            worker.join(max(until - time.monotonic(), 0))
