"""irbounds report --repeat: equal numbers, different numbers, and pages from untrusted sources."""

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
from mteb_files import write_results

RECALL = ("recall", "--retrieved", "1000", "100", "60", "--unretrieved", "9000", "300", "9")
BOOTSTRAP = ("--method", "studentised-logit", "--n-resamples", "200")
EVALUATE = ("evaluate", "qrels.txt", "one.run", "two.run", "-m", "AP", *BOOTSTRAP)
PAGE = Path("page.html")
#: metavars of file names
FILES = ("FILE", "DIRECTORY", "QRELS", "RUN", "SCORES", "SAMPLES", "CARD")


def list_repeated_arguments(*arguments: str) -> list[str]:
    """Return the arguments that are used in the repetition."""
    return words_of(make_repeatable(arguments, PAGE))


def list_input_files(*arguments: str) -> list[str]:
    """Return the files that a command line would read."""
    return files_to_read(make_repeatable(arguments, PAGE), PAGE)


@pytest.fixture
def page(tmp_path):
    """Return a function that writes a page with only a provenance block, for any command line."""

    def write(*arguments: str, **parts) -> Path:
        block = json.loads(provenance_of(arguments, {}, [], []).as_json())
        text = json.dumps({**block, **parts}).replace("<", "\\u003c")
        path = tmp_path / "page.html"
        path.write_text(f"<html>{BLOCK_OPENS}{text}{BLOCK_CLOSES}</html>")
        return path

    return write


def list_files(directory: Path) -> set[str]:
    return {str(path.relative_to(directory)) for path in directory.rglob("*")}


def test_repetition_has_the_same_numbers(irbounds, tmp_path):
    assert irbounds(*RECALL, "--report", "r.html").returncode == 0
    result = irbounds("report", "--repeat", "r.html", "-o", "again.html")
    assert result.returncode == 0, result.stderr
    assert b"the same numbers: tables" in result.stdout
    assert result.stdout.endswith(b"\nthe same words, tables and figures\n")
    assert b"repeating: irbounds recall --retrieved 1000 100 60 --unretr" in result.stderr
    assert b"report: again.html (" in result.stderr
    # the repetition can be repeated
    assert irbounds("report", "--repeat", "again.html").returncode == 0


def test_repetition_has_the_entries_and_words_of_the_cover(irbounds, tmp_path):
    entries = ("--matter", "Doe v. Roe", "--prepared-by", "A. <b>", "--date", "1 May 2026")
    options = (*entries, "--words", "ediscovery", "--title", "Validation")
    assert irbounds(*RECALL, *options, "--report", "r.html").returncode == 0
    result = irbounds("report", "--repeat", "r.html", "-o", "again.html")
    assert result.returncode == 0, result.stderr
    pages = [(tmp_path / name).read_text() for name in ("r.html", "again.html")]
    for text in pages:
        assert '<h1 id="title">Validation</h1>' in text
        assert "<dt>Matter</dt><dd>Doe v. Roe</dd>" in text
        assert "<dt>Prepared by</dt><dd>A. &lt;b&gt;</dd>" in text
        assert '<span class="entry">1 May 2026</span> <span>Date</span>' in text
        recorded = read_provenance(extract_provenance_block(text), "").options
        assert (recorded["matter"], recorded["words"]) == ("Doe v. Roe", "ediscovery")
        assert (recorded["prepared_by"], recorded["date"]) == ("A. <b>", "1 May 2026")
    (tmp_path / "r.html").write_text(pages[0].replace("Doe v. Roe", "Doe v. Poe", 1))
    result = irbounds("report", "--repeat", "r.html")
    assert result.returncode == 1
    assert b"are not those that irbounds writes: the cover" in result.stdout


def test_changed_input_with_the_same_numbers_changes_only_fingerprints(irbounds, tmp_path):
    sheet = tmp_path / "strata.csv"
    sheet.write_text("stratum,retrieved,population,sampled,relevant\na,yes,90,9,5\nb,no,99,9,1\n")
    assert irbounds("recall", "strata.csv", "--report", "r.html").returncode == 0
    sheet.write_text(sheet.read_text() + "\n")
    result = irbounds("report", "--repeat", "r.html")
    assert b"strata.csv has changed: sha256 " in result.stdout
    assert b"the same words, tables and figures" in result.stdout
    assert result.returncode == 0


def test_pdf_cannot_be_repeated(irbounds, tmp_path):
    (tmp_path / "r.pdf").write_bytes(b"%PDF-1.4\n\xd3\xeb\xe9")
    result = irbounds("report", "--repeat", "r.pdf")
    assert result.returncode == 2
    assert b"repeat an HTML page, not a PDF" in result.stderr


@pytest.mark.parametrize("option", [["--scores"], []])
def test_repetition_of_results_of_mteb_reads_the_same_files(irbounds, tmp_path, option):
    scores = {"a": {"S": 0.5, "T": 0.6}, "b": {"S": 0.4, "T": 0.7}}
    write_results(tmp_path / "results", scores)
    command = ("rank", *option, "results", "--report", "r.html")
    assert irbounds(*command).returncode == 0
    result = irbounds("report", "--repeat", "r.html")
    assert result.returncode == 0, result.stderr
    assert result.stderr.count(b"reading: results/") == 6
    write_results(tmp_path / "results", {"a": {"T": 0.9}})
    assert irbounds("report", "--repeat", "r.html").returncode == 1


def test_repetition_without_output_file_leaves_no_files(irbounds, tmp_path):
    irbounds(*RECALL, "--report", "r.html", "--output", "table.csv")
    (tmp_path / "table.csv").unlink()
    before = list_files(tmp_path)
    result = irbounds("report", "--repeat", "r.html")
    assert (result.returncode, list_files(tmp_path)) == (0, before)
    assert b"recall" in result.stdout.partition(b"the same numbers")[0]  # the result is shown
    assert result.stderr.startswith(
        b"repeating: irbounds recall --retrieved 1000 100 60 --unretrieved 9000 300 9\n"
    )
    assert b"again.html" not in result.stderr


def test_quiet_command_shows_progress_when_repeated(irbounds, monkeypatch):
    irbounds(*RECALL, "--report", "r.html")
    progress_states = []
    run = running.run_job

    def record_progress(job, arguments):
        if job.verb.name == "recall":
            assert job.values["quiet"]
            with set_verbosity("quiet"):
                progress_states.append(shows_progress())
        return run(job, arguments)

    monkeypatch.setattr(running, "run_job", record_progress)
    irbounds("report", "--repeat", "r.html")
    irbounds("report", "--repeat", "r.html", "--quiet")
    assert progress_states == [True, False]


def test_verbose_and_execution_options_apply_to_the_repetition(irbounds, files):
    irbounds(*EVALUATE, "--report", "r.html", "--threads", "2", "--quiet")
    result = irbounds("report", "--repeat", "r.html", "--verbose", "--threads", "1")
    assert result.returncode == 0, result.stderr
    assert b"irbounds: on 1 thread\n" in result.stderr
    assert b"irbounds: evaluate: done in" in result.stderr


def test_open_option_opens_the_new_page(irbounds, page, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    page(*RECALL, "--report", "r.html", "--open")
    irbounds("report", "--repeat", "page.html", "-o", "again.html")
    assert opened == []  # --open in the command line of the page is ignored
    irbounds("report", "--repeat", "page.html", "-o", "again.html", "--open")
    assert [name.rpartition("/")[2] for name in opened] == ["again.html"]
    result = irbounds("report", "--repeat", "page.html", "--open")
    assert b"--open needs --output FILE" in result.stderr


def test_quiet_shows_only_the_verdict(irbounds):
    irbounds(*RECALL, "--report", "r.html")
    result = irbounds("report", "--repeat", "r.html", "--quiet")
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.startswith(b"the same numbers: tables")


def test_changed_run_is_named_with_the_rows_that_differ(irbounds, files):
    irbounds(*EVALUATE, "--report", "r.html")
    run = files / "two.run"
    run.write_text(run.read_text().replace("q3 Q0 d0", "q3 Q0 d99"))
    result = irbounds("report", "--repeat", "r.html")
    output = result.stdout.decode()
    assert result.returncode == 1
    assert "\ntwo.run has changed: sha256 " in f"\n{output}"
    assert output.count("has changed") == 1
    assert "the numbers differ\n  1 of 2 rows: AP: mean over 6 judged queries" in output


def test_different_versions_are_named_with_their_own_exit_status(irbounds, tmp_path):
    irbounds(*RECALL, "--report", "r.html")
    path = tmp_path / "r.html"
    block = json.loads(extract_provenance_block(path.read_text()))
    old = json.dumps({**block, "libraries": {**block["libraries"], "scipy": "1.0"}})
    (tmp_path / "old.html").write_text(f"{BLOCK_OPENS}{old}{BLOCK_CLOSES}")
    result = irbounds("report", "--repeat", "old.html")
    assert result.returncode == 3
    assert f"scipy: {block['libraries']['scipy']}, was 1.0\n" in result.stdout.decode()


# pages whose text differs from what irbounds writes

FORGED = b"the words, tables or figures on this page are not those that irbounds writes: "


def test_forged_visible_numbers_are_detected(irbounds, tmp_path):
    """Only the text above the block is changed, as with an editor."""
    irbounds(*RECALL, "--report", "r.html")
    text = (tmp_path / "r.html").read_text()
    words, block = text.split(BLOCK_OPENS)
    forged = re.sub(r"between 0\.\d+", "between 0.99", words)
    assert forged != words
    (tmp_path / "r.html").write_text(f"{forged}{BLOCK_OPENS}{block}")
    result = irbounds("report", "--repeat", "r.html", "--quiet")
    assert (result.returncode, result.stderr) == (1, b"")
    assert result.stdout.startswith(FORGED + b"the cover")
    assert result.stdout.count(b"\n") == 1


def test_forged_options_are_detected(irbounds, tmp_path):
    """The text agrees with the block, but the block does not agree with its own command."""
    irbounds(*RECALL, "--report", "r.html")
    text = (tmp_path / "r.html").read_text()
    was = read_provenance(extract_provenance_block(text), "r.html")
    now = replace(was, options={**was.options, "confidence_level": 0.99})
    text = text.replace(extract_provenance_block(text), now.as_json())
    for old, new in zip(provenance_words(was), provenance_words(now), strict=True):
        text = text.replace(old, new)
    (tmp_path / "r.html").write_text(text)
    result = irbounds("report", "--repeat", "r.html", "--quiet")
    assert (result.returncode, result.stdout) == (1, FORGED + b"the options under 'Provenance'\n")


def test_forged_page_of_other_versions_is_not_reported_as_equal(irbounds, tmp_path):
    irbounds(*RECALL, "--report", "r.html")
    title = '<h1 id="title">'
    text = (tmp_path / "r.html").read_text().replace(title, f"{title}Certified: ")
    (tmp_path / "r.html").write_text(text.replace('"python": "3', '"python": "2'))
    result = irbounds("report", "--repeat", "r.html", "--quiet")
    assert result.returncode == 3
    assert (
        b"\nonly the numbers in its block were compared: the page differs, first in"
        in result.stdout
    )
    assert b"the same words" not in result.stdout


def test_equal_page_of_other_versions_is_reported_as_equal(irbounds, tmp_path):
    irbounds(*RECALL, "--report", "r.html")
    text = (tmp_path / "r.html").read_text()
    was = read_provenance(extract_provenance_block(text), "r.html")
    now = replace(was, libraries={**was.libraries, "scipy": "1.0"})
    text = text.replace(extract_provenance_block(text), now.as_json())
    for old, new in zip(provenance_words(was), provenance_words(now), strict=True):
        text = text.replace(old, new)
    (tmp_path / "r.html").write_text(text)
    result = irbounds("report", "--repeat", "r.html", "--quiet")
    assert result.returncode == 0
    assert b", was 1.0\n" in result.stdout
    assert result.stdout.endswith(b"\nthe same words, tables and figures\n")


@pytest.mark.parametrize(
    "command",
    [
        (*EVALUATE, "--per-query", "--digits", "3", "--quiet"),
        (*EVALUATE, "--output", "table.csv", "--figure", "means.svg", "--width", "300"),
        ("evaluate", "qrels.txt", ".", "-m", "AP", "--method", "student-t"),
        ("compare", "qrels.txt", "one.run", "two.run", "-m", "AP", "--n-resamples", "200"),
        ("rank", "qrels.txt", "one.run", "two.run", "-m", "AP"),
        ("check", "qrels.txt", "one.run", "./two.run"),
        ("chance", "100", "5"),
        ("corpus", "qrels.txt", "one.run", "--corpus-size", "900", "--n-images", "20", "--verbose"),
        (*RECALL, "--method", "koopman", "--digits", "5"),
    ],
    ids=lambda command: command[0],
)
def test_unchanged_page_is_reported_as_equal(irbounds, files, command):
    irbounds(*command, "--report", "r.html")
    assert (files / "r.html").is_file()
    result = irbounds("report", "--repeat", "r.html")
    assert result.returncode == 0
    assert result.stdout.endswith(b"\nthe same words, tables and figures\n")


@pytest.mark.parametrize("command", [EVALUATE, ("evaluate", "--scores", "AP=scores.csv")])
def test_missing_files_message_names_the_directory(irbounds, page, command):
    page(*command)
    result = irbounds("report", "--repeat", "page.html", "--quiet")
    assert result.returncode == 2
    assert result.stderr.endswith(
        b": no such file or directory; run it in the directory where the report was made\n"
    )
    assert result.stderr.count(b"\n") == 1


def test_control_characters_in_file_names_are_escaped(irbounds, page):
    inputs = [{"name": "\x1b[2Jx", "fingerprint": "sha256:" + "0" * 64}]
    page(*RECALL, inputs=inputs)
    result = irbounds("report", "--repeat", "page.html", "--quiet")
    assert result.stdout.startswith(b"\\x1b[2Jx is no longer read: was sha256 000000000000\n")


def test_exit_status_of_the_command_is_not_that_of_the_repetition(irbounds, files):
    """check exits with 1 if there are warnings, which is not a difference."""
    (files / "short.run").write_text("q0 Q0 d0 1 1 t\n")
    assert irbounds("check", "qrels.txt", "short.run", "--report", "r.html").returncode == 1
    assert irbounds("report", "--repeat", "r.html").returncode == 0


# pages from untrusted sources


@pytest.mark.parametrize(
    "output_options",
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
def test_output_options_are_removed_in_any_spelling(output_options):
    arguments = [
        argument
        for argument in list_repeated_arguments(*RECALL, *output_options)
        if argument != "--format=csv"
    ]
    assert arguments == list_repeated_arguments(*RECALL)


def test_page_cannot_write_files(irbounds, page, tmp_path):
    stolen = ("--output", "stolen.csv", "--figure=stolen.svg", "--report", "stolen.html")
    page(*RECALL, *stolen)
    before = list_files(tmp_path)
    result = irbounds("report", "--repeat", "page.html", "-o", "again.html")
    # it ran, and its numbers differ from those of the empty block
    assert result.returncode == 1, result.stderr
    assert list_files(tmp_path) == {*before, "again.html"}


def test_page_cannot_write_factors_or_files_after_double_dash(irbounds, page, tmp_path):
    (tmp_path / "scores.csv").write_text("query_id,a,b\nq1,0.1,0.2\nq2,0.3,0.1\nq3,0.5,0.5\n")
    page("standardise", "AP=scores.csv", "--write-factors", "stolen.json", "--reference", "a,b")
    before = list_files(tmp_path)
    irbounds("report", "--repeat", "page.html", "-o", "again.html")
    assert list_files(tmp_path) <= {*before, "again.html"}
    assert list_repeated_arguments("evaluate", "--", "--output=stolen") == [
        "evaluate",
        "--",
        "--output=stolen",
    ]


def test_input_files_are_listed_before_they_are_read(irbounds, files):
    irbounds(*EVALUATE, "--report", "r.html")
    (files / "two.run").write_text("no run\n")
    result = irbounds("report", "--repeat", "r.html")
    assert result.returncode == 2
    *lines, error = result.stderr.decode().splitlines()
    assert lines[1:] == ["reading: qrels.txt", "reading: one.run", "reading: two.run"]
    assert "two.run" in error


def test_listed_input_files_match_any_spelling(files, monkeypatch):
    monkeypatch.chdir(files)
    (files / "AP=odd.csv").write_text("")
    (files / "many").mkdir()
    (files / "many" / "b.run").write_text("")
    listed = {
        ("evaluate", "--scores", "AP=one.run"): ["one.run"],
        ("evaluate", "--scores", "AP=odd.csv"): ["AP=odd.csv"],
        ("evaluate", "qrels.txt", "many"): ["qrels.txt", "many/b.run"],
        ("evaluate", "qrels.txt", "*.run"): ["qrels.txt", "one.run", "two.run"],
        ("evaluate", "qrels.txt", "."): ["qrels.txt", "one.run", "two.run"],
        ("report", "qrels.txt", "AP=odd.csv"): ["qrels.txt", "AP=odd.csv"],
        ("chance", "100", "5"): [],
        ("evaluate", "missing", "one.run", "x\0y", "--output", "qrels.txt"): ["one.run"],
        RECALL: [],
    }
    for arguments, expected in listed.items():
        assert list_input_files(*arguments) == expected


def test_pipe_in_run_directory_is_not_read(irbounds, page, files, within):
    (files / "many").mkdir()
    os.mkfifo(files / "many" / "a.run")
    page("evaluate", "qrels.txt", "many")
    with within(20):  # to open the pipe would wait for ever
        result = irbounds("report", "--repeat", "page.html")
    assert (result.returncode, result.stdout) == (2, b"")
    assert b"many: no runs in this directory" in result.stderr


def test_directory_in_place_of_qrels_is_refused(irbounds, page, files):
    (files / "many").mkdir()
    page("evaluate", "many", "one.run")
    result = irbounds("report", "--repeat", "page.html")
    assert result.returncode == 2
    assert b"page.html: its command reads many, which is a directory" in result.stderr


@pytest.mark.parametrize("name", ["pipe", "AP=pipe", "link", "/dev/null"])
def test_special_files_are_refused_before_opening(irbounds, page, tmp_path, within, name):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    page("evaluate", "--scores", name)
    with within(20):  # to open the pipe would wait for ever
        result = irbounds("report", "--repeat", "page.html")
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.startswith(b"irbounds: error: page.html: its command reads ")
    kind = b"a device" if name.startswith("/dev") else b"a named pipe"
    assert b", which is " + kind in result.stderr
    assert result.stderr.count(b"\n") == 1


@pytest.mark.parametrize("name", ["//host/share/a.run", r"\\host\share\a.run", r"AP=\\host\a.csv"])
def test_remote_addresses_are_refused(name):
    with pytest.raises(InputError, match=r"on another machine"):
        list_input_files("evaluate", "--scores", name)
    with pytest.raises(InputError, match=r"on another machine"):
        list_input_files("evaluate", "qrels.txt", name)


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_terminated_repetition_leaves_no_files(irbounds, files, tmp_path):
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
    output = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM
    assert b"Traceback" not in output[1]
    assert list(temporary.iterdir()) == []


def test_every_file_option_declares_read_or_write():
    """Options declared as writing are removed from the repetition."""
    written = set()
    for name, option in _list_options_of_commands_with_reports():
        if option.metavar in FILES or "path" in str(option.kind.value_type).lower():
            assert option.option.file, (name, option.name)
        if option.option.file == "write":
            written.add(option.name)
    assert written == {
        *("output", "figure", "report", "write_factors", "checkpoint", "junit"),
    }


def _list_options_of_commands_with_reports():
    for name in VERBS:
        options = options_of_command(load_verb(name))
        if name == "report" or any(option.name == "report" for option in options):
            yield from ((name, option) for option in options)


@pytest.mark.parametrize(
    "arguments",
    [
        ("simulate", "stolen"),
        ("measures",),
    ],
)
def test_commands_without_a_report_are_not_run(irbounds, page, tmp_path, arguments):
    page(*arguments)
    before = list_files(tmp_path)
    result = irbounds("report", "--repeat", "page.html")
    assert result.returncode == 2
    assert result.stderr.startswith(b"irbounds: error: page.html: its command makes no report: ")
    assert result.stderr.count(b"\n") == 1
    assert list_files(tmp_path) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fly", "to", "moon"], "its command is unknown here: fly"),
        ([], "made in Python by irbounds.report"),
        (["--version"], "its command is unknown here: --version"),
        (["evaluate", "--wings", "2"], "its command cannot be read here: No such option"),
        (["recall", "--retrieved", "1"], "its command cannot be read here: "),
        (["recall", "--retrieved", "1", "--output", "x"], "its command cannot be read here: "),
        (["report", "--repeat", "page.html"], "its command repeats another report"),
        (["--install-completion"], "its command is unknown here: --install-completion"),
        (["--debug", "evaluate"], "its command is unknown here: --debug"),
        (["evaluate", "--help"], "its command makes no report"),
        (["fly\x1b[2J"], r"unknown here: .*fly\\x1b\[2J"),
    ],
)
def test_command_lines_that_cannot_be_run_are_errors(arguments, message, capsys):
    with pytest.raises(InputError, match=f"^page.html: .*{message}"):
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
def test_standard_input_cannot_be_repeated(arguments):
    with pytest.raises(ParameterError, match="made from standard input, which cannot be read"):
        make_repeatable(arguments, PAGE)


def test_repeated_arguments_equal_the_original():
    arguments = [
        "evaluate",
        "q",
        "-mAP",
        "a.run",
        "--n-resamples=9",
        "--chance",
        "-m",
        "RR",
        "b.run",
    ]
    assert list_repeated_arguments(*arguments, "--verbose", "--threads", "3") == [
        *("evaluate", "--measures=AP", "--measures=RR", "--n-resamples=9", "--chance"),
        *("--", "q", "a.run", "b.run"),
    ]
    assert list_repeated_arguments("report", "q", "r", "-o", "r.html") == ["report", "--", "q", "r"]
    assert list_repeated_arguments("evaluate", "--bounds=--x", "--title", "-") == [
        *("evaluate", "--bounds=--x", "--title=-"),
    ]
    several = ["recall", "--retrieved", "-1", "5", "6", "--prior=--x"]
    assert list_repeated_arguments(*several) == several


def test_repeated_arguments_are_parsed_as_the_original():
    arguments = ["evaluate", "-m", "AP,RR", "--scores", "a=-b", "--seed", "-1", "--title", "--x"]
    job = make_repeatable(arguments, PAGE)
    assert make_repeatable(words_of(job), PAGE) == job


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", b"has no provenance block"),
        (b"<html>a page</html>", b"has no provenance block"),
        (b"\xff\xfe\x00binary", b"this is not a report of irbounds"),
        (f"{BLOCK_OPENS}{{".encode(), b"has no provenance block"),
        (f"{BLOCK_OPENS}{{{BLOCK_CLOSES}".encode(), b"its provenance block is not JSON"),
        (f"{BLOCK_OPENS}[]{BLOCK_CLOSES}".encode(), b"has no readable parts"),
    ],
)
def test_file_that_is_not_a_report_is_a_one_line_error(irbounds, write, content, message):
    write("page.html", content)
    result = irbounds("report", "--repeat", "page.html")
    assert result.returncode == 2
    assert result.stderr.startswith(b"irbounds: error: page.html: ")
    assert message in result.stderr
    assert result.stderr.count(b"\n") == 1
    assert result.stdout == b""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--repeat", "no.html"), b"no.html: No such file"),
        (("--repeat", "page.html", "-o", "page.html"), b"this is the page to repeat; give another"),
        (("--repeat", "page.html", "-o", "page.txt"), b"use an extension of .html, .htm"),
        (("--repeat", "page.html", "--seed", "3"), b"from the page; got --seed too"),
        (("q", "r", "--repeat", "page.html"), b"got QRELS and RUN too"),
    ],
)
def test_invalid_options_of_a_repetition(irbounds, page, arguments, message):
    page(*RECALL)
    result = irbounds("report", *arguments)
    assert result.returncode == 2
    assert message in result.stderr
    assert result.stderr.count(b"\n") == 1


def test_error_of_the_command_is_reported_by_the_repetition(irbounds, page):
    page("evaluate", "missing.txt", "missing.run")
    result = irbounds("report", "--repeat", "page.html", "--quiet")
    assert result.returncode == 2
    assert result.stderr.startswith(b"irbounds: error: ")
    assert result.stderr.count(b"\n") == 1
