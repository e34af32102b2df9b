"""Figures 1 to 7 of Zobel and Rashidi (2020), from a small collection."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from irbounds.presentation.figures.style import COLOURS
from irbounds.replications.study_data import StudyCollection
from irbounds.replications.zobel2020 import MEASURES, replicate_zobel2020, zobel2020_figures
from irbounds.replications.zobel2020_presentation import draw_zobel2020 as figures_of
from irbounds.simulation import simulate_collection

TWO = ("AP", "RBP@0.95")


@pytest.fixture(scope="module")
def images():
    made = simulate_collection(5, 6, 2000, 80, rng=5)
    collection = StudyCollection("small", made.qrels, made.runs, made.corpus_size)
    return replicate_zobel2020(collection, n_images=40, rng=1).images


@pytest.fixture(scope="module")
def rows(images):
    return zobel2020_figures(images)


@pytest.fixture(scope="module")
def figures(rows):
    """Of two measures, which are drawn in a third of the time."""
    fields = ("query_spreads", "query_precision", "score_precision", "rank_precision")
    two = {name: tuple(row for row in getattr(rows, name) if row.measure in TWO) for name in fields}
    return figures_of(replace(rows, **two))


def test_rows_are_those_of_the_images_under_the_papers_names(images, rows):
    names = list(MEASURES)
    assert rows.systems == images.systems  # fewer than 25
    for found, whole in (
        (rows.query_spreads, images.query_spreads()),
        (rows.query_precision, images.query_precision(images.systems[2])),
        (rows.score_precision, images.score_precision()),
        (rows.rank_precision, images.rank_precision()),
    ):
        assert list(dict.fromkeys(row.measure for row in found)) == names
        assert [{**vars(row), "measure": ""} for row in found] == [
            {**vars(row), "measure": ""} for row in whole
        ]
    assert [(row.measure, row.depth) for row in rows.pools] == [
        (measure, depth) for measure in ("AP", "RBP@0.95") for depth in (10, 25, None)
    ]
    assert (rows.pools[0].system, rows.pools[0].baseline) == images.systems[:2]


def test_two_systems_are_enough(images):
    rows = zobel2020_figures(images.select(images.systems[:2]))
    assert {row.system for row in rows.query_precision} == {images.systems[1]}


def test_the_figures_have_their_numbers(figures, images):
    assert [figure.name for figure in figures] == [f"zobel2020-figure-{k}" for k in range(1, 8)]
    for number, figure in enumerate(figures, 1):
        assert figure.title.startswith(f"Figure {number}: ")
    said = [figure.description for figure in figures]
    n_queries, n_images = 6, 40
    assert f"AP on {n_queries} queries: the 95th percentile over 5 systems" in said[0]
    assert f"Box plots of AP on {n_queries} queries: medians from" in said[1]
    assert "Box plots of 5 systems by mean AP: " in said[2]
    assert "AP: standard deviation of the mean of 5 systems, " in said[3]
    assert "Box plots of the ranks of 5 systems by mean AP: " in said[4]
    assert "AP, depth 10: differences from" in said[5]
    assert f" on {n_images} images, p-values with a median of" in said[5]
    assert f"AP, all judgments: box plots of the difference on {n_queries} queries" in said[6]
    assert images.systems[2] in figures[1].title
    assert " minus ".join(images.systems[:2]) in figures[5].title


def test_systems_are_in_the_order_of_their_numbers(figures, images, rows_of):
    for figure in (figures[2], figures[4]):
        names = [row["system"] for row in rows_of(figure)]
        assert names[: len(images.systems)] == list(images.systems)
    (y,) = {json.dumps(layer["encoding"]["y"]["sort"]) for layer in figures[3].to_dict()["layer"]}
    assert json.loads(y) == list(images.systems)


def test_every_measure_is_painted_in_figure_4(figures, painted):
    for colour in COLOURS[: len(TWO)]:
        assert painted(figures[3], colour).sum() > 200  # five dots and the legend's
    assert not painted(figures[3], COLOURS[len(TWO)]).any()


def test_figure_1_has_a_panel_below_the_other(figures, painted):
    """Dots of either measure: one band of rows in each half, with nothing between."""
    found = np.flatnonzero(painted(figures[0], COLOURS[0]).any(axis=1))
    assert np.diff(found).max() > 100  # pixels, of which a panel has 220
