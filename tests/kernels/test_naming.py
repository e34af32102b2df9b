"""Numbers that stand for ids."""

from __future__ import annotations

import numpy as np
import pytest

import naive
from irbounds.kernels.naming import name_ids


def names_of(ids: list[str]) -> np.ndarray:
    encoded = [one.encode() for one in ids]
    names = np.empty(len(ids), np.uint64)
    ends = np.cumsum([len(one) for one in encoded], dtype=np.int64)
    name_ids(np.frombuffer(b"".join(encoded), np.uint8), ends, names)
    return names


@pytest.mark.parametrize(
    "ids",
    [
        ["1", "01", "1\0", "a", "abcdefg", "abcdefgh", "abcdefghi", "x" * 100],
        ["müßig", "質問", "🔎", " ", "q 1"],
        ["only"],
    ],
)
def test_as_the_slow_twin(ids):
    assert names_of(ids).tolist() == [naive.query_number(one) for one in ids]


def test_short_ids_share_no_number():
    names = names_of([str(k) for k in range(200_000)])
    assert len(np.unique(names)) == len(names)  # by construction: none is over eight bytes


def test_every_bit_is_as_often_set_as_not():
    """Of 20,000 ids that differ little; 64 bits, 5 sigma: a false alarm in 30,000 such tests."""
    names = names_of([f"query-number-{k}" for k in range(20_000)])
    set_bits = np.array([np.count_nonzero(names >> np.uint64(k) & np.uint64(1)) for k in range(64)])
    assert np.abs(set_bits - 10_000).max() < 5 * np.sqrt(5_000)
