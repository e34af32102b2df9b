"""The recall calculator as a reader has it: typed into, shared, printed, saved and checked.

Every test here also fails on anything that the page writes to the console, on any error, dialogue
or request (see ``conftest.open_page``).
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from functools import cache
from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from irbounds import __version__, recall
from irbounds.reports.calculator import MAX_DATE, MAX_ENTRY, MAX_NAME, MAX_STRATA, make_calculator
from irbounds.reports.recall_record import MARKS, check_record, read_design
from irbounds.results.recall_sentences import CONDITIONS
from irbounds.samples.control_set import implausible_split

GRAVE = ("serious", "critical")
PAPER = ("A4", "Letter")
PAGES = re.compile(rb"/Type\s*/Page\b")
DRAWN = "html[data-drawn]"
EXAMPLE = {"retrieved": (5000, 500, 400), "unretrieved": (95_000, 1500, 3)}
NOT_SAMPLED = (
    "design=two-samples&at_least=&confidence_level=95&retrieved=50~0~0~&unretrieved=90~9~1~"
)
LONG = [
    ("design", "two-samples"),
    ("at_least", "0.93"),
    ("confidence_level", "97.5 %"),
    ("method", "beta-binomial"),
    ("words", "ediscovery"),
    ("matter", ("In re Example Litigation " * 9)[:MAX_ENTRY]),
    ("prepared_by", ("Example and Partners LLP " * 9)[:MAX_ENTRY]),
    ("date", ("Wednesday, " * 9)[:MAX_DATE]),
]


@pytest.fixture(scope="session")
def calculator_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("calculator") / "recall.html"
    make_calculator().save(path)
    return path


@pytest.fixture
def open_calculator(open_page, calculator_file):
    """Return a function that opens the calculator, with the state of a link."""

    def open_with(link: str = "", **options):
        page = open_page(calculator_file, **options).page
        if link:
            follow(page, link)
        return page

    return open_with


def follow(page, link: str) -> None:
    page.evaluate(
        "(link) => { delete document.documentElement.dataset.drawn; location.hash = link; }", link
    )
    wait(page)


def wait(page) -> None:
    """Wait until everything is computed; an input takes the mark away at once."""
    page.wait_for_selector(DRAWN, state="attached", timeout=30_000)


def type_into(page, label: str, text: str, segment: str = "") -> None:
    place = page.locator(f'[data-segment="{segment}"]') if segment else page
    place.get_by_label(label, exact=True).first.fill(text)
    wait(page)


def read_record(page) -> dict:
    return json.loads(page.locator("#record").text_content().translate(MARKS))


@cache
def compute(record: str) -> list[str]:
    """Return the sentences that Python makes of a record; many tests end with the example."""
    design = read_design(json.loads(record), "page")
    return [*design.findings(), design.quote(), *design.tipping_sentences()]


def check_sentences(page) -> None:
    shown = [page.locator(place).text_content() for place in ("#verdict", "#findings", "#quote")]
    assert " ".join((*shown, page.locator("#tipping").text_content())) == " ".join(
        compute(json.dumps(read_record(page)))
    )


# ---- opening ----


def test_page_is_alive_on_opening_and_states_its_version(open_calculator, calculator_file):
    page = open_calculator()
    claim = recall(**EXAMPLE, at_least=0.75)
    check_sentences(page)
    verdict = page.locator("#verdict").text_content()
    assert verdict.startswith(f"Shown: recall of at least 0.75, {CONDITIONS}. The guaranteed 95 %")
    assert read_record(page)["results"][0][4] == pytest.approx(claim[0].interval.low, abs=1e-9)
    assert f"Computed on this page by irbounds {__version__}" in page.inner_text("#sheet")
    assert page.locator("#results tr").count() == 6
    rows = page.locator("#results th").all_text_contents()
    assert rows[:2] == ["recall", "elusion"]
    assert calculator_file.stat().st_size < 300_000


def test_page_without_script_says_what_it_needs(open_calculator):
    page = open_calculator(script=False)
    assert "allow its script to run" in page.inner_text("body")


# ---- typing ----


@pytest.mark.parametrize("typed", ["1,000,000", "1 000 000"])
def test_counts_are_typed_with_separators(open_calculator, typed):
    page = open_calculator()
    type_into(page, "Documents", typed, "unretrieved")
    assert "of 1,000,000 unretrieved documents" in page.locator("#quote").text_content()
    check_sentences(page)


ERRORS = [
    ("unretrieved", "Documents", "100.000", "got '100.000'; write 100 or 100000"),
    ("unretrieved", "Documents", "many", "must be an integer of at least 0; got 'many'"),
    ("unretrieved", "Documents", "", "needs a number"),
    ("unretrieved", "Documents", "2000000000000", "must be at most 1,000,000,000,000"),
    ("unretrieved", "Documents", "1000", "1,500 sampled of a population of 1,000"),
    ("unretrieved", "Relevant", "1,501", "1,501 relevant of 1,500 sampled"),
    ("", "Claim: recall is at least (optional)", "high", "must be a fraction such as 0.75"),
    ("", "Claim: recall is at least (optional)", "101", "must be between 0 and 1, or between"),
    ("", "Confidence level", "1", "write 1 % if this is meant"),
    ("", "Confidence level", "", "must be a fraction such as 0.75"),
]


def test_errors_are_beside_the_field_and_hide_the_result(open_calculator):
    page = open_calculator()
    for error in ERRORS:
        check_error(page, *error)


def check_error(page, segment, label, typed, message):
    type_into(page, label, typed, segment)
    field = page.locator('input[aria-invalid="true"]')
    expect(field).to_have_count(1)
    described = page.locator(f"#{field.get_attribute('aria-describedby')}")
    assert message in described.text_content()
    assert "\n" not in described.text_content()
    assert page.locator("#verdict").text_content() == "No result: correct the marked fields."
    assert not page.locator("#quote").is_visible()
    assert page.locator("#record").text_content() == ""
    page.get_by_role("button", name="Save the record").click()
    assert page.locator("#done").text_content() == "There is no result to save."
    follow(page, "#")  # the example again
    expect(field).to_have_count(0)
    check_sentences(page)


@pytest.mark.parametrize("typed", ["90 %", "90", "0.9"])
def test_claims_are_typed_as_fraction_or_percentage(open_calculator, typed):
    page = open_calculator()
    type_into(page, "Claim: recall is at least (optional)", typed)
    assert "recall of at least 0.9." in page.locator("#verdict").text_content()
    check_sentences(page)


def test_claim_that_is_not_shown_has_the_sample_that_it_needs(open_calculator):
    page = open_calculator()
    type_into(page, "Claim: recall is at least (optional)", "0.91")
    assert page.locator("#verdict").text_content().startswith("Not shown: ")
    needed = recall(**EXAMPLE, at_least=0.91)[0].sample_needed
    assert f"A sample of {needed:,} unretrieved documents" in page.inner_text("#findings")
    check_sentences(page)


@pytest.mark.parametrize("typed", ["5", "0.05", "79 %"])
def test_level_of_a_claim_has_a_minimum(open_calculator, typed):
    page = open_calculator()
    type_into(page, "Confidence level", typed)
    message = page.locator("#confidence_level-error").text_content()
    assert "at least 80 %" in message
    assert ("did you mean 95 %" in message) is (typed != "79 %")
    assert page.locator("#verdict").text_content().startswith("No result")
    type_into(page, "Claim: recall is at least (optional)", "")
    assert page.locator("#confidence_level-error").text_content() == ""


def test_conditions_are_in_verdict_and_sentence_to_quote(open_calculator):
    page = open_calculator()
    assert page.locator("#verdict").text_content().startswith("Shown: ")
    for place in ("#verdict", "#quote"):
        assert CONDITIONS in page.locator(place).text_content()


def test_page_without_a_claim_has_an_interval(open_calculator):
    page = open_calculator()
    type_into(page, "Claim: recall is at least (optional)", "")
    assert page.locator("#verdict").text_content().startswith("Recall is between 0.888 and 0.987")
    check_sentences(page)
    page.get_by_label("Interval", exact=True).select_option("exact")
    page.get_by_label("Words", exact=True).select_option("ediscovery")
    page.get_by_label("The relevant documents of the unretrieved sample").check()
    wait(page)
    assert "5,000 produced documents" in page.locator("#quote").text_content()
    check_sentences(page)


def test_warning_about_swapped_segments(open_calculator):
    page = open_calculator()
    type_into(page, "Relevant", "1,400", "unretrieved")
    warning = "elusion (0.933) is above precision (0.8): are retrieved and unretrieved swapped?"
    assert page.locator("#warnings").text_content() == f"Warning: {warning}"


def test_warning_about_a_control_set_that_is_hardly_one_sample(open_calculator):
    page = open_calculator("#design=control-set&at_least=&confidence_level=95&part=5000~900~80~")
    warning = implausible_split(100_000, 2000, 5000, 900)
    assert page.locator("#warnings").text_content() == f"Warning: {warning}"


# ---- designs ----


def test_control_set_is_that_of_python(open_calculator):
    page = open_calculator()
    page.get_by_label("Design", exact=True).select_option("control-set")
    wait(page)
    check_sentences(page)
    expected = recall(retrieved=(5000, 100, 80), control_set=(100_000, 2000, 84), at_least=0.75)
    assert read_record(page)["results"][0][4] == pytest.approx(expected[0].interval.low, abs=1e-9)
    type_into(page, "Sampled among them", "2,001", "part")
    message = page.locator('[data-segment="part"] .error').all_text_contents()
    assert "2,001 sampled of the 2,000 of the whole corpus" in message


def test_review_needs_no_sample_of_the_retrieved_documents(open_calculator):
    page = open_calculator()
    page.get_by_label("Design", exact=True).select_option("review")
    wait(page)
    assert not page.locator('[data-segment="retrieved"]').get_by_label("Sampled").is_visible()
    assert (
        page.locator("#quote")
        .text_content()
        .startswith("Of 5,000 retrieved documents all were read, 400")
    )
    check_sentences(page)


def test_strata_are_added_named_and_removed(open_calculator):
    page = open_calculator()
    box = page.locator('[data-segment="unretrieved"]')
    assert not box.get_by_label("Name").is_visible()
    box.get_by_role("button", name="Add a stratum").click()
    names, values = box.get_by_label("Name"), ("Documents", "Sampled", "Relevant")
    expect(names).to_have_count(2)
    names.nth(0).fill("mail")
    names.nth(1).fill("<b>chat</b> & 'calls'")
    for label, text in zip(values, ("800", "all", "5"), strict=True):
        box.get_by_label(label).nth(1).fill(text)
    wait(page)
    strata = read_record(page)["strata"]
    assert strata[1:] == [
        ["mail", False, 95_000, 1500, 3],
        ["<b>chat</b> & 'calls'", False, 800, 800, 5],
    ]
    assert "in 2 strata" in page.locator("#quote").text_content()
    check_sentences(page)
    names.nth(1).fill("mail")
    wait(page)
    assert "'mail' is there twice" in box.inner_text()
    box.get_by_role("button", name="Remove stratum 2").click()
    wait(page)
    expect(names).to_have_count(1)
    check_sentences(page)
    for _ in range(MAX_STRATA - 1):
        box.get_by_role("button", name="Add a stratum").click()
    expect(box.get_by_role("button", name="Add a stratum")).to_be_disabled()


# ---- link, copies ----


def test_link_holds_the_design(open_calculator):
    link = "#" + urlencode(
        [
            *(("design", "two-samples"), ("at_least", "80"), ("confidence_level", "0.9")),
            *(("method", "exact"), ("words", "search"), ("credit_found", "1")),
            *(("matter", "A <img src=x onerror=alert(1)> & B"), ("retrieved", "2000~100~50~")),
            *(("unretrieved", "1,000~100~3~a~b"), ("unretrieved", "9000~50~0~"), ("other", "1")),
        ]
    )
    page = open_calculator(link)
    record = read_record(page)
    assert record["matter"] == "A <img src=x onerror=alert(1)> & B"
    assert record["strata"] == [
        ["retrieved", True, 2000, 100, 50],
        ["a~b", False, 1000, 100, 3],
        ["unretrieved 2", False, 9000, 50, 0],
    ]
    chosen = ("at_least", "confidence_level", "method", "credit_found")
    assert [record[name] for name in chosen] == [0.8, 0.9, "exact", True]
    other = open_calculator(page.evaluate("location.hash"))
    assert read_record(other) == record
    assert page.locator("img").count() == 0


def test_buttons_copy_sentence_and_link(open_calculator):
    page = open_calculator(permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy the sentence").click()
    page.get_by_text("Copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("#quote").text_content()
    page.get_by_role("button", name="Copy the link to this design").click()
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    assert "unretrieved=95%2C000%7E1%2C500%7E3%7E" in page.url


# ---- print and record ----


def count_pages(page) -> list[int]:
    return [len(PAGES.findall(page.pdf(format=paper))) for paper in PAPER]


def long_link(n_strata: int, *, is_credited: bool) -> str:
    strata = [
        (
            segment,
            f"999,999~5,000~{relevant}~{(f'{segment[:3]} {k}, mail and attachments')[:MAX_NAME]}",
        )
        for segment, relevant in (("retrieved", 400), ("unretrieved", 20))
        for k in range(n_strata)
    ]
    return "#" + urlencode([*LONG, *strata, *([("credit_found", "1")] * is_credited)])


@pytest.mark.parametrize("n_strata", [4, MAX_STRATA])
@pytest.mark.parametrize("is_credited", [False, True])
@pytest.mark.slow
def test_longest_sheet_is_one_printed_page(open_calculator, n_strata, is_credited):
    page = open_calculator(long_link(n_strata, is_credited=is_credited))
    assert count_pages(page) == [1, 1]


def test_printed_page_has_all_parts_and_no_form(open_calculator):
    page = open_calculator(
        "#design=review&matter=In+re+Example&date=1+May&at_least=0.75&confidence_level=95"
    )
    assert count_pages(page) == [1, 1]
    page.emulate_media(media="print")
    text = page.inner_text("body")
    for part in (
        *(
            "Recall audit",
            "Matter",
            "In re Example",
            "Prepared by",
            "Claim",
            "Recall is at least 0.75.",
        ),
        *(
            "does not allow for",
            "Counts by stratum",
            "To quote",
            "Tipping points",
            "Signature",
            "1 May",
        ),
        *("drawn at random from the populations listed above", '{"record":"irbounds_recall"'),
    ):
        assert part in text
    assert "Copy the sentence" not in text
    page.evaluate("document.querySelector('#quote').textContent = 'a word '.repeat(900)")
    assert count_pages(page) == [2, 2]  # the count can tell


def test_sheet_without_a_statement_is_not_signed(open_calculator):
    page = open_calculator(f"#{NOT_SAMPLED}")
    page.emulate_media(media="print")
    assert "there is nothing to quote or to sign" in page.inner_text("#sheet")
    assert "Signature" not in page.inner_text("#sheet")
    assert not page.locator("#quote").is_visible()


#: an umlaut, a no-break space, quotation marks, a tilde and a ligature
ODD_MATTER = "%C3%84%C2%A0%E2%80%9Cfi%E2%80%9D+~+%EF%AC%81"
LINKS = {
    "example": "",
    "not shown, e-discovery": long_link(1, is_credited=False),
    "review without a claim": f"#design=review&at_least=&confidence_level=0.9&matter={ODD_MATTER}",
    "control set": "#design=control-set&at_least=0.9&confidence_level=95",
    "not sampled": f"#{NOT_SAMPLED}",
}


#: Python computes these for seconds, once per form of the record
LONG_LINKS = ("not shown, e-discovery", "control set")


@pytest.mark.parametrize(
    "link",
    [
        pytest.param(link, id=name, marks=[pytest.mark.slow] if name in LONG_LINKS else [])
        for name, link in LINKS.items()
    ],
)
def test_record_is_confirmed_by_python(open_calculator, link, tmp_path):
    """As a saved file, a saved page, and the text of a printed page."""
    page = open_calculator(link)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save the record").click()
    assert waiting.value.suggested_filename == "recall-record.json"
    saved = check_record(waiting.value.path().read_text(), "saved")
    assert saved.lines() == [f"all {saved.n_numbers} numbers are confirmed"]
    texts = {"saved page": page.content()}
    page.emulate_media(media="print")
    texts["text"] = page.inner_text("body")
    if os.environ.get("IRBOUNDS_CI") or shutil.which("pdftotext"):
        (tmp_path / "page.pdf").write_bytes(page.pdf(format="A4"))
        for mode in ("-layout", "-raw", "-nopgbrk"):
            command = ["pdftotext", mode, str(tmp_path / "page.pdf"), "-"]
            texts[mode] = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for kind, text in texts.items():
        checked = check_record(text, kind)
        assert checked.lines()[-1].endswith(" of text are confirmed"), (kind, checked.lines())


def test_forged_page_is_not_confirmed(open_calculator):
    page = open_calculator()
    page.evaluate(
        "document.querySelector('#verdict').textContent = 'Shown: recall of at least 0.95.'"
    )
    lines = check_record(page.content(), "page").lines()
    assert "the page has another verdict: Shown:recallofatleast0.95" in lines


# ---- looks ----


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_is_accessible_and_not_wider_than_the_screen(open_calculator, width, scheme):
    page = open_calculator(
        long_link(3, is_credited=False),
        viewport={"width": width, "height": 900},
        color_scheme=scheme,
    )
    page.locator("#tipping-more summary").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    violations = Axe().run(page).response["violations"]
    assert [(v["id"], v["nodes"][0]["html"]) for v in violations if v["impact"] in GRAVE] == []
    figure = page.locator("#figure svg")
    assert figure.get_attribute("role") == "img"
    label = figure.get_attribute("aria-label")
    assert re.fullmatch(
        r"Recall: claim 0\.93; 97\.5 % interval from .*; estimate .*; guaranteed .*\.", label
    )
    assert page.locator("#verdict").get_attribute("aria-live") == "polite"


def test_links_to_the_result_keep_the_design(open_calculator):
    page = open_calculator(viewport={"width": 390, "height": 800})
    type_into(page, "Documents", "70000", "unretrieved")
    glance = page.locator("#glance")
    assert glance.text_content() == page.locator("#verdict").text_content()
    expect(glance).to_be_in_viewport()
    for link in (glance, page.locator(".skip")):
        link.evaluate("link => link.click()")
        wait(page)
        assert page.evaluate("document.activeElement.id") == "sheet"
        assert "of 70,000 unretrieved documents" in page.locator("#quote").text_content()
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(glance).to_be_hidden()


def test_keyboard_reaches_every_field(open_calculator):
    page = open_calculator()
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.className"))
    wanted = {"design", "at_least", "confidence_level", "method", "words", "credit_found", "matter"}
    assert wanted | {"print", "save", "copy-link", "copy", "add"} <= reached
