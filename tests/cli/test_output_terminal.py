"""Output of commands on terminals of 80 and 120 columns, and as LaTeX.

Most commands run in this process, with a standard output that reports to be a terminal. The others
run on a pseudo-terminal.
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
MAX_SECONDS = 60  # seconds that a command on a pseudo-terminal may take
RECALL = ("recall", "--retrieved", "2000", "100", "50", "--unretrieved", "100000", "100", "3")
PLAN = ("plan-recall", "--corpus-size", "5000", "--retrieved-size", "500", "--n-relevant", "300")
COMMANDS = {
    "evaluate": ("evaluate", "qrels.txt", "one.run", "two.run", "-m", "AP"),
    "evaluate-less": ("evaluate", "--scores", "AP=s.csv", "--alternative", "less"),
    "evaluate-paper": ("evaluate", "qrels.txt", "one.run", "two.run", "--baseline", "one"),
    "demo": ("demo",),
    "check": ("check", "qrels.txt", "one.run", "two.run"),
    "compare": ("compare", "--scores", "AP=s.csv", "--test", "t"),
    "gate": ("gate", "bm25", "hybrid", "--scores", "AP=s.csv", "--margin", "0.05"),
    "gate-quiet": (
        *("gate", "bm25", "dense-retriever-with-a-long-name", "--scores", "AP=s.csv"),
        *("--margin", "2%", "--quiet", "--undecided", "pass"),
    ),
    "compare-by-query": ("compare", "--scores", "AP=s.csv", "--baseline", "bm25", "--by-query"),
    "compare-groups": (
        *("compare", "--scores", "AP=s.csv", "--baseline", "bm25"),
        *("--groups", "groups.csv"),
    ),
    "rank": ("rank", "--scores", "AP=s.csv"),
    "rank-tasks": ("rank", "tasks.csv", "-m", "nDCG@10", "--by", "borda"),
    "corpus": (
        *("corpus", "qrels.txt", "one.run", "two.run", "-m", "AP", "--corpus-size", "50"),
        *("--n-images", "20"),
    ),
    "ap": ("ap", "labels.csv"),
    "recall": RECALL,
    "recall-methods": (*RECALL, "--all-methods"),
    "plan-queries": ("plan-queries", "--scores", "AP=s.csv", "--difference", "0.02"),
    "plan-queries-systems": (
        *("plan-queries", "--scores", "AP=s.csv", "--difference", "0.1", "--n-systems", "10"),
    ),
    "plan-recall": (*PLAN, "--recall", "0.5", "--budget", "200"),
    "chance": ("chance", "10", "4"),
    "chance-systems": (
        *("chance", "qrels.txt", "one.run", "two.run", "--corpus-size", "50"),
        *("-m", "AP", "--n-draws", "99"),
    ),
}
SCORES = "topic,bm25,dense-retriever-with-a-long-name,hybrid,c\n" + "".join(
    f"q{k},{0.1 + k % 5 / 9:.3f},{0.2 + k % 7 / 11:.3f},{0.25 + k % 4 / 7:.3f},{k % 3 / 8:.3f}\n"
    for k in range(12)
)

LABELS = "label,forest,logistic-with-a-long-name\n" + "".join(
    f"{int(k % 4 == 0)},{k * 37 % 101 / 100 + (k % 4 == 0) / 2:.3f},{k * 53 % 101 / 100:.3f}\n"
    for k in range(60)
)


def run_on_terminal(arguments, directory, columns, interrupt_after=None, **environment):
    """Return status and output on a pseudo-terminal, interrupted after some text."""
    parent_end, child_end = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "irbounds", *arguments],
        cwd=directory,
        stdin=subprocess.DEVNULL,
        stdout=child_end,
        stderr=child_end,
        env={**os.environ, "COLUMNS": str(columns), "TERM": "xterm", "NO_COLOR": "1"} | environment,
    )
    os.close(child_end)
    output, deadline = b"", time.monotonic() + MAX_SECONDS
    while True:
        if not select.select([parent_end], [], [], max(deadline - time.monotonic(), 0))[0]:
            process.kill()
            pytest.fail(f"nothing more within {MAX_SECONDS} seconds: {output!r}")
        try:
            chunk = os.read(parent_end, 65536)
        except OSError:  # Linux: the other end is closed
            break
        if not chunk:
            break
        output += chunk
        if interrupt_after is not None and interrupt_after.encode() in output:
            process.send_signal(signal.SIGINT)
            interrupt_after = None
    os.close(parent_end)
    return process.wait(), output.decode()


def read_final_lines(output):
    """Return the lines that stay on the screen, without progress bars and compilation note."""
    lines = CODES.sub("", output.replace("\r\n", "\n")).split("\n")
    transient = ("\u2501", "irbounds: compiling")
    return [
        line.strip("\r").rstrip() for line in lines if not any(word in line for word in transient)
    ]


class _Terminal(io.TextIOWrapper):
    """A stream that reports to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def directory(files: Path) -> Path:
    (files / "s.csv").write_text(SCORES)
    (files / "labels.csv").write_text(LABELS)
    (files / "tasks.csv").write_text(SCORES.replace("topic", "task", 1))
    kinds = "".join(f"q{k},{'question' if k % 3 else 'keyword'}\n" for k in range(12))
    (files / "groups.csv").write_text(f"query_id,kind\n{kinds}")
    return files


@pytest.fixture
def run_in_terminal(directory, monkeypatch):
    """Return a function that runs a command with a terminal of some width as standard output."""

    def call(arguments, columns, encoding="utf-8"):
        stream = _Terminal(io.BytesIO(), encoding, errors="backslashreplace")
        with monkeypatch.context() as patched:
            patched.chdir(directory)
            patched.setattr(sys, "argv", ["irbounds", *arguments])
            patched.setattr(sys, "stdout", stream)
            patched.setattr(sys, "stderr", io.TextIOWrapper(io.BytesIO(), encoding))
            for name, value in (("COLUMNS", str(columns)), ("TERM", "xterm"), ("NO_COLOR", "1")):
                patched.setenv(name, value)
            with pytest.raises(SystemExit) as ended:
                main()
        assert not ended.value.code
        stream.flush()
        return read_final_lines(stream.buffer.getvalue().decode(encoding))

    return call


@pytest.mark.parametrize("name", COMMANDS)
def test_no_line_is_wider_than_the_terminal(name, run_in_terminal):
    lines = run_in_terminal(COMMANDS[name], 80)
    assert len(lines) > 3
    assert max(map(len, lines)) <= 80


def test_wider_terminal_shows_more_columns(run_in_terminal):
    narrow, wide = (run_in_terminal(COMMANDS["compare"], columns) for columns in (80, 120))
    assert "no room for effect size, p: widen the terminal" in "\n".join(narrow)
    assert "no room" not in "\n".join(wide)
    assert max(map(len, wide)) > 80


def test_bars_without_box_characters_in_ascii(run_in_terminal):
    lines = run_in_terminal(COMMANDS["recall"], 80, "ascii")
    (recall,) = (line for line in lines if line.startswith("recall  "))
    assert re.search(r"0\.54 \| +\|-+o-+\|", recall)
    assert "\\u" not in "\n".join(lines)


def test_interrupt_clears_the_progress_bar(directory):
    arguments = ("chance", "10000", "300", "--n-draws", "2000000")
    status, output = run_on_terminal(arguments, directory, 80, interrupt_after="/2,000,000")
    assert status == 130
    # the amount was shown and then cleared
    assert re.search(r"drawing random rankings .* [\d,]+/2,000,000", CODES.sub("", output))
    assert read_final_lines(output)[-2:] == ["irbounds: interrupted", ""]
    assert "Traceback" not in output


def test_latex_of_every_command_compiles(directory, irbounds):
    if shutil.which("pdflatex") is None:
        if os.environ.get("IRBOUNDS_CI"):
            pytest.fail("pdflatex is missing")
        pytest.skip("needs pdflatex")
    hostile = directory / "<script>_&%#{}~^[x].run"
    hostile.write_text((directory / "one.run").read_text())
    more = {
        "check": ("check", "qrels.txt", "one.run", hostile.name),
        "hostile": ("evaluate", "qrels.txt", "one.run", hostile.name),
    }
    inputs = []
    for name, arguments in (COMMANDS | more).items():
        if name == "demo":  # it writes no tables
            continue
        result = irbounds(*arguments, "--quiet", "--output", f"{name}.tex")
        # check exits with 1 if there are warnings
        assert result.returncode == (name == "check"), result.stderr
        inputs.append(f"\\input{{{name}.tex}}\\clearpage")
    body = "\n".join(inputs)
    (directory / "all.tex").write_text(
        "\\documentclass{article}\\usepackage{booktabs}"
        f"\\begin{{document}}\n{body}\n\\end{{document}}"
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    result = subprocess.run(command, cwd=directory, capture_output=True, check=False)
    assert result.returncode == 0, result.stdout[-2000:]
