"""Errors with line numbers."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from irbounds.reading.error_list import LineNumbers


@given(st.lists(st.lists(st.integers(1, 3), max_size=20), min_size=1, max_size=4))
def test_lines_of_records_match_a_list(steps):
    numbers, lines, line = LineNumbers(), [], 0
    for part in steps:
        here = line + np.cumsum(part, dtype=np.int64)
        numbers.append(here.astype(np.int64))
        lines += here.tolist()
        line = lines[-1] if lines else 0
    assert [numbers[k] for k in range(len(lines))] == lines


def test_line_numbers_without_gaps():
    numbers = LineNumbers.without_gaps()
    assert [numbers[k] for k in (0, 7, 10**9)] == [1, 8, 10**9 + 1]
