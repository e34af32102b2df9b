"""Figures of measures and queries on corpus images."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np

from irbounds.presentation.figures.boxes import MAX_NAMED
from irbounds.presentation.figures.corpus_measure_plots import (
    draw_measure_spreads,
    draw_query_distributions,
)
from irbounds.presentation.figures.style import COLOURS, CONTRAST, EMPHASIS
from irbounds.results import (
    ImageSummary,
    Interval,
    MeasurePrecision,
    QueryPrecision,
    SpreadSummary,
)

N_QUERIES = 20


def summary(mean, sd):
    """Seven different numbers, so that one in the place of another shows."""
    return ImageSummary(mean, sd, mean - 3 * sd, mean - sd, mean + sd / 8, mean + sd, mean + 4 * sd)


def spread(measure, mean, sd, difference=None):
    differences = SpreadSummary(*difference) if difference else None
    return MeasurePrecision(measure, SpreadSummary(mean, sd), differences, 3, 50, 1000)


SPREADS = [spread("AP", 0.05, 0.04, (0.04, 0.03)), spread("RR", 0.2, 0.1, (0.25, 0.12))]


def halves(mask, axis=0):
    """The columns (or rows) painted in the first and in the second half of the other axis."""
    found = np.nonzero(mask)
    along, across = found[axis], found[1 - axis]
    middle = (along.min() + along.max()) / 2
    return across[along < middle], across[along > middle]


def test_measures_with_and_without_differences(rows_of, painted):
    figure = draw_measure_spreads(SPREADS)
    drawn = {(row["measure"], row["kind"]): row for row in rows_of(figure)}
    assert len(drawn) == 4
    row = drawn["RR", "of a difference of two systems"]
    assert (row["mean"], row["low"], row["high"]) == (0.25, 0.13, 0.37)
    assert "AP of a score: 0.050 ± 0.040. AP of a difference" in figure.description
    above, below = halves(painted(figure, COLOURS[0], legend=False))
    assert np.ptp(above) < np.ptp(below)  # 0.08 against 0.2
    alone = draw_measure_spreads([spread("AP", 0.05, 0.07)])
    (row, *_) = rows_of(alone)
    assert (row["kind"], row["low"]) == ("of a score", 0.0)  # no standard deviation is below 0
    assert "over 3 systems" in alone.description


def query(k, measure="AP"):
    mean = (k + 1) / (N_QUERIES + 2)
    interval = Interval(mean - 0.02, mean + 0.03, 0.95, "percentile")
    return QueryPrecision(
        measure, "bm25", f"q{k}", mean + 0.001, summary(mean, 0.01), interval, 500
    )


def left_and_right(mask):
    """The first and the last third of what is painted."""
    painted = np.flatnonzero(mask.any(axis=0))
    third = (painted[-1] - painted[0]) // 3
    return mask[:, : painted[0] + third], mask[:, painted[-1] - third :]


def test_query_boxes_equal_the_results(rows_of, painted):
    rows = [query(k) for k in reversed(range(N_QUERIES))]
    figure = draw_query_distributions(rows)
    drawn = {row["query"]: row for row in rows_of(figure)}
    for one in rows:
        row = drawn[one.query_id]
        assert row["root"] == one.value
        assert (row["low"], row["high"]) == (one.interval.low, one.interval.high)
        for name in ("minimum", "lower_quartile", "median", "upper_quartile", "maximum"):
            assert row[name] == getattr(one.images, name)
    assert figure.title == "AP of bm25 on single queries, on 500 images"
    assert "medians from 0.05 to 0.91; standard deviations have a median of 0.010" in (
        figure.description
    )
    for colour in (CONTRAST, EMPHASIS):
        left, right = left_and_right(painted(figure, colour, legend=False))
        assert np.nonzero(left)[0].min() > np.nonzero(right)[0].max()


def test_queries_have_their_names_where_there_is_room():
    few = json.dumps(draw_query_distributions([query(k) for k in range(MAX_NAMED)]).to_dict())
    many = json.dumps(draw_query_distributions([query(k) for k in range(MAX_NAMED + 1)]).to_dict())
    assert '"labels": true' in few
    assert '"labels": false' in many


def test_a_systems_long_name_is_short_in_a_title():
    figure = draw_query_distributions([replace(query(k), system="s" * 80) for k in range(3)])
    assert "s" * 40 not in figure.title
    assert figure.title.endswith("s on single queries, on 500 images")
