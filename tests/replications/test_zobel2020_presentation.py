"""Sentences and figures of Zobel and Rashidi (2020)."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from irbounds.presentation.figures.style import COLOURS
from irbounds.presentation.registry import make_tables
from irbounds.presentation.table import render
from irbounds.presentation.terminal import choose_layout
from irbounds.replications.paper_tables import CollectionTable
from irbounds.replications.study_data import StudyCollection
from irbounds.replications.zobel2020 import MEASURES, replicate_zobel2020, zobel2020_figures
from irbounds.replications.zobel2020_presentation import draw_zobel2020 as figures_of
from irbounds.replications.zobel2020_presentation import finding_sentences
from irbounds.results import ValidityRow
from irbounds.simulation import simulate_collection

NOTHING = (math.nan,) * 3


def table(number, rows, numbers, *, between=" ± ", parts=("mean", "sd"), decimals=3):
    collections = ("mine", "A", "B")
    return CollectionTable(
        *("s", number, "what", "measure", tuple(rows), collections, parts, numbers),
        between=between,
        decimals=decimals,
    )


@pytest.fixture
def validity():
    percents = {"between": " / ", "parts": ("below", "in", "above"), "decimals": 1}
    return table(
        2,
        ("AP", "P@10", "AP, normal rule", "P@10, normal rule"),
        (
            ((2.55, 94.85, 2.6), (3.0, 94.0, 3.03), (2.0, 96.0, 2.0)),
            ((1.0, 97.75, 1.25), (3.0, 93.5, 3.5), (2.5, 95.0, 2.5)),
            ((2.0, 95.5, 2.5), NOTHING, NOTHING),
            ((2.0, 95.25, 2.75), NOTHING, NOTHING),
        ),
        **percents,
    )


@pytest.fixture
def differences():
    rows = ("AP", "INSQ@5", "P@10", "RR")
    numbers = (
        ((0.048, 0.040), (0.050, 0.010), (0.060, 0.050)),
        ((0.060, 0.030), (0.080, 0.030), (0.090, 0.030)),
        ((0.130, 0.052), (0.140, 0.060), (0.120, 0.060)),
        ((0.220, 0.110), (0.130, 0.140), (0.230, 0.140)),
    )
    return table(3, rows, numbers)


@pytest.fixture
def papers_way():
    return [
        ValidityRow("AP", "quantile", 0.95, 0.04, 0.93, 0.03, 6, 1, 100),
        ValidityRow("AP", "normal", 0.95, 0.03, 0.945, 0.025, 6, 1, 100),
        ValidityRow("P@10", "quantile", 0.95, 0.02, 0.96, 0.02, 6, 1, 100),
        ValidityRow("P@10", "normal", 0.95, 0.03, 0.95, 0.02, 6, 1, 100),
    ]


def test_cells_join_their_parts_and_missing_rows_are_dashes(validity, differences):
    second, third = make_tables([validity, differences])
    assert second.title == "Table 2: what"
    assert second.headings == ("measure", "mine", "A", "B")
    assert second.cells[1] == ("P@10", "1.0 / 97.8 / 1.2", "3.0 / 93.5 / 3.5", "2.5 / 95.0 / 2.5")
    assert second.cells[2] == ("AP, normal rule", "2.0 / 95.5 / 2.5", "-", "-")
    assert third.cells[0] == ("AP", "0.048 ± 0.040", "0.050 ± 0.010", "0.060 ± 0.050")


def test_sentences_are_made_from_the_numbers(validity, differences, papers_way):
    assert finding_sentences([validity, differences, differences], papers_way) == [
        "95 % intervals from all other images hold 94.8 to 97.8 % of the differences in an image "
        "left out by quantiles (not within 92 to 96.5 %: P@10), 95.2 to 95.5 % by the normal rule "
        "(the paper's: 93.5 to 96.0 %)",
        "the paper's way, only the last of 100 images: 93.0 to 96.0 % by quantiles, 94.5 to "
        "95.0 % by the normal rule",
        "least precise in Table 3: RR, then P@10; 1 of the paper's 2 collections say the same",
        "most even in Table 3: INSQ@5, whose standard deviations differ least (sd 0.030); 1 of "
        "the paper's 2 say the same",
        "most even for its mean (sd / mean, Table 3): mine P@10 0.40, A AP 0.20, B INSQ@5 0.33",
        "most even in Table 4: INSQ@5, whose standard deviations differ least (sd 0.030); 1 of "
        "the paper's 2 say the same",
        "largest distance of a mean in Table 3 from the range of the paper's collections: 0.020 "
        "(INSQ@5); without INSQ@5 0.002",
    ]


def test_no_unusual_measures_are_listed_when_all_are_within_range(
    validity, differences, papers_way
):
    usual = CollectionTable(**{**vars(validity), "numbers": (validity.numbers[0],) * 2})
    usual = CollectionTable(**{**vars(usual), "rows": ("AP", "P@10")})
    rows = (*usual.rows, "AP, normal rule")
    numbers = (*usual.numbers, validity.numbers[2])
    usual = CollectionTable(**{**vars(usual), "rows": rows, "numbers": numbers})
    first = finding_sentences([usual, differences, differences], papers_way)[0]
    assert "left out by quantiles, 95.5 to 95.5 % by the normal rule" in first


def test_constant_measure_is_not_the_most_even(validity, papers_way):
    still = table(3, ("AP", "RR"), (((0.0, 0.0),) * 3, ((0.2, 0.1),) * 3))
    sentences = finding_sentences([validity, still, still], papers_way)
    assert (
        "most even for its mean (sd / mean, Table 3): mine RR 0.50, A RR 0.50, B RR 0.50"
        in sentences
    )


def test_records_have_one_row_per_number(validity):
    (shown,) = make_tables([validity])
    assert len(shown.records) == 4 * 3 * 3
    assert shown.records[5] == {
        **{"study": "s", "table": 2, "row": "AP", "collection": "A", "source": "paper"},
        **{"part": "above", "value": 3.03},
    }
    assert shown.records[0]["source"] == "ours"
    lines = render([shown], "csv", {}).splitlines()
    assert lines[0] == "study,table,row,collection,source,part,value"
    assert lines[6] == "s,2,AP,A,paper,above,3.03"
    assert lines[-1] == 's,2,"P@10, normal rule",B,paper,above,'


def test_narrow_terminal_omits_collections_but_records_do_not(differences):
    wider = CollectionTable(
        **{
            **vars(differences),
            "collections": ("mine", "A", "B", "C", "D"),
            "numbers": tuple((*cells, cells[1], cells[2]) for cells in differences.numbers),
        }
    )
    (table,) = make_tables([wider])
    assert table.headings == ("measure", "mine", "A", "B", "C", "D")
    assert {len(row) for row in table.cells} == {6}
    assert len(table.records) == 4 * 5 * 2
    # "measure" and five cells of 13 are 7 + 65, and two spaces between each two of the six
    for width, shown in ((82, 6), (81, 5), (67, 5), (66, 4), (20, 4)):
        assert choose_layout(table, width).columns == tuple(range(shown)), width


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


def test_rows_have_the_papers_names_of_measures(images, rows):
    names = list(MEASURES)
    assert rows.systems == images.systems  # fewer than 25
    for renamed, whole in (
        (rows.query_spreads, images.query_spreads()),
        (rows.query_precision, images.query_precision(images.systems[2])),
        (rows.score_precision, images.score_precision()),
        (rows.rank_precision, images.rank_precision()),
    ):
        assert list(dict.fromkeys(row.measure for row in renamed)) == names
        assert [{**vars(row), "measure": ""} for row in renamed] == [
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
    descriptions = [figure.description for figure in figures]
    n_queries, n_images = 6, 40
    assert f"AP on {n_queries} queries: the 95th percentile over 5 systems" in descriptions[0]
    assert f"Box plots of AP on {n_queries} queries: medians from" in descriptions[1]
    assert "Box plots of 5 systems by mean AP: " in descriptions[2]
    assert "AP: standard deviation of the mean of 5 systems, " in descriptions[3]
    assert "Box plots of the ranks of 5 systems by mean AP: " in descriptions[4]
    assert "AP, depth 10: differences from" in descriptions[5]
    assert f" on {n_images} images, p-values with a median of" in descriptions[5]
    assert (
        f"AP, all judgments: box plots of the difference on {n_queries} queries" in descriptions[6]
    )
    assert images.systems[2] in figures[1].title
    assert " minus ".join(images.systems[:2]) in figures[5].title


def test_systems_are_in_the_order_of_their_numbers(figures, images, rows_of):
    for figure in (figures[2], figures[4]):
        names = [row["system"] for row in rows_of(figure)]
        assert names[: len(images.systems)] == list(images.systems)
    (y,) = {json.dumps(layer["encoding"]["y"]["sort"]) for layer in figures[3].to_dict()["layer"]}
    assert json.loads(y) == list(images.systems)


def test_every_measure_is_drawn_in_figure_4(figures, painted):
    for colour in COLOURS[: len(TWO)]:
        assert painted(figures[3], colour).sum() > 200  # five dots and the legend's
    assert not painted(figures[3], COLOURS[len(TWO)]).any()


def test_figure_1_has_a_panel_below_the_other(figures, painted):
    """Dots of either measure: one band of rows in each half, with nothing between."""
    found = np.flatnonzero(painted(figures[0], COLOURS[0]).any(axis=1))
    assert np.diff(found).max() > 100  # pixels, of which a panel has 220
