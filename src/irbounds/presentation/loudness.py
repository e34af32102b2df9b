"""How much is said besides results: nothing, as usual, or also what is done and how long it takes.

Kept apart from the terminal, so that what asks about it loads nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal, TypeAlias

from .escaping import printable

Loudness: TypeAlias = Literal["quiet", "usual", "verbose"]

_loudness: ContextVar[Loudness] = ContextVar("loudness", default="usual")
_progress_shown: ContextVar[bool] = ContextVar("progress_shown", default=False)


@contextmanager
def loudness(how: Loudness) -> Iterator[None]:
    """Be so loud for a while."""
    token = _loudness.set(how)
    try:
        yield
    finally:
        _loudness.reset(token)


def is_quiet() -> bool:
    """Whether nothing but results is to be seen."""
    return _loudness.get() == "quiet"


@contextmanager
def progress_shown() -> Iterator[None]:
    """Show progress for a while also where all else is quiet."""
    token = _progress_shown.set(True)
    try:
        yield
    finally:
        _progress_shown.reset(token)


def shows_progress() -> bool:
    """Whether work that takes long is to be seen."""
    return _progress_shown.get() or not is_quiet()


def is_verbose() -> bool:
    """Whether also work that went well is to be told."""
    return _loudness.get() == "verbose"


def note(line: str) -> None:
    """A line on standard error, where everything is to be told."""
    if is_verbose():
        print(f"irbounds: {printable(line)}", file=sys.stderr, flush=True)
