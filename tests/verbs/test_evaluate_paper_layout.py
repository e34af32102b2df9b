"""irbounds evaluate --layout: systems by measures in one table."""

from __future__ import annotations

import csv
import io
import json

import pytest

WORDS = ("evaluate", "qrels.txt", "one.run", "two.run", "-m", "AP", "-m", "P@5")
T = ("--method", "student-t")


def test_several_measures_are_one_table_by_default(irbounds, files):
    done = irbounds(*WORDS, *T)
    assert done.returncode == 0
    assert done.stdout.decode().count("system") == 1
    assert "*: best of its measure" in done.stdout.decode()
    assert irbounds(*WORDS, *T, "--layout", "paper").stdout.decode() == done.stdout.decode()
    long = irbounds(*WORDS, *T, "--layout", "long").stdout.decode()
    assert "AP: mean over 6 judged queries" in long
    assert "P@5: mean over 6 judged queries" in long


@pytest.mark.parametrize(
    "words",
    [
        ("--method", "student-t", "--method", "bca"),
        ("--chance", "--population", "judged"),
    ],
)
def test_several_methods_or_chance_levels_have_no_room_in_it(irbounds, files, words):
    done = irbounds(*WORDS, *words, "--layout", "paper")
    assert done.returncode == 2
    assert (
        "--layout paper needs two systems, one method and no chance levels" in done.stderr.decode()
    )
    assert irbounds(*WORDS, *words).stdout.decode().count("\nsystem ") == 2 * max(
        1, words.count("--method")
    )


def test_one_system_is_refused_and_shown_as_before_by_default(irbounds, files):
    one = ("evaluate", "qrels.txt", "one.run", "-m", "AP", "-m", "P@5", *T)
    assert irbounds(*one, "--layout", "paper").returncode == 2
    assert "AP: mean over 6 judged queries" in irbounds(*one).stdout.decode()


def test_a_baseline_adds_wins_ties_and_losses(irbounds, files):
    done = irbounds(*WORDS, *T, "--baseline", "one")
    assert done.stdout.decode().count("W/T/L") == 3  # two headings and the caption
    refused = irbounds(*WORDS, *T, "--baseline", "three")
    assert refused.returncode == 2
    assert "--baseline" in refused.stderr.decode()
    assert "three" in refused.stderr.decode()


def test_files_have_one_row_per_measure_and_system(irbounds, files):
    rows = list(
        csv.DictReader(io.StringIO(irbounds(*WORDS, *T, "--format", "csv").stdout.decode()))
    )
    assert [(row["measure"], row["system"]) for row in rows] == [
        *(("AP", "one"), ("AP", "two")),
        *(("P@5", "one"), ("P@5", "two")),
    ]
    assert {row["verdict"] for row in rows} <= {
        *("reference", "not significantly different", "higher", "lower"),
    }
    long = irbounds(*WORDS, *T, "--layout", "long", "--format", "json").stdout.decode()
    means = {(row["measure"], row["system"]): row["mean"] for row in json.loads(long)["results"]}
    assert means == {(row["measure"], row["system"]): float(row["mean"]) for row in rows}
