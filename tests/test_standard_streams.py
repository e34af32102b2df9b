"""Messages of compiled libraries on standard error: held back in commands, and only there."""

from __future__ import annotations

import subprocess
import sys

import pytest

PANIC = r"\nthread 'async-executor-0' (7) panicked at crates/some.rs:1:2:\nassertion\nstack: 0\n"
PROGRAM = """
import os, sys
from contextlib import nullcontext
from threading import Thread
from irbounds.standard_streams import hold_back_messages, allow_holding_back

def write(text):
    os.write(2, text.encode())

def work():
    with hold_back_messages():
        write("held ")
        with hold_back_messages():
            write("{text}")

with {allowed}:
    write("before ")
    work()
    thread = Thread(target=work)
    thread.start()
    thread.join()
write("after")
print("printed", file=sys.stderr)
"""


def run_program(text: str, allowed: str) -> str:
    program = PROGRAM.replace("{text}", text).replace("{allowed}", allowed)
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return result.stderr


def test_panic_reports_are_dropped_and_other_messages_are_not():
    assert run_program(PANIC, "allow_holding_back()") == "before held held afterprinted\n"
    assert (
        run_program("note ", "allow_holding_back()") == "before held note held note afterprinted\n"
    )


def test_messages_are_not_held_back_unless_allowed():
    assert run_program(PANIC, "nullcontext()").count("panicked at") == 2


def test_held_back_messages_are_written_while_the_stream_is_open(tmp_path):
    """All messages are written except a panic report, which may arrive in parts."""
    program = """
import os, sys
from irbounds.standard_streams import hold_back_messages, allow_holding_back
with allow_holding_back(), hold_back_messages():
    for text in ("one ", "two ", "\\nthread 'x' panicked at y", "rest of the report"):
        with hold_back_messages():
            os.write(2, text.encode())
        print(os.path.getsize(sys.argv[1]))
"""
    with (tmp_path / "errors").open("wb") as errors:
        result = subprocess.run(
            [sys.executable, "-c", program, tmp_path / "errors"],
            stdout=subprocess.PIPE,
            stderr=errors,
            check=True,
        )
    assert result.stdout.split() == [b"4", b"8", b"8", b"8"]
    assert (tmp_path / "errors").read_text() == "one two "


@pytest.mark.skipif(sys.platform == "win32", reason="descriptors as POSIX has them")
def test_closed_standard_error_stays_closed():
    program = PROGRAM.replace("{text}", "note ").replace("{allowed}", "allow_holding_back()")
    program = program.replace("os.write(2,", "len(")
    closed = ["sh", "-c", 'exec "$0" -c "$1" 2>&-', sys.executable, program]
    assert subprocess.run(closed, check=False).returncode == 0
