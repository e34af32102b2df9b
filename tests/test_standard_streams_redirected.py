"""Standard streams that are closed, full, or connected to a reader that has gone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EVALUATE = "evaluate qrels.txt one.run -m AP --method student-t"  # shows progress while it reads
RECALL = "recall --retrieved 1000 100 60 --unretrieved 9000 300 9"
CSV = f"{RECALL} --format csv --quiet"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a shell that can close streams")


@pytest.fixture
def run_in_shell(files):
    """Run ``irbounds`` with redirections, as a shell does."""

    def call(arguments: str, redirections: str):
        command = f'"{sys.executable}" -m irbounds {arguments} {redirections}'
        return subprocess.run(["bash", "-c", command], cwd=files, capture_output=True, check=False)

    return call


def check_device(redirections: str) -> None:
    if "/dev/full" in redirections and not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")


@pytest.mark.parametrize(
    ("arguments", "redirections"),
    [
        (EVALUATE, "2>&-"),
        (f"{EVALUATE} --format csv --verbose", "<&- 2>&-"),
        (f"{RECALL} --format csv --verbose", "2>/dev/full"),
        (f"{RECALL} --format csv --verbose", "2> >(true)"),
    ],
)
@pytest.mark.slow
def test_work_is_done_when_messages_cannot_be_written(run_in_shell, arguments, redirections):
    check_device(redirections)
    result = run_in_shell(arguments, redirections)
    assert result.returncode == 0
    assert (b"AP" if "evaluate" in arguments else b"recall") in result.stdout


def test_files_are_written_when_all_streams_are_closed(run_in_shell, files):
    result = run_in_shell(
        f"{EVALUATE} --output out.json --report out.html --verbose", "<&- >&- 2>&-"
    )
    assert result.returncode == 0
    for name in ("out.json", "out.html"):  # no file received the descriptor of a standard stream
        assert b"irbounds: " not in (files / name).read_bytes()[:1000]
    assert (files / "out.json").read_bytes().startswith(b"{")
    assert (files / "out.html").read_bytes().rstrip().endswith(b"</html>")


@pytest.mark.parametrize(
    ("arguments", "redirections", "reason"),
    [
        (RECALL, ">&-", b"it is closed"),
        (CSV, ">/dev/full", b"No space left on device"),
        ("--help", ">/dev/full", b"No space left on device"),
    ],
)
def test_unwritable_result_is_an_error(run_in_shell, arguments, redirections, reason):
    check_device(redirections)
    result = run_in_shell(arguments, redirections)
    assert result.returncode == 2
    assert result.stderr == b"irbounds: error: standard output: " + reason + b"\n"


@pytest.mark.parametrize("arguments", [RECALL, "--help"])
def test_closed_pipe_is_not_an_error(run_in_shell, arguments):
    result = run_in_shell(arguments, "| true; exit ${PIPESTATUS[0]}")
    assert (result.returncode, result.stderr) == (141, b"")
