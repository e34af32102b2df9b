"""How much memory this process occupies, and how much its machine has, or its container.

A container is a control group that the system puts a process in. There are two versions of these:
in one a group is a folder with a file ``memory.max``, in the other there is a tree of folders for
each thing that is controlled. A group stands in others, and the tightest limit of all holds.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

NO_LIMIT = 1 << 62  # bytes: as much as you like
GROUPS = Path("/sys/fs/cgroup")
GROUP_OF_PROCESS = Path("/proc/self/cgroup")
PAGES_OF_PROCESS = Path("/proc/self/statm")


def resident() -> int:
    """Bytes that this process occupies now; 0 where the system does not say."""
    try:
        return int(PAGES_OF_PROCESS.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        return 0


@cache
def machine_memory() -> int:
    """Bytes that the machine has, or the container that this runs in, or this process."""
    limits = [int(text) for text in map(_text_of, _files_of_limits()) if text.isdecimal()]
    return min(size for size in (*limits, _physical(), _of_process(), NO_LIMIT) if size > 0)


def _of_process() -> int:
    """Bytes of address space that this process may have (``ulimit -v``); 0 for any number."""
    try:
        import resource
    except ImportError:  # not on Windows
        return 0
    return max(resource.getrlimit(resource.RLIMIT_AS)[0], 0)


def _physical() -> int:
    """Bytes of the machine; 0 where the system does not say."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return 0


def _files_of_limits() -> Iterator[Path]:
    """Of the groups that this process is in, and of all around them; not all of them are there."""
    yield GROUPS / "memory.max"
    yield GROUPS / "memory" / "memory.limit_in_bytes"
    for line in _text_of(GROUP_OF_PROCESS).splitlines():
        _, controllers, place = line.split(":", 2)
        if not controllers:
            tree, name = GROUPS, "memory.max"
        elif "memory" in controllers.split(","):
            tree, name = GROUPS / "memory", "memory.limit_in_bytes"
        else:
            continue
        inner = tree / place.lstrip("/")
        yield from (folder / name for folder in (inner, *inner.parents))


def _text_of(file: Path) -> str:
    """What stands in a file; nothing where it is not there."""
    try:
        return file.read_text().strip()
    except OSError:
        return ""
