"""Webber (2013), figures without random samples, and what the text says about them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from irbounds.replications.webber2013_curves import (
    BUDGETS,
    QUALITIES,
    SIZES,
    SPLITS,
    bias_table,
    coverage_table,
    estimator_table,
    prior_table,
    width_tables,
)


@pytest.fixture(scope="module")
def widths():
    """Figures 15, 16 and 17, by row and column."""
    return [
        {row: dict(zip(table.columns, ours, strict=True)) for row, ours in _rows(table)}
        for table in width_tables()
    ]


def _rows(table):
    return zip(table.rows, table.ours, strict=True)


def _column(table, name):
    place = table.columns.index(name)
    return np.array([row[place] for row in table.ours])


def test_the_mean_estimate_of_table_iii():
    table = estimator_table()
    assert table.ours[0] == pytest.approx((0.25, 0.31), abs=0.005)
    assert table.theirs == ((0.25, 0.31),)


def test_the_bias_of_figure_3():
    """Less with larger samples, more with lower yield, less with higher recall (section 2.4)."""
    table = bias_table()
    bias = np.array(table.ours)
    assert (np.diff(bias, axis=1) < 0).all()
    assert (np.diff(bias[:3], axis=0) > 0).all()
    assert (bias[3] < bias[2]).all()
    assert bias[0][2] == pytest.approx(estimator_table().ours[0][1] - 0.25)  # Table III
    assert table.rows[2:] == ("300, recall 0.25", "300, recall 0.77")


def test_mean_coverages_match_the_paper_except_wald():
    table = coverage_table()
    means = dict(zip(table.rows, _column(table, "mean"), strict=True))
    assert means["clopper-pearson"] == pytest.approx(0.977, abs=0.0005)
    assert means["wilson"] == pytest.approx(0.953, abs=0.0005)
    assert means["jeffreys"] == pytest.approx(0.951, abs=0.0005)
    assert means["wald"] == pytest.approx(0.846, abs=0.0005)


def test_papers_mean_coverage_of_wald_has_n_minus_1_in_its_variance():
    table = coverage_table()
    means = dict(zip(table.rows, (row[0] for row in table.ours), strict=True))
    assert means["wald, n - 1"] == pytest.approx(0.851, abs=0.00051)


def test_lowest_coverages_match_the_text():
    lowest = dict(zip(coverage_table().rows, _column(coverage_table(), "lowest"), strict=True))
    assert lowest["clopper-pearson"] >= 0.95  # the exact one
    assert lowest["wald"] < 0.02  # "close to 0 for edge cases"
    assert 0.8 < lowest["wilson"] < 0.95  # negative control: an approximate one is not exact


def test_the_table_of_priors():
    table = prior_table()
    at_four_fifths = _column(table, "80%")
    assert (at_four_fifths > 0.48).all()
    assert (at_four_fifths < 0.5).all()
    assert (
        np.diff(np.array(table.ours), axis=1) > 0
    ).all()  # alpha grows with the fraction sampled
    assert (np.diff(_column(table, "20%")) > 0).all()
    assert (np.diff(_column(table, "95%")) < 0).all()


def test_a_higher_yield_is_narrower_and_less_sensitive_to_the_split(widths):
    by_yield = [np.array(list(widths[0][f"{size:,}"].values())) for size in SIZES]
    between = slice(SPLITS.index(0.05), SPLITS.index(0.5) + 1)
    for high, low in itertools.pairwise(by_yield):
        assert (high < low).all()
        assert np.ptp(high[between]) < np.ptp(low[between])


def test_lower_yield_needs_more_of_the_sample_outside(widths):
    best = [min(row, key=row.get) for row in widths[0].values()]
    assert [float(share.rstrip("%")) for share in best] == [20.0, pytest.approx(7.5, abs=3), 2.0]


def test_split_of_a_fifth_is_near_the_best_in_figure_16(widths):
    for row in widths[1].values():
        assert row["20%"] < 1.15 * min(row.values())
        assert row["90%"] > 1.5 * min(row.values())  # negative control: nine tenths is far


def test_quality_and_width(widths):
    by_quality = dict(zip(QUALITIES, widths[1].values(), strict=True))
    precise, thorough = by_quality[0.2, 0.8], by_quality[0.8, 0.2]
    assert all(precise[share] < thorough[share] for share in precise)


def test_the_normal_width_falls_with_the_root_of_the_sample(widths):
    for size in SIZES[:2]:  # a set of 5,000 is sampled whole before long
        row = list(widths[2][f"{size:,}, normal"].values())
        for (one, n), (other, m) in itertools.pairwise(zip(row, BUDGETS, strict=True)):
            assert one / other == pytest.approx((m / n) ** 0.5, rel=0.05)


def test_beta_binomial_and_normal_agree_in_large_samples(widths):
    both = [widths[2][f"500,000, {method}"] for method in ("beta-binomial", "normal")]
    assert both[0]["50,000"] == pytest.approx(both[1]["50,000"], rel=0.01)
    few = [widths[2][f"5,000, {method}"] for method in ("beta-binomial", "normal")]
    assert few[0]["100"] < 1 < few[1]["100"]  # normal intervals wider than all that is possible
