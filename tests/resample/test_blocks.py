"""Work through blocks: all of them, once, and errors come out."""

from __future__ import annotations

import signal
import subprocess
import sys

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


INTERRUPTED = """
import random, signal, time
from irbounds.resample.blocks import work_through

random.seed(1)
signal.signal(signal.SIGALRM, signal.default_int_handler)
for _ in range(20):
    signal.setitimer(signal.ITIMER_REAL, random.uniform(0.05, 0.25))
    try:
        work_through(60_000, lambda block: time.sleep(0.0005), threads=2)
    except KeyboardInterrupt:
        print("interrupted")
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="a timer of the operating system")
def test_an_interruption_at_any_moment_ends_the_work():
    """A pool of futures was found waiting for ever, interrupted while it held their locks."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.split() == ["interrupted"] * 20
