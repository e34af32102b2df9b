"""Blocks on an executor of the caller: threads, processes, others, and broken ones."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

import sample_work
from irbounds import execution
from irbounds.errors import ExecutionError
from irbounds.parallel.executor import DEFAULT_WORKERS, PickledWork, run_blocks_on_executor
from irbounds.parallel.work import AHEAD, bind, run_work


class Immediate(Executor):
    """Run tasks immediately and record them; the number of workers is not stated."""

    def __init__(self):
        self.tasks = []

    def submit(self, task, *arguments):
        self.tasks.append(task)
        future = Future()
        try:
            future.set_result(task(*arguments))
        except Exception as failure:
            future.set_exception(failure)
        return future


def single(n):
    return [range(k, k + 1) for k in range(n)]


def squares(executor, n=20, n_blocks=7):
    with execution(executor=executor, n_blocks=n_blocks):
        found = run_work(bind(sample_work.square, "sample", shift=0.5), n, cost=1)
        return [float(arrays[0][0]) for arrays in found]


def test_all_units_in_order(processes):
    expected = [k**2 + 0.5 for k in range(20)]
    assert squares(processes) == squares(Immediate()) == expected
    with ThreadPoolExecutor(3) as pool:
        assert squares(pool) == expected


def test_work_runs_in_other_processes(processes):
    work = bind(sample_work.same_process, "sample", process=os.getpid())
    with execution(executor=processes, n_blocks=3):
        assert not any(here[0] for (here,) in run_work(work, 6, cost=1))
    with execution(n_blocks=3):
        assert all(here[0] for (here,) in run_work(work, 6, cost=1))


def test_work_is_not_divided_again_in_another_process(processes):
    with execution(executor=processes, n_blocks=3):
        work = bind(sample_work.how, "sample")
        found = [arrays[0].tolist() for arrays in run_work(work, 6, cost=1)]
    assert found == [[1, 0, 0]] * 6


def test_work_is_pickled_once_and_its_file_removed(processes, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    packed = []
    dumps = "irbounds.parallel.executor.pickle.dumps"
    original = __import__("pickle").dumps
    monkeypatch.setattr(dumps, lambda *a, **k: packed.append(original(*a, **k)) or packed[-1])
    work = bind(sample_work.square, "sample", shift=np.zeros(10_000))
    blocks = run_blocks_on_executor(work, single(12), processes)
    with closing(blocks):
        next(blocks)
        assert [file.name for file in tmp_path.glob("irbounds-*/*")] == ["work"]
    assert list(tmp_path.iterdir()) == []
    assert sum(len(one) > 80_000 for one in packed) == 1


def test_threads_receive_the_work_itself():
    shared = np.zeros(3)
    with ThreadPoolExecutor(1) as pool, execution(executor=pool):
        ((found, _),) = run_work(bind(sample_work.square, "sample", shift=shared), 1, cost=1)
    assert found.shape == (1, 3)


def test_other_executors_unpickle_the_work_once(monkeypatch):
    pool, unpacked = Immediate(), []
    loads = "irbounds.parallel.executor.pickle.loads"
    original = __import__("pickle").loads
    monkeypatch.setattr(loads, lambda content: unpacked.append(1) or original(content))
    squares(pool)
    assert all(isinstance(task, PickledWork) and task.content for task in pool.tasks)
    assert len(unpacked) == 1
    squares(pool)
    assert len(unpacked) == 2


def test_pickled_work_is_compared_by_name():
    assert PickledWork("a", b"1") == PickledWork("a", b"2")
    assert PickledWork("a", b"1") != PickledWork("b", b"1")


def test_few_blocks_are_submitted_ahead():
    pool = Immediate()
    with closing(
        run_blocks_on_executor(bind(sample_work.one, "sample"), single(100), pool)
    ) as blocks:
        next(blocks)
    assert len(pool.tasks) == AHEAD * DEFAULT_WORKERS + 1
    gauge = sample_work.Gauge()
    work = bind(sample_work.gauge, "sample", gauge=gauge)
    with (
        ThreadPoolExecutor(2) as two,
        closing(run_blocks_on_executor(work, single(100), two)) as blocks,
    ):
        for _ in range(3):
            next(blocks)
    assert gauge.begun <= 3 + AHEAD * 2


@pytest.mark.parametrize(("n_at_once", "handed_over"), [(1, 2), (15, 16), (16, 33), (None, 33)])
def test_only_blocks_that_fit_are_submitted(n_at_once, handed_over):
    pool, work = Immediate(), bind(sample_work.one, "sample")
    with closing(run_blocks_on_executor(work, single(100), pool, n_at_once)) as blocks:
        next(blocks)
    assert (DEFAULT_WORKERS, len(pool.tasks)) == (16, handed_over)


@pytest.mark.parametrize("kind", [ThreadPoolExecutor, None])
def test_an_error_ends_the_work_and_reaches_the_caller(kind, processes):
    work = bind(sample_work.fail_from, "sample", first=3, error=ValueError("unit 3"))
    pool = processes if kind is None else kind(2)
    found = []
    with execution(executor=pool, n_blocks=1000), pytest.raises(ValueError, match="unit 3"):
        found.extend(arrays for arrays in run_work(work, 1000, cost=1))
    assert len(found) == 3
    assert len(squares(pool)) == 20  # and the executor is as good as before
    if kind:
        pool.shutdown()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_killed_worker_is_an_error():
    context = multiprocessing.get_context("spawn")
    said = r"^a worker of the executor ended abruptly; run it again, with a checkpoint .*\)$"
    with ProcessPoolExecutor(1, mp_context=context) as pool, execution(executor=pool, n_blocks=4):
        for _ in range(2):  # the second time it is broken from the start
            with pytest.raises(ExecutionError, match=said) as raised:
                list(run_work(bind(sample_work.end_process, "sample"), 4, cost=1))
            assert "\n" not in str(raised.value)


def test_an_executor_that_is_shut_down_is_an_error():
    for pool in (ThreadPoolExecutor(1), ProcessPoolExecutor(1)):
        pool.shutdown()
        said = "^the executor accepts no work: cannot schedule new futures after shutdown$"
        with pytest.raises(ExecutionError, match=said):
            squares(pool)


def test_shutting_down_the_executor_meanwhile_is_an_error():
    said = "^the executor was shut down before the work was done$"
    pool = ThreadPoolExecutor(1)
    work = bind(sample_work.first_last, "sample", n_units=20, each=0.001)
    with pytest.raises(ExecutionError, match=said):
        for _ in run_blocks_on_executor(work, single(3), pool):
            pool.shutdown(cancel_futures=True)


def test_work_that_cannot_be_pickled_is_an_error(processes):
    said = "^this work cannot be sent to another process, only to threads: .*local"
    for work in (
        bind(lambda unit: (np.ones(unit),), "sample"),
        bind(sample_work.square, "sample", shift=lambda: 1),
    ):
        with execution(executor=processes), pytest.raises(ExecutionError, match=said):
            list(run_work(work, 3, cost=1))


def test_a_full_disk_for_shared_arguments_is_an_error(processes, monkeypatch):
    def full(_file, _content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    said = r"^the data for the worker processes, \d+ bytes, cannot .*: No space left on device$"
    with pytest.raises(ExecutionError, match=said):
        squares(processes)
