"""The look of a page on a phone, a laptop, a wide screen and paper: nothing is cut without a cue.

As in ``test_report_page``, anything that the page writes to the console fails the test.
"""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from irbounds.presentation.figures.style import FADED, Figure
from irbounds.presentation.html.page import FOLDED_LINES, render_page
from irbounds.presentation.table import Table
from sample_page import LONG, NAMES, long_table, sample_page

PHONE, LAPTOP, DESK = (
    {"width": width, "height": height} for width, height in ((390, 844), (1280, 800), (1920, 1080))
)
HEADINGS = tuple(f"heading {k}" for k in range(1, 10))
WIDE = Table(
    title="nDCG@10: a wide table, é",
    headings=("system", *HEADINGS),
    cells=tuple((f"system {k}", *("0.1234 to 0.5678" for _ in HEADINGS)) for k in range(3)),
    records=tuple({"system": f"system {k}"} for k in range(3)),
)
DIGESTS = Table(
    title="fingerprints",
    headings=("file", "fingerprint"),
    cells=(("qrels", "0a" * 32),),
    records=(),
)


@pytest.fixture
def open_tables(open_page, tmp_path):
    """Return a function that opens the sample page with other tables in its second section."""

    def open_with(*tables: Table, **looks):
        page = sample_page()
        sections = [page.sections[0], replace(page.sections[1], tables=tables)]
        page = replace(page, lead=lambda: None, scores=None)
        path = tmp_path / "tables.html"
        path.write_text(render_page(replace(page, sections=sections)), encoding="utf-8")
        return open_page(path, **looks).page

    return open_with


def rows(table: Table, number: int) -> Table:
    return replace(table, cells=table.cells[:number], records=table.records[:number])


def locate_box(page, title: str):
    return page.locator(".table .box").filter(has_text=title)


def read_right_edge(box) -> np.ndarray:
    """Return the pixels of the last column of a box, at half its height."""
    picture = np.asarray(Image.open(io.BytesIO(box.screenshot())).convert("RGB"), dtype=int)
    return picture[picture.shape[0] // 2 :, -2].mean(axis=0)


def test_print_includes_hidden_rows_and_hides_them_afterwards(open_page):
    page = open_page().page
    page.evaluate(
        """() => addEventListener("beforeprint", () => {
            window.printed = document.querySelectorAll("table")[3].tBodies[0].rows.length;
            window.folded = document.querySelectorAll("details:not([open])").length;
            window.whole = document.querySelectorAll(".table")[3].classList.contains("whole");
        })"""
    )
    folded = page.locator("details:not([open])").count()
    assert folded > 0
    page.pdf(format="A4")
    assert page.evaluate("[printed, folded, whole]") == [LONG, 0, True]
    assert page.locator("tbody").nth(3).locator("tr").count() == 200
    assert page.locator("details:not([open])").count() == folded


@pytest.mark.slow
def test_printed_page_has_no_note_of_missing_rows_when_all_are_printed(open_page):
    page = open_page().page
    page.emulate_media(media="print")
    note = page.get_by_text(f"The first 200 of {LONG} rows.")
    expect(note).to_be_visible()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(note).to_be_hidden()


@pytest.mark.slow
def test_sorted_table_prints_in_sorted_order(open_page):
    page = open_page().page
    page.locator("table").nth(3).get_by_role("button", name="value").click()
    page.wait_for_selector("[aria-sort]")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    cells = page.locator("tbody").nth(3).locator("td:last-child").all_text_contents()
    assert cells == [str(k) for k in range(LONG)]


def test_wide_table_uses_available_width(open_tables):
    page = open_tables(WIDE, viewport=DESK)
    wide, client_width = locate_box(page, WIDE.title).evaluate(
        "box => [box.scrollWidth, box.clientWidth]"
    )
    assert 1100 < wide <= client_width


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_scrolling_table_has_shadow_and_fixed_first_column(open_tables, scheme):
    page = open_tables(WIDE, viewport=PHONE, color_scheme=scheme)
    box = locate_box(page, WIDE.title)
    first = box.locator("tbody th").first
    before = first.bounding_box()
    with_more = read_right_edge(box)
    box.evaluate("box => { box.scrollLeft = box.scrollWidth; }")
    assert first.bounding_box()["x"] == pytest.approx(before["x"], abs=1)
    assert before["width"] < 0.45 * PHONE["width"]
    at_the_end = read_right_edge(box)
    assert np.abs(with_more - at_the_end).min() > 15  # grey levels, of 255


WIDTHS = """() => [...document.querySelectorAll(".panel.drawn")].map((panel) => [
    panel.clientWidth, panel.querySelector(".live svg").clientWidth,
    ...[...panel.querySelectorAll(".live text")].map((text) => text.getBoundingClientRect().right),
])"""


@pytest.mark.parametrize("width", [390, 700, 1280, pytest.param(1920, marks=pytest.mark.slow)])
def test_figures_use_available_width(open_page, width):
    page = open_page(viewport={"width": width, "height": 800}).page
    panels = page.evaluate(WIDTHS)
    assert len(panels) == 5  # of the first figure, of the first section, of the pair
    for room, drawn, *ends in panels:
        assert room - 10 < drawn <= room <= 720
        assert max(ends) <= width
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    sizes = page.locator(".live text").evaluate_all(
        "all => all.map((text) => parseFloat(getComputedStyle(text).fontSize))"
    )
    assert min(sizes) >= 11


def test_figures_resize_with_window(open_page):
    page = open_page(viewport=DESK).page
    before = page.evaluate(WIDTHS)[0][1]
    page.set_viewport_size(PHONE)
    page.wait_for_function("() => document.querySelector('.live svg').clientWidth <= 358")
    page.wait_for_timeout(500)
    assert all(room - 10 < drawn <= room for room, drawn, *_ in page.evaluate(WIDTHS))
    assert before > 600


def write_figure_page(spec: dict, directory: Path) -> Path:
    """Write a page with one figure of this specification."""
    chart = SimpleNamespace(to_dict=lambda: spec)
    figure = Figure(name="n", title="t", description="d", chart=chart)
    page = sample_page()
    section = replace(page.sections[0], tables=(), figures=lambda: [figure])
    path = directory / "figure.html"
    text = render_page(replace(page, sections=[section], lead=lambda: None, scores=None))
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.slow
def test_matrix_cells_shrink_and_omit_numbers_that_do_not_fit(open_page, tmp_path):
    cells = [{"a": f"s{i}", "b": f"s{j}", "n": "0.123"} for i in range(20) for j in range(20)]
    encoding = {"x": {"field": "a", "type": "nominal"}, "y": {"field": "b", "type": "nominal"}}
    spec = {
        "data": {"name": "d"},
        "width": {"step": 40},
        "height": {"step": 40},
        "encoding": encoding,
        "layer": [
            {"mark": {"type": "rect"}},
            {"mark": {"type": "text"}, "encoding": {"text": {"field": "n", "type": "nominal"}}},
        ],
        "datasets": {"d": cells},
    }
    page = open_page(write_figure_page(spec, tmp_path), viewport=PHONE).page
    ((room, drawn, *_),) = page.evaluate(WIDTHS)
    assert room - 10 < drawn <= room
    box = page.locator(".live .mark-rect path").first.bounding_box()
    assert box["width"] == pytest.approx(box["height"], abs=4)
    assert page.get_by_text("0.123").filter(visible=True).count() == 0


@pytest.mark.slow
def test_wide_figure_fits_phone_screen(open_page, tmp_path):
    """Horizontal plots are stacked vertically; long legends and titles are wrapped."""
    words = "a title of an axis that is much longer than any phone is wide, and then some more"
    names = [f"an entry of a legend that no phone can show in one line, number {k}" for k in (1, 2)]
    rows_ = [{"system": f"a long name of a system {k}", "x": k, "kind": names[k]} for k in (0, 1)]
    x = {"field": "x", "type": "quantitative", "title": words}
    y = {"field": "system", "type": "nominal", "title": None}
    colour = {"field": "kind", "type": "nominal", "scale": {"domain": names}}
    view = {"mark": "point", "width": 400, "data": {"name": "d"}}
    spec = {
        "hconcat": [
            {**view, "encoding": {"x": x, "y": y, "color": colour}},
            {**view, "encoding": {"x": x, "y": {**y, "axis": None}}},
        ],
        "datasets": {"d": rows_},
    }
    path = write_figure_page(spec, tmp_path)
    phone_page = open_page(path, viewport=PHONE).page
    ((room, drawn, *ends),) = phone_page.evaluate(WIDTHS)
    assert drawn <= room
    assert max(ends) <= PHONE["width"]
    labels = phone_page.locator(".live .role-axis-label text").all_text_contents()
    assert sum(label.startswith("a long name") for label in labels) == 4  # of both plots


def test_print_shows_svg_figures_of_the_file(open_page):
    """This includes sections that were never opened, and holds before any script has run."""
    for script in (True, False):
        page = open_page(script=script).page
        page.emulate_media(media="print")
        if script:
            page.evaluate("dispatchEvent(new Event('beforeprint'))")
        drawings = page.locator(".static:visible")
        assert drawings.count() == 5
        assert page.locator(".live svg:visible").count() == 0
        colour = drawings.first.evaluate("svg => getComputedStyle(svg).color")
        assert colour == "rgb(0, 0, 0)"


@pytest.mark.parametrize("script", [True, False])
def test_static_svg_uses_dark_page_colours(open_page, script):
    page = open_page(script=script, color_scheme="dark").page
    text = page.locator(".live text" if script else ".static text").first
    fill = text.evaluate("text => getComputedStyle(text).fill")
    assert fill == page.locator("body").evaluate("body => getComputedStyle(body).color")
    assert fill == "rgb(230, 228, 223)"


def test_table_of_100_rows_scrolls_and_expands(open_tables):
    page = open_tables(rows(long_table(), 100), rows(long_table(), 15))
    tall, short = (page.locator(".table .box").nth(k) for k in (2, 3))
    scrolls = "box => box.scrollHeight > box.clientHeight + 1"
    assert tall.evaluate(scrolls)
    assert not short.evaluate(scrolls)
    page.get_by_role("button", name="Show all 100 rows").click()
    expect(page.get_by_role("button", name="Show all")).to_have_count(0)
    assert not tall.evaluate(scrolls)
    assert page.get_by_role("button", name="Show all").count() == 0


@pytest.mark.slow
def test_headings_stay_visible_while_page_scrolls(open_tables):
    page = open_tables(rows(long_table(), 15), viewport={"width": 1280, "height": 300})
    box = page.locator(".table .box").nth(2)
    box.locator("tbody tr").last.scroll_into_view_if_needed()
    assert box.locator("thead th").first.bounding_box()["y"] == pytest.approx(0, abs=1)


@pytest.mark.slow
def test_only_scrolling_boxes_are_tab_stops(open_tables):
    page = open_tables(rows(long_table(), 100), rows(long_table(), 3))
    stops = page.locator(".table .box").evaluate_all("boxes => boxes.map((box) => box.tabIndex)")
    assert stops[2:] == [0, -1]


@pytest.mark.slow
def test_digest_is_left_aligned_and_monospaced(open_tables):
    page = open_tables(DIGESTS)
    look = page.get_by_role("cell", name="0a" * 32).evaluate(
        "cell => [getComputedStyle(cell).textAlign, getComputedStyle(cell).fontFamily]"
    )
    assert look[0] == "left"
    assert look[1].endswith("monospace")


def test_saved_table_file_name_is_its_title(open_tables):
    page = open_tables(WIDE)
    with page.expect_download() as waiting:
        page.locator(".table").nth(2).get_by_role("button", name="Save as CSV").click()
    assert waiting.value.suggested_filename == "nDCG-10-a-wide-table-e.csv"


def test_saved_figure_shows_all_systems_despite_selection(open_page):
    page = open_page().page
    page.locator("#system").select_option("bm25")
    expect(page.locator(f'.mark-symbol path[opacity="{FADED}"]')).to_have_count(
        4 * (len(NAMES) - 1)
    )
    with page.expect_download() as waiting:
        page.locator("figure").first.get_by_role("button", name="Save as SVG").click()
    assert f'opacity="{FADED}"' not in waiting.value.path().read_text()


@pytest.mark.slow
def test_unselected_data_stay_darker_than_grid(open_page):
    page = open_page().page
    grid = page.locator(".role-axis-grid line").first.get_attribute("stroke-opacity")
    assert float(grid) < FADED


@pytest.mark.slow
def test_section_shows_figures_before_tables(open_page):
    page = open_page().page
    order = page.locator("section").first.locator("figure, .table")
    kinds = order.evaluate_all("parts => parts.map((part) => part.tagName)")
    assert kinds == ["FIGURE", "FIGURE", "DIV", "DIV"]


@pytest.mark.slow
def test_long_provenance_lists_are_collapsed(open_page):
    page = open_page().page
    page.locator("summary", has_text="Provenance").click()
    folded = page.locator(".provenance details")
    for k in range(folded.count()):
        assert folded.nth(k).locator("div").count() > FOLDED_LINES
    folded.first.locator("summary").click()
    expect(folded.first.locator("div").first).to_be_visible()
