"""Units of work that are samples: in a module of their own, so that other processes import them.

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
    """Nothing but a number."""
    return (np.ones(1),)


def square(unit, *, shift=0.0):
    """A unit's number squared, and twice its number."""
    return np.array([unit**2 + shift]), np.array([2 * unit, 2 * unit + 1])


def first_last(unit, *, n_units, each):
    """The first units take longest, so that they are done last."""
    time.sleep(each * (n_units - unit))
    return (np.array([unit]),)


def fail_from(unit, *, first, error):
    """An error, from some unit on."""
    if unit >= first:
        raise error
    return (np.array([unit]),)


def how(_unit):
    """How work within a unit would be done: threads, and whether elsewhere or kept."""
    now = current_execution()
    return (np.array([now.threads or 0, now.executor is not None, now.checkpoint is not None]),)


def draw(unit, *, seed, n):
    """A unit with random numbers of its own."""
    generator = np.random.default_rng([seed, unit])
    return generator.random(n), generator.integers(0, 9, (2, 3))


def draw_slowly(unit, *, seed, n, seconds):
    """The same, after a while."""
    time.sleep(seconds)
    return draw(unit, seed=seed, n=n)


def pause(unit, *, seconds):
    """Nothing but time."""
    time.sleep(seconds)
    return (np.array([unit]),)


def wait_for(unit, *, path):
    """A unit that ends when there is a file of that name; an error where nobody leaves one."""
    patience = time.monotonic() + PATIENCE
    while not Path(path).exists():
        if time.monotonic() > patience:
            raise DataError(f"nobody left {path}")
        time.sleep(0.005)
    return (np.array([unit]),)


def note(unit, *, folder, n):
    """Leave a file for each time that a unit is worked on."""
    with (Path(folder) / f"{unit}").open("a") as file:
        file.write("x")
    return (np.full(n, float(unit)),)


def part(unit, *, large):
    """One number of many that are shared."""
    return (large[unit : unit + 1],)


def fail(unit, *, at):
    """An error of ours, at one unit."""
    if unit == at:
        raise DataError(f"unit {unit} cannot be")
    return (np.array([unit]),)


def time_out(_unit):
    """An error that others use, too."""
    raise TimeoutError("the work's own")


def who(_unit):
    """Which process works."""
    return (np.array([process()]),)


def process():
    return os.getpid()


def same_process(_unit, *, process):
    """Whether a unit is worked on in this process."""
    return (np.array([os.getpid() == process]),)


def end_process(unit):
    """The second unit takes its process with it."""
    if unit == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return (np.array([unit]),)


class Gauge:
    """Counts how many units were begun, and how many at once."""

    def __init__(self):
        self.begun = self.now = self.most = 0
        self.lock = threading.Lock()

    def add(self, change):
        with self.lock:
            self.now += change
            self.begun += change > 0
            self.most = max(self.most, self.now)


def gauge(unit, *, gauge, seconds=0.0):
    """A unit that is counted while it is worked on."""
    gauge.add(1)
    time.sleep(seconds)
    gauge.add(-1)
    return (np.array([unit]),)
