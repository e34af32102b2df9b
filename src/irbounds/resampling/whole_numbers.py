"""Scores as whole numbers, and sums of those that are exact.

Sums of doubles depend on their order; those of whole numbers do not. A score becomes the nearest
multiple of a power of two, 2**-38 of the scores' range or finer, so that it moves by at most 2**-39
of it; a score that is such a multiple itself, as fractions such as 3/8 are, does not move.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..kernels.streaming import BITS, DIGIT, DIGITS

Floats = NDArray[np.float64]
Numbers = NDArray[np.uint64]
Objects = NDArray[np.object_]

HALF = 32


@dataclass(frozen=True)
class Grid:
    """Where a system's scores lie: at ``(start + k) * 2**exponent``, k from 0 to 2**39."""

    least: float
    greatest: float

    @cached_property
    def exponent(self) -> int:
        """Of the step, such that less than 2**39 of them lie between the ends."""
        width = self.greatest - self.least or math.ulp(self.greatest)
        return math.frexp(width)[1] - BITS

    @cached_property
    def start(self) -> int:
        """In steps from 0: that of the least score. Any size; whole, so that k is exact."""
        return int(self._steps(self.least))

    def numbers(self, scores: Floats, path: str) -> Numbers:
        """The k of each score."""
        if scores.size and not (self.least <= scores.min() and scores.max() <= self.greatest):
            raise InputError(f"{path}: the file changed while it was read")
        # whole numbers that are less than 2**53 apart: their difference is a double, however large
        return (self._steps(scores) - float(self.start)).astype(np.uint64)

    def _steps(self, scores: Floats | float) -> Floats:
        return np.asarray(np.rint(np.ldexp(scores, -self.exponent)))


class Exact:
    """Sums of whole numbers of 64 bits, which may need more: halves are added up apart."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.upper = np.zeros(shape, np.int64)
        self.lower = np.zeros(shape, np.int64)

    def add(self, numbers: NDArray[np.int64]) -> None:
        """Add to each sum a number."""
        self.upper += numbers >> HALF
        self.lower += numbers & ((1 << HALF) - 1)

    def __getitem__(self, place: slice | int | tuple[slice | int, ...]) -> Objects:
        """Sums as Python's whole numbers."""
        upper, lower = (half[place].astype(object) for half in (self.upper, self.lower))
        exact: Objects = upper * (1 << HALF) + lower
        return exact


def square_in_parts(k: Numbers) -> tuple[Numbers, Numbers]:
    """K * k, of up to 78 bits, as an upper and a lower part of 39."""
    a, b = k >> DIGIT, k & DIGITS
    # (a * 2**20 + b)**2 = (2 a * a + c) * 2**39 + d, where c and d are of 2 a b * 2**20 + b * b
    rest = (a * b << (DIGIT + np.uint64(1))) + b * b
    return 2 * a * a + (rest >> np.uint64(BITS)), rest & np.uint64(2**BITS - 1)


def powers_of_parts(halves: Objects) -> tuple[int, int, int]:
    """Sums of k, its square and its cube, from those of the parts of k that kernels add up."""
    a, b, aa, ab, bb, aaa, aab, abb, bbb = (
        int(upper << HALF) + int(lower) for upper, lower in halves
    )
    d = 1 << int(DIGIT)
    return (
        a * d + b,
        aa * d**2 + 2 * ab * d + bb,
        aaa * d**3 + 3 * aab * d**2 + 3 * abb * d + bbb,
    )
