"""How results look in a notebook: their tables as HTML, and which figure they have."""

from __future__ import annotations

import math
from html.parser import HTMLParser

import pytest

import irbounds
from every_result import HOSTILE, NAMES, SAMPLE, every_result
from irbounds.report.figures.by_kind import FIGURES
from irbounds.report.notebook import SENTENCES, TABLES, figure_of, html_of, tables_of
from irbounds.report.notebook_html import MOST_COLUMNS, MOST_ROWS, table_html
from irbounds.report.tables import Table
from irbounds.results import Results


class Reader(HTMLParser):
    """The cells of every table, row by row, and every tag with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.inside = False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag == "tr":
            self.rows.append([])
        elif tag in ("th", "td"):
            self.rows[-1].append("")
            self.inside = True

    def handle_endtag(self, tag):
        self.inside = self.inside and tag not in ("th", "td")

    def handle_data(self, data):
        self.text.append(data)
        if self.inside:
            self.rows[-1][-1] += data


def table(n_rows: int = 2, n_columns: int = 3, **more) -> Table:
    headings = tuple(f"h{k}" for k in range(n_columns))
    cells = tuple(tuple(f"{r}.{k}" for k in range(n_columns)) for r in range(n_rows))
    return Table("a title", headings, cells, ({},) * n_rows, **more)


def test_tables_and_figures_know_the_same_kinds():
    assert set(TABLES) == set(FIGURES)
    assert set(SENTENCES) <= set(TABLES)


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_shows_the_cells_of_the_tables(name):
    found = every_result()[name]
    shown = found if isinstance(found, Results) else list(found.shown_as())
    read = Reader(found._repr_html_())
    expected = [
        list(row)
        for one in tables_of(shown)
        for row in (one.headings[:MOST_COLUMNS], *(cells[:MOST_COLUMNS] for cells in one.cells))
    ]
    assert [row[: len(want)] for row, want in zip(read.rows, expected, strict=True)] == expected


@pytest.mark.parametrize("name", NAMES)
def test_user_strings_are_shown_and_not_run(name):
    found = every_result()[name]
    read = Reader(found._repr_html_())
    assert not [tag for tag, _ in read.tags if tag == "script"]
    if name in (
        "scores",
        "diagnosis",
        "means",
        "differences",
        "ranks",
        "cards",
        "images",
        "sample",
    ):
        assert any(HOSTILE in text for text in read.text)


def test_a_table_is_one_that_a_screen_reader_can_read():
    read = Reader(table_html(table(caption="over <b> & queries", first_number=1)))
    scopes = [attributes.get("scope") for tag, attributes in read.tags if tag == "th"]
    assert scopes == ["col"] * 3 + ["row"] * 2
    assert [tag for tag, _ in read.tags][:2] == ["table", "caption"]
    assert "over <b> & queries" in "".join(read.text)
    sides = [attributes["style"] for tag, attributes in read.tags if tag in ("th", "td")]
    assert ["text-align:left" in side for side in sides] == [True, False, False] * 3
    assert ["text-align:right" in side for side in sides] == [False, True, True] * 3


def test_long_and_wide_tables_are_cut_and_say_so():
    text = table_html(table(MOST_ROWS + 23, MOST_COLUMNS + 4))
    read = Reader(text)
    assert len(read.rows) == MOST_ROWS + 1
    assert {len(row) for row in read.rows} == {MOST_COLUMNS}
    assert "not shown: 23 rows and 4 columns" in text
    assert "not shown" not in table_html(table(MOST_ROWS, MOST_COLUMNS))


def test_bars_have_the_places_of_their_numbers():
    bars = ((-1.0, 0.0, 1.0), (-math.inf, 3.0, 3.0), (math.nan, 1.0, math.nan), None)
    read = Reader(table_html(table(4, bars=bars)))
    lines = [(float(a["x1"]), float(a["x2"])) for tag, a in read.tags if tag == "line"]
    dots = [float(a["cx"]) for tag, a in read.tags if tag == "circle"]
    # from -1 to 3 on 112 pixels after a margin of 4, zero marked in every picture
    assert lines == [(32, 32), (4, 60), (32, 32), (4, 116), (32, 32)]
    assert dots == [32, 116, 60]
    pictures = [a for tag, a in read.tags if tag == "svg"]
    assert [a["aria-hidden"] for a in pictures] == ["true"] * 3
    assert "<svg" not in table_html(table(4, bars=((1.0, 1.0, 1.0), None, None, None)))


def test_results_of_several_kinds_are_shown_one_after_the_other():
    means, ranks = every_result()["means"], every_result()["ranks"]
    both = means + ranks
    assert html_of(both).count("<table") == len(tables_of(means)) + len(tables_of(ranks))
    assert both.plot().to_dict()["name"] == means.plot().to_dict()["name"]


def test_no_results_say_so():
    assert html_of([]) == "<p>no results</p>"
    with pytest.raises(irbounds.ParameterError, match="no results, so no figure"):
        figure_of([])


def test_what_is_no_result_is_an_error():
    with pytest.raises(irbounds.ParameterError, match=r"what can be shown is Estimate, .*got int"):
        html_of([1])
    with pytest.raises(irbounds.ParameterError, match=r"a figure is of one Diagnosis; got 2"):
        figure_of([every_result()["diagnosis"]] * 2)


def test_one_recall_shows_its_density_and_several_stand_side_by_side():
    names = {
        name: every_result()[name].plot().to_dict()["name"]
        for name in ("recall", "all methods", "quantities")
    }
    assert len(set(names.values())) == 3
    two = Results(
        irbounds.recall_interval(irbounds.Sample(every_result()["recall"].strata, system=name))
        for name in ("one", "two")
    )
    assert len(set(names.values()) | {two.plot().to_dict()["name"]}) == 4


def test_options_reach_the_figure():
    scores = every_result()["scores"]
    assert "P@5" in scores.plot(measure="P@5").to_dict()["title"]
    with pytest.raises(irbounds.ParameterError, match=r"measure must be one of 'AP', 'P@5'; got"):
        scores.plot(measure="nDCG")
    marked = every_result()["exact"].plot(observed=0.9).to_dict()
    assert "0.9" in str(marked["title"]) + marked["description"]


def test_sentences_stand_above_the_tables():
    text = irbounds.recall_interval(**SAMPLE)._repr_html_()
    assert text.index("<p>") < text.index("<table")
    assert "says nothing of assessors" in text
