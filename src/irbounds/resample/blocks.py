"""Work in blocks, on all cores: a block writes to places of its own, so order does not matter."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from threading import Lock

from ..parameters import Progress

__all__ = ["available_cores", "counted", "work_through"]

PATIENCE = 0.2  # seconds


def work_through(
    n_blocks: int,
    work: Callable[[int], None],
    *,
    threads: int | None = None,
    progress: Callable[[], None] | None = None,
) -> None:
    """Call ``work`` with every block's number; ``progress`` is called as each is done.

    An error or an interruption ends the work after the blocks that are under way.
    """

    def one(block: int) -> None:
        work(block)
        if progress:
            progress()

    if (threads or available_cores()) == 1 or n_blocks < 2:
        for block in range(n_blocks):
            one(block)
        return
    with ThreadPoolExecutor(min(n_blocks, threads or available_cores())) as pool:
        try:
            pending = {pool.submit(one, block) for block in range(n_blocks)}
            while pending:
                # not for ever: a signal may reach another thread, and is seen only on waking
                done, pending = wait(pending, PATIENCE, return_when=FIRST_EXCEPTION)
                for future in done:
                    future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def counted(progress: Progress | None, total: int, *, step: int = 1) -> Callable[[], None] | None:
    """What to call after each block of ``step`` things, to tell ``progress`` how many are done."""
    if progress is None:
        return None
    done = 0
    lock = Lock()

    def count() -> None:
        nonlocal done
        with lock:
            done = min(done + step, total)
            progress(done, total)

    return count


def available_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
