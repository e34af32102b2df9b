"""Blocks on a Dask cluster.

What all units share is scattered once, to every worker, and a task is a block's numbers. Dask runs
a task again whose worker has died; what it cannot bring back is shared data that all its holders
took with them, and a task that was on too many workers as they died. Then the data are scattered
and the blocks handed over anew, as long as blocks come back in between. A lost scheduler takes all
with it, and is an error: with a checkpoint, the same command goes on from what came back.

All of it is in a thread that no signal reaches: Ctrl-C amid Dask's own locks could leave one held.
It looks now and then whether anybody still wants what it waits for; if not, tasks are cancelled.

Every task looks whether its worker has the same versions as the caller: workers come and go.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Generator, Sequence
from contextlib import suppress
from pkgutil import resolve_name
from threading import Event
from typing import Any

from ..errors import ExecutionError
from .execution import current
from .in_threads import in_another_thread
from .versions import different_versions, versions
from .work import AHEAD, Block, Units, Work, work_on

logger = logging.getLogger("irbounds")

MOST_LOSSES = 20  # in a row, without a block coming back
PATIENCE = 60.0  # seconds that a cluster without workers is waited for
STARTING = 10.0  # seconds that a worker takes to start, at most
NOTICE = 2.0  # seconds after which it is said what is waited for
GLANCE = 0.2  # seconds after which to look whether the work is still wanted
PAUSE = 0.1  # seconds after which a client knows that its scheduler has gone


def blocks_on_dask(work: Work, blocks: Sequence[Block], client: Any) -> Generator[Units]:
    """What each block gives, in the order given."""
    left = Event()
    return in_another_thread(_blocks_done(_Handed(work, blocks, client, left), len(blocks)), left)


def _blocks_done(handed: _Handed, n_blocks: int) -> Generator[Units]:
    try:
        for _ in range(n_blocks):
            yield handed.first()
    finally:
        handed.cancel()


class _Handed:
    """Blocks that are handed to a cluster, first come first."""

    def __init__(self, work: Work, blocks: Sequence[Block], client: Any, left: Event) -> None:
        self.work = work
        self.client = client
        #: set when nobody wants them any more
        self.left = left
        self.waiting = deque(blocks)
        self.under_way: deque[tuple[Block, Any]] = deque()
        #: the work on the workers, and how many blocks they get at once
        self.shared: Any = None
        self.most = 0

    def first(self) -> Units:
        """What the first block gives, handed over again as often as it is lost."""
        for _ in range(MOST_LOSSES):
            try:
                self._hand_over()
                units = self._result(self.under_way[0][1])
            except _lost() as failure:
                self._check_connected(failure)
                self._take_back()
            else:
                self.under_way.popleft()
                return units
        raise ExecutionError(
            f"Dask lost its workers {MOST_LOSSES} times without finishing a block; {_way_on()}"
        )

    def _result(self, future: Any) -> Units:
        """What a block gives; not waited for where nobody is left to work on it."""
        while True:
            try:
                self._wait(future)
                units: Units = future.result(timeout=PATIENCE)
                return units
            except TimeoutError:
                if future.status == "error":  # it is the work's own, or that has come meanwhile
                    future.result()
                if self.client.status != "running" or not self.client.nthreads():
                    raise _LostError("there are no workers") from None

    def _wait(self, future: Any) -> None:
        """Until a block is done, nobody wants it any more, or patience ends."""
        done = Event()
        future.add_done_callback(lambda _: done.set())
        until = time.monotonic() + PATIENCE
        while not done.wait(min(GLANCE, PATIENCE)):
            if self.left.is_set():
                raise _LeftError
            if time.monotonic() > until:
                raise TimeoutError

    def cancel(self) -> None:
        with suppress(Exception):  # a client without its scheduler; what ended the work counts
            self.client.cancel([future for _, future in self.under_way], force=True)

    def _hand_over(self) -> None:
        try:
            if self.shared is None:
                self.shared = self._scattered()
                self.most = AHEAD * max(sum(self.client.nthreads().values()), 1)
            while self.waiting and len(self.under_way) < self.most:
                self.under_way.append((self.waiting[0], self._submitted(self.waiting[0])))
                self.waiting.popleft()
        except OSError as failure:  # a worker or the scheduler went away meanwhile
            raise _LostError(str(failure)) from failure

    def _take_back(self) -> None:
        """All blocks, and what they share, to be handed over anew."""
        self.cancel()
        self.waiting.extendleft(block for block, _ in reversed(self.under_way))
        self.under_way.clear()
        self.shared = None

    def _submitted(self, block: Block) -> Any:
        return self.client.submit(work_on_same, self.shared, block, versions(), pure=False)

    def _scattered(self) -> Any:
        _await_worker(self.client)
        _check_installed(self.client)
        return self.client.scatter(self.work, broadcast=True, hash=False)

    def _check_connected(self, failure: BaseException) -> None:
        time.sleep(PAUSE)
        lost = getattr(failure, "reason", "") == "scheduler-connection-lost"
        if lost or self.client.status != "running":
            address = self.client.scheduler.address
            raise ExecutionError(
                f"the connection to the Dask scheduler at {address} was lost; {_way_on()}"
            ) from failure


class _LostError(Exception):
    """A worker or a connection is lost, and Dask does not say so."""


class _LeftError(Exception):
    """Nobody wants the result any more, or hears of this."""


def work_on_same(work: Work, block: Block, expected: dict[str, str]) -> Units:
    """Work on a block on a worker, if it has the caller's versions."""
    from distributed import get_worker

    if versions() != expected:
        raise ExecutionError(
            f"the Dask worker {get_worker().address} has other versions: "
            f"{different_versions(versions(), expected)}"
        )
    return work_on(work, block)


def _await_worker(client: Any) -> None:
    """Wait by means of a task: a cluster that grows with its work starts a worker for it."""
    try:
        client.submit(int, pure=False).result(timeout=min(NOTICE, PATIENCE))
        return
    except TimeoutError:
        logger.info("waiting for a worker of the Dask cluster at %s ...", client.scheduler.address)
    for patience in (min(STARTING, PATIENCE), PATIENCE):
        with suppress(TimeoutError):
            client.submit(int, pure=False).result(timeout=patience)
            return
        _replace_workers(client)
    raise ExecutionError(
        f"the Dask cluster has had no worker for {PATIENCE:g} seconds; {_way_on()}"
    )


def _way_on() -> str:
    """What to do after an error that is nobody's fault here."""
    if current().checkpoint is None:
        return "with a checkpoint, it could go on from what was finished"
    return "run it again to go on from what was finished"


def _replace_workers(client: Any) -> None:
    """Start others for workers that have gone for good, in a cluster that ``dask_client`` started.

    Dask does so itself, but not for one that was killed while it started.
    """
    cluster = getattr(client, "started_here", None)
    if cluster is None:
        return
    there = {worker["name"] for worker in cluster.scheduler_info["workers"].values()}
    wanted = len(cluster.worker_spec)
    cluster.sync(cluster.scale_down, [name for name in cluster.worker_spec if name not in there])
    cluster.scale(wanted)


def _lost() -> tuple[type[BaseException], ...]:
    """How Dask says that a task or its data went down with a worker."""
    from distributed import KilledWorker
    from distributed.client import FutureCancelledError
    from distributed.comm import CommClosedError

    return (KilledWorker, FutureCancelledError, CommClosedError, _LostError)


def _check_installed(client: Any) -> None:
    """Raise ``ExecutionError`` where a worker has no irbounds, or an older one without tasks.

    What is called there is of Python's own library, so that the answer is an exception as it was
    raised. A function of ours would fail as it is unpacked, which Dask reports in words only.
    """
    task = f"{work_on_same.__module__}:{work_on_same.__name__}"
    for worker, found in client.run(resolve_name, task, on_error="return").items():
        if isinstance(found, ImportError | AttributeError):
            raise ExecutionError(
                f"the Dask worker {worker} lacks this irbounds; install it there too ({found})"
            )
