"""Random signs, shared by all systems."""

from __future__ import annotations

import numpy as np
import pytest

from irbounds import execution
from irbounds.comparisons.sign_flip import flip_signs
from irbounds.resampling.seeds import Purpose, stream

SCORES = np.random.default_rng(3).normal(size=(4, 23))


def test_equal_to_signs_one_by_one():
    words = [
        stream(9, Purpose.sign_flips, unit).integers(0, 2**64, size=(23,), dtype=np.uint64)
        for unit in range(2)
    ]
    signs = np.array(
        [[1 - 2 * (int(word) >> r & 1) for word in unit] for unit in words for r in range(64)]
    )
    found = flip_signs(SCORES, 100, 9)
    assert found == pytest.approx((SCORES @ signs.T / 23)[:, :100], rel=1e-12, abs=1e-15)


def test_the_same_bits_on_any_threads_and_more_only_add():
    with execution(threads=1):
        one = flip_signs(SCORES, 1000, 9)
    with execution(threads=3, n_blocks=5):
        assert np.array_equal(one, flip_signs(SCORES, 1000, 9))
    assert np.array_equal(one[:, :70], flip_signs(SCORES, 70, 9))
