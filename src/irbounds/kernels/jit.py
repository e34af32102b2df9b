"""Compilation of kernels: once per machine, cached on disk if the disk can be written to."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import numba
from numba.core import event
from numba.core.caching import FunctionCache

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


class _Cache(FunctionCache):
    """Compiled functions on a disk that may be damaged, full or read-only.

    numba's own cache raises any error of a truncated file or a full disk. Here the function is
    compiled again instead, and files that cannot be read are replaced. Each problem is logged once,
    for the first function, because it affects many at a time.
    """

    is_damage_logged = is_failure_logged = False

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return a compiled function; None if there is none, or it cannot be read."""
        try:
            return super().load_overload(sig, target_context)
        except Exception as failure:  # any error of unpickling damaged bytes
            if not _Cache.is_damage_logged:
                _Cache.is_damage_logged = True
                logger.warning(
                    "ignored the cache of %s in %s: damaged (%s); compiling again",
                    self._impl.filename_base,
                    self.cache_path,
                    type(failure).__name__,
                )
            with suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write a compiled function to the disk, if that is possible."""
        try:
            super().save_overload(sig, data)
        except Exception as failure:  # also of the existing index, which is read first
            if not _Cache.is_failure_logged:
                _Cache.is_failure_logged = True
                logger.warning(
                    "compiled functions cannot be cached in %s (%s); NUMBA_CACHE_DIR sets another "
                    "directory",
                    self.cache_path,
                    getattr(failure, "strerror", None) or type(failure).__name__,
                )


def jit(function: Function) -> Function:
    """Compile on first call, without the interpreter's lock, cached on disk.

    numba refuses to cache if neither the package nor the user's cache directory can be written to.
    The function is then compiled again in each process.
    """
    compiled: Any = numba.njit(nogil=True)(function)
    with suppress(RuntimeError):
        compiled._cache = _Cache(function)  # as numba's option cache=True does
    kernel: Function = compiled
    return kernel
