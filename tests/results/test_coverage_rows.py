"""Nominal and actual error rates, in sentences and tables."""

from __future__ import annotations

import math

from irbounds.presentation.registry import make_section, make_tables
from irbounds.results import CalibrationRow, RecallCoverageRow


def make_row(
    method, error, *, honest=False, verdict="short", recommended=False, width=0.3, level=0.95
):
    return CalibrationRow(
        *("AP", 10, method, level, error, 0.0012, 0.01, error - 0.01, 0.0, width, 0.001, 0.5),
        *(0.02, 0.2, "poor", "honest" if honest else verdict, recommended),
    )


def make_sentences(rows):
    return make_section(rows).sentences


def test_calibration_sentence_recommends_method_or_none():
    good = make_row("bca", 0.055, honest=True, recommended=True)
    assert make_sentences([make_row("basic", 0.1), good]) == [
        "AP, 10 queries, 95 %: use bca, which misses 5.5 %"
    ]
    endless = make_row("studentised", 0.04, honest=True, width=math.inf)
    assert make_sentences([make_row("basic", 0.1), endless]) == [
        "AP, 10 queries, 95 %: only studentised is honest, and some of its intervals have no end; "
        "more queries are needed"
    ]
    assert make_sentences([make_row("basic", 0.1), make_row("bca", 0.08)]) == [
        "AP, 10 queries, 95 %: none of these methods is honest; bca is closest, missing 8.0 %"
    ]
    assert make_sentences([make_row("basic", 0.1), make_row("bca", 0.08, verdict="unclear")]) == [
        "AP, 10 queries, 95 %: too few samples to decide which method is honest; draw more"
    ]


def test_one_calibration_table_per_level():
    rows = [make_row("bca", 0.08), make_row("bca", 0.2, level=0.8)] * 2
    first, second = make_tables(rows)
    assert [len(table.cells) for table in (first, second)] == [2, 2]
    assert first.cells[0] == (
        *("10", "bca", "0.080", "0.0012", "0.010", "0.070", "0.000", "0.300", "0.200", "short"),
    )
    assert "nominally 0.2" in second.title


def make_recall_row(method, coverage, noise=0.01, scenario="own", level=0.95):
    return RecallCoverageRow(
        scenario, method, level, coverage, noise, 0.02, 0.001, 0.03, 0.01, 0.002, 0.25, 0.001, 0.5
    )


def test_recall_coverage_has_one_table_per_level_and_row_per_method():
    rows = [
        make_recall_row("koopman", 0.9412),
        make_recall_row("normal", 0.8),
        make_recall_row("normal", 0.7, level=0.9),
    ]
    first, second = make_tables(rows)
    assert first.title == "scenario own: fraction of 95 % intervals that contain the true recall"
    assert "90 %" in second.title
    assert first.headings == (
        *("method", "coverage", "noise", "rmse", "below", "above", "none", "width"),
    )
    assert first.cells[0] == (
        *("koopman", "0.941", "0.010", "0.020", "0.030", "0.010", "0.002", "0.250"),
    )


def test_coverage_bars_show_simulation_noise_within_0_and_1():
    (table,) = make_tables([make_recall_row("koopman", 0.5), make_recall_row("normal", 0.99)])
    assert table.bars == ((0.48, 0.5, 0.52), (0.97, 0.99, 1.0))


def test_coverage_decimals_increase_with_samples():
    (table,) = make_tables([make_recall_row("koopman", 0.94123, noise=0.00012)])
    assert table.cells[0][1] == "0.9412"


def test_coverage_methods_and_named_priors_are_explained():
    rows = [
        make_recall_row("koopman", 0.9),
        make_recall_row("beta-binomial 0.5", 0.9),
        make_recall_row("beta-binomial uniform", 0.9),
    ]
    assert make_section(rows).topics == ["koopman", "beta-binomial", "uniform"]
