"""How a command ends: errors, Ctrl-C, signals, and standard streams that cannot be written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import typer

RECALL = "recall --retrieved 1000 100 60 --unretrieved 9000 300 9"
NO_SPACE = b"No space left on device"
#: sends itself a signal when a file is written and gets its name
PROGRAM = """
import os, signal, sys
from irbounds.cli import main

number = int(sys.argv.pop())
os.replace = lambda *arguments, **options: os.kill(os.getpid(), number)
main()
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs signals and a POSIX shell")


@pytest.fixture
def run_in_shell(files):
    """Run ``irbounds`` with redirections, as a shell does."""

    def call(arguments: str, redirections: str):
        if "/dev/full" in redirections and not Path("/dev/full").exists():
            pytest.skip("needs /dev/full")
        command = f'"{sys.executable}" -m irbounds {arguments} {redirections}'
        return subprocess.run(["bash", "-c", command], cwd=files, capture_output=True, check=False)

    return call


@pytest.mark.parametrize(
    ("number", "status", "message", "n_temporary"),
    [
        (signal.SIGINT, 130, b"irbounds: interrupted\n", 0),
        (signal.SIGTERM, -signal.SIGTERM, b"", 1),
        (signal.SIGKILL, -signal.SIGKILL, b"", 1),
    ],
)
def test_command_ended_while_writing_leaves_the_old_file(
    tmp_path, number, status, message, n_temporary
):
    (tmp_path / "out.csv").write_text("old")
    arguments = [*RECALL.split(), "--quiet", "--output", "out.csv", str(int(number))]
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments], cwd=tmp_path, capture_output=True, check=False
    )
    assert (result.returncode, result.stdout, result.stderr) == (status, b"", message)
    assert (tmp_path / "out.csv").read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1 + n_temporary


@pytest.mark.parametrize("arguments", [RECALL, "recall --help"])
def test_closed_pipe_is_not_an_error(run_in_shell, arguments):
    result = run_in_shell(arguments, "| true; exit ${PIPESTATUS[0]}")
    assert (result.returncode, result.stderr) == (141, b"")


@pytest.mark.parametrize("arguments", [f"{RECALL} --format csv --quiet", "recall --help"])
def test_full_disk_at_standard_output_is_an_error(run_in_shell, arguments):
    result = run_in_shell(arguments, ">/dev/full")
    assert result.returncode == 2
    assert result.stderr == b"irbounds: error: standard output: " + NO_SPACE + b"\n"


def test_full_disk_at_output_is_an_error(run_in_shell):
    result = run_in_shell(f"{RECALL} --quiet --format csv", "--output /dev/full")
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.startswith(b"irbounds: error: /dev/full: " + NO_SPACE)
    assert result.stderr.count(b"\n") == 1


def test_closed_streams_are_ignored(run_in_shell, files):
    result = run_in_shell(f"{RECALL} --output out.csv", "<&- >&- 2>&-")
    assert result.returncode == 0
    assert (files / "out.csv").read_text().startswith("quantity,")


def test_unexpected_error_has_a_traceback_and_status_70(irbounds, files, monkeypatch):
    def end(*arguments, **options):
        raise EOFError("of some file")

    monkeypatch.setattr("irbounds.requests.inputs.ScoreInput.read_table", end)
    result = irbounds("evaluate", "qrels.txt", "one.run")
    assert result.returncode == 70
    assert result.stderr.startswith(b"Traceback")
    assert result.stderr.endswith(b"EOFError: of some file\n")


@pytest.mark.parametrize("error", [KeyboardInterrupt, typer.Abort])
def test_interrupt_during_help_is_reported(irbounds, monkeypatch, error):
    """typer catches it and, depending on its version, exits with a status or its own exception."""

    def interrupt(*arguments, **options):
        raise error

    monkeypatch.setattr("irbounds.cli.help.print_help", interrupt)
    result = irbounds("evaluate", "--help")
    assert (result.returncode, result.stderr) == (130, b"irbounds: interrupted\n")
