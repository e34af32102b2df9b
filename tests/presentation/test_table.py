"""Tables: formats, captions, and small interval bars on a terminal, a page and in a notebook."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace

import pytest

from irbounds.presentation.html.table_markup import make_html_table, render_notebook_table
from irbounds.presentation.table import FORMATS, Table, make_bar, make_bar_scale, render
from irbounds.presentation.terminal import ASCII, draw_bar, draw_bar_scale
from irbounds.results import Interval

NASTY = 'a,"b|c_d&e%\\f'
TABLE = Table(
    title="T",
    headings=("system", "mean"),
    cells=((NASTY, "0.5"), ("b", "-")),
    records=({"system": NASTY, "mean": 0.5}, {"system": "b", "mean": float("nan")}),
)


def test_machine_formats_have_full_records_without_nan():
    rows = list(csv.DictReader(io.StringIO(render([TABLE], "csv", {}))))
    assert rows == [{"system": NASTY, "mean": "0.5"}, {"system": "b", "mean": ""}]
    document = json.loads(render([TABLE], "json", {"irbounds": "x"}))
    assert document == {
        "irbounds": "x",
        "results": [{"system": NASTY, "mean": 0.5}, {"system": "b", "mean": None}],
    }
    lines = render([TABLE], "jsonl", {}).splitlines()
    assert [json.loads(line) for line in lines] == document["results"]


def test_text_formats_have_rounded_cells_and_escaped_names():
    assert '| a,"b\\|c_d&e%\\\\f | 0.5 |' in render([TABLE], "markdown", {})
    latex = render([TABLE], "latex", {})
    assert r"a,''{}b$|$c\_d\&e\%\textbackslash{}f & 0.5 \\" in latex
    assert latex.count("rule") == 3


def test_render_two_tables_in_each_format():
    for form in FORMATS:
        assert render([TABLE, TABLE], form, {}).count("0.5") == 2


INF, NAN = float("inf"), float("nan")
WHOLE = (0.0, 0.5, 1.0)

# eleven characters, or 100 pixels after a margin of 5: a tenth is one character, or ten pixels
CASES = [
    ((0.2, 0.5, 0.8), "  ├──●──┤  ", "M25.0 6H85.0", "55.0"),
    ((-INF, 0.5, 0.8), "◄────●──┤  ", "M5.0 6H85.0M9.0 2L5.0 6L9.0 10", "55.0"),
    ((0.2, 0.5, INF), "  ├──●────►", "M25.0 6H105.0M101.0 2L105.0 6L101.0 10", "55.0"),
    ((0.2, NAN, 0.8), "  ├─────┤  ", "M25.0 6H85.0", None),
    ((NAN, 0.5, NAN), "     ●     ", None, "55.0"),
    ((0.5, 0.5, 0.5), "     ●     ", "M55.0 6H55.0", "55.0"),
    ((0.2, 0.9, 0.8), "  ├─────┤● ", "M25.0 6H85.0", "95.0"),
    ((NAN, NAN, NAN), "           ", None, None),
    (None, "           ", None, None),
]


def make_table_with_bars(*bars) -> Table:
    cells = tuple((f"row {k}", "1") for k in range(len(bars)))
    return Table("a title", ("row", "number"), cells, (), bars=bars)


def render_on_page(table: Table) -> tuple[str, str]:
    html = make_html_table(table, 1)
    return html.head, html.rows


def render_in_notebook(table: Table) -> tuple[str, str]:
    head, rows = render_notebook_table(table).split("<tbody>")
    return head, rows


PAGES = pytest.mark.parametrize("page", [render_on_page, render_in_notebook])


@pytest.mark.parametrize(("bar", "expected", "line", "value"), CASES)
def test_interval_bar_on_terminal(bar, expected, line, value):
    parts = make_bar_scale([WHOLE]).parts(bar)
    assert draw_bar(parts, 11) == expected
    plain = expected.translate(str.maketrans("├┤─●◄►", "||-o<>"))
    assert draw_bar(parts, 11, ASCII) == plain


@PAGES
@pytest.mark.parametrize(("bar", "text", "line", "value"), CASES)
def test_interval_bar_as_svg(page, bar, text, line, value):
    row = page(make_table_with_bars(WHOLE, bar))[1].split("<tr")[2]
    assert re.findall(r'<path d="([^"]*)"', row) == ([line] if line else [])
    assert re.findall(r'<circle cx="([^"]*)"', row) == ([value] if value else [])
    assert row.count("<svg") == row.count('aria-hidden="true"') == bool(line or value)


@PAGES
def test_bars_mark_zero_in_every_row(page):
    bars = ((-2.0, 0.0, 1.0), (1.0, 1.5, 2.0), (NAN, NAN, NAN), None)
    marks = re.findall('class="zero" d="([^"]*)"', page(make_table_with_bars(*bars))[1])
    assert marks == ["M55.0 0V12"] * 4
    ends = make_bar_scale(bars)
    drawn = [draw_bar(ends.parts(bar), 9) for bar in bars]
    assert drawn == ["├───●─┤  ", "    ┊ ├●┤", "    ┊    ", "    ┊    "]
    assert draw_bar(ends.parts((-2.0, -1.0, 1.0)), 9) == "├─●─┼─┤  "


@PAGES
@pytest.mark.parametrize(
    ("bars", "ends"),
    [
        ([(0.218, 0.3, 0.4), (NAN, 0.555, INF)], ("0.2", "0.6")),
        ([(0.33, 1.0, 1.06)], ("0.3", "1.1")),
        ([(1.0, 44.0, 129.0)], ("0", "140")),
        ([(600.0, NAN, 10_900.0)], ("0", "12000")),
        ([(0.5, 0.5, 0.5)], ("0.2", "0.8")),
    ],
)
def test_bar_heading_has_scale_ends(page, bars, ends):
    heads = re.findall(r"<span[^>]*>([^< ]+)</span>", page(make_table_with_bars(*bars))[0])
    assert tuple(heads) == ends
    assert tuple(draw_bar_scale(make_bar_scale(bars), 16).split()) == ends


@PAGES
def test_table_without_bars_has_no_bar_column(page):
    for bars in ((), (None,), ((NAN, NAN, NAN),)):
        head, rows = page(replace(make_table_with_bars(None), bars=bars))
        assert head.count("<th ") == 2
        assert rows.count("<td") == 1


def test_bar_scales_have_round_ends():
    scale = make_bar_scale([(0.218, 0.3, 0.4), None, (NAN, 0.555, INF)])
    assert (scale.low, scale.high) == pytest.approx((0.2, 0.6))
    assert draw_bar_scale(scale, 16) == "0.2          0.6"
    assert make_bar_scale([None, (NAN, NAN, NAN)]) is None
    for value in (0.0, 0.3, -7.0):  # one number alone still has a scale around it
        alone = make_bar_scale([(value, value, value)])
        assert alone.low < value < alone.high


@pytest.mark.parametrize(
    ("side", "expected"),
    [
        ("two-sided", (0.0, 0.5, 1.0)),
        ("less", (-INF, 0.5, 1.0)),
        ("greater", (0.0, 0.5, INF)),
    ],
)
def test_one_sided_interval_has_an_infinite_bar_end(side, expected):
    # recall's one-sided intervals end at 0 or 1, which is no finding
    assert make_bar(0.5, Interval(0.0, 1.0, 0.95, "beta-binomial", side)) == expected
