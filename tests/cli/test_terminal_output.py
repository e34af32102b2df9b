"""What commands show on terminals of 80 and of 120 columns, to the character.

Most run in this process, with a standard output that says it is a terminal; what only a process
shows runs on a pseudo-terminal. How wide rich makes the last column depends on its version, so
blanks at the ends of lines do not count. IRBOUNDS_WRITE_EXPECTED=1 writes what is seen now as what
is expected, to be looked at before it is kept.
"""

from __future__ import annotations

import io
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from irbounds.cli import main

CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
LONGEST = 60  # seconds that a command on a pseudo-terminal may take
HERE = Path(__file__).parent / "terminal_output"
RECALL = ("recall", "--retrieved", "2000", "100", "50", "--unretrieved", "100000", "100", "3")
PLAN = ("plan-recall", "--corpus-size", "5000", "--retrieved-size", "500", "--n-relevant", "300")
COMMANDS = {
    "evaluate": ("evaluate", "qrels.txt", "one.run", "two.run", "-m", "AP"),
    "evaluate-less": ("evaluate", "--scores", "AP=s.csv", "--alternative", "less"),
    "evaluate-paper": ("evaluate", "qrels.txt", "one.run", "two.run", "--baseline", "one"),
    "demo": ("demo",),
    "check": ("check", "qrels.txt", "one.run", "two.run"),
    "compare": ("compare", "--scores", "AP=s.csv", "--test", "t"),
    "rank": ("rank", "--scores", "AP=s.csv", "--n-resamples", "99"),
    "corpus": (
        *("corpus", "qrels.txt", "one.run", "two.run", "-m", "AP", "--corpus-size", "50"),
        *("--n-images", "20"),
    ),
    "recall": RECALL,
    "recall-methods": (*RECALL, "--all-methods"),
    "plan-queries": ("plan-queries", "--scores", "AP=s.csv", "--difference", "0.02"),
    "plan-recall": (*PLAN, "--recall", "0.5", "--budget", "200"),
    "chance": ("chance", "10", "4"),
    "chance-systems": (
        *("chance", "qrels.txt", "one.run", "two.run", "--corpus-size", "50"),
        *("-m", "AP", "--n-draws", "99"),
    ),
    "calibrate": (
        *(
            "calibrate",
            "--scores",
            "AP=s.csv",
            "--n-queries",
            "3",
            "--n-samples",
            "50",
            "--n-resamples",
            "99",
        ),
        *("--method", "student-t", "--method", "percentile"),
    ),
}
SCORES = "topic,bm25,dense-retriever-with-a-long-name,hybrid,c\n" + "".join(
    f"q{k},{0.1 + k % 5 / 9:.3f},{0.2 + k % 7 / 11:.3f},{0.25 + k % 4 / 7:.3f},{k % 3 / 8:.3f}\n"
    for k in range(12)
)


def on_terminal(arguments, folder, columns, interrupt_after=None, **environment):
    """Status and all that is shown on a pseudo-terminal; interrupted at some words."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "irbounds", *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "COLUMNS": str(columns), "TERM": "xterm", "NO_COLOR": "1"} | environment,
    )
    os.close(theirs)
    shown, deadline = b"", time.monotonic() + LONGEST
    while True:
        if not select.select([ours], [], [], max(deadline - time.monotonic(), 0))[0]:
            process.kill()
            pytest.fail(f"nothing more within {LONGEST} seconds: {shown!r}")
        try:
            piece = os.read(ours, 65536)
        except OSError:  # how Linux says that nobody writes any more
            break
        if not piece:
            break
        shown += piece
        if interrupt_after is not None and interrupt_after.encode() in shown:
            process.send_signal(signal.SIGINT)
            interrupt_after = None
    os.close(ours)
    return process.wait(), shown.decode()


def lines_of(seen):
    """What stays on the screen: no bar of progress does, nor the note that kernels are compiled."""
    lines = CODES.sub("", seen.replace("\r\n", "\n")).split("\n")
    passing = ("\u2501", "irbounds: compiling")
    return [
        line.strip("\r").rstrip() for line in lines if not any(word in line for word in passing)
    ]


class _Terminal(io.TextIOWrapper):
    """A stream that says that a person looks at it."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def folder(files: Path) -> Path:
    (files / "s.csv").write_text(SCORES)
    return files


@pytest.fixture
def seen(folder, monkeypatch):
    """What a command shows on standard output, a terminal of so many columns."""

    def call(arguments, columns, encoding="utf-8"):
        stream = _Terminal(io.BytesIO(), encoding, errors="backslashreplace")
        with monkeypatch.context() as patched:
            patched.chdir(folder)
            patched.setattr(sys, "argv", ["irbounds", *arguments])
            patched.setattr(sys, "stdout", stream)
            patched.setattr(sys, "stderr", io.TextIOWrapper(io.BytesIO(), encoding))
            for name, value in (("COLUMNS", str(columns)), ("TERM", "xterm"), ("NO_COLOR", "1")):
                patched.setenv(name, value)
            with pytest.raises(SystemExit) as ended:
                main()
        assert not ended.value.code
        stream.flush()
        return lines_of(stream.buffer.getvalue().decode(encoding))

    return call


EXPENSIVE = {("demo", 120)}  # the same numbers as at 80


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        pytest.param(name, width, marks=pytest.mark.slow if (name, width) in EXPENSIVE else ())
        for name in COMMANDS
        for width in (80, 120)
    ],
)
def test_output_on_a_terminal(name, columns, seen):
    lines = seen(COMMANDS[name], columns)
    expected = HERE / f"{name}-{columns}.txt"
    if os.environ.get("IRBOUNDS_WRITE_EXPECTED"):
        expected.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
    assert "\n".join(lines).rstrip() == expected.read_text(encoding="utf-8").rstrip()
    assert max(map(len, lines)) <= columns


def test_a_wider_terminal_shows_more(seen):
    narrow, wide = (seen(COMMANDS["compare"], columns) for columns in (80, 120))
    assert "no room for effect size, p, detectable: widen the terminal" in "\n".join(narrow)
    assert "no room" not in "\n".join(wide)
    assert max(map(len, wide)) > 80


def test_bars_without_boxes_where_the_terminal_has_none(seen):
    lines = seen(COMMANDS["recall"], 80, "ascii")
    (recall,) = (line for line in lines if line.startswith("recall  "))
    assert re.search(r"0\.54 \| +\|-+o-+\|", recall)
    assert "\\u" not in "\n".join(lines)


def test_an_interrupt_under_a_bar_ends_in_one_line(folder):
    arguments = ("calibrate", "--scores", "AP=s.csv", "--n-samples", "1000000", "--n-queries", "5")
    status, shown = on_terminal(arguments, folder, 80, interrupt_after="/s")
    assert status == 130
    # rate and time left were there, and are gone
    assert re.search(
        r"trying samples .* [\d,]+/[\d,]+ .*\d/s( \d+:\d\d:\d\d left)?", CODES.sub("", shown)
    )
    assert lines_of(shown)[-2:] == ["irbounds: interrupted", ""]
    assert "Traceback" not in shown


def test_quiet_shows_results_alone(irbounds, files):
    done = irbounds("evaluate", "qrels.txt", "one.run", "two.run", "-m", "AP", "--quiet")
    assert done.stdout.decode().splitlines()[0].startswith("AP: mean over 6 judged queries")
    assert b"irbounds compare" not in done.stdout
    assert done.stderr == b""


def test_data_has_no_conclusion(irbounds, files):
    arguments = ("evaluate", "qrels.txt", "one.run", "two.run", "-m", "AP")
    for form in ("csv", "json", "jsonl", "markdown", "latex"):
        done = irbounds(*arguments, "--format", form)
        assert b"Overlapping" not in done.stdout + done.stderr
    irbounds(*arguments, "--output", "table.txt", "--report", "page.html")
    for name in ("table.txt", "page.html"):
        text = (files / name).read_text()
        assert text.index("0.51") < text.index("Overlapping intervals do not show")


def test_verbose_tells_phases_inputs_and_seed(irbounds, files):
    done = irbounds("evaluate", "qrels.txt", "one.run", "-m", "AP", "--verbose", "--seed", "7")
    said = done.stderr.decode().splitlines()
    assert re.fullmatch(r"irbounds: [\d.a-z]+, Python 3[\d.a-z+]*: evaluate, seed 7", said[0])
    assert re.fullmatch(r"irbounds: on \d+ threads?", said[1])
    assert re.fullmatch(r"irbounds: reading judgments: \d+\.\d s", said[2])
    assert re.fullmatch(r"irbounds: reading runs: 1 in \d+\.\d s", said[3])
    assert re.fullmatch(r"irbounds: scoring runs: 1 in \d+\.\d s", said[4])
    assert any(re.fullmatch(r"irbounds: read one \(sha256:[0-9a-f]{64}\)", line) for line in said)
    assert re.fullmatch(r"irbounds: evaluate: done in \d+\.\d s", said[-1])
    plain = irbounds("evaluate", "qrels.txt", "one.run", "-m", "AP", "--seed", "7")
    assert (plain.stdout, plain.stderr) == (done.stdout, b"")


def test_latex_of_every_command_compiles(folder, irbounds):
    if shutil.which("pdflatex") is None:
        if os.environ.get("IRBOUNDS_CI"):
            pytest.fail("pdflatex is missing")
        pytest.skip("needs pdflatex")
    hostile = folder / "<script>_&%#{}~^[x].run"
    hostile.write_text((folder / "one.run").read_text())
    more = {
        "check": ("check", "qrels.txt", "one.run", hostile.name),
        "hostile": ("evaluate", "qrels.txt", "one.run", hostile.name),
        "bestgen2015": ("study", "bestgen2015"),
    }
    inputs = []
    for name, arguments in (COMMANDS | more).items():
        if name == "demo":  # which writes no tables
            continue
        done = irbounds(*arguments, "--quiet", "--output", f"{name}.tex")
        # check says by 1 that something is odd
        assert done.returncode == (name == "check"), done.stderr
        inputs.append(f"\\input{{{name}.tex}}\\clearpage")
    body = "\n".join(inputs)
    (folder / "all.tex").write_text(
        "\\documentclass{article}\\usepackage{booktabs}"
        f"\\begin{{document}}\n{body}\n\\end{{document}}"
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
