"""Items on threads: few at a time; errors, interruptions and an early exit end all of them."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from contextlib import closing

import numpy as np
import pytest

import sample_work
from irbounds import execution, read_runs
from irbounds.parallel.execution import current_execution
from irbounds.parallel.work import AHEAD, bind, map_in_threads, run_work
from irbounds.reading import qrels_and_runs


@pytest.fixture(autouse=True)
def no_threads_left():
    before = threading.active_count()
    yield
    assert threading.active_count() == before


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_every_block_runs_once(threads):
    gauge = sample_work.Gauge()
    work = bind(sample_work.gauge, "sample", gauge=gauge)
    with execution(threads=threads, n_blocks=20):
        found = [int(arrays[0][0]) for arrays in run_work(work, 20, cost=1)]
    assert found == list(range(20))
    assert gauge.begun == 20
    assert gauge.most <= threads


@pytest.mark.parametrize(
    ("items", "threads", "started"), [("abc", 50, 3), ("abc", 2, 2), ("abc", 1, 0), ("a", 9, 0)]
)
def test_no_more_threads_than_items_and_none_for_one_item(monkeypatch, items, threads, started):
    began = []
    start = threading.Thread.start
    monkeypatch.setattr(threading.Thread, "start", lambda self: began.append(1) or start(self))
    assert "".join(map_in_threads(str.upper, items, threads)) == items.upper()
    assert len(began) == started


class Counted(list):
    """Items that count how many were taken."""

    taken = 0

    def __iter__(self):
        for item in super().__iter__():
            self.taken += 1
            yield item


@pytest.mark.parametrize("threads", [2, 3])
def test_a_slow_consumer_holds_few_results(threads):
    """Otherwise fast threads would fill the memory while the consumer is slow."""
    items = Counted(range(200))
    with closing(map_in_threads(str, items, threads)) as found:
        for n_read in range(1, 6):
            next(found)
            assert items.taken == n_read + AHEAD * threads


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError("unit 3"), MemoryError()])
def test_an_error_ends_the_work(threads, error):
    gauge = sample_work.Gauge()

    def work(unit):
        sample_work.gauge(unit, gauge=gauge)
        return sample_work.fail_from(unit, first=3, error=error)

    with execution(threads=threads, n_blocks=10_000), pytest.raises(type(error)) as raised:
        list(run_work(bind(work, "sample"), 10_000, cost=1))
    assert raised.value is error
    assert gauge.begun <= 4 + AHEAD * threads


def test_results_before_an_error_are_returned():
    found = []
    with pytest.raises(ValueError, match="x"):
        found.extend(map_in_threads(int, ["0", "1", "2", "x", "4"], 2))
    assert found == [0, 1, 2]


def test_an_error_of_the_consumer_ends_the_threads():
    with execution(threads=2, n_blocks=50), pytest.raises(ZeroDivisionError):
        list(run_work(bind(sample_work.one, "sample"), 50, cost=1, progress=lambda: 1 / 0))


def test_a_long_item_is_abandoned(monkeypatch):
    """Ctrl-C takes effect while large files are read, not after the last one."""
    monkeypatch.setattr("irbounds.parallel.work.END_TIMEOUT", 0.05)
    begun, gone, before, done = threading.Event(), threading.Event(), threading.enumerate(), []

    def wait(item):
        if item:
            begun.set()
            gone.wait(30)
            done.append(item)

    with closing(map_in_threads(wait, range(4), 2)) as found:
        next(found)
        begun.wait(30)
    assert not done
    gone.set()
    for thread in set(threading.enumerate()) - set(before):
        thread.join(timeout=30)
    assert done


def test_threads_have_the_context_of_the_caller():
    """Otherwise two threads would issue warnings that one thread does not."""
    with (
        np.errstate(all="raise"),
        execution(threads=2, n_blocks=4),
        pytest.raises(FloatingPointError),
    ):
        list(run_work(bind(divide, "sample"), 4, cost=1))


def divide(_unit):
    return (np.ones(1) / np.zeros(1),)


@pytest.mark.parametrize("threads", [1, 2])
def test_other_items_run_on_the_same_number_of_threads(threads):
    with execution(threads=threads, memory="2GiB"):
        expected = current_execution()
        assert (
            list(map_in_threads(lambda _: current_execution(), range(3), threads)) == [expected] * 3
        )


@pytest.mark.parametrize("item", [None, (), BaseException()])
def test_a_function_may_return_anything(item):
    assert list(map_in_threads(lambda _: item, range(3), 2)) == [item] * 3


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_runs_are_read_on_the_given_number_of_threads(threads, monkeypatch):
    gauge = sample_work.Gauge()
    read_run = qrels_and_runs._read_run

    def read(*arguments, **options):
        sample_work.gauge(0, gauge=gauge, seconds=0.01)
        return read_run(*arguments, **options)

    monkeypatch.setattr(qrels_and_runs, "_read_run", read)
    calls = []
    runs = {f"r{k}": {"q": {"d": 1.0}} for k in range(8)}
    with execution(threads=threads):
        found = read_runs(runs, progress=lambda: calls.append(1))
    assert [run.name for run in found] == list(runs)
    assert (gauge.begun, len(calls)) == (8, 8)
    assert gauge.most <= threads


INTERRUPTED = """
import random, signal, sys, threading, time
from concurrent.futures import ThreadPoolExecutor
import irbounds
from irbounds.parallel.work import run_work
from irbounds.parallel.work import bind

def unit(number):
    time.sleep(0.0005)
    return ()

random.seed(1)
signal.signal(signal.SIGALRM, signal.default_int_handler)
pool = ThreadPoolExecutor(2)
how = {"threads": 2} if sys.argv[1] == "threads" else {"executor": pool}
with irbounds.execution(**how):
    list(run_work(bind(unit, "sample"), 4, cost=1))  # loads modules: an import can lose a signal
for _ in range(20):
    try:
        signal.setitimer(signal.ITIMER_REAL, random.uniform(0.01, 0.06))
        with irbounds.execution(n_blocks=60_000, **how):
            list(run_work(bind(unit, "sample"), 60_000, cost=1))
    except KeyboardInterrupt:
        print("interrupted")
pool.shutdown()
# Python lists a thread whose start was interrupted before it began; it has no ident and never runs
for thread in threading.enumerate():
    if thread is not threading.main_thread() and thread.ident is not None:
        thread.join(30)  # what was under way ends by itself
print(sum(thread.ident is not None for thread in threading.enumerate()))
"""


@pytest.mark.parametrize("where", ["threads", "executor"])
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="a timer of the operating system")
def test_an_interruption_at_any_moment_ends_the_work(where):
    """A pool of futures can wait forever if it is interrupted while it holds their locks."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, where],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.split() == ["interrupted"] * 20 + ["1"]
