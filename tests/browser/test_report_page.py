"""The report as a reader has it: drawn, sorted, copied, highlighted, printed, and read aloud.

Every test here also fails on anything that the page writes to the console, on any error, dialogue
or request (see ``conftest.opened``).
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


def column(page, table: int, place: int) -> list[str]:
    """The words of a column, from the top."""
    script = """([table, place]) => [...document.querySelectorAll("table")[table].tBodies[0].rows]
        .map((row) => row.cells[place].textContent)"""
    return page.evaluate(script, [table, place])


def sort_by(page, table: int, heading: str) -> None:
    page.locator("table").nth(table).get_by_role("button", name=heading, exact=True).click()


def opacities(page, figure: int) -> dict[str, float]:
    """Opacity of each system's dot, by the name that its description for readers gives."""
    dots = page.locator(SECTION).nth(figure).locator(".mark-symbol path")
    names = dots.evaluate_all("dots => dots.map((dot) => dot.__data__.datum.system)")
    looks = dots.evaluate_all("dots => dots.map((dot) => Number(dot.getAttribute('opacity') ?? 1))")
    return dict(zip(names, looks, strict=True))


def wait_for_faded(page, number: int) -> None:
    """Until so many dots of all figures together are faint."""
    faint = page.locator(f'.mark-symbol path[opacity="{FADED}"]')
    expect(faint).to_have_count(number)


def marked(page, table: int) -> list[str]:
    rows = page.locator("table").nth(table).locator("tr.chosen")
    return rows.evaluate_all("rows => rows.map((row) => row.dataset.system)")


def test_every_chart_is_drawn_in_full(opened):
    page = opened().page
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
    names = list(opacities(page, 0))
    by_height = [name for _, name in sorted(zip([b["y"] for b in boxes], names, strict=True))]
    by_side = [name for _, name in sorted(zip([-b["x"] for b in boxes], names, strict=True))]
    assert by_height == by_side == list(reversed(NAMES))


def test_hostile_names_are_shown_as_they_are(opened):
    page = opened().page
    labels = page.locator(SECTION).first.locator(".mark-text text").all_text_contents()
    starts = [
        label.removesuffix("\N{HORIZONTAL ELLIPSIS}") for label in labels
    ]  # long ones are cut
    assert all(any(name.startswith(start) for start in starts) for name in HOSTILE)
    assert len([label for label in labels if label in HOSTILE]) >= len(HOSTILE) - 1
    assert set(column(page, 0, 0)) == set(NAMES)
    assert page.locator("img").count() == 0
    assert page.title() == "A report of <b>bold</b> names"
    page.locator("figure").first.locator(".mark-symbol path").nth(1).hover()
    tooltip = page.locator("#vg-tooltip-element")
    tooltip.wait_for(state="visible")
    assert any(name in tooltip.inner_text() for name in HOSTILE)
    assert tooltip.locator("b, img, script").count() == 0


def test_a_script_that_got_in_would_not_run(opened):
    """The policy's own test: the page refuses code that it does not name, and says so."""
    one = opened()
    one.page.evaluate(
        "() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1';"
        " document.body.append(s); }"
    )
    assert one.page.evaluate("window.ran === undefined")
    assert len(one.faults) == 1
    assert "Content Security Policy" in one.faults.pop()


def test_numbers_sort_as_numbers_and_dashes_stay_last(opened):
    page = opened().page
    up = ["-0.5", "<0.001", "0.001", "0.02", "9", "1,204", "-"]
    given = column(page, MARKS, 1)
    sort_by(page, MARKS, "p")
    assert column(page, MARKS, 1) == up
    assert page.locator("[aria-sort]").get_attribute("aria-sort") == "ascending"
    sort_by(page, MARKS, "p")
    assert column(page, MARKS, 1) == [*reversed(up[:-1]), "-"]
    assert page.locator("[aria-sort]").get_attribute("aria-sort") == "descending"
    sort_by(page, MARKS, "p")
    assert column(page, MARKS, 1) == given
    assert page.locator("[aria-sort]").count() == 0


def test_sorting_by_keyboard(opened):
    page = opened().page
    page.locator("table").nth(MARKS).get_by_role("button", name="kind").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert column(page, MARKS, 0) == list("gfedcba")


def test_a_column_behind_the_bars_is_the_one_that_is_sorted(opened):
    page = opened().page
    sort_by(page, 0, "mean")
    assert column(page, 0, 0) == list(NAMES)
    means = [float(cell) for cell in column(page, 0, 2)]
    assert means == sorted(means)


def test_a_long_table_sorts_all_its_rows_and_can_show_them(opened):
    page = opened().page
    assert len(column(page, LONG_ONE, 0)) == 200
    sort_by(page, LONG_ONE, "value")
    page.wait_for_selector("[aria-sort]")
    assert column(page, LONG_ONE, 2) == [str(k) for k in range(200)]
    page.get_by_role("button", name=f"Show all {LONG} rows").click()
    expect(page.locator("tbody").nth(LONG_ONE).locator("tr")).to_have_count(LONG)
    assert column(page, LONG_ONE, 2) == [str(k) for k in range(LONG)]
    assert page.get_by_role("button", name="Show all").count() == 0


def test_picking_a_row_highlights_the_system_everywhere(opened):
    page = opened().page
    name = HOSTILE[3]
    page.locator("table").first.get_by_text(name, exact=True).click()
    wait_for_faded(page, PANELS * (len(NAMES) - 1))
    for place in (0, 1):
        assert marked(page, place) == [name]
        assert opacities(page, place) == {n: 1 if n == name else FADED for n in NAMES}
    assert page.locator("#chosen").inner_text() == f"Highlighted: {name}. Press Escape to clear."
    assert page.locator("#system").input_value() == name
    page.keyboard.press("Escape")
    assert marked(page, 0) == marked(page, 1) == []
    wait_for_faded(page, 0)
    assert page.locator("#chosen").inner_text() == ""


def test_picking_a_mark_and_picking_it_again(opened):
    page = opened().page
    name = list(opacities(page, 1))[2]
    for wanted in ([name], []):
        page.locator(SECTION).nth(1).locator(".mark-symbol path").nth(2).click()
        expect(page.locator("tr.chosen")).to_have_count(TABLES * len(wanted))
        assert marked(page, 0) == marked(page, 1) == wanted


def test_picking_by_keyboard_reaches_rows_that_are_packed(opened):
    page = opened().page
    page.locator("#system").select_option("s7")
    assert marked(page, LONG_ONE) == ["s7"] * 20
    page.get_by_role("button", name="Show all").click()
    expect(page.locator("tr.chosen")).to_have_count(LONG // 10)
    page.locator("#system").select_option("")
    assert page.locator("tr.chosen").count() == 0


@pytest.mark.parametrize("clipboard", [pytest.param(True, marks=pytest.mark.slow), False])
def test_copying_gives_the_full_records(opened, clipboard):
    """From a file a browser may have no clipboard: then the selected text is copied."""
    page = opened(permissions=["clipboard-read", "clipboard-write"]).page
    if not clipboard:
        page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject('no'); }")
    page.locator("div.table").nth(LONG_ONE).get_by_role("button", name="Copy as CSV").click()
    page.get_by_text("Copied.").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == render([long_table()], "csv", {})
    assert len(list(csv.DictReader(io.StringIO(copied)))) == LONG


@pytest.mark.slow
def test_saving_a_table_and_a_figure(opened):
    page = opened(color_scheme="dark").page
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
def test_anyone_can_use_it(opened, scheme, viewport):
    page = opened(color_scheme=scheme, viewport=viewport).page
    page.locator("#system").select_option("bm25")  # the status line and the marked rows as well
    found = Axe().run(page).response["violations"]
    assert [(v["id"], v["nodes"][0]["html"]) for v in found if v["impact"] in GRAVE] == []
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= page.viewport_size["width"]


@pytest.mark.slow
def test_the_check_of_accessibility_can_fail(opened):
    """The negative control: text too faint to read, and a box that no keyboard reaches."""
    page = opened().page
    page.evaluate("document.querySelector('.made').style.color = '#ddd'")
    page.evaluate("document.querySelector('#system').previousElementSibling.remove()")
    found = {v["id"] for v in Axe().run(page).response["violations"] if v["impact"] in GRAVE}
    assert {"color-contrast", "select-name"} <= found


def test_printing_shows_all_and_needs_several_pages(opened):
    page = opened(color_scheme="dark").page
    page.emulate_media(media="print")
    assert page.locator(".actions button:visible").count() == 0
    colours = "getComputedStyle(document.body).%s"
    assert page.evaluate(colours % "color") == "rgb(0, 0, 0)"
    assert page.evaluate(colours % "backgroundColor") == "rgb(255, 255, 255)"
    boxes = page.locator(".table .box")
    assert not boxes.evaluate_all("boxes => boxes.some((b) => b.scrollHeight > b.clientHeight + 1)")
    printed = page.pdf(format="A4")
    assert len(re.findall(rb"/Type /Page\b", printed)) >= 4


def test_without_scripts_all_text_and_tables_are_there(opened):
    page = opened(script=False).page
    said = page.locator("body").text_content()
    page_said = sample_page()
    for section in page_said.sections:
        assert section.heading in said
        for sentence in section.sentences:
            assert sentence in said
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


def test_a_figure_that_cannot_be_drawn_has_a_note_and_the_next_is_drawn(opened, tmp_path):
    """With an SVG in the file that stays; without one, words take its place."""
    lead, first, second = render_page(sample_page()).split("<figure", 3)[1:]
    before = render_page(sample_page()).split("<figure", 1)[0]
    broken = re.sub('(?<=class="packed">)[^<]*', pack({"mark": "no such mark"}), first, count=1)
    bare = re.sub('(?s)<svg class="static".*?</svg>', "", broken)
    for figure, n_words in ((broken, 0), (bare, 1)):
        path = tmp_path / "broken.html"
        path.write_text("<figure".join((before, lead, figure, second)), encoding="utf-8")
        one = opened(path)
        words = one.page.get_by_text("This figure could not be drawn. It shows: 9 systems")
        assert words.count() == n_words
        assert one.page.locator(SECTION).first.locator(".static:visible").count() == 1 - n_words
        assert one.page.locator(SECTION).nth(1).locator(".mark-symbol path").count() == len(NAMES)
        assert len(one.faults) == 1
        one.faults.clear()


def test_a_page_without_figures_or_systems_works(opened, tmp_path):
    page = sample_page()
    sections = [replace(page.sections[1], tables=[page.sections[1].tables[0]])]
    path = tmp_path / "bare.html"
    bare = replace(page, sections=sections, lead=lambda: None, scores=None)
    path.write_text(render_page(bare), encoding="utf-8")
    one = opened(path).page
    sort_by(one, 0, "p")
    assert column(one, 0, 1)[0] == "-0.5"
    assert one.locator("#system").count() == 0


# ---- sections ---------------------------------------------------------------------------------


def test_the_answer_is_on_the_first_screen(opened):
    page = opened(viewport={"width": 1366, "height": 768}).page
    for part in (page.locator("h1"), page.locator(".verdict").last, page.locator(".remarks")):
        assert part.bounding_box()["y"] + part.bounding_box()["height"] < 768
    panels = page.locator("figure").first.locator(".panel")
    boxes = [panels.nth(k).bounding_box() for k in range(2)]
    assert boxes[0]["y"] == boxes[1]["y"]
    assert boxes[0]["x"] + boxes[0]["width"] < boxes[1]["x"]
    assert max(box["y"] + box["height"] for box in boxes) < 768
    assert page.locator(".remarks").bounding_box()["height"] < 40  # one line


def test_a_section_that_is_opened_draws_its_figure(opened):
    page = opened().page
    folded = page.locator("section[aria-labelledby='section-3']")
    assert folded.locator(".live svg").count() == 0
    folded.locator("summary").first.click()
    expect(folded.locator(".mark-symbol path")).to_have_count(len(NAMES))
    expect(folded.locator(".static")).to_be_hidden()


def test_a_link_opens_the_section_that_it_leads_to(opened, report):
    page = opened().page
    page.locator(".remarks a").click()
    expect(page.get_by_role("heading", name="1 warning")).to_be_visible()
    page.locator("summary", has_text="Inputs").click()
    page.locator(".remarks a").click()  # the same address again
    expect(page.get_by_role("heading", name="1 warning")).to_be_visible()
    page.goto(f"{report.as_uri()}#methods")
    expect(page.get_by_role("heading", name="References")).to_be_visible()


def test_contents_mark_the_section_on_screen(opened):
    page = opened().page
    current = page.locator("nav [aria-current]")
    for place, heading in ((2, "Odd tables"), (1, "Mean scores & more")):
        page.evaluate(f"document.querySelector('#section-{place}').scrollIntoView()")
        expect(current).to_have_text(heading)


def test_on_a_phone_the_contents_are_folded(opened):
    page = opened(viewport=PHONE).page
    assert page.locator("nav li:visible").count() == 0
    page.locator("nav summary").click()
    assert page.locator("nav li:visible").count() == 9
    assert opened().page.locator("nav li:visible").count() == 9


# ---- two systems ------------------------------------------------------------------------------


def pair_bars(page) -> list[tuple[str, float]]:
    bars = page.locator("section.pair .mark-rect path")
    return bars.evaluate_all(
        "bars => bars.map(({ __data__: { datum } }) => [datum.query, datum.difference])"
    )


def test_the_two_best_systems_are_compared_first(opened):
    page = opened().page
    names = [select.input_value() for select in page.locator("section.pair select").all()]
    assert names == [NAMES[-1], NAMES[-2], "AP"]
    words = page.locator("section.pair .found").inner_text()
    assert words == (
        f"By AP, {NAMES[-1]} scores 0.0500 above {NAMES[-2]} on average over 8 queries: "
        "higher on 8, equal on 0, lower on 0."
    )
    assert [difference for _, difference in pair_bars(page)] == pytest.approx([0.05] * 8)


def test_any_two_systems_can_be_compared(opened, tmp_path):
    page = sample_page(("a", "b", "c"))
    values = [[[0.5, 0.1, 0.3], [0.2, 0.4, 0.3], [0.0, 0.0, 0.0]]] * 2
    held = replace(page.scores, queries=["q1", "q2", "q3"], values=values)
    path = tmp_path / "pair.html"
    text = render_page(replace(page, scores=held))
    path.write_text(text, encoding="utf-8")
    one = opened(path).page
    selects = one.locator("section.pair select")
    selects.nth(0).select_option("b")
    selects.nth(1).select_option("a")
    selects.nth(2).select_option("nDCG@10")
    expect(one.locator("section.pair .found")).to_contain_text("1, equal on 1, lower on 1.")
    expect(one.locator("section.pair .mark-rect path")).to_have_count(3)
    bars = pair_bars(one)
    assert [query for query, _ in bars] == ["q2", "q3", "q1"]
    assert [difference for _, difference in bars] == pytest.approx([0.3, 0.0, -0.3])


def test_a_row_of_differences_picks_its_pair(opened, tmp_path):
    page = sample_page()
    pair = {"measure": "nDCG@10", "system": NAMES[0], "baseline": NAMES[3]}
    table = Table("Differences", ("system", "value"), (("row", "1"),), (pair,))
    sections = [replace(page.sections[1], tables=[table])]
    path = tmp_path / "row.html"
    path.write_text(render_page(replace(page, sections=sections)), encoding="utf-8")
    one = opened(path).page
    one.get_by_text("row", exact=True).click()
    names = [select.input_value() for select in one.locator("section.pair select").all()]
    assert names == [pair["system"], pair["baseline"], pair["measure"]]
    expect(one.locator("section.pair .found")).to_contain_text("0.1500 below")
    link = one.locator("#chosen a")
    assert NAMES[3] in link.inner_text()
    link.click()
    expect(one.locator("#pair")).to_be_in_viewport()
    with one.expect_download() as waiting:
        one.locator("section.pair").get_by_role("button", name="Save as SVG").click()
    assert "&lt;script&gt;" in waiting.value.path().read_text()
