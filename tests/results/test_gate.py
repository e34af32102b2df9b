"""The gate's result: overall verdict, digits and lines."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from irbounds.results import Gate, GateCheck
from irbounds.results.gate import gate_lines

CHECK = GateCheck(
    measure="AP",
    verdict="pass",
    old_mean=0.41375,
    new_mean=0.42375,
    value=0.01,
    low=-0.00012,
    high=0.02012,
    margin=0.01,
    relative_margin=None,
    p_pass=0.0036,
    p_fail=0.9964,
    adjusted_p_fail=0.9964,
    n=8,
    n_lost=2,
    n_gained=5,
    queries_needed=None,
    power=0.8,
    method="student-t",
    confidence_level=0.95,
    high_level=0.95,
)


def gate_of(*verdicts, **options):
    checks = tuple(
        replace(CHECK, measure=f"m{k}", verdict=verdict, queries_needed=70 + k)
        for k, verdict in enumerate(verdicts)
    )
    return Gate("old", "new", checks, "not-worse", **options)


@pytest.mark.parametrize(
    ("verdicts", "overall", "status"),
    [
        (("pass",), "pass", 0),
        (("pass", "pass"), "pass", 0),
        (("pass", "undecided"), "undecided", 3),
        (("undecided", "fail"), "fail", 1),
        (("pass", "fail"), "fail", 1),
        (("undecided",), "undecided", 3),
    ],
)
def test_overall_verdict_and_status(verdicts, overall, status):
    gate = gate_of(*verdicts)
    assert (gate.verdict, gate.status) == (overall, status)
    assert gate_lines(gate)[0].startswith(f"{overall.upper()}: new")
    for undecided, counted in (("pass", 0), ("fail", 1)):
        changed = replace(gate, undecided=undecided)
        assert changed.verdict == overall
        assert changed.status == (counted if overall == "undecided" else status)


def test_lines_have_as_many_digits_as_show_the_verdict():
    assert gate_lines(gate_of("pass")) == [
        "PASS: new is not worse than old by more than the margin in m0 (8 queries)",
        "m0 0.4138 -> 0.4238, difference +0.0100 (-0.0001 to +0.0201), margin 0.01",
        "It would pass with any margin above 0.0001 (95 % limits).",
    ]
    near = replace(CHECK, low=-0.0099996)
    line = gate_lines(Gate("old", "new", (near,), "not-worse"))[1]
    assert "(-0.009999" in line or "(-0.0099996" in line


def test_lines_of_several_measures():
    lines = gate_lines(gate_of("pass", "undecided", "undecided"))
    assert len(lines) == 5
    assert lines[0].endswith("in m1 and m2 (8 queries)")
    assert lines[-1] == (
        "About 71 queries in m1 and 72 queries in m2 would decide (95 % limits, 80 % power, same "
        "differences)."
    )
    assert gate_lines(gate_of("fail", "pass", "undecided"))[-1] == (
        "Measures: pass 1, fail 1, undecided 1; 95 % limits, upper ones by Holm's procedure."
    )


def test_lines_where_no_number_of_queries_decides():
    at_margin = replace(CHECK, verdict="undecided")
    (*_, line) = gate_lines(Gate("old", "new", (at_margin,), "not-worse"))
    assert line == "The difference is too close to the margin for any practical number of queries."
    unknown = replace(at_margin, method="clopper-pearson", n_gained=3, low=math.nan, high=math.nan)
    (*_, line) = gate_lines(Gate("old", "new", (unknown,), "not-worse"))
    assert line == (
        "Too few queries change for a t test: 5. Limits need the bounds of the measure (--bounds)."
    )
    same = replace(at_margin, method="clopper-pearson", n_lost=50)
    (*_, line) = gate_lines(Gate("old", "new", (same,), "not-worse"))
    assert line.startswith("All queries change by the same amount")
    assert line.endswith("More queries would not decide.")


def test_small_margins_are_shown():
    small = replace(CHECK, margin=0.00021, relative_margin=0.0005)
    line = gate_lines(Gate("old", "new", (small,), "not-worse"))[1]
    assert line.endswith("margin 0.05 % = 0.0002")
    smaller = replace(CHECK, margin=2e-6, relative_margin=5e-6, low=-0.3, high=0.3)
    line = gate_lines(Gate("old", "new", (smaller,), "not-worse"))[1]
    assert line.endswith(" = 0.000002")


def test_what_an_undecided_gate_counts_as_is_stated():
    assert gate_lines(gate_of("undecided", undecided="pass"))[0].endswith("; counts as pass")
    assert gate_lines(gate_of("pass", undecided="pass"))[0].endswith("(8 queries)")


def test_warnings_are_shown():
    gate = replace(gate_of("pass"), warnings=("half of the run is missing",))
    assert "half of the run is missing" in str(gate)


def test_interval_has_the_level_of_both_limits_together():
    assert CHECK.interval.confidence_level == pytest.approx(0.9)
    assert tuple(CHECK.interval) == (CHECK.low, CHECK.high)
