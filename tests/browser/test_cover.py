"""The cover of a recall audit in a browser: one printed page, and a sheet on the screen."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import pytest
from axe_playwright_python.sync_playwright import Axe

from irbounds.cli.output_options import MAX_DATE, MAX_ENTRY
from irbounds.presentation.html.page import render_page
from irbounds.presentation.page_content import Page
from irbounds.presentation.registry import View, make_section
from irbounds.reports.provenance import provenance_of
from irbounds.reports.recall_audit import MAX_FINDINGS, TITLE, audit_sections, make_cover
from irbounds.results import InputFile, Sample, Stratum
from irbounds.samples.recall_intervals import sample_estimates

GRAVE = ("serious", "critical")
PAPER = ("A4", "Letter")
SHORT = Sample(
    (Stratum("retrieved", True, 2000, 100, 50), Stratum("unretrieved", False, 100_000, 100, 3))
)
LONG = Sample(
    tuple(
        Stratum(f"custodian {k}, mail and attachments of 2019 to 2024", k < 6, 999_999, 5000, 400)
        for k in range(12)
    ),
    inputs=tuple(InputFile(f"{'assessments ' * 9}{k}.csv", "sha256:" + "0a" * 32) for k in "abc"),
    notes=tuple(f"drawn with seed {k} from {'0a' * 32}, {'documents ' * 20}" for k in range(9)),
)
ADVICE = "Draw 12,345 documents from the unretrieved segment in all to show it. "
LONG_ENTRIES = {
    **dict.fromkeys(("Matter", "Prepared by"), ("In re Example Litigation " * 9)[:MAX_ENTRY]),
    "Date": ("Wednesday, " * 9)[:MAX_DATE],
}
PAGES = re.compile(rb"/Type\s*/Page\b")


@cache
def cover_page(sample: Sample, *, is_long: bool = False, at_least: float = 0.75) -> Page:
    """Return a page with a claim; a long one has as much on its cover as there can be."""
    estimates = [
        replace(estimate, at_least=at_least if estimate.quantity == "recall" else None)
        for estimate in sample_estimates(sample, alternative="greater")
    ]
    cover = make_cover(sample, estimates, View())
    if is_long:
        room = MAX_FINDINGS - sum(map(len, cover.findings))
        cover = replace(cover, findings=[*cover.findings, (ADVICE * 20)[:room]])
    sections = [make_section(estimates), *audit_sections([sample], estimates)]
    tables = [table for section in sections for table in section.tables]
    return Page(
        TITLE,
        provenance_of(("recall",), {}, sample.inputs, tables),
        sections,
        ["counts"],
        ["a warning of many words " * 20] * 3 if is_long else (),
        cover=cover,
        entries=LONG_ENTRIES if is_long else {},
    )


@pytest.fixture
def open_cover(open_page, tmp_path):
    """Return a function that opens a page with a cover."""

    def open_with(page: Page, **looks):
        path = tmp_path / "cover.html"
        path.write_text(render_page(page), encoding="utf-8")
        return open_page(path, **looks).page

    return open_with


#: replaces what follows the cover by one line
ONLY_COVER = """() => {
    document.querySelectorAll(".cover ~ *").forEach((part) => part.remove());
    document.querySelector(".cover").insertAdjacentHTML("afterend", "<p>next");
}"""


def count_pages(page) -> list[int]:
    """Return the number of printed pages on each paper."""
    return [len(PAGES.findall(page.pdf(format=paper))) for paper in PAPER]


@pytest.mark.parametrize(
    ("is_long", "at_least", "verdict"),
    [(False, 0.75, "Not shown: "), (True, 0.75, "Not shown: "), (True, 0.4, "Shown: ")],
)
def test_cover_is_whole_on_one_printed_page(open_cover, is_long, at_least, verdict):
    sample = LONG if is_long else SHORT
    page = open_cover(cover_page(sample, is_long=is_long, at_least=at_least))
    assert min(count_pages(page)) >= 4
    text = page.inner_text(".cover")
    for part in ("Matter", "Prepared by", "Claim", verdict, "total", "To quote", "Signature"):
        assert part in text
    assert re.search("Fingerprint of the results sha256:[0-9a-f]{64}", text)
    page.evaluate(ONLY_COVER)
    assert count_pages(page) == [2, 2]


def test_cover_with_more_than_its_limits_needs_two_pages(open_cover):
    """The count of pages can tell a cover that fits from one that does not."""
    page = cover_page(LONG, is_long=True)
    page = replace(page, cover=replace(page.cover, quote="a word " * 600))
    opened_page = open_cover(page)
    opened_page.evaluate(ONLY_COVER)
    assert count_pages(opened_page) == [3, 3]


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_cover_on_the_screen_is_a_sheet_without_faults(open_cover, width, scheme):
    viewport = {"width": width, "height": 900}
    page = open_cover(cover_page(LONG, is_long=True), viewport=viewport, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    colours = page.evaluate(
        "['.cover', '.cover td', 'body'].map((s) =>"
        " getComputedStyle(document.querySelector(s)).backgroundColor)"
    )
    assert colours[0] != colours[2]
    assert page.locator("nav a[aria-current]").all_text_contents() == ["Cover"]
    violations = Axe().run(page).response["violations"]
    assert [(v["id"], v["nodes"][0]["html"]) for v in violations if v["impact"] in GRAVE] == []


CHECKED = Sample(
    tuple(
        replace(
            stratum,
            relevant_checked=200,
            relevant_confirmed=190,
            irrelevant_checked=400,
            irrelevant_overturned=20,
        )
        for stratum in LONG
    ),
    notes=LONG.notes,
)
MILLIMETRE = 96 / 25.4  # pixels


@pytest.mark.parametrize("sample", [CHECKED, replace(CHECKED, strata=CHECKED.strata[3:9])])
@pytest.mark.slow
def test_page_with_a_second_assessment_is_not_wider_than_its_paper(open_cover, sample):
    """Chromium prints a page that is wider than A4 without its margins in a smaller size."""
    width = int((210 - 2 * 16) * MILLIMETRE)
    estimates = [replace(estimate, strata=sample.strata) for estimate in sample_estimates(LONG)]
    page = cover_page(LONG)
    page = replace(
        page,
        warnings=["a warning of many words " * 20] * 3,
        cover=make_cover(sample, estimates, View()),
        entries=LONG_ENTRIES,
        sections=[*page.sections, *audit_sections([sample], estimates)],
    )
    opened_page = open_cover(page, viewport={"width": width, "height": 1000})
    opened_page.emulate_media(media="print")
    assert "others checked: not relevant ones assessed again" in opened_page.inner_text(".cover")
    assert opened_page.evaluate("document.documentElement.scrollWidth") <= width
    whole_page = open_cover(page)
    whole_page.evaluate(ONLY_COVER)
    assert count_pages(whole_page) == [2, 2]


def test_small_tables_and_methods_are_not_cut_in_print(open_cover):
    page = open_cover(cover_page(SHORT))
    page.emulate_media(media="print")
    for selector in ("main .table table", ".methods > div"):
        rule = "parts => parts.map((part) => getComputedStyle(part).breakInside)"
        assert set(page.locator(selector).evaluate_all(rule)) == {"avoid"}
