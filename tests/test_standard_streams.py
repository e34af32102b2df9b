"""What compiled libraries write to standard error: held back in a command, and nowhere else."""

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


def written(text: str, allowed: str) -> str:
    program = PROGRAM.replace("{text}", text).replace("{allowed}", allowed)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return done.stderr


def test_reports_of_panics_are_dropped_and_the_rest_is_not():
    assert written(PANIC, "allow_holding_back()") == "before held held afterprinted\n"
    assert written("note ", "allow_holding_back()") == "before held note held note afterprinted\n"


def test_nothing_is_held_back_where_nobody_allows_it():
    assert written(PANIC, "nullcontext()").count("panicked at") == 2


def test_what_is_held_back_is_passed_on_while_others_still_read(tmp_path):
    """All but a panic, of which the report may come in parts."""
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
        done = subprocess.run(
            [sys.executable, "-c", program, tmp_path / "errors"],
            stdout=subprocess.PIPE,
            stderr=errors,
            check=True,
        )
    assert done.stdout.split() == [b"4", b"8", b"8", b"8"]
    assert (tmp_path / "errors").read_text() == "one two "


@pytest.mark.skipif(sys.platform == "win32", reason="descriptors as POSIX has them")
def test_standard_error_that_is_closed_stays_so():
    program = PROGRAM.replace("{text}", "note ").replace("{allowed}", "allow_holding_back()")
    program = program.replace("os.write(2,", "len(")
    closed = ["sh", "-c", 'exec "$0" -c "$1" 2>&-', sys.executable, program]
    assert subprocess.run(closed, check=False).returncode == 0
