"""irbounds demo, simulate, and the rest of the command line."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time


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
    assert "irbounds evaluate YOUR_QRELS" in text
    assert irbounds("demo").stdout.decode() == text


def test_simulate_writes_what_evaluate_reads(irbounds, tmp_path):
    arguments = (
        "simulate",
        "c",
        "--systems",
        "3",
        "--queries",
        "4",
        "--depth",
        "20",
        "--seed",
        "5",
    )
    done = irbounds(*arguments, "--gzip")
    assert done.returncode == 0, done.stderr
    assert done.stdout == (
        b"simulated 3 systems, 4 queries, 20,000 documents, depth 20: 6 files in c\n"
    )
    runs = sorted(path.name for path in (tmp_path / "c").glob("*.run.gz"))
    assert len(runs) == 3
    assert json.loads((tmp_path / "c" / "truth.json").read_text())
    shown = irbounds("evaluate", "c/qrels.txt.gz", *(f"c/{run}" for run in runs), "-m", "AP")
    assert "mean over 4 judged queries" in shown.stdout.decode()
    again = irbounds(*arguments, "--gzip")
    assert again.returncode == 2
    assert again.stderr.startswith(b"irbounds: error: FOLDER 'c' already holds 6 ")
    assert again.stderr.endswith(b"; --overwrite replaces them\n")
    assert irbounds(*arguments, "--gzip", "--overwrite").returncode == 0


def test_simulate_names_a_bad_option(irbounds):
    done = irbounds("simulate", "c", "--depth", "0")
    assert done.returncode == 2
    assert b"depth" in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_help_has_examples(irbounds):
    for command in ("evaluate", "check", "demo", "simulate"):
        text = irbounds(command, "--help").stdout.decode()
        assert f"irbounds {command}" in text.partition("Example")[2]


def test_no_arguments_show_help(irbounds):
    groups = {(): "evaluate", ("data",): "fetch", ("plan",): "recall", ("study",): "park2010"}
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
