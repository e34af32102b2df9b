"""Figure 1 of Bestgen (2015)."""

from __future__ import annotations

import numpy as np
import pytest

from irbounds.presentation.figures.style import COLOURS, QUIET
from irbounds.replications.bestgen2015 import PREVALENCES, SIZES, curve_points
from irbounds.replications.bestgen2015_presentation import (
    draw_bestgen_figures,
    draw_difference_by_size,
    draw_exact_against_prevalence,
)


@pytest.fixture(scope="module")
def points():
    return curve_points()


def test_curves_contain_the_points(points, rows_of):
    figure = draw_difference_by_size(points)
    drawn = {(row["curve"], row["n_documents"]): row for row in rows_of(figure) if "curve" in row}
    assert len(drawn) == len(points)
    for point in points:
        row = drawn[point.curve, point.n_documents]
        assert (row["exact"], row["difference"]) == (point.exact, point.exact - point.prevalence)
    assert {row["place"] for row in rows_of(figure) if "place" in row} == {0.01}
    axes = figure.to_dict()["layer"][1]["encoding"]
    assert axes["x"]["title"] == "documents, N"
    assert axes["y"]["title"] == "expected AP of a random ranking - fraction of relevant"
    assert "the largest is 0.193, for R = 1 and N = 10" in figure.description
    assert figure.name == "bestgen2015-figure-1"


def test_curves_of_the_same_colour_have_different_dashes(points):
    scales = draw_difference_by_size(points).to_dict()["layer"][1]["encoding"]
    colours, dashes = (scales[key]["scale"]["range"] for key in ("color", "strokeDash"))
    looks = [(colour, tuple(dash)) for colour, dash in zip(colours, dashes, strict=True)]
    assert len(set(looks)) == len(looks) == 1 + len(PREVALENCES)


def test_larger_prevalence_is_drawn_lower(points, painted):
    figure = draw_difference_by_size(points)
    some, more = (painted(figure, COLOURS[k]) for k in (4, 5))  # p = 0.2 and p = 0.4
    plot = slice(0, int(0.75 * some.shape[1]))  # less the legend, which is in this order anyway
    assert np.nonzero(some[:, plot])[0].mean() + 20 < np.nonzero(more[:, plot])[0].mean()


def test_scores_are_above_the_line_and_approach_it(points, rows_of, painted):
    figure = draw_exact_against_prevalence(points)
    drawn = [row for row in rows_of(figure) if "size" in row]
    assert {row["n_documents"] for row in drawn} <= set(SIZES)
    assert all(row["exact"] > row["prevalence"] for row in drawn)
    plot = slice(0, int(0.75 * painted(figure, COLOURS[0]).shape[1]))  # less the legend
    # of N = 1,000 the curve is next to the line of equal values, which it covers in part
    rows, columns = np.nonzero(painted(figure, COLOURS[4])[:, plot])
    slope, offset = np.polyfit(columns, rows, 1)

    def above(colour: str) -> float:
        dots, places = np.nonzero(painted(figure, colour)[:, plot])
        return float(np.mean(slope * places + offset - dots))

    heights = [above(COLOURS[k]) for k in range(3)]  # N = 10, 20, 50
    assert heights == sorted(heights, reverse=True)
    assert heights[-1] > 20  # pixels; some 40 by the data
    assert painted(figure, QUIET)[:, plot].sum() > 900  # the dashed line too; 406 without it
    assert "farthest is 0.293 where 0.100 are relevant, of 10." in figure.description


def test_both_figures_are_written(points):
    assert [figure.name for figure in draw_bestgen_figures(points)] == [
        *("bestgen2015-figure-1", "bestgen2015-exact-against-prevalence"),
    ]
