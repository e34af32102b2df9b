"""Figures and reports of the commands about queries."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from irbounds.verbs.chance import chance

FIRST_BYTES = {
    ".png": b"\x89PNG",
    ".svg": b"<svg",
    ".pdf": b"%PDF",
    ".html": b"<!DOCTYPE html>",
    ".json": b"{",
}
CARD = ["card", "--scores", "AP=s.csv", "--system", "s1", "--collection", "<b>ours</b>"]
#: the command and the name of its figure
FIGURES = {
    "evaluate": (["evaluate", "--scores", "AP=s.csv"], "means-AP"),
    "evaluate-two": (["evaluate", "qrels.txt", "one.run", "two.run"], "overview"),
    "per-query": (["evaluate", "--scores", "AP=s.csv", "--per-query"], "scores-AP"),
    "compare": (["compare", "--scores", "AP=s.csv"], "differences-AP"),
    "rank": (["rank", "--scores", "AP=s.csv"], "ranks-AP"),
    "standardise": (["standardise", "--scores", "AP=s.csv", "--n-resamples", "99"], "means-z-AP"),
    "card": (CARD, "card-AP"),
    "compare-cards": (["compare-cards", "a.json", "b.json"], "cards-AP"),
    "check": (["check", "qrels.txt", "one.run", "two.run"], "ties"),
}
#: direction of concatenation of figures with several views
VIEWS = {"evaluate-two": ["hconcat"], "rank": ["hconcat"], "compare-cards": ["vconcat"]}


@pytest.fixture
def inputs(irbounds, files, request):
    """Add s.csv (four systems, twelve queries) and, for compare-cards, two cards."""
    generator = np.random.default_rng(4)
    rows = generator.uniform(0.1, 0.9, (12, 4)).round(3)
    lines = [f"q{k}," + ",".join(map(str, row)) for k, row in enumerate(rows)]
    (files / "s.csv").write_text("query_id,s1,s2,s3,s4\n" + "\n".join(lines) + "\n")
    if "compare-cards" in request.node.name:
        for system, file in (("s1", "a.json"), ("s2", "b.json")):
            irbounds(*CARD, "--system", system, "-o", file)
    return files


@pytest.mark.parametrize("name", FIGURES)
def test_figure_writes_the_main_figure_of_every_command(irbounds, inputs, name):
    arguments, figure_name = FIGURES[name]
    result = irbounds(*arguments, "--figure", "f.json")
    assert result.returncode == 0, result.stderr
    assert b"figure: f.json (" in result.stderr
    spec = json.loads((inputs / "f.json").read_text())
    assert spec["name"] == figure_name
    assert spec["description"]
    assert [word for word in ("hconcat", "vconcat") if word in spec] == VIEWS.get(name, [])


@pytest.mark.parametrize("extension", FIRST_BYTES)
def test_figure_format_follows_file_extension(irbounds, inputs, extension):
    result = irbounds("compare", "--scores", "AP=s.csv", "--quiet", "--figure", f"f{extension}")
    assert (result.returncode, result.stderr) == (0, b"")
    assert (inputs / f"f{extension}").read_bytes().lstrip().startswith(FIRST_BYTES[extension])


def test_evaluate_figure_includes_chance_level(irbounds, inputs):
    result = irbounds(
        *("evaluate", "qrels.txt", "one.run", "-m", "AP", "--chance", "--corpus-size", "100"),
        *("--figure", "f.json"),
    )
    assert result.returncode == 0, result.stderr
    datasets = json.loads((inputs / "f.json").read_text())["datasets"].values()
    (row,) = [row for rows in datasets for row in rows if "chance" in row]
    files = (str(inputs / name) for name in ("qrels.txt", "one.run"))
    (level,) = chance(*files, measures=["AP"], corpus_size=100)
    assert row["chance"] == pytest.approx(level.expected, rel=1e-12)


@pytest.mark.parametrize(
    ("file", "expected_message"),
    [
        ("f.bmp", "--figure f.bmp: use an extension of .png, .svg, .pdf, .html, .json"),
        ("no/f.png", "--figure no/f.png: there is no directory no"),
        ("directory.png", "--figure directory.png: this is a directory; give a file"),
    ],
)
@pytest.mark.parametrize("name", ["evaluate", "compare", "rank"])
def test_figure_rejects_invalid_files_before_reading_inputs(
    irbounds, tmp_path, name, file, expected_message
):
    """The error comes before any file is read: the score files do not exist."""
    (tmp_path / "directory.png").mkdir()
    result = irbounds(*FIGURES[name][0], "--figure", file)
    assert result.returncode == 2
    assert result.stderr.decode() == f"irbounds: error: {expected_message}\n"
    assert not result.stdout


@pytest.mark.parametrize("name", ["standardise", "card", "compare-cards", "check"])
def test_report_option_writes_a_page(irbounds, inputs, name):
    result = irbounds(*FIGURES[name][0], "--report", "page.html")
    assert result.returncode in (0, 1), result.stderr  # check returns 1 with warnings
    page = (inputs / "page.html").read_text()
    assert f"irbounds {name}" in page
    if name == "card":
        assert "<b>ours</b>" not in page
        assert "s1 (&lt;b&gt;ours&lt;/b&gt;) has a mean AP of" in page


def test_card_output_is_unchanged_by_report_and_figure(irbounds, inputs):
    without_report = irbounds(*CARD)
    with_report = irbounds(*CARD, "--report", "page.html", "--figure", "f.json", "--quiet")
    assert without_report.stdout == with_report.stdout
    assert with_report.stderr == b""


@pytest.mark.slow
def test_evaluate_imports_vl_convert_only_for_figures(loaded_by, inputs):
    scores = f"AP={inputs / 's.csv'}"
    figure_libraries = {"altair", "vl_convert", "jinja2"}
    assert not figure_libraries & set(loaded_by("evaluate", "--scores", scores))
    imported_modules = loaded_by("evaluate", "--scores", scores, "--figure", str(inputs / "f.json"))
    assert figure_libraries & set(imported_modules) == {"vl_convert", "jinja2"}


def test_figure_uses_width_title_and_top(irbounds, inputs):
    command = ("evaluate", "--scores", "AP=s.csv", "--figure", "f.svg")
    figure_options = ("--width", "400", "--title", "Four <b>", "--top", "2")
    result = irbounds(*command, *figure_options)
    assert result.returncode == 0, result.stderr
    assert b"s4" in result.stdout  # --top is for figures
    svg = (inputs / "f.svg").read_text()
    assert float(re.search(r'width="([0-9.]+)"', svg)[1]) == pytest.approx(400, abs=1.5)
    assert ">Four &lt;b&gt;</text>" in svg
    assert ">the first 2 of 4 systems</text>" in svg
    assert irbounds(*command, "--title", "").returncode == 0
    assert ">Means with" not in (inputs / "f.svg").read_text()


@pytest.mark.parametrize("name", ["evaluate", "compare", "rank", "standardise"])
def test_figure_top_limits_the_systems(irbounds, inputs, name):
    result = irbounds(*FIGURES[name][0], "--figure", "f.json", "--top", "2")
    assert result.returncode == 0, result.stderr
    spec = (inputs / "f.json").read_text()
    assert ("the first 2 of 4 systems" in spec) == (name != "compare")
    if name == "compare":  # the triangle of all pairs needs all four systems
        assert irbounds("compare", "--scores", "AP=s.csv", "--baseline", "s1", "--top", "2",
                        "--figure", "f.json").returncode == 0  # fmt: skip
        assert "the 2 least certain of 3 comparisons" in (inputs / "f.json").read_text()


@pytest.mark.parametrize(
    ("options", "expected_message"),
    [
        (["--width", "300"], "--width needs --figure FILE"),
        (["--title", "x"], "--title needs --figure FILE or --report FILE"),
        (["--top", "3"], "--top needs --figure FILE or --report FILE"),
        (
            ["--width", "0", "--figure", "f.svg"],
            "of at least 1; got 0",
        ),
        (["--top", "0", "--figure", "f.svg"], "of at least 1; got 0"),
        (["--width", "90", "--figure", "f.svg"], "--width must be at least"),
    ],
)
def test_figure_rejects_invalid_width_title_and_top(irbounds, inputs, options, expected_message):
    result = irbounds("evaluate", "--scores", "AP=s.csv", *options)
    assert (result.returncode, result.stdout) == (2, b"")
    assert expected_message in result.stderr.decode()
    assert result.stderr.count(b"\n") == 1
    assert not (inputs / "f.svg").exists()


@pytest.mark.parametrize("arguments", [["evaluate", "--report"], ["report", "-o"]])
def test_report_uses_title(irbounds, inputs, arguments):
    name, option = arguments
    result = irbounds(name, "--scores", "AP=s.csv", option, "p.html", "--title", "My <i>page</i>")
    assert result.returncode == 0, result.stderr
    assert "My &lt;i&gt;page&lt;/i&gt;</h1>" in (inputs / "p.html").read_text()


def test_plan_recall_accepts_interval_width_and_figure_width(irbounds, tmp_path):
    result = irbounds(
        *("plan-recall", "--corpus-size", "50000", "--retrieved-size", "500"),
        *("--n-relevant", "900", "--recall", "0.4", "--interval-width", "0.3"),
        *("--figure", "f.svg", "--width", "600", "--title", "A plan"),
    )
    assert result.returncode == 0, result.stderr
    svg = (tmp_path / "f.svg").read_text()
    assert ">A plan</text>" in svg
    assert float(re.search(r'width="([0-9.]+)"', svg)[1]) == pytest.approx(600, abs=1.5)
