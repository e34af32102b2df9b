"""Figures and reports of the commands about queries."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from irbounds.verbs.chance import chance

BEGINNINGS = {
    ".png": b"\x89PNG",
    ".svg": b"<svg",
    ".pdf": b"%PDF",
    ".html": b"<!DOCTYPE html>",
    ".json": b"{",
}
CARD = ["card", "--scores", "AP=s.csv", "--system", "s1", "--collection", "<b>ours</b>"]
#: the command, what its figure is called and how many panels it has, if several
DRAWN = {
    "evaluate": (["evaluate", "--scores", "AP=s.csv"], "means-AP"),
    "evaluate-two": (["evaluate", "qrels.txt", "one.run", "two.run"], "overview"),
    "per-query": (["evaluate", "--scores", "AP=s.csv", "--per-query"], "scores-AP"),
    "compare": (["compare", "--scores", "AP=s.csv"], "differences-AP"),
    "rank": (["rank", "--scores", "AP=s.csv", "--n-resamples", "99"], "ranks-AP"),
    "plan-queries": (["plan-queries", "--scores", "AP=s.csv"], "widths-AP"),
    "calibrate": (
        ["calibrate", "--scores", "AP=s.csv", "--n-queries", "5", "--n-samples", "20"],
        "calibration-AP",
    ),
    "standardise": (["standardise", "--scores", "AP=s.csv", "--n-resamples", "99"], "means-z-AP"),
    "card": (CARD, "card-AP"),
    "compare-cards": (["compare-cards", "a.json", "b.json"], "cards-AP"),
    "check": (["check", "qrels.txt", "one.run", "two.run"], "ties"),
}
#: how the views of figures with several lie
VIEWS = {"evaluate-two": ["hconcat"], "rank": ["hconcat"], "compare-cards": ["vconcat"]}


@pytest.fixture
def inputs(irbounds, files, request):
    """Besides judgments and runs: s.csv, four systems on twelve queries, and cards of two."""
    generator = np.random.default_rng(4)
    rows = generator.uniform(0.1, 0.9, (12, 4)).round(3)
    lines = [f"q{k}," + ",".join(map(str, row)) for k, row in enumerate(rows)]
    (files / "s.csv").write_text("query_id,s1,s2,s3,s4\n" + "\n".join(lines) + "\n")
    if "compare-cards" in request.node.name:
        for system, file in (("s1", "a.json"), ("s2", "b.json")):
            irbounds(*CARD, "--system", system, "-o", file)
    return files


@pytest.mark.parametrize("name", DRAWN)
def test_every_command_draws_its_main_figure(irbounds, inputs, name):
    arguments, called = DRAWN[name]
    done = irbounds(*arguments, "--figure", "f.json")
    assert done.returncode == 0, done.stderr
    assert b"figure: f.json (" in done.stderr
    spec = json.loads((inputs / "f.json").read_text())
    assert spec["name"] == called
    assert spec["description"]
    assert [word for word in ("hconcat", "vconcat") if word in spec] == VIEWS.get(name, [])


@pytest.mark.parametrize("ending", BEGINNINGS)
def test_the_ending_says_how(irbounds, inputs, ending):
    done = irbounds("compare", "--scores", "AP=s.csv", "--quiet", "--figure", f"f{ending}")
    assert (done.returncode, done.stderr) == (0, b"")
    assert (inputs / f"f{ending}").read_bytes().lstrip().startswith(BEGINNINGS[ending])


def test_chance_is_drawn_where_it_is_asked_for(irbounds, inputs):
    done = irbounds(
        *("evaluate", "qrels.txt", "one.run", "-m", "AP", "--chance", "--corpus-size", "100"),
        *("--figure", "f.json"),
    )
    assert done.returncode == 0, done.stderr
    datasets = json.loads((inputs / "f.json").read_text())["datasets"].values()
    (row,) = [row for rows in datasets for row in rows if "chance" in row]
    files = (str(inputs / name) for name in ("qrels.txt", "one.run"))
    (level,) = chance(*files, measures=["AP"], corpus_size=100)
    assert row["chance"] == pytest.approx(level.expected, rel=1e-12)


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("f.bmp", "--figure f.bmp: use an extension of .png, .svg, .pdf, .html, .json"),
        ("no/f.png", "--figure no/f.png: there is no directory no"),
        ("folder.png", "--figure folder.png: this is a directory; give a file"),
    ],
)
@pytest.mark.parametrize("name", ["evaluate", "compare", "rank", "plan-queries", "calibrate"])
def test_what_cannot_be_drawn_is_said_in_one_line_before_any_work(
    irbounds, tmp_path, name, file, said
):
    """Before any file is read: the scores named here do not exist."""
    (tmp_path / "folder.png").mkdir()
    done = irbounds(*DRAWN[name][0], "--figure", file)
    assert done.returncode == 2
    assert done.stderr.decode() == f"irbounds: error: {said}\n"
    assert not done.stdout


@pytest.mark.parametrize("name", ["standardise", "card", "compare-cards", "check"])
def test_pages(irbounds, inputs, name):
    done = irbounds(*DRAWN[name][0], "--report", "page.html")
    assert done.returncode in (0, 1), done.stderr  # check says 1 where something is odd
    page = (inputs / "page.html").read_text()
    assert f"irbounds {name}" in page
    if name == "card":
        assert "<b>ours</b>" not in page
        assert "s1 (&lt;b&gt;ours&lt;/b&gt;) has a mean AP of" in page


def test_a_card_is_the_same_with_a_page(irbounds, inputs):
    alone = irbounds(*CARD)
    beside = irbounds(*CARD, "--report", "page.html", "--figure", "f.json", "--quiet")
    assert alone.stdout == beside.stdout
    assert beside.stderr == b""


@pytest.mark.slow
def test_park_draws_a_figure_a_table(irbounds, tmp_path):
    done = irbounds(
        *("study", "park2011", "--n-samples", "4", "--n-resamples", "4", "--figures", "drawn"),
        IRBOUNDS_DATA="",
    )
    assert done.returncode == 0, done.stderr
    expected = {f"park2011-table-{k}.{e}" for k in (1, 2, 3) for e in ("png", "svg", "pdf")}
    assert {path.name for path in (tmp_path / "drawn").iterdir()} == expected


def test_vl_convert_is_loaded_for_a_figure_only_and_altair_never(loaded_by, inputs):
    scores = f"AP={inputs / 's.csv'}"
    drawing = {"altair", "vl_convert", "jinja2"}
    assert not drawing & set(loaded_by("evaluate", "--scores", scores))
    found = loaded_by("evaluate", "--scores", scores, "--figure", str(inputs / "f.json"))
    assert drawing & set(found) == {"vl_convert", "jinja2"}


def test_a_figure_takes_width_title_and_top(irbounds, inputs):
    command = ("evaluate", "--scores", "AP=s.csv", "--figure", "f.svg")
    looks = ("--width", "400", "--title", "Four <b>", "--top", "2")
    done = irbounds(*command, *looks)
    assert done.returncode == 0, done.stderr
    assert b"s4" in done.stdout  # --top is for figures
    drawn = (inputs / "f.svg").read_text()
    assert float(re.search(r'width="([0-9.]+)"', drawn)[1]) == pytest.approx(400, abs=1.5)
    assert ">Four &lt;b&gt;</text>" in drawn
    assert ">the first 2 of 4 systems</text>" in drawn
    assert irbounds(*command, "--title", "").returncode == 0
    assert ">Means with" not in (inputs / "f.svg").read_text()


@pytest.mark.parametrize("name", ["evaluate", "compare", "rank", "standardise"])
def test_top_is_an_option_where_systems_are_drawn(irbounds, inputs, name):
    done = irbounds(*DRAWN[name][0], "--figure", "f.json", "--top", "2")
    assert done.returncode == 0, done.stderr
    spec = (inputs / "f.json").read_text()
    assert ("the first 2 of 4 systems" in spec) == (name != "compare")
    if name == "compare":  # all pairs of four: a triangle, which needs all of them
        assert irbounds("compare", "--scores", "AP=s.csv", "--baseline", "s1", "--top", "2",
                        "--figure", "f.json").returncode == 0  # fmt: skip
        assert "the 2 least certain of 3 comparisons" in (inputs / "f.json").read_text()


@pytest.mark.parametrize(
    ("options", "said"),
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
def test_looks_that_cannot_be_are_said_in_one_line(irbounds, inputs, options, said):
    done = irbounds("evaluate", "--scores", "AP=s.csv", *options)
    assert (done.returncode, done.stdout) == (2, b"")
    assert said in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1
    assert not (inputs / "f.svg").exists()


@pytest.mark.parametrize("arguments", [["evaluate", "--report"], ["report", "-o"]])
def test_a_page_takes_a_title(irbounds, inputs, arguments):
    name, option = arguments
    done = irbounds(name, "--scores", "AP=s.csv", option, "p.html", "--title", "My <i>page</i>")
    assert done.returncode == 0, done.stderr
    assert "My &lt;i&gt;page&lt;/i&gt;</h1>" in (inputs / "p.html").read_text()


def test_a_report_is_repeated_with_its_own_title(irbounds, inputs):
    irbounds("report", "--scores", "AP=s.csv", "-o", "p.html")
    done = irbounds("report", "--repeat", "p.html", "--title", "another", "-o", "q.html")
    assert done.returncode == 2
    assert b"got --title too" in done.stderr


def test_a_plan_has_a_width_of_its_interval_and_one_of_its_figure(irbounds, tmp_path):
    done = irbounds(
        *("plan-recall", "--corpus-size", "50000", "--retrieved-size", "500"),
        *("--n-relevant", "900", "--recall", "0.4", "--interval-width", "0.3"),
        *("--figure", "f.svg", "--width", "600", "--title", "A plan"),
    )
    assert done.returncode == 0, done.stderr
    drawn = (tmp_path / "f.svg").read_text()
    assert ">A plan</text>" in drawn
    assert float(re.search(r'width="([0-9.]+)"', drawn)[1]) == pytest.approx(600, abs=1.5)
