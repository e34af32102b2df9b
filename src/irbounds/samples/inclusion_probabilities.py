"""Sizes of strata from inclusion probabilities.

If n documents of a segment have the same inclusion probability p, they are a simple random sample
of a stratum of n / p documents. A probability is printed with a few decimals, so n / p is known
within a range. The range must contain an integer. The sizes of the strata must add up to the size
of the segment, which determines the size within the range.

If nearly every document has a different probability, the sample is not stratified (Webber 2013,
section 5.1): its variance needs the joint probabilities of pairs of documents, which a list of
single probabilities does not give.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from ..errors import DataError

FEW = 3  # so few probabilities can be strata of one document each
ANOTHER_SET = "; was the sample drawn for another retrieved set?"


@dataclass(frozen=True)
class _Range:
    """The possible sizes of a stratum of which n documents were drawn with a probability."""

    likeliest: int
    low: int
    high: int


def stratum_sizes(sampled: Mapping[Decimal, int], size: int, segment: str) -> dict[Decimal, int]:
    """Return the size of each stratum by probability; ``sampled`` has the numbers drawn."""
    _check_shared(sampled, segment)
    ranges = {p: _size_range(p, n, segment) for p, n in sampled.items()}
    low = sum(sizes.low for sizes in ranges.values())
    high = sum(sizes.high for sizes in ranges.values())
    if not low <= size <= high:
        total = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        raise DataError(
            f"{segment}: inclusion probabilities imply {total} documents, but the segment has "
            f"{size:,}{ANOTHER_SET}"
        )
    return _choose_sizes(ranges, size)


def _check_shared(sampled: Mapping[Decimal, int], segment: str) -> None:
    n_single = sum(n == 1 and p < 1 for p, n in sampled.items())
    if len(sampled) > FEW and 2 * n_single > len(sampled):
        raise DataError(
            f"{segment}: {len(sampled):,} different inclusion probabilities for "
            f"{sum(sampled.values()):,} documents: a sample with unequal probabilities is not "
            "stratified, and its interval needs the probabilities of pairs of documents"
        )


def _size_range(probability: Decimal, n: int, segment: str) -> _Range:
    """Return the integers N for which n / N is printed as the probability."""
    p = Fraction(probability)
    if p == 1:
        return _Range(n, n, n)
    half = Fraction(10) ** int(probability.as_tuple().exponent) / 2
    low = math.ceil(n / min(p + half, Fraction(1)))
    high = math.floor(n / (p - half))
    if low > high:
        raise DataError(
            f"{segment}: {n:,} documents drawn with probability {probability} would come from "
            f"{float(n / p):,.2f}, which is not an integer{ANOTHER_SET}"
        )
    return _Range(min(max(round(n / p), low), high), low, high)


def _choose_sizes(ranges: Mapping[Decimal, _Range], size: int) -> dict[Decimal, int]:
    """Return sizes that add up; the difference is divided in proportion to the ranges."""
    sizes = {p: possible.likeliest for p, possible in ranges.items()}
    missing = size - sum(sizes.values())
    rooms = {
        p: (
            possible.high - possible.likeliest if missing > 0 else possible.likeliest - possible.low
        )
        for p, possible in ranges.items()
    }
    left, room_left = abs(missing), sum(rooms.values())
    for p, room in sorted(rooms.items(), key=lambda item: item[1]):
        part = round(Fraction(left * room, room_left)) if room_left else 0
        sizes[p] += part if missing > 0 else -part
        left, room_left = left - part, room_left - room
    return sizes
