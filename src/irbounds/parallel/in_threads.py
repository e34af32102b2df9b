"""The same function for several items at once, on threads of this process.

No pool of futures: an interruption while the main thread waits for one can leave its lock held, and
the workers waiting for ever. Here items and results go through queues that take and give in one
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
from threading import Event, Thread
from typing import TypeVar

from .work import AHEAD

PATIENCE = 0.2  # seconds; not for ever: a signal may reach another thread, and is seen on waking
FAREWELL = 2.0  # seconds that items under way are waited for where their results are not wanted

Item = TypeVar("Item")
Result = TypeVar("Result")
#: items with their numbers, and a None for each thread to end it
Todo = SimpleQueue[tuple[int, Item] | None]
Done = SimpleQueue[tuple[int, list[Result] | BaseException]]


def in_threads(
    function: Callable[[Item], Result], items: Sequence[Item], n_threads: int
) -> Generator[Result]:
    """What a function gives for each item, in the order given; ends early where it fails.

    With one thread, or for one item, no other is started.
    """
    n_workers = min(n_threads, len(items))
    if n_workers < 2:
        yield from map(function, items)
        return
    todo: Todo[Item] = SimpleQueue()
    done: Done[Result] = SimpleQueue()
    serving = partial(_serve, function, todo, done)
    workers = [  # each in a copy of what holds here: how loud to be, what numpy is to warn of
        Thread(target=copy_context().run, args=(serving,), daemon=True) for _ in range(n_workers)
    ]
    waiting = iter(enumerate(items))
    early: dict[int, list[Result] | BaseException] = {}
    try:
        for worker in workers:
            worker.start()
        for _ in range(AHEAD * n_workers):
            todo.put(next(waiting, None))
        for number in range(len(items)):
            while number not in early:
                early.update([take(done)])
            found = early.pop(number)
            if isinstance(found, BaseException):
                raise found
            todo.put(next(waiting, None))
            yield found[0]
    finally:
        _end(todo, workers)


def in_another_thread(items: Generator[Item], left: Event | None = None) -> Generator[Item]:
    """What a generator gives, one item at a time, while it runs in a thread that no signal reaches.

    Left early, it is closed there as soon as the item under way is done; ``left`` is set then, for
    a generator that can give up that item.
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
        if left is not None:
            left.set()
        wanted.put(False)
        if server.is_alive():
            server.join(FAREWELL)


def _serve(function: Callable[[Item], Result], todo: Todo[Item], done: Done[Result]) -> None:
    """Take items until there is none."""
    while (task := todo.get()) is not None:
        number, item = task
        try:
            done.put((number, [function(item)]))
        except BaseException as failure:
            done.put((number, failure))


def take(queue: SimpleQueue[Item]) -> Item:
    """The next thing in a queue, when there is one; an interruption is seen while waiting."""
    while True:
        try:
            return queue.get(timeout=PATIENCE)
        except Empty:
            continue


def _end(todo: Todo[Item], workers: Sequence[Thread]) -> None:
    """Take back the items that nobody has begun, and wait for those that somebody has.

    But not for long, where one is left early: the work on one writes nothing, and ends by itself.
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
