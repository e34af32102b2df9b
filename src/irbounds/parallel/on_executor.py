"""Blocks on an executor that the caller brings: any ``concurrent.futures.Executor``.

What all units share is packed once, and unpacked once by each worker process. Processes of this
machine read it from a file; to others it goes with every block, as there is no place that all of
them can see. On threads it is not packed at all. A Dask client, or the executor that it gives, is
known as such.

Executors and their futures have locks, and Ctrl-C could leave one of them held for ever. So all
dealings with them are in a thread of their own, which hears of no signal.
"""

from __future__ import annotations

import pickle
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

from ..errors import ExecutionError
from .in_threads import in_another_thread
from .work import AHEAD, Block, Units, Work, work_on

USUAL_WORKERS = 16  # where an executor does not say how many it has

Task = Callable[[Block], Units]


def blocks_on_executor(
    work: Work, blocks: Sequence[Block], executor: Any, n_at_once: int | None = None
) -> Generator[Units]:
    """What each block gives, in the order given.

    ``n_at_once`` is how many blocks fit into the memory of this process, if not any number.
    """
    client = _dask_client(executor)
    if client is not None:
        from .on_dask import blocks_on_dask

        return blocks_on_dask(work, blocks, client)
    return in_another_thread(_blocks_on_pool(work, blocks, executor, n_at_once))


def _dask_client(executor: Any) -> Any:
    """The Dask client that is given, or that stands behind an executor; None without Dask."""
    if sys.modules.get("distributed") is None:
        return None
    from distributed import Client
    from distributed.cfexecutor import ClientExecutor

    if isinstance(executor, ClientExecutor):
        return executor._client
    return executor if isinstance(executor, Client) else None


def _blocks_on_pool(
    work: Work, blocks: Sequence[Block], executor: Any, n_at_once: int | None
) -> Generator[Units]:
    waiting = iter(blocks)
    under_way: deque[Any] = deque()
    n_workers = getattr(executor, "_max_workers", None) or USUAL_WORKERS
    fit_all = n_at_once is None or n_at_once >= n_workers
    n_ahead = AHEAD * n_workers if fit_all else n_at_once
    with _task(work, executor) as task:
        try:
            for block in islice(waiting, n_ahead):
                under_way.append(_handed_over(executor, task, block))
            while under_way:
                units = under_way.popleft().result()
                under_way.extend(
                    _handed_over(executor, task, block) for block in islice(waiting, 1)
                )
                yield units
        except BrokenExecutor as broken:
            raise ExecutionError(
                "a worker of the executor ended abruptly; start again, with a checkpoint to go on "
                f"from what was finished ({broken})"
            ) from broken
        except CancelledError as ended:
            raise ExecutionError("the executor was ended before the work was done") from ended
        finally:
            for future in under_way:
                future.cancel()


def _handed_over(executor: Any, task: Task, block: Block) -> Any:
    try:
        return executor.submit(task, block)
    except BrokenExecutor:
        raise
    except RuntimeError as refused:
        raise ExecutionError(f"the executor takes no work: {refused}") from refused


@contextmanager
def _task(work: Work, executor: Any) -> Iterator[Task]:
    """The work in a form that reaches the executor's workers."""
    if isinstance(executor, ThreadPoolExecutor):
        yield partial(work_on, work)
    elif isinstance(executor, ProcessPoolExecutor):
        with TemporaryDirectory(prefix="irbounds-", ignore_cleanup_errors=True) as folder:
            file = Path(folder) / "work"
            _write(file, _packed(work))
            yield Packed(str(file))
    else:
        yield Packed(uuid4().hex, _packed(work))


def _packed(work: Work) -> bytes:
    try:
        return pickle.dumps(work, protocol=pickle.HIGHEST_PROTOCOL)
    except (pickle.PicklingError, AttributeError, TypeError) as failure:
        raise ExecutionError(
            f"this work cannot be handed to another process, only to threads: {failure}"
        ) from failure


def _write(file: Path, packed: bytes) -> None:
    try:
        file.write_bytes(packed)
    except OSError as failure:
        raise ExecutionError(
            f"what the worker processes are to read, {len(packed):,} bytes, cannot be written to "
            f"{file.parent}: {failure.strerror}"
        ) from failure


@dataclass(frozen=True)
class Packed:
    """Work for another process: packed, or the name of the file that holds it so.

    Known by its name alone, so that nobody compares the bytes.
    """

    name: str
    content: bytes | None = field(default=None, compare=False, repr=False)

    def __call__(self, block: Block) -> Units:
        """Work on a block, over there."""
        return work_on(_unpacked(self), block)


@lru_cache(maxsize=1)
def _unpacked(packed: Packed) -> Work:
    """Once for all blocks of the same work."""
    work: Work
    if packed.content is not None:
        work = pickle.loads(packed.content)
    else:
        with Path(packed.name).open("rb") as file:
            work = pickle.load(file)
    return work
