"""Blocks on threads of this process.

No pool of futures: an interruption while the main thread waits for one can leave its lock held, and
the workers waiting for ever. Here blocks and results go through queues that take and give in one
step, and the main thread holds no lock that a worker needs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from contextvars import copy_context
from functools import partial
from itertools import islice
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from .work import Arrays, Block, Units, Work, work_on

__all__ = ["AHEAD", "blocks_in_threads", "each_in_threads", "in_another_thread"]

AHEAD = 2  # blocks a worker that may be done before the one that is waited for
PATIENCE = 0.2  # seconds; not for ever: a signal may reach another thread, and is seen on waking
FAREWELL = 2.0  # seconds that blocks under way are waited for where their results are not wanted

Item = TypeVar("Item")
Result = TypeVar("Result")
Todo = SimpleQueue[tuple[int, Block] | None]
Done = SimpleQueue[tuple[int, Units | BaseException]]


def blocks_in_threads(work: Work, blocks: Sequence[Block], n_threads: int) -> Generator[Units]:
    """What each block gives, in the order given; ends early where a block fails."""
    todo: Todo = SimpleQueue()
    done: Done = SimpleQueue()
    n_workers = min(n_threads, len(blocks))
    serving = partial(_serve, work, todo, done)
    workers = [  # each in a copy of what holds here: how loud to be, what numpy is to warn of
        Thread(target=copy_context().run, args=(serving,), daemon=True) for _ in range(n_workers)
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
                early.update([take(done)])
            found = early.pop(number)
            if isinstance(found, BaseException):
                raise found
            todo.put(next(waiting, None))
            yield found
    finally:
        _end(todo, workers)


def each_in_threads(
    function: Callable[[Item], Result], items: Sequence[Item], n_threads: int
) -> Generator[Result]:
    """What a function gives for each item, in the order given; it may be anything."""
    work: Work = partial(_call, function=function, items=items)
    blocks = [range(k, k + 1) for k in range(len(items))]
    with closing(blocks_in_threads(work, blocks, n_threads)) as found:
        for units in found:
            result: Any = units[0][0]
            yield result


def in_another_thread(items: Generator[Item]) -> Generator[Item]:
    """What a generator gives, one item at a time, while it runs in a thread that no signal reaches.

    Left early, it is closed there as soon as the item under way is done.
    """
    wanted: SimpleQueue[bool] = SimpleQueue()
    given: SimpleQueue[list[Item] | BaseException] = SimpleQueue()

    def serve() -> None:
        with closing(items):
            while wanted.get():
                try:
                    given.put(list(islice(items, 1)))
                except BaseException as failure:
                    given.put(failure)

    server = Thread(target=copy_context().run, args=(serve,), daemon=True)
    try:
        server.start()
        wanted.put(True)
        while found := take(given):
            if isinstance(found, BaseException):
                raise found
            yield found[0]
            wanted.put(True)
    finally:
        wanted.put(False)
        if server.is_alive():
            server.join(FAREWELL)


def _call(number: int, *, function: Callable[[Any], Any], items: Sequence[Any]) -> Arrays:
    return (function(items[number]),)


def _serve(work: Work, todo: Todo, done: Done) -> None:
    """Take blocks until there is none."""
    while (task := todo.get()) is not None:
        number, block = task
        try:
            done.put((number, work_on(work, block)))
        except BaseException as failure:
            done.put((number, failure))


def take(queue: SimpleQueue[Item]) -> Item:
    """The next thing in a queue, when there is one; an interruption is seen while waiting."""
    while True:
        try:
            return queue.get(timeout=PATIENCE)
        except Empty:
            continue


def _end(todo: Todo, workers: Sequence[Thread]) -> None:
    """Take back the blocks that nobody has begun, and wait for those that somebody has.

    But not for long, where one is left early: a block writes nothing, and ends by itself.
    """
    while not todo.empty():
        try:
            todo.get_nowait()
        except Empty:
            break
    for _ in workers:
        todo.put(None)
    until = time.monotonic() + FAREWELL
    for worker in workers:
        if worker.is_alive():
            worker.join(max(until - time.monotonic(), 0))
