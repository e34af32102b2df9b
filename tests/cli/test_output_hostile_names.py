"""Run names with terminal escapes, reserved words of figures, or script text."""

from __future__ import annotations

import csv
import io
import json

import pytest

ESCAPE = "\x1b[31mred\u202e"
ESCAPED = r"\x1b[31mred\u202e"
NAMES = (ESCAPE, "toString", "$x$")


@pytest.fixture
def runs(files):
    for name, source in zip(NAMES, ("one", "two", "one"), strict=True):
        (files / f"{name}.run").write_text((files / f"{source}.run").read_text())
    return [f"{name}.run" for name in NAMES]


def read_output(result) -> str:
    return (result.stdout + result.stderr).decode()


@pytest.mark.parametrize(
    "command", [("evaluate", "-m", "AP"), ("compare", "-m", "AP"), ("check",), ("rank", "-m", "AP")]
)
def test_tables_escape_control_characters(irbounds, runs, command):
    name, *options = command
    result = irbounds(name, "qrels.txt", *runs, *options)
    assert result.returncode in (0, 1), result.stderr  # check exits with 1 if there are warnings
    assert ESCAPED in read_output(result)
    assert "\x1b" not in read_output(result)
    assert "\u202e" not in read_output(result)


def test_errors_and_file_messages_escape_control_characters(irbounds, runs):
    wrong = irbounds("evaluate", "qrels.txt", f"no-{ESCAPE}.run")
    assert wrong.returncode == 2
    assert ESCAPED in read_output(wrong)
    wrote = irbounds("evaluate", "qrels.txt", *runs, "--figure", f"{ESCAPE}.svg")
    assert f"figure: {ESCAPED}.svg (" in read_output(wrote)
    for result in (wrong, wrote):
        assert "\x1b" not in read_output(result)
        assert "\u202e" not in read_output(result)


def test_csv_and_json_keep_names_unchanged(irbounds, runs):
    text = irbounds("evaluate", "qrels.txt", *runs, "-m", "AP", "--format", "csv").stdout.decode()
    assert {row["system"] for row in csv.DictReader(io.StringIO(text))} == set(NAMES)
    text = irbounds("evaluate", "qrels.txt", *runs, "-m", "AP", "--format", "json").stdout.decode()
    assert {row["system"] for row in json.loads(text)["results"]} == set(NAMES)


def test_text_and_markdown_files_escape_control_characters(irbounds, runs, tmp_path):
    for extension in ("txt", "md"):
        irbounds("evaluate", "qrels.txt", *runs, "-m", "AP", "--output", f"a.{extension}")
        text = (tmp_path / f"a.{extension}").read_text()
        assert "x1b" in text
        assert "\x1b" not in text


@pytest.mark.parametrize("extension", ["svg", "png", "html"])
def test_figure_of_hostile_names_is_drawn(irbounds, runs, tmp_path, extension):
    result = irbounds("evaluate", "qrels.txt", *runs, "-m", "AP", "--figure", f"a.{extension}")
    assert result.returncode == 0, result.stderr
    assert (tmp_path / f"a.{extension}").stat().st_size > 1000


def test_report_refuses_names_that_are_too_long(irbounds, tmp_path):
    (tmp_path / "s.csv").write_text(f"query_id,a,{'b' * 100_000}\nq1,0.1,0.2\nq2,0.2,0.3\n")
    result = irbounds("report", "--scores", "s.csv", "-o", "r.html")
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.startswith(b"irbounds: error: s.csv: ")
    assert len(result.stderr) < 300
    assert not (tmp_path / "r.html").exists()
