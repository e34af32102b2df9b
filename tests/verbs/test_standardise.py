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
from irbounds.verbs.standardise import reference_names

AP = "topic,a,b,c\n1,0.5,0.25,0.3\n2,0.2,0.2,0.2\n3,0.9,0.7,0.1\n4,0.4,0.1,0.6\n"
P10 = "topic,a,b,c\n1,0.5,0.2,0.3\n2,0.1,0.2,0.3\n3,0.9,0.7,0.1\n4,0.4,0.1,0.6\n"
NEW = "topic,new\n1,0.6\n3,0.8\n4,0.5\n"


@pytest.fixture
def tables(tmp_path):
    """Write ap.csv, p10.csv and new.csv; return their directory."""
    for name, text in (("ap.csv", AP), ("p10.csv", P10), ("new.csv", NEW)):
        (tmp_path / name).write_text(text)
    return tmp_path


def compute_expected(reference="abc"):
    """Return z of the table ``AP``, by the naive implementation."""
    rows = list(csv.DictReader(io.StringIO(AP)))
    scores = {s: {row["topic"]: float(row[s]) for row in rows} for s in "abc"}
    return naive.standardised(scores, reference)


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
    assert from_evaluate.stdout.decode().splitlines()[-4:] == from_standardise.splitlines()[-4:]


def test_standardise_json_has_transform_systems_and_fingerprint(irbounds, tables):
    result = irbounds(
        "standardise", "--scores", "AP=ap.csv", "--transform", "normal-cdf", "--reference", "c,a",
        "--confidence-level", "0.9", "--format", "json",
    )  # fmt: skip
    document = json.loads(result.stdout)
    factors = package.standardisation.score_factors(
        package.read_scores({"AP": tables / "ap.csv"}), ["c", "a"]
    )
    assert document["irbounds"] == package.__version__
    assert document["standardisation"] == {
        "transform": "normal-cdf",
        "systems": ["c", "a"],
        "fingerprint": factors.fingerprint,
    }
    assert document["inputs"][0]["name"] == "ap.csv"
    assert document["warnings"][0].endswith("left out: 1 (2)")
    assert {r["measure"] for r in document["results"]} == {"normal-cdf(AP)"}
    methods_and_levels = {(r["method"], r["confidence_level"]) for r in document["results"]}
    assert methods_and_levels == {("moderated-wilson", 0.9)}


def test_standardise_writes_and_reads_factors(irbounds, tables):
    writing = irbounds("standardise", "--scores", "AP=ap.csv", "--write-factors", "f.json")
    assert writing.returncode == 0
    factors = package.standardisation.read_factors(tables / "f.json")
    assert factors.systems == ("a", "b", "c")
    result = irbounds(
        "standardise", "--scores", "AP=new.csv", "--factors", "f.json", "--per-query", "-o", "n.csv"
    )
    assert b"reference systems 3 (factors sha256" in result.stderr
    standardised = package.read_scores(tables / "n.csv")
    raw = package.read_scores(tables / "new.csv", measure="AP")
    assert standardised.measures == ("z(AP)",)
    assert np.array_equal(standardised.values, standardise_scores(raw, factors=factors).values)


def test_standardise_reports_queries_missing_from_the_factors(irbounds, tables):
    raw = package.read_scores({"AP": tables / "ap.csv"})
    package.standardisation.write_factors(
        package.standardisation.score_factors(raw), tables / "f.json"
    )
    (tables / "more.csv").write_text(NEW + "5,0.1\n")
    result = irbounds("standardise", "--scores", "AP=more.csv", "--factors", "f.json")
    assert result.returncode == 2
    assert b"the factors lack queries: 1 (5); --queries common leaves such" in result.stderr
    result = irbounds(
        "standardise", "--scores", "AP=more.csv", "--factors", "f.json", "--queries", "common"
    )
    assert "warning: queries that the factors lack; left out: 1 (5)" in result.stdout.decode()
    assert "mean over 3 queries" in result.stdout.decode()


def test_standardise_queries_common_omits_missing_values_and_factors(irbounds, tables):
    (tables / "long.csv").write_text(
        "query_id,system,measure,value\n1,x,AP,1\n3,x,AP,0\n3,y,AP,0\n"
    )
    raw = package.read_scores({"AP": tables / "ap.csv"})
    package.standardisation.write_factors(
        package.standardisation.score_factors(raw), tables / "f.json"
    )
    result = irbounds(
        "standardise",
        "--scores",
        "long.csv",
        "--factors",
        "f.json",
        "--queries",
        "common",
        "--per-query",
    )
    assert "queries without a value in every cell; left out: 1" in result.stdout.decode()
    assert result.returncode == 0


def test_standardise_reads_several_measures_and_selects_one(irbounds, tables):
    both = ("standardise", "--scores", "AP=ap.csv", "--scores", "P@10=p10.csv", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(irbounds(*both).stdout.decode())))
    assert {(row["measure"], row["n"]) for row in rows} == {("z(AP)", "3"), ("z(P@10)", "3")}
    selected = list(csv.DictReader(io.StringIO(irbounds(*both, "-m", "P@10").stdout.decode())))
    assert {(row["measure"], row["n"]) for row in selected} == {("z(P@10)", "4")}
    piped = irbounds("standardise", "-", "-m", "AP", stdin=AP.encode())
    assert "z(AP): mean over 3 queries" in piped.stdout.decode()


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (None, "all"),
        (["all"], "all"),
        (["c", "a,b"], ["c", "a,b"]),  # a system has exactly this name
        (["b,a"], ["b", "a"]),
        (["b, a", "c"], ["b", "a", "c"]),
        (["all,a"], ["all", "a"]),
        (["a,,b"], ["a", "", "b"]),
    ],
)
def test_reference_names_splits_at_commas_except_in_system_names(arguments, names):
    assert reference_names(arguments, ["a,b", "a", "b", "c"]) == names


def test_standardise_reference_can_be_repeated(irbounds, tables):
    (tables / "s.csv").write_text('topic,"a,b",a,b,c\n1,1,2,3,4\n2,5,2,4,8\n3,1,7,3,9\n')
    result = irbounds(
        "standardise",
        "--scores",
        "s.csv",
        "--reference",
        "a,b",
        "--reference",
        "c",
        "--format",
        "json",
    )
    assert json.loads(result.stdout)["standardisation"]["systems"] == ["a,b", "c"]


def test_standardise_uses_method(irbounds, tables):
    options = ("--method", "percentile", "--n-resamples", "99", "--seed", "3", "--format", "jsonl")
    result = irbounds("standardise", "--scores", "AP=ap.csv", *options)
    best = json.loads(result.stdout.splitlines()[0])
    table = standardise_scores(package.read_scores({"AP": tables / "ap.csv"}))
    estimates = package.mean_interval(table, method="percentile", n_resamples=99, rng=3)
    expected_limits = {e.system: (e.interval.low, e.interval.high) for e in estimates}
    assert (best["low"], best["high"]) == expected_limits[best["system"]]


@pytest.mark.parametrize(
    ("arguments", "expected_message"),
    [
        ((), "needs QRELS and RUN, or --scores"),
        (("AP=ap.csv", "--reference", "a,x"), "reference: no system 'x' here, only 'a', 'b', 'c'"),
        (
            ("AP=ap.csv", "--transform", "log"),
            "--transform must be one of 'z', 'normal-cdf'; got 'log'",
        ),
        (("AP=ap.csv", "--method", "magic"), "method must be one of"),
        (("AP=ap.csv", "--method", "studentised-logit"), "bounds=(0, 1); they are not known for"),
        (("AP=ap.csv", "--factors", "ap.csv"), "ap.csv: line 1: not JSON"),
        (("AP=ap.csv", "--factors", "f", "--reference", "a,b"), "--factors and --reference"),
        (
            ("AP=ap.csv", "--factors", "f", "--write-factors", "g"),
            "there are no new factors to write",
        ),
        (("AP=ap.csv", "--write-factors", "-"), "--write-factors -: give a file"),
        (
            ("AP=ap.csv", "--write-factors", "."),
            "--write-factors .: this is a directory; give a file",
        ),
        (
            ("AP=ap.csv", "--write-factors", "no/f"),
            "--write-factors no/f: there is no directory no",
        ),
        (("AP=ap.csv", "--write-factors", "f", "-o", "./f"), "must be different files"),
        (("-", "--factors", "-"), "standard input (-) can be read only once"),
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


def test_standardise_writes_no_factors_after_an_error(irbounds, tables):
    (tables / "flat.csv").write_text("topic,a,b\n1,0.5,0.5\n2,0.2,0.2\n")
    result = irbounds("standardise", "--scores", "AP=flat.csv", "--write-factors", "f.json")
    assert b"nothing to standardise by" in result.stderr
    assert not (tables / "f.json").exists()
