"""A page beside its repetition: whatever is put in is seen, and what may differ is not."""

from __future__ import annotations

import base64
import json
import re
import zlib
from dataclasses import replace

import pytest

from irbounds.presentation.html.content_security_policy import pack
from irbounds.presentation.html.page import extract_provenance_block, render_page
from irbounds.reports.provenance import TableDigest, read_provenance
from irbounds.reports.repetition import PAYLOAD, _round_json, first_difference
from sample_page import sample_page

LAST_BIT = 1 + 3e-16


@pytest.fixture(scope="module")
def pages() -> tuple[str, str]:
    """A page with every kind of part, as it is read, and the same made later by other words."""
    page = sample_page()
    titles = [table.title for section in page.sections for table in section.tables]
    marks = tuple(TableDigest(title, "") for title in titles)
    first = replace(page.provenance, tables=marks, arguments=("evaluate", "\udc80<&.run"))
    second = replace(first, date="2031-01-01T00:00:00+00:00", arguments=("evaluate",))
    texts = (render_page(replace(page, provenance=one)) for one in (first, second))
    before, after = (text.encode(errors="xmlcharrefreplace").decode() for text in texts)
    return before, after


@pytest.fixture
def found(pages):
    """Where the first page differs once ``old`` in it is replaced, everywhere or in one place."""

    def find(old: str, new: str, count: int = 1) -> str:
        before, after = pages
        assert old in before
        return place_of_difference(before.replace(old, new, count), after)

    return find


def place_of_difference(before: str, after: str) -> str:
    blocks = (read_provenance(extract_provenance_block(page), "page") for page in (before, after))
    return first_difference(before, after, *blocks)


def unpacked(page: str, key: str) -> tuple[str, dict]:
    """The first packed content that has something under this key: as it stands there, and as is."""
    for blob in PAYLOAD.findall(page):
        content = json.loads(zlib.decompress(base64.b64decode(blob)))
        if content.get(key):
            return blob, content
    raise AssertionError(key)


def test_date_and_command_are_left_out(pages):
    assert pages[0] != pages[1]
    assert place_of_difference(*pages) == ""


@pytest.mark.parametrize(
    ("after", "put_in", "place"),
    [
        (r'<p class="found">', "Much better. ", "section 'Mean scores & more'"),
        (r'(?s)<tbody>.*?<td class="number">', "9", "table 'AP: mean over 8 judged queries"),
        (r"<figcaption>", "Not ", "figure '"),
        (r'(?s)<figure.*?aria-label="[^"]*"', ' title="9"', "figure '"),
        (r'<p class="verdict">', "Not ", "the title"),
        (r'<h2 id="inputs">Inputs</h2> <span class="found">', "Not ", "section 'Inputs'"),
        (r'<h2 id="section-3">.*?<span class="found">', "Not ", "section 'Folded results'"),
        (r'(?s)<svg class="static".*?<text[^>]*>', "9", "figure '"),
        (r'(?s)<svg class="static"[^>]*>', '<circle cx="5" cy="5" r="3"/>', "figure '"),
        (r'(?s)<section aria-labelledby="pair".*?<label>', "Not ", "section 'Compare two"),
        (r"<h1>", "Certified: ", "the title"),
        (r"<time [^>]*>", "Sealed ", "the title"),
        (r'<details class="explained">', "Always true.", "what a result means and does not"),
        (r"<style>", "td{display:none}", "the page's style"),
        (r'"use strict";', "document.body.textContent=1;", "the page's script"),
        (r'(?s)<dl class="provenance">.*?<dd>', "1999", "section 'Provenance'"),
        (r'<dl class="provenance">', "<div><dt>Checked</dt><dd>by all</dd></div>", "section 'P"),
        (r"</main>", "<section aria-labelledby='x'>more</section>", ""),
        (r"</html>", "Nothing of this is true.", ""),
        (r"<head>", "<base href='x'>", "the file's head"),
    ],
)
def test_what_is_put_in_is_seen(pages, found, after, put_in, place):
    old = re.search(after, pages[0])[0]
    assert place in found(old, old + put_in) != ""


@pytest.mark.parametrize(
    "more",
    [
        "<section " + '<h2 id="x">' * 60_000,
        '<div class="table "' + '<span id="x">' * 60_000,
        "<figure " + 'aria-label="Figure 1' * 60_000,
    ],
    ids=lambda more: more[:8],
)
def test_headings_that_never_end_take_no_time(pages, within, more):
    """Each was once followed to the end of the page: minutes."""
    with within(20):
        assert place_of_difference(pages[0] + more, pages[1]) == "the file's head"


def test_digits_that_never_end_take_no_time(within):
    digits = b'{"csv": "' + b"1" * 300_000 + b'"}'
    with within(20):
        assert _round_json(digits) == digits.decode()


def test_other_numbers_in_the_visible_words_are_seen(pages, found):
    """As a single run of sed would do it: not one word or number of the block is touched."""
    cell = re.search(r'<td class="number">(0\.\d+)</td>', pages[0])[1]
    assert found(f">{cell}<", ">0.999<", -1).startswith("table ")


@pytest.mark.parametrize(
    ("key", "old", "new"), [("rows", "row 300", "row 3OO"), ("csv", "s1,", "s2,")]
)
def test_rows_not_shown_and_csv_are_seen(pages, found, key, old, new):
    blob, content = unpacked(pages[0], "rows")
    assert old in content[key]
    forged = {**content, key: content[key].replace(old, new, 1)}
    assert found(blob, pack(forged)) == "table 'A long table'"


@pytest.mark.parametrize(("factor", "is_seen"), [(1.0000001, True), (LAST_BIT, False)])
def test_data_of_a_figure_and_csv_count_to_nine_digits(pages, found, factor, is_seen):
    """Another processor's last bit, and another way to deflate, are no forgery."""
    for key in ("$schema", "csv"):
        blob, content = unpacked(pages[0], key)
        held = json.dumps(content)
        number = re.search(r"0\.\d{12,}", held)[0]
        other = repr(float(number) * factor)
        assert other != number
        forged = pack(json.loads(held.replace(number, other)))
        assert bool(found(blob, forged)) == is_seen


@pytest.mark.parametrize(
    ("attribute", "shift", "is_seen"),
    [("cx", 0.1, False), ("cx", 2, True), ("stroke-opacity", 0.5, True), ("width", 0.2, False)],
)
def test_coordinates_count_to_a_tenth_of_a_pixel(pages, found, attribute, shift, is_seen):
    """Another processor's last bit can change the last digit that is written."""
    drawing = re.search('(?s)<svg class="static".*?</svg>', pages[0])[0]
    old = re.search(rf'(?<= {attribute}=")[\d.]+', drawing)[0]
    new = drawing.replace(f' {attribute}="{old}"', f' {attribute}="{float(old) + shift:g}"', 1)
    assert new != drawing
    assert bool(found(drawing, new)) == is_seen


def test_other_scores_of_a_query_are_seen(pages, found):
    blob, content = unpacked(pages[0], "values")
    content["values"][0][0][0] += 1e-6
    assert found(blob, pack(content)) == "section 'Compare two systems'"


@pytest.mark.parametrize("blob", ["", "AAAA", "not base64!", pack(["a" * 10**6]), pack(None)])
def test_what_is_packed_may_be_anything(pages, found, blob):
    assert found(unpacked(pages[0], "csv")[0], blob).startswith("table ")
    assert found(unpacked(pages[0], "$schema")[0], blob).startswith("figure ")


def test_of_what_was_measured_the_numbers_may_differ(pages):
    """Of a table without a mark in the block, such as one of seconds; its words may not."""
    blocks = [read_provenance(extract_provenance_block(page), "page") for page in pages]
    blocks = [replace(block, tables=block.tables[:2]) for block in blocks]
    for old, new, place in ((">1,204<", ">777<", ""), (">a<", ">forged<", "table 'Cells that")):
        assert old in pages[0]
        forged = pages[0].replace(old, new, 1)
        assert first_difference(forged, pages[1], *blocks).startswith(place)
        assert bool(first_difference(forged, pages[1], *blocks)) == bool(place)


@pytest.mark.parametrize("part", [{"date": "yesterday"}, {"date": ""}])
def test_a_block_that_no_page_can_tell(pages, part):
    blocks = [read_provenance(extract_provenance_block(page), "page") for page in pages]
    assert first_difference(*pages, replace(blocks[0], **part), blocks[1]) == "the file's head"
