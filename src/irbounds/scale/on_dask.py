"""Blocks on a Dask cluster.

What all units share is scattered once, to every worker, and a task is a block's numbers. Dask runs
a task again whose worker has died; what it cannot bring back is shared data that all its holders
took with them, and a task that was on too many workers as they died. Then the data are scattered
and the blocks handed over anew, as long as blocks come back in between.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

from ..errors import ExecutionError, ParameterError
from .execution import current
from .work import Block, Units, Work, work_on

__all__ = ["blocks_on_dask", "dask_client"]

AHEAD = 2  # blocks a worker thread that are handed over before they are needed
MOST_LOSSES = 20  # in a row, without a block coming back
PATIENCE = 60  # seconds that a cluster without workers is waited for


@contextmanager
def dask_client(where: str, n_workers: int | None = None) -> Iterator[Any]:
    """A client of the cluster at an address, or of one that is started here (``"local"``).

    A cluster started here has ``n_workers`` processes, by default as many as threads would work.
    """
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise ParameterError(
            'dask is not installed; it comes with: pip install "irbounds[dask]"'
        ) from None
    if where != "local":
        try:
            client = Client(where, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as failure:
            raise ExecutionError(f"no Dask scheduler at {where}: {failure}") from None
        with client:
            yield client
        return
    with (
        LocalCluster(
            n_workers=n_workers or current().n_threads,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
            silence_logs="CRITICAL",
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


def blocks_on_dask(work: Work, blocks: Sequence[Block], client: Any) -> Generator[Units]:
    """What each block gives, in the order given."""
    check_versions(client)
    handed = _Handed(work, client)
    waiting = iter(blocks)
    losses = 0
    try:
        handed.over(waiting, AHEAD * max(handed.n_threads(), 1))
        while handed.under_way:
            try:
                units = handed.first()
            except _lost() as failure:
                losses += 1
                if losses > MOST_LOSSES:
                    raise ExecutionError(
                        f"Dask lost its workers again and again: {failure}"
                    ) from failure
                handed.over_again()
                continue
            losses = 0
            handed.over(waiting, 1)
            yield units
    finally:
        handed.cancel()


class _Handed:
    """Blocks that were handed to a cluster, first come first."""

    def __init__(self, work: Work, client: Any) -> None:
        self.work = work
        self.client = client
        self.under_way: deque[tuple[Block, Any]] = deque()
        self.shared = self._scattered()

    def n_threads(self) -> int:
        return sum(self.client.nthreads().values())

    def over(self, waiting: Iterator[Block], n: int) -> None:
        """The next n blocks."""
        for block in islice(waiting, n):
            self.under_way.append((block, self._submitted(block)))

    def first(self) -> Units:
        """What the first block gives; it stays where it is if it is lost."""
        units: Units = self.under_way[0][1].result()
        self.under_way.popleft()
        return units

    def over_again(self) -> None:
        """The same blocks once more, and what they share."""
        self.cancel()
        self.shared = self._scattered()
        self.under_way = deque((block, self._submitted(block)) for block, _ in self.under_way)

    def cancel(self) -> None:
        self.client.cancel([future for _, future in self.under_way], force=True)

    def _submitted(self, block: Block) -> Any:
        return self.client.submit(work_on, self.shared, block, pure=False)

    def _scattered(self) -> Any:
        try:
            self.client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise ExecutionError(
                f"the Dask cluster has had no worker for {PATIENCE} seconds"
            ) from None
        return self.client.scatter(self.work, broadcast=True, hash=False)


def _lost() -> tuple[type[BaseException], ...]:
    """How Dask says that a task or its data went down with a worker."""
    from distributed import KilledWorker
    from distributed.client import FutureCancelledError

    return (KilledWorker, FutureCancelledError)


def check_versions(client: Any) -> None:
    """Raise ``ExecutionError`` unless every worker has this version of irbounds and of numpy."""
    from .checkpoints import versions

    try:
        found = client.run(versions)
    except ModuleNotFoundError:
        raise ExecutionError("the Dask workers have no irbounds; install it there too") from None
    for worker, theirs in found.items():
        if theirs != versions():
            raise ExecutionError(f"the Dask worker {worker} has {theirs}; here it is {versions()}")
