"""Where a command works: the options, what they refuse, and that they change no number."""

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
    *("evaluate", "compare", "calibrate", "rank", "corpus", "chance", "card", "report"),
    *("standardise", "study park2010", "study park2011", "study zobel2020", "study webber2013"),
}
WITH_FILES = {"recall", "compare-cards", "check", "plan-queries"}  # to read
WITHOUT = {
    *("demo", "simulate", "data list", "data fetch", "data path", "study bestgen2015"),
    *("plan-recall", "measures", "docs", "help"),
}


def test_commands_with_work_have_the_options_and_no_others_do():
    having = {}
    for name in VERBS:
        options = options_of_command(load_verb(name))
        found = {one.flag for one in options} & set(OPTIONS)
        having.setdefault(frozenset(found), set()).add(name)
    assert having == {
        frozenset(OPTIONS): WITH_WORK,
        frozenset({"--memory"}): WITH_FILES,
        frozenset(): WITHOUT,
    }


def test_the_help_says_that_no_number_changes():
    lines = help_lines(load_verb("evaluate"), is_all=True)
    shown = " ".join(" ".join(line.plain for line in lines).split())
    assert "Number of threads, or of processes with --dask local. Changes no number." in shown
    assert "IRBOUNDS_THREADS" in shown
    assert [one.flag for one in options_of(ExecutionOptions)] == [*OPTIONS]


@pytest.mark.parametrize(
    ("options", "said"),
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
def test_what_cannot_be_is_said_in_one_line_before_any_work(irbounds, files, options, said):
    (files / "one.run").write_text("this would be an error of its own\n")
    done = irbounds(*EVALUATE, *options)
    assert (done.returncode, done.stdout) == (2, b"")
    assert re.fullmatch(f"irbounds: error: {said}\n", done.stderr.decode())


@pytest.mark.parametrize(
    "options", [("--threads", "0"), ("--memory", "much"), ("--checkpoint", "qrels.txt")], ids=str
)
def test_no_cluster_is_started_for_what_cannot_be(irbounds, files, monkeypatch, options):
    monkeypatch.setattr(dask, "_start_cluster", lambda *_: pytest.fail("a cluster"))
    done = irbounds(*EVALUATE, "--dask", "local", *options)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(f"irbounds: error: {options[0]} ".encode())


def test_a_variable_that_is_no_number_is_said_before_any_work(irbounds, files):
    done = irbounds(*EVALUATE, IRBOUNDS_THREADS="many")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"irbounds: error: IRBOUNDS_THREADS must be ")
    assert done.stderr.endswith(b"; got 'many'\n")


def test_a_scheduler_that_does_not_answer(irbounds, files, monkeypatch):
    monkeypatch.setattr(dask, "CONNECT_TIMEOUT", 0.5)
    done = irbounds(*EVALUATE, "--dask", "tcp://127.0.0.1:9")
    assert (done.returncode, done.stdout) == (2, b"")
    said = r"irbounds: error: no Dask scheduler at tcp://127\.0\.0\.1:9: .* 8786 .*\n"
    assert re.fullmatch(said, done.stderr.decode())


@pytest.mark.parametrize("name", ["distributed", "cryptography"])
def test_without_dask(irbounds, files, monkeypatch, name):
    monkeypatch.setitem(sys.modules, name, None)
    done = irbounds(*EVALUATE, "--dask", "local")
    said = (
        f'irbounds: error: {name} is not installed; it comes with: pip install "irbounds[dask]"\n'
    )
    assert (done.returncode, done.stdout, done.stderr.decode()) == (2, b"", said)
    assert irbounds(*EVALUATE).returncode == 0  # nothing else needs it


@pytest.mark.parametrize("command", [EVALUATE, CORPUS], ids=["evaluate", "corpus"])
def test_no_option_changes_a_number(irbounds, files, command):
    expected = irbounds(*command, "--format", "json", "--threads", "1").stdout
    assert json.loads(expected)
    for options in (
        (),
        ("--threads", "3"),
        ("--checkpoint", "kept"),
        ("--checkpoint", "kept", "--threads", "2"),  # this time from what is kept
        ("--memory", "1GiB"),
    ):
        done = irbounds(*command, "--format", "json", *options)
        assert (done.returncode, done.stdout) == (0, expected), options
    assert irbounds(*command, "--format", "json", IRBOUNDS_THREADS="2").stdout == expected
    other = irbounds(*command, "--format", "json", "--seed", "9").stdout
    assert other != expected  # the control


def test_it_holds_for_the_command_alone(irbounds, files):
    assert irbounds(*EVALUATE, "--threads", "1", "--memory", "1GiB").returncode == 0
    assert current_execution() == Execution()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--threads", "1"), "on 1 thread"),
        (("--threads", "3"), "on 3 threads"),
        (
            ("--threads", "3", "--checkpoint", "kept", "--memory", "1GiB"),
            "on 3 threads, finished work in kept, within 1GiB",
        ),
    ],
)
def test_verbose_says_on_what(irbounds, files, options, said):
    done = irbounds(*EVALUATE, "--verbose", *options)
    assert f"irbounds: {said}\n" in done.stderr.decode()
    assert b"irbounds: on " not in irbounds(*EVALUATE, *options).stderr


def test_an_interruption_says_where_the_command_goes_on_from(irbounds, files, monkeypatch):
    told = "irbounds: interrupted; finished work is in kept, run the same command to resume\n"

    def interrupted(*options, at="irbounds.cli.runner.show_answer"):
        with monkeypatch.context() as patched:
            patched.setattr(at, _interrupt)
            done = irbounds(*EVALUATE, *options)
        assert (done.returncode, done.stdout) == (130, b"")
        return done.stderr.decode()

    assert interrupted("--checkpoint", "kept") == told
    assert interrupted() == "irbounds: interrupted\n"
    # nothing is kept before anything is done
    reading = "irbounds.requests.inputs.ScoreInput.read_table"
    assert interrupted("--checkpoint", "new", at=reading) == "irbounds: interrupted\n"
    assert interrupted(at="irbounds.cli.runner.parse") == "irbounds: interrupted\n"


def _interrupt(*given, **options):
    raise KeyboardInterrupt


def test_a_repetition_works_where_it_is_told_and_within_the_same_memory():
    """Where a page was made changes no number; its memory may have decided what was kept."""
    where = ("--threads", "3", "--dask", "local", "--checkpoint", "kept")
    kept = words_of(make_repeatable([*EVALUATE, *where, "--memory", "2GiB"], Path("page.html")))
    assert not [word for word in kept if re.match("--(threads|dask|checkpoint)", word)]
    assert "--memory=2GiB" in kept


@pytest.mark.slow
def test_a_page_of_a_bounded_command_is_repeated(irbounds, files):
    made = irbounds(*CORPUS, "--memory", "1GiB", "--threads", "2", "--report", "r.html")
    assert made.returncode == 0, made.stderr
    done = irbounds("report", "--repeat", "r.html")
    assert done.returncode == 0, done.stdout
    assert b"the same numbers" in done.stdout
    assert b"--memory=1GiB" in done.stderr
    assert b"--threads" not in done.stderr


def test_dask_is_loaded_only_where_it_is_asked_for(loaded_by, files):
    scores = files / "s.csv"
    scores.write_text("query,a\nq1,0.5\nq2,0.25\nq3,0.75\n")
    assert "distributed" not in loaded_by("evaluate", "--scores", str(scores), "--threads", "2")


def test_a_system_without_memory_is_told_what_helps():
    said = describe_error(MemoryError(), [])
    for word in ("smaller files", "systems", "resamples", "--memory"):
        assert word in said
