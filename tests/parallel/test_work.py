"""Blocks are cut evenly, by cost, and returned in order, whichever finishes first."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sample_work
from irbounds import execution
from irbounds.parallel.work import (
    REMOTE_BLOCK_COST,
    THREAD_BLOCK_COST,
    bind,
    count_progress,
    cut_blocks,
    fill_arrays,
    run_work,
)

counts = st.integers(1, 400)


@given(
    counts,
    st.floats(0, 1e9),
    st.sampled_from([THREAD_BLOCK_COST, REMOTE_BLOCK_COST]),
    st.none() | counts,
)
def test_blocks_contain_every_unit_once_in_order(n_units, cost, cost_of_block, n_blocks):
    blocks = cut_blocks(n_units, cost, cost_of_block, n_blocks)
    assert [unit for block in blocks for unit in block] == list(range(n_units))
    sizes = {len(block) for block in blocks}
    assert min(sizes) >= 1
    assert max(sizes) - min(sizes) <= 1
    if n_blocks:
        assert len(blocks) == min(n_blocks, n_units)


@pytest.mark.parametrize(
    ("n_units", "cost", "n_blocks", "expected"),
    [
        (1000, THREAD_BLOCK_COST / 10, None, 100),  # ten units are a block's worth
        (1000, THREAD_BLOCK_COST * 10, None, 1000),  # no unit is cut
        (1000, 0, None, 1),
        (10, THREAD_BLOCK_COST / 10, None, 1),
        (15, THREAD_BLOCK_COST / 10, None, 2),
        (1000, THREAD_BLOCK_COST * 10, 7, 7),
        (3, 1, 64, 3),
        (1, 1e12, None, 1),
        (1, 1, 64, 1),
    ],
)
def test_the_number_of_blocks_follows_the_cost(n_units, cost, n_blocks, expected):
    assert len(cut_blocks(n_units, cost, THREAD_BLOCK_COST, n_blocks)) == expected


def test_other_processes_get_larger_blocks(monkeypatch):
    seen = []
    monkeypatch.setattr(
        "irbounds.parallel.work.cut_blocks", lambda *given: seen.append(given) or []
    )
    for how in ({}, {"threads": 3}, {"executor": ThreadPoolExecutor(1)}, {"checkpoint": "c"}):
        with execution(**how), pytest.raises((IndexError, StopIteration)):
            next(run_work(bind(sample_work.one, "sample"), 5, cost=1.0))
    assert [cost for _, _, cost, _ in seen] == [
        THREAD_BLOCK_COST,
        THREAD_BLOCK_COST,
        REMOTE_BLOCK_COST,
        REMOTE_BLOCK_COST,
    ]


def test_no_units_are_no_work():
    assert list(run_work(bind(pytest.fail, "sample"), 0, cost=1)) == []


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("n_blocks", [1, 3, 20])
def test_units_are_returned_in_order_with_progress(threads, n_blocks):
    told = []
    step = count_progress(lambda k, total: told.append((k, total)), 20)
    with execution(threads=threads, n_blocks=n_blocks):
        work = bind(sample_work.square, "sample", shift=0.5)
        found = list(run_work(work, 20, cost=1, progress=step))
    assert [float(squares[0]) for squares, _ in found] == [k**2 + 0.5 for k in range(20)]
    assert told == [(k, 20) for k in range(1, 21)]


def test_progress_counts_only_units_that_were_used():
    told = []
    work = bind(sample_work.one, "sample")
    with closing(run_work(work, 9, cost=1, progress=lambda: told.append(1))) as units:
        next(units)
        next(units)
    assert len(told) == 1


def test_count_progress_in_steps():
    told = []
    step = count_progress(lambda *now: told.append(now), 150, step=64)
    for _ in range(3):
        step()
    assert told == [(64, 150), (128, 150), (150, 150)]
    assert count_progress(None, 150) is None


@pytest.mark.parametrize("where", ["threads", "executor"])
def test_order_does_not_depend_on_which_unit_finishes_first(where):
    """The first block finishes last: a sum in the order of arrival would have other bits."""
    n = 8
    work = bind(sample_work.first_last, "sample", n_units=n, each=0.01)
    with ThreadPoolExecutor(n) as pool:
        how = {"threads": n} if where == "threads" else {"executor": pool}
        with execution(n_blocks=n, **how):
            found = [int(arrays[0][0]) for arrays in run_work(work, n, cost=1)]
    assert found == list(range(n))


def test_fill_arrays_side_by_side():
    squares, pairs = np.empty((1, 5)), np.empty(10)
    fill_arrays(run_work(bind(sample_work.square, "sample"), 5, cost=1), squares, pairs)
    assert squares.tolist() == [[0, 1, 4, 9, 16]]
    assert pairs.tolist() == list(range(10))


def test_fill_arrays_needs_one_target_per_array():
    with pytest.raises(ValueError, match="zip"):
        fill_arrays(run_work(bind(sample_work.square, "sample"), 5, cost=1), np.empty(5))


@pytest.mark.parametrize("threads", [1, 2])
def test_work_within_a_unit_is_not_divided_again(threads, tmp_path):
    work = bind(sample_work.how, "sample")
    with execution(threads=threads, n_blocks=4):
        found = np.array([arrays[0] for arrays in run_work(work, 4, cost=1)])
    assert found.tolist() == [[1, 0, 0]] * 4
    with (
        ThreadPoolExecutor(2) as pool,
        execution(executor=pool, checkpoint=tmp_path / "kept", n_blocks=4),
    ):
        found = np.array([arrays[0] for arrays in run_work(work, 4, cost=1)])
    assert found.tolist() == [[1, 0, 0]] * 4
