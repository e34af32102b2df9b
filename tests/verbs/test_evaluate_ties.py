"""irbounds evaluate --ties, and what irbounds check reports of ties."""

from __future__ import annotations

import json

import pytest

TIED_RUN = "".join(
    f"q{k} Q0 d{j} {j + 1} {score} t\n" for k in range(6) for j, score in enumerate("77754411")
)


def test_evaluate_ties_orders_worst_expected_best_and_reports_the_rule(irbounds, files):
    (files / "tied.run").write_text(TIED_RUN)
    tied_means, untied_means = {}, set()
    for rule in ("worst", "expected", "best"):
        result = irbounds(
            *("evaluate", "qrels.txt", "tied.run", "one.run", "-m", "AP", "--ties", rule),
            *("--method", "student-t", "--format", "json"),
        )
        assert b"on request: " in result.stderr
        document = json.loads(result.stdout)
        assert document["ties"] == rule
        assert {row["ties"] for row in document["results"]} == {rule}
        means = {row["system"]: row["mean"] for row in document["results"]}
        tied_means[rule] = means["tied"]
        untied_means.add(means["one"])
    assert tied_means["worst"] < tied_means["expected"] < tied_means["best"]
    assert len(untied_means) == 1


def test_evaluate_ties_expected_averages_per_query_scores(irbounds, files):
    (files / "qrels.txt").write_text("q 0 a 0\nq 0 b 1\nq 0 c 0\n")
    (files / "same.run").write_text("q Q0 a 1 5 t\nq Q0 b 2 5 t\nq Q0 c 3 5 t\n")
    arguments = ("evaluate", "qrels.txt", "same.run", "-m", "RR", "--per-query", "--format", "csv")
    row = irbounds(*arguments, "--ties", "expected").stdout.decode().splitlines()[1]
    *_, value, rule = row.split(",")
    assert float(value) == pytest.approx((1 + 1 / 2 + 1 / 3) / 3, abs=1e-15)
    assert rule == "expected"


@pytest.mark.parametrize(
    ("arguments", "expected_message"),
    [
        (
            ("--scores", "scores.csv", "--ties", "best"),
            b"irbounds: error: --ties is for runs; scores are read as they are\n",
        ),
        (
            # the error comes before the run is opened, which does not exist
            ("qrels.txt", "none.run", "-m", "Compat", "--ties", "worst"),
            b"irbounds: error: Compat is computed by ir_measures' providers, which take one order: "
            b"only with --ties trec; got 'worst'\n",
        ),
    ],
)
def test_evaluate_ties_rejects_scores_and_provider_measures(
    irbounds, files, arguments, expected_message
):
    (files / "scores.csv").write_text("query,a,b\n1,0.1,0.2\n2,0.3,0.1\n")
    result = irbounds("evaluate", *arguments)
    assert (result.returncode, result.stderr) == (2, expected_message)


def test_check_prints_the_range_of_scores_due_to_ties(irbounds, files):
    """AP is 1/2 (1/2 + 2/3) = 0.5833 at worst and 1 at best."""
    (files / "qrels.txt").write_text("q 0 a 1\nq 0 b 1\nq 0 c 0\n")
    (files / "same.run").write_text("q Q0 a 1 5 t\nq Q0 b 2 5 t\nq Q0 c 3 5 t\nq Q0 d 4 1 t\n")
    (files / "other.run").write_text("q Q0 a 1 5 t\nq Q0 b 2 4 t\n")
    result = irbounds("check", "qrels.txt", "same.run", "other.run")
    assert result.returncode == 1  # ties that move the mean by more than 0.001 are a warning
    stdout = result.stdout.decode()
    assert "same (75.0 % tied, AP 0.5833 to 1.0000)" in stdout
    (files / "same.run").write_text("q Q0 a 1 5 t\nq Q0 b 2 5 t\nq Q0 d 3 1 t\n")
    stdout = irbounds("check", "qrels.txt", "same.run").stdout.decode()
    assert "same (66.7 % tied, AP 1.0000 to 1.0000)" in stdout  # both documents are relevant
