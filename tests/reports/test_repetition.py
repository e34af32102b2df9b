"""Comparison of a page with its repetition: changes are detected, allowed differences are not."""

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
    """Return a page with every kind of part, and the same page with another date and command."""
    page = sample_page()
    titles = [table.title for section in page.sections for table in section.tables]
    digests = tuple(TableDigest(title, "") for title in titles)
    first = replace(page.provenance, tables=digests, arguments=("evaluate", "\udc80<&.run"))
    second = replace(first, date="2031-01-01T00:00:00+00:00", arguments=("evaluate",))
    texts = (render_page(replace(page, provenance=provenance)) for provenance in (first, second))
    before, after = (text.encode(errors="xmlcharrefreplace").decode() for text in texts)
    return before, after


@pytest.fixture
def find_difference(pages):
    """Return a function that replaces text of the first page and locates the difference."""

    def replace_and_compare(old: str, new: str, count: int = 1) -> str:
        before, after = pages
        assert old in before
        return locate_difference(before.replace(old, new, count), after)

    return replace_and_compare


def locate_difference(before: str, after: str) -> str:
    blocks = (read_provenance(extract_provenance_block(page), "page") for page in (before, after))
    return first_difference(before, after, *blocks)


def read_payload(page: str, key: str) -> tuple[str, dict]:
    """Return the first payload that has a value for this key, encoded and decoded."""
    for blob in PAYLOAD.findall(page):
        content = json.loads(zlib.decompress(base64.b64decode(blob)))
        if content.get(key):
            return blob, content
    raise AssertionError(key)


def test_date_and_command_are_ignored(pages):
    assert pages[0] != pages[1]
    assert locate_difference(*pages) == ""


@pytest.mark.parametrize(
    ("after", "insertion", "place"),
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
def test_insertions_are_detected(pages, find_difference, after, insertion, place):
    old = re.search(after, pages[0])[0]
    assert place in find_difference(old, old + insertion) != ""


@pytest.mark.parametrize(
    "more",
    [
        "<section " + '<h2 id="x">' * 60_000,
        '<div class="table "' + '<span id="x">' * 60_000,
        "<figure " + 'aria-label="Figure 1' * 60_000,
    ],
    ids=lambda more: more[:8],
)
def test_unclosed_headings_take_linear_time(pages, within, more):
    """Regression: each was searched to the end of the page, which took minutes."""
    with within(20):
        assert locate_difference(pages[0] + more, pages[1]) == "the file's head"


def test_long_digit_sequences_take_linear_time(within):
    digits = b'{"csv": "' + b"1" * 300_000 + b'"}'
    with within(20):
        assert _round_json(digits) == digits.decode()


def test_changed_visible_numbers_are_detected(pages, find_difference):
    """The provenance block is unchanged, as after one replacement with sed."""
    cell = re.search(r'<td class="number">(0\.\d+)</td>', pages[0])[1]
    assert find_difference(f">{cell}<", ">0.999<", -1).startswith("table ")


@pytest.mark.parametrize(
    ("key", "old", "new"), [("rows", "row 300", "row 3OO"), ("csv", "s1,", "s2,")]
)
def test_changes_in_hidden_rows_and_csv_are_detected(pages, find_difference, key, old, new):
    blob, content = read_payload(pages[0], "rows")
    assert old in content[key]
    forged = {**content, key: content[key].replace(old, new, 1)}
    assert find_difference(blob, pack(forged)) == "table 'A long table'"


@pytest.mark.parametrize(("factor", "is_detected"), [(1.0000001, True), (LAST_BIT, False)])
def test_figure_data_and_csv_are_compared_to_nine_digits(
    pages, find_difference, factor, is_detected
):
    """Differences in the last bit or in the compression are allowed."""
    for key in ("$schema", "csv"):
        blob, content = read_payload(pages[0], key)
        text = json.dumps(content)
        number = re.search(r"0\.\d{12,}", text)[0]
        changed_number = repr(float(number) * factor)
        assert changed_number != number
        forged = pack(json.loads(text.replace(number, changed_number)))
        assert bool(find_difference(blob, forged)) == is_detected


@pytest.mark.parametrize(
    ("attribute", "shift", "is_detected"),
    [("cx", 0.1, False), ("cx", 2, True), ("stroke-opacity", 0.5, True), ("width", 0.2, False)],
)
def test_coordinates_are_compared_to_a_tenth_of_a_pixel(
    pages, find_difference, attribute, shift, is_detected
):
    """A difference in the last bit can change the last written digit."""
    drawing = re.search('(?s)<svg class="static".*?</svg>', pages[0])[0]
    old = re.search(rf'(?<= {attribute}=")[\d.]+', drawing)[0]
    new = drawing.replace(f' {attribute}="{old}"', f' {attribute}="{float(old) + shift:g}"', 1)
    assert new != drawing
    assert bool(find_difference(drawing, new)) == is_detected


def test_changed_query_scores_are_detected(pages, find_difference):
    blob, content = read_payload(pages[0], "values")
    content["values"][0][0][0] += 1e-6
    assert find_difference(blob, pack(content)) == "section 'Compare two systems'"


@pytest.mark.parametrize("blob", ["", "AAAA", "not base64!", pack(["a" * 10**6]), pack(None)])
def test_invalid_payloads_are_detected(pages, find_difference, blob):
    assert find_difference(read_payload(pages[0], "csv")[0], blob).startswith("table ")
    assert find_difference(read_payload(pages[0], "$schema")[0], blob).startswith("figure ")


def test_tables_without_digest_may_have_other_numbers(pages):
    """Numbers of a table without digest, such as seconds, may differ; its text may not."""
    blocks = [read_provenance(extract_provenance_block(page), "page") for page in pages]
    blocks = [replace(block, tables=block.tables[:2]) for block in blocks]
    for old, new, place in ((">1,204<", ">777<", ""), (">a<", ">forged<", "table 'Cells that")):
        assert old in pages[0]
        forged = pages[0].replace(old, new, 1)
        assert first_difference(forged, pages[1], *blocks).startswith(place)
        assert bool(first_difference(forged, pages[1], *blocks)) == bool(place)


@pytest.mark.parametrize("part", [{"date": "yesterday"}, {"date": ""}])
def test_invalid_date_in_block_is_detected(pages, part):
    blocks = [read_provenance(extract_provenance_block(page), "page") for page in pages]
    assert first_difference(*pages, replace(blocks[0], **part), blocks[1]) == "the file's head"
