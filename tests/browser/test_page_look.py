"""The look of a page on a phone, a laptop, a wide screen and paper: nothing is cut without a cue.

As in ``test_report_page``, anything that the page writes to the console fails the test.
"""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from irbounds.presentation.figures.style import FADED
from irbounds.presentation.html.page import FOLDED_LINES, page_text
from irbounds.presentation.tables import Table
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
def with_tables(opened, tmp_path):
    """The sample page with other tables in its second section, opened."""

    def open_page(*tables: Table, **looks):
        page = sample_page()
        sections = [page.sections[0], replace(page.sections[1], tables=tables)]
        path = tmp_path / "tables.html"
        path.write_text(page_text(replace(page, sections=sections)), encoding="utf-8")
        return opened(path, **looks).page

    return open_page


def rows(table: Table, number: int) -> Table:
    return replace(table, cells=table.cells[:number], records=table.records[:number])


def box_of(page, title: str):
    return page.locator(".table .box").filter(has_text=title)


def right_edge(box) -> np.ndarray:
    """Pixels of the last column of a box, halfway down its rows."""
    picture = np.asarray(Image.open(io.BytesIO(box.screenshot())).convert("RGB"), dtype=int)
    return picture[picture.shape[0] // 2 :, -2].mean(axis=0)


def test_printing_prints_the_rows_that_are_not_shown_and_puts_them_back(opened):
    page = opened().page
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
def test_the_printed_page_does_not_say_that_rows_are_missing_when_none_are(opened):
    page = opened().page
    page.emulate_media(media="print")
    note = page.get_by_text(f"The first 200 of {LONG} rows.")
    expect(note).to_be_visible()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(note).to_be_hidden()


@pytest.mark.slow
def test_a_sorted_table_is_printed_in_its_order(opened):
    page = opened().page
    page.locator("table").nth(3).get_by_role("button", name="value").click()
    page.wait_for_selector("[aria-sort]")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    cells = page.locator("tbody").nth(3).locator("td:last-child").all_text_contents()
    assert cells == [str(k) for k in range(LONG)]


def test_a_wide_table_takes_the_width_that_is_free(with_tables):
    page = with_tables(WIDE, viewport=DESK)
    wide, shown = box_of(page, WIDE.title).evaluate("box => [box.scrollWidth, box.clientWidth]")
    assert 1100 < wide <= shown


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_where_a_table_scrolls_an_edge_says_so_and_its_first_column_stays(with_tables, scheme):
    page = with_tables(WIDE, viewport=PHONE, color_scheme=scheme)
    box = box_of(page, WIDE.title)
    first = box.locator("tbody th").first
    before = first.bounding_box()
    with_more = right_edge(box)
    box.evaluate("box => { box.scrollLeft = box.scrollWidth; }")
    assert first.bounding_box()["x"] == pytest.approx(before["x"], abs=1)
    assert before["width"] < 0.45 * PHONE["width"]
    at_the_end = right_edge(box)
    assert np.abs(with_more - at_the_end).min() > 15  # grey levels, of 255


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_figures_shrink_to_a_phone_and_stay_readable(opened, scheme):
    page = opened(viewport=PHONE, color_scheme=scheme).page
    for k in range(2):
        box = page.locator("figure .box").nth(k)
        natural, drawn, room = box.evaluate(
            """box => { const svg = box.querySelector("svg");
            return [Number(svg.getAttribute("width")), svg.clientWidth, box.clientWidth]; }"""
        )
        assert drawn == pytest.approx(max(room, 0.6 * natural), abs=1)
        assert drawn < natural
        shape = box.evaluate("box => getComputedStyle(box).backgroundAttachment")
        assert {"local", "scroll"} == set(shape.split(", "))  # what hides it at the end, a shadow


def test_a_table_of_a_hundred_rows_says_that_it_scrolls_and_can_be_shown_in_full(with_tables):
    page = with_tables(rows(long_table(), 100), rows(long_table(), 40))
    tall, short = (page.locator(".table .box").nth(k) for k in (2, 3))
    scrolls = "box => box.scrollHeight > box.clientHeight + 1"
    assert tall.evaluate(scrolls)
    assert not short.evaluate(scrolls)
    expect(page.get_by_text("100 rows: the table scrolls.")).to_be_visible()
    page.get_by_role("button", name="Show all 100 rows").click()
    expect(page.get_by_text("100 rows: the table scrolls.")).to_have_count(0)
    assert not tall.evaluate(scrolls)
    assert page.get_by_role("button", name="Show all").count() == 0


@pytest.mark.slow
def test_headings_stay_in_sight_while_the_page_scrolls(with_tables):
    page = with_tables(rows(long_table(), 40))
    box = page.locator(".table .box").nth(2)
    box.locator("tbody tr").last.scroll_into_view_if_needed()
    assert box.locator("thead th").first.bounding_box()["y"] == pytest.approx(0, abs=1)


@pytest.mark.slow
def test_only_boxes_that_scroll_are_stops_of_the_keyboard(with_tables):
    page = with_tables(rows(long_table(), 100), rows(long_table(), 3))
    stops = page.locator(".table .box").evaluate_all("boxes => boxes.map((box) => box.tabIndex)")
    assert stops[2:] == [0, -1]


@pytest.mark.slow
def test_a_fingerprint_is_read_from_the_left_in_letters_of_one_width(with_tables):
    page = with_tables(DIGESTS)
    look = page.get_by_role("cell", name="0a" * 32).evaluate(
        "cell => [getComputedStyle(cell).textAlign, getComputedStyle(cell).fontFamily]"
    )
    assert look[0] == "left"
    assert look[1].endswith("monospace")


def test_a_saved_table_is_named_after_its_title(with_tables):
    page = with_tables(WIDE)
    with page.expect_download() as waiting:
        page.locator(".table").nth(2).get_by_role("button", name="Save as CSV").click()
    assert waiting.value.suggested_filename == "nDCG-10-a-wide-table-e.csv"


def test_a_saved_figure_shows_all_systems_whichever_is_picked(opened):
    page = opened().page
    page.locator("#system").select_option("bm25")
    expect(page.locator(f'.mark-symbol path[opacity="{FADED}"]')).to_have_count(
        2 * (len(NAMES) - 1)
    )
    with page.expect_download() as waiting:
        page.locator("figure").first.get_by_role("button", name="Save as SVG").click()
    assert f'opacity="{FADED}"' not in waiting.value.path().read_text()


@pytest.mark.slow
def test_data_that_are_not_picked_stay_darker_than_the_grid(opened):
    page = opened().page
    grid = page.locator(".role-axis-grid line").first.get_attribute("stroke-opacity")
    assert float(grid) < FADED


@pytest.mark.slow
def test_a_section_shows_its_figures_before_its_tables(opened):
    page = opened().page
    order = page.locator("section").nth(1).locator("figure, .table")
    kinds = order.evaluate_all("parts => parts.map((part) => part.tagName)")
    assert kinds == ["FIGURE", "FIGURE", "DIV", "DIV"]


@pytest.mark.slow
def test_long_lists_of_provenance_are_folded(opened):
    page = opened().page
    folded = page.locator(".provenance details")
    for k in range(folded.count()):
        assert folded.nth(k).locator("div").count() > FOLDED_LINES
    folded.first.locator("summary").click()
    expect(folded.first.locator("div").first).to_be_visible()
