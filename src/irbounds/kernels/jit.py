"""How kernels are compiled: once per machine, kept on disk where the disk allows it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba.core import event

__all__ = ["jit"]

logger = logging.getLogger("irbounds")

Function = TypeVar("Function", bound=Callable[..., Any])


class _FirstCompilation(event.Listener):
    """Says once that numba is compiling; loading from the cache does not count."""

    def on_start(self, event_: Any) -> None:
        if event_.data["dispatcher"].py_func.__module__.startswith("irbounds."):
            event.unregister("numba:compile", self)
            logger.info("compiling for this machine (first use; up to 20 seconds, once) ...")

    def on_end(self, event_: Any) -> None:
        """Nothing to say."""


event.register("numba:compile", _FirstCompilation())


def jit(function: Function) -> Function:
    """Compile on first call, without the interpreter's lock, cached on disk.

    numba refuses to cache where neither the package nor the user's cache folder can be written to;
    then the function is compiled anew in each process rather than not at all.
    """
    try:
        compiled: Function = numba.njit(nogil=True, cache=True)(function)
    except RuntimeError:
        compiled = numba.njit(nogil=True)(function)
    return compiled
