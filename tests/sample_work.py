"""Sample units of work, in a separate module so that other processes can import them.

Each shows one thing that a unit may do; ``every_work`` has the work that people ask for.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import numpy as np

from irbounds.errors import DataError
from irbounds.parallel.execution import current_execution

PATIENCE = 30.0  # seconds


def one(_unit):
    """Return a number."""
    return (np.ones(1),)


def square(unit, *, shift=0.0):
    """Return the squared number of a unit, and twice its number."""
    return np.array([unit**2 + shift]), np.array([2 * unit, 2 * unit + 1])


def first_last(unit, *, n_units, each):
    """Take longest for the first units, so that they finish last."""
    time.sleep(each * (n_units - unit))
    return (np.array([unit]),)


def fail_from(unit, *, first, error):
    """Raise an error from some unit on."""
    if unit >= first:
        raise error
    return (np.array([unit]),)


def how(_unit):
    """Return the execution within a unit: threads, remote or not, checkpoint or not."""
    now = current_execution()
    return (np.array([now.threads or 0, now.executor is not None, now.checkpoint is not None]),)


def draw(unit, *, seed, n):
    """Return random numbers of a unit."""
    generator = np.random.default_rng([seed, unit])
    return generator.random(n), generator.integers(0, 9, (2, 3))


def draw_slowly(unit, *, seed, n, seconds):
    """Return the same after a pause."""
    time.sleep(seconds)
    return draw(unit, seed=seed, n=n)


def pause(unit, *, seconds):
    """Pause."""
    time.sleep(seconds)
    return (np.array([unit]),)


def wait_for(unit, *, path):
    """Wait until a file of that name exists; raise an error after the timeout."""
    patience = time.monotonic() + PATIENCE
    while not Path(path).exists():
        if time.monotonic() > patience:
            raise DataError(f"nobody left {path}")
        time.sleep(0.005)
    return (np.array([unit]),)


def note(unit, *, directory, n):
    """Leave a file each time a unit runs."""
    with (Path(directory) / f"{unit}").open("a") as file:
        file.write("x")
    return (np.full(n, float(unit)),)


def part(unit, *, large):
    """Return one of many shared numbers."""
    return (large[unit : unit + 1],)


def fail(unit, *, at):
    """Raise an error of irbounds at one unit."""
    if unit == at:
        raise DataError(f"unit {unit} cannot be")
    return (np.array([unit]),)


def time_out(_unit):
    """Raise an error that other libraries raise, too."""
    raise TimeoutError("the work's own")


def who(_unit):
    """Return the number of the process."""
    return (np.array([process()]),)


def process():
    return os.getpid()


def same_process(_unit, *, process):
    """Return whether a unit runs in this process."""
    return (np.array([os.getpid() == process]),)


def end_process(unit):
    """End the process at the second unit."""
    if unit == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return (np.array([unit]),)


class Gauge:
    """Count the units that were begun, and the maximum at once."""

    def __init__(self):
        self.begun = self.now = self.most = 0
        self.lock = threading.Lock()

    def add(self, change):
        with self.lock:
            self.now += change
            self.begun += change > 0
            self.most = max(self.most, self.now)


def gauge(unit, *, gauge, seconds=0.0):
    """Count a unit while it runs."""
    gauge.add(1)
    time.sleep(seconds)
    gauge.add(-1)
    return (np.array([unit]),)
