"""A client of a Dask cluster, for the command line: of one that is there, or of one started here.

Dask tells of workers that come and go on standard error; here nothing is said unless it ends the
work. A cluster that is started here listens on this machine alone, keeps its files in a folder of
its own, and is gone with the end of the ``with`` block. Its workers have no limit of memory from
Dask, which would stop them in the middle of a block; ``memory`` sees to that beforehand.

SIGTERM, which batch systems send at a time limit, ends the program by an exception: so the cluster
and its files go, too.

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
from contextlib import ExitStack, contextmanager, suppress
from contextvars import copy_context
from multiprocessing import resource_tracker
from typing import Any

from ..errors import ExecutionError, ParameterError
from .execution import current

__all__ = ["LOCAL", "dask_client"]

logger = logging.getLogger("irbounds")

LOCAL = "local"
CONNECTING = 15.0  # seconds that a scheduler has to answer
PUT_OFF = (signal.SIGINT, signal.SIGTERM)
NOTICE = 2.0  # seconds after which it is said what is waited for
ENCRYPTED = ("tls", "wss")
LOGGERS = ("distributed", "tornado", "asyncio")
TERMINATED = 128 + signal.SIGTERM  # what a shell shows
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
            'Dask is not installed; it comes with: pip install "irbounds[dask]"'
        ) from None
    n = n_workers or current().n_threads
    with _silence(), _ended_by_exception(), ExitStack() as stack:
        with _uninterrupted():
            client = _local(stack, n) if where == LOCAL else _connected(stack, where)
        try:
            yield client
        finally:
            with _uninterrupted():
                stack.close()


def _local(stack: ExitStack, n_workers: int) -> Any:
    import dask

    temporary = tempfile.TemporaryDirectory(prefix="irbounds-dask-", ignore_cleanup_errors=True)
    folder = stack.enter_context(temporary)
    # Dask gives up a worker that is not there some seconds after it was lost, if only for a moment
    settings = {"distributed.deploy.lost-worker-timeout": "7 days", "temporary-directory": folder}
    stack.enter_context(dask.config.set(settings))
    logger.info("starting %d process%s ...", n_workers, "es" * (n_workers > 1))
    try:
        cluster = stack.enter_context(_cluster(n_workers, folder))
    except (OSError, RuntimeError) as failure:
        raise ExecutionError(f"Dask cannot start its processes here: {failure}") from None
    _without_diagnosis()
    client = _connected(stack, cluster.scheduler_address)
    client.started_here = cluster  # and may be given other workers
    return client


def _cluster(n_workers: int, folder: str) -> Any:
    from distributed import LocalCluster

    return LocalCluster(
        n_workers=n_workers,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",  # any port: not the usual one, which may be taken
        scheduler_kwargs={"dashboard": False},
        memory_limit=0,
        local_directory=folder,
        silence_logs=SILENT,
    )


def _without_diagnosis() -> None:
    """Let Dask not time the collection of garbage: Ctrl-C in the middle of that would be lost."""
    with suppress(ImportError):  # other versions have it elsewhere, or not at all
        from distributed.gc import disable_gc_diagnosis

        disable_gc_diagnosis()


def _connected(stack: ExitStack, where: str) -> Any:
    from distributed import Client

    _check_address(where)
    saying = copy_context().run  # and being quiet, where that holds here
    note = threading.Timer(NOTICE, saying, [logger.info, "connecting to %s ...", where])
    note.start()
    try:
        client = Client(where, timeout=CONNECTING, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError) as failure:
        raise ExecutionError(f"no Dask scheduler at {where}: {failure}") from None
    finally:
        note.cancel()
    return stack.enter_context(client)


def _check_address(where: str) -> None:
    """Raise an error unless it is one that can be used; a client that fails over it never ends."""
    from distributed import Security
    from distributed.comm import parse_address, parse_host_port
    from distributed.comm.registry import get_backend

    try:
        scheme, place = parse_address(where)
        get_backend(scheme)
        parse_host_port(place)
    except (ValueError, ImportError):
        raise ParameterError(
            f"--dask takes an address such as tcp://host:8786, or {LOCAL}; got {where!r}"
        ) from None
    if scheme in ENCRYPTED and not Security().get_connection_args("client")["ssl_context"]:
        raise ExecutionError(
            f"no Dask scheduler at {where}: {scheme} needs certificates, which Dask's own "
            "settings name (distributed.comm.tls)"
        )


@contextmanager
def _ended_by_exception() -> Iterator[None]:
    """Let SIGTERM end the program by way of what is to be done at its end."""
    of_main = threading.current_thread() is threading.main_thread()
    if not of_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return

    def end(number: int, frame: Any) -> None:
        raise SystemExit(TERMINATED)

    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Put signals off to the end; what is started meanwhile never hears of Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[int] = []
    before = [
        (number, signal.signal(number, lambda number, frame: heard.append(number)))
        for number in PUT_OFF
    ]
    try:
        with _blocked():
            yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)
    if heard:
        signal.raise_signal(heard[0])


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
