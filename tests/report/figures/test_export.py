"""Figures as files."""

from __future__ import annotations

import json
from html.parser import HTMLParser

import altair as alt
import pytest

from irbounds.errors import ParameterError
from irbounds.report.figures import FIGURE_ENDINGS
from irbounds.report.figures.export import DRAWN, figure_bytes, write_figure
from irbounds.report.figures.style import EMPHASIS, finished, values

BEGINNINGS = {".png": b"\x89PNG", ".svg": b"<svg", ".pdf": b"%PDF", ".html": b"<!DOCTYPE html>"}


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
    chart = alt.Chart(values([{"x": 1}, {"x": 3}])).mark_bar(color=EMPHASIS).encode(x="x:Q")
    return finished(chart, name="bars", title="Bars", description="Two bars, of 1 and 3.")


def test_the_endings_are_those_that_can_be_drawn():
    assert tuple(DRAWN) == FIGURE_ENDINGS


@pytest.mark.parametrize("ending", BEGINNINGS)
def test_the_ending_decides_the_format(figure, ending, tmp_path):
    path = tmp_path / f"figure{ending.upper()}"
    write_figure(figure, path)
    assert path.read_bytes().lstrip().startswith(BEGINNINGS[ending])


def test_a_specification_can_be_read_back(figure):
    spec = json.loads(figure_bytes(figure, ".json"))
    assert alt.Chart.from_dict(spec).to_dict()["description"] == "Two bars, of 1 and 3."


def test_the_page_of_a_figure_needs_no_network(figure):
    page = Links()
    page.feed(figure_bytes(figure, ".html").decode())
    assert page.tags > 3
    assert page.addresses == []


def test_files_are_dark_on_white(figure, painted):
    white = painted(figure, "#FFFFFF")
    assert white.mean() > 0.5
    assert painted(figure, EMPHASIS).sum() > 1000


def test_another_ending_is_an_error(figure, tmp_path):
    with pytest.raises(ParameterError, match=r"must end in one of \.png, .*; got '\.gif'"):
        write_figure(figure, tmp_path / "figure.gif")
    assert not list(tmp_path.iterdir())
