"""Units of work, and blocks of units that threads, processes or a cluster run.

A unit is the smallest piece of work: 64 corpus images, 64 resamples of queries, 100 samples of a
calibration, a range of a stream. Each unit has its own random numbers: its result depends on the
number of the unit and on nothing else. Units run in blocks, ranges of units that are large enough
to hand to another thread or machine. The division into blocks changes no result.

Blocks are cut by estimated cost: small ones for threads, which are cheap to hand over, large ones
for other processes and for checkpoints. Units are returned in the order of their numbers, whichever
finishes first, so that a sum over them has the same bits however they were run.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ..validation import Progress
from .execution import WITHIN_UNIT, Execution, current_execution, use_execution
from .threads import map_in_threads

#: operations per block: some milliseconds for threads, tenths of a second otherwise; an operation
#: takes about a nanosecond
THREAD_BLOCK_COST = 5e6
REMOTE_BLOCK_COST = 5e8
CALL_COST = 2e4  # operations of a unit besides those that its caller counts

#: the result of a unit
Arrays = tuple[NDArray[Any], ...]
#: the shape and dtype of each array that a unit returns, by the number of the unit
Layout = Callable[[int], Sequence[tuple[tuple[int, ...], DTypeLike]]]
#: the numbers of a block's units
Block = range
#: the result of a block, unit by unit
Units = list[Arrays]


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
