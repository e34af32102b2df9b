"""Whether a file fits into memory, asked from its first megabyte on.

How many lines a file has is known at its end alone. But how much of it has been read is known, and
what its lines took so far: if the rest is like the beginning, so is what it will take. Distinct ids
become rarer as reading goes on and are left out of the forecast; what they have taken counts.
"""

from __future__ import annotations

from ..errors import InputError
from ..scale.memory import left_now, shown_bytes
from .sources import Source

__all__ = ["check_reading_fits"]

LINE = 16  # bytes at least that a line takes while it is read, beside its ids
TRIFLE = 32 << 20  # bytes that are not worth asking for


def check_reading_fits(source: Source, n_records: int, n_taken: int) -> None:
    """Raise ``InputError`` where a file takes, or is going to take, more than there is."""
    share = source.share_read
    n_lines = n_records / share if share else n_records
    more = LINE * (n_lines - n_records) + n_taken / 8  # arrays grow by an eighth
    if n_taken + more < TRIFLE:
        return
    left = left_now()
    if more > left:
        about = f"about {n_lines:,.0f} lines" if share else f"over {n_records:,} lines"
        raise InputError(
            f"{source.name}: {about} take at least {shown_bytes(n_taken + more)} of memory, and "
            f"{shown_bytes(n_taken + max(left, 0))} may be taken; read fewer files, or allow more"
        )
