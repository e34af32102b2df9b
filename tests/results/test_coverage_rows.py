"""Nominal and actual error rates, in sentences and tables."""

from __future__ import annotations

from irbounds.presentation.registry import make_section, make_tables
from irbounds.results import RecallCoverageRow


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
