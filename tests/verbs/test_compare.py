"""irbounds compare."""

from __future__ import annotations

import csv
import io
import json
import re

import numpy as np
import pytest

import irbounds as package


@pytest.fixture
def scores(tmp_path):
    """Write a wide table of four systems and 12 queries, with scores in hundredths."""
    rng = np.random.default_rng(3)
    values = rng.integers(0, 60, (12, 4)) + np.array([0, 5, 20, 35])
    rows = [",".join(map(str, row)) for row in values / 100]
    (tmp_path / "scores.csv").write_text("one,two,three,four\n" + "\n".join(rows) + "\n")
    return tmp_path / "scores.csv"


def compute_comparisons(scores, **options):
    return package.difference_interval(package.read_scores(scores, measure="AP"), rng=0, **options)


def test_compare_prints_plain_columns_to_a_pipe_sorted_by_difference(irbounds, scores):
    result = irbounds("compare", "--scores", "AP=scores.csv")
    comparisons = compute_comparisons(scores)
    n_significant = sum(c.adjusted_p_value <= 0.05 for c in comparisons)
    lines = result.stdout.decode().splitlines()
    assert lines[:4] == [
        lines[0],
        "",
        "AP: mean difference over 12 queries with its individual 95 % Student t interval",
        "system  minus  difference    low  high  effect size       p  adjusted p",
    ]
    assert lines[0].startswith(f"AP: {n_significant} of 6 pairs differ significantly")
    assert lines[0].endswith(" (5 % level, Holm's adjustment).")
    assert 0 < n_significant < 6
    rows = [line.split() for line in lines[4:-1]]
    assert lines[-1].startswith("p: paired t test, Holm's adjustment for 6 comparisons")
    largest_first = sorted(comparisons, key=lambda c: -c.value)
    assert [(row[0], row[1]) for row in rows] == [(c.system, c.baseline) for c in largest_first]
    for row, comparison in zip(rows, largest_first, strict=True):
        assert float(row[2]) == pytest.approx(comparison.value, abs=0.0051)
        assert float(row[6].removeprefix("<")) == pytest.approx(comparison.p_value, abs=0.001)
    assert (result.returncode, result.stderr) == (0, b"")


def test_compare_baseline_with_a_file_name_shared_by_two_directories(irbounds, files):
    for directory, name in (("a", "one"), ("b", "two")):
        (files / directory).mkdir()
        (files / f"{name}.run").rename(files / directory / "bm25.run")
    runs = ("a/bm25.run", "b/bm25.run")
    result = irbounds("compare", "qrels.txt", *runs, "--baseline", "b/bm25", "--format", "json")
    assert result.returncode == 0, result.stderr
    document = json.loads(result.stdout)
    assert {(row["system"], row["baseline"]) for row in document["results"]} == {
        ("a/bm25", "b/bm25")
    }
    ambiguous = irbounds("compare", "qrels.txt", *runs, "--baseline", "bm25")
    assert ambiguous.returncode == 2
    assert b"'a/bm25', 'b/bm25'" in ambiguous.stderr


def test_compare_csv_and_json_have_all_fields(irbounds, scores):
    parameters = {
        "baseline": "two",
        "method": "bca",
        "confidence_level": 0.9,
        "alternative": "greater",
        "test": "wilcoxon",
        "adjustment": "benjamini-hochberg",
        "n_resamples": 300,
    }
    options = [
        text
        for name, value in parameters.items()
        for text in ("--" + name.replace("_", "-"), str(value))
    ]
    arguments = ("compare", "--scores", "AP=scores.csv", *options)
    result = irbounds(*arguments, "--format", "json")
    assert "2 of the 3 others score significantly higher than two" in result.stderr.decode()
    document = json.loads(result.stdout)
    assert document["irbounds"] == package.__version__
    assert document["found"][0].startswith("AP: ")
    by_system = {c.system: c for c in compute_comparisons(scores, **parameters)}
    rows = list(
        csv.DictReader(io.StringIO(irbounds(*arguments, "--format", "csv").stdout.decode()))
    )
    assert len(rows) == len(document["results"]) == 3
    for row in (*document["results"], *rows):
        comparison = by_system[row["system"]]
        for name in (
            *("standard_error", "effect_size", "p_value", "adjusted_p_value"),
            *("n", "n_comparisons", "n_resamples", "seed"),
        ):
            assert float(row[name]) == getattr(comparison, name)
        assert float(row["difference"]) == comparison.value
        assert float(row["low"]) == comparison.interval.low
        assert float(row["confidence_level"]) == 0.9
        assert [row[k] for k in ("measure", "baseline", "test", "adjustment", "alternative")] == [
            *("AP", "two", "wilcoxon", "benjamini-hochberg", "greater")
        ]
        assert row["method"] == "bca"


def test_compare_output_is_reproducible_with_the_same_seed(irbounds, scores):
    arguments = ("compare", "--scores", "AP=scores.csv", "--method", "bca")
    first_output = irbounds(*arguments, "--format", "csv").stdout
    assert irbounds(*arguments, "--format", "csv", "--seed", "0").stdout == first_output
    assert irbounds(*arguments, "--format", "csv", "--seed", "1").stdout != first_output


def test_compare_reads_judgments_and_runs(irbounds, files):
    result = irbounds("compare", "qrels.txt", "one.run", "two.run", "-m", "AP", "-m", "P@5")
    lines = result.stdout.decode().splitlines()
    assert lines[0].startswith("judgments qrels")
    assert lines[2].startswith("AP: ")
    assert lines[3].startswith("P@5: ")
    assert (
        "AP: mean difference from two over 6 judged queries with its 95 % Student t interval"
        in lines[5]
    )
    default = irbounds("compare", "qrels.txt", "one.run", "two.run").stdout.decode()
    assert "nDCG@10: mean difference" in default
    written = irbounds("compare", "qrels.txt", "one.run", "two.run", "-o", "t.tex")
    assert (written.returncode, written.stdout) == (0, b"")
    assert r"\begin{tabular}{lrrrrrr}" in (files / "t.tex").read_text()


def test_compare_warns_about_equal_systems(irbounds, files):
    (files / "copy.run").write_text((files / "one.run").read_text())
    result = irbounds("compare", "qrels.txt", "one.run", "copy.run", "-m", "AP")
    stdout = result.stdout.decode()
    assert "warning: one minus copy, AP: no interval, all 6 differences are 0" in stdout
    assert "AP: one is not significantly different from copy (5 % level, " in stdout
    assert stdout.splitlines()[-2].split() == [*("one", "0.0000", "-", "-", "-", "1.000", "1.000")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--scores", "scores.csv", "--baseline", "five"), "baseline must be one of 'one', 'two'"),
        (("--scores", "scores.csv", "--alternative", "less"), "'less' needs a baseline"),
        (("--scores", "scores.csv", "--method", "normal"), "got 'normal'"),
        (("--scores", "scores.csv", "--test", "z"), "got 'z'"),
        (("no-such-qrels", "no-such-run", "--confidence-level", "95"), "did you mean 0.95?"),
        (("qrels.txt", "one.run"), "a comparison needs at least two systems; got 'one'"),
        ((), "needs QRELS and RUN, or --scores"),
    ],
)
def test_compare_errors_have_status_2_and_write_no_file(
    irbounds, scores, files, arguments, message
):
    result = irbounds("compare", *arguments, "--output", "t.csv")
    assert result.returncode == 2
    assert message in " ".join(result.stderr.decode().split())
    assert b"Traceback" not in result.stderr
    assert not (files / "t.csv").exists()


@pytest.fixture
def groups(scores):
    """Write the groups of the 12 queries of ``scores``."""
    rows = [f"{k + 1},{'odd' if k % 2 else 'even'}\n" for k in range(12)]
    (scores.parent / "groups.csv").write_text(f"query_id,side\n{''.join(rows)}")
    return scores.parent / "groups.csv"


def test_compare_by_query_is_the_same_in_python_and_in_all_formats(irbounds, scores):
    arguments = ("compare", "--scores", "AP=scores.csv", "--baseline", "two", "--by-query")
    result = irbounds(*arguments)
    assert (result.returncode, result.stderr) == (0, b"")
    assert "AP: queries of four minus two, mean difference" in result.stdout.decode()
    made = package.compare(scores={"AP": scores}, baseline="two", by_query=True)
    document = json.loads(irbounds(*arguments, "--format", "json").stdout)
    assert document["results"] == made.records()
    assert len(made.by_query) == 36
    assert len(document["found"]) == 3
    rows = csv.DictReader(io.StringIO(irbounds(*arguments, "--format", "csv").stdout.decode()))
    assert [float(row["difference"]) for row in rows] == [row.value for row in made.by_query]
    for extension, text in (("md", "| query |"), ("tex", "query & four & two")):
        assert irbounds(*arguments, "-o", f"t.{extension}").returncode == 0
        assert text in (scores.parent / f"t.{extension}").read_text()


def test_compare_groups_is_the_same_in_python_and_in_all_formats(irbounds, scores, groups):
    arguments = ("compare", "--scores", "AP=scores.csv", "--baseline", "two")
    arguments = (*arguments, "--groups", "groups.csv")
    result = irbounds(*arguments)
    assert (result.returncode, result.stderr) == (0, b"")
    text = result.stdout.decode()
    assert "Holm's adjustment for 6 comparisons; (all) is adjusted for the pairs only" in text
    assert "AP: is the difference from two the same in all groups?" in text
    made = package.compare(scores={"AP": scores}, baseline="two", groups=groups)
    document = json.loads(irbounds(*arguments, "--format", "json").stdout)
    assert document["results"] == made.records()
    assert document["inputs"][-1]["name"] == "groups.csv"
    named = package.compare(
        scores={"AP": scores},
        baseline="two",
        groups={str(k + 1): "odd" if k % 2 else "even" for k in range(12)},
    )
    assert named.records() == made.records()
    for extension, word in (("md", "| system | group |"), ("tex", "system & group")):
        assert irbounds(*arguments, "-o", f"t.{extension}").returncode == 0
        assert word in (scores.parent / f"t.{extension}").read_text()


@pytest.mark.parametrize("option", [("--by-query",), ("--groups", "groups.csv")])
def test_page_has_a_section_of_queries_or_groups(irbounds, groups, option):
    arguments = ("compare", "--scores", "AP=scores.csv", "--baseline", "two", *option)
    assert irbounds(*arguments, "--report", "page.html").returncode == 0
    page = (groups.parent / "page.html").read_text()
    assert ("Differences per query" in page) == (option[0] == "--by-query")
    assert ("Differences between groups of queries" in page) == (option[0] == "--groups")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--by-query",), "--by-query needs a baseline, or two systems; got 4"),
        (("--by-query", "--baseline", "one", "--test", "wilcoxon"), "--test is not for --by-query"),
        (
            ("--by-query", "--baseline", "one", "--groups", "groups.csv"),
            "--groups is compared within groups; leave out --by-query",
        ),
        (("--groups", "none.csv"), "none.csv: no such file"),
        (("--groups", "few.csv"), "no group for 11 of 12 queries with scores, such as '2'"),
        (("--groups", "other.csv"), "no group for 12 of 12 queries .*; got groups of 'x'"),
    ],
)
def test_errors_of_queries_and_groups_are_one_line(irbounds, scores, groups, arguments, message):
    (scores.parent / "few.csv").write_text("query_id,group\n1,a\n")
    (scores.parent / "other.csv").write_text("query_id,group\nx,a\n")
    result = irbounds("compare", "--scores", "AP=scores.csv", *arguments, "-o", "t.csv")
    assert result.returncode == 2
    assert re.search(message, " ".join(result.stderr.decode().split()))
    assert len(result.stderr.splitlines()) == 1
    assert not (scores.parent / "t.csv").exists()


def test_compare_help_imports_no_large_libraries():
    import subprocess
    import sys

    result = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "irbounds", "compare", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    imported_modules = {
        line.rpartition("|")[2].strip().partition(".")[0] for line in result.stderr.splitlines()
    }
    assert "--adjustment" in result.stdout
    assert not imported_modules & {"numba", "polars", "scipy", "numpy"}


def test_groups_of_queries_without_scores_are_counted(irbounds, scores, groups):
    groups.write_text(f"{groups.read_text()}99,even\n")
    result = irbounds("compare", "--scores", "AP=scores.csv", "--groups", "groups.csv")
    assert result.stdout.decode().startswith("groups: queries without scores: 1, ignored\n")
