"""Kernels of reading, compared with ``str.split``, ``float`` and slow code."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from irbounds.reading._kernels import (
    FINE,
    HARD,
    WRONG,
    divide_rounded,
    parse_floats,
    parse_integers,
    split_fields,
)

lines = st.lists(st.text(alphabet="ab1# \t\ré", max_size=12), max_size=12)


@given(lines, st.integers(1, 4), st.booleans())
def test_split_fields_matches_str_split(parts, n_fields, ends_with_newline):
    text = "\n".join(parts) + "\n" * ends_with_newline
    raw = text.encode()
    starts = np.empty((n_fields, len(parts) + 1), dtype=np.int64)
    ends = np.empty_like(starts)
    numbers = np.empty(len(parts) + 1, dtype=np.int64)
    bad_lines, bad_counts = np.empty(3, dtype=np.int64), np.empty(3, dtype=np.int64)
    buffer = np.frombuffer(bytearray(raw), dtype=np.uint8)
    n, _, n_bad = split_fields(buffer, starts, ends, numbers, bad_lines, bad_counts)
    records, bad = naive.parse_fields(text, n_fields)
    found = [[raw[starts[f, i] : ends[f, i]].decode() for f in range(n_fields)] for i in range(n)]
    assert found == records
    assert n_bad == len(bad)
    shown = zip((bad_lines[:n_bad] + 1).tolist(), bad_counts[:n_bad].tolist(), strict=True)
    assert list(shown) == bad[:3]


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
def test_parsed_decimals_are_the_nearest_doubles(texts):
    values, status = floats(texts)
    assert not (status == WRONG).any()
    for text, value, one in zip(texts, values, status, strict=True):
        if one == FINE:
            assert value == float(text), text


def test_numbers_of_seventeen_digits_are_parsed_by_the_kernel():
    rng = np.random.default_rng(5)
    texts = [repr(x) for x in rng.uniform(1, 50, 20_000).tolist()]
    values, status = floats(texts)
    assert (status == FINE).mean() > 0.999
    read = [v for v, s in zip(values, status, strict=True) if s == FINE]
    expected = [float(t) for t, s in zip(texts, status, strict=True) if s == FINE]
    assert read == expected


def test_decimals_half_way_between_doubles_are_rounded_correctly_or_left_to_python():
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


def test_quotient_half_way_between_doubles_is_uncertain():
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


def test_huge_exponents_are_left_to_python():
    _, status = floats(["0." + "0" * 100_000 + "1e9999999", "1e-9999999", "1e99999"])
    assert status.tolist() == [HARD, HARD, HARD]


@pytest.mark.parametrize(
    "text", ["", "-", ".", "1e", "1e+", "nan", "inf", "0x1p3", "1_0", "1.2.3", "1,5"]
)
def test_text_that_is_not_a_decimal_number_is_wrong(text):
    buffer = np.frombuffer(bytearray(text.encode() + b" "), dtype=np.uint8)
    values, status = np.empty(1), np.empty(1, dtype=np.uint8)
    parse_floats(buffer, np.array([0]), np.array([len(text)]), values, status)
    assert status[0] == WRONG


@given(st.lists(st.integers(-999_999_999, 999_999_999), min_size=1, max_size=30))
def test_integers(numbers):
    buffer, starts, ends = columns([str(n) for n in numbers])
    values, status = np.empty(len(numbers)), np.empty(len(numbers), dtype=np.uint8)
    assert parse_integers(buffer, starts, ends, values, status) == 0
    assert values.tolist() == numbers


@pytest.mark.parametrize("text", ["1.7", "yes", "-", "1e3", "1234567890", "1 ", "٣"])
def test_text_that_is_not_an_integer_is_wrong(text):
    buffer = np.frombuffer(bytearray(text.encode() + b" "), dtype=np.uint8)
    values, status = np.empty(1), np.empty(1, dtype=np.uint8)
    length = len(text.encode())
    assert parse_integers(buffer, np.array([0]), np.array([length]), values, status) == 1
