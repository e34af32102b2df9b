"""Whether a command prints results only: no diagnosis, warnings or progress."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_is_quiet: ContextVar[bool] = ContextVar("is_quiet", default=False)


@contextmanager
def set_quiet(is_quiet: bool) -> Iterator[None]:
    """Print results only within a ``with`` block, or not."""
    token = _is_quiet.set(is_quiet)
    try:
        yield
    finally:
        _is_quiet.reset(token)


def is_quiet() -> bool:
    """Return whether only results are printed."""
    return _is_quiet.get()
