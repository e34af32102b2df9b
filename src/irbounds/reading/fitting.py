"""Memory estimates of files, made while they are read.

How many lines a file has is known only at its end. But how much of it has been read is known, and
what its lines took so far: if the rest is like the beginning, so is what it will take. Distinct ids
become rarer as reading goes on and are left out of the forecast; what they have taken counts.

Formats other than TREC text become Python values cell by cell, once all of the text is there. What
that takes follows from the bytes and cells read so far (``CELL``). Decompressed bytes count, so a
small file that unpacks to a large one is refused on the way.

Files that are read at once have to fit together: what each is still going to take counts for all.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import get_ident
from typing import TYPE_CHECKING

from ..errors import InputError
from ..parallel.memory import ALLOW_MORE, NEGLIGIBLE, format_bytes, remaining_memory

if TYPE_CHECKING:
    from .sources import Source

SMALLER = "read fewer or smaller files"  # what else can be done for want of memory

LINE = 16  # bytes at least that a line of TREC text takes while it is read, beside its ids
#: bytes that other text takes while it is turned into Python values, per byte and per cell; with
#: cells of 5 to 10 letters 15 to 66 bytes per byte were measured, most in sheets of assessments
TEXT, CELL = 3, 128

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
    """Raise ``InputError`` where TREC text takes, or is going to take, more than there is."""
    share = source.share_read
    n_lines = n_records / share if share else n_records
    more = LINE * (n_lines - n_records) + n_taken / 8  # arrays grow by an eighth
    about = f"about {n_lines:,.0f} lines" if share else f"over {n_records:,} lines"
    check_more_fits(source.name, about, n_taken, more, is_read=share == 1)


def check_more_fits(
    name: str, what: str, n_taken: float, more: float, *, is_read: bool = False
) -> None:
    """Raise ``InputError`` where what was read of a file needs more bytes than may be taken.

    ``more`` is needed in addition to what is taken; where the file ``is_read``, that is soon over.
    """
    of_others = _forecast(0 if is_read else more)
    if n_taken + more < NEGLIGIBLE:
        return
    left = remaining_memory() - of_others
    if more > left:
        raise InputError(
            f"{name}: {what}: at least {format_bytes(n_taken + more)} of memory, and "
            f"{format_bytes(n_taken + max(left, 0))} may be taken; {SMALLER}, or "
            f"{ALLOW_MORE}"
        )


def check_size(name: str, what: str, n_bytes: int) -> None:
    """Raise ``InputError`` where the process has grown to its limit; ``n_bytes`` were read."""
    if n_bytes > NEGLIGIBLE and not remaining_memory():
        raise InputError(
            f"{name}: after {what} there is no memory left to read on; {SMALLER}, or {ALLOW_MORE}"
        )


def finish_reading() -> None:
    """Note that this thread's file takes no more."""
    _forecast(0)


def _forecast(more: float) -> float:
    """Note what this thread's file is going to take; what those of the others are."""
    all_files = _to_come.get()
    if all_files is None:
        return 0
    all_files[get_ident()] = more
    return sum(list(all_files.values())) - more
