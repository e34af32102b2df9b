"""Work through all units of a piece of work, in blocks, and give back what they find in order.

Blocks are cut by counted cost: small ones for threads, which cost nothing to hand over, large ones
for other processes and for checkpoints. Units come back in the order of their numbers, whoever was
done first, so that a sum over them has the same bits however they were worked on.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..parameters import Progress
from .execution import Execution, current
from .in_threads import in_threads
from .work import Arrays, Block, Layout, Units, Work, work_on

#: counted operations in a block: some milliseconds for threads, tenths of a second for the others,
#: an operation being what takes about a nanosecond
NEAR_COST = 5e6
FAR_COST = 5e8
CALLING = 2e4  # operations of a unit besides those that are counted


def finished(
    work: Work,
    n_units: int,
    *,
    cost: float,
    layout: Layout | None = None,
    progress: Callable[[], None] | None = None,
) -> Generator[Arrays]:
    """What ``work`` finds in every unit, in the order of their numbers.

    ``cost`` is how many operations a unit takes, roughly; ``progress`` is called after each unit.
    ``layout`` says which arrays a unit gives: what a checkpoint holds instead is not used. An error
    or an interruption ends the work after the blocks that are under way.
    """
    with closing(_blocks_done(work, n_units, cost, layout, current())) as blocks:
        for units in blocks:
            for arrays in units:
                yield arrays
                if progress:
                    progress()


def _blocks_done(
    work: Work, n_units: int, cost: float, layout: Layout | None, how: Execution
) -> Generator[Units]:
    far = how.executor is not None or how.checkpoint is not None
    blocks = cut(n_units, cost + CALLING, FAR_COST if far else NEAR_COST, how.n_blocks)
    if how.checkpoint is None:
        return _engine(work, how, blocks)
    engine = partial(_engine, work, how)
    return how.checkpoint.blocks_done(work, blocks, engine, layout)


def lay_out(found: Iterable[Arrays], *places: NDArray[Any]) -> None:
    """Lay what units found side by side: the k-th array of each along the last axis of a place."""
    ends = [0] * len(places)
    for arrays in found:
        for k, (array, place) in enumerate(zip(arrays, places, strict=True)):
            begin, ends[k] = ends[k], ends[k] + array.shape[-1]
            place[..., begin : ends[k]] = array


def parts_of(step: int, *places: NDArray[Any]) -> Layout:
    """The layout of units that are ``lay_out`` in these places, ``step`` wide each."""

    def layout(unit: int) -> list[tuple[tuple[int, ...], np.dtype[Any]]]:
        sizes = [max(min(step, place.shape[-1] - unit * step), 0) for place in places]
        return [
            ((*place.shape[:-1], size), place.dtype)
            for place, size in zip(places, sizes, strict=True)
        ]

    return layout


def cut(n_units: int, cost: float, cost_of_block: float, n_blocks: int | None) -> list[Block]:
    """Stretches of units, as even as can be, of about ``cost_of_block`` operations each."""
    wanted = n_blocks or max(round(n_units * cost / cost_of_block), 1)
    n = max(min(wanted, n_units), 1)
    ends = [n_units * k // n for k in range(n + 1)]
    return [range(ends[k], ends[k + 1]) for k in range(n)]


def _engine(work: Work, how: Execution, blocks: Sequence[Block]) -> Generator[Units]:
    """Work on blocks where that is to be done; they come back in the order given."""
    if how.executor is not None:
        from .on_executor import blocks_on_executor

        return blocks_on_executor(work, blocks, how.executor, how.threads)
    return in_threads(partial(work_on, work), blocks, how.n_threads)


def counted(progress: Progress | None, total: int, *, step: float = 1) -> Callable[[], None] | None:
    """What to call after each unit of ``step`` things, to tell ``progress`` how many are done.

    The last unit may have fewer; where several have, ``step`` is their mean.
    """
    if progress is None:
        return None
    done = 0

    def count() -> None:
        nonlocal done
        done += 1
        progress(min(round(done * step), total), total)

    return count
