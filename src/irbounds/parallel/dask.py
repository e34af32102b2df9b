"""Blocks on a Dask cluster, and clients of a cluster at an address or started on this machine.

The shared arguments are scattered once, to every worker; a task is the numbers of a block. Dask
reruns a task whose worker has died. It cannot restore shared data that all their holders lost, nor
a task that was on too many workers as they died. The data are then scattered and the blocks
submitted again, as long as blocks are finished in between. If the connection to the scheduler is
lost, that is an error: with a checkpoint, the same command continues from the finished blocks.

All of this runs in a separate thread that no signal interrupts, because Ctrl-C amid Dask's own
locks could leave one held. The thread checks regularly whether its results are still needed, and
cancels the tasks if they are not.

Every task checks that its worker has the same versions as the caller, because workers join and
leave.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import tempfile
import threading
import time
import warnings
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from contextvars import copy_context
from multiprocessing import resource_tracker
from pkgutil import resolve_name
from threading import Event
from typing import Any

from ..errors import ExecutionError, ParameterError
from .digests import describe_version_differences, library_versions
from .execution import current_execution
from .work import AHEAD, Block, Units, Work, iterate_in_thread, run_block

logger = logging.getLogger("irbounds")

MAX_LOSSES = 20  # in a row, without a finished block
WORKER_TIMEOUT = 60.0  # seconds to wait for a worker if the cluster has none
START_TIME = 10.0  # seconds that a worker takes to start, at most
NOTICE_DELAY = 2.0  # seconds before a line says what is being waited for
POLL_INTERVAL = 0.2  # seconds between checks whether the result is still needed
DISCONNECT_DELAY = 0.1  # seconds until a client knows that its scheduler has gone

LOCAL = "local"
CONNECT_TIMEOUT = 15.0  # seconds that a scheduler has to answer
PORTS = range(1, 1 << 16)
DEFERRED_SIGNALS = (signal.SIGINT, signal.SIGTERM)
ENCRYPTED = ("tls", "wss")
LOGGERS = ("distributed", "tornado", "asyncio")
SILENT = logging.CRITICAL + 1


# ---- blocks on a cluster ----


def run_blocks_on_dask(work: Work, blocks: Sequence[Block], client: Any) -> Generator[Units]:
    """Yield the result of each block, in order."""
    left = Event()
    submission = _Submission(work, blocks, client, left)
    return iterate_in_thread(_yield_blocks(submission, len(blocks)), left)


def _yield_blocks(submission: _Submission, n_blocks: int) -> Generator[Units]:
    try:
        for _ in range(n_blocks):
            yield submission.first()
    finally:
        submission.cancel()


class _Submission:
    """Blocks that are submitted to a cluster in order."""

    def __init__(self, work: Work, blocks: Sequence[Block], client: Any, left: Event) -> None:
        self.work = work
        self.client = client
        #: set when the results are no longer needed
        self.left = left
        self.waiting = deque(blocks)
        self.running: deque[tuple[Block, Any]] = deque()
        #: the work on the workers, and the number of blocks to submit at once
        self.shared: Any = None
        self.max_running = 0

    def first(self) -> Units:
        """Return the result of the first block, submitted again each time it is lost."""
        for _ in range(MAX_LOSSES):
            try:
                self._submit_blocks()
                units = self._result(self.running[0][1])
            except _loss_exceptions() as failure:
                self._check_connected(failure)
                self._take_back()
            else:
                self.running.popleft()
                return units
        raise ExecutionError(
            f"Dask lost its workers {MAX_LOSSES} times without finishing a block; {_advice()}"
        )

    def _result(self, future: Any) -> Units:
        """Return the result of a block; raise ``_LostError`` if no worker is left to run it."""
        while True:
            try:
                self._wait(future)
                units: Units = future.result(timeout=WORKER_TIMEOUT)
                return units
            except TimeoutError:
                if future.status == "error":  # raised by the work itself, or in the meantime
                    future.result()
                if self.client.status != "running" or not self.client.nthreads():
                    raise _LostError("there are no workers") from None

    def _wait(self, future: Any) -> None:
        """Wait until a block is done; raise an error if it is no longer needed or takes long."""
        done = Event()
        future.add_done_callback(lambda _: done.set())
        until = time.monotonic() + WORKER_TIMEOUT
        while not done.wait(min(POLL_INTERVAL, WORKER_TIMEOUT)):
            if self.left.is_set():
                raise _LeftError
            if time.monotonic() > until:
                raise TimeoutError

    def cancel(self) -> None:
        with suppress(Exception):  # the client may have lost its scheduler; the first error counts
            self.client.cancel([future for _, future in self.running], force=True)

    def _submit_blocks(self) -> None:
        try:
            if self.shared is None:
                self.shared = self._scatter()
                self.max_running = AHEAD * max(sum(self.client.nthreads().values()), 1)
            while self.waiting and len(self.running) < self.max_running:
                self.running.append((self.waiting[0], self._submit(self.waiting[0])))
                self.waiting.popleft()
        except OSError as failure:  # a worker or the scheduler has gone in the meantime
            raise _LostError(str(failure)) from failure

    def _take_back(self) -> None:
        """Cancel all blocks, to scatter the shared arguments and submit the blocks again."""
        self.cancel()
        self.waiting.extendleft(block for block, _ in reversed(self.running))
        self.running.clear()
        self.shared = None

    def _submit(self, block: Block) -> Any:
        versions = library_versions()
        return self.client.submit(run_block_if_same, self.shared, block, versions, pure=False)

    def _scatter(self) -> Any:
        _await_worker(self.client)
        _check_installed(self.client)
        return self.client.scatter(self.work, broadcast=True, hash=False)

    def _check_connected(self, failure: BaseException) -> None:
        time.sleep(DISCONNECT_DELAY)
        is_lost = getattr(failure, "reason", "") == "scheduler-connection-lost"
        if is_lost or self.client.status != "running":
            address = self.client.scheduler.address
            raise ExecutionError(
                f"the connection to the Dask scheduler at {address} was lost; {_advice()}"
            ) from failure


class _LostError(Exception):
    """A worker or a connection is lost, and Dask does not report it."""


class _LeftError(Exception):
    """The result is no longer needed; nobody receives this error."""


def run_block_if_same(work: Work, block: Block, expected: dict[str, str]) -> Units:
    """Run a block on a worker, if the worker has the caller's versions."""
    from distributed import get_worker

    versions = library_versions()
    if versions != expected:
        raise ExecutionError(
            f"the Dask worker {get_worker().address} has other versions: "
            f"{describe_version_differences(versions, expected)}"
        )
    return run_block(work, block)


def _await_worker(client: Any) -> None:
    """Wait for a worker by submitting a task: an adaptive cluster starts a worker for it."""
    try:
        client.submit(int, pure=False).result(timeout=min(NOTICE_DELAY, WORKER_TIMEOUT))
        return
    except TimeoutError:
        logger.info("waiting for a worker of the Dask cluster at %s ...", client.scheduler.address)
    for timeout in (min(START_TIME, WORKER_TIMEOUT), WORKER_TIMEOUT):
        with suppress(TimeoutError):
            client.submit(int, pure=False).result(timeout=timeout)
            return
        _replace_workers(client)
    raise ExecutionError(
        f"the Dask cluster has had no worker for {WORKER_TIMEOUT:g} seconds; {_advice()}"
    )


def _advice() -> str:
    """Return what to do after an error that the user did not cause."""
    if current_execution().checkpoint is None:
        return "with a checkpoint, the same command would continue from finished work"
    return "run it again to continue from finished work"


def _replace_workers(client: Any) -> None:
    """Replace workers that do not return, in a cluster that ``dask_client`` started.

    Dask does this itself, except for a worker that was killed while it started.
    """
    cluster = getattr(client, "started_here", None)
    if cluster is None:
        return
    present = {worker["name"] for worker in cluster.scheduler_info["workers"].values()}
    n_workers = len(cluster.worker_spec)
    cluster.sync(cluster.scale_down, [name for name in cluster.worker_spec if name not in present])
    cluster.scale(n_workers)


def _loss_exceptions() -> tuple[type[BaseException], ...]:
    """Return the exceptions by which Dask reports that a task or its data were lost."""
    from distributed import KilledWorker
    from distributed.client import FutureCancelledError
    from distributed.comm import CommClosedError

    return (KilledWorker, FutureCancelledError, CommClosedError, _LostError)


def _check_installed(client: Any) -> None:
    """Raise ``ExecutionError`` if a worker has no irbounds, or a version without this function.

    The function that is called on the workers is in Python's standard library, so that the answer
    is the exception itself. A function of ours would fail while it is unpickled, which Dask reports
    as text only.
    """
    task = f"{run_block_if_same.__module__}:{run_block_if_same.__name__}"
    for worker, answer in client.run(resolve_name, task, on_error="return").items():
        if isinstance(answer, ImportError | AttributeError):
            raise ExecutionError(
                f"the Dask worker {worker} lacks this irbounds; install it there too ({answer})"
            )


# ---- clients, for the command line ----
#
# Dask reports workers that join and leave on standard error; here only what ends the work is
# reported.
#
# A cluster that is started here listens on this machine only, and only to holders of a key that is
# made for it: whoever can connect to a scheduler can run programs as its user. Its files are in a
# temporary directory, and it ends with the ``with`` block. Its workers have no memory limit of
# Dask's, which would stop them in the middle of a block; ``memory`` is checked beforehand.
#
# Before a client is made, the scheduler at the address is queried, with a time limit and where
# Ctrl-C works. A client itself waits without limit for the answer of a port that is not a
# scheduler's.
#
# Ctrl-C reaches every process of a terminal, and interrupted workers leave tracebacks and tasks to
# be rerun. So it is deferred while the cluster starts and ends, and its workers never receive it: a
# thread that is started while a signal is blocked keeps it blocked, and so do its child processes.


@contextmanager
def dask_client(where: str, n_workers: int | None = None) -> Iterator[Any]:
    """Yield a client of the cluster at an address, or of one that is started here (``"local"``).

    A cluster that is started here has ``n_workers`` processes, by default as many as there would be
    threads.
    """
    try:
        import distributed  # noqa: F401

        if where == LOCAL:
            import cryptography  # noqa: F401 (Dask makes keys with it)
    except ImportError as missing:
        raise ParameterError(
            f'{missing.name} is not installed; it comes with: pip install "irbounds[dask]"'
        ) from None
    n = n_workers or current_execution().n_threads
    with _silence_dask(), ExitStack() as stack:
        if where != LOCAL:
            _check_address(where)
            _check_scheduler(where)
        with _defer_signals():
            client = _start_cluster(stack, n) if where == LOCAL else _connect(stack, where)
        try:
            yield client
        finally:
            with _defer_signals():
                stack.close()


def _start_cluster(stack: ExitStack, n_workers: int) -> Any:
    """Start a cluster on this machine, and return a client of it."""
    import dask
    from distributed import Security

    temporary = tempfile.TemporaryDirectory(prefix="irbounds-dask-", ignore_cleanup_errors=True)
    directory = stack.enter_context(temporary)
    # Dask abandons a worker some seconds after it was lost, even if it was lost for a moment only
    settings = {
        "distributed.deploy.lost-worker-timeout": "7 days",
        "temporary-directory": directory,
    }
    stack.enter_context(dask.config.set(settings))
    logger.info("starting %d process%s ...", n_workers, "es" * (n_workers > 1))
    security = Security.temporary()
    try:
        cluster = stack.enter_context(_local_cluster(n_workers, directory, security))
    except (OSError, RuntimeError) as failure:
        raise ExecutionError(f"Dask cannot start its processes here: {failure}") from None
    _disable_gc_diagnosis()
    client = _connect(stack, cluster.scheduler_address, security)
    client.started_here = cluster  # for _replace_workers
    return client


def _local_cluster(n_workers: int, directory: str, security: Any) -> Any:
    from distributed import LocalCluster

    return LocalCluster(
        n_workers=n_workers,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        security=security,
        dashboard_address="127.0.0.1:0",  # any port: the usual one may be in use
        scheduler_kwargs={"dashboard": False},
        memory_limit=0,
        local_directory=directory,
        silence_logs=SILENT,
    )


def _disable_gc_diagnosis() -> None:
    """Stop Dask from timing garbage collection: Ctrl-C in its callback would be lost."""
    with suppress(ImportError):  # other versions have it elsewhere, or do not have it
        from distributed.gc import disable_gc_diagnosis

        disable_gc_diagnosis()


def _connect(stack: ExitStack, where: str, security: Any = None) -> Any:
    from distributed import Client

    try:
        client = Client(where, timeout=CONNECT_TIMEOUT, security=security, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError) as failure:
        raise ExecutionError(f"no Dask scheduler at {where}: {failure}") from None
    return stack.enter_context(client)


def _check_address(where: str) -> None:
    """Raise an error unless Dask can connect to such an address."""
    from distributed import Security
    from distributed.comm import parse_address, parse_host_port
    from distributed.comm.registry import get_backend

    try:
        scheme, place = parse_address(where)
        get_backend(scheme)
        host, port = parse_host_port(place)
        if not host or port not in PORTS:
            raise ValueError
    except (ValueError, ImportError):
        raise ParameterError(
            f"--dask takes an address such as tcp://host:8786, or {LOCAL}; got {where!r}"
        ) from None
    if scheme in ENCRYPTED and not Security().get_connection_args("client")["ssl_context"]:
        raise ExecutionError(
            f"no Dask scheduler at {where}: {scheme} needs certificates, which Dask's own "
            "settings name (distributed.comm.tls)"
        )


def _check_scheduler(where: str) -> None:
    """Raise ``ExecutionError`` unless a Dask scheduler answers within the time limit."""
    run_in_context = copy_context().run  # of this thread, whose verbosity may be quiet
    arguments = [logger.info, "connecting to %s ...", where]
    note = threading.Timer(NOTICE_DELAY, run_in_context, arguments)
    left = threading.Event()
    note.start()
    try:
        with closing(iterate_in_thread(_query(where, left), left)) as answers:
            reason = next(answers)
    finally:
        note.cancel()
    if reason:
        raise ExecutionError(
            f"no Dask scheduler at {where}: {reason}; check the host and the port, which is "
            "usually 8786 for the scheduler (8787 is its dashboard)"
        )


def _query(where: str, left: threading.Event) -> Generator[str]:
    """Yield why the program at an address is not a scheduler; nothing if it is one."""
    try:
        yield asyncio.run(_query_identity(where, left))
    except OSError as failure:
        yield _first_cause(failure)
    except Exception as failure:  # any error that Dask raises for bytes of another protocol
        yield f"Dask cannot use the address or read the answer ({type(failure).__name__})"


async def _query_identity(where: str, left: threading.Event) -> str:
    from distributed import Security, rpc

    arguments = Security().get_connection_args("client")
    # Dask tries to connect for this long, and then reports why it failed
    async with rpc(where, timeout=CONNECT_TIMEOUT * 0.9, connection_args=arguments) as server:
        query = asyncio.ensure_future(server.identity())
        until = time.monotonic() + CONNECT_TIMEOUT
        while not query.done() and not left.is_set() and time.monotonic() < until:
            await asyncio.wait([query], timeout=min(POLL_INTERVAL, CONNECT_TIMEOUT))
        if not query.done():
            query.cancel()
            return _no_answer()
        kind = (await query)["type"]
    return "" if kind == "Scheduler" else f"a Dask {kind} answers"


def _first_cause(failure: BaseException) -> str:
    while failure.__cause__ is not None:
        failure = failure.__cause__
    return getattr(failure, "strerror", None) or str(failure) or _no_answer()


def _no_answer() -> str:
    return f"no answer within {CONNECT_TIMEOUT:g} seconds"


@contextmanager
def _defer_signals() -> Iterator[None]:
    """Defer signals to the end of the block; processes started within it never receive Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[int] = []
    before = [
        (number, signal.signal(number, lambda number, frame: received.append(number)))
        for number in DEFERRED_SIGNALS
    ]
    try:
        with _block_interrupts():
            yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)
    if received:
        signal.raise_signal(received[0])


@contextmanager
def _block_interrupts() -> Iterator[None]:
    """Block SIGINT in this thread, if the system supports it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # starting it later would unblock the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _silence_dask() -> Iterator[None]:
    """Suppress log messages and warnings of Dask and its dependencies."""
    known = [logging.getLogger(name) for name in sorted(logging.root.manager.loggerDict)]
    loggers = [logger for logger in known if logger.name.partition(".")[0] in LOGGERS]
    levels = [logger.level for logger in loggers]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module=r"distributed\b")
        for logger in loggers:
            logger.setLevel(SILENT)
        try:
            yield
        finally:
            for logger, level in zip(loggers, levels, strict=True):
                logger.setLevel(level)
