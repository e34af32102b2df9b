"""Figures of measures, queries and pools on corpus images."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from irbounds.presentation.figures.corpus_measure_plots import (
    MAX_NAMED,
    MAX_POINTS,
    draw_measure_spreads,
    draw_pool_differences,
    draw_pool_p_values,
    draw_query_distributions,
    draw_query_spreads,
    draw_system_spreads,
)
from irbounds.presentation.figures.style import COLOURS, CONTRAST, DASHED_LINE, EMPHASIS, THIN_LINE
from irbounds.results import (
    ImageSummary,
    Interval,
    MeasurePrecision,
    PoolPrecision,
    QueryPrecision,
    QuerySpread,
    SpreadSummary,
)

N_QUERIES = 20


def summary(mean, sd):
    """Seven different numbers, so that one in the place of another shows."""
    return ImageSummary(mean, sd, mean - 3 * sd, mean - sd, mean + sd / 8, mean + sd, mean + 4 * sd)


def spread(measure, mean, sd, difference=None, system=None):
    differences = SpreadSummary(*difference) if difference else None
    n_systems = 1 if system else 3
    return MeasurePrecision(
        measure, SpreadSummary(mean, sd), differences, system, n_systems, 50, 1000
    )


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


def test_systems_by_their_spread(rows_of, painted):
    rows = [spread("AP", 0.05, 0.02, system="a"), spread("AP", 0.2, 0.03, system="b")]
    figure = draw_system_spreads(rows)
    assert {row["system"]: row["mean"] for row in rows_of(figure)} == {"a": 0.05, "b": 0.2}
    assert figure.description.endswith("from 0.050 (a) to 0.200 (b).")
    above, below = halves(painted(figure, EMPHASIS))
    assert above.max() < below.min()


def query(k, measure="AP"):
    mean = (k + 1) / (N_QUERIES + 2)
    interval = Interval(mean - 0.02, mean + 0.03, 0.95, "percentile")
    return QueryPrecision(
        measure, "bm25", f"q{k}", mean + 0.001, summary(mean, 0.01), interval, 500
    )


def query_spread(k, measure="AP", times=1.0):
    high = times * (k + 1) / 100
    return QuerySpread(measure, f"q{k}", high / 2, high, 1.25 * high, 8, 500)


def pool(depth, p_value, sd, measure="AP", n_images=50):
    """Two systems whose mean differences are 0.1, 0.101 and so on, with p-values around one."""
    differences = 0.1 + 0.001 * np.arange(n_images)
    p_values = np.full(n_images, p_value)
    on_queries = tuple(summary((k - 10) / 40, sd) for k in range(N_QUERIES))
    return PoolPrecision(
        measure=measure,
        system="new",
        baseline="old",
        depth=depth,
        n_relevant=7.5,
        difference=0.12,
        p_value=p_value,
        differences=summary(0.12, 0.01),
        p_values=summary(p_value, 0.0),
        query_spreads=summary(sd * 2, 0.01),
        significant=float(p_value < 0.05),
        n_queries=N_QUERIES,
        n_images=n_images,
        image_differences=differences,
        image_p_values=p_values,
        query_differences=np.zeros((N_QUERIES, 3), np.float32),
        query_ids=tuple(f"q{k}" for k in range(N_QUERIES)),
        on_queries=on_queries,
    )


POOLS = [pool(10, 0.64, 0.05), pool(None, 0.04, 0.01)]


def left_and_right(mask):
    """The first and the last third of what is painted."""
    painted = np.flatnonzero(mask.any(axis=0))
    third = (painted[-1] - painted[0]) // 3
    return mask[:, : painted[0] + third], mask[:, painted[-1] - third :]


def test_queries_are_sorted_by_their_95th_percentile(rows_of, painted):
    rows = [query_spread(k) for k in reversed(range(N_QUERIES))]
    figure = draw_query_spreads(rows)
    drawn = rows_of(figure)
    assert [row["query"] for row in drawn][:3] == ["q0", "q1", "q2"]
    last = drawn[N_QUERIES - 1]
    assert (last["median"], last["percentile_95"], last["maximum"]) == (0.1, 0.2, 0.25)
    assert figure.title == "Standard deviation of AP over 500 images, query by query"
    assert figure.description == (
        "AP on 20 queries: the 95th percentile over 8 systems of the standard deviation goes from "
        "0.010 (query q0) to 0.200 (query q19), with a median of 0.105."
    )
    left, right = left_and_right(painted(figure, EMPHASIS, legend=False))
    assert np.nonzero(left)[0].min() > np.nonzero(right)[0].max()  # dots rise to the right


def test_spreads_of_measures_have_one_scale(painted):
    """The second measure spreads ten times as far, so the dots of the first lie at its bottom."""
    rows = [
        *map(query_spread, range(N_QUERIES)),
        *(query_spread(k, "RR", 10.0) for k in range(N_QUERIES)),
    ]
    figure = draw_query_spreads(rows)
    assert figure.title.startswith("Standard deviation of a score over")
    domains = [
        layer["encoding"]["y"]["scale"]["domain"]
        for panel in figure.to_dict()["vconcat"]
        for layer in panel["layer"][:1]
    ]
    assert domains == [[0, 2.5]] * 2
    # the dots of either panel: a tenth of the height above, all of it below
    ink = np.flatnonzero(painted(figure, EMPHASIS, legend=False).any(axis=1))
    between = int(np.argmax(np.diff(ink)))
    above, below = np.ptp(ink[: between + 1]), np.ptp(ink[between + 1 :])
    assert 5 * above < below


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


def test_p_values_against_differences(rows_of, painted):
    figure = draw_pool_p_values(POOLS)
    points = [row for row in rows_of(figure) if "p" in row]
    assert {(0.12, 0.64), (0.12, 0.04)} < {(row["difference"], row["p"]) for row in points}
    assert (0.149, 0.04) in {(row["difference"], row["p"]) for row in points}
    assert figure.title == (
        "new minus old with shallow pools: p-value against difference, image by image"
    )
    assert "AP, depth 10: differences from" in figure.description
    assert "below 0.05 in 100 % of them; on the corpus 0.120 with p = 0.040." in figure.description
    # points are half transparent; the legend's are not
    shallow, full = left_and_right(painted(figure, "#80B8D8"))
    assert np.nonzero(shallow)[0].max() < np.nonzero(full)[0].min()  # 0.64 above 0.04
    assert '"scale": {"type": "sqrt", "nice": false}' in json.dumps(figure.to_dict())


def test_symbols_of_the_legends_of_pools_are_those_of_the_marks(symbol):
    """A circle fills 0.79 of its box, and lines are flat; boxes alone have a legend, too."""
    images = draw_pool_p_values(POOLS)
    assert symbol(images, EMPHASIS) == pytest.approx((0.785, 1), abs=0.1)
    assert symbol(images, CONTRAST)[1] < 0.5
    assert DASHED_LINE in json.dumps(images.to_dict())
    boxes = draw_pool_differences(POOLS)
    assert symbol(boxes, EMPHASIS) == pytest.approx((1, 1), abs=0.1)
    assert THIN_LINE in json.dumps(boxes.to_dict())


@pytest.mark.parametrize("draw", [draw_pool_p_values, draw_pool_differences])
def test_long_names_are_short_in_a_title(draw):
    ends = {"system": "n" * 79 + "1", "baseline": "o" * 79 + "2"}
    title = draw([replace(POOLS[0], **ends)]).title
    assert title.startswith("n" * 26 + "\N{HORIZONTAL ELLIPSIS}" + "n" * 12 + "1 minus ooo")
    assert "o2 with shallow pools" in title
    assert len(title) < 160


def test_a_systems_long_name_is_short_in_a_title():
    figure = draw_query_distributions([replace(query(k), system="s" * 80) for k in range(3)])
    assert "s" * 40 not in figure.title
    assert figure.title.endswith("s on single queries, on 500 images")


def test_of_many_images_the_first_are_drawn(rows_of):
    figure = draw_pool_p_values([pool(10, 0.2, 0.1, n_images=MAX_POINTS + 100)])
    differences = [row["difference"] for row in rows_of(figure) if "difference" in row]
    most = 0.1 + 0.001 * (MAX_POINTS - 1)
    assert max(differences) == pytest.approx(most)
    assert len(json.dumps(figure.to_dict())) < 60_000


def test_an_image_without_a_p_value_is_not_drawn(rows_of):
    row = pool(10, float("nan"), 0.1)
    assert {one["p"] for one in rows_of(draw_pool_p_values([row])) if "p" in one} == {None}


def test_differences_on_queries_widen_in_shallow_pools(rows_of, painted):
    figure = draw_pool_differences(POOLS)
    boxes = [row for row in rows_of(figure) if "median" in row]
    assert [row["query"] for row in boxes[:2]] == ["q0", "q1"]
    medians = {(row["query"], row["median"]) for row in boxes}
    assert medians == {
        (query_id, one.median)
        for row in POOLS
        for query_id, one in zip(row.query_ids, row.on_queries, strict=True)
    }
    widths = {round(row["upper_quartile"] - row["lower_quartile"], 9) for row in boxes}
    assert widths == {0.1, 0.02}
    assert "all judgments: box plots of the difference on 20 queries, medians from -0.249 to" in (
        figure.description
    )
    shallow, full = left_and_right(painted(figure, EMPHASIS, legend=False))
    assert shallow.sum() > 1.5 * full.sum()


def test_a_query_has_one_place_in_all_panels(rows_of):
    """In the order of the deepest pool, whatever the shallow one says."""
    turned = pool(10, 0.64, 0.05)
    turned = PoolPrecision(**{**vars(turned), "on_queries": turned.on_queries[::-1]})
    boxes = [
        row["query"]
        for row in rows_of(draw_pool_differences([turned, POOLS[1]]))
        if "median" in row
    ]
    assert boxes[:N_QUERIES] == boxes[-N_QUERIES:] == [f"q{k}" for k in range(N_QUERIES)]
