"""Sizes as people write them."""

from __future__ import annotations

import numpy as np
import pytest

from irbounds.errors import ParameterError
from irbounds.parallel.memory import PROGRAM_BYTES, format_bytes, parse_bytes

MIB = 1 << 20


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("2GiB", 2 << 30),
        ("2 gib", 2 << 30),
        (" 2G ", 2 << 30),
        ("2GB", 2_000_000_000),
        ("1.5GiB", 3 << 29),
        ("500MB", 500_000_000),
        ("1TiB", 1 << 40),
        ("400000KiB", 400_000 << 10),
        ("300000000", 300_000_000),
        ("300000000B", 300_000_000),
        (300_000_000, 300_000_000),
        (np.int64(1 << 40), 1 << 40),
    ],
)
def test_sizes(given, expected):
    assert parse_bytes(given) == expected


@pytest.mark.parametrize("given", ["", "GiB", "2 XB", "-2GiB", "2,5GiB", 0, -1, 2.5, True, "0", []])
def test_what_is_no_size(given):
    with pytest.raises(ParameterError, match=r"^memory must be a size such as 2GiB or 500MB; got "):
        parse_bytes(given)


@pytest.mark.parametrize("given", ["1MiB", "250MiB", PROGRAM_BYTES])
def test_less_than_the_program_itself(given):
    with pytest.raises(
        ParameterError, match=r"^memory must be more than the 250 MiB that the program .*; got "
    ):
        parse_bytes(given)
    assert parse_bytes(PROGRAM_BYTES + 1) == PROGRAM_BYTES + 1


@pytest.mark.parametrize(
    ("n_bytes", "shown"),
    [
        (0, "0 KiB"),
        (1536, "2 KiB"),
        (MIB, "1.0 MiB"),
        (9.94 * MIB, "9.9 MiB"),
        (512 * MIB, "512 MiB"),
        (1023 * MIB, "1,023 MiB"),
        (1.25 * 2**30, "1.2 GiB"),
        (2**40, "1,024 GiB"),
    ],
)
def test_sizes_are_shown_as_people_write_them(n_bytes, shown):
    assert format_bytes(n_bytes) == shown
