"""Digits are decided by the uncertainty."""

from __future__ import annotations

import pytest

from irbounds.report.rounding import decimals, decimals_of_column, fixed


@pytest.mark.parametrize(
    ("half_width", "expected"),
    [(0.043, 3), (0.0999, 3), (0.1, 2), (0.43, 2), (4.3, 1), (43, 0), (430, 0), (1e-30, 8), (0, 4)],
)
def test_two_digits_of_the_half_width(half_width, expected):
    assert decimals(half_width) == expected


def test_unknown_widths_do_not_count():
    nan = float("nan")
    assert decimals(nan) == decimals_of_column([nan, 0]) == 4
    assert decimals_of_column([nan, 0.43, 0]) == 2
    assert decimals_of_column([0.5, 0.05, 0.005]) == 3


def test_fixed():
    assert fixed(0.28119, 3) == "0.281"
    assert fixed(float("nan"), 3) == "-"
