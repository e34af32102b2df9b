"""What decides the bits of a result besides the work: this version, and those of the libraries.

A checkpoint of other versions is refused, and so is a worker that has others.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import version

LIBRARIES = ("numpy", "scipy", "numba")


def versions() -> dict[str, str]:
    """The versions here, by name."""
    from .. import __version__

    return {"irbounds": __version__} | dict(_of_libraries())


@cache
def _of_libraries() -> tuple[tuple[str, str], ...]:
    return tuple((name, version(name)) for name in LIBRARIES)


def different_versions(there: Mapping[str, str], here: Mapping[str, str]) -> str:
    """What differs, in words; nothing where all are the same."""
    return ", ".join(
        f"{name} is {there.get(name, 'missing')} there and {here.get(name, 'missing')} here"
        for name in sorted(there.keys() | here.keys())
        if there.get(name) != here.get(name)
    )
