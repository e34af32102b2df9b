"""Units of work for tests: in a module of their own, so that another process can import them."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np

from irbounds.scale.execution import current

__all__ = [
    "Gauge",
    "end_process",
    "fail_from",
    "first_last",
    "gauge",
    "how",
    "one",
    "same_process",
    "square",
]


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
    now = current()
    return (np.array([now.threads or 0, now.executor is not None, now.checkpoint is not None]),)


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
