"""Rows of scores that are prepared together: the same bits as each row by itself."""

from __future__ import annotations

import numpy as np
import pytest

from irbounds.resampling.queries import SCORES_AT_ONCE, bootstrap_queries


@pytest.mark.parametrize("shape", [(1, 1), (7, 3), (130, 50), (5, SCORES_AT_ONCE // 2 + 1)])
@pytest.mark.parametrize("scale", [1, 1e200, 1e-200])
def test_a_row_has_the_same_bits_in_any_company(shape, scale):
    scores = np.random.default_rng(shape).normal(size=shape) * scale
    together = bootstrap_queries(scores, 40, 3, standard_errors=True)
    strided = bootstrap_queries(np.asfortranarray(scores), 40, 3, standard_errors=True)
    listed = bootstrap_queries(list(scores), 40, 3, standard_errors=True)
    for other in (strided, listed):
        assert np.array_equal(together.means, other.means)
        assert np.array_equal(together.standard_errors, other.standard_errors)
    for k in {0, shape[0] // 2, shape[0] - 1}:
        alone = bootstrap_queries(scores[k : k + 1], 40, 3, standard_errors=True)
        assert np.array_equal(together.means[k], alone.means[0])
        assert np.array_equal(together.standard_errors[k], alone.standard_errors[0])
