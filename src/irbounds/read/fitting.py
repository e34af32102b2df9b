"""Whether a file fits into memory, asked from its first megabyte on.

How many lines a file has is known at its end alone. But how much of it has been read is known, and
what its lines took so far: if the rest is like the beginning, so is what it will take. Distinct ids
become rarer as reading goes on and are left out of the forecast; what they have taken counts.

Files that are read at once have to fit together: what each is still going to take counts for all.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import get_ident

from ..errors import InputError
from ..scale.memory import TRIFLE, left_now
from ..scale.sizes import shown_bytes
from .sources import Source

__all__ = ["check_reading_fits", "reading_together"]

LINE = 16  # bytes at least that a line takes while it is read, beside its ids

#: bytes that the file which a thread reads is still going to take, by thread
_to_come: ContextVar[dict[int, float] | None] = ContextVar("to_come", default=None)


@contextmanager
def reading_together() -> Iterator[None]:
    """Files that are read until the end of the ``with`` block, on any threads, have to fit."""
    token = _to_come.set({})
    try:
        yield
    finally:
        _to_come.reset(token)


def check_reading_fits(source: Source, n_records: int, n_taken: int) -> None:
    """Raise ``InputError`` where a file takes, or is going to take, more than there is."""
    share = source.share_read
    n_lines = n_records / share if share else n_records
    more = LINE * (n_lines - n_records) + n_taken / 8  # arrays grow by an eighth
    of_others = _forecast(0 if share == 1 else more)
    if n_taken + more < TRIFLE:
        return
    left = left_now() - of_others
    if more > left:
        about = f"about {n_lines:,.0f} lines" if share else f"over {n_records:,} lines"
        raise InputError(
            f"{source.name}: {about} take at least {shown_bytes(n_taken + more)} of memory, and "
            f"{shown_bytes(n_taken + max(left, 0))} may be taken; read fewer files, or allow more"
        )


def _forecast(more: float) -> float:
    """Note what this thread's file is going to take; what those of the others are."""
    all_files = _to_come.get()
    if all_files is None:
        return 0
    all_files[get_ident()] = more
    return sum(list(all_files.values())) - more
