"""Compilation of kernels: once per machine, in numba's cache."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba.core import event

logger = logging.getLogger("irbounds")

Function = TypeVar("Function", bound=Callable[..., Any])


class _FirstCompilation(event.Listener):
    """Log once that numba is compiling; loading from the cache is not reported."""

    def on_start(self, event_: Any) -> None:
        if event_.data["dispatcher"].py_func.__module__.startswith("irbounds."):
            event.unregister("numba:compile", self)
            logger.info("compiling (once for each kind of work; up to 20 seconds) ...")

    def on_end(self, event_: Any) -> None:
        """Do nothing."""


event.register("numba:compile", _FirstCompilation())


def jit(function: Function) -> Function:
    """Compile on first call, without the interpreter's lock, cached on disk.

    numba refuses to cache if neither the package nor the user's cache directory can be written to.
    The function is then compiled again in each process.
    """
    try:
        kernel: Function = numba.njit(nogil=True, cache=True)(function)
    except RuntimeError:
        kernel = numba.njit(nogil=True)(function)
    return kernel
