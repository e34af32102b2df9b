"""irbounds demo, simulate, and the rest of the command line."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time

import pytest

from irbounds import read_run
from irbounds.errors import ParameterError
from irbounds.presentation.html.page import extract_provenance_block
from irbounds.verbs.simulate import simulate


def test_demo_shows_a_table_and_says_what_it_means(irbounds):
    done = irbounds("demo")
    assert done.returncode == 0
    text = done.stdout.decode()
    assert text.count("95 % studentised logit bootstrap interval") == 1
    verdicts = [line for line in text.splitlines() if line.startswith("By ")]
    assert [line.partition(", ")[0] for line in verdicts] == ["By AP", "By nDCG@10"]
    assert all("system-008 is best" in line for line in verdicts)
    cell = r" +0\.\d{3}[=*\xa0]  \[0\.\d{3}, 0\.\d{3}\]"
    assert len(re.findall(rf"^system-00\d{cell}{cell}$", text, re.M)) == 8
    assert "the strongest systems really are system-001, system-008, system-005" in text
    assert "irbounds evaluate YOUR_QRELS YOUR_RUNS/ -m AP,nDCG@10" in text
    assert re.search(r"^report: irbounds-demo\.html \(\d\.\d MB\)$", done.stderr.decode(), re.M)


def test_simulate_writes_what_evaluate_reads(irbounds, tmp_path):
    arguments = (
        "simulate",
        "c",
        "--n-systems",
        "3",
        "--n-queries",
        "4",
        "--depth",
        "20",
        "--seed",
        "5",
    )
    done = irbounds(*arguments, "--compress")
    assert done.returncode == 0, done.stderr
    assert done.stdout == (
        b"simulated 3 systems, 4 queries, 20,000 documents, depth 20: 6 files in c\n"
    )
    runs = sorted(path.name for path in (tmp_path / "c").glob("*.run.gz"))
    assert len(runs) == 3
    assert json.loads((tmp_path / "c" / "truth.json").read_text())
    shown = irbounds("evaluate", "c/qrels.txt.gz", *(f"c/{run}" for run in runs), "-m", "AP")
    assert "mean over 4 judged queries" in shown.stdout.decode()
    again = irbounds(*arguments, "--compress")
    assert again.returncode == 2
    assert again.stderr.startswith(b"irbounds: error: DIRECTORY 'c' already has 6 ")
    assert again.stderr.endswith(b"; --overwrite replaces them\n")
    assert irbounds(*arguments, "--compress", "--overwrite").returncode == 0


def test_demo_writes_a_page_with_its_command(irbounds, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    done = irbounds("demo", "--open", "--title", "First page")
    assert done.returncode == 0, done.stderr
    page = tmp_path / "irbounds-demo.html"
    assert opened == [page.resolve().as_uri()]
    text = page.read_text()
    assert "<title>First page" in text
    assert ">Corpus images</h2>" in text
    assert json.loads(extract_provenance_block(text))["arguments"] == [
        "demo", "--open", "--title", "First page",
    ]  # fmt: skip
    done = irbounds("demo", "--report", "mine.html")
    assert b"report: mine.html (" in done.stderr
    assert "system-008" in (tmp_path / "mine.html").read_text()
    assert len(opened) == 1


def test_demo_without_a_place_for_its_page(irbounds, tmp_path, monkeypatch):
    """An error only where the page was asked for."""
    (tmp_path / "irbounds-demo.html").mkdir()
    done = irbounds("demo")
    assert done.returncode == 0
    assert done.stderr.startswith(b"no report: irbounds-demo.html: ")
    done = irbounds("demo", "--report", "irbounds-demo.html")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"--report irbounds-demo.html: this is a directory" in done.stderr
    done = irbounds("demo", "--report", "nowhere/page.html")
    assert done.returncode == 2
    assert b"--report nowhere/page.html: there is no directory nowhere" in done.stderr


def test_simulate_in_python_is_the_same_collection(irbounds, tmp_path):
    options = {"n_systems": 3, "n_queries": 4, "depth": 20, "tie_rate": 0.1, "seed": 5}
    collection = simulate(**options)
    assert list(tmp_path.iterdir()) == []
    words = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    assert irbounds("simulate", "typed", *words).returncode == 0
    simulate(tmp_path / "called", **options)
    names = sorted(path.name for path in (tmp_path / "typed").iterdir())
    assert len(names) == 6
    for name in names:
        assert (tmp_path / "typed" / name).read_bytes() == (tmp_path / "called" / name).read_bytes()
    read = read_run(tmp_path / "typed" / "system-001.run")
    assert (read.scores == collection.runs[0].scores).all()
    other = simulate(**{**options, "seed": 6})
    assert (other.runs[0].scores != collection.runs[0].scores).any()


def test_simulate_writes_only_with_a_directory(irbounds):
    done = irbounds("simulate", "--n-systems", "2")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"irbounds: error: needs DIRECTORY\n"
    with pytest.raises(ParameterError, match="compress is for files; give directory"):
        simulate(compress=True)


def test_simulate_names_a_bad_option(irbounds):
    done = irbounds("simulate", "c", "--depth", "0")
    assert done.returncode == 2
    assert b"--depth must be " in done.stderr
    assert done.stderr.count(b"\n") == 1
    done = irbounds("simulate", "c", "--depth", "30", "--corpus-size", "20")
    assert b"--depth must be an integer from 1 to --corpus-size, 20; got 30" in done.stderr


def test_help_has_examples(irbounds):
    for command in ("evaluate", "check", "demo", "simulate"):
        text = irbounds(command, "--help").stdout.decode()
        assert f"irbounds {command}" in text.partition("Example")[2]


@pytest.mark.parametrize(
    "command",
    [
        *("study", "study park2010", "study park2011", "study webber2013", "study bestgen2015"),
        *("study zobel2020", "data", "data list", "data fetch", "data path", "simulate", "demo"),
    ],
)
def test_help_fits_into_80_columns(irbounds, command):
    done = irbounds(*command.split(), "--help")
    assert (done.returncode, done.stderr) == (0, b"")
    lines = done.stdout.decode().splitlines()
    assert lines[0].startswith(f"Usage: irbounds {command} ")
    assert max(map(len, lines)) <= 80


def test_no_arguments_show_help(irbounds):
    groups = {("data",): "fetch", ("study",): "park2010", (): "evaluate"}
    for arguments, word in groups.items():
        done = irbounds(*arguments)
        assert done.returncode == 0
        assert f"\n  {word} " in done.stdout.decode()
        assert done.stderr == b""


def started(*arguments, cwd):
    return subprocess.Popen(
        [sys.executable, "-m", "irbounds", *arguments],
        cwd=cwd,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_a_reader_that_goes_away_is_no_error(files):
    with started("evaluate", "qrels.txt", "one.run", "--per-query", cwd=files) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() in (0, 141)


def test_an_interrupt_ends_in_one_line(tmp_path):
    # standard input that never ends keeps the command waiting until it is interrupted
    with started("evaluate", "-", "x", cwd=tmp_path) as process:
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        assert process.stderr.read() == b"irbounds: interrupted\n"
        assert process.stdout.read() == b""
