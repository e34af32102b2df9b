"""Units of work on threads and executors: order, errors, options and equal bits."""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context

import numpy as np
import pytest
from benchmarks.golden import compute, list_differences

import irbounds
from irbounds import parallel
from irbounds.errors import ParameterError
from irbounds.parallel import count_progress, count_threads, cut_blocks, fill_arrays, run_work

SLOW = 1e12  # operations of a unit, so that each is a block of its own


def draw(unit, *, seed):
    return (np.random.default_rng([seed, unit]).random(5),)


def sleep_and_number(unit, *, longest):
    time.sleep(longest - 0.01 * unit)  # the last unit is done first
    return (np.array([unit]),)


def fail(unit, *, of):
    if unit == of:
        raise ZeroDivisionError
    return (np.array([unit]),)


def thread_counts(unit):
    inner = run_work(partial(draw, seed=1), 3, cost=SLOW)
    return (np.array([count_threads(), len(list(inner)), threading.active_count()]),)


def end_process(unit, *, of):
    if unit == of:
        os._exit(1)
    return (np.array([unit]),)


@pytest.fixture
def processes():
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        yield pool


@pytest.mark.parametrize(("n_units", "cost", "n_blocks"), [(7, 0, 1), (1, SLOW, 1), (9, SLOW, 9)])
def test_blocks_contain_every_unit_once_in_order(n_units, cost, n_blocks):
    blocks = cut_blocks(n_units, cost, 5e6)
    assert [unit for block in blocks for unit in block] == list(range(n_units))
    assert len(blocks) == n_blocks


def test_no_units_are_no_work():
    assert list(run_work(partial(draw, seed=1), 0, cost=1)) == []


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_units_are_returned_in_order_with_progress(threads):
    done = []
    count = count_progress(lambda n, total: done.append((n, total)), 6)
    with irbounds.execution(threads=threads):
        work = partial(sleep_and_number, longest=0.06)
        units = run_work(work, 6, cost=SLOW, progress=count)
        assert [int(numbers[0]) for (numbers,) in units] == list(range(6))
    assert done == [(n, 6) for n in range(1, 7)]


def test_threads_processes_and_one_thread_give_the_same_bits(processes):
    work = partial(draw, seed=3)
    expected = [draw(unit, seed=3)[0] for unit in range(9)]
    with ThreadPoolExecutor(3) as threads:
        for options in ({"threads": 1}, {"threads": 4}, {"executor": threads}):
            with irbounds.execution(**options):
                np.testing.assert_array_equal(
                    [a for (a,) in run_work(work, 9, cost=SLOW)], expected
                )
    with irbounds.execution(executor=processes):
        np.testing.assert_array_equal([a for (a,) in run_work(work, 9, cost=SLOW)], expected)


@pytest.mark.slow
def test_every_verb_has_the_same_bits_in_other_processes(processes, monkeypatch):
    """Golden numbers with one unit per block, in this thread and in two processes."""
    for name in ("THREAD_BLOCK_COST", "EXECUTOR_BLOCK_COST"):
        monkeypatch.setattr(parallel, name, 1e-9)
    with irbounds.execution(threads=1):
        expected = compute()
    with irbounds.execution(executor=processes):
        assert list_differences(expected, compute(), tolerance=0.0) == []


def test_work_within_a_unit_is_not_divided_again():
    with irbounds.execution(threads=2):
        counts = [unit.tolist() for (unit,) in run_work(thread_counts, 4, cost=SLOW)]
    assert {tuple(row[:2]) for row in counts} == {(1, 3)}
    assert count_threads() >= 1


@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_of_a_unit_ends_the_work(threads):
    seen = []
    with irbounds.execution(threads=threads), pytest.raises(ZeroDivisionError):
        for (unit,) in run_work(partial(fail, of=2), 50, cost=SLOW):
            seen.append(int(unit[0]))
    assert seen == [0, 1]


def test_leaving_the_iteration_ends_the_threads():
    before = threading.active_count()
    with irbounds.execution(threads=3):
        units = run_work(partial(draw, seed=1), 1000, cost=SLOW)
        next(units)
        units.close()
    assert threading.active_count() == before


def test_a_process_that_ends_is_an_error_and_no_hang(processes):
    with irbounds.execution(executor=processes), pytest.raises(BrokenExecutor):
        list(run_work(partial(end_process, of=1), 4, cost=SLOW))


def test_arrays_are_filled_side_by_side():
    target, other = np.empty((2, 5)), np.empty(5)
    parts = [(np.full((2, 2), 1.0), np.ones(2)), (np.full((2, 3), 2.0), np.zeros(3))]
    fill_arrays(parts, target, other)
    assert target.tolist() == [[1, 1, 2, 2, 2]] * 2
    assert other.tolist() == [1, 1, 0, 0, 0]


def test_progress_counts_steps_up_to_the_total():
    done = []
    count = count_progress(lambda n, total: done.append(n), 10, step=4)
    for _ in range(3):
        count()
    assert done == [4, 8, 10]
    assert count_progress(None, 10) is None


def test_threads_apply_within_the_block_and_are_restored():
    default = count_threads()
    assert 1 <= default <= (os.cpu_count() or 1)
    with irbounds.execution(threads=3):
        with irbounds.execution():
            assert count_threads() == 3
        with irbounds.execution(threads=2):
            assert count_threads() == 2
        assert count_threads() == 3
    assert count_threads() == default


@pytest.mark.parametrize(
    "options",
    [
        {"threads": 0},
        {"threads": 1.5},
        {"executor": "tcp://host:8786"},
        {"threads": 1, "executor": ThreadPoolExecutor(1)},
    ],
)
def test_invalid_options_are_errors(options):
    with pytest.raises(ParameterError), irbounds.execution(**options):
        pass
