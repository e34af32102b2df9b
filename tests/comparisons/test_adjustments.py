"""Adjusted p-values against R and their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from irbounds.comparisons.adjustments import ADJUSTMENTS, benjamini_hochberg, holm

NAN = np.nan
P = [0.01, 0.02, 0.03, 0.005, 0.5, 0.02, 0.9, 0.0001, 0.04, 1]

# p <- c(0.01, 0.02, 0.03, 0.005, 0.5, 0.02, 0.9, 0.0001, 0.04, 1)
# p.adjust(p, "holm"); p.adjust(p, "BH")
# q <- p; q[c(2, 5)] <- NA; p.adjust(q, "holm"); p.adjust(q, "BH")
# R 4, digits = 17
BY_R = {
    "holm": [0.08, 0.14, 0.15, 0.045, 1, 0.14, 1, 0.001, 0.16, 1],
    "benjamini-hochberg": [
        *(0.033333333333333333, 0.04, 0.05, 0.025, 0.625, 0.04, 1, 0.001, 0.057142857142857148, 1),
    ],
}
BY_R_WITH_GAPS = {
    "holm": [0.06, NAN, 0.12, 0.035, NAN, 0.1, 1, 0.0008, 0.12, 1],
    "benjamini-hochberg": [
        *(0.02666666666666666491, NAN, 0.048, 0.02, NAN, 0.04, 1, 0.0008, 0.05333333333333332982),
        1,
    ],
}


@pytest.mark.parametrize("name", BY_R)
def test_adjustments_match_r(name):
    np.testing.assert_allclose(ADJUSTMENTS[name](np.array(P)), BY_R[name], rtol=1e-14)
    gaps = np.array(P)
    gaps[[1, 4]] = NAN
    np.testing.assert_allclose(ADJUSTMENTS[name](gaps), BY_R_WITH_GAPS[name], rtol=1e-14)


@given(st.lists(st.sampled_from([0.0, 1e-9, 0.01, 0.02, 0.05, 0.3, 1.0]), min_size=1, max_size=12))
def test_adjustments_match_their_definitions(p_values):
    given_values = np.array(p_values)
    np.testing.assert_allclose(holm(given_values), naive.holm(p_values), rtol=1e-13)
    np.testing.assert_allclose(
        benjamini_hochberg(given_values), naive.benjamini_hochberg(p_values), rtol=1e-13
    )


def test_adjustments_of_small_families():
    for adjust in ADJUSTMENTS.values():
        assert adjust(np.array([])).size == 0
        assert adjust(np.array([0.2])).tolist() == [0.2]
        assert np.isnan(adjust(np.array([NAN]))).all()
    stored = np.array(P)
    assert ADJUSTMENTS["none"](stored).tolist() == P


@pytest.mark.parametrize("name", ADJUSTMENTS)
def test_adjusted_limits_contain_the_adjusted_p_values(name):
    # p-values anywhere between their limits, in any order
    rng = np.random.default_rng(7)
    adjust = ADJUSTMENTS[name]
    for _ in range(200):
        ends = np.sort(rng.random((2, 30)) ** 3, axis=0)
        low, high = adjust(ends[0]), adjust(ends[1])
        p = adjust(ends[0] + (ends[1] - ends[0]) * rng.random(30))
        assert ((low <= p) & (p <= high)).all()
