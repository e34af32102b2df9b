"""What is worked on: units, and blocks of them.

A unit is the smallest piece of work that has random numbers of its own: 64 images of a corpus, 64
resamples of queries, 100 samples of a calibration. What a unit gives depends on its number and on
nothing else. Units are worked on in blocks, stretches of them that are large enough to be worth
handing to another thread or machine; how they are cut changes no result.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from numpy.typing import NDArray

__all__ = ["Arrays", "Block", "Units", "Work", "bind", "work_on"]

#: what a unit gives
Arrays = tuple[NDArray[Any], ...]
#: the numbers of a block's units
Block = range
#: what a block gives, unit by unit
Units = list[Arrays]
#: a function at the top of a module, with what all units share bound to it by name: so that another
#: process can call it, and a checkpoint can tell it from others
Work = partial[Arrays]


def bind(function: Callable[..., Arrays], **shared: Any) -> Work:
    """Work on units: ``function`` is called with a unit's number and what all units share."""
    return partial(function, **shared)


def work_on(work: Work, block: Block) -> Units:
    """Work on the units of a block, here and now."""
    from .execution import SERIAL, using

    with using(SERIAL):  # work within a unit is not divided again
        return [work(unit) for unit in block]
