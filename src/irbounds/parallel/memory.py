"""Memory limits: whether work fits, decided before it starts.

A limit applies to all that this process occupies: the program, the inputs, the results and the
working memory of each thread. Workers of a cluster have limits of their own, which their
administrators set. Without a limit of the user's, the limit is the memory of the machine or of the
container.

A limit has two kinds of effects:

- How much of a result is stored may depend on the user's limit, and then on nothing else. The
  program's own memory is a fixed amount there (``memory_budget``).
- Whether work is refused and how many threads it uses change no number. They depend on what the
  process occupies at that moment (``remaining_memory``).

Within a unit nothing is refused: the memory of units was checked before the first one.

Each unit of work declares its own memory estimate, with ``reserve_memory`` or ``check_fits_now``,
where its arrays are allocated.
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
from ..validation import as_integer
from .execution import current_execution, use_execution

PROGRAM_BYTES = 250 << 20  # of Python and the libraries before any work; 170 to 235 MiB measured
NEGLIGIBLE = 32 << 20  # bytes that are not checked
NUMBER_BYTES = 8  # of a number in most arrays
MAX_BYTES = 1 << 63  # a limit from here on is a mistake
NO_LIMIT = 1 << 62  # bytes
#: how to raise the limit, for all errors about memory
ALLOW_MORE = "allow more with --memory (in Python irbounds.execution(memory=...))"
UNITS = {"": 1, "B": 1} | {
    f"{letter}{suffix}": base**power
    for power, letter in enumerate("KMGT", start=1)
    for suffix, base in (("iB", 1024), ("B", 1000), ("", 1024))
}
SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([A-Za-z]*)", re.ASCII)
CGROUPS = Path("/sys/fs/cgroup")
CGROUP_OF_PROCESS = Path("/proc/self/cgroup")
PAGES_OF_PROCESS = Path("/proc/self/statm")


def memory_budget(default: int) -> int:
    """Return the bytes that work may use: what the user's limit leaves, or ``default``.

    The program's own memory is a fixed amount and not measured: results may depend on this number,
    and must not depend on the moment. ``default`` is limited to the memory of the machine.
    """
    limit = current_execution().memory
    if limit is None:
        return min(default, max(machine_memory() - PROGRAM_BYTES, 0))
    return max(limit - PROGRAM_BYTES, 0)


def remaining_memory() -> int:
    """Return the bytes that the process may still allocate."""
    execution = current_execution()
    if execution.within_unit:
        return NO_LIMIT
    limit = execution.memory or machine_memory()
    return max(limit - max(resident_memory(), PROGRAM_BYTES), 0)


@contextmanager
def reserve_memory(
    what: str, *, shared: float, each_thread: float = 0, advice: str
) -> Iterator[None]:
    """Limit the threads to those that fit; raise ``ParameterError`` if not even one does.

    ``shared`` is the number of bytes that all threads use together.
    """
    execution = current_execution()
    if shared + each_thread * execution.n_threads < NEGLIGIBLE:
        yield
        return
    available = remaining_memory()
    check_fits(what, shared + (0 if execution.is_remote else each_thread), available, advice)
    with limit_threads(available - shared, each_thread):
        yield


@contextmanager
def limit_threads(available: float, each_thread: float) -> Iterator[None]:
    """Limit the threads to those that fit into the available bytes, at least one."""
    execution = current_execution()
    if execution.is_remote:
        yield
        return
    n_fitting = max(int(available // max(each_thread, 1)), 1)
    with use_execution(replace(execution, threads=min(n_fitting, execution.n_threads))):
        yield


def check_fits(what: str, needed: float, available: int, advice: str) -> None:
    """Raise ``ParameterError`` if work needs more bytes than are available."""
    if needed > available:
        raise ParameterError(
            f"{what}: at least {format_bytes(needed)} of memory, and {format_bytes(available)} may "
            f"be taken; {advice}, or {_describe_enough(needed - available, available)}"
        )


def check_fits_now(what: str, needed: float, advice: str) -> None:
    """Raise ``ParameterError`` if work needs more bytes than the process may still allocate."""
    if needed > NEGLIGIBLE:
        check_fits(what, needed, remaining_memory(), advice)


def _describe_enough(lacking: float, available: int) -> str:
    """Return how to raise the limit, to how much, and whether the machine has that much."""
    limit = current_execution().memory or available + PROGRAM_BYTES
    enough = 1.02 * (limit + lacking)  # it is rounded for display
    machine = machine_memory()
    note = "" if enough <= machine else f", of which this machine has {format_bytes(machine)}"
    return f"{ALLOW_MORE}: {format_bytes(enough)}{note}"


# ---- sizes as people write them ----


def parse_bytes(size: Any) -> int:
    """Return ``"2GiB"``, ``"500 MB"`` or a number as bytes; more than the program needs."""
    match = SIZE.fullmatch(size.strip()) if isinstance(size, str) else None
    units = {unit.lower(): n for unit, n in UNITS.items()}
    if match and match[2].lower() in units:
        number: int | None = int(min(float(match[1]) * units[match[2].lower()], MAX_BYTES))
    else:
        number = None if isinstance(size, str) else as_integer(size)
    if number is None or not 1 <= number < MAX_BYTES:
        raise ParameterError(f"memory must be a size such as 2GiB or 500MB; got {size!r}")
    if number <= PROGRAM_BYTES:
        raise ParameterError(
            f"memory must be more than the {format_bytes(PROGRAM_BYTES)} that the program itself "
            f"may occupy before any work; got {size!r}"
        )
    return number


def format_bytes(n_bytes: float) -> str:
    """Return ``2.0 GiB`` or ``500 MiB``."""
    for unit in ("GiB", "MiB"):
        if n_bytes >= UNITS[unit]:
            number = n_bytes / UNITS[unit]
            return f"{number:,.0f} {unit}" if number >= 10 else f"{number:.1f} {unit}"
    return f"{n_bytes / UNITS['KiB']:,.0f} KiB"


# ---- memory of the process and the machine ----


def resident_memory() -> int:
    """Return the bytes that this process occupies; 0 if the system does not report it."""
    try:
        return int(PAGES_OF_PROCESS.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        return 0


@cache
def machine_memory() -> int:
    """Return the memory of the machine, or the limit of the container or process if it is lower."""
    limits = [int(text) for text in map(_read_text, _cgroup_files()) if text.isdecimal()]
    sizes = (*limits, _physical_memory(), _process_limit(), NO_LIMIT)
    return min(size for size in sizes if size > 0)


def _process_limit() -> int:
    """Return the address space of this process in bytes (``ulimit -v``); 0 if it is unlimited."""
    try:
        import resource
    except ImportError:  # not on Windows
        return 0
    return max(resource.getrlimit(resource.RLIMIT_AS)[0], 0)


def _physical_memory() -> int:
    """Return the bytes of physical memory; 0 if the system does not report it."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return 0


def _cgroup_files() -> Iterator[Path]:
    """Yield the files with the limits of this process's control groups; some may not exist.

    A container is a control group. In version 2 a group is a directory with a file ``memory.max``,
    in version 1 there is one tree of directories per controller. The limits of the enclosing
    groups apply as well.
    """
    yield CGROUPS / "memory.max"
    yield CGROUPS / "memory" / "memory.limit_in_bytes"
    for line in _read_text(CGROUP_OF_PROCESS).splitlines():
        _, controllers, place = line.split(":", 2)
        if not controllers:
            tree, name = CGROUPS, "memory.max"
        elif "memory" in controllers.split(","):
            tree, name = CGROUPS / "memory", "memory.limit_in_bytes"
        else:
            continue
        inner = tree / place.lstrip("/")
        yield from (directory / name for directory in (inner, *inner.parents))


def _read_text(file: Path) -> str:
    """Return the content of a file; nothing if it cannot be read."""
    try:
        return file.read_text().strip()
    except OSError:
        return ""
