"""Where a command works, and within what limits: the options that become ``irbounds.execution``.

Neither threads, machines, blocks nor restarts change any bit of a result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from ..errors import ParameterError
from ..presentation.verbosity import note
from ..requests.request import Option, Request

FEW = 100  # a number alone below this is hardly one of MiB

Threads = Annotated[
    int | None,
    Option(
        "Number of threads, or of processes with --dask local.",
        "Changes no number.",
        panel="Advanced",
        minimum=1,
        default="IRBOUNDS_THREADS, else one per core",
    ),
]
Dask = Annotated[
    str | None,
    Option(
        "Dask cluster, such as tcp://host:8786, or local processes.",
        "local starts processes on this machine. Changes no number.",
        metavar="ADDRESS",
        panel="Advanced",
    ),
]
Checkpoint = Annotated[
    str | None,
    Option(
        "Directory for finished work; the same command resumes from it.",
        "Nothing is deleted when the command is done.",
        metavar="DIRECTORY",
        panel="Advanced",
        file="write",
    ),
]
Memory = Annotated[
    str | None,
    Option(
        "Memory that the process may use, such as 2GiB.",
        "What cannot fit is refused before it starts. With a small limit, corpus keeps the scores "
        "of fewer images.",
        metavar="SIZE",
        panel="Advanced",
    ),
]


@dataclass(frozen=True, kw_only=True)
class Execution(Request):
    """Where a command works, and within what limits."""

    threads: Threads = None
    dask: Dask = None
    checkpoint: Checkpoint = None
    memory: Memory = None

    def check(self) -> None:
        """Raise ``ParameterError`` for a size without a unit, and for threads on a cluster."""
        memory = self.memory or ""
        number = int(memory) if re.fullmatch(r"[0-9]{1,5}", memory) else 0
        if number:
            unit = "GiB" if number < FEW else "MiB"
            raise ParameterError(f"memory {number} is {number} bytes; write {number}{unit}")
        if self.dask not in (None, "local") and self.threads is not None:
            raise ParameterError("threads and dask ADDRESS: the cluster has threads of its own")

    @contextmanager
    def apply(self) -> Iterator[None]:
        """Work as these options say within a ``with`` block."""
        from ..parallel.execution import execution

        with (
            execution(threads=self.threads, checkpoint=self.checkpoint, memory=self.memory),
            _on_threads() if self.dask is None else _on_dask(self.dask, self.threads) as where,
        ):
            kept = "" if self.checkpoint is None else f", finished work in {self.checkpoint}"
            within = "" if self.memory is None else f", within {self.memory}"
            note(f"on {where}{kept}{within}")
            try:
                yield
            except KeyboardInterrupt as stop:
                stop.args = (self._words_of_interruption(),)
                raise

    def _words_of_interruption(self) -> str:
        from ..parallel.checkpoint import BLOCK_EXTENSION

        if self.checkpoint is None or not any(Path(self.checkpoint).glob(f"*/*{BLOCK_EXTENSION}")):
            return "interrupted"
        return f"interrupted; finished work is in {self.checkpoint}, run the same command to resume"


@contextmanager
def _on_threads() -> Iterator[str]:
    from ..parallel.execution import current_execution

    n = current_execution().n_threads
    yield f"{n} thread{'s' * (n > 1)}"


@contextmanager
def _on_dask(where: str, threads: int | None) -> Iterator[str]:
    """Work on a cluster, and return what it is called."""
    from ..parallel.dask import dask_client
    from ..parallel.execution import execution

    with dask_client(where, threads) as client, execution(executor=client):
        n = len(client.nthreads())
        yield f"{n} worker{'s' * (n != 1)} of Dask at {client.scheduler.address}"
