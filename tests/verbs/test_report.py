"""``irbounds report``: the sections and numbers of the page, its file and its errors."""

from __future__ import annotations

import json
import re

import pytest

from irbounds import read_qrels, read_runs, report

from ..conftest import run_text

HEADING = re.compile(r"<h2[^>]*>([^<]+)</h2>|<summary[^>]*><h2[^>]*>([^<]+)</h2>")


@pytest.fixture
def three_runs(files):
    """Write a third run: reports have ranks for three systems or more."""
    (files / "three.run").write_text(run_text(7))
    return ("qrels.txt", "one.run", "two.run", "three.run")


def test_report_writes_a_page_with_its_sections_and_inputs(irbounds, files, three_runs):
    name = "<img src=x onerror=alert(1)>"
    (files / f"{name}.run").write_text(run_text(3))
    result = irbounds("report", *three_runs, f"{name}.run", "-m", "AP", "-m", "P@2")
    assert result.returncode == 0
    assert [line.split(",")[0] for line in result.stdout.decode().splitlines()] == [
        *("By AP", "By P@2"),
    ]
    assert re.fullmatch(rb"report: irbounds-report\.html \(\d[\d.]* [kM]B\)\n", result.stderr)
    page = (files / "irbounds-report.html").read_text()
    headings = [first or second for first, second in HEADING.findall(page)]
    expected = ["Means with intervals", "Ranks", "Diagnosis of the inputs"]
    assert [heading for heading in headings if heading in expected] == expected
    assert any(heading.startswith("Differences from ") for heading in headings)
    assert name not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    provenance = page.partition('<dl class="provenance">')[2]
    assert all(f"{source}, sha256:" in provenance for source in ("qrels", "one"))
    assert "irbounds report qrels.txt one.run" in provenance


def test_report_numbers_equal_those_of_the_other_commands(irbounds, files, three_runs):
    runs = read_runs([str(files / name) for name in three_runs[1:]])
    page = report(read_qrels(str(files / "qrels.txt")), runs, baseline="one").page
    records = {
        section.heading: [row for table in section.tables for row in table.records]
        for section in page.sections
    }
    commands = {
        "Means with intervals": ("evaluate", *three_runs, "--baseline", "one"),
        "Differences from one": ("compare", *three_runs, "--baseline", "one"),
        "Ranks": ("rank", *three_runs),
    }
    for heading, arguments in commands.items():
        expected = json.loads(irbounds(*arguments, "--format", "json").stdout)["results"]
        assert json.loads(json.dumps(records[heading])) == expected, heading


def test_report_of_a_missing_query_has_its_warning(irbounds, files):
    lines = (files / "two.run").read_text().splitlines()
    (files / "two.run").write_text("\n".join(lines[:-8]) + "\n")
    assert irbounds("report", "qrels.txt", "one.run", "two.run", "-o", "r.html").returncode == 0
    assert "queries missing" in (files / "r.html").read_text().partition('class="warnings"')[2]


def test_quiet_report_prints_nothing(irbounds_process, tmp_path):
    rows = "q1,0.1,0.2,0.3\nq2,0.2,0.3,0.1\nq3,0.4,0.5,0.2\n"
    (tmp_path / "s.csv").write_text(f"query_id,a,b,c\n{rows}")
    result = irbounds_process("report", "--scores", "s.csv", "--baseline", "c", "-q")
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
    assert (tmp_path / "irbounds-report.html").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "needs QRELS and RUN, or --scores"),
        (("q", "r", "-o", "r.txt"), "--output r.txt: use an extension of .html, .htm"),
        (("q", "r", "--confidence-level", "95"), "did you mean 0.95?"),
        (("qrels.txt", "one.run", "--baseline", "three"), "--baseline must be one of 'one'"),
        (("q", "r", "--results", "x"), "no option --results"),
    ],
)
def test_report_errors_are_one_line(irbounds, files, arguments, message):
    result = irbounds("report", *arguments)
    assert (result.returncode, result.stderr.count(b"\n")) == (2, 1)
    assert message in result.stderr.decode()
    assert not list(files.glob("*.html"))


@pytest.mark.parametrize("extension", ["svg", "png"])
def test_figure_file_and_size_are_printed(irbounds, files, extension):
    result = irbounds("evaluate", "qrels.txt", "one.run", "--figure", f"f.{extension}")
    assert re.search(rf"^figure: f\.{extension} \(\d+ kB\)$", result.stderr.decode(), re.M)
