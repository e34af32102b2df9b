"""Measures, queries and pools on images of the corpus."""

from __future__ import annotations

import numpy as np

from irbounds.presentation.registry import make_section, make_tables
from irbounds.results import (
    ImageSummary,
    Interval,
    MeasurePrecision,
    PoolPrecision,
    QueryPrecision,
    QuerySpread,
    SpreadSummary,
    ValidityRow,
)


def make_summary(mean, sd):
    """Return seven different numbers, so that swapped numbers are detected."""
    return ImageSummary(mean, sd, mean - 5 * sd, mean - sd, mean + sd / 8, mean + sd, mean + 5 * sd)


def make_interval(low, high):
    return Interval(low, high, 0.95, "percentile")


def make_sentences(rows):
    return make_section(rows).sentences


def test_corpus_measures_table_has_layout_of_paper():
    spread, other = SpreadSummary(0.0584, 0.0542), SpreadSummary(0.07, 0.06)
    rows = [
        MeasurePrecision("AP", other, spread, None, 4, 50, 1000),
        MeasurePrecision("RR", spread, other, None, 4, 50, 1000),
    ]
    (table,) = make_tables(rows)
    assert table.cells == (
        ("AP", "0.070 \u00b1 0.060", "0.058 \u00b1 0.054"),
        ("RR", "0.058 \u00b1 0.054", "0.070 \u00b1 0.060"),
    )
    assert "of scores over 4 systems, of differences over 6 pairs" in table.caption
    (alone,) = make_tables([MeasurePrecision("AP", other, None, None, 1, 50, 1000)])
    assert alone.headings == ("measure", "of a score")
    assert "of scores over one system, each on 50 queries" in alone.caption
    (systems,) = make_tables([MeasurePrecision("AP", other, None, "a", 1, 50, 1000)])
    assert systems.cells == (("a", "0.070 \u00b1 0.060"),)


def test_corpus_query_spread_and_validity_tables():
    row = QueryPrecision(
        "AP", "a", "303", 0.26, make_summary(0.27, 0.12), make_interval(0.08, 0.52), 1000
    )
    (table,) = make_tables([row])
    assert table.cells == (("303", "0.26", "0.120", "0.08", "0.15", "0.29", "0.39", "0.52"),)
    assert table.title.startswith("AP of a on each query, on the corpus and on 1,000 images")
    (spreads,) = make_tables([QuerySpread("AP", "303", 0.043, 0.111, 0.119, 12, 1000)])
    assert spreads.cells == (("303", "0.043", "0.111", "0.119"),)
    rows = [
        ValidityRow("AP", "quantile", 0.95, 0.026, 0.948, 0.027, 6600, 1000, 1000),
        ValidityRow("AP", "normal", 0.95, 0.024, 0.951, 0.025, 6600, 1000, 1000),
    ]
    (validity,) = make_tables(rows)
    assert validity.cells == (
        ("AP", "quantiles", "2.6", "94.8", "2.7"),
        ("AP", "mean \u00b1 z sd", "2.4", "95.1", "2.5"),
    )
    assert "left out: each image in turn of 1,000" in validity.caption
    (last,) = make_tables([ValidityRow("AP", "normal", 0.95, 0, 1, 0, 6600, 1, 100)])
    assert "left out: the last image of 100" in last.caption


def make_pool(depth, mean, significant):
    return PoolPrecision(
        *("AP", "a", "b", depth, 6.04, mean + 0.01, 0.0004),
        *(make_summary(mean, 0.0121), make_summary(0.04, 0.01), make_summary(0.302, 0.02)),
        *(significant, 50, 1000, np.zeros(3), np.ones(3), np.zeros((50, 3), np.float32)),
    )


def test_pools_are_sorted_from_shallowest_to_all_judgments():
    rows = [make_pool(25, 0.03, 0.6), make_pool(10, 0.05, 0.954), make_pool(None, 0.02, 0.31)]
    (table,) = make_tables(rows)
    assert table.cells[1] == (*("10", "6.0", "0.060", "<0.001", "0.050", "0.041", "0.302", "0.95"),)
    assert table.cells[2][0] == "all"
    assert make_sentences(rows) == [
        "AP: judged to depth 10, a minus b is 0.050 on images, with p < 0.05 in 95 %; with all "
        "judgments 0.020 and 31 %"
    ]


def test_pool_table_fits_80_columns():
    (table,) = make_tables([make_pool(10, 0.05, 0.9)])
    assert len(table.headings) <= 8
    widths = [max(map(len, column)) for column in zip(table.headings, *table.cells, strict=True)]
    assert sum(widths) + 2 * len(widths) <= 80
