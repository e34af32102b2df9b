"""Threads of this process: a function of several items at once, and a generator in its own thread.

These do not use ``concurrent.futures``. An interruption while the main thread waits for a future
can leave its lock held, and the workers then wait forever. Here items and results pass through
queues whose operations are atomic, and the main thread holds no lock that a worker needs.
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

AHEAD = 2  # items per worker that are handed over before their results are needed
POLL_INTERVAL = 0.2  # seconds; a signal may reach another thread, and is handled after waking up
END_TIMEOUT = 2.0  # seconds to wait for running items whose results are no longer needed

Item = TypeVar("Item")
Result = TypeVar("Result")
#: items with their numbers, and one None per thread, which ends it
Todo = SimpleQueue[tuple[int, Item] | None]
Done = SimpleQueue[tuple[int, list[Result] | BaseException]]


def map_in_threads(
    function: Callable[[Item], Result], items: Sequence[Item], n_threads: int
) -> Generator[Result]:
    """Yield the result of a function for each item, in order; stop at the first error.

    No thread is started for a single item, or if ``n_threads`` is 1.
    """
    n_workers = min(n_threads, len(items))
    if n_workers < 2:
        yield from map(function, items)
        return
    todo: Todo[Item] = SimpleQueue()
    done: Done[Result] = SimpleQueue()
    serve = partial(_serve, function, todo, done)
    workers = [  # each in a copy of this context: verbosity, numpy's error state
        Thread(target=copy_context().run, args=(serve,), daemon=True) for _ in range(n_workers)
    ]
    waiting = iter(enumerate(items))
    results: dict[int, list[Result] | BaseException] = {}
    try:
        for worker in workers:
            worker.start()
        for _ in range(AHEAD * n_workers):
            todo.put(next(waiting, None))
        for number in range(len(items)):
            while number not in results:
                results.update([wait_for_item(done)])
            result = results.pop(number)
            if isinstance(result, BaseException):
                raise result
            todo.put(next(waiting, None))
            yield result[0]
    finally:
        _end(todo, workers)


def iterate_in_thread(items: Generator[Item], left: Event | None = None) -> Generator[Item]:
    """Yield the items of a generator that runs in a separate thread, which no signal interrupts.

    If the iteration is left early, the generator is closed as soon as its current item is done.
    ``left`` is set then, so that the generator can abandon that item.
    """
    requests: SimpleQueue[bool] = SimpleQueue()
    responses: SimpleQueue[list[Item] | BaseException] = SimpleQueue()

    def serve() -> None:
        with closing(items):
            while requests.get():
                try:
                    responses.put(list(islice(items, 1)))
                except BaseException as failure:
                    responses.put(failure)

    server = Thread(target=copy_context().run, args=(serve,), daemon=True)
    try:
        server.start()
        requests.put(True)
        while response := wait_for_item(responses):
            if isinstance(response, BaseException):
                raise response
            yield response[0]
            requests.put(True)
    finally:
        if left is not None:
            left.set()
        requests.put(False)
        if server.is_alive():
            server.join(END_TIMEOUT)


def _serve(function: Callable[[Item], Result], todo: Todo[Item], done: Done[Result]) -> None:
    """Process items until the queue yields None."""
    while (task := todo.get()) is not None:
        number, item = task
        try:
            done.put((number, [function(item)]))
        except BaseException as failure:
            done.put((number, failure))


def wait_for_item(queue: SimpleQueue[Item]) -> Item:
    """Return the next item of a queue; an interruption is raised while waiting."""
    while True:
        try:
            return queue.get(timeout=POLL_INTERVAL)
        except Empty:
            continue


def _end(todo: Todo[Item], workers: Sequence[Thread]) -> None:
    """Remove the items that no thread has begun, and wait for the threads.

    If the iteration was left early, the wait is limited: an abandoned item writes nothing, and its
    thread ends by itself.
    """
    while not todo.empty():
        try:
            todo.get_nowait()
        except Empty:
            break
    for _ in workers:
        todo.put(None)
    until = time.monotonic() + END_TIMEOUT
    for worker in workers:
        if worker.is_alive():
            worker.join(max(until - time.monotonic(), 0))
