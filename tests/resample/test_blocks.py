"""Work through blocks: all of them, once, and errors come out."""

from __future__ import annotations

import pytest

from irbounds.resample.blocks import counted, work_through


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_every_block_once_and_progress_to_the_end(threads):
    done, told = [], []
    step = counted(lambda k, total: told.append((k, total)), 20)
    work_through(20, done.append, threads=threads, progress=step)
    assert sorted(done) == list(range(20))
    assert told == [(k, 20) for k in range(1, 21)]


def test_no_blocks_are_no_work():
    work_through(0, pytest.fail, threads=2)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_ends_the_work(threads):
    done = []

    def work(block):
        if block == 3:
            raise KeyboardInterrupt
        done.append(block)

    with pytest.raises(KeyboardInterrupt):
        work_through(10_000, work, threads=threads)
    assert len(done) < 10_000
