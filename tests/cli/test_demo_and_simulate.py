"""irbounds demo, irbounds simulate, help, closed pipes and interrupts."""

from __future__ import annotations

import json
import re

from irbounds import read_run
from irbounds.verbs.simulate import simulate


def test_demo_shows_table_and_verdicts(irbounds):
    result = irbounds("demo")
    assert result.returncode == 0
    text = result.stdout.decode()
    assert text.count("95 % moderated Wilson interval") == 1
    verdicts = [line for line in text.splitlines() if line.startswith("By ")]
    assert [line.partition(", ")[0] for line in verdicts] == ["By AP", "By nDCG@10"]
    assert all("system-008 is best" in line for line in verdicts)
    cell = r" +0\.\d{3}[=*\xa0]  \[0\.\d{3}, 0\.\d{3}\]"
    assert len(re.findall(rf"^system-00\d{cell}{cell}$", text, re.M)) == 8
    assert "the strongest systems really are system-001, system-008, system-005" in text
    assert "irbounds evaluate YOUR_QRELS YOUR_RUNS/ -m AP,nDCG@10" in text
    assert re.search(r"^report: irbounds-demo\.html \(\d\.\d MB\)$", result.stderr.decode(), re.M)


def test_evaluate_reads_simulated_files(irbounds, tmp_path):
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
    result = irbounds(*arguments)
    assert result.returncode == 0, result.stderr
    assert result.stdout == (
        b"simulated 3 systems, 4 queries, 20,000 documents, depth 20: 6 files in c\n"
    )
    runs = sorted(path.name for path in (tmp_path / "c").glob("*.run"))
    assert len(runs) == 3
    assert json.loads((tmp_path / "c" / "truth.json").read_text())
    evaluation = irbounds("evaluate", "c/qrels.txt", *(f"c/{run}" for run in runs), "-m", "AP")
    assert "mean over 4 judged queries" in evaluation.stdout.decode()
    again = irbounds(*arguments)
    assert again.returncode == 2
    assert again.stderr.startswith(b"irbounds: error: DIRECTORY 'c' already has 6 ")
    assert again.stderr.endswith(b"; delete them or give another directory\n")


def test_demo_writes_page_with_its_command(irbounds, tmp_path):
    result = irbounds("demo", "--report", "mine.html")
    assert b"report: mine.html (" in result.stderr
    text = (tmp_path / "mine.html").read_text()
    assert "system-008" in text
    assert "irbounds demo --report mine.html" in text


def test_demo_with_invalid_report_path(irbounds, tmp_path):
    (tmp_path / "irbounds-demo.html").mkdir()
    result = irbounds("demo", "--report", "irbounds-demo.html")
    assert (result.returncode, result.stdout) == (2, b"")
    assert b"--report irbounds-demo.html: this is a directory" in result.stderr
    result = irbounds("demo", "--report", "nowhere/page.html")
    assert result.returncode == 2
    assert b"--report nowhere/page.html: there is no directory nowhere" in result.stderr


def test_simulate_in_python_matches_the_command(irbounds, tmp_path):
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
    result = irbounds("simulate", "--n-systems", "2")
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr == b"irbounds: error: needs DIRECTORY\n"


def test_simulate_error_names_the_invalid_option(irbounds):
    result = irbounds("simulate", "c", "--depth", "0")
    assert result.returncode == 2
    assert b"--depth must be " in result.stderr
    assert result.stderr.count(b"\n") == 1
    result = irbounds("simulate", "c", "--depth", "30", "--corpus-size", "20")
    assert b"--depth must be an integer from 1 to --corpus-size, 20; got 30" in result.stderr
