"""A report as text: its order, its escapes, what it may fetch (nothing) and what it hands back."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import itertools
import json
import re
import zlib
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files

import numpy as np
import pytest

from irbounds import difference_interval, mean_interval
from irbounds.errors import InputError
from irbounds.presentation.comparison import comparison_tables
from irbounds.presentation.evaluation import estimate_tables
from irbounds.presentation.explanations import EXPLANATIONS
from irbounds.presentation.figures.means import forests
from irbounds.presentation.html import page_text, provenance_block
from irbounds.presentation.html_tables import SHOWN_ROWS, html_table
from irbounds.presentation.tables import Table, render
from irbounds.results import InputFile
from sample_page import HOSTILE, LONG, MARKS_TABLE, NAMES, long_table, sample_page, scores

VOID = {"meta", "link", "br", "img", "hr", "input"}
UNSEEN = ("script", "style", "head", "noscript")


class Outline(HTMLParser):
    """Elements in order, and the words outside scripts and styles."""

    def __init__(self, text: str):
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.inside: dict[str, list[str]] = {}
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self.inside.setdefault(tag, []).append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"{tag} closes what it did not open"

    def handle_data(self, data):
        for tag in set(self.open):
            self.inside[tag][-1] += data
        if not set(UNSEEN) & set(self.open):
            self.words.append(data)

    @property
    def said(self) -> str:
        return " ".join(" ".join(self.words).split())


@pytest.fixture(scope="module")
def text() -> str:
    return page_text(sample_page())


@pytest.fixture(scope="module")
def outline(text) -> Outline:
    return Outline(text)


def packed(text: str) -> list:
    found = re.findall(r'class="packed">([^<]*)</script>', text)
    return [_content(one) for one in found]


def _content(blob: str) -> dict:
    return json.loads(zlib.decompress(base64.b64decode(blob)))


def test_everything_is_closed_and_in_order(outline):
    assert outline.open == []
    wanted = ["Inputs", "Mean scores & more", "Odd tables", "Methods", "Signatures", "Provenance"]
    assert outline.inside["h2"] == ["Contents", *wanted]
    assert outline.inside["h1"] == ["A report of <b>bold</b> names"]
    assert outline.inside["h3"][:3] == ["1 warning", "What this means", "What it does not mean"]


def test_headings_never_skip_a_level(outline):
    levels = [int(tag[1]) for tag, _ in outline.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert all(later - earlier <= 1 for earlier, later in itertools.pairwise(levels))


def test_contents_lead_to_every_section_and_ids_are_unique(outline):
    ids = [a["id"] for _, a in outline.elements if "id" in a]
    assert len(ids) == len(set(ids))
    links = [a["href"] for tag, a in outline.elements if tag == "a"]
    assert len(links) == 1 + 6
    assert all(link[0] == "#" and link[1:] in ids for link in links)
    labels = [a["aria-labelledby"] for _, a in outline.elements if "aria-labelledby" in a]
    assert labels
    assert set(labels) <= set(ids)


def test_nothing_is_fetched(text, outline):
    for tag, attributes in outline.elements:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form")
        assert not {"src", "srcset", "action", "style"} & set(attributes)
        assert not any(name.startswith("on") for name in attributes)
    style = outline.inside["style"][0]
    assert "url(" not in style
    assert "@import" not in style
    policy = next(a["content"] for tag, a in outline.elements if "http-equiv" in a)
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy


def test_the_policy_names_every_script_that_runs_and_no_other(outline):
    scripts = [a for tag, a in outline.elements if tag == "script"]
    code = [body for a, body in zip(scripts, outline.inside["script"], strict=True) if not a]
    policy = next(a["content"] for tag, a in outline.elements if "http-equiv" in a)
    digests = [base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in code]
    (allowed,) = re.findall("script-src ([^;]*)", policy)
    assert allowed == " ".join(f"'sha256-{digest}'" for digest in digests)
    assert len(code) == 2


def test_a_page_without_figures_holds_no_vega(text):
    page = sample_page()
    bare = [replace(section, figures=tuple) for section in page.sections]
    small = page_text(replace(page, sections=bare))
    assert len(small) < 150_000 < 850_000 < len(text) < 1_300_000


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_text_wherever_it_stands(name):
    page = sample_page((name, "other"), title=name)
    page = replace(page, verdicts=[name], signatures=(name,))
    spoken = replace(page.sections[0], heading=name, sentences=[name])
    named = Table(name, (name, "n"), ((name, "1"),), ({"system": name},), caption=name)
    told = replace(page.sections[1], tables=[named])
    outline = Outline(page_text(replace(page, sections=[spoken, told])))
    assert outline.inside["title"] == [name]
    assert outline.inside["h1"] == [name]
    assert outline.inside["h2"][2] == name
    assert outline.inside["option"][1:] == ["other", name]
    assert outline.inside["caption"][-1] == f"{name} {name}"
    systems = [a["data-system"] for _, a in outline.elements if "data-system" in a]
    assert systems.count(name) == 3
    assert not any(tag in ("img", "b") for tag, _ in outline.elements)
    assert len([1 for tag, a in outline.elements if tag == "script" and not a]) == 2


def test_the_provenance_block_comes_back_as_it_went_in(text):
    page = sample_page()
    block = provenance_block(text)
    assert "<" not in block
    written, wanted = json.loads(block), json.loads(page.provenance.as_json())
    assert {**written, "date": ""} == {**wanted, "date": ""}
    assert written["arguments"][2] == f"{HOSTILE[0]}.run"


def test_half_a_character_in_a_name_survives(text):
    """A file's name may hold bytes that are no UTF-8, which Python keeps as lone surrogates."""
    page = sample_page(("run\udce9", "other"))
    written = page_text(page).encode(errors="xmlcharrefreplace").decode()
    assert json.loads(provenance_block(written))["arguments"][2] == "run\udce9.run"


def test_a_file_that_is_no_report_is_said_to_be_none():
    for other in ("", "<html></html>", '<script type="application/json" id="provenance">{'):
        with pytest.raises(InputError, match="this file has no provenance block"):
            provenance_block(other)


def test_provenance_is_readable(outline):
    said = outline.said
    assert "irbounds report --repeat FILE" in said
    assert "irbounds evaluate qrels.txt '<script>alert(1)</script>.run'" in said
    assert "seed: 0" in said
    assert f"{HOSTILE[1]}.run, sha256:{'0a' * 32}" in said


def test_tables_are_tables(outline):
    headings = [words for (_, a), words in zip_inside(outline, "th") if a["scope"] == "col"]
    assert headings[:5] == ["system", "0.1 to 0.6", "mean", "low", "high"]
    rows = [words for (_, a), words in zip_inside(outline, "th") if a["scope"] == "row"]
    assert rows[: len(NAMES)] == list(reversed(NAMES))
    assert outline.inside["caption"][0].endswith("units & method")


def zip_inside(outline: Outline, tag: str):
    elements = [one for one in outline.elements if one[0] == tag]
    return zip(elements, outline.inside[tag], strict=True)


def test_bars_stand_where_their_numbers_are(outline):
    circles = [float(a["cx"]) for tag, a in outline.elements if tag == "circle"]
    per_table = len(NAMES)
    assert len(circles) == 2 * per_table
    drawn = circles[:per_table]
    assert drawn == sorted(drawn, reverse=True)  # the best first, each further right
    steps = [before - after for before, after in itertools.pairwise(drawn)]
    assert max(steps) - min(steps) < 0.3  # the means are evenly spaced
    lines = [a["d"] for tag, a in outline.elements if tag == "path"][:per_table]
    ends = [tuple(map(float, re.fullmatch(r"M([\d.]+) 6H([\d.]+)", d).groups())) for d in lines]
    records = sample_page().sections[0].tables[0].records
    wanted = [(record["low"], record["high"]) for record in records]
    # from 0.1 to 0.6 on 100 pixels after a margin of 5
    at = [tuple(5 + 200 * (number - 0.1) for number in pair) for pair in wanted]
    assert ends == [pytest.approx(pair, abs=0.051) for pair in at]
    assert all(low < value < high for (low, high), value in zip(ends, drawn, strict=True))


def test_a_long_table_shows_its_first_rows_and_holds_all(text, outline):
    shown = [words for words in outline.inside["th"] if words.startswith("row ")]
    assert shown == [f"row {k}" for k in range(SHOWN_ROWS)]
    assert f"The first {SHOWN_ROWS} of {LONG} rows." in outline.said
    *_, last = (content for content in packed(text) if "csv" in content)
    assert last["csv"] == render([long_table()], "csv", {})
    rest = list(Outline(last["rows"]).inside["th"])
    assert rest == [f"row {k}" for k in range(SHOWN_ROWS, LONG)]


def test_every_table_hands_out_its_full_records(text):
    tables = [table for section in sample_page().sections for table in section.tables]
    held = [content["csv"] for content in packed(text) if "csv" in content]
    assert held == [render([table], "csv", {}) for table in tables]
    first = next(csv.DictReader(io.StringIO(held[0])))
    assert first["system"] == NAMES[-1]


def test_what_a_page_hands_out_runs_in_no_spreadsheet():
    table = Table(
        "t",
        ("system", "value"),
        (("=1+1", "-0.5"),),
        records=({"system": "=1+1", "value": -0.5, "error": "-0.25"},),
    )
    for one in (table, replace(table, records=())):
        row = next(csv.DictReader(io.StringIO(_content(html_table(one, 1).packed)["csv"])))
        assert (row["system"], row["value"]) == ("'=1+1", "-0.5")
    assert render([table], "csv", {}).startswith("system,value,error\n=1+1,-0.5,")  # for programs


def test_figures_hold_their_data_and_say_what_they_show(text, outline):
    specs = [content for content in packed(text) if "csv" not in content]
    descriptions = [a["aria-label"] for _, a in outline.elements if a.get("role") == "img"]
    assert [spec["description"] for spec in specs] == descriptions
    assert [spec["title"] for spec in specs] == outline.inside["figcaption"]
    for spec in specs:
        rows = [row for data in spec["datasets"].values() for row in data]
        assert {row["system"] for row in rows} == set(NAMES)
        assert spec["config"]["background"] == "transparent"
        assert spec["config"]["axis"]["labelColor"] == "currentColor"


def test_words_of_the_topics_are_there_once(outline):
    explanation = EXPLANATIONS["mean-interval"]
    for sentence in (*explanation.means, *explanation.does_not_mean):
        assert outline.said.count(" ".join(sentence.split())) == 1
    assert EXPLANATIONS["student-t"].method in outline.said


def test_a_topic_nobody_wrote_about_is_an_error():
    page = sample_page()
    section = replace(page.sections[0], topics=("no such topic",), figures=tuple)
    with pytest.raises(KeyError, match="no such topic"):
        page_text(replace(page, sections=[section]))


def test_a_page_of_almost_nothing():
    page = sample_page()
    bare = replace(page, sections=(), inputs=(), warnings=(), signatures=())
    outline = Outline(page_text(bare))
    assert outline.inside["h2"] == ["Contents", "Inputs", "Provenance"]
    assert "select" not in outline.inside


def test_files_are_named_where_nothing_else_is_said_of_them():
    page = replace(sample_page(), sections=(), inputs=())
    twice = [InputFile(name, "sha256:0a") for name in ("qrels.txt", "<b>.run", "qrels.txt")]
    for files_read, expected in ((twice, "Read: qrels.txt, <b>.run"), ([], "No files were read.")):
        provenance = replace(page.provenance, inputs=tuple(files_read))
        outline = Outline(page_text(replace(page, provenance=provenance)))
        assert paragraphs(outline, "input") == [expected]


def paragraphs(outline: Outline, kind: str) -> list[str]:
    return [words for (_, a), words in zip_inside(outline, "p") if a.get("class") == kind]


def test_sentences_end_as_sentences_do():
    page = sample_page()
    said = ["ends in a word", "in 95 %", "in (a bracket)", "in 3", "has one.", "asks?", "lists:"]
    stopped = [*(f"{one}." for one in said[:4]), *said[4:]]
    section = replace(page.sections[1], sentences=said)
    page = replace(page, sections=[section], inputs=said, warnings=said, verdicts=said[:1])
    outline = Outline(page_text(page))
    assert paragraphs(outline, "found") == paragraphs(outline, "input") == stopped
    assert paragraphs(outline, "summary") == stopped[:1]
    assert [words for words in outline.inside["li"] if words in said + stopped] == stopped


def test_rows_without_records_of_their_own_belong_to_nobody():
    wide = replace(MARKS_TABLE, records=({"system": "a"}, {"system": "b"}))
    page = sample_page()
    section = replace(page.sections[1], tables=[wide])
    outline = Outline(page_text(replace(page, sections=[section])))
    assert not any("data-system" in a for _, a in outline.elements)


def test_a_run_of_a_diagnosis_is_a_system_and_its_table_can_be_copied():
    """Its records may stand with those of another table."""
    odd = Table("what is odd", ("run", "missing"), (("a", "0"), ("b", "2")), records=())
    page = sample_page()
    text = page_text(replace(page, sections=[replace(page.sections[1], tables=[odd])]))
    outline = Outline(text)
    assert [a["data-system"] for _, a in outline.elements if "data-system" in a] == ["a", "b"]
    assert "run,missing\na,0\nb,2\n" in [one.get("csv") for one in packed(text)]


@pytest.mark.slow
def test_a_hundred_and_twenty_nine_systems_fit_in_five_megabytes():
    """Two measures, every pair of systems as a row of its own, and ten figures."""
    table = scores(tuple(f"system {k}" for k in range(129)), 50)
    jitter = np.random.default_rng(1).normal(0, 0.05, table.values.shape)
    table = replace(table, values=np.clip(table.values + jitter, 0, 1))
    means = mean_interval(table, method="student-t")
    pairs = difference_interval(table, test="t")
    assert len(pairs) == 2 * 8256
    tables = [*estimate_tables(means, "queries"), *comparison_tables(pairs, "queries")]
    figures = [forests([e for e in means if e.measure == m]) for m in table.measures] * 5
    page = sample_page()
    section = replace(page.sections[0], tables=tables, figures=lambda: figures)
    assert len(page_text(replace(page, sections=[section])).encode()) < 5_000_000


def test_templates_are_packaged():
    folder = files("irbounds.presentation") / "templates"
    for name in ("page.html.jinja", "page.css", "page.js"):
        assert (folder / name).is_file()
