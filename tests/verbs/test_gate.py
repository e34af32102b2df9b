"""irbounds gate: verdicts, exit statuses, formats, margins, and what is refused."""

from __future__ import annotations

import json
import re
from random import Random

import numpy as np
import pytest

import irbounds as package
from irbounds.errors import DataError, ParameterError
from irbounds.results.gate import gate_lines

QUERIES = [f"q{k}" for k in range(30)]
JUDGMENTS = {q: {f"d{j}": (j * 7 + k) % 4 // 2 for j in range(20)} for k, q in enumerate(QUERIES)}


def make_run(noise, seed=1, first=0):
    rng = Random(seed)
    return {
        q: {d: grade + rng.gauss(0, noise) for d, grade in JUDGMENTS[q].items()}
        for q in QUERIES[first:]
    }


def run_text(run):
    return "".join(
        f"{q} Q0 {d} 1 {score:.9f} tag\n" for q, docs in run.items() for d, score in docs.items()
    )


OLD = make_run(1.0)
NEW = {"good": make_run(0.7, 2), "bad": make_run(4.0, 3), "near": make_run(1.0, 7)}


@pytest.fixture
def runs(tmp_path):
    lines = [f"{q} 0 {d} {r}\n" for q, docs in JUDGMENTS.items() for d, r in docs.items()]
    (tmp_path / "qrels.txt").write_text("".join(lines))
    for name, run in {"old": OLD, **NEW}.items():
        (tmp_path / f"{name}.run").write_text(run_text(run))
    return tmp_path


def gate_arguments(new, *options):
    return (
        "gate",
        "qrels.txt",
        "old.run",
        f"{new}.run",
        "-m",
        "nDCG@10",
        "--margin",
        "0.05",
        *options,
    )


@pytest.mark.parametrize(
    ("new", "options", "status", "verdict"),
    [
        ("good", (), 0, "PASS"),
        ("bad", (), 1, "FAIL"),
        ("near", (), 3, "UNDECIDED"),
        ("near", ("--undecided", "pass"), 0, "UNDECIDED"),
        ("near", ("--undecided", "fail"), 1, "UNDECIDED"),
        ("bad", ("--undecided", "pass"), 1, "FAIL"),
    ],
)
def test_status_and_three_lines(irbounds, runs, new, options, status, verdict):
    result = irbounds(*gate_arguments(new, *options))
    lines = result.stdout.decode().splitlines()
    assert (result.returncode, result.stderr, len(lines)) == (status, b"", 3)
    assert lines[0].startswith(f"{verdict}: {new} ")
    gate = package.gate(JUDGMENTS, OLD, NEW[new], measures="nDCG@10", margin=0.05)
    (check,) = gate.checks
    assert f"{check.value:+.3f}" in lines[1]
    assert f"({check.low:+.3f} to {check.high:+.3f}), margin 0.05" in lines[1]
    assert (new == "near") == ("queries would decide" in lines[2])


def test_verdicts_are_those_of_compare(runs):
    """The limits are those of an interval of 90 %, which compare computes in another way."""
    for run in NEW.values():
        gate = package.gate(JUDGMENTS, OLD, run, measures="AP", margin=0.03)
        (comparison,) = package.compare(
            JUDGMENTS, {"old": OLD, "new": run}, measures="AP", baseline="old", confidence_level=0.9
        )
        (check,) = gate.checks
        assert check.value == pytest.approx(comparison.value, abs=1e-14)
        assert tuple(check.interval) == pytest.approx(tuple(comparison.interval), abs=1e-12)


def test_requiring_a_better_system(irbounds, runs):
    arguments = ("gate", "qrels.txt", "old.run", "good.run", "-m", "AP", "--require", "better")
    result = irbounds(*arguments)
    assert result.returncode == 0
    assert result.stdout.startswith(b"PASS: good is better than old in AP (30 queries)\n")
    assert b"margin" not in result.stdout
    assert irbounds(*(word.replace("good", "near") for word in arguments)).returncode == 3
    assert irbounds(*(word.replace("good", "bad") for word in arguments)).returncode == 1
    both = irbounds(*arguments, "--margin", "0.1")
    assert both.returncode == 2
    assert b"--margin is for --require not-worse" in both.stderr


def test_margins_by_measure_are_also_the_measures(irbounds, runs):
    result = irbounds(
        *("gate", "qrels.txt", "old.run", "near.run", "--format", "json"),
        *("--margin", "ndcg_cut_10=0.9,AP=2%,RBP(rel=1,p=0.5)=0.25"),
    )
    results = json.loads(result.stdout)["results"]
    assert [row["measure"] for row in results] == ["nDCG@10", "AP", "RBP(rel=1,p=0.5)"]
    assert [row["relative_margin"] for row in results] == [None, 0.02, None]
    assert results[1]["margin"] == pytest.approx(0.02 * results[1]["old_mean"])
    assert results[2]["margin"] == 0.25


def test_margins_in_python():
    margins = {"AP": 0.2, "P@5": "20%"}
    gate = package.gate(JUDGMENTS, OLD, NEW["good"], margin=margins)
    assert [check.measure for check in gate.checks] == ["AP", "P@5"]
    same = package.gate(JUDGMENTS, OLD, NEW["good"], margin="AP=0.2,P@5=20%")
    assert gate.records() == same.records()
    one = package.gate(JUDGMENTS, OLD, NEW["good"], margin="20%", measures="AP,P@5")
    assert one.checks[1].relative_margin == 0.2


@pytest.mark.parametrize(
    ("margin", "message"),
    [
        ("x", "margin must be a number greater than 0"),
        ("-0.1", "margin must be a number greater than 0"),
        ("nan", "margin must be a number greater than 0"),
        ("inf", "margin must be a number greater than 0"),
        ("0", "use require='better'"),
        ("100%", "below 100 %"),
        ("2", "2% is a percentage of the old mean"),
        ("AP=0.1,AP=0.2", "two values for AP"),
        ("0,01", "two values for all measures, which are separated by commas; got '0,01'"),
        ("=0.01", "no measure before '='"),
        ("P@10=0.1", "'P@10', which is not among the measures 'AP'"),
        ("", "margin must be a number"),
        (True, "margin must be a number"),
        ({}, "margin must be a number"),
        ({"AP": None}, "margin must be a number"),
        ([0.1], "margin must be a number"),
        (None, "needs margin"),
    ],
)
def test_wrong_margins(margin, message):
    with pytest.raises(ParameterError, match=message):
        package.gate(JUDGMENTS, OLD, NEW["good"], measures="AP", margin=margin)


def test_a_measure_without_a_margin():
    with pytest.raises(ParameterError, match="margin of 'P@5' is missing"):
        package.gate(JUDGMENTS, OLD, NEW["good"], measures="AP,P@5", margin="AP=0.1")


# ---- a system that may not have run ----


def same_order(run):
    return {q: {d: 3 * score + 1 for d, score in docs.items()} for q, docs in run.items()}


NEVER_RAN = {
    "empty file": ("", "empty"),
    "byte-identical": (run_text(OLD), "byte-identical"),
    "same ranking": (run_text(same_order(OLD)), "same ranking on every query"),
    "other documents": (
        "".join(f"{q} Q0 x{j} 1 {9 - j} t\n" for q in QUERIES for j in range(5)),
        "scores 0 on every query by nDCG@10",
    ),
    "other queries": (run_text({f"z{q}": docs for q, docs in OLD.items()}), "no query in common"),
    "few queries": (run_text(make_run(0.7, 5, first=20)), "10 of them in common"),
    "half of the queries": (run_text(make_run(0.7, 5, first=15)), "15 of them in common"),
    "one score": (re.sub(r"\S+ tag", "0.5 tag", run_text(OLD)), "have one score"),
    "identical where judged": (run_text(OLD) + "other Q0 d1 1 9 tag\n", "same ranking"),
    "not a number": (run_text(NEW["good"]).replace(" 1 0.", " 1 nan", 1), "nan"),
}


@pytest.mark.parametrize("name", NEVER_RAN)
@pytest.mark.parametrize("arm", ["old", "new"])
def test_a_system_that_may_not_have_run_is_refused(irbounds, runs, name, arm):
    text, message = NEVER_RAN[name]
    (runs / "never.run").write_text(text)
    files = ("never.run", "old.run") if arm == "old" else ("old.run", "never.run")
    result = irbounds(
        *("gate", "qrels.txt", *files, "-m", "nDCG@10", "--margin", "0.9"),
        *("--undecided", "pass", "-o", "gate.json"),
    )
    assert (result.returncode, result.stdout) == (2, b"")
    (line,) = result.stderr.decode().splitlines()
    assert line.startswith("irbounds: error: ")
    assert message in line
    assert not (runs / "gate.json").exists()


def test_few_queries_are_refused_with_common_queries_too(irbounds, runs):
    (runs / "part.run").write_text(run_text(make_run(0.7, 5, first=20)))
    result = irbounds(*gate_arguments("part", "--queries", "common"))
    assert result.returncode == 2
    assert b"'old' has 30 and 'part' has 10 of the judged queries, 10 of them" in result.stderr


def test_some_missing_queries_score_0_with_a_warning(irbounds, runs):
    (runs / "part.run").write_text(run_text(make_run(0.7, 5, first=6)))
    result = irbounds(*gate_arguments("part"))
    assert b"warning: judged queries missing" in result.stdout
    assert result.returncode in (1, 3)


def test_judgments_of_other_queries_do_not_dilute_the_difference():
    more = {**JUDGMENTS, **{f"more{k}": {"d1": 1} for k in range(40)}}
    with pytest.raises(DataError, match="30 of the 70 judged queries are in both runs"):
        package.gate(more, OLD, NEW["good"], measures="AP", margin=0.05)
    gate = package.gate(more, OLD, NEW["good"], measures="AP", margin=0.05, queries="common")
    assert gate.checks[0].n == 30


def test_runs_of_other_halves_of_the_queries_are_refused():
    first = {q: OLD[q] for q in QUERIES[:18]}
    second = {q: NEW["good"][q] for q in QUERIES[12:]}
    for queries in ("all", "common"):
        with pytest.raises(DataError, match=r"'old' has 18 and 'new' has 18 .*, 6 of them"):
            package.gate(JUDGMENTS, first, second, measures="AP", margin=0.5, queries=queries)


def test_identical_rankings_of_the_tested_queries_are_refused():
    part = {q: OLD[q] for q in QUERIES[1:]}
    with pytest.raises(DataError, match="same ranking"):
        package.gate(JUDGMENTS, OLD, part, measures="AP", margin=0.5, queries="common")


def test_judgments_without_relevant_documents_are_refused():
    few = {
        q: docs if k < 14 else dict.fromkeys(docs, 0)
        for k, (q, docs) in enumerate(JUDGMENTS.items())
    }
    with pytest.raises(DataError, match="16 of 30 queries have no relevant document"):
        package.gate(few, OLD, NEW["good"], measures="AP", margin=0.5)
    none = {q: dict.fromkeys(docs, 0) for q, docs in JUDGMENTS.items()}
    with pytest.raises(DataError, match="30 of 30 queries have no relevant document"):
        package.gate(none, OLD, NEW["good"], measures="AP", margin=0.5)


def test_equal_document_scores_are_allowed_where_their_order_does_not_matter():
    equal = {q: dict.fromkeys(list(docs)[:9], 1.0) for q, docs in OLD.items()}
    with pytest.raises(DataError, match="30 of 30 queries have one score"):
        package.gate(JUDGMENTS, OLD, equal, measures="AP", margin=0.9)
    lists = {q: dict(list(docs.items())[: 5 + k % 7]) for k, (q, docs) in enumerate(OLD.items())}
    assert package.gate(JUDGMENTS, lists, equal, measures="SetP", margin=0.9).verdict == "pass"
    assert package.gate(JUDGMENTS, OLD, equal, measures="AP", margin=0.9, ties="expected").checks


def test_empty_names_of_files_are_refused(irbounds, runs):
    """The current directory has runs, and an empty name must not stand for it."""
    for place, word in enumerate(("QRELS", "OLD", "NEW")):
        names = ["qrels.txt", "old.run", "good.run"]
        names[place] = ""
        result = irbounds("gate", *names, "--margin", "0.1")
        assert result.returncode == 2
        assert f"{word} needs the name of a file; got ''" in result.stderr.decode()


def test_an_empty_name_after_a_measure_is_refused(irbounds, tmp_path):
    result = irbounds("gate", "a", "b", "--scores", "AP=", "--margin", "0.1")
    assert result.returncode == 2
    assert b"--scores needs the name of a file after '='; got 'AP='" in result.stderr


def test_a_percentage_with_other_rankings_of_the_same_scores():
    """Documents that are not relevant change places, so that no score changes."""
    other = {q: dict(docs) for q, docs in OLD.items()}
    for q, docs in other.items():
        first, second = [d for d in docs if not JUDGMENTS[q][d]][:2]
        docs[first], docs[second] = docs[second], docs[first]
    gate = package.gate(JUDGMENTS, OLD, other, measures="AP", margin="2%")
    assert (gate.verdict, gate.checks[0].n_changed) == ("undecided", 0)
    assert gate.checks[0].queries_needed > 30


def test_warnings_are_in_the_result(runs):
    part = make_run(0.7, 5, first=6)
    gate = package.gate(JUDGMENTS, OLD, part, measures="AP", margin=0.05)
    assert any("judged queries missing" in warning for warning in gate.warnings)


def test_identical_rankings_pass_only_on_request(irbounds, runs):
    (runs / "copy.run").write_text(run_text(OLD))
    (runs / "same.run").write_text(run_text(same_order(OLD)))
    for name in ("copy", "same", "old"):
        assert irbounds(*gate_arguments(name)).returncode == 2
        result = irbounds(*gate_arguments(name, "--identical", "pass", "--quiet"))
        assert result.returncode == 0
        assert b"rank alike on all queries" in result.stdout
        better = irbounds(
            *("gate", "qrels.txt", "old.run", f"{name}.run", "--require", "better"),
            *("--identical", "pass"),
        )
        assert better.returncode == 2
    (row,) = json.loads(
        irbounds(*gate_arguments("copy", "--identical", "pass", "--format", "json")).stdout
    )["results"]
    assert (row["verdict"], row["queries_needed"]) == ("pass", None)
    (runs / "zero.run").write_text(NEVER_RAN["other documents"][0])
    (runs / "none.run").write_text(NEVER_RAN["other documents"][0])
    zeros = irbounds(
        *("gate", "qrels.txt", "zero.run", "none.run", "-m", "AP", "--margin", "0.1"),
        *("--identical", "pass"),
    )
    assert zeros.returncode == 2


def test_one_query_is_too_few():
    one = {"q0": JUDGMENTS["q0"]}
    with pytest.raises(DataError, match="at least 2 queries"):
        package.gate(one, OLD, NEW["good"], measures="AP", margin=0.05)


# ---- scores ----

SCORES = np.random.default_rng(8).beta(2, 3, (3, 25))


def write_scores(directory):
    rows = [f"q{k}," + ",".join(f"{x:.4f}" for x in row) for k, row in enumerate(SCORES.T)]
    (directory / "s.csv").write_text("query_id,a,b,c\n" + "\n".join(rows) + "\n")
    (directory / "two.csv").write_text(
        "query_id,a,b\n" + "\n".join(row.rpartition(",")[0] for row in rows) + "\n"
    )


def test_scores_of_named_systems(irbounds, tmp_path):
    write_scores(tmp_path)
    named = irbounds("gate", "a", "b", "--scores", "AP=s.csv", "--margin", "0.1")
    assert named.returncode in (0, 1, 3)
    for words in (("--scores", "AP=two.csv"), ("two.csv", "-m", "AP")):
        both = irbounds("gate", *words, "--margin", "0.1")
        assert (both.returncode, both.stdout) == (named.returncode, named.stdout)
    turned = irbounds("gate", "b", "a", "--scores", "AP=s.csv", "--margin", "0.1")
    assert turned.stdout != named.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--scores", "s.csv"), "needs OLD and NEW: the scores are those of 'a', 'b', 'c'"),
        (("a", "--scores", "s.csv"), "names of the old and the new system; got 'a'"),
        (("q", "a", "b", "--scores", "s.csv"), "names of the old and the new system"),
        (("a", "a", "--scores", "s.csv"), "OLD and NEW are both 'a'"),
        (("a", "x", "--scores", "s.csv"), "no system 'x' here"),
        (("a", "b", "--scores", "s.csv", "--depth", "9"), "--depth is for runs"),
        (("a", "b", "--scores", "none.csv"), "none.csv"),
        (("qrels.txt", "old.run"), "needs QRELS, OLD and NEW, or --scores"),
        ((), "needs QRELS, OLD and NEW, or --scores"),
    ],
)
def test_wrong_inputs_of_scores(irbounds, tmp_path, words, message):
    write_scores(tmp_path)
    result = irbounds("gate", *words, "--margin", "0.1")
    assert (result.returncode, result.stdout) == (2, b"")
    assert message in result.stderr.decode()
    assert len(result.stderr.splitlines()) == 1


def test_two_files_of_scores_are_the_old_and_the_new_system(irbounds, tmp_path):
    for name, row in zip(("a", "b"), SCORES, strict=False):
        lines = [f"map\tq{k}\t{x:.4f}\n" for k, x in enumerate(row)]
        (tmp_path / f"{name}.txt").write_text("".join(lines))
    write_scores(tmp_path)
    result = irbounds("gate", "--scores", "a.txt", "--scores", "b.txt", "--margin", "0.1")
    named = irbounds("gate", "a", "b", "--scores", "AP=s.csv", "--margin", "0.1")
    assert result.stdout == named.stdout


def test_same_scores_and_zero_scores_are_refused():
    scores = {"AP": {"old": SCORES[0].tolist(), "new": SCORES[0].tolist()}}
    with pytest.raises(DataError, match="same score on every query"):
        package.gate(scores=scores, margin=0.1)
    scores["AP"]["new"] = (SCORES[0] + 1e-16).tolist()
    with pytest.raises(DataError, match="same score on every query"):
        package.gate(scores=scores, margin=0.1)
    scores["AP"]["new"] = [0.4] * 25
    with pytest.raises(DataError, match=r"'new' scores 0\.4 on every query by AP"):
        package.gate(scores=scores, margin=0.1)
    scores["AP"]["new"] = (100 * SCORES[1]).tolist()
    with pytest.raises(DataError, match="by AP, which is between 0 and 1"):
        package.gate(scores=scores, margin=0.1)
    scores["AP"]["new"] = [1.0] * 25
    assert package.gate(scores=scores, margin=0.1).verdict == "pass"
    scores["AP"]["new"] = [0.0] * 25
    with pytest.raises(DataError, match="'new' scores 0 on every query by AP"):
        package.gate(scores=scores, margin=0.1)


def test_a_percentage_needs_a_mean_above_0():
    scores = {"old": [-0.1, -0.2, 0.1], "new": [0.1, 0.2, 0.4]}  # of a measure without bounds
    with pytest.raises(DataError, match="old mean above 0"):
        package.gate(scores=scores, margin="2%")


def test_scores_of_few_common_queries_are_refused(irbounds, tmp_path):
    rows = [f"q{k},{system},{SCORES[s, k]:.4f}" for s, system in enumerate("ab") for k in range(25)]
    (tmp_path / "part.csv").write_text("query_id,system,AP\n" + "\n".join(rows[:-13]) + "\n")
    result = irbounds(
        "gate", "a", "b", "--scores", "part.csv", "--margin", "0.5", "--queries", "common"
    )
    assert result.returncode == 2
    assert b"12 of 25 queries have scores of all systems: one of them" in result.stderr


def test_levels_must_be_above_one_half():
    with pytest.raises(ParameterError, match=r"confidence_level must be above 0\.5"):
        package.gate(JUDGMENTS, OLD, NEW["good"], margin=0.1, confidence_level=0.5)


# ---- output ----


def test_json_has_verdict_and_numbers(irbounds, runs):
    result = irbounds(*gate_arguments("bad", "--format", "json"))
    answer = json.loads(result.stdout)
    assert (result.returncode, answer["verdict"], answer["require"]) == (1, "fail", "not-worse")
    gate = package.gate(
        runs / "qrels.txt", runs / "old.run", runs / "bad.run", measures="nDCG@10", margin=0.05
    )
    assert answer["results"] == gate.records()
    assert answer["found"] == gate_lines(gate)
    assert result.stderr.decode().splitlines() == gate_lines(gate)


def test_markdown_has_verdict_table_and_consequence(irbounds, runs):
    result = irbounds(*gate_arguments("near", "--format", "markdown"))
    text = result.stdout.decode()
    assert text.startswith("**UNDECIDED: near may be worse than old")
    assert "| nDCG@10 | undecided | 0." in text
    assert "queries would decide" in text
    assert result.returncode == 3


def test_quiet_shows_the_table(irbounds, runs):
    quiet = irbounds(*gate_arguments("good", "-q")).stdout.decode().splitlines()
    assert quiet[0].startswith("PASS: good")
    assert quiet[1].split()[:4] == ["measure", "verdict", "old", "good"]


def test_page_is_written(irbounds, runs):
    assert irbounds(*gate_arguments("bad", "--report", "page.html")).returncode == 1
    assert b"FAIL: bad is worse" in (runs / "page.html").read_bytes()


def test_python_names_systems(runs):
    assert (package.gate(JUDGMENTS, OLD, NEW["good"], margin=0.1).old) == "old"
    named = [package.read_run(run, name=name) for name, run in (("x", OLD), ("y", NEW["good"]))]
    gate = package.gate(JUDGMENTS, *named, margin=0.1)
    assert (gate.old, gate.new) == ("x", "y")
    (runs / "a").mkdir()
    (runs / "a" / "good.run").write_text(run_text(OLD))
    gate = package.gate(JUDGMENTS, runs / "a" / "good.run", runs / "good.run", margin=0.1)
    assert gate.old != gate.new


def test_a_directory_of_runs_is_not_one_system(irbounds, runs):
    result = irbounds("gate", "qrels.txt", ".", "good.run", "--margin", "0.1")
    assert result.returncode == 2
    assert b"OLD .: 4 runs; give one" in result.stderr


def test_judgments_of_ir_datasets(irbounds, runs, monkeypatch):
    read = []

    def read_judgments(name):
        read.append(name)
        return package.read_qrels(JUDGMENTS, name="qrels")

    monkeypatch.setattr("irbounds.reading.ir_datasets_qrels.read_ir_datasets_qrels", read_judgments)
    options = ("--dataset", "ours/test", "-m", "nDCG@10", "--margin", "0.05")
    named = irbounds("gate", "old.run", "bad.run", *options)
    assert (named.returncode, named.stdout) == (1, irbounds(*gate_arguments("bad")).stdout)
    assert read == ["ours/test"]
    for words in (("old.run",), ("qrels.txt", "old.run", "bad.run"), ()):
        wrong = irbounds("gate", *words, *options)
        assert wrong.returncode == 2
        assert b"needs OLD and NEW" in wrong.stderr
    scores = irbounds("gate", "--scores", "s.csv", *options)
    assert b"--scores takes the place of dataset and runs" in scores.stderr


def test_scores_that_vanish_next_to_the_margin_are_undecided(irbounds, tmp_path):
    rows = [f"q{k},{(k * 7 % 20 + 1) * 1e-20},{(k * 3 % 20 + 1) * 1e-20}\n" for k in range(20)]
    (tmp_path / "s.csv").write_text("".join(["query_id,old,new\n", *rows]))
    result = irbounds(*["gate", "--scores", "AP=s.csv", "--margin", "0.01", "--format", "json"])
    assert result.returncode == 3
    (row,) = json.loads(result.stdout)["results"]
    assert (row["verdict"], row["method"]) == ("undecided", "clopper-pearson")
