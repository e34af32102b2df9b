"""The stored digits of every verb, on one thread and on two."""

from __future__ import annotations

import pytest
from benchmarks.golden import TOLERANCE, compare_with_file, list_differences

import irbounds


@pytest.mark.parametrize("threads", [1, 2])
def test_numbers_of_every_verb_are_as_stored(threads):
    with irbounds.execution(threads=threads):
        assert compare_with_file() == []


def test_call_and_field_that_differ_are_named():
    before = {"call": [{"mean": (0.1 + 0.2).hex(), "n": 5}], "gone": []}
    now = {"call": [{"mean": (0.3).hex(), "n": 6}], "new": []}
    assert list_differences(before, now, TOLERANCE) == [
        "call, row 0, n: 5 before, 6 now",
        "gone: not computed any more",
        "new: new; write the file",
    ]
    assert "call, row 0, mean: 0.30000000000000004 before, 0.3 now" in list_differences(
        before, now, 0.0
    )
