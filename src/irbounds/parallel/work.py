"""What is worked on: units, and blocks of them.

A unit is the smallest piece of work that is handed out: 64 images of a corpus, 64 resamples of
queries, 100 samples of a calibration, a stretch of a stream. Its random numbers are its own: what
it gives depends on its number and on nothing else. Units are worked on in blocks, ranges of them
that are large enough to be worth handing to another thread or machine; how they are cut changes no
result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import DTypeLike, NDArray

from .execution import WITHIN_UNIT, using

AHEAD = 2  # blocks a worker that are handed over, and may be done, before they are needed

#: what a unit gives
Arrays = tuple[NDArray[Any], ...]
#: the shape and the type of each array that a unit gives, by the unit's number
Layout = Callable[[int], Sequence[tuple[tuple[int, ...], DTypeLike]]]
#: the numbers of a block's units
Block = range
#: what a block gives, unit by unit
Units = list[Arrays]


@dataclass(frozen=True, eq=False)
class Work:
    """What to do with every unit, with all that they share, and what a person would call it."""

    #: at the top of a module, so that another process can call it
    function: Callable[..., Arrays]
    #: in words
    what: str
    #: what a person asked for, by the names that they know
    asked: Mapping[str, Any]
    #: what was read from files, in words by the name under which it is shared
    read: Mapping[str, str]
    #: what the function is called with besides a unit's number
    shared: Mapping[str, Any]

    def __call__(self, unit: int) -> Arrays:
        """What a unit gives."""
        return self.function(unit, **self.shared)


def bind(
    function: Callable[..., Arrays],
    what: str,
    /,
    *,
    asked: Mapping[str, Any] | None = None,
    read: Mapping[str, str] | None = None,
    **shared: Any,
) -> Work:
    """Work on units: ``function`` is called with a unit's number and what all units share.

    ``what``, ``asked`` and ``read`` are for people who read a checkpoint's folder, and for what is
    said where it turns out to be of other work.
    """
    unbound = sorted(set(read or {}) - set(shared))
    if unbound:
        raise TypeError(f"{what}: read, and not shared: {', '.join(unbound)}")
    return Work(function, what, asked or {}, read or {}, shared)


def work_on(work: Work, block: Block) -> Units:
    """Work on the units of a block, here and now."""
    with using(WITHIN_UNIT):  # the same here as on a worker that knows nothing of the caller
        return [work(unit) for unit in block]
