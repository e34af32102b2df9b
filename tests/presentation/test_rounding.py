"""Digits are decided by the uncertainty."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import irbounds.presentation
from irbounds.presentation.rounding import (
    decimals,
    decimals_of_column,
    decimals_of_fraction,
    describe_p,
    error_level,
    fixed,
    format_count,
    format_setting,
    percent,
    percentage,
    round_digits,
    scale,
    short_percentage,
    significant,
    tick,
    with_sign,
)


@pytest.mark.parametrize(
    ("half_width", "expected"),
    [(0.043, 3), (0.0999, 3), (0.1, 2), (0.43, 2), (4.3, 1), (43, 0), (430, 0), (1e-30, 8), (0, 4)],
)
def test_decimals_show_two_digits_of_half_width(half_width, expected):
    assert decimals(half_width) == expected


def test_decimals_ignore_unknown_widths():
    nan = float("nan")
    assert decimals(nan) == decimals_of_column([nan, 0]) == 4
    assert decimals_of_column([nan, 0.43, 0]) == 2
    assert decimals_of_column([0.5, 0.05, 0.005]) == 3


def test_fixed_number_of_decimals():
    assert fixed(0.28119, 3) == "0.281"
    assert fixed(float("nan"), 3) == "-"


def test_input_numbers_are_formatted_unrounded():
    assert [percent(level) for level in (0.95, 0.999, 0.9999, 1 / 3)] == [
        *("95 %", "99.9 %", "99.99 %", "33.33333333 %")
    ]
    assert [format_setting(x) for x in (0.02, 50_000.0, 0.1 + 0.2)] == ["0.02", "50,000", "0.3"]
    assert error_level(0.9) == 0.1


def test_computed_numbers_are_rounded():
    nan = float("nan")
    assert percentage(0.0432, 1) == "4.3 %"
    assert (short_percentage(0.125, 1), short_percentage(0.5, 1)) == ("12.5 %", "50 %")
    assert (with_sign(0.0049, 3), with_sign(-0.5, 1), format_count(8789.6)) == (
        "+0.005",
        "-0.5",
        "8,790",
    )
    assert {percentage(nan), with_sign(nan, 2), format_count(nan), significant(nan, 2)} == {"-"}
    assert (describe_p(0.0123), describe_p(0.001), describe_p(0.0009)) == (
        "p = 0.012",
        "p = 0.001",
        "p < 0.001",
    )
    assert (round_digits(0.123456, 4), round_digits(1.7e-7, 1)) == (0.1235, 2e-7)
    assert [decimals_of_fraction(n) for n in (10, 100, 101, 1000, 10**6)] == [1, 2, 3, 3, 3]


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.218, 0.555, ("0.2", "0.6")),
        (-0.063, 0.208, ("-0.10", "0.25")),
        (1, 3, ("1", "3")),
        (1, 129, ("0", "140")),
        (0.0, 1.0, ("0", "1")),
        (1844, 8790, ("1000", "9000")),
        (1e-9, 3e-9, ("0.000000001", "0.000000003")),
    ],
)
def test_scale_has_round_ends_enclosing_both_values(low, high, expected):
    first, last, places = scale(low, high)
    assert (tick(first, places), tick(last, places)) == expected
    assert first <= low * (1 + 1e-9)
    assert last >= high * (1 - 1e-9)


HAND_MADE = re.compile(r":[,+]?(?:\.(?:\d+|\{[^{}]*\}))?[fge%]\}")
NO_NUMBER = re.compile(r'f"quantile_\{q:g\}"')  # a name of a column


def test_number_formats_are_only_in_rounding_module():
    """Number formats are only in rounding.py; d3 formats in figures are not f-strings."""
    directory = Path(irbounds.presentation.__file__).parent
    texts = {path: path.read_text(encoding="utf-8") for path in directory.rglob("*.py")}
    files_with_formats = {
        str(path.relative_to(directory)): HAND_MADE.findall(NO_NUMBER.sub("", text))
        for path, text in texts.items()
        if path.name != "rounding.py"
    }
    assert {name: formats for name, formats in files_with_formats.items() if formats} == {}
    assert HAND_MADE.findall(texts[directory / "rounding.py"])


@pytest.mark.parametrize("text", ["{x:g}", "{x * 100:g} %", "{x:,.0f}", "{x:+.{places}f}"])
def test_number_format_check_detects_formats(text):
    assert HAND_MADE.findall(text)


@pytest.mark.parametrize("text", ["{n:,}", "{number:02d}", ",.{places}f", "{text:>{width}}"])
def test_number_format_check_accepts_formats_without_decimals(text):
    assert not HAND_MADE.findall(text)
