"""Ids as integers, once: the distinct ids of a file, and the table that finds them again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Identifiers:
    """Distinct ids; an id's number is its place.

    Kept as one stretch of UTF-8 with offsets, hashes and a hash table: some 32 to 48 bytes an id
    beyond its letters, where a dict of Python strings takes about 150.
    """

    text: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    hashes: NDArray[np.uint64]
    slots: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, number: int) -> str:
        return bytes(self.text[self.offsets[number] : self.offsets[number + 1]]).decode()

    @property
    def nbytes(self) -> int:
        """What the arrays take."""
        return sum(array.nbytes for array in (self.text, self.offsets, self.hashes, self.slots))

    def strings(self) -> list[str]:
        """Every id, in order of its number."""
        raw = self.text.tobytes()
        bounds = self.offsets.tolist()
        return [raw[a:b].decode() for a, b in pairwise(bounds)]

    def numbers_in(self, other: Identifiers) -> NDArray[np.int32]:
        """The number that each of these ids has in ``other``, or -1."""
        if other is self:
            return np.arange(len(self), dtype=np.int32)
        from ._kernels import find_ids

        numbers = np.empty(len(self), dtype=np.int32)
        find_ids(
            self.text, self.offsets, self.hashes, other.text, other.offsets, other.slots, numbers
        )
        return numbers


class IdentifierTable:
    """Collects ids chunk by chunk; ``finish`` gives the ``Identifiers``.

    ``in_stretches`` says that ids are mostly equal to the one before, as query ids are.
    """

    def __init__(self, *, in_stretches: bool = False) -> None:
        self._in_stretches = in_stretches
        self._n_ids = 0
        self._text: NDArray[np.uint8] = np.empty(1 << 12, dtype=np.uint8)
        self._offsets: NDArray[np.int64] = np.zeros(1 << 8, dtype=np.int64)
        self._hashes: NDArray[np.uint64] = np.zeros(1 << 8, dtype=np.uint64)
        self._slots: NDArray[np.int64] = np.full(1 << 14, -1, dtype=np.int64)

    def intern(
        self, buffer: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]
    ) -> NDArray[np.int32]:
        """The numbers of the ids that stand in ``buffer`` between ``starts`` and ``ends``."""
        from ._kernels import intern_ids

        self._make_room(len(starts), int((ends - starts).sum()))
        codes = np.empty(len(starts), dtype=np.int32)
        self._n_ids = intern_ids(
            buffer,
            starts,
            ends,
            self._text,
            self._offsets,
            self._hashes,
            self._slots,
            self._n_ids,
            self._in_stretches,
            codes,
        )
        return codes

    def finish(self) -> Identifiers:
        """What was collected, trimmed to size; nothing can be added after that."""
        self._text.resize(int(self._offsets[self._n_ids]), refcheck=False)
        self._offsets.resize(self._n_ids + 1, refcheck=False)
        self._hashes.resize(self._n_ids, refcheck=False)
        return Identifiers(self._text, self._offsets, self._hashes, self._slots)

    @property
    def nbytes(self) -> int:
        """What is taken so far."""
        return sum(array.nbytes for array in (self._text, self._offsets, self._hashes, self._slots))

    def _make_room(self, n_new: int, n_bytes: int) -> None:
        """Grow for the worst case, every id new; by a share, so that an id's cost is constant."""
        from ._kernels import place_ids

        grow(self._text, int(self._offsets[self._n_ids]) + n_bytes)
        grow(self._offsets, self._n_ids + n_new + 1)
        grow(self._hashes, self._n_ids + n_new)
        n_slots = _power_of_two(2 * (self._n_ids + n_new))
        if n_slots > len(self._slots):
            self._slots = np.empty(0, dtype=np.int64)  # gone before the next is made
            self._slots = np.full(n_slots, -1, dtype=np.int64)
            place_ids(self._hashes, self._n_ids, self._slots)


def intern_strings(ids: Sequence[str]) -> tuple[Identifiers, NDArray[np.int32]]:
    """The distinct ids among these, in order of appearance, and each one's number."""
    parts = [text.encode() for text in ids]
    lengths = np.fromiter(map(len, parts), dtype=np.int64, count=len(parts))
    buffer = np.frombuffer(bytearray().join(parts), dtype=np.uint8)
    ends = np.cumsum(lengths, dtype=np.int64)
    table = IdentifierTable()
    codes = table.intern(buffer, ends - lengths, ends)
    return table.finish(), codes


def _power_of_two(n: int) -> int:
    return 1 << max(n - 1, 1).bit_length()


# Arrays that grow at their end, by an eighth at a time.
#
# The room is asked of the system anew rather than copied into: for a large array, Linux then moves
# pages and not bytes. So a column of unknown length takes its own size and an eighth, where parts
# and their concatenation would take it twice.

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
