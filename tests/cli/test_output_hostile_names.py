"""Runs whose names would steer a terminal, break a figure or run as a script."""

from __future__ import annotations

import csv
import io
import json

import pytest

ESCAPE = "\x1b[31mred\u202e"
SPELT = r"\x1b[31mred\u202e"
NAMES = (ESCAPE, "toString", "$x$")


@pytest.fixture
def runs(files):
    for name, like in zip(NAMES, ("one", "two", "one"), strict=True):
        (files / f"{name}.run").write_text((files / f"{like}.run").read_text())
    return [f"{name}.run" for name in NAMES]


def said(done) -> str:
    return (done.stdout + done.stderr).decode()


@pytest.mark.parametrize(
    "command", [("evaluate", "-m", "AP"), ("compare", "-m", "AP"), ("check",), ("rank", "-m", "AP")]
)
def test_no_name_reaches_a_terminal_as_it_is(irbounds, runs, command):
    name, *options = command
    done = irbounds(name, "qrels.txt", *runs, *options, "--verbose")
    assert done.returncode in (0, 1), done.stderr  # check has 1 where something is odd
    assert SPELT in said(done)
    assert "\x1b" not in said(done)
    assert "\u202e" not in said(done)


def test_nor_does_an_error_or_a_line_about_a_file(irbounds, runs):
    wrong = irbounds("evaluate", "qrels.txt", f"no-{ESCAPE}.run")
    assert wrong.returncode == 2
    assert SPELT in said(wrong)
    wrote = irbounds("evaluate", "qrels.txt", *runs, "--figure", f"{ESCAPE}.svg")
    assert f"figure: {SPELT}.svg (" in said(wrote)
    for done in (wrong, wrote):
        assert "\x1b" not in said(done)
        assert "\u202e" not in said(done)


def test_programs_get_names_as_they_are(irbounds, runs):
    text = irbounds("evaluate", "qrels.txt", *runs, "-m", "AP", "--format", "csv").stdout.decode()
    assert {row["system"] for row in csv.DictReader(io.StringIO(text))} == set(NAMES)
    text = irbounds("evaluate", "qrels.txt", *runs, "-m", "AP", "--format", "json").stdout.decode()
    assert {row["system"] for row in json.loads(text)["results"]} == set(NAMES)


def test_a_text_file_and_markdown_do_not(irbounds, runs, tmp_path):
    for ending in ("txt", "md"):
        irbounds("evaluate", "qrels.txt", *runs, "-m", "AP", "--output", f"a.{ending}")
        text = (tmp_path / f"a.{ending}").read_text()
        assert "x1b" in text
        assert "\x1b" not in text


@pytest.mark.parametrize("ending", ["svg", "png", "html"])
def test_a_figure_is_drawn(irbounds, runs, tmp_path, ending):
    done = irbounds("evaluate", "qrels.txt", *runs, "-m", "AP", "--figure", f"a.{ending}")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / f"a.{ending}").stat().st_size > 1000
