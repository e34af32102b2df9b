"""``irbounds study bestgen2015`` as a person meets it."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys

import pytest

from irbounds import expected_score
from irbounds.presentation.html.page import extract_provenance_block
from irbounds.replications.commands import bestgen2015

STUDY = ("study", "bestgen2015")


def test_tables_and_curves(irbounds):
    done = irbounds(*STUDY)
    text = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    assert [part.split(":")[0] for part in text.split("\n\n")[1:]] == [
        "Table 1", "Table 2", "Sections 3 and 4", "Sections 3 and 4", "Figure 1",
    ]  # fmt: skip
    assert "\nexpected AP  0.5925      =\n" in text
    assert "\n600    0.00996   0.00988 " in text
    seconds = re.compile(r"^seconds.*\n", re.M)
    assert len(seconds.findall(text)) == 3  # two rows, and the note that they differ
    again = irbounds(*STUDY).stdout.decode()
    # A measured time's digits decide how wide its column is: words are compared, not blanks.
    assert seconds.sub("", text).split() == seconds.sub("", again).split()


def test_records_hold_the_points(irbounds, tmp_path):
    done = irbounds(*STUDY, "--format", "csv")
    records = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    assert {record["study"] for record in records} == {"bestgen2015"}
    assert b"below 0.01 for every R from N = 597 on" in done.stderr
    point = next(
        record
        for record in records
        if record["curve"] == "p = 0.4" and record["n_documents"] == "100"
    )
    assert (point["table"], point["n_relevant"], point["prevalence"]) == ("Figure 1", "40", "0.4")
    assert float(point["exact"]) == expected_score(100, 40)
    assert float(point["exact_minus_prevalence"]) == pytest.approx(expected_score(100, 40) - 0.4)
    assert irbounds(*STUDY, "--output", "study.json").returncode == 0
    written = json.loads((tmp_path / "study.json").read_text())
    assert len(written["notes"]) == 7
    one = next(r for r in written["results"] if r.get("row") == "expected AP, N = 10, R = 4")
    assert (one["theirs"], round(one["ours"], 7)) == (0.5285979, 0.5285979)


def test_python_gives_the_same_digits(irbounds):
    def but_seconds(records):
        return [one for one in records if not str(one.get("row")).startswith("seconds")]

    tables = bestgen2015()
    written = json.loads(irbounds(*STUDY, "--format", "json").stdout)
    both = json.loads(json.dumps(tables.records()).replace("NaN", "null")), written["results"]
    assert but_seconds(both[0]) == but_seconds(both[1])
    assert written["found"] == written["notes"]
    assert " ".join(str(tables).split()).startswith(written["found"][0])


def test_another_format(irbounds):
    done = irbounds(*STUDY, "--format", "latex")
    assert done.returncode == 0, done.stderr
    assert b"0.5925" in done.stdout


def test_it_loads_nothing_heavy():
    script = (
        "import sys, runpy; sys.argv = ['irbounds', 'study', 'bestgen2015']\n"
        "try: runpy.run_module('irbounds', run_name='__main__')\n"
        "except SystemExit: pass\n"
        "print([x for x in ('numba', 'polars', 'scipy.stats') if x in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stdout.decode().splitlines()[-1] == "[]"


def test_figures_and_a_report(irbounds, tmp_path):
    done = irbounds(*STUDY, "--figures", "figures", "--report", "page.html")
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in (tmp_path / "figures").iterdir()) == [
        f"bestgen2015-{name}.{ending}"
        for name in ("exact-against-prevalence", "figure-1")
        for ending in ("pdf", "png", "svg")
    ]
    assert "A study repeats the experiment of a paper" in (tmp_path / "page.html").read_text()


def test_seconds_are_measured_and_so_no_part_of_what_a_repetition_compares(irbounds, tmp_path):
    irbounds(*STUDY, "--report", "page.html")
    marks = json.loads(extract_provenance_block((tmp_path / "page.html").read_text()))["tables"]
    assert [mark["title"].partition(":")[0] for mark in marks] == [
        "Table 1", "Table 2", "Sections 3 and 4", "Figure 1",
    ]  # fmt: skip
    done = irbounds("report", "--repeat", "page.html", "--quiet")
    assert done.returncode == 0, done.stdout
    assert done.stdout.startswith(b"the same numbers: tables 4, ")
