"""Records of the recall calculator: confirmed as they are, and not with a change anywhere."""

from __future__ import annotations

import copy
import html
import json
import re

import pytest

from calculator_requests import EXAMPLE, make_record, write_block, write_page_text
from irbounds import __version__
from irbounds.errors import InputError
from irbounds.reports.recall_record import DIFFERENT, SAME, check_record

SAMPLED = EXAMPLE["strata"][0] | {"sampled": 500, "relevant": 400}
REQUESTS = {
    "claim": EXAMPLE,
    "two samples": {
        **EXAMPLE,
        "design": "two-samples",
        "strata": [SAMPLED, *EXAMPLE["strata"][1:]],
    },
    "claim not shown": {**EXAMPLE, "at_least": 0.93},
    "no claim": {**EXAMPLE, "at_least": None},
    "e-discovery, credit": {**EXAMPLE, "words": "ediscovery", "credit_found": True},
    "control set": {
        **EXAMPLE,
        "design": "control-set",
        "strata": [SAMPLED | {"name": "retrieved"}, EXAMPLE["strata"][2]],
    },
}


@pytest.fixture(scope="module")
def record():
    return make_record(EXAMPLE)


def check(record) -> list[str]:
    return check_record(json.dumps(record), "record.json").lines()


@pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS)
def test_record_is_confirmed_as_file_block_and_page(request_):
    record = make_record(request_)
    n = 24 + (2 if request_["at_least"] else 1) + 2 + 3 * len(record["tipping"]["tolerated"])
    assert check(record) == [f"all {n} numbers are confirmed"]
    page = check_record(write_page_text(record), "page.txt")
    assert page.status == SAME
    assert page.lines()[0].startswith(f"all {n} numbers and ")
    markup = f"<html><p>{html.escape(write_page_text(record), quote=False)}</p></html>"
    assert check_record(markup, "page.html").lines() == page.lines()


def change(record, *path_and_value):
    """Return a record with another value at a path."""
    *path, value = path_and_value
    changed = copy.deepcopy(record)
    place = changed
    for key in path[:-1]:
        place = place[key]
    assert place[path[-1]] != value
    place[path[-1]] = value
    return changed


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("strata", 2, 4, 2), "recall, estimate: the record has 0.95"),
        (("strata", 0, 2, 6000), "recall, estimate"),
        (("strata", 2, 3, 3000), "recall, estimate"),
        (("at_least", 0.93), "claim, is_shown: the record has True, computed False"),
        (("at_least", None), "states no claim"),
        (("confidence_level", 0.99), "recall, low"),
        (("method", "exact"), "recall, low"),
        (("credit_found", True), "recall, estimate"),
        (("claim", "is_shown", False), "claim, is_shown: the record has False, computed True"),
        (("claim", None), "claim, is_shown: the record has 'nothing', computed True"),
        (
            ("claim", "sample_needed", 100),
            "claim, sample_needed: the record has 100, computed none",
        ),
        (("tipping", None), "tipping, shown_from"),
        (("tipping", "falls_from", 50), "tipping, falls_from: the record has 50, computed"),
        (("tipping", "tolerated", 0, 1, 9999), "tipping, tolerated estimate, n_documents"),
        (("tipping", "tolerated", []), "tipping, tolerated: the record has 0, computed 2"),
        (("results", 0, 4, 0.9), "recall, limit: the record has 0.9, computed 0.8"),
        (("results", 0, 4, True), "recall, limit: the record has True"),
        (("results", 0, 4, "0.9"), "recall, limit: the record has '0.9'"),
        (("results", 0, 4, None), "recall, limit: the record has none"),
        (("results", 5, 0, "other"), "elusion, estimate: the record has 'nothing'"),
        (("results", []), "prevalence, high: the record has 'nothing'"),
        (("results", 3, 1, 4191.0), "yield, estimate"),
    ],
)
def test_changed_records_are_not_confirmed(record, path, expected):
    result = check_record(json.dumps(change(record, *path)), "record.json")
    assert result.status == DIFFERENT
    assert any(expected in line for line in result.lines())
    assert not any("confirmed" in line for line in result.lines())


@pytest.mark.parametrize(
    ("name", "text"), [("verdict", "Not shown: recall of at least 0.75."), ("sentence", "0.99")]
)
def test_sentences_of_a_saved_record_are_compared(record, name, text):
    (line,) = check({**record, name: text})
    assert line.startswith(f"{name}: the record has '{text}', computed ")


def test_other_entries_of_a_record_are_named(record):
    assert check({**record, "remark": 1}) == ["the record has entries that are not checked: remark"]


def test_other_entries_in_parts_of_a_record_are_named(record):
    row = record["results"][0]
    changed = copy.deepcopy(record)
    changed["claim"]["level"] = 0.99
    changed["tipping"]["remark"] = ""
    changed["results"] += [["recall of all", *row[1:]], row, 7]
    assert check(changed) == [
        "the record has entries that are not checked: claim, level, tipping, remark, "
        "results, 'recall of all', results, 7, results, recall twice"
    ]


def test_numbers_that_differ_in_the_tenth_digit_are_the_same(record):
    value = record["results"][0][2]
    assert check(change(record, "results", 0, 2, value + 5e-10)) == check(record)
    assert "recall, low" in check(change(record, "results", 0, 2, value + 5e-9))[0]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("Shown: recall", "Not shown: recall", "the page does not have: Shown: recall of at least"),
        ("Shown: recall", "Shown: recall of at least 0.9. Shown: recall", "another verdict"),
        (
            "95 % lower limit, exact",
            "99 % lower limit, exact",
            "the page does not have: Of 5,300 retrieved documents",
        ),
        ("is at least 0.75.", "is at least 0.95.", "the page does not have: Recall is at least"),
        (
            "mail (retrieved)\t5,000\t5,000\t4,000",
            "mail (retrieved)\t5,000\t5,000\t4,500",
            "row: mail",
        ),
        ("recall\t0.955\t", "recall\t0.999\t", "the page does not have the row: recall 0.955"),
        ("In re Example", "In re Other", "the page does not have: In re Example"),
    ],
)
def test_changed_pages_are_not_confirmed(record, old, new, expected):
    pattern = re.escape(old).replace(r"\ ", r"\s")
    page, n = re.subn(pattern, new, write_page_text(record), count=1)
    assert n == 1
    result = check_record(page, "page.txt")
    assert result.status == DIFFERENT
    assert any(expected in line for line in result.lines())


def test_cells_may_be_in_another_order_as_in_the_text_of_a_pdf(record):
    page = write_page_text(record)
    rows = [line for line in page.splitlines() if "\t" in line]
    for row in rows:
        page = page.replace(row, "")
    words = " ".join(sorted(" ".join(rows).split(), reverse=True))
    assert check_record(f"{page}\n{words}", "page.txt").status == SAME


def test_record_of_another_version_is_compared_all_the_same(record):
    other = {**record, "irbounds": "0.0.9"}
    first = f"made by irbounds 0.0.9, checked by irbounds {__version__}"
    assert check(other) == [first, *check(record)]
    assert check_record(write_page_text(other), "page.txt").status == SAME
    assert check(change(other, "claim", "is_shown", False))[0] == first


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no record of the recall calculator"),
        ("{}", "this JSON is not a record"),
        ("[1]", "this JSON is not a record"),
        ("%PDF-1.4 ...", "this is a PDF; check its text: pdftotext"),
        ('x {"record":"irbounds_recall","a":', "the record is damaged"),
        ('{"record":"irbounds_recall"}', "irbounds of the record must be a version"),
    ],
)
def test_what_is_not_a_record_is_an_error(text, message):
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        check_record(text, "file")


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (("design", "other"), "design of the record must be one of two-samples"),
        (("method", "normal"), "method of the record must be one of"),
        (("words", None), "words of the record must be one of"),
        (("credit_found", 1.5), "credit_found of the record must be true or false"),
        (("confidence_level", "95"), "confidence_level of the record must be a number"),
        (("confidence_level", 1.5), "cannot be computed: confidence_level must be"),
        (("at_least", "x"), "at_least of the record must be a number"),
        (("at_least", 2), "cannot be computed: at_least must be a fraction"),
        (("strata", []), "cannot be computed: no stratum is retrieved"),
        (("strata", 0, 2, 1.5), "strata of the record must be lists of a name"),
        (("strata", 0, 2, True), "strata of the record must be lists of a name"),
        (("strata", 0, 3, 9999), "cannot be computed: .*9,999 sampled of a population"),
        (("strata", 0, 2, -1), "cannot be computed: "),
    ],
)
def test_impossible_designs_are_errors(record, path, message):
    with pytest.raises(InputError, match=message):
        check_record(json.dumps(change(record, *path)), "file")


def test_a_record_without_an_entry_about_a_claim_is_an_error(record):
    with pytest.raises(InputError, match="at_least of the record must be a number; got 'nothing'"):
        check_record(json.dumps({k: v for k, v in record.items() if k != "at_least"}), "file")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            '"at_least": 0.75',
            '"at_least": 0.9, "at_least": 0.75',
            "'at_least' is in one object twice",
        ),
        ('"at_least": 0.75', f'"at_least": {"9" * 400}', "numbers must be finite"),
        ('"at_least": 0.75', '"at_least": NaN', "numbers must be finite"),
    ],
)
def test_ambiguous_and_infinite_numbers_are_errors(record, old, new, message):
    text = json.dumps(record)
    assert old in text
    with pytest.raises(InputError, match=f"file: .*{message}"):
        check_record(text.replace(old, new), "file")
    page = write_page_text(record).replace(old.replace(" ", ""), new.replace(" ", ""))
    with pytest.raises(InputError, match=f"file: the record is damaged: .*{message}"):
        check_record(page, "file")


def test_two_different_records_in_one_text_are_an_error(record):
    both = [write_block(record), write_block({**record, "date": "today"})]
    with pytest.raises(InputError, match="2 different records"):
        check_record(" ".join(both), "file")
    assert check_record(write_page_text(record) + write_block(record), "file").status == SAME
