"""Where a command works, and within what limits: options that all commands with work to do share.

They are worded like the arguments of ``irbounds.execution``. On how many threads or machines a
command works, in how many blocks and after how many restarts, its numbers have the same bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import ParameterError
from ..report.loudness import note

__all__ = ["EXECUTION", "executing"]

LOCAL = "local"

Threads = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Work on N threads; with --dask local, on N processes. Changes no number. Default: "
        "what IRBOUNDS_THREADS says, else one for each core.",
    ),
]
Dask = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Work on the Dask cluster at this address, such as tcp://host:8786, or on processes "
        "that are started here: local. Changes no number.",
    ),
]
CheckpointFolder = Annotated[
    Path | None,
    typer.Option(
        "--checkpoint",
        metavar="FOLDER",
        help="Keep finished work there; the same command goes on from it after an interruption.",
    ),
]
Memory = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="What the process may occupy, such as 2GiB; what cannot fit is refused at once.",
    ),
]
#: options by name, with their types and defaults
EXECUTION: dict[str, tuple[Any, Any]] = {
    "threads": (Threads, None),
    "dask": (Dask, None),
    "checkpoint": (CheckpointFolder, None),
    "memory": (Memory, None),
}


@contextmanager
def executing(
    *, threads: int | None, dask: str | None, checkpoint: Path | None, memory: str | None
) -> Iterator[None]:
    """Work as these options say until the end of the ``with`` block."""
    from ..scale.execution import current, execution

    _check(threads, dask, checkpoint)
    limits: dict[str, Any] = {"checkpoint": checkpoint, "memory": memory}
    if dask is None:
        with execution(threads=threads, **limits):
            n = current().n_threads
            _tell(f"{n} thread{'s' * (n > 1)}", checkpoint, memory)
            yield
        return
    from ..scale.dask_clients import dask_client

    with dask_client(dask, threads) as client, execution(executor=client, **limits):
        n = len(client.nthreads())
        _tell(
            f"{n} worker{'s' * (n != 1)} of Dask at {client.scheduler.address}", checkpoint, memory
        )
        yield


def _tell(where: str, checkpoint: Path | None, memory: str | None) -> None:
    """On what is worked, where everything is to be told."""
    kept = "" if checkpoint is None else f", finished work in {checkpoint}"
    within = "" if memory is None else f", within {memory}"
    note(f"on {where}{kept}{within}")


def _check(threads: int | None, dask: str | None, checkpoint: Path | None) -> None:
    """Said before any work is done."""
    if threads is not None and threads < 1:
        raise ParameterError(f"--threads must be a whole number of at least 1; got {threads}")
    if dask is not None and dask != LOCAL and threads is not None:
        raise ParameterError("--threads and --dask ADDRESS: the cluster has threads of its own")
    if checkpoint is not None and checkpoint.exists() and not checkpoint.is_dir():
        raise ParameterError(f"--checkpoint {checkpoint}: this is a file; name a folder")
