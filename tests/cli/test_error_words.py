"""Errors in the words of the command line: options, not parameters of the library."""

from __future__ import annotations

import re

import pytest
import typer

from irbounds.cli.app import app
from irbounds.cli.error_words import _command, _option_names, error_words
from irbounds.errors import DataError, InputError, MeasureError, ParameterError

COUNTS = ("recall", "--retrieved", "1000", "100", "60", "--unretrieved", "9000", "300", "9")


@pytest.mark.parametrize(
    ("command", "message", "words"),
    [
        ("evaluate", "confidence_level must be a fraction; got 95", "--confidence-level must be a"),
        ("evaluate", "method 'x' is given twice", "--method 'x' is given twice"),
        ("compare", "adjustment must be one of 'holm'; got 'x'", "--adjust must be one of 'holm'"),
        ("calibrate", "scores must be finite numbers", "SCORES must be finite numbers"),
        ("plan-recall", "n_relevant must be 1", "--n-relevant must be 1"),
        ("plan-recall", "retrieved_sample needs a budget", "--retrieved-sample needs a budget"),
        ("plan-recall", "a take the place of budget and split", "place of --budget and --split"),
        ("recall", "needs strata, or retrieved and unretrieved", "--retrieved and --unretrieved"),
        ("baseline", "n_relevant must be at most n_documents", "R must be at most N"),
        ("simulate", "corpus_size must be at least 1", "--corpus-size must be at least 1"),
        ("compare", "too much; or take method='student-t'", "too much; or take --method student-t"),
        ("simulate", "directory 'x' is full; overwrite=True", "DIRECTORY 'x' is full; --overwrite"),
        ("study webber2013", "n_samples must be 2", "--samples must be 2"),
        ("study park2010", "n_samples must be 2", "--n-samples must be 2"),
        ("evaluate", "rng must be given", "--seed must be given"),
        # what is no parameter, or not one of this command
        ("evaluate", "no system 'n_resamples' here", "no system 'n_resamples' here"),
        ("evaluate", "a run needs queries", "a run needs queries"),
        ("evaluate", "/data/n_resamples.csv: odd", "/data/n_resamples.csv: odd"),
        ("evaluate", "n_images must be 2", "n_images must be 2"),
        ("evaluate", "--baseline x: scores", "--baseline x: scores"),
        ("data list", "n_images must be 2", "n_images must be 2"),
    ],
)
def test_parameters_become_options_of_the_command_that_runs(command, message, words):
    for kind in (ParameterError, MeasureError, DataError):
        assert words in error_words(kind(message), command.split())


def test_names_of_files_stay_as_they_are():
    error = InputError("scores: no such file or directory")
    assert error_words(error, ["evaluate"]) == "scores: no such file or directory"


def test_every_command_has_names_that_can_be_typed():
    root = typer.main.get_command(app)
    for name in root.commands:
        for word, typed in _option_names(_command([name])[0]).items():
            assert re.fullmatch(r"--[a-z0-9-]+|[A-Z |\[\]]+", typed), (name, word, typed)


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
        ((*COUNTS, "--format", "tex"), "table, csv, json, jsonl, markdown, latex; got 'tex', did"),
        ((*COUNTS, "--format", "xyz"), "--format must be one of table, csv, json"),
        ((*COUNTS, "--digits", "1,000"), "'1,000'"),
        ((*COUNTS, "--seed", "-1"), "--seed"),
        (("simulate", "x", "--n-systems", "0"), "--n-systems must be a whole number of at least 1"),
        (("evaluate", "--wings"), "No such option: --wings"),
    ],
)
def test_values_of_the_wrong_kind(irbounds, arguments, words):
    done = irbounds(*arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    message = done.stderr.decode()
    assert words in message
    for leaked in ("Value error", "Input should", "unable to parse"):
        assert leaked not in message
    assert message.count("\n") == 1
