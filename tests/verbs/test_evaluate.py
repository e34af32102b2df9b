"""irbounds evaluate."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
from collections import defaultdict

import numpy as np
import pytest
from scipy import stats

import irbounds as package
import naive


def compute_scores(directory, name):
    """Return the AP of each query by the naive implementation."""
    qrels, run = (defaultdict(dict), defaultdict(dict))
    for line in (directory / "qrels.txt").read_text().splitlines():
        query, _, doc, relevance = line.split()
        qrels[query][doc] = int(relevance)
    for line in (directory / f"{name}.run").read_text().splitlines():
        query, _, doc, _, score, _ = line.split()
        run[query][doc] = float(score)
    return [naive.average_precision(qrels[query], run[query]) for query in qrels]


def count_needed(directory):
    """Return the number of queries for a half width of 0.05, by the systems' median variance."""
    variances = [np.var(compute_scores(directory, name), ddof=1) for name in ("one", "two")]
    needed = np.median(variances) * (stats.norm.ppf(0.975) / 0.05) ** 2
    return int(float(f"{needed:.1e}"))


def format_expected_row(directory, name):
    """Return the row of mean AP and t interval, by the naive implementation and scipy."""
    scores = compute_scores(directory, name)
    low, high = stats.ttest_1samp(scores, 0).confidence_interval(0.95)
    return f"{name}     {np.mean(scores):.2f}  {low:.2f}  {high:.2f}"


def test_evaluate_prints_diagnosis_and_plain_columns_to_a_pipe(irbounds, files):
    t = ("--method", "student-t")
    result = irbounds("evaluate", "qrels.txt", "one.run", "two.run", "-m", "AP", *t)
    digest = hashlib.sha256((files / "qrels.txt").read_bytes()).hexdigest()
    assert result.stdout.decode().splitlines() == [
        f"judgments qrels (sha256 {digest[:12]}): queries 6, judgments 48, relevant 16",
        "runs 2: entries 96, at most 8 per query; judged of the first 10: 100.0 %; tied: 0.0 %",
        "warning: AP: with 6 queries intervals of this method miss more often than their level "
        f"says; ±0.05 takes about {count_needed(files)} queries",
        "",
        "AP: mean over 6 judged queries with its 95 % Student t interval",
        "system  mean   low  high",
        *sorted(
            (format_expected_row(files, name) for name in ("one", "two")),
            key=read_mean,
            reverse=True,
        ),
        "",
        "Overlapping intervals do not show that systems are equal: `irbounds compare` tests the "
        "differences on the same queries. 6 queries are too few to trust small differences.",
    ]
    assert (result.returncode, result.stderr) == (0, b"")


def read_mean(row):
    return float(row.split()[1])


def test_evaluate_csv_and_json_lines_have_full_precision(irbounds, files):
    arguments = ("evaluate", "qrels.txt", "one.run", "two.run", "-m", "AP", "-m", "P@5")
    table = package.score(
        files / "qrels.txt", [files / "one.run", files / "two.run"], ["AP", "P@5"]
    )
    expected = {(e.measure, e.system): e for e in package.mean_interval(table, rng=0)}
    result = irbounds(*arguments, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout.decode())))
    lines = irbounds(*arguments, "--format", "jsonl").stdout.decode().splitlines()
    assert len(rows) == len(lines) == 4
    for row in (*rows, *map(json.loads, lines)):
        estimate = expected[row["measure"], row["system"]]
        assert float(row["mean"]) == estimate.value
        assert float(row["low"]) == estimate.interval.low
        assert float(row["high"]) == estimate.interval.high
        assert row["method"] == "moderated-wilson"
    assert "judgments qrels" in result.stderr.decode()  # the diagnosis is separate from the data


TWO_MEASURES = ("evaluate", "qrels.txt", "one.run", "two.run", "-m", "AP", "-m", "P@5")


def test_evaluate_of_two_measures_has_the_numbers_of_each(irbounds, files):
    both = json.loads(irbounds(*TWO_MEASURES, "--format", "json").stdout)["results"]
    one = json.loads(irbounds(*TWO_MEASURES[:-2], "--format", "json").stdout)["results"]
    assert [{name: row[name] for name in one[0]} for row in both[:2]] == one
    verdicts = [row["verdict"] for row in both]
    assert sorted(verdicts) == ["not significantly different"] * 2 + ["reference"] * 2
    assert irbounds(*TWO_MEASURES).stdout.decode().count("\nsystem ") == 1


def test_evaluate_baseline_sets_the_reference_of_the_paper_layout(irbounds, files):
    result = irbounds(*TWO_MEASURES, "--baseline", "two", "--format", "json")
    rows = json.loads(result.stdout)["results"]
    assert [row["compared_with"] for row in rows if row["system"] == "one"] == ["two", "two"]
    assert [row["verdict"] for row in rows if row["system"] == "two"] == ["reference"] * 2
    compared = irbounds("compare", *TWO_MEASURES[1:], "--baseline", "two", "--format", "json")
    assert [row["adjusted_p_value"] for row in rows if row["system"] == "one"] == [
        row["adjusted_p_value"] for row in json.loads(compared.stdout)["results"]
    ]


def test_evaluate_json_has_the_diagnosis(irbounds, files):
    result = irbounds("evaluate", "qrels.txt", "one.run", "--format", "json")
    document = json.loads(result.stdout)
    assert document["irbounds"] == package.__version__
    assert document["diagnosis"]["runs"][0]["fingerprint"].startswith("sha256:")
    assert [r["measure"] for r in document["results"]] == ["AP", "nDCG@10"]


def test_evaluate_draws_by_its_seed(irbounds, files):
    arguments = ("evaluate", "qrels.txt", "one.run", "two.run", "-m", "AP", "--format", "csv")
    several = irbounds(*arguments, "--method", "bca", "--method", "student-t").stdout.decode()
    assert [row["method"] for row in csv.DictReader(io.StringIO(several))] == [
        *("bca", "bca", "student-t", "student-t"),
    ]
    default = irbounds(*arguments).stdout
    assert default == irbounds(*arguments, "--seed", "1").stdout  # nothing is drawn
    bootstrap = (*arguments, "--method", "studentised-logit")
    drawn = irbounds(*bootstrap).stdout
    assert drawn == irbounds(*bootstrap, "--seed", "0").stdout
    assert drawn != irbounds(*bootstrap, "--seed", "1").stdout


def test_bounds_that_are_not_known_are_given_or_warned_about(irbounds, files):
    table = "query_id,one\n" + "".join(f"q{k},{k / 10}\n" for k in range(6))
    (files / "wide.csv").write_text(table)
    given = irbounds("evaluate", "--scores", "wide.csv", "--bounds", "0,1", "--format", "json")
    assert json.loads(given.stdout)["results"][0]["method"] == "moderated-wilson"
    result = irbounds("evaluate", "--scores", "wide.csv", "--format", "json")
    document = json.loads(result.stdout)
    assert document["results"][0]["method"] == "student-t"
    assert any("bounds of score are not known" in warning for warning in document["warnings"])


def test_evaluate_one_sided_interval_has_one_limit(irbounds, files):
    evaluate = ("evaluate", "qrels.txt", "one.run", "-m", "AP", "--method", "student-t")
    result = irbounds(*evaluate, "--alternative", "less", "--confidence-level", "0.9")
    lines = result.stdout.decode().splitlines()
    assert lines[4].endswith("with its 90 % Student t upper limit")
    assert lines[5].split() == ["system", "mean", "high"]
    document = json.loads(irbounds(*evaluate, "--alternative", "less", "--format", "json").stdout)
    (row,) = document["results"]
    assert (row["low"], row["alternative"], row["seed"]) == (None, "less", None)


def write_trec_eval_output(directory):
    """Write what trec_eval prints for 61 measures, of which one is text and 20 have no bounds."""
    names = ["map", *(f"P_{k}" for k in range(2, 41)), *(f"own_{k}" for k in range(20))]
    lines = [f"{name} {query} 0.{query}\n" for query in range(1, 9) for name in names]
    lines += [f"relstring_10 {query} '10'\n" for query in range(1, 9)]
    (directory / "out.txt").write_text("".join([*lines, "runid all x\n"]))


def test_evaluate_has_one_line_about_the_names_and_bounds_of_all_measures(irbounds, files):
    write_trec_eval_output(files)
    result = irbounds("evaluate", "--scores", "out.txt", "--format", "json")
    warnings = json.loads(result.stdout)["warnings"]
    assert "out.txt: measures whose values are not numbers; ignored: 'relstring_10'" in warnings
    (warning,) = [line for line in warnings if "own_0" in line and "own_19" in line]
    assert warning.startswith("the bounds of own_0, ")
    assert len(warnings) <= 4  # not one for each of 60 measures
    (note,) = [line for line in result.stderr.splitlines() if line.startswith(b"irbounds: ")]
    assert b"'map' is read as AP, 'P_2' is" in note
    assert note.endswith(b"(40 in all)")


def test_evaluate_measure_before_a_scores_file_selects_the_measure(irbounds, files):
    irbounds(
        *("evaluate", "qrels.txt", "one.run", "two.run", "-m", "AP", "-m", "P@5"),
        *("--per-query", "-o", "long.csv"),
    )
    text = irbounds("evaluate", "--scores", "P@5=long.csv").stdout.decode()
    assert "P@5: mean over" in text
    assert "AP: mean over" not in text
    result = irbounds("evaluate", "--scores", "RR=long.csv")
    assert result.returncode == 2
    assert result.stderr == b"irbounds: error: long.csv: no measure 'RR' here, only 'AP', 'P@5'\n"


def test_evaluate_per_query_writes_scores(irbounds, files):
    result = irbounds(
        "evaluate", "qrels.txt", "one.run", "-m", "P@1", "--per-query", "--format", "csv"
    )
    rows = list(csv.DictReader(io.StringIO(result.stdout.decode())))
    assert list(rows[0]) == ["query_id", "system", "measure", "value"]
    assert {row["query_id"]: float(row["value"]) for row in rows} == {
        "q0": 1.0, "q1": 0.0, "q2": 0.0, "q3": 1.0, "q4": 0.0, "q5": 0.0
    }  # fmt: skip
    table = irbounds("evaluate", "qrels.txt", "one.run", "-m", "P@1", "--per-query")
    assert "q3     1.0000" in table.stdout.decode()


def test_evaluate_reads_the_scores_it_wrote(irbounds, files):
    from_runs = irbounds("evaluate", "qrels.txt", "one.run", "two.run", "-m", "AP").stdout.decode()
    irbounds(
        "evaluate", "qrels.txt", "one.run", "two.run", "-m", "AP", "--per-query", "-o", "s.csv"
    )
    from_scores = irbounds("evaluate", "--scores", "s.csv").stdout.decode()
    n_diagnosis = 2
    assert from_scores.splitlines() == [
        line.replace("judged queries", "queries") for line in from_runs.splitlines()[n_diagnosis:]
    ]


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("t.csv", "measure,"),
        ("t.json", "{"),
        ("t.md", "**AP"),
        ("t.tex", "% needs "),
        ("t", "judgments"),
    ],
)
def test_evaluate_output_format_follows_file_extension(irbounds, files, name, start):
    result = irbounds("evaluate", "qrels.txt", "one.run", "-m", "AP", "--output", name)
    assert result.returncode == 0
    assert result.stdout == b""
    assert (files / name).read_text().startswith(start)


def test_evaluate_writes_output_atomically(irbounds, files):
    (files / "t.csv").write_text("what was there before")
    (files / "bad.run").write_text("q1 Q0 d1 1 x t\n")
    before = sorted(path.name for path in files.iterdir())
    result = irbounds("evaluate", "qrels.txt", "one.run", "bad.run", "-o", "t.csv")
    assert result.returncode == 2
    assert (files / "t.csv").read_text() == "what was there before"
    assert sorted(path.name for path in files.iterdir()) == before
    missing = irbounds("evaluate", "qrels.txt", "one.run", "-o", "no/such/directory/t.csv")
    assert missing.returncode == 2
    assert missing.stderr.count(b"\n") == 1
    assert b"there is no directory no/such/directory" in missing.stderr


def test_evaluate_reads_a_compressed_run_from_standard_input(irbounds, files):
    compressed_run = gzip.compress((files / "one.run").read_bytes())
    t = ("--method", "student-t")
    result = irbounds("evaluate", "qrels.txt", "-", "-m", "AP", *t, stdin=compressed_run)
    assert format_expected_row(files, "one").replace("one", "run") in result.stdout.decode()
    both = irbounds("evaluate", "-", "-", stdin=compressed_run)
    assert b"standard input (-) can be read only once" in both.stderr


@pytest.mark.parametrize(
    ("arguments", "expected_message"),
    [
        (("qrels.txt", "none.run"), "none.run: no such file or directory"),
        ((), "needs QRELS and RUN, or --scores"),
        (("qrels.txt",), "(judgments need runs)"),
        (
            ("qrels.txt", "one.run", "-m", "ndgc@10"),
            "unknown measure 'ndgc@10', did you mean nDCG@10?",
        ),
        (("qrels.txt", "one.run", "--confidence-level", "95"), "got 95, did you mean 0.95?"),
        (("qrels.txt", "one.run", "one.run"), "two runs are called 'one'"),
        (
            ("qrels.txt", "one.run", "--queries", "some"),
            "--queries must be one of 'all', 'common'; got 'some'",
        ),
        (
            ("qrels.txt", "one.run", "--depth", "0"),
            "depth must be an integer of at least 1; got 0",
        ),
        (("qrels.txt", "one.run", "--no-such-option"), "no option"),
        (("--scores", "s.csv", "qrels.txt"), "--scores takes the place of QRELS and RUN"),
        (("--scores", "s.csv", "--depth", "3"), "--depth is for runs"),
        (("--scores", "-", "--scores", "-"), "standard input (-) can be read only once"),
        (("qrels.txt", "one.run", "-o", "-"), "standard output is the default"),
        (("qrels.txt", "one.run", "-o", "."), "--output .: this is a directory; give a file"),
        (("qrels.txt", "one.run", "-o", "t.parquet"), "needs --format or an extension of .txt"),
        (("one.run", "qrels.txt"), "are judgments and run swapped?"),
        (("qrels.txt", "one.run", "-m", "NERR8(max_rel=1)"), "needs a cutoff, such as @10"),
    ],
)
def test_evaluate_errors_are_one_line_with_status_2(irbounds, files, arguments, expected_message):
    result = irbounds("evaluate", *arguments)
    assert result.returncode == 2
    assert result.stdout == b""
    message = result.stderr.decode()
    assert message.startswith("irbounds: error: ")
    assert expected_message in message
    assert message.count("\n") == 1


def test_evaluate_prints_warnings_about_degenerate_samples_above_the_table(irbounds, files):
    (files / "zero.run").write_text("q1 Q0 none 1 1 t\n")
    result = irbounds("evaluate", "qrels.txt", "zero.run", "-m", "AP")
    lines = result.stdout.decode().splitlines()
    assert lines[2] == "warning: found nothing relevant in any query: zero"
    assert lines[3].startswith("warning: judged queries missing; each scores 0 there")
    assert lines[3].endswith(": zero (5)")
    assert "fewer than 100 documents" in lines[4]
    assert lines[5].startswith("warning: zero, AP: all 6 scores are 0: the limit holds for scores")
    assert ["zero", "0.00", "0.00", "0.46"] in map(str.split, lines)
    assert result.returncode == 0
    result = irbounds("evaluate", "qrels.txt", "zero.run", "-m", "AP", "--method", "student-t")
    lines = result.stdout.decode().splitlines()
    assert lines[5] == "warning: zero, AP: no interval, all 6 scores are 0"
    assert ["zero", "0.0000", "-", "-"] in map(str.split, lines)
    assert result.returncode == 0


def test_evaluate_reads_named_selected_and_piped_score_tables(irbounds, files):
    (files / "ap.csv").write_text("topic,a\n1,0.5\n2,0.25\n")
    (files / "p.csv").write_text("topic,a\n1,0.1\n2,0.3\n")
    both = ("evaluate", "--scores", "AP=ap.csv", "--scores", "P@10=p.csv")
    assert irbounds(*both).stdout.decode().count("95 % moderated Wilson interval") == 2
    selected = irbounds(*both, "-m", "P@10").stdout.decode()
    assert "\nP@10: mean over 2 queries" in selected
    assert "AP" not in selected
    with_unknown_measure = irbounds(*both, "-m", "RR")
    assert b"no measure 'RR' here, only 'AP', 'P@10'" in with_unknown_measure.stderr
    piped = irbounds("evaluate", "--scores", "-", "-m", "AP", stdin=(files / "ap.csv").read_bytes())
    assert "\nAP: mean over 2 queries" in piped.stdout.decode()
