"""irbounds plan-queries."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys

import pytest

import irbounds as package
from irbounds.planning.queries import plan_queries


def plan_from_runs(files, **options):
    table = package.score(files / "qrels.txt", [files / "one.run", files / "two.run"], ["AP"])
    return package.plan_queries(scores=table, **options)


def test_plan_queries_prints_summary_and_table(irbounds, files):
    result = irbounds(
        "plan-queries", "qrels.txt", "one.run", "two.run", "-m", "AP",
        "--difference", "0.1", "--half-width", "0.2",
    )  # fmt: skip
    (plan,) = plan_from_runs(files, difference=0.1, half_width=0.2)
    detectable = f"{plan.detectable_difference:.2f}"
    lines = result.stdout.decode().splitlines()
    assert lines[2:-2] == [
        f"AP: with 6 queries a true difference of {detectable} is detected with 80 % power "
        "(one and two); "
        f"detecting 0.1 takes {plan.queries_for_difference} queries; a half width of 0.2 takes "
        f"{plan.queries_for_half_width}",
        "",
        "AP: what queries can show with 80 % power at the 95 % level",
        "pair           sd  n  detectable  half width  n for 0.1  n for \N{PLUS-MINUS SIGN}0.2",
    ]
    numbers = (plan.standard_deviation, plan.detectable_difference, plan.half_width)
    deviation, detectable, half_width = (f"{number:.2f}" for number in numbers)
    query_counts = (plan.queries_for_difference, plan.queries_for_half_width)
    row = ["one", "and", "two", deviation, "6", detectable, half_width, *map(str, query_counts)]
    assert lines[-2].split() == row
    assert lines[-1] == "in one comparison planned beforehand; n: queries, sd: of the differences"
    assert (result.returncode, result.stderr) == (0, b"")


SCORES = (
    "topic,a,b,c,d\n1,0.1,0.3,0.2,0.2\n2,0.5,0.4,0.9,0.5\n3,0.3,0.35,0.2,0.6\n4,0.2,0.2,0.1,0\n"
)


def test_plan_queries_prints_typical_and_hardest_pair(irbounds, files):
    (files / "s.csv").write_text(SCORES)
    result = irbounds("plan-queries", "--scores", "AP=s.csv", "--difference", "0.02")
    lines = result.stdout.decode().splitlines()
    typical, hardest = plan_queries(
        package.read_scores(files / "s.csv", measure="AP"), difference=0.02
    )
    assert lines[0] == (
        f"AP: with 4 queries a typical pair must truly differ by "
        f"{typical.detectable_difference:.2f} to be detected with 80 % power; detecting 0.02 takes "
        f"{typical.queries_for_difference:,} queries"
    )
    assert lines[-3].startswith("typical of 6 pairs ")
    assert lines[-2].startswith(f"{hardest.pair} ")
    assert lines[-2].endswith(f" {hardest.queries_for_difference:,}")


def test_plan_queries_accepts_baseline_single_system_and_alternative(irbounds, files):
    (files / "s.csv").write_text(SCORES)
    with_baseline = irbounds(
        "plan-queries", "--scores", "AP=s.csv", "--baseline", "b"
    ).stdout.decode()
    plans = plan_queries(package.read_scores(files / "s.csv"), baseline="b")
    low, high = sorted(plan.detectable_difference for plan in plans)[::2]
    summary = (
        f"AP: with 4 queries a true difference of {low:.2f} to {high:.2f} is detected with 80 %"
    )
    assert with_baseline.startswith(f"{summary} power (depending on the system)\n")
    assert [line.partition("  ")[0] for line in with_baseline.splitlines()[-4:-1]] == [
        "a against b", "c against b", "d against b",
    ]  # fmt: skip
    (files / "one.csv").write_text("topic,a\n1,0.1\n2,0.5\n3,0.4\n")
    of_one_system = irbounds(
        "plan-queries", "--scores", "AP=one.csv", "--alternative", "less", "--power", "0.9"
    ).stdout.decode()
    assert "away from a fixed value is detected with 90 % power (a)\n" in of_one_system
    assert "with 90 % power at the 95 % level, alternative less\n" in of_one_system
    assert "sd: of the scores\n" in of_one_system
    assert "alternative less\nsystem    sd  n  detectable" in of_one_system


def test_plan_queries_csv_and_json_have_full_precision(irbounds, files):
    arguments = ("plan-queries", "qrels.txt", "one.run", "two.run", "-m", "AP")
    (plan,) = plan_from_runs(files, half_width=0.1)
    result = irbounds(*arguments, "--half-width", "0.1", "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(result.stdout.decode()))
    assert float(row["detectable_difference"]) == plan.detectable_difference
    assert float(row["standard_deviation"]) == plan.standard_deviation
    assert int(row["queries_for_half_width"]) == plan.queries_for_half_width
    assert (row["difference"], row["queries_for_difference"]) == ("", "")
    assert "a half width of 0.1 takes" in result.stderr.decode()
    document = json.loads(irbounds(*arguments, "--format", "json").stdout)
    assert document["results"][0]["half_width"] == plan.half_width
    assert [source["name"] for source in document["inputs"]] == ["qrels", "one", "two"]
    assert document["diagnosis"]["n_scored"] == 6


def test_plan_queries_output_format_follows_file_extension(irbounds, files):
    result = irbounds("plan-queries", "qrels.txt", "one.run", "two.run", "-o", "t.md")
    assert (result.returncode, result.stdout) == (0, b"")
    assert "| one and two | " in (files / "t.md").read_text()


def test_plan_queries_warns_about_pairs_with_constant_difference(irbounds, files):
    (files / "s.csv").write_text("topic,a,b,c\n1,0.1,0.1,0.5\n2,0.3,0.3,0.2\n")
    result = irbounds("plan-queries", "--scores", "AP=s.csv")
    assert (
        "warning: AP: the same difference on every query, so left out of the plan: a and b\n"
        in result.stdout.decode()
    )


@pytest.mark.parametrize(
    ("arguments", "expected_message"),
    [
        (("--difference", "0"), "difference must be a number greater than 0; got 0.0"),
        (("--power", "80"), "power must be a fraction between 0 and 1; got 80, did you mean 0.8?"),
        (("--baseline", "three"), "no system 'three' here, only 'one', 'two'"),
        (("-o", "no/t.csv"), "there is no directory no"),
    ],
)
def test_plan_queries_errors_are_one_line_with_status_2(
    irbounds, files, arguments, expected_message
):
    # options are checked before any file is read: the run does not exist
    runs = ("one.run", "two.run") if arguments[0] == "--baseline" else ("none.run",)
    result = irbounds("plan-queries", "qrels.txt", *runs, *arguments)
    assert (result.returncode, result.stdout) == (2, b"")
    message = result.stderr.decode()
    assert message.startswith("irbounds: error: ")
    assert expected_message in message
    assert message.count("\n") == 1


def test_plan_queries_for_several_systems_needs_no_scores(irbounds, files):
    arguments = ("--n-systems", "10", "--difference", "0.1", "--variance", "0.0442")
    result = irbounds("plan-queries", *arguments)
    lines = result.stdout.decode().splitlines()
    assert lines[0] == (
        "detecting a difference of 0.1 between the best and the worst of 10 systems with 80 % "
        "power takes 140 queries"
    )
    assert lines[4].split() == ["one-way", "0.0442", "140"]
    assert (result.returncode, result.stderr) == (0, b"")
    assert irbounds("plan-queries", *arguments, "--figure", "f.svg").returncode == 0
    assert (files / "f.svg").exists()
    one_way, two_way = package.plan_queries(n_systems=10, difference=0.1, variance=0.0442)
    assert (one_way.queries_for_difference, two_way.queries_for_difference) == (140, 140)


def test_plan_queries_for_several_systems_takes_variances_of_scores(irbounds, files):
    (files / "s.csv").write_text(SCORES)
    result = irbounds("plan-queries", "--scores", "AP=s.csv", "--n-systems", "6", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout.decode())))
    plans = package.plan_queries(scores=files / "s.csv", measures="AP", n_systems=6)
    assert [row["anova"] for row in rows] == ["one-way", "two-way"]
    assert [float(row["variance"]) for row in rows] == [plan.variance for plan in plans]
    assert [row["n"] for row in rows] == ["4", "4"]
    assert {row["queries_for_difference"] for row in rows} == {""}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--n-systems", "4"),
            "needs QRELS and RUN, or --scores; or --n-systems, --difference and",
        ),
        (("--variance", "0.1"), "--variance needs --n-systems and --difference"),
        (
            ("--variance", "0.1", "--n-systems", "4"),
            "--variance needs --n-systems and --difference",
        ),
        (
            ("--variance", "0.1", "--n-systems", "4", "--difference", "1", "--scores", "AP=s.csv"),
            "--variance takes the place of scores; give one or the other",
        ),
        (
            ("--scores", "AP=s.csv", "--n-systems", "4", "--half-width", "0.1"),
            "--half-width is for pairs of systems; leave out --n-systems",
        ),
        (
            ("--scores", "AP=s.csv", "--n-systems", "4", "--alternative", "less"),
            "--alternative is for pairs of systems; leave out --n-systems",
        ),
        (
            ("--scores", "AP=s.csv", "--n-systems", "1"),
            "--n-systems must be an integer of at least 2; got 1",
        ),
        (
            ("--variance", "-1", "--n-systems", "4", "--difference", "1"),
            "--variance must be a number greater than 0; got -1.0",
        ),
    ],
)
def test_plan_queries_for_several_systems_errors_are_one_line(irbounds, files, arguments, message):
    result = irbounds("plan-queries", *arguments)
    assert (result.returncode, result.stdout) == (2, b"")
    text = result.stderr.decode()
    assert message in text
    assert text.count("\n") == 1


def test_plan_queries_help_imports_no_large_libraries():
    script = "import sys; sys.argv[1:] = ['plan-queries', '--help']\n"
    script += "from irbounds.cli import main\n"
    script += "try: main()\n"
    script += "finally: print(sorted({'scipy', 'numba', 'polars'} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert b"--half-width W" in result.stdout
    assert result.stdout.endswith(b"[]\n")
