"""Figures as files."""

from __future__ import annotations

import json
from html.parser import HTMLParser

import altair
import pytest

from every_result import DRAWN as RESULTS
from every_result import result_of
from irbounds.errors import IrboundsError, ParameterError
from irbounds.presentation.escaping import PROPERTIES
from irbounds.presentation.figures import FIGURE_EXTENSIONS, vega
from irbounds.presentation.figures.export import WRITERS, figure_bytes
from irbounds.presentation.figures.style import EMPHASIS, colour_scale, make_figure, values

BEGINNINGS = {".png": b"\x89PNG", ".svg": b"<svg", ".pdf": b"%PDF", ".html": b"<!DOCTYPE html>"}

NAMES = (
    *("a\x1b[31mb", "\x01", "\ufffe", "\x00", "c\ud800", "d\u2028e", "f\u202eg"),
    *(*sorted(PROPERTIES), "</script><script>alert(2)</script>", "bm25"),
)


class Links(HTMLParser):
    """Whatever tags of a page point to; what stands inside a script is no tag."""

    def __init__(self) -> None:
        super().__init__()
        self.tags, self.addresses = 0, []

    def handle_starttag(self, tag, attrs):
        self.tags += 1
        self.addresses += [value for name, value in attrs if name in ("src", "href")]


@pytest.fixture
def figure():
    chart = vega.Chart(values([{"x": 1}, {"x": 3}])).mark_bar(color=EMPHASIS).encode(x="x:Q")
    return make_figure(chart, name="bars", title="Bars", description="Two bars, of 1 and 3.")


def test_the_endings_are_those_that_can_be_drawn():
    assert tuple(WRITERS) == FIGURE_EXTENSIONS


@pytest.mark.parametrize("ending", BEGINNINGS)
def test_the_ending_decides_the_format(figure, ending, tmp_path):
    path = tmp_path / f"figure{ending.upper()}"
    figure.save(path)
    assert path.read_bytes().lstrip().startswith(BEGINNINGS[ending])


def test_a_specification_can_be_read_back(figure):
    spec = json.loads(figure_bytes(figure, ".json"))
    assert altair.Chart.from_dict(spec).to_dict()["description"] == "Two bars, of 1 and 3."


def test_the_page_of_a_figure_needs_no_network(figure):
    page = Links()
    page.feed(figure_bytes(figure, ".html").decode())
    assert page.tags > 3
    assert page.addresses == []


@pytest.mark.parametrize("ending", BEGINNINGS)
def test_every_name_can_be_drawn(ending):
    """Some of these end the process, others the figure, where they go to Vega as they are."""
    rows = [{"system": name, "x": 1.0 + k} for k, name in enumerate(NAMES)]
    place = vega.Y("system:N", sort=list(NAMES))
    colour = vega.channel("system:N", scale=colour_scale(NAMES))
    chart = vega.Chart(values(rows)).mark_bar().encode(x="x:Q", y=place, color=colour)
    title = f"Bars of {NAMES[0]}"
    drawn = figure_bytes(make_figure(chart, name="bars", title=title, description=title), ending)
    assert drawn.lstrip().startswith(BEGINNINGS[ending])
    if ending == ".svg":
        assert drawn.count(b'aria-roledescription="bar"') == len(NAMES)
        assert "toString\u200b</text>".encode() in drawn
        assert b"a\\x1b[31mb</text>" in drawn
    if ending == ".html":
        assert b"<script>alert" not in drawn


@pytest.mark.parametrize("name", RESULTS)
def test_every_kind_of_result_is_drawn_with_hostile_names(name):
    assert figure_bytes(result_of(name).plot(), ".svg").count(b"<path") > 5


def test_a_figure_that_cannot_be_drawn_is_a_one_line_error():
    chart = vega.Chart(values([{"x": 1}])).mark_bar().encode(x="x:Q")
    chart = chart.transform_calculate(y="no_such_function(1)")
    figure = make_figure(chart, name="bars", title="Bars", description="A bar.")
    with pytest.raises(IrboundsError, match=r"^figure bars: cannot be drawn: [^\n]+$") as found:
        figure_bytes(figure, ".svg")
    assert len(str(found.value)) < 300


def test_files_are_dark_on_white(figure, painted):
    white = painted(figure, "#FFFFFF")
    assert white.mean() > 0.5
    assert painted(figure, EMPHASIS).sum() > 1000


def test_an_unknown_file_extension_is_an_error(figure, tmp_path):
    with pytest.raises(ParameterError, match=r"must end in one of \.png, .*; got '\.gif'"):
        figure.save(tmp_path / "figure.gif")
    assert not list(tmp_path.iterdir())
