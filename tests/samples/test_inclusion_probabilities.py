"""Sizes of strata from inclusion probabilities."""

from __future__ import annotations

import random
from decimal import Decimal

import pytest

from irbounds.errors import DataError
from irbounds.samples.inclusion_probabilities import stratum_sizes


@pytest.mark.parametrize(
    ("sampled", "size", "expected"),
    [
        ({"0.5": 10}, 20, [20]),
        ({"0.33": 10}, 30, [30]),  # one third, printed with two decimals
        ({"0.33": 10}, 31, None),  # 10 / 31 is printed as 0.32
        ({"1": 7, "0.25": 5}, 27, [7, 20]),
        ({"1.0": 7}, 8, None),
        ({"0.0123": 200}, 16_250, [16_250]),
        # 16,260 and 20 is the likeliest; what is missing goes where there is room
        ({"0.0123": 200, "0.5000": 10}, 16_270, [16_250, 20]),
        ({"0.0123": 200, "0.5000": 10}, 17_000, None),
        ({"1e-3": 3}, 2400, [2400]),
    ],
)
def test_stratum_sizes_from_probabilities(sampled, size, expected):
    given = {Decimal(p): n for p, n in sampled.items()}
    if expected is None:
        with pytest.raises(DataError, match=r"inclusion probabilities imply .* the segment has"):
            stratum_sizes(given, size, "retrieved")
    else:
        assert list(stratum_sizes(given, size, "retrieved").values()) == expected


@pytest.mark.parametrize("seed", range(50))
def test_sizes_are_recovered_from_rounded_probabilities(seed):
    """Whatever the decimals: sizes add up, and each is one that prints as its probability."""
    draw = random.Random(seed)
    places = draw.randint(2, 7)
    found: dict[Decimal, tuple[int, int]] = {}
    for _ in range(draw.randint(1, 4)):
        size = draw.randint(20, 3000)
        n = draw.randint(max(2, size // 40), size)
        found[Decimal(f"{n / size:.{places}f}")] = (n, size)
    total = sum(size for _, size in found.values())
    sizes = stratum_sizes({p: n for p, (n, _) in found.items()}, total, "s")
    assert sum(sizes.values()) == total
    half = Decimal(1).scaleb(-places) / 2
    for p, size in sizes.items():
        assert abs(Decimal(found[p][0]) / size - p) <= half * Decimal("1.000001")
