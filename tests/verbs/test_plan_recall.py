"""irbounds plan-recall."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from typing import get_args

import pytest

import irbounds as package
from irbounds.planning import recall_plan, recall_widths
from irbounds.verbs.plan_recall import PlanMethod, plan_recall

CORPUS = ("plan-recall", "--corpus-size", "100000", "--retrieved-size", "8000")
PILOT = ("--retrieved", "8000", "50", "20", "--unretrieved", "92000", "200", "1")
ASSUMPTIONS = (*CORPUS, "--n-relevant", "5000", "--recall", "0.85")


def test_plan_recall_prints_summary_and_table(irbounds):
    result = irbounds(*ASSUMPTIONS, "--budget", "2000")
    plan = recall_plan.plan_recall(
        corpus_size=100_000, retrieved_size=8_000, n_relevant=5_000, recall=0.85, budget=2_000
    )
    lines = result.stdout.decode().splitlines()
    assert (result.returncode, result.stderr) == (0, b"")
    assert lines[0].startswith(
        f"assess {plan.sample.retrieved_sample:,} of the 8,000 retrieved documents and "
        f"{plan.sample.unretrieved_sample:,} of the 92,000 others: the 95 % interval of recall"
    )
    assert lines[0].endswith("if 5,000 documents are relevant and recall is 0.85")
    assert lines[3] == ""
    assert lines[4] == "splits of 2,000 assessments: 95 % interval (beta-binomial, prior 0.5)"
    assert lines[5].split()[:4] == ["split", "retrieved", "others", "width"]
    (best,) = [line for line in lines if line.startswith("best, ")]
    assert f" {plan.sample.expected_width:.4f} " in best


def test_plan_recall_accepts_ranges_and_weights(irbounds):
    result = irbounds(
        *CORPUS, "--prevalence", "0.03..0.05", "--recall", "0.6:1,0.9:3", "--budget", "2000",
        "--format", "json",
    )  # fmt: skip
    plan = recall_plan.plan_recall(
        corpus_size=100_000,
        retrieved_size=8_000,
        prevalence=(0.03, 0.05),
        recall=[(0.6, 1), (0.9, 3)],
        budget=2_000,
    )
    record = json.loads(result.stdout)["results"][0]
    assert record["expected_width"] == plan.sample.expected_width
    assert (record["yield_guess"], record["recall_guess"]) == ("3000 to 5000", "0.6 or 0.9")


def test_plan_recall_json_has_single_assumptions_as_numbers(irbounds):
    result = irbounds(*ASSUMPTIONS, "--budget", "2000", "--format", "json")
    record = json.loads(result.stdout)["results"][0]
    assert (record["yield_guess"], record["recall_guess"]) == (5000, 0.85)


def test_plan_recall_computes_budget_from_width_or_recall(irbounds):
    by_width = irbounds(*ASSUMPTIONS, "--interval-width", "0.1", "--format", "csv").stdout.decode()
    rows = list(csv.DictReader(io.StringIO(by_width)))
    assert [row["table"] for row in rows[:2]] == ["plan", "split"]
    assert float(rows[0]["expected_width"]) == pytest.approx(0.1, abs=0.0005)
    by_recall = irbounds(*ASSUMPTIONS, "--recall-at-least", "0.75", "--assurance", "0.9")
    assert b"\nthe lower limit reaches 0.75 in 90.1 % of such samples\n" in by_recall.stdout
    with_default_assurance = irbounds(*ASSUMPTIONS, "--recall-at-least", "0.75")
    assert b"\nthe lower limit reaches 0.75 in 80.2 % of such samples\n" in (
        with_default_assurance.stdout
    )


def test_plan_recall_uses_a_pilot_sample(irbounds):
    result = irbounds(
        *("plan-recall", *PILOT),
        *("--budget", "2000"),
    )  # fmt: skip
    text = result.stdout.decode()
    assert "by a pilot with 20 relevant of 50 retrieved and 1 of 200 others\n" in text
    assert "\nthe remaining 1,750 split as the pilot was would give a width of " in text
    assert "\nsplits of 2,000 assessments, the pilot's 250 among them: 95 % interval (" in text
    with_planned_pilot = irbounds(
        *ASSUMPTIONS, "--budget", "2000", "--pilot-fraction", "0.2"
    ).stdout.decode()
    assert "\na pilot of " in with_planned_pilot


def test_plan_recall_prints_one_row_per_budget(irbounds):
    result = irbounds(*ASSUMPTIONS, "--budget", "500,2000", "--method", "normal", "-o", "t.md")
    assert (result.returncode, result.stdout) == (0, b"")
    text = irbounds(*ASSUMPTIONS, "--budget", "500,2000", "--method", "normal").stdout.decode()
    lines = text.splitlines()
    assert lines[0] == (
        "each budget at its best split, if 5,000 documents are relevant and recall is 0.85"
    )
    assert lines[3] == "recall by budget: 95 % interval (normal)"
    assert lines[-1].split()[0] == "2,000"


def test_plan_recall_csv_of_budgets_has_the_assumptions(irbounds):
    result = irbounds(
        *CORPUS, "--n-relevant", "3000..5000", "--recall", "0.85", "--budget", "500,2000",
        "--split", "0.2", "--prior", "uniform", "--format", "csv",
    )  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(result.stdout.decode())))
    curve = package.planning.widths_by_budget(
        [500, 2000], corpus_size=100_000, retrieved_size=8_000, n_relevant=(3_000, 5_000),
        recall=0.85, split=0.2, prior="uniform",
    )  # fmt: skip
    assert [float(row["expected_width"]) for row in rows] == [
        point.expected_width for point in curve
    ]
    names = ("method", "prior", "confidence_level", "yield_guess", "recall_guess")
    assumptions = ("beta-binomial", "uniform", "0.95", "3000 to 5000", "0.85")
    assert {tuple(row[name] for name in names) for row in rows} == {assumptions}


@pytest.mark.parametrize(
    ("arguments", "expected_message"),
    [
        (("--budget", "100001"), "must be at most the --corpus-size of 100,000; got 100,001"),
        ((), "needs --budget, --interval-width or --recall-at-least, or the sizes of both samples"),
        (("--n-relevant", "20000", "--budget", "500"),
         "--n-relevant 20,000 at a recall of 0.85 means 17,000 relevant documents in the retrieved "
         "set, which has 8,000"),
        (("--recall", "0.3-0.8", "--budget", "500"), "--recall must be a number, a range as in"),
        (("--recall", "0.3..", "--budget", "500"), "got '0.3..'"),
        (("--recall", "85", "--budget", "500"), "got 85, did you mean 0.85?"),
        (("--n-relevant", "5,000", "--budget", "500"),
         "--n-relevant must be a number, a range as in 2000..8000, or values with weights as in "
         "2000:1,8000:3; got '5,000', did you mean 5000?"),
        (("--n-relevant", "3,000..5,000", "--budget", "500"), "did you mean 3000..5000?"),
        (("--n-relevant", "0", "--budget", "500"), "error: --n-relevant must be between 1 and 100"),
        (("--retrieved-sample", "100"), "--retrieved-sample needs --unretrieved-sample too"),
        (("--assurance", "0.8", "--budget", "500"),
         "--assurance is the probability of reaching --recall-at-least; give both"),
        (("--recall-at-least", "0.7", "--confidence-level", "0.5"), "of at least 0.8; got 0.5"),
        (("--recall-at-least", "0.7", "--budget", "500,900"),
         "--recall-at-least is not for several budgets"),
        (("--budget", "500,x"), "--budget must be an integer; got 'x'"),
        (("--budget", "5,000"), "write thousands without a separator, as in 5000"),
        (("--budget", "1"), "--budget must be an integer of at least 2; got 1"),
        (("--budget", "500", "--interval-width", "0.1"), "--interval-width determines the budget"),
        (("--budget", "500", *PILOT), "--corpus-size and --retrieved-size are known from"),
        (("--corpus-size", "5000"), "--retrieved-size must be less than the --corpus-size of 5,0"),
        (("--retrieved", "8000", "5", "2", "--budget", "50"), "both --retrieved and --unretrieved"),
        (("--retrieved", "8000", "al", "2", "--budget", "50"), "must be an integer; got 'al'"),
        (("--retrieved-sample", "some"), "--retrieved-sample must be an integer; got 'some'"),
        (("--retrieved-sample", "0"), "--retrieved-sample must be an integer of at least 1; got 0"),
        (("--retrieved-sample", "all"), "needs --budget, --interval-width or --recall-at-least"),
        (("--budget", "500", "--credit-found"), "--credit-found needs a retrieved set that is"),
        (("--budget", "500", "--method", "exact"), "--retrieved-sample 'all', or method"),
        (("--control-set", "--budget", "500", "--split", "0.2"), "--control-set is one sample of"),
        (("--budget", "500", "-o", "no/t.csv"), "there is no directory no"),
    ],
)  # fmt: skip
def test_plan_recall_errors_are_one_line_with_status_2(irbounds, arguments, expected_message):
    result = irbounds(*ASSUMPTIONS, *arguments)
    message = result.stderr.decode()
    assert (result.returncode, result.stdout) == (2, b"")
    assert message.startswith("irbounds: error: ")
    assert expected_message in message
    assert message.count("\n") == 1


def list_imported_modules(*arguments):
    script = f"import sys; sys.argv[1:] = {list(arguments)!r}\n"
    script += "from irbounds.cli import main\n"
    script += "names = {'scipy', 'scipy.stats', 'numba', 'polars', 'altair'}\n"
    script += "try: main()\n"
    script += "finally: print(sorted(names & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    return result.stdout.decode()


def test_plan_recall_help_imports_no_large_libraries():
    text = list_imported_modules("plan-recall", "--help")
    assert "--recall-at-least X" in text
    assert text.endswith("[]\n")


@pytest.mark.slow
def test_plan_recall_imports_numba_only_for_posteriors():
    plan = (*ASSUMPTIONS, "--budget", "2000")
    assert list_imported_modules(*plan).endswith("['numba', 'scipy']\n")
    assert list_imported_modules(*plan, "--method", "laplace").endswith("['scipy']\n")


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (("--n-relevant", "5000", "--recall", "0.85", "--budget", "2000"),
         {"n_relevant": 5000, "recall": 0.85, "budget": 2000}),
        (("--n-relevant", "5000", "--recall", "0.6:1,0.9:3", "--budget", "500,900"),
         {"n_relevant": "5000", "recall": [(0.6, 1), (0.9, 3)], "budget": [500, 900]}),
        (("--prevalence", "0.03..0.05", "--recall", "0.85", "--retrieved-sample", "100",
          "--unretrieved-sample", "400", "--method", "laplace", "--no-cap-at-one"),
         {"prevalence": (0.03, 0.05), "recall": 0.85, "retrieved_sample": 100,
          "unretrieved_sample": 400, "method": "laplace", "cap_at_one": False}),
    ],
)  # fmt: skip
def test_plan_recall_command_equals_python(irbounds, arguments, options):
    result = irbounds(*CORPUS, *arguments, "--format", "json")
    plans = plan_recall(corpus_size=100_000, retrieved_size=8_000, **options)
    assert json.loads(json.dumps(plans.records())) == json.loads(result.stdout)["results"]
    stdout = irbounds(*CORPUS, *arguments).stdout.decode()
    sentences = stdout.partition("\n\n")[0].split()
    assert len(sentences) > 20
    assert str(plans).split()[: len(sentences)] == sentences


def test_plan_recall_function_returns_one_plan_per_budget():
    options = {"corpus_size": 10_000, "retrieved_size": 500, "n_relevant": 300, "recall": 0.6}
    few, many = plan_recall(**options, budget=(200, 500))
    assert (few.sample.budget, many.sample.budget) == (200, 500)
    (plan,) = plan_recall(**options, budget=500)
    assert plan.sample == many.sample == recall_plan.plan_recall(**options, budget=500).sample
    assert plan_recall(**options, budget=500).plot().name == "recall-plan-allocation"
    assert plan_recall(**options, budget=(200, 500)).plot().name == "recall-plan-size"


def test_plan_recall_methods_equal_library_methods():
    assert set(get_args(PlanMethod)) == set(recall_widths.METHODS)


def test_plan_recall_function_requires_sizes():
    with pytest.raises(package.errors.ParameterError, match="needs corpus_size and retrieved_size"):
        plan_recall(n_relevant=5, recall=0.5, budget=10)


def test_plan_recall_function_accepts_pilot_counts(irbounds):
    counts = {"retrieved": (8000, 50, 20), "unretrieved": (92000, 200, 1)}
    result = irbounds("plan-recall", *PILOT, "--budget", "600", "--format", "json")
    plans = plan_recall(**counts, budget=600)
    assert json.loads(result.stdout)["results"] == json.loads(json.dumps(plans.records()))
    with_several_budgets = irbounds("plan-recall", *PILOT, "--budget", "600,900")
    assert (
        b"--retrieved and --unretrieved are not for several budgets" in with_several_budgets.stderr
    )
    without_sizes = irbounds("plan-recall", "--budget", "600")
    assert b"--corpus-size and --retrieved-size, or a pilot sample" in without_sizes.stderr


REVIEW = ("plan-recall", "--corpus-size", "1175", "--recall-at-least", "0.95", "--recall", "0.98")


def test_plan_recall_of_a_review_asks_for_other_documents_only(irbounds):
    for word in ("all", "ALL", "600"):
        result = irbounds(*REVIEW, "--retrieved", "600", word, "93")
        lines = result.stdout.decode().splitlines()
        assert (result.returncode, result.stderr) == (0, b"")
        assert lines[0].startswith(
            "assess 466 of the 575 others (all 600 retrieved documents are read, 93 of them "
            "relevant): the one-sided 95 % lower limit of recall by exact is expected at 0.9629, "
        )
        assert lines[0].endswith("if 95 documents are relevant and recall is 0.98")
        assert lines[1].startswith("the lower limit reaches 0.95 in 100 % of such samples, namely ")
        assert lines[2].startswith("exact limits are guaranteed: at most 5 % of samples give a ")
        (plan,) = [line for line in lines if line.startswith("plan, ")]
        assert plan.split() == ["plan,", "466", "2", "0.9629", "100", "%"]


def test_plan_recall_before_a_review_reads_all_retrieved_documents(irbounds):
    options = (*REVIEW, "--retrieved-size", "600", "--n-relevant", "95")
    for word in ("all", "600"):
        text = irbounds(*options, "--retrieved-sample", word).stdout.decode()
        assert text.startswith("assess all 600 retrieved documents and 466 of the 575 others: ")


def test_plan_recall_of_a_review_equals_python(irbounds):
    arguments = ("--retrieved", "600", "all", "93", "--credit-found")
    result = irbounds(*REVIEW, *arguments, "--format", "json")
    plans = plan_recall(
        corpus_size=1175, retrieved=(600, "all", 93), recall=0.98, recall_at_least=0.95,
        credit_found=True,
    )  # fmt: skip
    assert json.loads(json.dumps(plans.records())) == json.loads(result.stdout)["results"]
    assert plans[0].sample.unretrieved_sample == 344
    assert plans.plot().name == "recall-plan-rest"


def test_plan_recall_of_a_review_needs_the_size_of_the_corpus(irbounds):
    retrieved = ("--retrieved", "600", "all", "93")
    without_corpus = irbounds("plan-recall", *retrieved, "--recall-at-least", "0.95")
    assert b"read in full; needs --corpus-size too, and a guess" in without_corpus.stderr
    twice = irbounds(*REVIEW, *retrieved, "--retrieved-size", "600")
    assert b"--retrieved-size is known from the counts of the retrieved set" in twice.stderr


def test_plan_recall_continues_a_sample_of_the_rest(irbounds):
    counts = ("--retrieved", "600", "all", "93", "--unretrieved", "575", "350", "2")
    claim = ("--recall-at-least", "0.95", "--assurance", "0.5")
    text = irbounds("plan-recall", *counts, *claim).stdout.decode()
    assert text.startswith("assess 181 more of the 575 others (all 600 retrieved documents are re")


def test_plan_recall_of_a_control_set(irbounds):
    text = irbounds(*ASSUMPTIONS, "--budget", "1000", "--control-set").stdout.decode()
    assert text.startswith(
        "draw 1,000 of all 100,000 documents at random (a control set), of which about 80 will be "
        "retrieved documents and 920 others: the 95 % interval of recall"
    )
    assert "\nplan, 8 %" in text


@pytest.mark.slow
def test_plan_recall_of_a_review_does_not_import_numba():
    review = (*REVIEW, "--retrieved", "600", "all", "93")
    assert list_imported_modules(*review).endswith("['scipy']\n")
