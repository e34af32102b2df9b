"""Weighted sums compared with numpy."""

from __future__ import annotations

import numpy as np
import pytest

from irbounds.kernels.weighted_sums import TILE, add_weighted, multiply_rows, unpack_signs


@pytest.mark.parametrize("n_columns", [1, TILE - 1, TILE, 2 * TILE + 3])
def test_add_weighted_matches_numpy(n_columns):
    rng = np.random.default_rng(2)
    weights = rng.integers(-3, 5, size=(17, 9)).astype(np.int8)
    columns = rng.normal(size=(17, n_columns))
    sums = np.ones((n_columns, 9))
    add_weighted(weights, columns, sums)
    assert sums == pytest.approx(1 + columns.T @ weights, rel=1e-12)


def test_unpack_signs_matches_bits():
    bits = np.array([0b1011, 2**63], np.uint64)
    signs = np.zeros((2, 64), np.int8)
    unpack_signs(bits, signs)
    expected = [[-1 if int(word) >> r & 1 else 1 for r in range(64)] for word in bits]
    assert signs.tolist() == expected


@pytest.mark.parametrize("n_rows", [1, 2, TILE + 1])
def test_multiply_rows_adds_in_order(n_rows):
    rows = np.random.default_rng(3).normal(size=(n_rows, 18))
    expected = np.zeros((n_rows, n_rows))
    for column in rows.T:
        expected += np.outer(column, column)
    assert np.array_equal(multiply_rows(rows), expected)
