"""A report as text: its order, its escapes, what it may fetch (nothing) and what it hands back."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import itertools
import json
import re
import sys
import zlib
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files
from types import SimpleNamespace

import numpy as np
import pytest

from irbounds import difference_interval, mean_interval
from irbounds.presentation.explanations import EXPLANATIONS
from irbounds.presentation.figures.mean_plots import draw_means
from irbounds.presentation.html import figure_markup as svg
from irbounds.presentation.html.content_security_policy import load_cached
from irbounds.presentation.html.page import render_page
from irbounds.presentation.html.table_markup import SHOWN_ROWS, make_html_table
from irbounds.presentation.registry import make_tables
from irbounds.presentation.table import Table, render
from irbounds.reports.assembly import Report
from irbounds.results import InputFile
from sample_page import HOSTILE, LONG, MARKS_TABLE, NAMES, long_table, sample_page, scores

PAIR = "Differences per query, the largest first"
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
    return render_page(sample_page())


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
    sections = ["Mean scores & more", "Compare two systems", "Odd tables", "Folded results"]
    end = ["Nothing found", "Signatures", "Inputs", "Methods", "Provenance"]
    assert outline.inside["h2"] == ["Contents", *sections, *end]
    assert outline.inside["h1"] == ["A report of <b>bold</b> names"]
    assert outline.inside["h3"][:2] == ["What this means", "What it does not mean"]
    assert "1 warning" in outline.inside["h3"]


def test_the_page_answers_before_its_sections(text, outline):
    assert paragraphs(outline, "verdict") == ["By AP, bm25 is best.", "By nDCG@10, bm25 is best."]
    (remarks,) = paragraphs(outline, "remarks")
    assert remarks == f"1 warning: {HOSTILE[0]}: every score is low."
    places = [text.index(mark) for mark in ('class="verdict"', 'class="remarks"', "<figure")]
    assert places == sorted(places)
    assert places[-1] < text.index("<section")
    lead = text[places[-1] : text.index("</figure>")]
    assert lead.count('<div class="panel">') == lead.count('<svg class="static"') == 2


def test_folded_sections_show_their_heading_and_first_sentence(outline):
    folded = [" ".join(words.split()) for words in outline.inside["summary"]]
    assert "Folded results the first." in folded
    assert any(words.startswith(("Methods ", "Provenance ")) for words in folded)
    assert outline.inside["h2"].count("Nothing found") == 1
    lines = [words for (_, a), words in zip_inside(outline, "section") if a.get("class") == "line"]
    assert [" ".join(words.split()) for words in lines] == ["Nothing found no ties."]


def test_the_first_section_of_a_page_without_an_answer_is_open():
    page = sample_page()
    folded = [replace(page.sections[2], heading=name) for name in ("first", "second")]
    bare = replace(page, sections=folded, verdicts=(), lead=lambda: None)
    summaries = [" ".join(words.split()) for words in Outline(render_page(bare)).inside["summary"]]
    assert "second the first." in summaries
    assert not any(words.startswith("first ") for words in summaries)


def test_headings_never_skip_a_level(outline):
    levels = [int(tag[1]) for tag, _ in outline.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert all(later - earlier <= 1 for earlier, later in itertools.pairwise(levels))


def test_contents_lead_to_every_section_and_ids_are_unique(outline):
    ids = [a["id"] for _, a in outline.elements if "id" in a]
    assert len(ids) == len(set(ids))
    links = [a["href"] for tag, a in outline.elements if tag == "a"]
    assert len(links) == 1 + 1 + 9  # the skip link, the remarks, the contents
    assert all(link[0] == "#" and link[1:] in ids for link in links)
    labels = [a["aria-labelledby"] for _, a in outline.elements if "aria-labelledby" in a]
    assert labels
    assert set(labels) <= set(ids)


def test_a_page_requests_nothing(text, outline):
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


def test_a_page_without_figures_contains_no_vega(text):
    page = sample_page()
    bare = [replace(section, figures=tuple) for section in page.sections]
    small = render_page(replace(page, sections=bare, lead=lambda: None, scores=None))
    assert len(small) < 150_000 < 850_000 < len(text) < 1_300_000


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_text_everywhere(name):
    page = sample_page((name, "other"), title=name)
    page = replace(page, verdicts=[name], signatures=(name,))
    spoken = replace(page.sections[0], heading=name, sentences=[name])
    named = Table(name, (name, "n"), ((name, "1"),), ({"system": name},), caption=name)
    told = replace(page.sections[1], tables=[named])
    outline = Outline(render_page(replace(page, sections=[spoken, told])))
    assert outline.inside["title"] == [name]
    assert outline.inside["h1"] == [name]
    assert outline.inside["h2"][1] == name
    assert outline.inside["option"][1:] == ["other", name]
    assert outline.inside["caption"][-1] == f"{name} {name}"
    systems = [a["data-system"] for _, a in outline.elements if "data-system" in a]
    assert systems.count(name) == 3
    assert not any(tag in ("img", "b") for tag, _ in outline.elements)
    assert len([1 for tag, a in outline.elements if tag == "script" and not a]) == 2


def test_page_with_half_a_character_in_a_name_is_written(tmp_path):
    """A file's name may hold bytes that are no UTF-8, which Python keeps as lone surrogates."""
    Report(sample_page(("run\udce9", "other"))).save(tmp_path / "page.html")
    assert "run&#56553;.run" in (tmp_path / "page.html").read_text()


def test_provenance_is_readable(outline):
    said = outline.said
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


def test_bars_are_in_the_rows_of_their_numbers(text):
    parts = [Outline(rows).elements for rows in re.findall("(?s)<tbody>(.*?)</tbody>", text)]
    circles = [float(a["cx"]) for elements in parts for tag, a in elements if tag == "circle"]
    per_table = len(NAMES)
    assert len(circles) == 4 * per_table
    drawn = circles[:per_table]
    assert drawn == sorted(drawn, reverse=True)  # the best first, each further right
    steps = [before - after for before, after in itertools.pairwise(drawn)]
    assert max(steps) - min(steps) < 0.3  # the means are evenly spaced
    lines = [a["d"] for tag, a in parts[0] if tag == "path"]
    ends = [tuple(map(float, re.fullmatch(r"M([\d.]+) 6H([\d.]+)", d).groups())) for d in lines]
    records = sample_page().sections[0].tables[0].records
    wanted = [(record["low"], record["high"]) for record in records]
    # from 0.1 to 0.6 on 100 pixels after a margin of 5
    at = [tuple(5 + 200 * (number - 0.1) for number in pair) for pair in wanted]
    assert ends == [pytest.approx(pair, abs=0.051) for pair in at]
    assert all(low < value < high for (low, high), value in zip(ends, drawn, strict=True))


def test_a_long_table_shows_its_first_rows_and_contains_all(text, outline):
    shown = [words for words in outline.inside["th"] if words.startswith("row ")]
    assert shown == [f"row {k}" for k in range(SHOWN_ROWS)]
    assert f"The first {SHOWN_ROWS} of {LONG} rows." in outline.said
    (last,) = (content for content in packed(text) if content.get("rows"))
    assert last["csv"] == render([long_table()], "csv", {})
    rest = list(Outline(last["rows"]).inside["th"])
    assert rest == [f"row {k}" for k in range(SHOWN_ROWS, LONG)]


def test_every_table_hands_out_its_full_records(text):
    tables = [table for section in sample_page().sections for table in section.tables]
    held = [content["csv"] for content in packed(text) if "csv" in content]
    assert held == [render([table], "csv", {}) for table in tables]
    first = next(csv.DictReader(io.StringIO(held[0])))
    assert first["system"] == NAMES[-1]


def test_csv_of_a_page_has_no_formulas():
    table = Table(
        "t",
        ("system", "value"),
        (("=1+1", "-0.5"),),
        records=({"system": "=1+1", "value": -0.5, "error": "-0.25"},),
    )
    for one in (table, replace(table, records=())):
        row = next(csv.DictReader(io.StringIO(_content(make_html_table(one, 1).payload)["csv"])))
        assert (row["system"], row["value"]) == ("'=1+1", "-0.5")
    assert render([table], "csv", {}).startswith("system,value,error\n=1+1,-0.5,")  # for programs


def test_figures_contain_their_data_and_descriptions(text, outline):
    specs = [content for content in packed(text) if "$schema" in content]
    descriptions = [a.get("aria-label") for _, a in outline.elements if a.get("role") == "img"]
    assert [spec["description"] for spec in specs] == list(filter(None, descriptions))
    captions = [words for words in outline.inside["figcaption"] if words != PAIR]
    assert [spec["title"] for spec in specs] == captions
    for spec in specs:
        rows = [row for data in spec["datasets"].values() for row in data]
        assert {row["system"] for row in rows} == set(NAMES)
        assert spec["config"]["background"] == "transparent"
        assert spec["config"]["axis"]["labelColor"] == "currentColor"


def test_explanations_of_topics_are_there_once(outline):
    explanation = EXPLANATIONS["mean-interval"]
    for sentence in (*explanation.means, *explanation.does_not_mean):
        assert outline.said.count(" ".join(sentence.split())) == 1
    assert EXPLANATIONS["student-t"].method in outline.said


def test_a_topic_nobody_wrote_about_is_an_error():
    page = sample_page()
    section = replace(page.sections[0], topics=("no such topic",), figures=tuple)
    with pytest.raises(KeyError, match="no such topic"):
        render_page(replace(page, sections=[section]))


def test_a_nearly_empty_page():
    page = sample_page()
    bare = replace(page, sections=(), inputs=(), warnings=(), signatures=(), lead=lambda: None)
    outline = Outline(render_page(bare))
    assert outline.inside["h2"] == ["Contents", "Inputs", "Provenance"]
    assert "select" not in outline.inside


def test_inputs_without_lines_are_listed_by_name():
    page = replace(sample_page(), sections=(), inputs=(), warnings=(), lead=lambda: None)
    twice = [InputFile(name, "sha256:0a") for name in ("qrels.txt", "<b>.run", "qrels.txt")]
    for files_read, expected in ((twice, "Read: qrels.txt, <b>.run"), ([], "No files were read.")):
        provenance = replace(page.provenance, inputs=tuple(files_read))
        outline = Outline(render_page(replace(page, provenance=provenance)))
        assert paragraphs(outline, "found") == [expected]
        assert paragraphs(outline, "remarks") == [f"Inputs: {expected}"]


def paragraphs(outline: Outline, kind: str) -> list[str]:
    return [words for (_, a), words in zip_inside(outline, "p") if a.get("class") == kind]


def test_sentences_end_as_sentences_do():
    page = sample_page()
    said = ["ends in a word", "in 95 %", "in (a bracket)", "in 3", "has one.", "asks?", "lists:"]
    stopped = [*(f"{one}." for one in said[:4]), *said[4:]]
    section = replace(page.sections[1], sentences=said, conclusion=["below"])
    page = replace(page, sections=[section], inputs=["", *said], warnings=said, verdicts=said)
    outline = Outline(render_page(replace(page, lead=lambda: None, scores=None)))
    assert paragraphs(outline, "found") == [*stopped, "below.", *stopped]  # section, inputs
    assert paragraphs(outline, "verdict") == stopped
    assert [words for words in outline.inside["li"] if words in said + stopped] == stopped


def test_rows_without_records_of_their_own_belong_to_nobody():
    wide = replace(MARKS_TABLE, records=({"system": "a"}, {"system": "b"}))
    page = sample_page()
    section = replace(page.sections[1], tables=[wide])
    outline = Outline(render_page(replace(page, sections=[section])))
    assert not any("data-system" in a for _, a in outline.elements)


def test_a_run_of_a_diagnosis_is_a_system_and_its_table_can_be_copied():
    """Its records may stand with those of another table."""
    odd = Table("unusual entries", ("run", "missing"), (("a", "0"), ("b", "2")), records=())
    page = sample_page()
    text = render_page(replace(page, sections=[replace(page.sections[1], tables=[odd])]))
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
    tables = make_tables([*means, *pairs])
    figures = [draw_means([e for e in means if e.measure == m]) for m in table.measures] * 5
    page = sample_page()
    section = replace(page.sections[0], tables=tables, figures=lambda: figures)
    assert len(render_page(replace(page, sections=[section])).encode()) < 5_000_000


def test_templates_are_packaged():
    directory = files("irbounds.presentation") / "templates"
    for name in ("page.html.jinja", "page.css", "page.js"):
        assert (directory / name).is_file()


# ---- SVG --------------------------------------------------------------------------------------


def test_every_figure_is_there_without_a_script(text):
    figures = re.findall("(?s)<figure .*?</figure>", text)
    drawn = [figure for figure in figures if PAIR not in figure]
    assert len(drawn) == 4
    for figure in drawn:
        elements = Outline(figure).elements
        assert sum(tag == "circle" for tag, _ in elements) % len(NAMES) == 0
        assert {"svg", "line", "text", "circle"} <= {tag for tag, _ in elements}
        assert 'fill="currentColor"' in figure
        assert "#000" not in figure


def test_svg_has_no_styles_links_or_foreign_elements(text):
    for drawing in re.findall('(?s)<svg class="static".*?</svg>', text):
        outline = Outline(drawing)
        assert outline.open == []
        assert {tag.lower() for tag, _ in outline.elements} <= {one.lower() for one in svg.ELEMENTS}
        for _, attributes in outline.elements:
            assert not {"style", "href", "xlink:href", "onload"} & set(attributes)


def test_names_in_a_drawing_are_text(text):
    drawing = re.search('(?s)<svg class="static".*?</svg>', text)[0]
    labels = Outline(drawing).inside["text"]
    assert {"<!--", "&lt;b&gt;", "{{7*7}}", HOSTILE[0]} <= set(labels)


def test_ids_in_drawings_differ_from_figure_to_figure():
    clipped = {"mark": {"type": "line", "clip": True}, "data": {"values": [{"x": 1}, {"x": 2}]}}
    x = {"field": "x", "type": "quantitative"}
    texts = [svg._draw({**clipped, "encoding": {"x": x, "y": x}}, f"f{k}-") for k in (1, 2)]
    ids = [re.findall(' id="([^"]*)"', drawn) for drawn in texts]
    assert ids[0]
    assert not set(ids[0]) & set(ids[1])
    for drawn, own in zip(texts, ids, strict=True):
        assert set(re.findall(r"url\(#([^)]*)\)", drawn)) == set(own)


def test_a_drawing_is_where_vega_drew_it():
    """Rounded to a tenth of a pixel, circles for paths, shared attributes on the group."""
    rows = [{"x": x, "y": y} for x, y in ((0, 0.12345), (0.777, 1), (1, 0))]
    channel = {"type": "quantitative", "axis": None}
    spec = {
        "mark": {"type": "point", "filled": True, "color": "#123456"},
        "data": {"values": rows},
        "width": 100,
        "height": 100,
        "encoding": {name: {"field": name, **channel} for name in "xy"},
    }
    outline = Outline(svg._draw(spec, ""))
    dots = [a for tag, a in outline.elements if tag == "circle"]
    places = [(float(a["cx"]), float(a["cy"])) for a in dots]
    assert places == [(0, 87.7), (77.7, 0), (100, 100)]
    assert all("fill" not in a for a in dots)
    assert [a["fill"] for _, a in outline.elements if a.get("fill") == "#123456"] == ["#123456"]


def test_a_figure_that_vega_cannot_draw_has_no_drawing():
    assert svg._draw({"mark": "no such mark"}, "") == ""


VIEW = {"mark": "point", "encoding": {"x": {"field": "a", "type": "quantitative"}}}


def panels(**spec) -> list[str]:
    figure = SimpleNamespace(
        name="n", title="whole", description="d", chart=SimpleNamespace(to_dict=lambda: spec)
    )
    return [title for title, _ in svg.make_html_figure(figure, 1).panels]


def test_only_independent_panels_are_split():
    first, second = ({**VIEW, "title": title} for title in ("first", {"text": "second"}))
    assert panels(vconcat=[first, second]) == ["first", "second"]
    assert panels(hconcat=[first, second]) == ["first", "second"]
    assert panels(**VIEW) == [""]
    assert panels(vconcat=[first, second], resolve={"scale": {"x": "shared"}}) == [""]
    coloured = {**VIEW, "encoding": {"color": {"field": "b", "type": "nominal"}}}
    assert panels(vconcat=[coloured, first]) == [""]
    alone = {"scale": {"color": "independent"}}
    assert panels(vconcat=[coloured, first], resolve=alone) == ["", "first"]
    borrowed = {**VIEW, "encoding": {"y": {"field": "b", "type": "nominal", "axis": None}}}
    assert panels(hconcat=[first, {"layer": [borrowed]}]) == [""]
    line = {"hconcat": [first, second]}
    assert panels(vconcat=[line, first]) == ["first", "second", "first"]
    assert panels(vconcat=[{"hconcat": [first, borrowed]}, second]) == ["", "second"]


def test_panels_are_in_the_payload_without_data():
    spec = {"vconcat": [VIEW, VIEW], "datasets": {"d": []}, "spacing": 5}
    figure = SimpleNamespace(
        name="n", title="t", description="d", chart=SimpleNamespace(to_dict=lambda: spec)
    )
    held = _content(svg.make_html_figure(figure, 1).payload)
    assert held["usermeta"] == {"panels": [VIEW, VIEW]}
    assert held["vconcat"] == [VIEW, VIEW]
    alone = SimpleNamespace(
        name="n", title="t", description="d", chart=SimpleNamespace(to_dict=lambda: dict(VIEW))
    )
    assert _content(svg.make_html_figure(alone, 1).payload)["usermeta"] == {"panels": []}


# ---- scores of a page ---------------------------------------------------------------------------


def test_the_page_contains_the_scores_of_every_query(text):
    (held,) = (content for content in packed(text) if "values" in content)
    table = scores()
    assert held["systems"] == list(table.systems)
    assert held["queries"] == list(table.queries)
    np.testing.assert_allclose(held["values"], table.values, rtol=1e-8)
    assert list(held["spec"]["datasets"].values()) == [[]]


def test_unknown_scores_are_null():
    page = sample_page()
    values = [[[float("nan"), 1 / 3]] * 3] * 2
    held = replace(page.scores, systems=["a", "b", "c"], queries=["1", "2"], values=values)
    text = render_page(replace(page, scores=held, lead=lambda: None))
    (content,) = (one for one in packed(text) if "values" in one)
    assert content["values"][0][0] == [None, 0.333333333]


def test_two_systems_have_no_choice_of_a_pair():
    page = sample_page(("a", "b"))
    assert "Compare two systems" not in render_page(replace(page, lead=lambda: None))


def test_the_choice_of_a_pair_follows_the_differences():
    page = sample_page()
    pair = {"measure": "AP", "system": "<b>", "baseline": "&"}
    table = Table("t", ("system", "difference"), (("<b>", "0.1"),), (pair,))
    differences = replace(page.sections[1], heading="Differences", tables=[table])
    sections = [page.sections[1], differences, page.sections[3]]
    outline = Outline(render_page(replace(page, sections=sections, lead=lambda: None)))
    headings = outline.inside["h2"]
    assert headings[headings.index("Differences") + 1] == "Compare two systems"
    (row,) = (a for tag, a in outline.elements if tag == "tr" and "data-baseline" in a)
    assert row == {f"data-{key}": name for key, name in pair.items()}


# ---- the cache of scripts -----------------------------------------------------------------------


@pytest.fixture
def cache(tmp_path, monkeypatch):
    variable = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME"
    monkeypatch.setenv(variable, str(tmp_path))
    return tmp_path / "irbounds" / "script.js"


def test_a_script_is_built_once_and_then_read(cache):
    built = []

    def build() -> str:
        built.append(1)
        return "a line é\nanother\n"

    assert [load_cached("script.js", build) for _ in range(3)] == ["a line é\nanother\n"] * 3
    assert built == [1]
    assert [path.name for path in cache.parent.iterdir()] == ["script.js"]


@pytest.mark.parametrize(
    "damage",
    [lambda b: b + b" ", lambda b: b[:-1], lambda b: b"", lambda b: b.split(b"\n", 1)[1]],
    ids=["longer", "shorter", "empty", "without digest"],
)
def test_a_damaged_cache_is_not_used_and_is_replaced(cache, damage):
    load_cached("script.js", lambda: "one\n")
    whole = cache.read_bytes()
    cache.write_bytes(damage(whole))
    assert load_cached("script.js", lambda: "one\n") == "one\n"
    assert cache.read_bytes() == whole


def test_a_cache_that_cannot_be_written_is_no_error(cache):
    cache.parent.parent.joinpath("irbounds").write_text("a file where the directory should be")
    assert load_cached("script.js", lambda: "built") == "built"


def test_without_a_home_directory_there_is_no_cache(monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setenv("LOCALAPPDATA", "relative")

    def no_home():
        raise RuntimeError("no home directory")

    monkeypatch.setattr("pathlib.Path.home", no_home)
    assert load_cached("script.js", lambda: "built") == "built"
