"""Blocks on threads of this process.

No pool of futures: an interruption while the main thread waits for one can leave its lock held, and
the workers waiting for ever. Here blocks and results go through queues that take and give in one
step, and the main thread holds no lock that a worker needs.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from queue import Empty, SimpleQueue
from threading import Thread

from .work import Block, Units, Work, work_on

__all__ = ["AHEAD", "blocks_in_threads"]

AHEAD = 2  # blocks a worker that may be done before the one that is waited for
PATIENCE = 0.2  # seconds; not for ever: a signal may reach another thread, and is seen on waking

Todo = SimpleQueue[tuple[int, Block] | None]
Done = SimpleQueue[tuple[int, Units | BaseException]]


def blocks_in_threads(work: Work, blocks: Sequence[Block], n_threads: int) -> Generator[Units]:
    """What each block gives, in the order given; ends early where a block fails."""
    todo: Todo = SimpleQueue()
    done: Done = SimpleQueue()
    n_workers = min(n_threads, len(blocks))
    workers = [
        Thread(target=_serve, args=(work, todo, done), daemon=True) for _ in range(n_workers)
    ]
    waiting = iter(enumerate(blocks))
    early: dict[int, Units | BaseException] = {}
    try:
        for worker in workers:
            worker.start()
        for _ in range(AHEAD * n_workers):
            todo.put(next(waiting, None))
        for number in range(len(blocks)):
            while number not in early:
                early.update([_next_done(done)])
            found = early.pop(number)
            if isinstance(found, BaseException):
                raise found
            todo.put(next(waiting, None))
            yield found
    finally:
        _end(todo, workers)


def _serve(work: Work, todo: Todo, done: Done) -> None:
    """Take blocks until there is none."""
    while (task := todo.get()) is not None:
        number, block = task
        try:
            done.put((number, work_on(work, block)))
        except BaseException as failure:
            done.put((number, failure))


def _next_done(done: Done) -> tuple[int, Units | BaseException]:
    while True:
        try:
            return done.get(timeout=PATIENCE)
        except Empty:
            continue


def _end(todo: Todo, workers: Sequence[Thread]) -> None:
    """Take back the blocks that nobody has begun, and wait for those that somebody has."""
    while not todo.empty():
        try:
            todo.get_nowait()
        except Empty:
            break
    for _ in workers:
        todo.put(None)
    for worker in workers:
        if worker.ident is not None:  # it was started
            worker.join()
