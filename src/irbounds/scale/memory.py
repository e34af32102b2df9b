"""How much memory there is to use, and whether work fits in it, asked before it starts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from ..errors import ParameterError
from ..parameters import whole_number

__all__ = ["bytes_of", "check_fits", "room", "shown_bytes", "threads_within"]

PROGRAM = 250 << 20  # bytes that Python and the libraries take before any work
UNITS = {"": 1, "B": 1} | {
    f"{letter}{ending}": base**power
    for power, letter in enumerate("KMGT", start=1)
    for ending, base in (("iB", 1024), ("B", 1000), ("", 1024))
}
SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([A-Za-z]*)", re.ASCII)


def bytes_of(size: Any) -> int:
    """``"2GiB"``, ``"500 MB"`` or a number of bytes."""
    match = SIZE.fullmatch(size.strip()) if isinstance(size, str) else None
    units = {unit.lower(): n for unit, n in UNITS.items()}
    if match and match[2].lower() in units:
        number: int | None = int(float(match[1]) * units[match[2].lower()])
    else:
        number = None if isinstance(size, str) else whole_number(size)
    if number is None or number < 1:
        raise ParameterError(f"memory must be a size such as 2GiB or 500MB; got {size!r}")
    return number


def shown_bytes(n_bytes: float) -> str:
    """As people write it."""
    for unit in ("GiB", "MiB"):
        if n_bytes >= UNITS[unit]:
            number = n_bytes / UNITS[unit]
            return f"{number:,.0f} {unit}" if number >= 10 else f"{number:.1f} {unit}"
    return f"{n_bytes / UNITS['KiB']:,.0f} KiB"


def room(otherwise: int) -> int:
    """Bytes that work may take: what the execution's memory leaves, or ``otherwise``.

    What the program itself takes is a fixed sum and not looked up: results may depend on what fits,
    and must not depend on the moment.
    """
    from .execution import current

    allowed = current().memory
    return otherwise if allowed is None else max(allowed - PROGRAM, 0)


@contextmanager
def threads_within(available: float, needed_each: float) -> Iterator[None]:
    """Work on no more threads than fit into memory, on one at least."""
    from .execution import current, using

    fitting = max(int(available // max(needed_each, 1)), 1)
    with using(replace(current(), threads=min(fitting, current().n_threads))):
        yield


def check_fits(what: str, needed: float, available: int, advice: str) -> None:
    """Raise ``ParameterError`` where work needs more bytes than it may take."""
    if needed > available:
        raise ParameterError(
            f"{what}: at least {shown_bytes(needed)} of memory, and {shown_bytes(available)} may "
            f"be taken; {advice}"
        )
