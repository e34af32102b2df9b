"""Error messages on the command line name options, not parameters of the library."""

from __future__ import annotations

import re

import pytest

from irbounds.cli.app import VERBS
from irbounds.cli.error_messages import describe_error, option_names
from irbounds.errors import DataError, InputError, MeasureError, ParameterError

COUNTS = ("recall", "--retrieved", "1000", "100", "60", "--unretrieved", "9000", "300", "9")


@pytest.mark.parametrize(
    ("command", "message", "words"),
    [
        ("evaluate", "confidence_level must be a fraction; got 95", "--confidence-level must be a"),
        ("evaluate", "method 'x' is given twice", "--method 'x' is given twice"),
        ("compare", "adjustment must be one of 'holm'; got 'x'", "--adjustment must be one of"),
        ("rank", "scores must be finite numbers", "--scores must be finite numbers"),
        ("plan-recall", "n_relevant must be 1", "--n-relevant must be 1"),
        ("plan-recall", "retrieved_size is for a budget", "--retrieved-size is for a budget"),
        ("recall", "needs strata, or retrieved and unretrieved", "--retrieved and --unretrieved"),
        ("chance", "n_relevant must be at most n_documents", "--n-relevant must be at most --n-d"),
        ("simulate", "corpus_size must be at least 1", "--corpus-size must be at least 1"),
        ("compare", "too much; or take method='student-t'", "too much; or take --method student-t"),
        ("evaluate", "rng must be given", "--seed must be given"),
        ("report", "needs qrels and runs, or scores", "needs QRELS and RUN, or --scores"),
        # not a parameter, or not a parameter of this command
        ("evaluate", "no system 'n_resamples' here", "no system 'n_resamples' here"),
        ("evaluate", "a run without queries", "a run without queries"),
        ("evaluate", "/data/n_resamples.csv: odd", "/data/n_resamples.csv: odd"),
        ("evaluate", "n_images must be 2", "n_images must be 2"),
        ("evaluate", "--baseline x: scores", "--baseline x: scores"),
        ("data list", "n_images must be 2", "n_images must be 2"),
    ],
)
def test_error_messages_name_options_of_the_command(command, message, words):
    for kind in (ParameterError, MeasureError, DataError):
        assert words in describe_error(kind(message), command.split())


def test_error_messages_keep_file_names():
    error = InputError("scores: no such file or directory")
    assert describe_error(error, ["evaluate"]) == "scores: no such file or directory"


def test_option_names_can_be_typed_on_the_command_line():
    for name in VERBS:
        for word, typed in option_names(name.split()).items():
            assert re.fullmatch(r"--[a-z0-9-]+|[A-Z ]+", typed), (name, word, typed)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            (*COUNTS, "--confidence-level", "95%"),
            "--confidence-level must be a fraction between 0 and 1; got '95%', did you mean 0.95?",
        ),
        ((*COUNTS, "--confidence-level=2.5 %"), "got '2.5 %', did you mean 0.025?"),
        ((*COUNTS, "--confidence-level", "high"), "--confidence-level"),
        ((*COUNTS, "--format", "md"), "; got 'md', did you mean markdown?"),
        ((*COUNTS, "--format", "tex"), "; got 'tex', did you mean latex?"),
        ((*COUNTS, "--format", "xyz"), "--format must be one of 'table', 'csv', 'json'"),
        ((*COUNTS, "--seed", "-1"), "--seed"),
        (("simulate", "x", "--n-systems", "0"), "--n-systems must be "),
        (("evaluate", "--wings"), "no option --wings"),
    ],
)
def test_values_of_wrong_type_are_errors(irbounds, arguments, words):
    result = irbounds(*arguments)
    assert (result.returncode, result.stdout) == (2, b"")
    message = result.stderr.decode()
    assert words in message
    for leaked in ("Value error", "Input should", "unable to parse"):
        assert leaked not in message
    assert message.count("\n") == 1


def test_debug_adds_the_traceback(irbounds, files):
    for arguments in (
        ("--debug", "evaluate", "qrels.txt", "x"),
        ("evaluate", "qrels.txt", "x", "--debug"),
    ):
        result = irbounds(*arguments)
        assert result.returncode == 2
        assert b"Traceback" in result.stderr
        assert b"InputError" in result.stderr
        assert result.stderr.splitlines()[-1].startswith(b"irbounds: error: x: ")


@pytest.mark.parametrize("place", ["runner.run_command", "error_messages.describe_error"])
def test_unexpected_errors_have_the_status_of_no_verdict(irbounds, files, monkeypatch, place):
    def fail(*arguments):
        raise ZeroDivisionError("float division by zero")

    monkeypatch.setattr(f"irbounds.cli.{place}", fail)
    result = irbounds("gate", "qrels.txt", "one.run", "absent.run", "--margin", "0.01")
    assert (result.returncode, result.stdout) == (70, b"")
    assert b"Traceback" in result.stderr
