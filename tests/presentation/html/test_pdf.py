"""A page as PDF: which browser prints it, and what is said where none can."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from irbounds.errors import ExecutionError, ParameterError
from irbounds.presentation.html import pdf
from irbounds.presentation.html.pdf import check_browser, find_browser, print_pdf, render_file
from sample_page import sample_page

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the browsers are shell scripts")


@pytest.fixture
def browser(tmp_path, monkeypatch):
    """Return a function that installs a program as the browser."""

    def install(script: str, name: str = "chromium") -> Path:
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!{sys.executable}\nimport sys, time\n{script}\n")
        program.chmod(0o755)
        return program

    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("IRBOUNDS_CHROMIUM", raising=False)
    monkeypatch.setattr(pdf, "PLACES", ())
    (tmp_path / "out").mkdir()
    return install


PRINT = """
target = next(word for word in sys.argv if word.startswith("--print-to-pdf=")).partition("=")[2]
source = sys.argv[-1].removeprefix("file://")
content = open(source, "rb").read()
open(target, "wb").write(b"%PDF-1.4 " + " ".join(sys.argv[1:]).encode() + content + b"%%EOF\\n")
"""


def test_browser_is_looked_up_by_name_place_and_variable(browser, monkeypatch):
    assert find_browser() is None
    edge = browser("", "msedge")
    assert find_browser() == str(edge)
    chromium = browser("")
    assert find_browser() == str(chromium)
    monkeypatch.setenv("IRBOUNDS_CHROMIUM", str(edge))
    assert find_browser() == str(edge)
    monkeypatch.setenv("IRBOUNDS_CHROMIUM", "no-such-program")
    assert find_browser() is None
    monkeypatch.delenv("IRBOUNDS_CHROMIUM")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("PROGRAMFILES", str(edge.parent))
    monkeypatch.setattr(pdf, "PLACES", ("${PROGRAMFILES}/none", "${PROGRAMFILES}/msedge"))
    assert find_browser() == str(edge)


def test_missing_browser_is_one_line_with_what_to_do(browser, monkeypatch):
    with pytest.raises(ParameterError) as raised:
        check_browser("report audit.pdf")
    assert str(raised.value) == (
        "report audit.pdf: a PDF needs Chromium, Chrome or Edge, and none was found; install one, "
        "name its program in IRBOUNDS_CHROMIUM, or write .html and print it in a browser"
    )
    monkeypatch.setenv("IRBOUNDS_CHROMIUM", "no-such-program")
    with pytest.raises(ParameterError, match="IRBOUNDS_CHROMIUM is no program: 'no-such-program'"):
        check_browser("report audit.pdf")


def test_page_is_printed_with_an_empty_profile_and_nothing_is_left(browser, tmp_path):
    browser(PRINT)
    content = print_pdf(b"<p>page</p>", tmp_path / "out" / "page.pdf")
    assert content.startswith(b"%PDF-1.4 ")
    assert content.endswith(b"<p>page</p>%%EOF\n")
    for flag in (b"--headless", b"--disable-background-networking", b"--no-pdf-header-footer"):
        assert flag in content
    profile = content.partition(b"--user-data-dir=")[2].partition(b" ")[0]
    assert not Path(profile.decode()).exists()
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("print('first\\nno display')", r"wrote no PDF \('no display'\); write .html"),
        ("", r"wrote no PDF \('no message'\)"),
        (PRINT.replace("%%EOF", ""), "wrote no PDF"),
        ("time.sleep(60)", "did not print the page within 1 seconds; write .html"),
    ],
)
def test_browser_that_prints_nothing_is_an_error(browser, tmp_path, monkeypatch, script, message):
    browser(script)
    monkeypatch.setattr(pdf, "SECONDS", 1)
    with pytest.raises(ExecutionError, match=message):
        print_pdf(b"<p>page</p>", tmp_path / "out" / "page.pdf")
    assert list((tmp_path / "out").iterdir()) == []


def test_file_extension_decides_what_is_rendered(browser, tmp_path):
    browser(PRINT)
    page = sample_page()
    html, printed = (render_file(page, tmp_path / f"page.{kind}") for kind in ("html", "PDF"))
    assert html.startswith(b"<!DOCTYPE html>")
    assert printed.startswith(b"%PDF-")
    assert html in printed
