"""The report as a reader has it: drawn, sorted, copied, highlighted, printed, and read aloud.

Every test here also fails on anything that the page writes to the console, on any error, dialogue
or request (see ``conftest.open_page``).
"""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from irbounds.presentation.figures.style import FADED
from irbounds.presentation.html.content_security_policy import pack
from irbounds.presentation.html.page import render_page
from irbounds.presentation.table import Table, render
from sample_page import HOSTILE, LONG, NAMES, long_table, sample_page

LAPTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
GRAVE = ("serious", "critical")
MARKS, LONG_ONE = 2, 3  # places of the odd tables among all


SECTION = "section[aria-labelledby='section-1'] figure"  # of one panel each
PANELS = 4  # open ones: two of the first figure, two of the first section
TABLES = 4  # with a row per system


def read_column(page, table: int, place: int) -> list[str]:
    """Return the cell texts of a column, from the top."""
    script = """([table, place]) => [...document.querySelectorAll("table")[table].tBodies[0].rows]
        .map((row) => row.cells[place].textContent)"""
    return page.evaluate(script, [table, place])


def sort_by(page, table: int, heading: str) -> None:
    page.locator("table").nth(table).get_by_role("button", name=heading, exact=True).click()


def read_opacities(page, figure: int) -> dict[str, float]:
    """Return the opacity of each system's dot, by the name in its accessible description."""
    dots = page.locator(SECTION).nth(figure).locator(".mark-symbol path")
    names = dots.evaluate_all("dots => dots.map((dot) => dot.__data__.datum.system)")
    looks = dots.evaluate_all("dots => dots.map((dot) => Number(dot.getAttribute('opacity') ?? 1))")
    return dict(zip(names, looks, strict=True))


def wait_for_faded(page, number: int) -> None:
    """Wait until this number of dots, over all figures, is faded."""
    faint = page.locator(f'.mark-symbol path[opacity="{FADED}"]')
    expect(faint).to_have_count(number)


def list_selected_systems(page, table: int) -> list[str]:
    rows = page.locator("table").nth(table).locator("tr.chosen")
    return rows.evaluate_all("rows => rows.map((row) => row.dataset.system)")


def test_every_chart_is_drawn_completely(open_page):
    page = open_page().page
    assert page.locator("figure").first.locator(".mark-symbol path").count() == 2 * len(NAMES)
    figures = page.locator(SECTION)
    assert figures.count() == 2
    for k in range(2):
        assert figures.nth(k).locator(".mark-symbol path").count() == len(NAMES)
        assert figures.nth(k).locator(".mark-rule line").count() >= len(NAMES)
    # the dots stand in the order of the means: the best is highest, and furthest to the right
    boxes = [
        figures.first.locator(".mark-symbol path").nth(k).bounding_box() for k in range(len(NAMES))
    ]
    names = list(read_opacities(page, 0))
    by_height = [name for _, name in sorted(zip([b["y"] for b in boxes], names, strict=True))]
    by_side = [name for _, name in sorted(zip([-b["x"] for b in boxes], names, strict=True))]
    assert by_height == by_side == list(reversed(NAMES))


def test_hostile_names_are_displayed_as_text(open_page):
    page = open_page().page
    labels = page.locator(SECTION).first.locator(".mark-text text").all_text_contents()
    starts = [
        label.removesuffix("\N{HORIZONTAL ELLIPSIS}") for label in labels
    ]  # long ones are cut
    assert all(any(name.startswith(start) for start in starts) for name in HOSTILE)
    assert len([label for label in labels if label in HOSTILE]) >= len(HOSTILE) - 1
    assert set(read_column(page, 0, 0)) == set(NAMES)
    assert page.locator("img").count() == 0
    assert page.title() == "A report of <b>bold</b> names"
    page.locator("figure").first.locator(".mark-symbol path").nth(1).hover()
    tooltip = page.locator("#vg-tooltip-element")
    tooltip.wait_for(state="visible")
    assert any(name in tooltip.inner_text() for name in HOSTILE)
    assert tooltip.locator("b, img, script").count() == 0


def test_content_security_policy_blocks_injected_script(open_page):
    """The Content-Security-Policy blocks code without a listed hash and logs the violation."""
    opened_page = open_page()
    opened_page.page.evaluate(
        "() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1';"
        " document.body.append(s); }"
    )
    assert opened_page.page.evaluate("window.ran === undefined")
    assert len(opened_page.faults) == 1
    assert "Content Security Policy" in opened_page.faults.pop()


def test_sort_is_numeric_with_dashes_last(open_page):
    page = open_page().page
    up = ["-0.5", "<0.001", "0.001", "0.02", "9", "1,204", "-"]
    original_column = read_column(page, MARKS, 1)
    sort_by(page, MARKS, "p")
    assert read_column(page, MARKS, 1) == up
    assert page.locator("[aria-sort]").get_attribute("aria-sort") == "ascending"
    sort_by(page, MARKS, "p")
    assert read_column(page, MARKS, 1) == [*reversed(up[:-1]), "-"]
    assert page.locator("[aria-sort]").get_attribute("aria-sort") == "descending"
    sort_by(page, MARKS, "p")
    assert read_column(page, MARKS, 1) == original_column
    assert page.locator("[aria-sort]").count() == 0


def test_keyboard_sorts_table(open_page):
    page = open_page().page
    page.locator("table").nth(MARKS).get_by_role("button", name="kind").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert read_column(page, MARKS, 0) == list("gfedcba")


def test_sort_uses_clicked_column_after_bars(open_page):
    page = open_page().page
    sort_by(page, 0, "mean")
    assert read_column(page, 0, 0) == list(NAMES)
    means = [float(cell) for cell in read_column(page, 0, 2)]
    assert means == sorted(means)


def test_long_table_sorts_and_expands_all_rows(open_page):
    page = open_page().page
    assert len(read_column(page, LONG_ONE, 0)) == 200
    sort_by(page, LONG_ONE, "value")
    page.wait_for_selector("[aria-sort]")
    assert read_column(page, LONG_ONE, 2) == [str(k) for k in range(200)]
    page.get_by_role("button", name=f"Show all {LONG} rows").click()
    expect(page.locator("tbody").nth(LONG_ONE).locator("tr")).to_have_count(LONG)
    assert read_column(page, LONG_ONE, 2) == [str(k) for k in range(LONG)]
    assert page.get_by_role("button", name="Show all").count() == 0


def test_row_selection_highlights_system_in_all_figures(open_page):
    page = open_page().page
    name = HOSTILE[3]
    page.locator("table").first.get_by_text(name, exact=True).click()
    wait_for_faded(page, PANELS * (len(NAMES) - 1))
    for place in (0, 1):
        assert list_selected_systems(page, place) == [name]
        assert read_opacities(page, place) == {n: 1 if n == name else FADED for n in NAMES}
    assert page.locator("#chosen").inner_text() == f"Highlighted: {name}. Press Escape to clear."
    assert page.locator("#system").input_value() == name
    page.keyboard.press("Escape")
    assert list_selected_systems(page, 0) == list_selected_systems(page, 1) == []
    wait_for_faded(page, 0)
    assert page.locator("#chosen").inner_text() == ""


def test_mark_selection_toggles(open_page):
    page = open_page().page
    name = list(read_opacities(page, 1))[2]
    for expected in ([name], []):
        page.locator(SECTION).nth(1).locator(".mark-symbol path").nth(2).click()
        expect(page.locator("tr.chosen")).to_have_count(TABLES * len(expected))
        assert list_selected_systems(page, 0) == list_selected_systems(page, 1) == expected


def test_keyboard_selection_reaches_rows_in_payload(open_page):
    page = open_page().page
    page.locator("#system").select_option("s7")
    assert list_selected_systems(page, LONG_ONE) == ["s7"] * 20
    page.get_by_role("button", name="Show all").click()
    expect(page.locator("tr.chosen")).to_have_count(LONG // 10)
    page.locator("#system").select_option("")
    assert page.locator("tr.chosen").count() == 0


@pytest.mark.parametrize("clipboard", [pytest.param(True, marks=pytest.mark.slow), False])
def test_copy_button_copies_full_records(open_page, clipboard):
    """A page opened from a file may have no clipboard API; the selected text is copied then."""
    page = open_page(permissions=["clipboard-read", "clipboard-write"]).page
    if not clipboard:
        page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject('no'); }")
    page.locator("div.table").nth(LONG_ONE).get_by_role("button", name="Copy as CSV").click()
    page.get_by_text("Copied.").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == render([long_table()], "csv", {})
    assert len(list(csv.DictReader(io.StringIO(copied)))) == LONG


@pytest.mark.slow
def test_save_buttons_write_table_and_figure(open_page):
    page = open_page(color_scheme="dark").page
    with page.expect_download() as waiting:
        page.locator("div.table").nth(MARKS).get_by_role("button", name="Save as CSV").click()
    assert waiting.value.path().read_text().splitlines()[0] == "kind,p"
    starts = {"SVG": b"<svg", "PNG": b"\x89PNG"}
    for kind, start in starts.items():
        with page.expect_download() as waiting:
            page.locator(SECTION).first.get_by_role("button", name=f"Save as {kind}").click()
        content = waiting.value.path().read_bytes()
        assert content.startswith(start)
        assert waiting.value.suggested_filename == f"means-AP.{kind.lower()}"
        assert b"currentColor" not in content  # dark ink on white, also from a dark page


@pytest.mark.parametrize(
    ("scheme", "viewport"),
    [
        pytest.param("light", LAPTOP, marks=pytest.mark.slow),
        pytest.param("dark", LAPTOP, marks=pytest.mark.slow),
        ("light", PHONE),
        pytest.param("dark", PHONE, marks=pytest.mark.slow),
    ],
    ids=["light", "dark", "phone", "dark phone"],
)
def test_report_has_no_accessibility_violations(open_page, scheme, viewport):
    page = open_page(color_scheme=scheme, viewport=viewport).page
    page.locator("#system").select_option("bm25")  # the status line and the marked rows as well
    violations = Axe().run(page).response["violations"]
    assert [(v["id"], v["nodes"][0]["html"]) for v in violations if v["impact"] in GRAVE] == []
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= page.viewport_size["width"]


@pytest.mark.slow
def test_accessibility_check_detects_violations(open_page):
    """Negative control: text of low contrast, and a scrolling box without keyboard access."""
    page = open_page().page
    page.evaluate("document.querySelector('.made').style.color = '#ddd'")
    page.evaluate("document.querySelector('#system').previousElementSibling.remove()")
    violation_ids = {
        v["id"] for v in Axe().run(page).response["violations"] if v["impact"] in GRAVE
    }
    assert {"color-contrast", "select-name"} <= violation_ids


def test_print_shows_all_sections_on_several_pages(open_page):
    page = open_page(color_scheme="dark").page
    page.emulate_media(media="print")
    assert page.locator(".actions button:visible").count() == 0
    colours = "getComputedStyle(document.body).%s"
    assert page.evaluate(colours % "color") == "rgb(0, 0, 0)"
    assert page.evaluate(colours % "backgroundColor") == "rgb(255, 255, 255)"
    boxes = page.locator(".table .box")
    assert not boxes.evaluate_all("boxes => boxes.some((b) => b.scrollHeight > b.clientHeight + 1)")
    printed = page.pdf(format="A4")
    assert len(re.findall(rb"/Type /Page\b", printed)) >= 4


def test_page_without_scripts_has_all_text_and_tables(open_page):
    page = open_page(script=False).page
    body_text = page.locator("body").text_content()
    page_said = sample_page()
    for section in page_said.sections:
        assert section.heading in body_text
        for sentence in section.sentences:
            assert sentence in body_text
    assert page.locator("tbody tr:visible").count() == len(NAMES) + 7 + 200
    assert page.locator("button:visible, select:visible").count() == 0
    drawings = page.locator(".static:visible")
    assert drawings.count() == PANELS
    for k in range(PANELS):
        assert drawings.nth(k).locator("circle").count() >= len(NAMES)
        assert drawings.nth(k).bounding_box()["width"] > 300
    page.locator("summary", has_text="Folded results").click()
    expect(drawings).to_have_count(PANELS + 1)
    expect(page.get_by_text("the second.")).to_be_visible()


def test_failed_figure_has_note_and_next_figure_is_drawn(open_page, tmp_path):
    """A static SVG in the file stays; without one, a text replaces the figure."""
    lead, first, second = render_page(sample_page()).split("<figure", 3)[1:]
    before = render_page(sample_page()).split("<figure", 1)[0]
    broken = re.sub('(?<=class="packed">)[^<]*', pack({"mark": "no such mark"}), first, count=1)
    bare = re.sub('(?s)<svg class="static".*?</svg>', "", broken)
    for figure, n_words in ((broken, 0), (bare, 1)):
        path = tmp_path / "broken.html"
        path.write_text("<figure".join((before, lead, figure, second)), encoding="utf-8")
        opened_page = open_page(path)
        words = opened_page.page.get_by_text("This figure could not be drawn. It shows: 9 systems")
        assert words.count() == n_words
        assert (
            opened_page.page.locator(SECTION).first.locator(".static:visible").count()
            == 1 - n_words
        )
        assert opened_page.page.locator(SECTION).nth(1).locator(".mark-symbol path").count() == len(
            NAMES
        )
        assert len(opened_page.faults) == 1
        opened_page.faults.clear()


def test_page_without_figures_or_systems_opens(open_page, tmp_path):
    page = sample_page()
    sections = [replace(page.sections[1], tables=[page.sections[1].tables[0]])]
    path = tmp_path / "bare.html"
    bare = replace(page, sections=sections, lead=lambda: None, scores=None)
    path.write_text(render_page(bare), encoding="utf-8")
    open_document = open_page(path).page
    sort_by(open_document, 0, "p")
    assert read_column(open_document, 0, 1)[0] == "-0.5"
    assert open_document.locator("#system").count() == 0


# ---- sections ---------------------------------------------------------------------------------


def test_verdicts_are_on_first_screen(open_page):
    page = open_page(viewport={"width": 1366, "height": 768}).page
    for part in (page.locator("h1"), page.locator(".verdict").last, page.locator(".remarks")):
        assert part.bounding_box()["y"] + part.bounding_box()["height"] < 768
    panels = page.locator("figure").first.locator(".panel")
    boxes = [panels.nth(k).bounding_box() for k in range(2)]
    assert boxes[0]["y"] == boxes[1]["y"]
    assert boxes[0]["x"] + boxes[0]["width"] < boxes[1]["x"]
    assert max(box["y"] + box["height"] for box in boxes) < 768
    assert page.locator(".remarks").bounding_box()["height"] < 40  # one line


def test_opening_section_draws_its_figure(open_page):
    page = open_page().page
    folded = page.locator("section[aria-labelledby='section-3']")
    assert folded.locator(".live svg").count() == 0
    folded.locator("summary").first.click()
    expect(folded.locator(".mark-symbol path")).to_have_count(len(NAMES))
    expect(folded.locator(".static")).to_be_hidden()


def test_link_opens_target_section(open_page, report):
    page = open_page().page
    page.locator(".remarks a").click()
    expect(page.get_by_role("heading", name="1 warning")).to_be_visible()
    page.locator("summary", has_text="Inputs").click()
    page.locator(".remarks a").click()  # the same address again
    expect(page.get_by_role("heading", name="1 warning")).to_be_visible()
    page.goto(f"{report.as_uri()}#methods")
    expect(page.get_by_role("heading", name="References")).to_be_visible()


def test_contents_mark_visible_section(open_page):
    page = open_page().page
    current = page.locator("nav [aria-current]")
    for place, heading in ((2, "Odd tables"), (1, "Mean scores & more")):
        page.evaluate(f"document.querySelector('#section-{place}').scrollIntoView()")
        expect(current).to_have_text(heading)


def test_contents_are_collapsed_on_phone(open_page):
    page = open_page(viewport=PHONE).page
    assert page.locator("nav li:visible").count() == 0
    page.locator("nav summary").click()
    assert page.locator("nav li:visible").count() == 9
    assert open_page().page.locator("nav li:visible").count() == 9


# ---- two systems ------------------------------------------------------------------------------


def pair_bars(page) -> list[tuple[str, float]]:
    bars = page.locator("section.pair .mark-rect path")
    return bars.evaluate_all(
        "bars => bars.map(({ __data__: { datum } }) => [datum.query, datum.difference])"
    )


def test_pair_comparison_starts_with_two_best_systems(open_page):
    page = open_page().page
    names = [select.input_value() for select in page.locator("section.pair select").all()]
    assert names == [NAMES[-1], NAMES[-2], "AP"]
    words = page.locator("section.pair .found").inner_text()
    assert words == (
        f"By AP, {NAMES[-1]} scores 0.0500 above {NAMES[-2]} on average over 8 queries: "
        "higher on 8, equal on 0, lower on 0."
    )
    assert [difference for _, difference in pair_bars(page)] == pytest.approx([0.05] * 8)


def test_pair_comparison_accepts_any_two_systems(open_page, tmp_path):
    page = sample_page(("a", "b", "c"))
    values = [[[0.5, 0.1, 0.3], [0.2, 0.4, 0.3], [0.0, 0.0, 0.0]]] * 2
    few_scores = replace(page.scores, queries=["q1", "q2", "q3"], values=values)
    path = tmp_path / "pair.html"
    text = render_page(replace(page, scores=few_scores))
    path.write_text(text, encoding="utf-8")
    open_document = open_page(path).page
    selects = open_document.locator("section.pair select")
    selects.nth(0).select_option("b")
    selects.nth(1).select_option("a")
    selects.nth(2).select_option("nDCG@10")
    expect(open_document.locator("section.pair .found")).to_contain_text(
        "1, equal on 1, lower on 1."
    )
    expect(open_document.locator("section.pair .mark-rect path")).to_have_count(3)
    bars = pair_bars(open_document)
    assert [query for query, _ in bars] == ["q2", "q3", "q1"]
    assert [difference for _, difference in bars] == pytest.approx([0.3, 0.0, -0.3])


def test_difference_row_selects_its_pair(open_page, tmp_path):
    page = sample_page()
    pair = {"measure": "nDCG@10", "system": NAMES[0], "baseline": NAMES[3]}
    table = Table("Differences", ("system", "value"), (("row", "1"),), (pair,))
    sections = [replace(page.sections[1], tables=[table])]
    path = tmp_path / "row.html"
    path.write_text(render_page(replace(page, sections=sections)), encoding="utf-8")
    open_document = open_page(path).page
    open_document.get_by_text("row", exact=True).click()
    names = [select.input_value() for select in open_document.locator("section.pair select").all()]
    assert names == [pair["system"], pair["baseline"], pair["measure"]]
    expect(open_document.locator("section.pair .found")).to_contain_text("0.1500 below")
    link = open_document.locator("#chosen a")
    assert NAMES[3] in link.inner_text()
    link.click()
    expect(open_document.locator("#pair")).to_be_in_viewport()
    with open_document.expect_download() as waiting:
        open_document.locator("section.pair").get_by_role("button", name="Save as SVG").click()
    assert "&lt;script&gt;" in waiting.value.path().read_text()
