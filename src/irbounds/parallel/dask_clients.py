"""A client of a Dask cluster, for the command line: of one that is there, or of one started here.

Dask tells of workers that come and go on standard error; here nothing is said unless it ends the
work. A cluster that is started here listens on this machine alone, and only to holders of a key
that is made for it: who can connect to a scheduler can run programs as its user. It keeps its files
in a folder of its own, and is gone with the end of the ``with`` block. Its workers have no limit of
memory from Dask, which would stop them in the middle of a block; ``memory`` sees to that
beforehand.

An address is asked for its scheduler before a client is made, within a time limit and where Ctrl-C
is heard: a client waits without limit for the answer of a port that is not a scheduler's, and does
not end.

Ctrl-C reaches every process of a terminal, and workers that are interrupted leave tracebacks and
tasks to be run again. So it is held off while the cluster starts and ends, and its workers never
hear of it: a thread that is started while a signal is blocked blocks it for good, and so do the
processes that it starts.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import tempfile
import threading
import time
import warnings
from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from contextvars import copy_context
from multiprocessing import resource_tracker
from typing import Any

from ..errors import ExecutionError, ParameterError
from .execution import current
from .in_threads import in_another_thread

logger = logging.getLogger("irbounds")

LOCAL = "local"
CONNECTING = 15.0  # seconds that a scheduler has to answer
GLANCE = 0.2  # seconds after which to look whether the answer is still wanted
PORTS = range(1, 1 << 16)
PUT_OFF = (signal.SIGINT, signal.SIGTERM)
NOTICE = 2.0  # seconds after which it is said what is waited for
ENCRYPTED = ("tls", "wss")
LOGGERS = ("distributed", "tornado", "asyncio")
SILENT = logging.CRITICAL + 1


@contextmanager
def dask_client(where: str, n_workers: int | None = None) -> Iterator[Any]:
    """A client of the cluster at an address, or of one that is started here (``"local"``).

    A cluster started here has ``n_workers`` processes, by default as many as threads would work.
    """
    try:
        import distributed  # noqa: F401

        if where == LOCAL:
            import cryptography  # noqa: F401 (which Dask makes keys with)
    except ImportError as missing:
        raise ParameterError(
            f'{missing.name} is not installed; it comes with: pip install "irbounds[dask]"'
        ) from None
    n = n_workers or current().n_threads
    with _silence(), ExitStack() as stack:
        if where != LOCAL:
            _check_address(where)
            _check_scheduler(where)
        with _uninterrupted():
            client = _local(stack, n) if where == LOCAL else _connected(stack, where)
        try:
            yield client
        finally:
            with _uninterrupted():
                stack.close()


def _local(stack: ExitStack, n_workers: int) -> Any:
    import dask
    from distributed import Security

    temporary = tempfile.TemporaryDirectory(prefix="irbounds-dask-", ignore_cleanup_errors=True)
    folder = stack.enter_context(temporary)
    # Dask gives up a worker that is not there some seconds after it was lost, if only for a moment
    settings = {"distributed.deploy.lost-worker-timeout": "7 days", "temporary-directory": folder}
    stack.enter_context(dask.config.set(settings))
    logger.info("starting %d process%s ...", n_workers, "es" * (n_workers > 1))
    security = Security.temporary()
    try:
        cluster = stack.enter_context(_cluster(n_workers, folder, security))
    except (OSError, RuntimeError) as failure:
        raise ExecutionError(f"Dask cannot start its processes here: {failure}") from None
    _without_diagnosis()
    client = _connected(stack, cluster.scheduler_address, security)
    client.started_here = cluster  # and may be given other workers
    return client


def _cluster(n_workers: int, folder: str, security: Any) -> Any:
    from distributed import LocalCluster

    return LocalCluster(
        n_workers=n_workers,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        security=security,
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


def _connected(stack: ExitStack, where: str, security: Any = None) -> Any:
    from distributed import Client

    try:
        client = Client(where, timeout=CONNECTING, security=security, set_as_default=False)
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
    inform = copy_context().run  # in a copy of this context, which may be quiet
    note = threading.Timer(NOTICE, inform, [logger.info, "connecting to %s ...", where])
    left = threading.Event()
    note.start()
    try:
        with closing(in_another_thread(_answers(where, left), left)) as answers:
            reason = next(answers)
    finally:
        note.cancel()
    if reason:
        raise ExecutionError(
            f"no Dask scheduler at {where}: {reason}; check the host and the port, which is "
            "usually 8786 for the scheduler (8787 is its dashboard)"
        )


def _answers(where: str, left: threading.Event) -> Generator[str]:
    """Yield why the program at an address is not a scheduler; nothing where it is one."""
    try:
        yield asyncio.run(_ask(where, left))
    except OSError as failure:
        yield _first_cause(failure)
    except Exception as failure:  # whatever Dask makes of bytes that are not its own
        yield f"Dask cannot use the address or read the answer ({type(failure).__name__})"


async def _ask(where: str, left: threading.Event) -> str:
    from distributed import Security, rpc

    arguments = Security().get_connection_args("client")
    # Dask tries to connect for as long as this, and then says why that failed
    async with rpc(where, timeout=CONNECTING * 0.9, connection_args=arguments) as server:
        asking = asyncio.ensure_future(server.identity())
        until = time.monotonic() + CONNECTING
        while not asking.done() and not left.is_set() and time.monotonic() < until:
            await asyncio.wait([asking], timeout=min(GLANCE, CONNECTING))
        if not asking.done():
            asking.cancel()
            return _no_answer()
        kind = (await asking)["type"]
    return "" if kind == "Scheduler" else f"a Dask {kind} answers"


def _first_cause(failure: BaseException) -> str:
    while failure.__cause__ is not None:
        failure = failure.__cause__
    return getattr(failure, "strerror", None) or str(failure) or _no_answer()


def _no_answer() -> str:
    return f"no answer within {CONNECTING:g} seconds"


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
