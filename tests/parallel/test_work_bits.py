"""Whole results have the same bits on any threads, in any blocks and in other processes.

All random work is tested. Digests cover all fields, distributions included.
"""

from __future__ import annotations

import sys

import pytest

import irbounds
from every_work import WORK, bits, bits_on_one_thread
from irbounds import execution
from irbounds.parallel import executor, work

#: threads and blocks; with one thread and one block it is compared
WAYS = [(1, 7), (2, 64)]


@pytest.fixture
def cuts(monkeypatch):
    """Record the number of blocks of each piece of work."""
    seen = []

    def cut(*given):
        found = original(*given)
        seen.append(len(found))
        return found

    original = work.cut_blocks
    monkeypatch.setattr(work, "cut_blocks", cut)
    return seen


@pytest.mark.parametrize("name", WORK)
def test_results_have_the_same_bits_on_threads_blocks_and_processes(name, processes, cuts):
    expected = bits_on_one_thread(name)
    for threads, n_blocks in WAYS:
        cuts.clear()
        with execution(threads=threads, n_blocks=n_blocks):
            assert bits(name) == expected, (threads, n_blocks)
        assert 1 < max(cuts) <= n_blocks  # there was something to divide
    with execution(executor=processes, n_blocks=3):
        assert bits(name) == expected


def test_one_block_is_not_divided(cuts):
    """Check that the reference of the comparisons was not divided."""
    with execution(threads=1, n_blocks=1):
        bits("sign flips")
    assert set(cuts) == {1}


@pytest.mark.parametrize("name", WORK)
def test_another_seed_gives_other_bits(name, monkeypatch):
    """Check that the compared digests depend on the random numbers."""
    if name in ("exact sign flips", "sign flips on a grid"):
        pytest.skip("nothing is drawn")
    expected = bits_on_one_thread(name)
    original = irbounds.resampling.seeds.seed_number
    for module in modules_that_seed():
        monkeypatch.setattr(module, "seed_number", lambda rng: original(rng) + 1)
    with execution(threads=1):
        assert bits(name) != expected


def modules_that_seed():
    return [
        module
        for name, module in sys.modules.items()
        if name.startswith("irbounds.") and hasattr(module, "seed_number")
    ]


def test_work_runs_on_the_executor(processes, monkeypatch):
    handed = []
    original = executor._submit

    def hand_over(*given):
        handed.append(given)
        return original(*given)

    monkeypatch.setattr(executor, "_submit", hand_over)
    with execution(executor=processes, n_blocks=3):
        bits("images")
    assert len(handed) == 3
