"""Verbosity: results only, results with diagnosis and progress, or also each step and its duration.

Separate from the terminal, so that a query of the verbosity imports nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal, TypeAlias

from .escaping import make_printable

Verbosity: TypeAlias = Literal["quiet", "normal", "verbose"]

_verbosity: ContextVar[Verbosity] = ContextVar("verbosity", default="normal")


@contextmanager
def set_verbosity(verbosity: Verbosity) -> Iterator[None]:
    """Set the verbosity within a ``with`` block."""
    token = _verbosity.set(verbosity)
    try:
        yield
    finally:
        _verbosity.reset(token)


def is_quiet() -> bool:
    """Return whether only results are printed."""
    return _verbosity.get() == "quiet"


def is_verbose() -> bool:
    """Return whether each step and its duration are printed."""
    return _verbosity.get() == "verbose"


def note(line: str) -> None:
    """Print a line on standard error if the verbosity is verbose."""
    if is_verbose():
        print(f"irbounds: {make_printable(line)}", file=sys.stderr, flush=True)
