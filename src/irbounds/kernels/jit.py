"""How kernels are compiled: once per machine, kept on disk where the disk allows it."""

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
    """Says once that numba is compiling; loading from the cache does not count."""

    def on_start(self, event_: Any) -> None:
        if event_.data["dispatcher"].py_func.__module__.startswith("irbounds."):
            event.unregister("numba:compile", self)
            logger.info("compiling (once for each kind of work; up to 20 seconds) ...")

    def on_end(self, event_: Any) -> None:
        """Nothing to say."""


event.register("numba:compile", _FirstCompilation())


class _Cache(FunctionCache):
    """Compiled functions on disk, which may be damaged, full or closed to us.

    numba's own cache raises whatever comes of a file that is cut short, and of a disk that is full.
    Here a function is compiled again instead. What cannot be read is replaced. Each is said once,
    of the first function that it happens to, since it happens to many at a time.
    """

    is_damage_told = is_loss_told = False

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return a compiled function; None where there is none, or it cannot be read."""
        try:
            return super().load_overload(sig, target_context)
        except Exception as failure:  # whatever comes of unpickling rubbish
            if not _Cache.is_damage_told:
                _Cache.is_damage_told = True
                logger.warning(
                    "ignored what %s holds of %s: damaged (%s); compiling again",
                    self.cache_path,
                    self._impl.filename_base,
                    type(failure).__name__,
                )
            with suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled function, if that is possible."""
        try:
            super().save_overload(sig, data)
        except Exception as failure:  # also of what is there, and is read before
            if not _Cache.is_loss_told:
                _Cache.is_loss_told = True
                logger.warning(
                    "compiled functions cannot be kept in %s (%s); NUMBA_CACHE_DIR names another "
                    "place",
                    self.cache_path,
                    getattr(failure, "strerror", None) or type(failure).__name__,
                )


def jit(function: Function) -> Function:
    """Compile on first call, without the interpreter's lock, cached on disk.

    numba refuses to cache where neither the package nor the user's cache folder can be written to;
    then the function is compiled anew in each process rather than not at all.
    """
    compiled: Any = numba.njit(nogil=True)(function)
    with suppress(RuntimeError):
        compiled._cache = _Cache(function)  # as numba's option does it with its own
    kernel: Function = compiled
    return kernel
