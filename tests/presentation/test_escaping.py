"""Whatever a name holds, Markdown shows it and LaTeX compiles."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from every_result import NAMES, paper_table, result_of
from irbounds.presentation.escaping import (
    PROPERTIES,
    escape_formula,
    escape_latex,
    escape_latex_number,
    escape_markdown,
    make_drawable,
    make_printable,
)
from irbounds.presentation.table import Table, render

HOSTILE = (
    "<script>alert(1)</script>",
    "\\input{/etc/passwd}",
    "[red]b",
    "*starred",
    "a|b_c&d%e$f#g{h}i~j^k\\l<m>n",
    "\"quoted\" `too` 'here' ?` --- !`",
    "\u2212\u00b1\u00d7\u2264\u2265\u2248\u2026\u2013\u2014\u201cq\u201d",
    "αβγδλμπρσςτφχψωο ΑΓΔΛΣΩ ϝά",
    "Ångström façade Žižek ő ł ß æ ą",
    "中文 😀 кириллица",
    "x" * 80,
    "a\x1b[31mb \u202e $x$ \u2028",
    "",
)
DOCUMENT = (
    "\\documentclass{{article}}\\usepackage{{booktabs}}\\begin{{document}}\n{}\n\\end{{document}}"
)


def make_table(names):
    return Table(
        title=f"AP of {names[0]}: 100 % of it",
        headings=("system", "mean \N{PLUS-MINUS SIGN} sd", "p<0.05"),
        cells=tuple((name, "-0.123", "\N{LESS-THAN OR EQUAL TO}0.001") for name in names),
        records=tuple({"system": name} for name in names),
        caption=f"low to high: 95 % of {names[-2]}",
    )


@pytest.fixture
def compile_latex(tmp_path: Path):
    """Return a function that runs pdflatex on a document body; in CI pdflatex is required."""
    if shutil.which("pdflatex") is None:
        if os.environ.get("IRBOUNDS_CI"):
            pytest.fail("pdflatex is missing")
        pytest.skip("needs pdflatex")

    def compile_text(body: str) -> int:
        (tmp_path / "t.tex").write_text(DOCUMENT.format(body), encoding="utf-8")
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
        completed = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
        return completed.returncode

    return compile_text


def test_latex_compiles_with_special_characters_in_names(compile_latex):
    text = render([make_table(HOSTILE), make_table(HOSTILE[::-1])], "latex", {})
    assert compile_latex(text) == 0
    # and the test can fail: the same names as they are
    assert compile_latex(" \\\\ ".join(HOSTILE)) != 0


def test_latex_of_every_result_type_compiles(compile_latex):
    assert compile_latex("\n\\clearpage\n".join(result_of(name).to_latex() for name in NAMES)) == 0


def test_paper_table_compiles_as_one_float(compile_latex):
    frames = {
        measure: pl.DataFrame({name: rng.uniform(0.2, 0.8, 8) for name in HOSTILE if name})
        for measure, rng in (
            (measure_name, np.random.default_rng(1)) for measure_name in ("AP", "a_b & c%")
        )
    }
    baseline = HOSTILE[1]
    text = paper_table(frames, baseline=baseline, rng=1, n_resamples=99).to_latex()
    assert text.count("\\begin{table}") == 1
    assert text.count("\\textbf{") >= 2
    assert compile_latex(text) == 0


def test_latex_escapes_characters():
    assert escape_latex("é ü ñ ç Š") == r"\'{e} \"{u} \~{n} \c{c} \v{S}"
    assert escape_latex("λ Ω Α ς") == r"$\lambda$ $\Omega$ $\mathrm{A}$ $\varsigma$"  # noqa: RUF001
    assert escape_latex("中") == r"\texttt{U+4E2D}"
    assert escape_latex("a--b-c") == "a-{}-b-c"
    assert escape_latex("[x]") == "{[}x{]}"
    assert escape_latex_number("-0.5") == "$-$0.5"
    assert escape_latex_number("-") == "-"
    assert escape_latex_number("<0.001") == "$<$0.001"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a|b", r"a\|b"),
        ("a\\|b", r"a\\\|b"),
        ("<script>x</script>", "&lt;script>x&lt;/script>"),
        ("<0.001", "<0.001"),
        ("&lt;b&gt;", "&amp;lt;b&amp;gt;"),
        ("R&D", "R&D"),
        ("bm25_rm3", "bm25_rm3"),
        ("_x_ *y* `z` [a](b)", r"\_x\_ \*y\* \`z\` \[a\](b)"),
        ("two\nlines", "two lines"),
        ("$x$", r"<span>\$</span>x<span>\$</span>"),
        ("\x1b[2J", r"\\x1b\[2J"),
        ("a\u202eb", r"a\\u202eb"),
    ],
)
def test_markdown_escapes_names(name, expected):
    assert escape_markdown(name) == expected


def test_markdown_and_latex_have_captions():
    table = make_table(("a", "b"))
    assert render([table], "markdown", {}).endswith("|\n\nlow to high: 95 % of a\n")
    latex = render([table], "latex", {})
    assert "\\caption{AP of a: 100 \\% of it; low to high: 95 \\% of a}\n" in latex
    assert latex.count("\\begin{table}") == latex.count("\\end{table}") == 1
    bare = replace(table, caption="")
    assert render([bare], "markdown", {}).endswith("0.001 |\n")
    for form in ("csv", "jsonl"):
        assert "low to high" not in render([table], form, {})


@pytest.mark.parametrize(
    "name",
    [
        '=HYPERLINK("http://example.org")',
        "=1+1",
        "+x",
        "-x",
        "-1+cmd|' /C calc'!A0",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "--",
    ],
)
def test_spreadsheet_formulas_in_names_are_escaped(name):
    assert escape_formula(name) == f"'{name}"


@pytest.mark.parametrize("text", ["bm25", "-0.5", "+1e-3", "-1,234", "-", "", "a=b", "0.1", "'x"])
def test_spreadsheet_escaping_leaves_other_text_and_numbers(text):
    assert escape_formula(text) == text


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("bm25", "bm25"),
        ("\x1b[2Jgone", r"\x1b[2Jgone"),
        ("a\nb\r\tc", r"a\nb\r\tc"),
        ("bell\x07 null\x00 delete\x7f", r"bell\x07 null\x00 delete\x7f"),
        ("\x9b31m", r"\x9b31m"),  # the same as ESC [ in one character
        ("a\u202eb\u2066c\u200f", r"a\u202eb\u2066c\u200f"),
        ("\u2028\u2029\x85", r"\u2028\u2029\x85"),
        ("\ufffe\ud800", r"\ufffe\ud800"),
        ("zero\u200bwidth", r"zero\u200bwidth"),
        ("50\N{NO-BREAK SPACE}% 中文\u3000é λ", "50\N{NO-BREAK SPACE}% 中文\u3000é λ"),
        ("👩\u200d💻 क\u200cष", "👩\u200d💻 क\u200cष"),
    ],
)
def test_invisible_characters_are_escaped(name, expected):
    assert make_printable(name) == make_drawable(name) == expected


def test_javascript_property_names_are_marked_in_figures_only():
    assert {"toString", "constructor", "valueOf", "hasOwnProperty", "__proto__"} <= PROPERTIES
    for name in PROPERTIES:
        assert make_printable(name) == name
        assert make_drawable(name) == f"{name}\u200b"
    assert make_drawable("toString.run") == "toString.run"
