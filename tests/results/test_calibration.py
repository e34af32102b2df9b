"""Nominal and actual error rates, in sentences and tables."""

from __future__ import annotations

import math

from irbounds.presentation.registry import make_section, make_tables
from irbounds.results import CalibrationRow


def row(method, error, *, honest=False, verdict="short", recommended=False, width=0.3, level=0.95):
    return CalibrationRow(
        *("AP", 10, method, level, error, 0.0012, 0.01, error - 0.01, 0.0, width, 0.001, 0.5),
        *(0.02, 0.2, "poor", "honest" if honest else verdict, recommended),
    )


def said(rows):
    return make_section(rows).sentences


def test_calibration_says_what_to_use_or_that_nothing_will_do():
    good = row("bca", 0.055, honest=True, recommended=True)
    assert said([row("basic", 0.1), good]) == ["AP, 10 queries, 95 %: use bca, which misses 5.5 %"]
    endless = row("studentised", 0.04, honest=True, width=math.inf)
    assert said([row("basic", 0.1), endless]) == [
        "AP, 10 queries, 95 %: only studentised is honest, and some of its intervals have no end; "
        "more queries are needed"
    ]
    assert said([row("basic", 0.1), row("bca", 0.08)]) == [
        "AP, 10 queries, 95 %: none of these methods is honest; bca is closest, missing 8.0 %"
    ]
    assert said([row("basic", 0.1), row("bca", 0.08, verdict="unclear")]) == [
        "AP, 10 queries, 95 %: too few samples to decide which method is honest; draw more"
    ]


def test_calibration_tables_are_one_a_level():
    rows = [row("bca", 0.08), row("bca", 0.2, level=0.8)] * 2
    first, second = make_tables(rows)
    assert [len(table.cells) for table in (first, second)] == [2, 2]
    assert first.cells[0] == (
        *("10", "bca", "0.080", "0.0012", "0.010", "0.070", "0.000", "0.300", "0.200", "short"),
    )
    assert "nominally 0.2" in second.title
