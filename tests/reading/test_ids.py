"""Ids as integers, compared with ``dict``."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from irbounds.reading.ids import IdentifierTable, intern_strings

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


def test_table_grows_over_many_pieces():
    table = IdentifierTable()
    codes = []
    for piece in range(40):
        texts = [f"doc-{(piece * 3001 + k) % 90_000}" for k in range(5_000)]
        parts = [text.encode() for text in texts]
        lengths = np.array([len(part) for part in parts])
        ends = np.cumsum(lengths)
        buffer = np.frombuffer(bytearray(b"".join(parts)), dtype=np.uint8)
        codes.append((texts, table.intern(buffer, ends - lengths, ends)))
    strings = table.finish().strings()
    assert len(strings) == len(set(strings))
    for texts, numbers in codes:
        assert [strings[number] for number in numbers] == texts
