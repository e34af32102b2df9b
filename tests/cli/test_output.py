"""Options of output: formats, files and what is wrong with them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from irbounds.cli.output_options import Output
from irbounds.errors import ParameterError
from irbounds.presentation.verbosity import is_quiet

EVALUATE = ("evaluate", "qrels.txt", "one.run", "two.run", "-m", "AP")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--report", "page.doc"), "--report page.doc: use an extension of .html, .htm"),
        (("--report", "no/page.html"), "--report no/page.html: there is no directory no"),
        (("--report", "directory.html"), "this is a directory; give a file"),
        (("--figure", "f.bmp"), "--figure f.bmp: use an extension of .png, .svg"),
        (("--figure", "f.html", "--report", "./f.html"), "must be different files"),
        (("--output", "x.xml"), "x.xml: needs --format or an extension of .txt, .csv"),
        (("--output", "loop.csv"), "--output loop.csv: "),
    ],
)
def test_invalid_output_is_one_line_before_any_work(irbounds, files, options, message):
    (files / "directory.html").mkdir()
    (files / "loop.csv").symlink_to("loop.csv")
    before = sorted(files.iterdir())
    result = irbounds("evaluate", "absent", "absent.run", *options)
    assert (result.returncode, result.stdout, result.stderr.count(b"\n")) == (2, b"", 1)
    assert message in result.stderr.decode()
    assert sorted(files.iterdir()) == before


@pytest.mark.parametrize(
    "options", [("-o", "qrels.txt"), ("--format", "csv", "-o", "./one.run"), ("-o", "link.csv")]
)
def test_output_is_no_input(irbounds, files, options):
    (files / "link.csv").symlink_to("two.run")
    content = {path: path.read_bytes() for path in files.iterdir()}
    for inputs in ((*EVALUATE,), ("evaluate", "qrels.txt", "*.run"), ("check", "qrels.txt", ".")):
        assert irbounds(*inputs, *options).returncode == 2
    assert {path: path.read_bytes() for path in files.iterdir()} == content


def test_draw_replaces_no_sheet(irbounds, files):
    draw = ("draw", "--population", "ids.txt", "--n", "2", "--seed", "1", "-o", "sheet.csv")
    (files / "ids.txt").write_text("a\nb\nc\nd\n")
    assert irbounds(*draw).returncode == 0
    (files / "sheet.csv").write_text("filled")
    assert irbounds(*draw).returncode == 2
    assert (files / "sheet.csv").read_text() == "filled"


def test_format_comes_before_the_extension():
    with pytest.raises(ParameterError, match=r"x\.xml"):
        _ = Output(output="x.xml").form
    assert Output(output="x.xml", format="csv").form == "csv"
    assert Output(output="x.TEX").form == "latex"


def test_quiet_shows_only_results(irbounds, files):
    loud, quiet = irbounds(*EVALUATE), irbounds(*EVALUATE, "--quiet")
    first = quiet.stdout.decode().splitlines()[0]
    assert first.startswith("AP: mean over 6 judged queries")
    assert b"irbounds compare" in loud.stdout
    assert b"irbounds compare" not in quiet.stdout
    assert quiet.stderr == b""
    assert not is_quiet()


def test_data_formats_have_no_conclusion(irbounds, files):
    for form in ("csv", "json", "jsonl", "markdown", "latex"):
        result = irbounds(*EVALUATE, "--format", form)
        assert b"Overlapping" not in result.stdout + result.stderr
    irbounds(*EVALUATE, "--output", "table.txt", "--report", "page.html")
    for name in ("table.txt", "page.html"):
        text = (files / name).read_text()
        assert text.index("0.51") < text.index("Overlapping intervals do not show")


def test_page_is_written_when_stdout_is_closed(files):
    result = subprocess.run(
        f"{sys.executable} -m irbounds {' '.join(EVALUATE)} --report page.html | true",
        shell=True, cwd=files, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "report: page.html" in result.stderr
    assert (files / "page.html").stat().st_size > 100_000
