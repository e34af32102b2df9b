"""irbounds plan-recall."""

from __future__ import annotations

import json

import pytest

from irbounds.verbs.plan_recall import plan_recall

BUDGET = (
    *("plan-recall", "--corpus-size", "100000", "--retrieved-size", "8000"),
    *("--n-relevant", "5000", "--recall", "0.85"),
)
REVIEW = (
    *("plan-recall", "--corpus-size", "1175", "--retrieved", "600", "all", "93"),
    *("--recall", "0.98", "--recall-at-least", "0.95"),
)


def test_plan_recall_of_a_budget_prints_summary_and_table(irbounds):
    result = irbounds(*BUDGET, "--budget", "2000")
    plan, *_ = plan_recall(
        corpus_size=100_000, retrieved_size=8_000, n_relevant=5_000, recall=0.85, budget=2_000
    )
    lines = result.stdout.decode().splitlines()
    assert (result.returncode, result.stderr) == (0, b"")
    assert lines[0].startswith(
        f"assess {plan.retrieved_sample:,} of the 8,000 retrieved documents and "
        f"{plan.unretrieved_sample:,} of the 92,000 others: the 95 % interval of recall"
    )
    assert lines[0].endswith("if 5,000 documents are relevant and recall is 0.85")
    assert lines[2] == "splits of 2,000 assessments: 95 % interval of recall"
    assert lines[4].startswith("plan ")
    assert f" {plan.expected_width:.4f} " in lines[4]


def test_plan_recall_of_a_review_asks_for_other_documents(irbounds):
    for word in ("all", "ALL", "600"):
        result = irbounds(*(word if part == "all" else part for part in REVIEW))
        lines = result.stdout.decode().splitlines()
        assert (result.returncode, result.stderr) == (0, b"")
        assert lines[0].startswith("assess 466 of the 575 documents that are not retrieved, drawn ")
        assert lines[0].endswith("at least 0.95 with at most 2 relevant documents among them")
        assert lines[1].endswith("show it if 95 documents are relevant and recall is 0.98")
        rows = [line.split() for line in lines[-5:-1]]
        assert rows == [
            ["plan", "466", "2", "100", "%"],
            ["other", "259", "0", "30.2", "%"],
            ["other", "378", "1", "56.8", "%"],
            ["other", "531", "3", "100", "%"],
        ]


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (
            (*BUDGET, "--budget", "2000"),
            {"retrieved_size": 8000, "n_relevant": 5000, "recall": 0.85, "budget": 2000},
        ),
        (
            (*REVIEW, "--confidence-level", "0.9"),
            {
                **{"corpus_size": 1175, "retrieved": (600, "all", 93), "recall": 0.98},
                **{"recall_at_least": 0.95, "confidence_level": 0.9},
            },
        ),
    ],
)
def test_plan_recall_command_equals_python(irbounds, arguments, options):
    result = irbounds(*arguments, "--format", "json")
    plans = plan_recall(**{"corpus_size": 100_000, **options})
    assert json.loads(json.dumps(plans.records())) == json.loads(result.stdout)["results"]
    sentences = irbounds(*arguments).stdout.decode().partition("\n\n")[0].split()
    assert str(plans).split()[: len(sentences)] == sentences


def test_plan_recall_records_hold_the_guesses(irbounds):
    result = irbounds(*REVIEW, "--format", "json")
    record = json.loads(result.stdout)["results"][0]
    assert (record["unretrieved_sample"], record["max_relevant"]) == (466, 2)
    assert (record["yield_guess"], record["recall_guess"]) == (95, 0.98)
    assert (record["population"], record["retrieved"], record["retrieved_relevant"]) == (
        *(1175, 600, 93),
    )


@pytest.mark.parametrize(
    ("arguments", "expected_message"),
    [
        (BUDGET, "needs --recall-at-least or --budget, and not both"),
        ((*BUDGET, "--budget", "100001"), "must be at most the --corpus-size of 100,000"),
        ((*BUDGET, "--budget", "1"), "--budget must be an integer of at least 2; got 1"),
        ((*BUDGET, "--budget", "5,000"), "write 5000"),
        ((*BUDGET, "--budget", "500", "--recall", "85"), "did you mean 0.85?"),
        ((*BUDGET, "--budget", "500", "--n-relevant", "20000"), "means 17,000 relevant documents"),
        ((*BUDGET, "--budget", "500", "--n-relevant", "0"), "--n-relevant must be an integer of a"),
        ((*BUDGET, "--budget", "500", "--corpus-size", "5000"), "less than the --corpus-size of 5"),
        ((*BUDGET, "--recall-at-least", "0.7"), "--retrieved-size is for a budget; leave out"),
        ((*BUDGET[:5], "--budget", "50"), "--budget needs --retrieved-size, and guesses"),
        ((*BUDGET, "--budget", "500", "-o", "no/t.csv"), "there is no directory no"),
        ((*REVIEW, "--budget", "500"), "not both"),
        ((*REVIEW, "--n-relevant", "95"), "needs one guess, --n-relevant or --recall"),
        ((*REVIEW, "--recall", "0.9"), "at least 0.95 if recall is guessed to be 0.9029"),
        ((*REVIEW, "--confidence-level", "0.5"), "of at least 0.8; got 0.5"),
        ((*REVIEW, "--retrieved", "600", "50", "9"), "that was read in full; needs --retrieved"),
        ((*REVIEW, "--retrieved", "600", "al", "9"), "must be an integer; got 'al'"),
        ((*REVIEW, "--retrieved", "600", "all", "601"), "0 to 600 may be relevant; got 601"),
        ((*REVIEW, "--retrieved", "1175", "all", "9"), "1 to 1,174 of the 1,175 documents; got 11"),
        ((*REVIEW[:1], *REVIEW[3:]), "--corpus-size"),
    ],
)
def test_plan_recall_errors_are_one_line_with_status_2(irbounds, arguments, expected_message):
    result = irbounds(*arguments)
    message = result.stderr.decode()
    assert (result.returncode, result.stdout) == (2, b"")
    assert message.startswith("irbounds: error: ")
    assert expected_message in message
    assert message.count("\n") == 1


def test_plan_recall_loads_numba_only_for_budgets(loaded_by):
    assert "numba" not in loaded_by(*REVIEW)
    assert loaded_by("plan-recall", "--help") == []
