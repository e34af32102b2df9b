"""irbounds standardise."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

import irbounds as package
import naive
from irbounds.standardisation import standardise_scores

AP = "topic,a,b,c\n1,0.5,0.25,0.3\n2,0.2,0.2,0.2\n3,0.9,0.7,0.1\n4,0.4,0.1,0.6\n"
P10 = "topic,a,b,c\n1,0.5,0.2,0.3\n2,0.1,0.2,0.3\n3,0.9,0.7,0.1\n4,0.4,0.1,0.6\n"


@pytest.fixture
def tables(tmp_path):
    """Write ap.csv and p10.csv; return their directory."""
    for name, text in (("ap.csv", AP), ("p10.csv", P10)):
        (tmp_path / name).write_text(text)
    return tmp_path


def compute_expected(reference="abc"):
    """Return z of the table ``AP``, by the naive implementation."""
    rows = list(csv.DictReader(io.StringIO(AP)))
    scores = {s: {row["topic"]: float(row[s]) for row in rows} for s in "abc"}
    return naive.standardised(scores, reference)


def test_standardise_prints_means_with_student_t_intervals_in_order(irbounds, tables):
    result = irbounds("standardise", "--scores", "AP=ap.csv")
    raw = package.read_scores(tables / "ap.csv", measure="AP")
    estimates = package.mean_interval(standardise_scores(raw), method="student-t")
    rows = sorted(estimates, key=lambda e: -e.value)
    lines = result.stdout.decode().splitlines()
    assert lines[:4] == [
        "reference systems 3: a, b, c",
        "warning: queries on which all reference systems have the same score; left out: 1 (2)",
        "",
        "z(AP): mean over 3 queries with its 95 % Student t interval",
    ]
    assert [line.split()[:4] for line in lines[5:8]] == [
        [e.system, *(f"{x:.1f}" for x in (e.value, e.interval.low, e.interval.high))] for e in rows
    ]
    assert lines[9].endswith("3 queries are too few to trust small differences.")
    assert rows[0].value == pytest.approx(np.mean(list(compute_expected()["a"].values())))
    assert (result.returncode, result.stderr) == (0, b"")


def test_standardise_per_query_scores_are_read_by_evaluate(irbounds, tables):
    options = ("--reference", "a,b")
    from_standardise = irbounds("standardise", "--scores", "AP=ap.csv", *options).stdout.decode()
    irbounds("standardise", "--scores", "AP=ap.csv", *options, "--per-query", "-o", "z.csv")
    rows = list(csv.DictReader(io.StringIO((tables / "z.csv").read_text())))
    assert {row["measure"] for row in rows} == {"z(AP)"}
    for row in rows:
        z = compute_expected("ab")[row["system"]][row["query_id"]]
        assert float(row["value"]) == pytest.approx(z, rel=1e-12)
    from_evaluate = irbounds("evaluate", "--scores", "z.csv", "--method", "student-t")
    lines = from_evaluate.stdout.decode().splitlines()
    assert len(lines) > 4
    assert lines[-4:] == from_standardise.splitlines()[-4:]


def test_standardise_json_has_transform_and_systems(irbounds, tables):
    result = irbounds(
        "standardise", "--scores", "AP=ap.csv", "--transform", "normal-cdf", "--reference", "c,a",
        "--confidence-level", "0.9", "--format", "json",
    )  # fmt: skip
    document = json.loads(result.stdout)
    assert document["irbounds"] == package.__version__
    assert document["standardisation"] == {
        "transform": "normal-cdf",
        "systems": ["c", "a"],
    }
    assert document["inputs"][0]["name"] == "ap.csv"
    assert document["warnings"][0].endswith("left out: 1 (2)")
    assert {r["measure"] for r in document["results"]} == {"normal-cdf(AP)"}
    methods_and_levels = {(r["method"], r["confidence_level"]) for r in document["results"]}
    assert methods_and_levels == {("moderated-wilson", 0.9)}


def test_standardise_reads_several_measures_and_selects_one(irbounds, tables):
    both = ("standardise", "--scores", "AP=ap.csv", "--scores", "P@10=p10.csv", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(irbounds(*both).stdout.decode())))
    assert {(row["measure"], row["n"]) for row in rows} == {("z(AP)", "3"), ("z(P@10)", "3")}
    selected = list(csv.DictReader(io.StringIO(irbounds(*both, "-m", "P@10").stdout.decode())))
    assert {(row["measure"], row["n"]) for row in selected} == {("z(P@10)", "4")}
    piped = irbounds("standardise", "-", "-m", "AP", stdin=AP.encode())
    assert "z(AP): mean over 3 queries" in piped.stdout.decode()


@pytest.mark.parametrize(
    ("arguments", "expected_message"),
    [
        ((), "needs QRELS and RUN, or --scores"),
        (("AP=ap.csv", "--reference", "a,x"), "reference: no system 'x' here, only 'a', 'b', 'c'"),
        (
            ("AP=ap.csv", "--transform", "log"),
            "--transform must be one of 'z', 'normal-cdf'; got 'log'",
        ),
        (("AP=ap.csv", "-o", "t.parquet"), "needs --format or an extension of .txt"),
    ],
)
def test_standardise_errors_are_one_line_with_status_2(
    irbounds, tables, arguments, expected_message
):
    before = sorted(path.name for path in tables.iterdir())
    result = irbounds("standardise", *arguments)
    message = result.stderr.decode()
    assert result.returncode == 2
    assert result.stdout == b""
    assert message.startswith("irbounds: error: ")
    assert expected_message in message
    assert message.count("\n") == 1
    assert sorted(path.name for path in tables.iterdir()) == before
