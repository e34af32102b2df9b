"""irbounds plan-queries."""

from __future__ import annotations

import csv
import io
import json

import pytest

import irbounds as package

SCORES = (
    "topic,a,b,c,d\n1,0.1,0.3,0.2,0.2\n2,0.5,0.4,0.9,0.5\n3,0.3,0.35,0.2,0.6\n4,0.2,0.2,0.1,0\n"
)


def test_table_of_pairs_has_a_line_on_reliability(irbounds, files):
    (files / "s.csv").write_text(SCORES)
    result = irbounds("plan-queries", "--scores", "AP=s.csv", "--difference", "0.02")
    typical, hardest = package.plan_queries(scores=files / "s.csv", measures="AP", difference=0.02)
    lines = result.stdout.decode().splitlines()
    assert lines[0] == (
        "AP: what queries can show with 80 % power at the 95 % level, difference 0.02"
    )
    for line, plan in zip(lines[2:4], (typical, hardest), strict=True):
        assert line.startswith(f"{plan.pair} ")
        assert line.split()[-1] == f"{plan.queries_for_difference:,}"
    assert lines[4].endswith(
        f"reliability of the 4 queries (Erho2): {typical.reliability:.3f}; no number of "
        "queries is enough for 0.95"
    )
    assert (result.returncode, result.stderr) == (0, b"")


def test_csv_and_json_have_full_precision(irbounds, files):
    arguments = ("plan-queries", "qrels.txt", "one.run", "two.run", "-m", "AP")
    table = package.score(files / "qrels.txt", [files / "one.run", files / "two.run"], ["AP"])
    (plan,) = package.plan_queries(scores=table, half_width=0.1)
    result = irbounds(*arguments, "--half-width", "0.1", "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(result.stdout.decode()))
    assert float(row["detectable_difference"]) == plan.detectable_difference
    assert float(row["reliability"]) == plan.reliability
    assert int(row["queries_for_half_width"]) == plan.queries_for_half_width
    assert (row["difference"], row["queries_for_difference"]) == ("", "")
    document = json.loads(irbounds(*arguments, "--format", "json").stdout)
    assert document["results"][0]["half_width"] == plan.half_width
    assert [source["name"] for source in document["inputs"]] == ["qrels", "one", "two"]


def test_several_systems_need_no_scores(irbounds):
    arguments = ("--n-systems", "10", "--difference", "0.1", "--variance", "0.0442")
    result = irbounds("plan-queries", *arguments)
    lines = result.stdout.decode().splitlines()
    assert [line.split() for line in lines[2:4]] == [
        ["one-way", "0.0442", "140"],
        ["two-way", "0.0442", "140"],
    ]
    assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--n-systems", "4"), "needs QRELS and RUN, or --scores; or --n-systems, --difference"),
        (("--variance", "0.1", "--n-systems", "4"), "--variance needs --n-systems and --diff"),
        (("--scores", "none.csv", "--difference", "0"), "difference must be a number greater than"),
    ],
)
def test_errors_are_one_line_with_status_2(irbounds, arguments, message):
    result = irbounds("plan-queries", *arguments)
    assert (result.returncode, result.stdout) == (2, b"")
    assert message in result.stderr.decode()
    assert result.stderr.count(b"\n") == 1
