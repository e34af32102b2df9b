"""Park (2011): the paper's tables on its data."""

from __future__ import annotations

import pytest
from replications.park2011 import rows


@pytest.mark.slow
def test_park2011_at_full_scale(data_directory):
    numbers = {}
    for table, row, column, paper, ours in rows(data_directory, 1.0):
        numbers[table, row, column] = ours
        assert abs(ours - paper) < 0.015, (table, row, column)
    assert len(numbers) == 90
    assert numbers["Table 1", "0.05", "n = 5"] > 0.15  # percentile; nominally 0.05
    assert numbers["Table 2", "0.05", "n = 5"] > 0.14  # BCa
    assert numbers["Table 3", "0.05", "n = 5"] < 0.065  # studentised logit
