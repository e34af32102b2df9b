"""Measures and queries on images of the corpus."""

from __future__ import annotations

from irbounds.presentation.registry import make_section, make_tables
from irbounds.results import (
    ImageSummary,
    Interval,
    MeasurePrecision,
    QueryPrecision,
    SpreadSummary,
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
        MeasurePrecision("AP", other, spread, 4, 50, 1000),
        MeasurePrecision("RR", spread, other, 4, 50, 1000),
    ]
    (table,) = make_tables(rows)
    assert table.cells == (
        ("AP", "0.070 \u00b1 0.060", "0.058 \u00b1 0.054"),
        ("RR", "0.058 \u00b1 0.054", "0.070 \u00b1 0.060"),
    )
    assert "of scores over 4 systems, of differences over 6 pairs" in table.caption
    (alone,) = make_tables([MeasurePrecision("AP", other, None, 1, 50, 1000)])
    assert alone.headings == ("measure", "of a score")
    assert "of scores over one system, each on 50 queries" in alone.caption


def test_corpus_query_table():
    row = QueryPrecision(
        "AP", "a", "303", 0.26, make_summary(0.27, 0.12), make_interval(0.08, 0.52), 1000
    )
    (table,) = make_tables([row])
    assert table.cells == (("303", "0.26", "0.120", "0.08", "0.15", "0.29", "0.39", "0.52"),)
    assert table.title.startswith("AP of a on each query, on the corpus and on 1,000 images")
