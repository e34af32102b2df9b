"""Webber's figures: the paper's numbers, and what is painted."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

import naive
from irbounds.presentation.figures.style import COLOURS, CONTRAST, EMPHASIS
from irbounds.replications import webber2013_coverage as boxes
from irbounds.replications import webber2013_curves as curves
from irbounds.replications import webber2013_figures as drawings
from irbounds.replications.webber2013_coverage import scenario_coverages
from irbounds.replications.webber2013_curves import StudyCurve
from irbounds.results import RecallCoverage

#: mean coverages that the text gives; Wald's is 0.851 there, by n - 1 in place of n
PRINTED = {"clopper-pearson": "0.977", "wald": "0.846", "wilson": "0.953", "jeffreys": "0.951"}


MANY_PIXELS = 800  # of a line across the figure
FEW = (0.005, 0.02, 0.06, 0.1, 0.2, 0.3, 0.6, 0.9, 0.98, 0.998)  # splits


@pytest.fixture(scope="module")
def proportions():
    return {one.method: one for one in curves.proportion_coverages()}


@pytest.fixture(scope="module")
def coverages():
    return scenario_coverages(n_realisations=8, n_samples=25, rng=1)


def test_figure_2_has_the_papers_means(rows_of, painted):
    scatter = curves.estimator_scatter()
    figure = drawings.draw_sampling_distribution(scatter)
    assert "True recall is 0.25, the mean estimate 0.31" in figure.description
    rows = [row for row in rows_of(figure) if "missed" in row and "r" not in row]
    assert sum(row["probability"] for row in rows) == pytest.approx(1, abs=1e-3)
    assert sum(row["probability"] * row["estimate"] for row in rows) == pytest.approx(
        0.314, abs=1e-3
    )
    at_one = [row for row in rows if row["missed"] == 0]
    assert [row["estimate"] for row in at_one] == [1.0]
    heights = painted(figure, EMPHASIS).sum(axis=0)
    highest = np.flatnonzero(heights > 0.8 * heights.max())
    assert highest.min() > 0.8 * len(heights)  # at recall 1 alone


def test_figure_3_falls_with_the_sample_and_has_its_axis(rows_of, painted):
    lines = curves.bias_curves()
    assert all(one < other for line in lines for other, one in pairwise(line.y))
    figure = drawings.draw_estimator_bias(lines)
    spec = figure.to_dict()["encoding"]["x"]
    assert (spec["title"], spec["scale"]["type"]) == ("unretrieved documents sampled", "log")
    assert len(rows_of(figure)) == 4 * len(lines[0].x)
    rows, columns = np.nonzero(painted(figure, COLOURS[2]))  # the third line, which falls
    inside = columns < 0.7 * columns.max()  # not the legend's
    left = rows[inside & (columns < columns.min() + 40)].mean()
    assert left < rows[inside].mean()


@pytest.mark.parametrize(("method", "mean"), PRINTED.items())
def test_figures_4_to_7_have_the_papers_means(method, mean, proportions, rows_of):
    coverage = proportions[method]
    figure = drawings.draw_proportion_coverage(coverage)
    assert f"{mean} on average" in figure.description
    rows = rows_of(figure)
    assert len({row["piece"] for row in rows if "piece" in row}) == len(coverage.pieces)
    # weighed by their lengths, the pieces have the mean that is computed without a grid
    total = sum(np.mean(p.y) * (p.x[-1] - p.x[0]) for p in coverage.pieces)
    assert total == pytest.approx(coverage.mean, abs=0.003)


def test_axis_of_wald_begins_at_zero_and_of_wilson_does_not(proportions, painted):
    heights = {}
    for name in ("wald", "wilson"):
        rows = np.nonzero(painted(drawings.draw_proportion_coverage(proportions[name]), EMPHASIS))[
            0
        ]
        heights[name] = np.median(rows)
    # Wald's axis reaches down to 0, so most of the line is at the top; Wilson's starts at 0.8
    assert heights["wald"] < heights["wilson"]


def test_curves_of_figure_8_meet_near_a_fraction_of_0_8(rows_of, painted):
    lines = curves.prior_curves()
    meeting = [float(np.interp(0.8, one.x, one.y)) for one in lines]
    assert max(meeting) < 0.5  # slightly below, the paper says
    assert max(meeting) - min(meeting) < 0.03
    apart = [float(np.interp(0.2, one.x, one.y)) for one in lines]
    assert max(apart) - min(apart) > 0.2
    figure = drawings.draw_conservative_priors(lines)
    assert {row["label"] for row in rows_of(figure)} == {one.label for one in lines}
    spec = figure.to_dict()["encoding"]
    assert spec["y"]["title"] == "alpha = beta"
    rows, columns = np.nonzero(painted(figure, COLOURS[0]))  # of 20 documents: the steepest
    inside = columns < 0.75 * columns.max()
    assert rows[inside & (columns < 400)].mean() > rows[inside & (columns > 900)].mean()


def test_figures_10_to_12_draw_the_boxes(coverages, rows_of):
    for number, one in zip((10, 11, 12), coverages, strict=True):
        made = boxes.coverage_boxes(one)
        figure = drawings.draw_coverage_boxes(one, made)
        assert figure.name == f"webber2013-figure-{number}"
        drawn_boxes = {row["method"]: row for row in rows_of(figure) if "fewer" in row}
        for m, box in enumerate(made):
            quartiles = np.quantile(one.coverages[:, m], (0.25, 0.5, 0.75))
            row = drawn_boxes[box.label]
            assert [row["lower_quartile"], row["median"], row["upper_quartile"]] == pytest.approx(
                quartiles
            )
            assert row["fewer"] == (one.coverages[:, m].min() < 0.7 - 1e-9)


def test_low_coverage_is_drawn_to_the_left(coverages, painted):
    """Boxes of two made-up methods: one at the level, one far below it."""
    kept = boxes.coverage_boxes(coverages[0])[-1]
    moved = replace(kept, label="broken", first_quartile=0.75, median=0.78, third_quartile=0.8)
    figure = drawings.draw_coverage_boxes(coverages[0], [kept, moved])
    rows, columns = np.nonzero(painted(figure, EMPHASIS, legend=False))
    middle = (rows.min() + rows.max()) / 2
    assert columns[rows > middle].max() < columns[rows < middle].min()


def test_whiskers_and_outliers(coverages):
    for one in coverages:
        for m, box in enumerate(boxes.coverage_boxes(one)):
            reach = 1.5 * (box.third_quartile - box.first_quartile)
            assert box.low >= box.first_quartile - reach - 1e-9
            counted = sum(times for _, times in box.outliers)
            shares = one.coverages[:, m]
            outside = (shares < box.low - 1e-6) | (shares > box.high + 1e-6)
            assert counted == outside.sum()


def test_boxes_match_a_slow_implementation():
    """Uneven fractions, some equal, with corpora beyond both whiskers and on one of them."""
    shares = np.array([0.2, 0.7, 0.9, 0.92, 0.94, 0.94, 0.95, 0.96, 0.97, 0.98, 1.0, 0.7])
    whole = np.stack([shares, np.linspace(0, 0.4, 12)], axis=1)
    zero = np.zeros_like(whole)
    coverage = RecallCoverage("neutral", ("one", "two"), 0.95, "two-sided", 10, 0, (), (),
                              1 - whole, zero, zero, zero)  # fmt: skip
    for m, box in enumerate(boxes.coverage_boxes(coverage)):
        ours = (box.low, box.first_quartile, box.median, box.third_quartile, box.high)
        wanted, beyond = naive.box_plot([float(x) for x in whole[:, m]])
        assert ours == pytest.approx(wanted)
        assert [share for share, times in box.outliers for _ in range(times)] == pytest.approx(
            beyond
        )


def test_figure_13_has_both_gaps(coverages, rows_of, painted):
    neutral = coverages[0]
    below, above = boxes.gap_boxes(neutral)
    figure = drawings.draw_gap_boxes(neutral, below, above)
    means = [row["mean"] for row in rows_of(figure) if "mean" in row]
    assert set(np.round(means, 9)) == {round(box.mean, 9) for box in (*below, *above)}
    assert below[4].mean == pytest.approx(neutral.below[:, 4].mean())
    medians = np.unique(np.nonzero(painted(figure, CONTRAST, legend=False))[0])
    gap = np.diff(medians).max()
    assert gap > 60  # pixels between the two panels


def test_figure_14_splits_all_realisations(coverages, rows_of, painted):
    figure = drawings.draw_closest_fractions(coverages)
    shares = {(row["method"], k): row["fraction"] for k, row in enumerate(rows_of(figure))}
    panels = len(coverages)
    layers = len(shares) // (panels * 9)
    assert sum(shares.values()) / layers == pytest.approx(panels)


def test_bars_of_figure_14_are_proportional_to_fractions(coverages, painted):
    """Fractions that are made up; without realisations' noise, whose lines would cover the bars."""
    shares = (0.05, 0.1, 0.1, 0.1, 0.4, 0.05, 0.1, 0.05, 0.05)
    rows = tuple(
        replace(row, closest=share) for row, share in zip(coverages[0].rows, shares, strict=True)
    )
    made = SimpleNamespace(scenario="neutral", rows=rows, realisations=range(10**9))
    bars = painted(
        drawings.draw_closest_fractions([made]), "#66AAD1"
    )  # EMPHASIS at the bars' opacity
    short, long = (bars[k].sum() for k in _middles(bars, 1, 4))
    assert long / short == pytest.approx(4, rel=0.05)


def _middles(bars: np.ndarray, *places: int) -> list[int]:
    """Rows of pixels in the middle of some of the nine methods."""
    rows = np.flatnonzero(bars.any(axis=1))
    step = (rows.max() + 1 - rows.min()) / 9
    return [int(rows.min() + step * (place + 0.3)) for place in places]


def test_figures_15_and_16_match_the_text(painted):
    by_yield = curves.yield_width_curves(FEW)
    narrow, middle, wide = by_yield
    for share in (100, 1_000, 3_000):
        at = [np.interp(share, one.x, one.y) for one in by_yield]
        assert at[0] < at[1] < at[2]  # narrower for higher yield
    assert wide.y[-1] < max(wide.y) - 0.02  # the anomaly of the retrieval of 5,000
    assert middle.y[-1] == max(middle.y)
    # lower prevalence needs more assessments outside
    places = [one.x[int(np.argmin(one.y))] for one in by_yield]
    assert places[0] > places[1] > places[2]
    figure = drawings.draw_widths_by_yield(by_yield)
    assert figure.to_dict()["encoding"]["x"]["scale"]["domain"] == [0, 5000]
    rows = [np.nonzero(painted(figure, colour))[0] for colour in COLOURS[:3:2]]
    assert np.median(rows[0]) > np.median(rows[1])  # the high yield is painted lower
    assert narrow.label in figure.description


def test_split_of_a_fifth_is_near_the_best_in_figure_16(rows_of, painted):
    by_quality = curves.quality_width_curves(FEW)
    for one in by_quality:
        assert np.interp(1_000, one.x, one.y) < 1.15 * min(one.y)
    low_precision = next(one for one in by_quality if one.label == "recall 0.8, precision 0.2")
    assert low_precision.y == max((one.y for one in by_quality), key=min)
    figure = drawings.draw_widths_by_quality(by_quality)
    assert {row["label"] for row in rows_of(figure)} == {one.label for one in by_quality}
    pixels = [np.nonzero(painted(figure, colour)) for colour in COLOURS[1:3]]
    narrow, wide = (rows[columns < 800].mean() for rows, columns in pixels)  # left of the legend
    assert wide < narrow  # low precision and high recall are painted above


def test_figure_17_draws_the_posterior_in_colour_and_the_normal_in_grey(rows_of, painted):
    x = (100.0, 10_000.0)
    lines = [
        StudyCurve("5,000", x, (0.9, 0.2), "beta-binomial"),
        StudyCurve("5,000", x, (4.5, 0.5), "normal"),
    ]
    figure = drawings.draw_widths_by_budget(lines)
    assert {(row["method"], row["y"]) for row in rows_of(figure)} >= {("normal", 4.5)}
    heights = []
    for colour in (COLOURS[0], "#7F7F7F"):
        rows, columns = np.nonzero(painted(figure, colour))
        inside = (columns > 300) & (columns < 1100)  # neither axis nor legend
        assert inside.sum() > MANY_PIXELS
        heights.append(rows[inside].mean())
    assert heights[0] > heights[1] + 50  # the normal one is wider, so higher


@pytest.mark.slow
def test_figure_17_matches_the_text():
    lines = {(one.kind, one.label): one for one in curves.budget_width_curves()}
    normal = lines["normal", "5,000"]
    assert max(normal.y) > 1  # "wider than 1.0 in some cases"
    root = [y * np.sqrt(x) for x, y in zip(normal.x[:6], normal.y[:6], strict=True)]
    assert max(root) < 1.05 * min(root)  # the 1 / sqrt(n) reduction
    ours, theirs = lines["beta-binomial", "500,000"], lines["normal", "500,000"]
    for k in range(3, len(ours.y)):  # the two agree for high prevalence
        assert ours.y[k] == pytest.approx(theirs.y[k], rel=0.05)
    assert max(lines["beta-binomial", "5,000"].y) <= 1
