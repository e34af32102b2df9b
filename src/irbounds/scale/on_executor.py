"""Blocks on an executor that the caller brings: any ``concurrent.futures.Executor``.

What all units share is packed once and unpacked once by each worker process; on threads it is not
packed at all. A Dask client, or the executor that it gives, is known as such.
"""

from __future__ import annotations

import pickle
import sys
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from functools import lru_cache
from itertools import islice
from typing import Any

from ..errors import ExecutionError
from .work import Block, Units, Work, work_on

__all__ = ["blocks_on_executor"]

AHEAD = 2  # blocks a worker that are handed over before they are needed
USUAL_WORKERS = 16  # where an executor does not say how many it has


def blocks_on_executor(work: Work, blocks: Sequence[Block], executor: Any) -> Generator[Units]:
    """What each block gives, in the order given."""
    client = _dask_client(executor)
    if client is not None:
        from .on_dask import blocks_on_dask

        return blocks_on_dask(work, blocks, client)
    return _blocks_on_pool(work, blocks, executor)


def _dask_client(executor: Any) -> Any:
    """The Dask client that is given, or that stands behind an executor; None without Dask."""
    if "distributed" not in sys.modules:
        return None
    from distributed import Client
    from distributed.cfexecutor import ClientExecutor

    if isinstance(executor, ClientExecutor):
        return executor._client
    return executor if isinstance(executor, Client) else None


def _blocks_on_pool(work: Work, blocks: Sequence[Block], executor: Any) -> Generator[Units]:
    waiting = iter(blocks)
    under_way: deque[Any] = deque()
    task = (work_on, work) if isinstance(executor, ThreadPoolExecutor) else _packed(work)
    n_workers = getattr(executor, "_max_workers", USUAL_WORKERS)

    def hand_over(n: int) -> Iterator[Any]:
        return (executor.submit(*task, block) for block in islice(waiting, n))

    try:
        under_way.extend(hand_over(AHEAD * n_workers))
        while under_way:
            units = under_way.popleft().result()
            under_way.extend(hand_over(1))
            yield units
    except BrokenExecutor as broken:
        raise ExecutionError(
            "a worker of the executor ended abruptly; start again, with a checkpoint to go on "
            f"from what was finished ({broken})"
        ) from broken
    finally:
        for future in under_way:
            future.cancel()


def _packed(work: Work) -> tuple[Any, ...]:
    return work_on_packed, pickle.dumps(work, protocol=pickle.HIGHEST_PROTOCOL)


def work_on_packed(packed: bytes, block: Block) -> Units:
    """Work on a block in another process."""
    return work_on(_unpacked(packed), block)


@lru_cache(maxsize=1)
def _unpacked(packed: bytes) -> Work:
    """Once for all blocks of the same work."""
    work: Work = pickle.loads(packed)
    return work
