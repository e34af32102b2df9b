"""Weighted sums compared with numpy."""

from __future__ import annotations

import numpy as np
import pytest

from irbounds.kernels.weighted_sums import TILE, add_weighted, multiply_rows


@pytest.mark.parametrize("n_columns", [1, TILE - 1, TILE, 2 * TILE + 3])
def test_add_weighted_matches_numpy(n_columns):
    rng = np.random.default_rng(2)
    weights = rng.integers(-3, 5, size=(17, 9)).astype(np.int8)
    columns = rng.normal(size=(17, n_columns))
    sums = np.ones((n_columns, 9))
    add_weighted(weights, columns, sums)
    assert sums == pytest.approx(1 + columns.T @ weights, rel=1e-12)


@pytest.mark.parametrize("n_rows", [1, 2, TILE + 1])
def test_multiply_rows_adds_in_order(n_rows):
    rows = np.random.default_rng(3).normal(size=(n_rows, 18))
    expected = np.zeros((n_rows, n_rows))
    for column in rows.T:
        expected += np.outer(column, column)
    assert np.array_equal(multiply_rows(rows), expected)
