"""Arrays that grow at their end, by an eighth at a time.

The room is asked of the system anew rather than copied into: for a large array, Linux then moves
pages and not bytes. So a column of unknown length takes its own size and an eighth, where parts and
their concatenation would take it twice.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Scalar = TypeVar("Scalar", bound=np.generic)

LEAST = 1 << 12


def grow(array: NDArray[Any], size: int) -> None:
    """Make room for ``size`` numbers, in place; nobody else may look at the array meanwhile."""
    if size > len(array):
        array.resize(max(size, len(array) + len(array) // 8, LEAST), refcheck=False)


class Growing(Generic[Scalar]):
    """A column that is read part by part."""

    def __init__(self, kind: type[Scalar]) -> None:
        self._array: NDArray[Scalar] = np.empty(0, kind)
        self._n = 0

    def __len__(self) -> int:
        return self._n

    @property
    def nbytes(self) -> int:
        """What is taken so far."""
        return self._array.nbytes

    def append(self, part: NDArray[Scalar]) -> None:
        """Add a part at the end."""
        grow(self._array, self._n + len(part))
        self._array[self._n : self._n + len(part)] = part
        self._n += len(part)

    def finish(self) -> NDArray[Scalar]:
        """What was collected, trimmed to size; nothing can be added after that."""
        self._array.resize(self._n, refcheck=False)
        return self._array
