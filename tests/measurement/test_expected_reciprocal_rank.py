"""ERR of random rankings against many digits."""

from __future__ import annotations

import mpmath
import pytest

from irbounds.errors import MeasureError
from irbounds.random_rankings.distribution import expected_score


@pytest.mark.parametrize("relevant", [{1: 30}, {1: 3 * 10**6}, {1: 20, 2: 15, 4: 4}])
def test_mean_matches_high_precision(relevant):
    """Fewer of a grade than ranks, more, and both; with fractions, one document at a time."""
    n_documents, cutoff = 10**7, 12
    got = expected_score(n_documents, relevant, f"ERR@{cutoff}")
    with mpmath.workdps(40):
        assert abs(got / high_precision_err(n_documents, relevant, cutoff) - 1) < 3e-15


def high_precision_err(n_documents, relevant, cutoff):
    """Draw by draw; the state is how many of each grade have been passed by."""
    states, total = {(0,) * len(relevant): mpmath.mpf(1)}, mpmath.mpf(0)
    for rank in range(1, cutoff + 1):
        after: dict[tuple[int, ...], mpmath.mpf] = {}
        for met, mass in states.items():
            left = n_documents - rank + 1
            others = left
            for place, (grade, count) in enumerate(relevant.items()):
                chance = mass * (count - met[place]) / left
                stop = mpmath.mpf(2**grade - 1) / 16
                total += chance * stop / rank
                state = (*met[:place], met[place] + 1, *met[place + 1 :])
                after[state] = after.get(state, 0) + chance * (1 - stop)
                others -= count - met[place]
            after[met] = after.get(met, 0) + mass * others / left
        states = after
    return total


def test_long_lists_without_a_cutoff_raise():
    with pytest.raises(MeasureError, match=r"ERR over .* takes 4e\+11 steps, and 5e\+08 is the"):
        expected_score(10**6, 4 * 10**5, "ERR")
    assert 0.08 < expected_score(10**6, 4 * 10**5, "ERR@20") < 0.09
    with pytest.raises(MeasureError, match="give it a cutoff, such as ERR@20"):
        expected_score(10**8, 1, "ERR")  # a few steps a rank, but too many ranks to hold
    assert expected_score(10**12, 0, "ERR") == 0
    assert expected_score([10**12, 5], [0, 2], "ERR")[1] == expected_score(5, 2, "ERR")
