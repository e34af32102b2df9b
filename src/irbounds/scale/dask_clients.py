"""A client of a Dask cluster, for the command line: of one that is there, or of one started here.

Dask tells of workers that come and go on standard error; here nothing is said unless it ends the
work. A cluster that is started here listens on this machine alone, keeps its files in a folder of
its own, and is gone with the end of the ``with`` block. Its workers have no limit of memory from
Dask, which would stop them in the middle of a block; ``memory`` sees to that beforehand.

Ctrl-C reaches every process of a terminal, and workers that are interrupted leave tracebacks and
tasks to be run again. So it is held off while the cluster starts and ends, and its workers never
hear of it: a thread that is started while a signal is blocked blocks it for good, and so do the
processes that it starts.
"""

from __future__ import annotations

import logging
import signal
import tempfile
import threading
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing import resource_tracker
from typing import Any

from ..errors import ExecutionError, ParameterError
from .execution import current

__all__ = ["LOCAL", "dask_client"]

LOCAL = "local"
CONNECTING = 15.0  # seconds that a scheduler has to answer
LOGGERS = ("distributed", "tornado", "asyncio")
SILENT = logging.CRITICAL + 1


@contextmanager
def dask_client(where: str, n_workers: int | None = None) -> Iterator[Any]:
    """A client of the cluster at an address, or of one that is started here (``"local"``).

    A cluster started here has ``n_workers`` processes, by default as many as threads would work.
    """
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise ParameterError(
            'dask is not installed; it comes with: pip install "irbounds[dask]"'
        ) from None
    n = n_workers or current().n_threads
    with _silence(), ExitStack() as stack:
        with _uninterrupted():
            client = _local(stack, n) if where == LOCAL else _connected(stack, where)
        try:
            yield client
        finally:
            with _uninterrupted():
                stack.close()


def _local(stack: ExitStack, n_workers: int) -> Any:
    import dask
    from distributed import LocalCluster

    folder = tempfile.TemporaryDirectory(prefix="irbounds-dask-", ignore_cleanup_errors=True)
    # Dask gives up a worker that is not there some seconds after it was lost, if only for a moment
    stack.enter_context(dask.config.set({"distributed.deploy.lost-worker-timeout": "7 days"}))
    cluster = LocalCluster(
        n_workers=n_workers,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",  # any port: not the usual one, which may be taken
        scheduler_kwargs={"dashboard": False},
        memory_limit=0,
        local_directory=stack.enter_context(folder),
        silence_logs=SILENT,
    )
    stack.enter_context(cluster)
    client = _connected(stack, cluster.scheduler_address)
    client.started_here = cluster  # and may be given other workers
    return client


def _connected(stack: ExitStack, where: str) -> Any:
    from distributed import Client

    try:
        _check_address(where)
        client = Client(where, timeout=CONNECTING, set_as_default=False)
    except (OSError, ValueError) as failure:
        raise ExecutionError(f"no Dask scheduler at {where}: {failure}") from None
    return stack.enter_context(client)


def _check_address(where: str) -> None:
    """Raise ``ValueError`` unless it is one; a client that fails over it never ends."""
    from distributed.comm import parse_address, parse_host_port
    from distributed.comm.registry import get_backend

    scheme, place = parse_address(where)
    get_backend(scheme)
    parse_host_port(place)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Put Ctrl-C off to the end; threads and processes that start meanwhile never hear of it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard = []
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        with _blocked():
            yield
    finally:
        signal.signal(signal.SIGINT, before)
    if heard:
        signal.raise_signal(signal.SIGINT)


@contextmanager
def _blocked() -> Iterator[None]:
    """Block the signal in this thread, where there is such a thing."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # to start it unblocks the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _silence() -> Iterator[None]:
    """Nothing of what Dask and what it is built on would log or warn of."""
    known = [logging.getLogger(name) for name in sorted(logging.root.manager.loggerDict)]
    loggers = [one for one in known if one.name.partition(".")[0] in LOGGERS]
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
