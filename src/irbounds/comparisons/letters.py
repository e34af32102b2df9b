"""Compact letters: systems that share a letter cannot be told apart, those that share none can.

A letter stands for a longest run of systems, in the order of their means, of which no two differ.
That says it all where a pair differs as soon as its means lie far enough apart: whatever lies
between two systems that cannot be told apart cannot be told apart from them either.
"""

from __future__ import annotations

from bisect import bisect_right
from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray


def compact_letters(means: NDArray[np.float64], reach: float) -> list[str]:
    """Letters of each system; ``means`` fall, and two systems differ that are over ``reach`` apart.

    Beyond 26 groups their names have several letters; then the first and the last of a system's
    are given, as in ``x-ac``, and it has all between.
    """
    groups: list[range] = []
    for first, mean in enumerate(means):
        last = int(np.count_nonzero(mean - means <= reach))
        if not groups or last > groups[-1].stop:
            groups.append(range(first, last))
    few = len(groups) <= len(ascii_lowercase)
    letters = []
    for system in range(len(means)):
        # groups begin and end in their order, so those of a system follow each other
        first = bisect_right(groups, system, key=lambda group: group.stop)
        last = bisect_right(groups, system, key=lambda group: group.start) - 1
        if few:
            letters.append("".join(map(_name, range(first, last + 1))))
        else:
            letters.append("-".join(map(_name, sorted({first, last}))))
    return letters


def _name(k: int) -> str:
    """A to z, then aa, ab and so on."""
    name = ""
    while k >= 0:
        k, letter = divmod(k, len(ascii_lowercase))
        name = ascii_lowercase[letter] + name
        k -= 1
    return name
