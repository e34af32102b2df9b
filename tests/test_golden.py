"""The stored digits of every verb, on one thread and on two."""

from __future__ import annotations

from benchmarks.golden import TOLERANCE, compare_with_file, compute, list_differences

import irbounds


def test_numbers_of_every_verb_are_as_stored_on_one_thread_and_on_two():
    with irbounds.execution(threads=1):
        on_one = compute()
    with irbounds.execution(threads=2):
        on_two = compute()
    assert compare_with_file(on_one) == []
    assert list_differences(on_one, on_two, tolerance=0.0) == []


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
