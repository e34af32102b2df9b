"""How large the groups of rows of a Parquet file are, from its last bytes.

To read any rows of a group, its compressed bytes are held in memory; polars does not say how many
there are. The sizes stand at the end of the file, in Thrift's compact protocol, of which that much
is read here as Parquet uses.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

__all__ = ["largest_group"]

ENDING = 8  # bytes: the length of what stands before them, and PAR1
#: numbers of fields: of the whole, and of a group
GROUPS = 4
UNCOMPRESSED, COMPRESSED = 2, 6
#: kinds of values
TRUE, FALSE, BYTE, DOUBLE, TEXT, LIST, SET, STRUCT = 1, 2, 3, 7, 8, 9, 10, 12
LONG = 15  # says that a list's length comes next


def largest_group(path: str) -> int:
    """Bytes of the largest group of rows; of the whole file, where it is not told."""
    with Path(path).open("rb") as opened:
        n_bytes = opened.seek(0, 2)
        opened.seek(max(n_bytes - ENDING, 0))
        length = int.from_bytes(opened.read(4), "little")
        opened.seek(max(n_bytes - ENDING - length, 0))
        told = opened.read(length)
    try:
        groups = _Compact(told).struct()[GROUPS]
        sizes = [group.get(COMPRESSED) or group[UNCOMPRESSED] for group in groups]
    except (IndexError, KeyError, TypeError, AttributeError, RecursionError):
        return n_bytes
    return max(sizes, default=0)


class _Compact:
    """Values from bytes, one after another; records are known by the numbers of their fields."""

    def __init__(self, told: bytes) -> None:
        self.told = told
        self.place = 0

    def struct(self) -> dict[int, Any]:
        fields: dict[int, Any] = {}
        number = 0
        while header := self.byte():
            number = number + (header >> 4) if header >> 4 else self.integer()
            kind = header & 15
            fields[number] = kind == TRUE if kind in (TRUE, FALSE) else self.value(kind)
        return fields

    def value(self, kind: int) -> Any:
        if kind == STRUCT:
            return self.struct()
        if kind in (LIST, SET):
            return self.listed()
        if kind in (TEXT, DOUBLE):  # passed over: nobody asks for these
            length = self.number() if kind == TEXT else 8
            self.place += length
            return None
        return self.byte() if kind in (TRUE, FALSE, BYTE) else self.integer()

    def listed(self) -> list[Any]:
        header = self.byte()
        length = header >> 4 if header >> 4 < LONG else self.number()
        return [self.value(header & 15) for _ in range(length)]

    def byte(self) -> int:
        self.place += 1
        return self.told[self.place - 1]

    def number(self) -> int:
        """Seven bits a byte, the lowest first."""
        total, shift, more = 0, 0, True
        while more:
            here = self.byte()
            total |= (here & 127) << shift
            shift, more = shift + 7, here > 127
        return total

    def integer(self) -> int:
        """With a sign, which is the lowest bit."""
        number = self.number()
        return number >> 1 ^ -(number & 1)
