"""Execution options: which commands have them, invalid values, unchanged numbers."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from irbounds.cli.app import VERBS, ExecutionOptions, load_verb, options_of_command
from irbounds.cli.error_messages import describe_error
from irbounds.cli.help import help_lines
from irbounds.cli.repeat import make_repeatable, words_of
from irbounds.parallel import dask
from irbounds.parallel.execution import Execution, current_execution
from irbounds.requests.request import options_of

EVALUATE = ("evaluate", "qrels.txt", "one.run", "two.run", "-m", "AP", "--method", "percentile")
CORPUS = ("corpus", "qrels.txt", "one.run", "two.run", "--corpus-size", "90", "--n-images", "200")
OPTIONS = ("--threads", "--dask", "--checkpoint", "--memory")
WITH_WORK = {
    *("ap", "evaluate", "compare", "rank", "corpus", "chance", "card", "report"),
    "standardise",
}
WITH_FILES = {  # to read
    *("recall", "compare-cards", "check", "plan-queries", "plan-reliability", "gate"),
    "draw",
}
WITHOUT = {
    *("demo", "simulate"),
    *("plan-recall", "measures", "docs", "help"),
}


def test_execution_options_by_command():
    commands_by_flags = {}
    for name in VERBS:
        options = options_of_command(load_verb(name))
        flags = {option.flag for option in options} & set(OPTIONS)
        commands_by_flags.setdefault(frozenset(flags), set()).add(name)
    assert commands_by_flags == {
        frozenset(OPTIONS): WITH_WORK,
        frozenset({"--memory"}): WITH_FILES,
        frozenset(): WITHOUT,
    }


def test_help_states_that_threads_change_no_number():
    lines = help_lines(load_verb("evaluate"), is_all=True)
    help_text = " ".join(" ".join(line.plain for line in lines).split())
    assert "Number of threads, or of processes with --dask local. Changes no number." in help_text
    assert "IRBOUNDS_THREADS" in help_text
    assert [option.flag for option in options_of(ExecutionOptions)] == [*OPTIONS]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--threads", "0"], "--threads must be .* of at least 1; got 0"),
        (["--threads", "-3"], "--threads must be .* of at least 1; got -3"),
        (["--threads", "two"], "--threads must be an integer; got 'two'"),
        (["--threads", "2.5"], "--threads must be an integer; got '2.5'"),
        (["--memory", "2"], "--memory 2 is 2 bytes; write 2GiB"),
        (["--memory", "500"], "--memory 500 is 500 bytes; write 500MiB"),
        (["--memory", "nonsense"], "--memory must be a size such as 2GiB or 500MB; got 'nonsense'"),
        (["--memory", "0"], "--memory must be a size such as 2GiB or 500MB; got '0'"),
        (["--checkpoint", "qrels.txt"], "--checkpoint qrels.txt: this is a file; .*"),
        (
            ["--threads", "2", "--dask", "tcp://127.0.0.1:9"],
            "--threads and --dask ADDRESS: the cluster has threads of its own",
        ),
        (["--dask", "nonsense"], "--dask takes an address such as .*; got 'nonsense'"),
        (
            ["--dask", "http://127.0.0.1:9"],
            "--dask takes an address such as .*; got 'http://127.0.0.1:9'",
        ),
    ],
)
def test_invalid_execution_options_are_one_line_errors(irbounds, files, options, message):
    (files / "one.run").write_text("this would be an error of its own\n")
    result = irbounds(*EVALUATE, *options)
    assert (result.returncode, result.stdout) == (2, b"")
    assert re.fullmatch(f"irbounds: error: {message}\n", result.stderr.decode())


@pytest.mark.parametrize(
    "options", [("--threads", "0"), ("--memory", "much"), ("--checkpoint", "qrels.txt")], ids=str
)
def test_invalid_options_start_no_cluster(irbounds, files, monkeypatch, options):
    monkeypatch.setattr(dask, "_start_cluster", lambda *_: pytest.fail("a cluster"))
    result = irbounds(*EVALUATE, "--dask", "local", *options)
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.startswith(f"irbounds: error: {options[0]} ".encode())


def test_invalid_threads_variable_is_an_error(irbounds, files):
    result = irbounds(*EVALUATE, IRBOUNDS_THREADS="many")
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.startswith(b"irbounds: error: IRBOUNDS_THREADS must be ")
    assert result.stderr.endswith(b"; got 'many'\n")


def test_unreachable_scheduler_is_an_error(irbounds, files, monkeypatch):
    monkeypatch.setattr(dask, "CONNECT_TIMEOUT", 0.5)
    result = irbounds(*EVALUATE, "--dask", "tcp://127.0.0.1:9")
    assert (result.returncode, result.stdout) == (2, b"")
    message = r"irbounds: error: no Dask scheduler at tcp://127\.0\.0\.1:9: .* 8786 .*\n"
    assert re.fullmatch(message, result.stderr.decode())


@pytest.mark.parametrize("name", ["distributed", "cryptography"])
@pytest.mark.slow
def test_missing_dask_package_is_an_error(irbounds, files, monkeypatch, name):
    monkeypatch.setitem(sys.modules, name, None)
    result = irbounds(*EVALUATE, "--dask", "local")
    message = (
        f'irbounds: error: {name} is not installed; it comes with: pip install "irbounds[dask]"\n'
    )
    assert (result.returncode, result.stdout, result.stderr.decode()) == (2, b"", message)
    assert irbounds(*EVALUATE).returncode == 0  # only --dask needs it


@pytest.mark.parametrize("command", [EVALUATE, CORPUS], ids=["evaluate", "corpus"])
def test_execution_options_change_no_number(irbounds, files, command):
    expected = irbounds(*command, "--format", "json", "--threads", "1").stdout
    assert json.loads(expected)
    for options in (
        (),
        ("--threads", "3"),
        ("--checkpoint", "kept"),
        ("--checkpoint", "kept", "--threads", "2"),  # read from the checkpoint
        ("--memory", "1GiB"),
    ):
        result = irbounds(*command, "--format", "json", *options)
        assert (result.returncode, result.stdout) == (0, expected), options
    assert irbounds(*command, "--format", "json", IRBOUNDS_THREADS="2").stdout == expected
    other = irbounds(*command, "--format", "json", "--seed", "9").stdout
    assert other != expected  # negative control


def test_execution_options_are_reset_after_the_command(irbounds, files):
    assert irbounds(*EVALUATE, "--threads", "1", "--memory", "1GiB").returncode == 0
    assert current_execution() == Execution()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--threads", "1"), "on 1 thread"),
        (("--threads", "3"), "on 3 threads"),
        (
            ("--threads", "3", "--checkpoint", "kept", "--memory", "1GiB"),
            "on 3 threads, finished work in kept, within 1GiB",
        ),
    ],
)
def test_verbose_names_threads_checkpoint_and_memory(irbounds, files, options, message):
    result = irbounds(*EVALUATE, "--verbose", *options)
    assert f"irbounds: {message}\n" in result.stderr.decode()
    assert b"irbounds: on " not in irbounds(*EVALUATE, *options).stderr


def test_interruption_message_names_the_checkpoint(irbounds, files, monkeypatch):
    message = "irbounds: interrupted; finished work is in kept, run the same command to resume\n"

    def interrupt_command(*options, at="irbounds.cli.runner.show_answer"):
        with monkeypatch.context() as patched:
            patched.setattr(at, _interrupt)
            result = irbounds(*EVALUATE, *options)
        assert (result.returncode, result.stdout) == (130, b"")
        return result.stderr.decode()

    assert interrupt_command("--checkpoint", "kept") == message
    assert interrupt_command() == "irbounds: interrupted\n"
    # no message about the checkpoint before it has been written
    reading = "irbounds.requests.inputs.ScoreInput.read_table"
    assert interrupt_command("--checkpoint", "new", at=reading) == "irbounds: interrupted\n"
    assert interrupt_command(at="irbounds.cli.runner.parse") == "irbounds: interrupted\n"


def _interrupt(*arguments, **options):
    raise KeyboardInterrupt


def test_repeated_command_keeps_only_the_memory_option():
    """Only --memory may change which results are stored; the other options change no number."""
    execution_options = ("--threads", "3", "--dask", "local", "--checkpoint", "kept")
    repeated_arguments = words_of(
        make_repeatable([*EVALUATE, *execution_options, "--memory", "2GiB"], Path("page.html"))
    )
    assert not [
        argument
        for argument in repeated_arguments
        if re.match("--(threads|dask|checkpoint)", argument)
    ]
    assert "--memory=2GiB" in repeated_arguments


@pytest.mark.slow
def test_page_with_memory_limit_is_repeated(irbounds, files):
    first_result = irbounds(*CORPUS, "--memory", "1GiB", "--threads", "2", "--report", "r.html")
    assert first_result.returncode == 0, first_result.stderr
    result = irbounds("report", "--repeat", "r.html")
    assert result.returncode == 0, result.stdout
    assert b"the same numbers" in result.stdout
    assert b"--memory=1GiB" in result.stderr
    assert b"--threads" not in result.stderr


@pytest.mark.slow
def test_dask_is_not_loaded_without_the_option(loaded_by, files):
    scores = files / "s.csv"
    scores.write_text("query,a\nq1,0.5\nq2,0.25\nq3,0.75\n")
    assert "distributed" not in loaded_by("evaluate", "--scores", str(scores), "--threads", "2")


def test_memory_error_message_suggests_remedies():
    message = describe_error(MemoryError(), [])
    for term in ("smaller files", "systems", "resamples", "--memory"):
        assert term in message
