"""Ids as integers, compared with ``dict``, and arrays that grow."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from irbounds.reading.ids import GrowableArray, IdentifierTable, grow, intern_strings

characters = st.characters(exclude_categories=["Cs"])
ids = st.lists(st.text(characters, min_size=1, max_size=9), max_size=60)


@given(ids, ids)
def test_ids_are_numbered_in_order_of_first_appearance(first, second):
    identifiers, codes = intern_strings(first)
    expected = list(dict.fromkeys(first))
    assert identifiers.strings() == expected
    assert [identifiers[code] for code in codes] == first
    others, _ = intern_strings(second)
    place = {text: k for k, text in enumerate(expected)}
    assert others.numbers_in(identifiers).tolist() == [place.get(t, -1) for t in others.strings()]


def test_table_grows_and_keeps_ids():
    """100,000 ids in ten parts, each repeated in the next part."""
    ids = [f"document-{k}" for k in range(100_000)]
    table = IdentifierTable()
    for begin in range(0, 100_000, 10_000):
        part = [text.encode() for text in ids[max(begin - 10_000, 0) : begin + 10_000]]
        ends = np.cumsum([len(text) for text in part])
        starts = ends - [len(text) for text in part]
        codes = table.intern(np.frombuffer(bytearray().join(part), np.uint8), starts, ends)
        assert codes.tolist() == list(range(max(begin - 10_000, 0), begin + 10_000))
    identifiers = table.finish()
    assert identifiers.strings() == ids
    assert identifiers.numbers_in(identifiers).tolist() == list(range(100_000))
    assert identifiers.text.nbytes == sum(map(len, ids))


@given(st.lists(st.lists(st.integers(-5, 5), max_size=9000), max_size=5))
def test_growable_array_concatenates_parts(parts):
    column = GrowableArray(np.int32)
    for part in parts:
        column.append(np.array(part, np.int32))
    flat = [value for part in parts for value in part]
    assert len(column) == len(flat)
    assert column.finish().tolist() == flat


def test_growable_array_takes_an_eighth_more_than_its_content():
    column = GrowableArray(np.float64)
    for k in range(2000):
        column.append(np.full(1000, k, np.float64))
        assert column._array.nbytes <= max(8 * 1.125 * len(column) + 8000, 8 << 12)
    array = column.finish()
    assert array.nbytes == 16_000_000
    assert (array == np.repeat(np.arange(2000), 1000)).all()


def test_grow_keeps_a_large_enough_array():
    array = np.arange(10)
    grow(array, 10)
    assert array.tolist() == list(range(10))
