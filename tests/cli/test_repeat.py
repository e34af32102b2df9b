"""irbounds report --repeat: the same numbers, other numbers, and pages from strangers."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from irbounds.cli import runner as running
from irbounds.cli.app import VERBS, load_verb, options_of_command
from irbounds.cli.repeat import files_to_read, make_repeatable, words_of
from irbounds.errors import InputError, ParameterError
from irbounds.presentation.html.page import BLOCK_CLOSES, BLOCK_OPENS, extract_provenance_block
from irbounds.presentation.verbosity import set_verbosity, shows_progress
from irbounds.reports.provenance import provenance_of, read_provenance
from irbounds.reports.repetition import provenance_words

RECALL = ("recall", "--retrieved", "1000", "100", "60", "--unretrieved", "9000", "300", "9")
EVALUATE = ("evaluate", "qrels.txt", "one.run", "two.run", "-m", "AP", "--n-resamples", "200")
PAGE = Path("page.html")
#: what stands for names of files
FILES = ("FILE", "DIRECTORY", "QRELS", "RUN", "SCORES", "SAMPLES", "CARD")


def kept_words(*arguments: str) -> list[str]:
    """What of a command line is run again."""
    return words_of(make_repeatable(arguments, PAGE))


def listed_files(*arguments: str) -> list[str]:
    """What a command line would read."""
    return files_to_read(make_repeatable(arguments, PAGE), PAGE)


@pytest.fixture
def page(tmp_path):
    """A page with nothing but a block, of any command line."""

    def write(*arguments: str, **parts) -> Path:
        block = json.loads(provenance_of(arguments, {}, [], []).as_json())
        text = json.dumps({**block, **parts}).replace("<", "\\u003c")
        path = tmp_path / "page.html"
        path.write_text(f"<html>{BLOCK_OPENS}{text}{BLOCK_CLOSES}</html>")
        return path

    return write


def found_files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def test_the_same_numbers_again(irbounds, tmp_path):
    assert irbounds(*RECALL, "--report", "r.html").returncode == 0
    done = irbounds("report", "--repeat", "r.html", "-o", "again.html")
    assert done.returncode == 0, done.stderr
    assert b"the same numbers: tables" in done.stdout
    assert done.stdout.endswith(b"\nthe same words, tables and figures\n")
    assert b"repeating: irbounds recall --retrieved 1000 100 60 --unretr" in done.stderr
    assert b"report: again.html (" in done.stderr
    # and the repetition can be repeated
    assert irbounds("report", "--repeat", "again.html").returncode == 0


def test_without_a_file_nothing_is_left_behind(irbounds, tmp_path):
    irbounds(*RECALL, "--report", "r.html", "--output", "table.csv")
    (tmp_path / "table.csv").unlink()
    before = found_files(tmp_path)
    done = irbounds("report", "--repeat", "r.html")
    assert (done.returncode, found_files(tmp_path)) == (0, before)
    assert b"recall" in done.stdout.partition(b"the same numbers")[0]  # the result is shown
    assert done.stderr.startswith(
        b"repeating: irbounds recall --retrieved 1000 100 60 --unretrieved 9000 300 9\n"
    )
    assert b"again.html" not in done.stderr


def test_bars_are_seen_without_a_file_though_the_command_is_quiet(irbounds, monkeypatch):
    irbounds(*RECALL, "--report", "r.html")
    seen = []
    run = running.run_job

    def watched(job, arguments):
        if job.verb.name == "recall":
            assert job.values["quiet"]
            with set_verbosity("quiet"):
                seen.append(shows_progress())
        return run(job, arguments)

    monkeypatch.setattr(running, "run_job", watched)
    irbounds("report", "--repeat", "r.html")
    irbounds("report", "--repeat", "r.html", "--quiet")
    assert seen == [True, False]


def test_verbose_and_where_to_work_are_for_the_repetition(irbounds, files):
    irbounds(*EVALUATE, "--report", "r.html", "--threads", "2", "--quiet")
    done = irbounds("report", "--repeat", "r.html", "--verbose", "--threads", "1")
    assert done.returncode == 0, done.stderr
    assert b"irbounds: on 1 thread\n" in done.stderr
    assert b"irbounds: evaluate: done in" in done.stderr


def test_a_new_page_is_opened_where_that_is_asked_for(irbounds, page, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    page(*RECALL, "--report", "r.html", "--open")
    irbounds("report", "--repeat", "page.html", "-o", "again.html")
    assert opened == []  # a page of somebody else opens nothing
    irbounds("report", "--repeat", "page.html", "-o", "again.html", "--open")
    assert [name.rpartition("/")[2] for name in opened] == ["again.html"]
    done = irbounds("report", "--repeat", "page.html", "--open")
    assert b"--open needs --output FILE" in done.stderr


def test_quiet_leaves_the_verdict_alone(irbounds):
    irbounds(*RECALL, "--report", "r.html")
    done = irbounds("report", "--repeat", "r.html", "--quiet")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"the same numbers: tables")


def test_a_changed_run_is_named_with_the_rows_that_differ(irbounds, files):
    irbounds(*EVALUATE, "--report", "r.html")
    run = files / "two.run"
    run.write_text(run.read_text().replace("q3 Q0 d0", "q3 Q0 d99"))
    done = irbounds("report", "--repeat", "r.html")
    said = done.stdout.decode()
    assert done.returncode == 1
    assert "\ntwo.run has changed: sha256 " in f"\n{said}"
    assert said.count("has changed") == 1
    assert "the numbers differ\n  1 of 2 rows: AP: mean over 6 judged queries" in said


def test_other_versions_are_named_and_have_their_own_status(irbounds, tmp_path):
    irbounds(*RECALL, "--report", "r.html")
    path = tmp_path / "r.html"
    block = json.loads(extract_provenance_block(path.read_text()))
    old = json.dumps({**block, "libraries": {**block["libraries"], "scipy": "1.0"}})
    (tmp_path / "old.html").write_text(f"{BLOCK_OPENS}{old}{BLOCK_CLOSES}")
    done = irbounds("report", "--repeat", "old.html")
    assert done.returncode == 3
    assert f"scipy: {block['libraries']['scipy']}, was 1.0\n" in done.stdout.decode()


# pages that read otherwise than irbounds writes

FORGED = b"the words, tables or figures on this page are not those that irbounds writes: "


def test_visible_numbers_that_are_not_ours(irbounds, tmp_path):
    """Changed above the block only, as anyone can with an editor."""
    irbounds(*RECALL, "--report", "r.html")
    text = (tmp_path / "r.html").read_text()
    words, block = text.split(BLOCK_OPENS)
    forged = re.sub(r"between 0\.\d+", "between 0.99", words)
    assert forged != words
    (tmp_path / "r.html").write_text(f"{forged}{BLOCK_OPENS}{block}")
    done = irbounds("report", "--repeat", "r.html", "--quiet")
    assert (done.returncode, done.stderr) == (1, b"")
    assert done.stdout.startswith(FORGED + b"section '")
    assert done.stdout.count(b"\n") == 1


def test_options_that_are_not_those_of_the_command(irbounds, tmp_path):
    """Words that agree with their block, which does not agree with its own command."""
    irbounds(*RECALL, "--report", "r.html")
    text = (tmp_path / "r.html").read_text()
    was = read_provenance(extract_provenance_block(text), "r.html")
    now = replace(was, options={**was.options, "confidence_level": 0.99})
    text = text.replace(extract_provenance_block(text), now.as_json())
    for old, new in zip(provenance_words(was), provenance_words(now), strict=True):
        text = text.replace(old, new)
    (tmp_path / "r.html").write_text(text)
    done = irbounds("report", "--repeat", "r.html", "--quiet")
    assert (done.returncode, done.stdout) == (1, FORGED + b"the options under 'Provenance'\n")


def test_a_forged_page_of_other_versions_is_not_said_to_be_the_same(irbounds, tmp_path):
    irbounds(*RECALL, "--report", "r.html")
    text = (tmp_path / "r.html").read_text().replace("<h1>", "<h1>Certified: ")
    (tmp_path / "r.html").write_text(text.replace('"python": "3', '"python": "2'))
    done = irbounds("report", "--repeat", "r.html", "--quiet")
    assert done.returncode == 3
    assert (
        b"\nonly the numbers in its block were compared: the page differs, first in" in done.stdout
    )
    assert b"the same words" not in done.stdout


def test_a_page_of_other_versions_that_reads_the_same_is_the_same(irbounds, tmp_path):
    irbounds(*RECALL, "--report", "r.html")
    text = (tmp_path / "r.html").read_text()
    was = read_provenance(extract_provenance_block(text), "r.html")
    now = replace(was, libraries={**was.libraries, "scipy": "1.0"})
    text = text.replace(extract_provenance_block(text), now.as_json())
    for old, new in zip(provenance_words(was), provenance_words(now), strict=True):
        text = text.replace(old, new)
    (tmp_path / "r.html").write_text(text)
    done = irbounds("report", "--repeat", "r.html", "--quiet")
    assert done.returncode == 0
    assert b", was 1.0\n" in done.stdout
    assert done.stdout.endswith(b"\nthe same words, tables and figures\n")


@pytest.mark.parametrize(
    "command",
    [
        (*EVALUATE, "--per-query", "--digits", "3", "--quiet"),
        (*EVALUATE, "--output", "table.csv", "--figure", "means.svg", "--width", "300"),
        ("evaluate", "qrels.txt", ".", "-m", "AP", "--method", "student-t"),
        ("compare", "qrels.txt", "one.run", "two.run", "-m", "AP", "--n-resamples", "200"),
        ("rank", "qrels.txt", "one.run", "two.run", "-m", "AP", "--n-resamples", "200"),
        ("check", "qrels.txt", "one.run", "./two.run"),
        ("chance", "100", "5"),
        ("corpus", "qrels.txt", "one.run", "--corpus-size", "900", "--n-images", "20", "--verbose"),
        (*RECALL, "--method", "koopman", "--digits", "5"),
    ],
    ids=lambda command: command[0],
)
def test_what_nobody_changed_raises_no_alarm(irbounds, files, command):
    irbounds(*command, "--report", "r.html")
    assert (files / "r.html").is_file()
    done = irbounds("report", "--repeat", "r.html")
    assert done.returncode == 0
    assert done.stdout.endswith(b"\nthe same words, tables and figures\n")


@pytest.mark.parametrize("command", [EVALUATE, ("evaluate", "--scores", "AP=scores.csv")])
def test_where_files_are_not_there_it_says_where_to_run(irbounds, page, command):
    page(*command)
    done = irbounds("report", "--repeat", "page.html", "--quiet")
    assert done.returncode == 2
    assert done.stderr.endswith(
        b": no such file or directory; run it in the directory where the report was made\n"
    )
    assert done.stderr.count(b"\n") == 1


def test_names_of_a_stranger_are_spelt_out(irbounds, page):
    inputs = [{"name": "\x1b[2Jx", "fingerprint": "sha256:" + "0" * 64}]
    page(*RECALL, inputs=inputs)
    done = irbounds("report", "--repeat", "page.html", "--quiet")
    assert done.stdout.startswith(b"\\x1b[2Jx is no longer read: was sha256 000000000000\n")


def test_the_status_of_a_command_is_not_that_of_its_repetition(irbounds, files):
    """check ends with 1 where something is odd; that is no difference."""
    (files / "short.run").write_text("q0 Q0 d0 1 1 t\n")
    assert irbounds("check", "qrels.txt", "short.run", "--report", "r.html").returncode == 1
    assert irbounds("report", "--repeat", "r.html").returncode == 0


# pages from strangers


@pytest.mark.parametrize(
    "writes",
    [
        ("--output", "stolen.csv"),
        ("--output=stolen.csv",),
        ("-o", "stolen.csv"),
        ("-ostolen.csv",),
        ("--figure", "stolen.svg"),
        ("--figure=stolen.png",),
        ("--report", "stolen.html"),
        ("--report=stolen.html", "--report=other.html"),
        ("--format", "csv", "--output", "stolen"),
    ],
)
def test_what_writes_is_left_out_however_it_is_spelt(writes):
    kept = [word for word in kept_words(*RECALL, *writes) if word != "--format=csv"]
    assert kept == kept_words(*RECALL)


def test_a_page_cannot_have_files_written(irbounds, page, tmp_path):
    stolen = ("--output", "stolen.csv", "--figure=stolen.svg", "--report", "stolen.html")
    page(*RECALL, *stolen)
    before = found_files(tmp_path)
    done = irbounds("report", "--repeat", "page.html", "-o", "again.html")
    assert done.returncode == 1, done.stderr  # it ran, and the empty block's numbers are others
    assert found_files(tmp_path) == {*before, "again.html"}


def test_nor_factors_nor_files_after_two_dashes(irbounds, page, tmp_path):
    (tmp_path / "scores.csv").write_text("query_id,a,b\nq1,0.1,0.2\nq2,0.3,0.1\nq3,0.5,0.5\n")
    page("standardise", "AP=scores.csv", "--write-factors", "stolen.json", "--reference", "a,b")
    before = found_files(tmp_path)
    irbounds("report", "--repeat", "page.html", "-o", "again.html")
    assert found_files(tmp_path) <= {*before, "again.html"}
    assert kept_words("evaluate", "--", "--output=stolen") == ["evaluate", "--", "--output=stolen"]


def test_files_are_listed_before_they_are_read(irbounds, files):
    irbounds(*EVALUATE, "--report", "r.html")
    (files / "two.run").write_text("no run\n")
    done = irbounds("report", "--repeat", "r.html")
    assert done.returncode == 2
    *lines, error = done.stderr.decode().splitlines()
    assert lines[1:] == ["reading: qrels.txt", "reading: one.run", "reading: two.run"]
    assert "two.run" in error


def test_what_is_listed_is_what_is_there_under_any_spelling(files, monkeypatch):
    monkeypatch.chdir(files)
    (files / "AP=odd.csv").write_text("")
    (files / "many").mkdir()
    (files / "many" / "a.parquet").write_text("")
    (files / "many" / "b.run").write_text("")
    listed = {
        ("evaluate", "--scores", "AP=one.run"): ["one.run"],
        ("evaluate", "--scores", "AP=odd.csv"): ["AP=odd.csv"],
        ("evaluate", "--scores", "AP=m*/*.parquet"): ["many/a.parquet"],
        ("evaluate", "--scores", "many"): ["many/a.parquet"],
        ("evaluate", "qrels.txt", "many"): ["qrels.txt", "many/b.run"],
        ("evaluate", "qrels.txt", "*.run"): ["qrels.txt", "one.run", "two.run"],
        ("evaluate", "qrels.txt", "."): ["qrels.txt", "one.run", "two.run"],
        ("report", "qrels.txt", "AP=odd.csv"): ["qrels.txt", "AP=odd.csv"],
        ("study", "park2010", "--data", "many"): ["many"],
        ("chance", "100", "5"): [],
        ("evaluate", "missing", "one.run", "x\0y", "--output", "qrels.txt"): ["one.run"],
        RECALL: [],
    }
    for arguments, expected in listed.items():
        assert listed_files(*arguments) == expected


def test_a_pipe_in_a_directory_of_runs_is_not_read(irbounds, page, files, within):
    (files / "many").mkdir()
    os.mkfifo(files / "many" / "a.run")
    page("evaluate", "qrels.txt", "many")
    with within(20):  # to open the pipe would wait for ever
        done = irbounds("report", "--repeat", "page.html")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"many: no runs in this directory" in done.stderr


def test_a_directory_is_read_for_data_only(irbounds, page, files):
    (files / "many").mkdir()
    page("evaluate", "many", "one.run")
    done = irbounds("report", "--repeat", "page.html")
    assert done.returncode == 2
    assert b"page.html: its command reads many, which is a directory" in done.stderr


@pytest.mark.parametrize("name", ["pipe", "AP=pipe", "link", "many", "m*/*.parquet", "/dev/null"])
def test_what_is_no_file_is_refused_before_it_is_opened(irbounds, page, tmp_path, within, name):
    (tmp_path / "many").mkdir()
    for pipe in ("pipe", "many/pipe.parquet"):
        os.mkfifo(tmp_path / pipe)
    (tmp_path / "link").symlink_to("pipe")
    page("evaluate", "--scores", name)
    with within(20):  # to open the pipe would wait for ever
        done = irbounds("report", "--repeat", "page.html")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"irbounds: error: page.html: its command reads ")
    kind = b"a device" if name.startswith("/dev") else b"a named pipe"
    assert b", which is " + kind in done.stderr
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("name", ["//host/share/a.run", r"\\host\share\a.run", r"AP=\\host\a.csv"])
def test_no_other_machine_is_asked(name):
    with pytest.raises(InputError, match=r"on another machine"):
        listed_files("evaluate", "--scores", name)
    with pytest.raises(InputError, match=r"on another machine"):
        listed_files("evaluate", "qrels.txt", name)


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_terminated_it_leaves_nothing(irbounds, files, tmp_path):
    irbounds(*EVALUATE, "--report", "r.html")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "irbounds", "report", "--repeat", "r.html"],
        cwd=files,
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    while not list(temporary.glob("irbounds-*")):
        assert process.poll() is None
        time.sleep(0.01)
    process.terminate()
    told = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM
    assert b"Traceback" not in told[1]
    assert list(temporary.iterdir()) == []


def test_every_option_that_names_a_file_says_what_becomes_of_it():
    """An option that writes is left out because it says so."""
    written = set()
    for name, one in _options_of_commands_with_reports():
        if one.metavar in FILES or "path" in str(one.kind.value_type).lower():
            assert one.option.file, (name, one.name)
        if one.option.file == "write":
            written.add(one.name)
    assert written == {
        *("output", "figure", "figures", "report", "write_factors", "checkpoint"),
    }


def _options_of_commands_with_reports():
    for name in VERBS:
        options = options_of_command(load_verb(name))
        if name == "report" or any(one.name == "report" for one in options):
            yield from ((name, one) for one in options)


@pytest.mark.parametrize(
    "arguments",
    [
        ("simulate", "stolen"),
        ("data", "fetch", "robust03", "--into", "stolen"),
        ("data", "list"),
    ],
)
def test_commands_without_a_report_are_not_run(irbounds, page, tmp_path, arguments):
    page(*arguments)
    before = found_files(tmp_path)
    done = irbounds("report", "--repeat", "page.html")
    assert done.returncode == 2
    assert done.stderr.startswith(b"irbounds: error: page.html: its command makes no report: ")
    assert done.stderr.count(b"\n") == 1
    assert found_files(tmp_path) == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["fly", "to", "moon"], "its command is unknown here: fly"),
        ([], "made in Python by irbounds.report"),
        (["--version"], "its command is unknown here: --version"),
        (["study", "nobody1900"], "its command is unknown here: study nobody1900"),
        (["evaluate", "--wings", "2"], "its command cannot be read here: No such option"),
        (["recall", "--retrieved", "1"], "its command cannot be read here: "),
        (["recall", "--retrieved", "1", "--output", "x"], "its command cannot be read here: "),
        (["report", "--repeat", "page.html"], "its command repeats another report"),
        (["--install-completion"], "its command is unknown here: --install-completion"),
        (["--debug", "evaluate"], "its command is unknown here: --debug"),
        (["evaluate", "--help"], "its command makes no report"),
        (["study"], "its command is unknown here: study"),
        (["fly\x1b[2J"], r"unknown here: .*fly\\x1b\[2J"),
    ],
)
def test_what_cannot_be_run_is_an_error(arguments, said, capsys):
    with pytest.raises(InputError, match=f"^page.html: .*{said}"):
        make_repeatable(arguments, PAGE)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    "arguments",
    [
        ["evaluate", "-", "a.run"],
        ["evaluate", "qrels", "a.run", "-"],
        ["evaluate", "--scores", "-"],
        ["evaluate", "--scores", "AP=-"],
        ["corpus", "q", "r", "--corpus", "-"],
    ],
)
def test_standard_input_cannot_be_read_again(arguments):
    with pytest.raises(ParameterError, match="made from standard input, which cannot be read"):
        make_repeatable(arguments, PAGE)


def test_what_is_kept_is_what_was_given():
    given = ["evaluate", "q", "-mAP", "a.run", "--n-resamples=9", "--chance", "-m", "RR", "b.run"]
    assert kept_words(*given, "--verbose", "--threads", "3") == [
        *("evaluate", "--measures=AP", "--measures=RR", "--n-resamples=9", "--chance"),
        *("--", "q", "a.run", "b.run"),
    ]
    assert kept_words("report", "q", "r", "-o", "r.html") == ["report", "--", "q", "r"]
    assert kept_words("evaluate", "--bounds=--x", "--title", "-") == [
        *("evaluate", "--bounds=--x", "--title=-"),
    ]
    several = ["recall", "--retrieved", "-1", "5", "6", "--prior=--x"]
    assert kept_words(*several) == several


def test_what_is_kept_is_understood_as_it_was_given():
    given = ["evaluate", "-m", "AP,RR", "--scores", "a=-b", "--seed", "-1", "--title", "--x"]
    job = make_repeatable(given, PAGE)
    assert make_repeatable(words_of(job), PAGE) == job


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", b"has no provenance block"),
        (b"<html>a page</html>", b"has no provenance block"),
        (b"\xff\xfe\x00binary", b"this is not a report of irbounds"),
        (f"{BLOCK_OPENS}{{".encode(), b"has no provenance block"),
        (f"{BLOCK_OPENS}{{{BLOCK_CLOSES}".encode(), b"its provenance block is not JSON"),
        (f"{BLOCK_OPENS}[]{BLOCK_CLOSES}".encode(), b"has no readable parts"),
    ],
)
def test_what_is_no_report_is_said_in_one_line(irbounds, write, content, said):
    write("page.html", content)
    done = irbounds("report", "--repeat", "page.html")
    assert done.returncode == 2
    assert done.stderr.startswith(b"irbounds: error: page.html: ")
    assert said in done.stderr
    assert done.stderr.count(b"\n") == 1
    assert done.stdout == b""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--repeat", "no.html"), b"no.html: No such file"),
        (("--repeat", "page.html", "-o", "page.html"), b"this is the page to repeat; give another"),
        (("--repeat", "page.html", "-o", "page.pdf"), b"use an extension of .html, .htm"),
        (("--repeat", "page.html", "--seed", "3"), b"from the page; got --seed too"),
        (("q", "r", "--repeat", "page.html"), b"got QRELS and RUN too"),
    ],
)
def test_options_of_a_repetition(irbounds, page, arguments, said):
    page(*RECALL)
    done = irbounds("report", *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_an_error_of_the_command_is_that_of_its_repetition(irbounds, page):
    page("evaluate", "missing.txt", "missing.run")
    done = irbounds("report", "--repeat", "page.html", "--quiet")
    assert done.returncode == 2
    assert done.stderr.startswith(b"irbounds: error: ")
    assert done.stderr.count(b"\n") == 1
