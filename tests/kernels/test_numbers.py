"""Decimal numbers: correctly rounded, against Python's float and against exact fractions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from irbounds.kernels.numbers import (
    FINE,
    HARD,
    WRONG,
    divide_rounded,
    parse_floats,
    parse_integers,
)


def columns(texts):
    parts = [text.encode() for text in texts]
    buffer = np.frombuffer(bytearray(b" ".join(parts) + b" "), dtype=np.uint8)
    lengths = np.array([len(part) for part in parts], dtype=np.int64)
    starts = np.cumsum(lengths + 1) - lengths - 1
    return buffer, starts, starts + lengths


def floats(texts):
    buffer, starts, ends = columns(texts)
    values, status = np.empty(len(texts)), np.empty(len(texts), dtype=np.uint8)
    n_left = parse_floats(buffer, starts, ends, values, status)
    assert n_left == (status != FINE).sum()
    return values, status


digits = st.text("0123456789", min_size=1, max_size=22)
decimals = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "-", "+"]),
    digits,
    st.one_of(st.just(""), st.builds(".{}".format, st.text("0123456789", max_size=22))),
    st.one_of(st.just(""), st.builds("{}{}".format, st.sampled_from("eE"), st.integers(-330, 310))),
)


@given(st.lists(decimals, min_size=1, max_size=50))
def test_every_decimal_that_is_read_is_the_nearest_double(texts):
    values, status = floats(texts)
    assert not (status == WRONG).any()
    for text, value, one in zip(texts, values, status, strict=True):
        if one == FINE:
            assert value == float(text), text


def test_seventeen_digits_as_runs_have_them_are_never_left_to_the_slow_way():
    rng = np.random.default_rng(5)
    texts = [repr(x) for x in rng.uniform(1, 50, 20_000).tolist()]
    values, status = floats(texts)
    assert (status == FINE).mean() > 0.999
    read = [v for v, s in zip(values, status, strict=True) if s == FINE]
    expected = [float(t) for t, s in zip(texts, status, strict=True) if s == FINE]
    assert read == expected


def test_half_way_cases_and_their_neighbours_are_rounded_right_or_left_to_the_slow_way():
    # between 2**52 and 2**53 doubles are whole numbers, so x.5 lies half way between two
    rng = np.random.default_rng(8)
    wholes = rng.integers(2**52, 2**53, 5000).tolist()
    ends = (".5", ".499", ".501", ".500", "5e-1", "499e-3", "501e-3")
    texts = [f"{whole}{end}" for whole in wholes for end in ends]
    values, status = floats(texts)
    assert not (status == WRONG).any()
    wrong = [
        t for t, v, s in zip(texts, values, status, strict=True) if s == FINE and v != float(t)
    ]
    assert not wrong
    assert naive.nearest_double("4503599627370497.5") == float("4503599627370497.5")
    assert (status == FINE).mean() > 0.4


def test_a_quotient_half_way_between_two_doubles_is_not_certain():
    for whole in (2**52 + 1, 2**53 - 1):
        _, certain = divide_rounded(np.uint64(10 * whole + 5), 10.0)
        assert not certain
        value, certain = divide_rounded(np.uint64(10 * whole + 4), 10.0)
        assert certain
        assert value == whole


def test_powers_of_ten_beyond_the_exact_ones():
    texts = [f"{d}e{e}" for d in (1, 7, 123456789, 2**53, 2**53 + 1) for e in range(-40, 41)]
    values, status = floats(texts)
    assert not (status == WRONG).any()
    for text, value, one in zip(texts, values, status, strict=True):
        assert one == HARD or value == float(text), text


def test_an_exponent_that_is_not_counted_to_its_end_is_left_to_the_slow_way():
    _, status = floats(["0." + "0" * 100_000 + "1e9999999", "1e-9999999", "1e99999"])
    assert status.tolist() == [HARD, HARD, HARD]


@pytest.mark.parametrize(
    "text", ["", "-", ".", "1e", "1e+", "nan", "inf", "0x1p3", "1_0", "1.2.3", "1,5"]
)
def test_what_is_no_decimal_number_is_wrong(text):
    buffer = np.frombuffer(bytearray(text.encode() + b" "), dtype=np.uint8)
    values, status = np.empty(1), np.empty(1, dtype=np.uint8)
    parse_floats(buffer, np.array([0]), np.array([len(text)]), values, status)
    assert status[0] == WRONG


@given(st.lists(st.integers(-999_999_999, 999_999_999), min_size=1, max_size=30))
def test_whole_numbers(numbers):
    buffer, starts, ends = columns([str(n) for n in numbers])
    values, status = np.empty(len(numbers)), np.empty(len(numbers), dtype=np.uint8)
    assert parse_integers(buffer, starts, ends, values, status) == 0
    assert values.tolist() == numbers


@pytest.mark.parametrize("text", ["1.7", "yes", "-", "1e3", "1234567890", "1 ", "٣"])
def test_what_is_no_whole_number_is_wrong(text):
    buffer = np.frombuffer(bytearray(text.encode() + b" "), dtype=np.uint8)
    values, status = np.empty(1), np.empty(1, dtype=np.uint8)
    length = len(text.encode())
    assert parse_integers(buffer, np.array([0]), np.array([length]), values, status) == 1
