"""Blocks on an executor of the caller: any ``concurrent.futures.Executor``.

The shared arguments are pickled once, and unpickled once by each worker process. Processes of this
machine read them from a file. Other executors receive them with every block, because there is no
file that all their workers can read. For threads nothing is pickled. A Dask client, or the executor
that it provides, is recognised and handled by ``parallel.dask``.

Executors and their futures have locks that Ctrl-C could leave held forever. A separate thread talks
to the executor, so that signals cannot interrupt it.
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
from .work import AHEAD, Block, Units, Work, iterate_in_thread, run_block

DEFAULT_WORKERS = 16  # if an executor does not state its number of workers

Task = Callable[[Block], Units]


def run_blocks_on_executor(
    work: Work, blocks: Sequence[Block], executor: Any, max_at_once: int | None = None
) -> Generator[Units]:
    """Yield the result of each block, in order.

    ``max_at_once`` is the number of blocks that fit into the memory of this process, if limited.
    """
    client = _dask_client(executor)
    if client is not None:
        from .dask import run_blocks_on_dask

        return run_blocks_on_dask(work, blocks, client)
    return iterate_in_thread(_run_blocks_on_pool(work, blocks, executor, max_at_once))


def _dask_client(executor: Any) -> Any:
    """Return the Dask client that an executor is or belongs to; None for any other executor."""
    if sys.modules.get("distributed") is None:
        return None
    from distributed import Client
    from distributed.cfexecutor import ClientExecutor

    if isinstance(executor, ClientExecutor):
        return executor._client
    return executor if isinstance(executor, Client) else None


def _run_blocks_on_pool(
    work: Work, blocks: Sequence[Block], executor: Any, max_at_once: int | None
) -> Generator[Units]:
    waiting = iter(blocks)
    running: deque[Any] = deque()
    n_workers = getattr(executor, "_max_workers", None) or DEFAULT_WORKERS
    all_fit = max_at_once is None or max_at_once >= n_workers
    n_ahead = AHEAD * n_workers if all_fit else max_at_once
    with _make_task(work, executor) as task:
        try:
            for block in islice(waiting, n_ahead):
                running.append(_submit(executor, task, block))
            while running:
                units = running.popleft().result()
                running.extend(_submit(executor, task, block) for block in islice(waiting, 1))
                yield units
        except BrokenExecutor as broken:
            raise ExecutionError(
                "a worker of the executor ended abruptly; run it again, with a checkpoint to "
                f"continue from finished work ({broken})"
            ) from broken
        except CancelledError as ended:
            raise ExecutionError("the executor was shut down before the work was done") from ended
        finally:
            for future in running:
                future.cancel()


def _submit(executor: Any, task: Task, block: Block) -> Any:
    try:
        return executor.submit(task, block)
    except BrokenExecutor:
        raise
    except RuntimeError as refusal:
        raise ExecutionError(f"the executor accepts no work: {refusal}") from refusal


@contextmanager
def _make_task(work: Work, executor: Any) -> Iterator[Task]:
    """Yield the work in a form that reaches the executor's workers."""
    if isinstance(executor, ThreadPoolExecutor):
        yield partial(run_block, work)
    elif isinstance(executor, ProcessPoolExecutor):
        with TemporaryDirectory(prefix="irbounds-", ignore_cleanup_errors=True) as directory:
            file = Path(directory) / "work"
            _write(file, _pickle(work))
            yield PickledWork(str(file))
    else:
        yield PickledWork(uuid4().hex, _pickle(work))


def _pickle(work: Work) -> bytes:
    try:
        return pickle.dumps(work, protocol=pickle.HIGHEST_PROTOCOL)
    except (pickle.PicklingError, AttributeError, TypeError) as failure:
        raise ExecutionError(
            f"this work cannot be sent to another process, only to threads: {failure}"
        ) from failure


def _write(file: Path, content: bytes) -> None:
    try:
        file.write_bytes(content)
    except OSError as failure:
        raise ExecutionError(
            f"the data for the worker processes, {len(content):,} bytes, cannot be written to "
            f"{file.parent}: {failure.strerror}"
        ) from failure


@dataclass(frozen=True)
class PickledWork:
    """Work for another process: its pickle, or the path of a file that contains the pickle.

    Instances are compared by name only, so that no bytes are compared.
    """

    name: str
    content: bytes | None = field(default=None, compare=False, repr=False)

    def __call__(self, block: Block) -> Units:
        """Run a block in the worker process."""
        return run_block(_unpickle(self), block)


@lru_cache(maxsize=1)
def _unpickle(pickled: PickledWork) -> Work:
    """Return the work, unpickled once for all its blocks."""
    work: Work
    if pickled.content is not None:
        work = pickle.loads(pickled.content)
    else:
        with Path(pickled.name).open("rb") as file:
            work = pickle.load(file)
    return work
