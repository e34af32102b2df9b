"""irbounds evaluate --layout: systems by measures in one table."""

from __future__ import annotations

import csv
import io
import json

import pytest

ARGUMENTS = ("evaluate", "qrels.txt", "one.run", "two.run", "-m", "AP", "-m", "P@5")
STUDENT_T = ("--method", "student-t")


def test_evaluate_uses_the_paper_layout_for_several_measures(irbounds, files):
    result = irbounds(*ARGUMENTS, *STUDENT_T)
    assert result.returncode == 0
    assert result.stdout.decode().count("system") == 1
    assert "*: best of its measure" in result.stdout.decode()
    assert (
        irbounds(*ARGUMENTS, *STUDENT_T, "--layout", "paper").stdout.decode()
        == result.stdout.decode()
    )
    long = irbounds(*ARGUMENTS, *STUDENT_T, "--layout", "long").stdout.decode()
    assert "AP: mean over 6 judged queries" in long
    assert "P@5: mean over 6 judged queries" in long


@pytest.mark.parametrize(
    "options",
    [
        ("--method", "student-t", "--method", "bca"),
        ("--chance", "--population", "judged"),
    ],
)
def test_paper_layout_rejects_several_methods_and_chance_levels(irbounds, files, options):
    result = irbounds(*ARGUMENTS, *options, "--layout", "paper")
    assert result.returncode == 2
    assert (
        "--layout paper needs two systems, one method and no chance levels"
        in result.stderr.decode()
    )
    assert irbounds(*ARGUMENTS, *options).stdout.decode().count("\nsystem ") == 2 * max(
        1, options.count("--method")
    )


def test_paper_layout_rejects_one_system(irbounds, files):
    arguments = ("evaluate", "qrels.txt", "one.run", "-m", "AP", "-m", "P@5", *STUDENT_T)
    assert irbounds(*arguments, "--layout", "paper").returncode == 2
    assert "AP: mean over 6 judged queries" in irbounds(*arguments).stdout.decode()


def test_paper_layout_baseline_adds_wins_ties_and_losses(irbounds, files):
    result = irbounds(*ARGUMENTS, *STUDENT_T, "--baseline", "one")
    assert result.stdout.decode().count("W/T/L") == 3  # two headings and the caption
    with_unknown_baseline = irbounds(*ARGUMENTS, *STUDENT_T, "--baseline", "three")
    assert with_unknown_baseline.returncode == 2
    assert "--baseline" in with_unknown_baseline.stderr.decode()
    assert "three" in with_unknown_baseline.stderr.decode()


def test_paper_layout_csv_has_one_row_per_measure_and_system(irbounds, files):
    rows = list(
        csv.DictReader(
            io.StringIO(irbounds(*ARGUMENTS, *STUDENT_T, "--format", "csv").stdout.decode())
        )
    )
    assert [(row["measure"], row["system"]) for row in rows] == [
        *(("AP", "one"), ("AP", "two")),
        *(("P@5", "one"), ("P@5", "two")),
    ]
    assert {row["verdict"] for row in rows} <= {
        *("reference", "not significantly different", "higher", "lower"),
    }
    long = irbounds(*ARGUMENTS, *STUDENT_T, "--layout", "long", "--format", "json").stdout.decode()
    means = {(row["measure"], row["system"]): row["mean"] for row in json.loads(long)["results"]}
    assert means == {(row["measure"], row["system"]): float(row["mean"]) for row in rows}
