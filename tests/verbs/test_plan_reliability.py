"""irbounds plan-reliability."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

import irbounds as package

SYSTEMS = ("a", "b", "c", "d")


@pytest.fixture
def scores(files):
    """Return a table of 4 systems and 12 queries, as a file and as read."""
    rng = np.random.default_rng(3)
    values = rng.beta(2, 3, (12, 1)) / 2 + np.array([0, 0.05, 0.2, 0.4]) + rng.random((12, 4)) / 5
    lines = [",".join(("topic", *SYSTEMS))]
    lines += [",".join((f"q{k}", *map(str, row))) for k, row in enumerate(values.round(3))]
    (files / "s.csv").write_text("\n".join(lines) + "\n")
    return package.read_scores(files / "s.csv", measure="AP")


def test_plan_reliability_prints_sentence_and_tables(irbounds, scores):
    result = irbounds("plan-reliability", "--scores", "AP=s.csv", "--n-queries", "50,100")
    plan = package.plan_reliability(scores=scores, n_queries=[50, 100])
    lines = result.stdout.decode().splitlines()
    relative, absolute = plan.coefficients[::3]
    assert lines[0].startswith(f"AP: 12 queries have a reliability of {relative.value:.3f} [")
    assert f" and {absolute.value:.3f} [" in lines[0]
    first = plan.required[0]
    low, high = first.interval
    assert f"0.95 takes {first.value} [{low:.0f}, {high:.0f}] (Erho2)" in lines[0]
    assert "AP: variances of systems, queries and residuals" in lines
    rows = [line.split() for line in lines]
    assert [row[:2] for row in rows if row[:1] == ["Erho2"]] == [
        ["Erho2", "12"], ["Erho2", "50"], ["Erho2", "100"], ["Erho2", "0.95"],
    ]  # fmt: skip
    assert (result.returncode, result.stderr) == (0, b"")


def test_plan_reliability_from_runs(irbounds, files):
    result = irbounds("plan", "reliability", "qrels.txt", "one.run", "two.run", "-m", "AP,P@5")
    table = package.score(
        files / "qrels.txt", [files / "one.run", files / "two.run"], ["AP", "P@5"]
    )
    assert result.returncode == 0
    text = result.stdout.decode()
    assert "AP: 6 queries have a reliability of" in text
    assert "P@5: 6 queries have a reliability of" in text
    with pytest.warns(package.errors.DegenerateSampleWarning):
        plans = package.plan_reliability(scores=table)
    assert {row.measure for row in plans} == {"AP", "P@5"}


def test_plan_reliability_csv_and_json_have_full_precision(irbounds, scores):
    plan = package.plan_reliability(scores=scores)
    arguments = ("plan-reliability", "--scores", "AP=s.csv")
    rows = list(
        csv.DictReader(io.StringIO(irbounds(*arguments, "--format", "csv").stdout.decode()))
    )
    assert [row["table"] for row in rows] == [
        *["reliability"] * 2, *["queries"] * 2, *["variances"] * 3,
    ]  # fmt: skip
    assert float(rows[0]["reliability"]) == plan.coefficients[0].value
    assert float(rows[1]["low"]) == plan.coefficients[1].interval.low
    assert int(rows[2]["queries"]) == plan.required[0].value
    assert float(rows[4]["variance"]) == plan.variances[0].variance
    document = json.loads(irbounds(*arguments, "--format", "json").stdout)
    assert document["results"] == plan.records()
    assert [source["name"] for source in document["inputs"]]


def test_plan_reliability_writes_every_format(irbounds, scores, files):
    for name in ("t.md", "t.tex", "t.csv", "t.jsonl", "t.json"):
        assert irbounds("plan-reliability", "--scores", "AP=s.csv", "-o", name).returncode == 0
        assert "Erho2" in (files / name).read_text()
    result = irbounds(
        "plan-reliability", "--scores", "AP=s.csv", "--figure", "f.svg", "--report", "r.html"
    )
    assert result.returncode == 0
    assert "Reliability of 4 systems" in (files / "f.svg").read_text()
    page = (files / "r.html").read_text()
    assert "Queries for a reliability" in page
    assert "Feldt" in page


def test_plan_reliability_prints_warnings(irbounds, files):
    (files / "s.csv").write_text("topic,a,b\n1,0.1,0.5\n2,0.5,0.1\n3,0.2,0.21\n")
    text = irbounds("plan-reliability", "--scores", "AP=s.csv").stdout.decode()
    assert "warning: AP: the estimated variance of systems is negative and set to 0" in text
    assert "warning: AP: fewer than two queries per system (2 systems, 3 queries)" in text


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        ("topic,a\n1,0.1\n2,0.3\n", (), "a plan needs at least two systems; got 1"),
        ("topic,a,b\n1,0.1,0.2\n", (), "a plan needs at least two queries; got 1"),
        ("topic,a,b\n1,0.1,0.1\n2,0.3,0.3\n", (), "no plan is possible: no system differs from"),
        ("topic,a,b\n1,0.1,\n2,0.3,0.4\n", (), "row 1: b: '' is not a finite number"),
        ("topic,a,b\n1,0.1,nan\n2,0.3,0.4\n", (), "row 1: b: 'nan' is not a finite"),
        (None, ("--reliability", "95"), "--reliability must be a fraction between 0 and 1; got 95"),
        (None, ("--n-queries", "0"), "--n-queries must be an integer of at least 1; got 0"),
        (None, ("--n-queries", "1000,x"), "--n-queries must be an integer; got 'x'"),
    ],
)
def test_plan_reliability_errors_are_one_line_with_status_2(
    irbounds, files, content, arguments, message
):
    # options are checked before any file is read: the table does not exist
    if content is not None:
        (files / "s.csv").write_text(content)
    result = irbounds("plan-reliability", "--scores", "AP=s.csv", "-o", "t.csv", *arguments)
    assert (result.returncode, result.stdout) == (2, b"")
    text = result.stderr.decode()
    assert text.startswith("irbounds: error: ")
    assert message in text
    assert text.count("\n") == 1
    assert not (files / "t.csv").exists()
