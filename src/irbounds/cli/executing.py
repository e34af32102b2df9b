"""Where a command works, and within what limits: options that all commands with work to do share.

They are worded like the arguments of ``irbounds.execution``. On how many threads or machines a
command works, in how many blocks and after how many restarts, its numbers have the same bits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import ParameterError
from ..presentation.loudness import note

FEW = 100  # from here on a number alone is hardly one of GiB
#: where the command that is running, or was interrupted, keeps finished work
_kept: ContextVar[Path | None] = ContextVar("kept", default=None)

Threads = Annotated[
    str | None,
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
        help="Keep finished work there; the same command goes on from it after an interruption. "
        "Nothing is deleted when it is done.",
    ),
]
Memory = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="What the process may occupy, such as 2GiB; what cannot fit is refused at once, and "
        "corpus keeps fewer images of all scores.",
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
    *,
    threads: str | None = None,
    dask: str | None = None,
    checkpoint: Path | None = None,
    memory: str | None = None,
) -> Iterator[None]:
    """Work as these options say until the end of the ``with`` block."""
    from ..scale.execution import execution

    _check_unit(memory)
    number = _whole(threads)
    _kept.set(checkpoint)
    with (
        execution(threads=number, checkpoint=checkpoint, memory=memory),  # checked before Dask
        _on_threads() if dask is None else _on_dask(dask, number) as where,
    ):
        kept = "" if checkpoint is None else f", finished work in {checkpoint}"
        within = "" if memory is None else f", within {memory}"
        note(f"on {where}{kept}{within}")
        yield
    _kept.set(None)


def words_of_interruption() -> str:
    """What to say when a command was stopped: also where it can go on from."""
    folder = _kept.get()
    if not _holds_work(folder):
        return "interrupted"
    return f"interrupted; finished work is in {folder}, and the same command goes on from it"


def _holds_work(folder: Path | None) -> bool:
    from ..scale.checkpoints import ENDING

    return folder is not None and any(folder.glob(f"*/*{ENDING}"))


def _whole(text: str | None) -> Any:
    """A number where it is one; what else it may be is refused where numbers are checked."""
    try:
        return None if text is None else int(text)
    except ValueError:
        return text


def _check_unit(memory: str | None) -> None:
    """A number alone is one of bytes, which is hardly meant where it is small."""
    number = int(memory) if memory is not None and re.fullmatch(r"[0-9]{1,5}", memory) else 0
    if number:
        unit = "GiB" if number < FEW else "MiB"
        raise ParameterError(f"--memory {memory} is {memory} bytes; write {memory}{unit}")


@contextmanager
def _on_threads() -> Iterator[str]:
    """Where that is, in words."""
    from ..scale.execution import current

    n = current().n_threads
    yield f"{n} thread{'s' * (n > 1)}"


@contextmanager
def _on_dask(where: str, threads: int | None) -> Iterator[str]:
    """Work on a cluster, as it is called in words."""
    from ..scale.dask_clients import LOCAL, dask_client
    from ..scale.execution import execution

    if where != LOCAL and threads is not None:
        raise ParameterError("--threads and --dask ADDRESS: the cluster has threads of its own")
    with dask_client(where, threads) as client, execution(executor=client):
        n = len(client.nthreads())
        yield f"{n} worker{'s' * (n != 1)} of Dask at {client.scheduler.address}"
