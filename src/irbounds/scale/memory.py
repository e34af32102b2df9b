"""How much memory there is to use, and whether work fits in it, asked before it starts.

A limit is what this process may come to occupy: the program, what was read, what is kept and what
each thread works in. Workers of a cluster have limits of their own, which their administrators set.

Two kinds of answers. How much of a result is kept may depend on the limit that was given, and then
on nothing else: what the program takes is a fixed sum there (``room``). Whether work is refused,
and on how many threads it runs, changes no number, and goes by what the process occupies at that
moment (``left_now``). Where nobody gave a limit, it is what the machine has, or the container.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import ParameterError
from ..parameters import whole_number

__all__ = [
    "bytes_of",
    "check_fits",
    "check_fits_now",
    "fitting",
    "left_now",
    "room",
    "shown_bytes",
    "threads_within",
]

PROGRAM = 250 << 20  # bytes that Python and the libraries take before any work; 170 to 235 MiB seen
TRIFLE = 32 << 20  # bytes that are not worth asking for
UNITS = {"": 1, "B": 1} | {
    f"{letter}{ending}": base**power
    for power, letter in enumerate("KMGT", start=1)
    for ending, base in (("iB", 1024), ("B", 1000), ("", 1024))
}
SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([A-Za-z]*)", re.ASCII)
GROUPS = Path("/sys/fs/cgroup")
GROUP_OF_PROCESS = Path("/proc/self/cgroup")
PAGES_OF_PROCESS = Path("/proc/self/statm")


def bytes_of(size: Any) -> int:
    """``"2GiB"``, ``"500 MB"`` or a number of bytes; more than the program takes by itself."""
    match = SIZE.fullmatch(size.strip()) if isinstance(size, str) else None
    units = {unit.lower(): n for unit, n in UNITS.items()}
    if match and match[2].lower() in units:
        number: int | None = int(float(match[1]) * units[match[2].lower()])
    else:
        number = None if isinstance(size, str) else whole_number(size)
    if number is None or number < 1:
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


def room(otherwise: int) -> int:
    """Bytes that work may take: what the execution's memory leaves, or ``otherwise``.

    What the program itself takes is a fixed sum and not looked up: results may depend on what fits,
    and must not depend on the moment. ``otherwise`` is never more than the machine has.
    """
    from .execution import current

    allowed = current().memory
    if allowed is None:
        return min(otherwise, max(machine_memory() - PROGRAM, 0))
    return max(allowed - PROGRAM, 0)


def left_now() -> int:
    """Bytes that the process may take in addition to what it occupies, or will before any work."""
    from .execution import current

    allowed = current().memory or machine_memory()
    return max(allowed - max(resident(), PROGRAM), 0)


@contextmanager
def fitting(
    what: str, *, kept: float, each_thread: float = 0, advice: str, otherwise: int | None = None
) -> Iterator[None]:
    """Work on as many threads as fit; raise ``ParameterError`` where not even one does.

    ``kept`` is what all threads need together, in bytes; ``otherwise`` is the most that may be
    taken where nobody gave a limit.
    """
    from .execution import current

    how = current()
    if kept + each_thread * how.n_threads < TRIFLE:
        yield
        return
    far = how.executor is not None  # others have the memory of threads
    available = left_now() if otherwise is None else min(left_now(), room(otherwise))
    check_fits(what, kept + (0 if far else each_thread), available, advice)
    with threads_within(available - kept, each_thread):
        yield


@contextmanager
def threads_within(available: float, needed_each: float) -> Iterator[None]:
    """Work on no more threads than fit into memory, on one at least."""
    from .execution import current, using

    fit = max(int(available // max(needed_each, 1)), 1)
    with using(replace(current(), threads=min(fit, current().n_threads))):
        yield


def check_fits(what: str, needed: float, available: int, advice: str) -> None:
    """Raise ``ParameterError`` where work needs more bytes than it may take."""
    if needed > available:
        raise ParameterError(
            f"{what}: at least {shown_bytes(needed)} of memory, and {shown_bytes(available)} may "
            f"be taken; {advice}"
        )


def check_fits_now(what: str, needed: float, advice: str) -> None:
    """Raise ``ParameterError`` where work needs more than the process may take in addition."""
    if needed > TRIFLE:
        check_fits(what, needed, left_now(), advice)


def resident() -> int:
    """Bytes that this process occupies now; 0 where the system does not say."""
    try:
        return int(PAGES_OF_PROCESS.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        return 0


@cache
def machine_memory() -> int:
    """Bytes that the machine has, or the container that this runs in."""
    sizes = [int(text) for text in _limits_of_groups() if text.isdecimal()]
    try:
        sizes.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (ValueError, OSError, AttributeError):
        sizes.append(1 << 62)  # nobody says: as much as you like
    return min(size if size > 0 else 1 << 62 for size in sizes)


def _limits_of_groups() -> Iterator[str]:
    """What the control groups say that this process is in, the inner ones and those around them."""
    files = [GROUPS / "memory.max", GROUPS / "memory" / "memory.limit_in_bytes"]
    try:
        lines = GROUP_OF_PROCESS.read_text().splitlines()
    except OSError:
        lines = []
    for line in lines:
        _, controllers, place = line.split(":", 2)
        inner = GROUPS / ("memory" if controllers else "") / place.lstrip("/")
        name = "memory.limit_in_bytes" if controllers else "memory.max"
        if not controllers or "memory" in controllers.split(","):
            files += [folder / name for folder in (inner, *inner.parents) if folder != GROUPS]
    for file in files:
        try:
            yield file.read_text().strip()
        except OSError:
            continue
