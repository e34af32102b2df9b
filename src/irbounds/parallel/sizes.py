"""Sizes of memory: as people write them, and as numbers of bytes."""

from __future__ import annotations

import re
from typing import Any

from ..errors import ParameterError
from ..parameters import whole_number

PROGRAM = 250 << 20  # bytes that Python and the libraries take before any work; 170 to 235 MiB seen
MOST = 1 << 63  # bytes; a limit from here on is a slip
NUMBER = 8  # bytes of a number in most arrays
UNITS = {"": 1, "B": 1} | {
    f"{letter}{ending}": base**power
    for power, letter in enumerate("KMGT", start=1)
    for ending, base in (("iB", 1024), ("B", 1000), ("", 1024))
}
SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([A-Za-z]*)", re.ASCII)


def bytes_of(size: Any) -> int:
    """``"2GiB"``, ``"500 MB"`` or a number of bytes; more than the program takes by itself."""
    match = SIZE.fullmatch(size.strip()) if isinstance(size, str) else None
    units = {unit.lower(): n for unit, n in UNITS.items()}
    if match and match[2].lower() in units:
        number: int | None = int(min(float(match[1]) * units[match[2].lower()], MOST))
    else:
        number = None if isinstance(size, str) else whole_number(size)
    if number is None or not 1 <= number < MOST:
        raise ParameterError(f"memory must be a size such as 2GiB or 500MB; got {size!r}")
    if number <= PROGRAM:
        raise ParameterError(
            f"memory must be more than the {shown_bytes(PROGRAM)} that the program itself may take "
            f"before any work; got {size!r}"
        )
    return number


def shown_bytes(n_bytes: float) -> str:
    """As people write it."""
    for unit in ("GiB", "MiB"):
        if n_bytes >= UNITS[unit]:
            number = n_bytes / UNITS[unit]
            return f"{number:,.0f} {unit}" if number >= 10 else f"{number:.1f} {unit}"
    return f"{n_bytes / UNITS['KiB']:,.0f} KiB"
