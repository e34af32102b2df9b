"""Figures and reports of the commands about queries."""

from __future__ import annotations

import json

import numpy as np
import pytest

FIRST_BYTES = {
    ".png": b"\x89PNG",
    ".svg": b"<svg",
    ".pdf": b"%PDF",
    ".html": b"<!DOCTYPE html>",
    ".json": b"{",
}
#: the command and the name of its figure
FIGURES = {
    "evaluate": (["evaluate", "--scores", "AP=s.csv"], "means-AP"),
    "evaluate-two": (["evaluate", "qrels.txt", "one.run", "two.run"], "overview"),
    "per-query": (["evaluate", "--scores", "AP=s.csv", "--per-query"], "scores-AP"),
    "compare": (["compare", "--scores", "AP=s.csv"], "differences-AP"),
    "rank": (["rank", "--scores", "AP=s.csv"], "ranks-AP"),
    "standardise": (["standardise", "--scores", "AP=s.csv"], "means-z-AP"),
}
#: direction of concatenation of figures with several views
VIEWS = {"evaluate-two": ["hconcat"], "rank": ["hconcat"]}


@pytest.fixture
def inputs(files):
    """Add s.csv (four systems, twelve queries)."""
    generator = np.random.default_rng(4)
    rows = generator.uniform(0.1, 0.9, (12, 4)).round(3)
    lines = [f"q{k}," + ",".join(map(str, row)) for k, row in enumerate(rows)]
    (files / "s.csv").write_text("query_id,s1,s2,s3,s4\n" + "\n".join(lines) + "\n")
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


def test_report_option_writes_a_page(irbounds, inputs):
    result = irbounds("rank", "--scores", "AP=s.csv", "--report", "page.html")
    assert result.returncode == 0, result.stderr
    assert "irbounds rank" in (inputs / "page.html").read_text()


@pytest.mark.slow
def test_evaluate_imports_vl_convert_only_for_figures(loaded_by, inputs):
    scores = f"AP={inputs / 's.csv'}"
    figure_libraries = {"altair", "vl_convert", "jinja2"}
    assert not figure_libraries & set(loaded_by("evaluate", "--scores", scores))
    imported_modules = loaded_by("evaluate", "--scores", scores, "--figure", str(inputs / "f.json"))
    assert figure_libraries & set(imported_modules) == {"vl_convert", "jinja2"}
