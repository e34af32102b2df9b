"""Strata from inclusion probabilities: how many documents a sample was drawn from.

Where n documents of a segment have the same inclusion probability p, they are a simple random
sample of a stratum of n / p documents. A probability is printed with some decimals, so n / p is
known within a range; the range must hold a whole number, and the strata of a segment must add up to
its size, which also settles what the decimals left open.

Where nearly every document has a probability of its own, the sample is no stratified one (Webber
2013, section 5.1): its variance needs the joint probabilities of pairs of documents, which a list
of single ones does not give.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from ..errors import DataError

FEW = 3  # probabilities that may well be strata of one document each
ANOTHER_SET = "; was the sample drawn for another retrieved set?"


@dataclass(frozen=True)
class _Range:
    """What n documents drawn with a printed probability allow for the size of their stratum."""

    likeliest: int
    low: int
    high: int


def stratum_sizes(sampled: Mapping[Decimal, int], size: int, segment: str) -> dict[Decimal, int]:
    """Documents of each stratum, by its probability; ``sampled`` counts those that were drawn."""
    _check_shared(sampled, segment)
    ranges = {p: _range(p, n, segment) for p, n in sampled.items()}
    low = sum(one.low for one in ranges.values())
    high = sum(one.high for one in ranges.values())
    if not low <= size <= high:
        total = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        raise DataError(
            f"{segment}: inclusion probabilities stand for {total} documents, but the segment has "
            f"{size:,}{ANOTHER_SET}"
        )
    return _settled(ranges, size)


def _check_shared(sampled: Mapping[Decimal, int], segment: str) -> None:
    alone = sum(n == 1 and p < 1 for p, n in sampled.items())
    if len(sampled) > FEW and 2 * alone > len(sampled):
        raise DataError(
            f"{segment}: {len(sampled):,} different inclusion probabilities for "
            f"{sum(sampled.values()):,} documents: a sample with unequal probabilities is no "
            "stratified one, and its interval needs the probabilities of pairs of documents"
        )


def _range(probability: Decimal, n: int, segment: str) -> _Range:
    """Whole numbers N for which n / N is printed as the probability."""
    p = Fraction(probability)
    if p == 1:
        return _Range(n, n, n)
    half = Fraction(10) ** int(probability.as_tuple().exponent) / 2
    low = math.ceil(n / min(p + half, Fraction(1)))
    high = math.floor(n / (p - half))
    if low > high:
        raise DataError(
            f"{segment}: {n:,} documents drawn with probability {probability} would come from "
            f"{float(n / p):,.2f}, which is no whole number{ANOTHER_SET}"
        )
    return _Range(min(max(round(n / p), low), high), low, high)


def _settled(ranges: Mapping[Decimal, _Range], size: int) -> dict[Decimal, int]:
    """Sizes that add up: what is over or missing goes where the decimals leave most room."""
    sizes = {p: one.likeliest for p, one in ranges.items()}
    missing = size - sum(sizes.values())
    rooms = {
        p: (one.high - one.likeliest) if missing > 0 else (one.likeliest - one.low)
        for p, one in ranges.items()
    }
    left, room_left = abs(missing), sum(rooms.values())
    for p, room in sorted(rooms.items(), key=lambda item: item[1]):
        share = round(Fraction(left * room, room_left)) if room_left else 0
        sizes[p] += share if missing > 0 else -share
        left, room_left = left - share, room_left - room
    return sizes
