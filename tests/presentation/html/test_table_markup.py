"""How results look in a notebook: their tables as HTML, and which figure they have."""

from __future__ import annotations

import subprocess
import sys
from html.parser import HTMLParser

import pytest

import irbounds
from every_result import HOSTILE, NAMES, SAMPLE, result_of
from irbounds.presentation.html.table_markup import MAX_COLUMNS, MAX_ROWS, render_notebook_table
from irbounds.presentation.registry import make_tables
from irbounds.presentation.table import Table
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


def hostile_texts(name: str) -> list[str]:
    """All texts with a hostile name in the tables of a result, as far as a notebook shows them."""
    texts = []
    for one in make_tables(result_of(name)._rows()):
        rows = (one.headings, *one.cells)
        texts += [one.title, one.caption, *(cell for row in rows for cell in row[:MAX_COLUMNS])]
    return [text for text in texts if HOSTILE in text]


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_shows_the_cells_of_the_tables(name):
    found = result_of(name)
    read = Reader(found._repr_html_())
    expected = [
        list(row)
        for one in make_tables(found._rows())
        for row in (one.headings[:MAX_COLUMNS], *(cells[:MAX_COLUMNS] for cells in one.cells))
    ]
    assert [row[: len(want)] for row, want in zip(read.rows, expected, strict=True)] == expected


@pytest.mark.parametrize("name", NAMES)
def test_user_strings_are_shown_and_not_run(name):
    found = result_of(name)
    read = Reader(found._repr_html_())
    assert not [tag for tag, _ in read.tags if tag == "script"]
    shown = "".join(read.text)
    assert [text for text in hostile_texts(name) if text not in shown] == []


def test_hostile_names_are_in_the_tables_of_most_kinds():
    """So that the test above has something to find."""
    assert {name for name in NAMES if hostile_texts(name)} >= {
        *("scores", "diagnosis", "means", "lower limits", "differences", "ranks"),
        "paper table",
        *("images", "score precision", "difference precision", "rank precision"),
        "systems and chance",
    }


def test_a_table_is_one_that_a_screen_reader_can_read():
    read = Reader(render_notebook_table(table(caption="over <b> & queries", first_number=1)))
    scopes = [attributes.get("scope") for tag, attributes in read.tags if tag == "th"]
    assert scopes == ["col"] * 3 + ["row"] * 2
    assert [tag for tag, _ in read.tags][:2] == ["table", "caption"]
    assert "over <b> & queries" in "".join(read.text)
    sides = [attributes["style"] for tag, attributes in read.tags if tag in ("th", "td")]
    assert ["text-align:left" in side for side in sides] == [True, False, False] * 3
    assert ["text-align:right" in side for side in sides] == [False, True, True] * 3


def test_long_and_wide_tables_are_cut_and_say_so():
    text = render_notebook_table(table(MAX_ROWS + 23, MAX_COLUMNS + 4))
    read = Reader(text)
    assert len(read.rows) == MAX_ROWS + 1
    assert {len(row) for row in read.rows} == {MAX_COLUMNS}
    assert "not shown: 23 rows and 4 columns" in text
    assert "not shown" not in render_notebook_table(table(MAX_ROWS, MAX_COLUMNS))


def test_results_of_several_kinds_are_shown_one_after_the_other():
    means, ranks = result_of("means"), result_of("ranks")
    both = means + ranks
    assert both.to_html().count("<table") == len(make_tables(means)) + len(make_tables(ranks))
    assert both.plot().to_dict()["name"] == means.plot().to_dict()["name"]


def test_an_object_that_is_no_result_is_an_error():
    with pytest.raises(irbounds.errors.ParameterError, match=r"Estimate, .*got int"):
        Results([1]).to_html()
    with pytest.raises(
        irbounds.errors.ParameterError, match=r"a figure is of one ScoreTable; got 2"
    ):
        Results([result_of("scores")] * 2).plot()


def test_options_reach_the_figure():
    scores = result_of("scores")
    assert scores.plot(measure="P@5").name == "scores-P-5"
    assert "the first 1 of" in scores.plot(top=1).description
    with pytest.raises(
        irbounds.errors.ParameterError, match=r"measure must be one of 'AP', 'P@5'; got"
    ):
        scores.plot(measure="nDCG")


def test_sentences_are_above_the_tables():
    text = irbounds.recall(**SAMPLE)[0]._repr_html_()
    assert text.index("<p>") < text.index("<table")
    assert "does not allow for assessors" in text


def test_a_notebook_needs_no_templates():
    program = (
        "import sys, irbounds\n"
        "found = irbounds.recall(retrieved=(200, 50, 20), unretrieved=(900, 60, 2))[0]\n"
        "found._repr_html_()\n"
        "print('jinja2' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
