"""Lines into fields, against str.split."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import naive
from irbounds.kernels.fields import split_fields

lines = st.lists(st.text(alphabet="ab1# \t\ré", max_size=12), max_size=12)


@given(lines, st.integers(1, 4), st.booleans())
def test_fields_are_those_of_split(parts, n_fields, ends_with_newline):
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
