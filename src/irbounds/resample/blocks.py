"""Work in blocks, on all cores: a block writes to places of its own, so order does not matter."""

from __future__ import annotations

import os
from collections.abc import Callable
from threading import Event, Lock, Thread

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
    _in_threads(one, n_blocks, min(n_blocks, threads or available_cores()))


def _in_threads(one: Callable[[int], None], n_blocks: int, n_threads: int) -> None:
    """Threads that take the next block until there is none, or until one of them fails.

    No pool of futures: the main thread would hold the locks of all of them again and again while
    it waits, and an interruption just then leaves them held and the workers waiting for ever. Here
    it holds none.
    """
    blocks, turn, ended = iter(range(n_blocks)), Lock(), Event()
    failures: dict[int, BaseException] = {}

    def take_blocks() -> None:
        while not ended.is_set():
            with turn:
                block = next(blocks, None)
            if block is None:
                return
            try:
                one(block)
            except BaseException as failure:
                failures[block] = failure
                ended.set()

    workers = [Thread(target=take_blocks, daemon=True) for _ in range(n_threads)]
    try:
        for worker in workers:
            worker.start()
        for worker in workers:
            while worker.is_alive():
                # not for ever: a signal may reach another thread, and is seen only on waking
                worker.join(PATIENCE)
    finally:
        ended.set()
        for worker in workers:
            if worker.ident is not None:  # it was started
                worker.join()
    if failures:
        raise failures[min(failures)]


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
