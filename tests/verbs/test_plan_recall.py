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
GUESSED = (*CORPUS, "--n-relevant", "5000", "--recall", "0.85")


def test_the_sentences_and_the_table(irbounds):
    done = irbounds(*GUESSED, "--budget", "2000")
    plan = recall_plan.plan_recall(
        corpus_size=100_000, retrieved_size=8_000, n_relevant=5_000, recall=0.85, budget=2_000
    )
    lines = done.stdout.decode().splitlines()
    assert (done.returncode, done.stderr) == (0, b"")
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


def test_ranges_and_weights_are_read(irbounds):
    done = irbounds(
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
    record = json.loads(done.stdout)["results"][0]
    assert record["expected_width"] == plan.sample.expected_width
    assert (record["yield_guess"], record["recall_guess"]) == ("3000 to 5000", "0.6 or 0.9")


def test_one_number_stays_one(irbounds):
    done = irbounds(*GUESSED, "--budget", "2000", "--format", "json")
    record = json.loads(done.stdout)["results"][0]
    assert (record["yield_guess"], record["recall_guess"]) == (5000, 0.85)


def test_a_width_and_a_recall_find_their_budgets(irbounds):
    by_width = irbounds(*GUESSED, "--interval-width", "0.1", "--format", "csv").stdout.decode()
    rows = list(csv.DictReader(io.StringIO(by_width)))
    assert [row["table"] for row in rows[:2]] == ["plan", "split"]
    assert float(rows[0]["expected_width"]) == pytest.approx(0.1, abs=0.0005)
    by_recall = irbounds(*GUESSED, "--recall-at-least", "0.75", "--assurance", "0.9")
    assert b"\nthe lower limit reaches 0.75 in 90 % of such samples\n" in by_recall.stdout
    usual = irbounds(*GUESSED, "--recall-at-least", "0.75")
    assert b"\nthe lower limit reaches 0.75 in 80 % of such samples\n" in usual.stdout


def test_a_pilot_takes_the_place_of_guesses(irbounds):
    done = irbounds(
        *("plan-recall", *PILOT),
        *("--budget", "2000"),
    )  # fmt: skip
    text = done.stdout.decode()
    assert "by a pilot with 20 relevant of 50 retrieved and 1 of 200 others\n" in text
    assert "\nthe remaining 1,750 split as the pilot was would give a width of " in text
    assert "\nsplits of 2,000 assessments, the pilot's 250 among them: 95 % interval (" in text
    to_come = irbounds(*GUESSED, "--budget", "2000", "--pilot-fraction", "0.2").stdout.decode()
    assert "\na pilot of " in to_come


def test_budgets_have_a_table_of_their_own(irbounds):
    done = irbounds(*GUESSED, "--budget", "500,2000", "--method", "normal", "-o", "t.md")
    assert (done.returncode, done.stdout) == (0, b"")
    text = irbounds(*GUESSED, "--budget", "500,2000", "--method", "normal").stdout.decode()
    lines = text.splitlines()
    assert lines[0] == (
        "each budget at its best split, if 5,000 documents are relevant and recall is 0.85"
    )
    assert lines[3] == "recall by budget: 95 % interval (normal)"
    assert lines[-1].split()[0] == "2,000"


def test_rows_of_budgets_say_what_they_suppose(irbounds):
    done = irbounds(
        *CORPUS, "--n-relevant", "3000..5000", "--recall", "0.85", "--budget", "500,2000",
        "--split", "0.2", "--prior", "uniform", "--format", "csv",
    )  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    curve = package.planning.widths_by_budget(
        [500, 2000], corpus_size=100_000, retrieved_size=8_000, n_relevant=(3_000, 5_000),
        recall=0.85, split=0.2, prior="uniform",
    )  # fmt: skip
    assert [float(row["expected_width"]) for row in rows] == [one.expected_width for one in curve]
    names = ("method", "prior", "confidence_level", "yield_guess", "recall_guess")
    said = ("beta-binomial", "uniform", "0.95", "3000 to 5000", "0.85")
    assert {tuple(row[name] for name in names) for row in rows} == {said}


@pytest.mark.parametrize(
    ("arguments", "said"),
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
        (("--recall-at-least", "0.7", "--budget", "500,900"),
         "--recall-at-least is not for several budgets"),
        (("--budget", "500,x"), "--budget must be an integer; got 'x'"),
        (("--budget", "5,000"), "write thousands without a separator, as in 5000"),
        (("--budget", "1"), "--budget must be an integer of at least 2; got 1"),
        (("--budget", "500", "--interval-width", "0.1"), "--interval-width determines the budget"),
        (("--budget", "500", *PILOT), "--corpus-size and --retrieved-size are known from"),
        (("--corpus-size", "5000"), "--retrieved-size must be less than the --corpus-size of 5,0"),
        (("--retrieved", "8000", "5", "2", "--budget", "50"), "both --retrieved and --unretrieved"),
        (("--budget", "500", "-o", "no/t.csv"), "there is no directory no"),
    ],
)  # fmt: skip
def test_errors_are_one_line_and_status_2(irbounds, arguments, said):
    done = irbounds(*GUESSED, *arguments)
    message = done.stderr.decode()
    assert (done.returncode, done.stdout) == (2, b"")
    assert message.startswith("irbounds: error: ")
    assert said in message
    assert message.count("\n") == 1


def modules_loaded(*arguments):
    script = f"import sys; sys.argv[1:] = {list(arguments)!r}\n"
    script += "from irbounds.cli import main\n"
    script += "names = {'scipy', 'scipy.stats', 'numba', 'polars', 'altair'}\n"
    script += "try: main()\n"
    script += "finally: print(sorted(names & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    return done.stdout.decode()


def test_help_is_light():
    text = modules_loaded("plan-recall", "--help")
    assert "--recall-at-least X" in text
    assert text.endswith("[]\n")


def test_only_posteriors_load_compiled_loops():
    plan = (*GUESSED, "--budget", "2000")
    assert modules_loaded(*plan).endswith("['numba', 'scipy']\n")
    assert modules_loaded(*plan, "--method", "laplace").endswith("['scipy']\n")


@pytest.mark.parametrize(
    ("typed", "options"),
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
def test_python_has_the_same_digits(irbounds, typed, options):
    done = irbounds(*CORPUS, *typed, "--format", "json")
    plans = plan_recall(corpus_size=100_000, retrieved_size=8_000, **options)
    assert json.loads(json.dumps(plans.records())) == json.loads(done.stdout)["results"]
    shown = irbounds(*CORPUS, *typed).stdout.decode()
    sentences = shown.partition("\n\n")[0].split()
    assert len(sentences) > 20
    assert str(plans).split()[: len(sentences)] == sentences


def test_python_has_one_plan_per_budget():
    options = {"corpus_size": 10_000, "retrieved_size": 500, "n_relevant": 300, "recall": 0.6}
    few, many = plan_recall(**options, budget=(200, 500))
    assert (few.sample.budget, many.sample.budget) == (200, 500)
    (plan,) = plan_recall(**options, budget=500)
    assert plan.sample == many.sample == recall_plan.plan_recall(**options, budget=500).sample
    assert plan_recall(**options, budget=500).plot().name == "recall-plan-allocation"
    assert plan_recall(**options, budget=(200, 500)).plot().name == "recall-plan-size"


def test_methods_are_those_of_the_library():
    assert set(get_args(PlanMethod)) == set(recall_widths.METHODS)


def test_sizes_are_needed():
    with pytest.raises(package.errors.ParameterError, match="needs corpus_size and retrieved_size"):
        plan_recall(n_relevant=5, recall=0.5, budget=10)


def test_counts_of_a_pilot_are_those_of_recall(irbounds):
    counts = {"retrieved": (8000, 50, 20), "unretrieved": (92000, 200, 1)}
    done = irbounds("plan-recall", *PILOT, "--budget", "600", "--format", "json")
    plans = plan_recall(**counts, budget=600)
    assert json.loads(done.stdout)["results"] == json.loads(json.dumps(plans.records()))
    several = irbounds("plan-recall", *PILOT, "--budget", "600,900")
    assert b"--retrieved and --unretrieved are not for several budgets" in several.stderr
    nothing = irbounds("plan-recall", "--budget", "600")
    assert b"--corpus-size and --retrieved-size, or a pilot sample" in nothing.stderr
