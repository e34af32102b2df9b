"""Signals are delayed during imports and compilation, and handled at once elsewhere."""

from __future__ import annotations

import importlib
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

import numba
import pytest
import typer
from numba.core import event

from irbounds.cli import raise_on_signals

INTERRUPT = "import os, signal; os.kill(os.getpid(), signal.SIGINT)\n"


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Return a function that writes an importable module and returns its name."""
    monkeypatch.syspath_prepend(tmp_path)
    names = []

    def write(content: str) -> str:
        names.append(f"interrupting_itself_{len(names)}")
        (tmp_path / f"{names[-1]}.py").write_text(content)
        importlib.invalidate_caches()
        return names[-1]

    yield write
    for name in names:
        sys.modules.pop(name, None)


def test_interrupt_waits_for_the_end_of_an_import(module):
    name = module(f"{INTERRUPT}import sqlite3, xml.dom.minidom\nfinished = True\n")
    passed = []
    with pytest.raises(KeyboardInterrupt), raise_on_signals():
        importlib.import_module(name)
        passed.append("the next line")
    assert sys.modules[name].finished
    assert passed == []
    assert sys.gettrace() is None


def test_interrupt_waits_for_the_outermost_import(module):
    """The end of a nested import is not a safe point."""
    inner = module(INTERRUPT)
    outer = module(
        f"try:\n    import {inner}\nexcept BaseException:\n    lost = True\nfinished = True\n"
    )
    with pytest.raises(KeyboardInterrupt), raise_on_signals():
        importlib.import_module(outer)
    assert sys.modules[outer].finished
    assert not hasattr(sys.modules[outer], "lost")


def test_second_interrupt_does_not_wait(module):
    name = module(f"{INTERRUPT}{INTERRUPT}finished = True\n")
    with pytest.raises(KeyboardInterrupt), raise_on_signals():
        importlib.import_module(name)
    assert name not in sys.modules
    assert sys.gettrace() is None


def test_interrupt_waits_for_the_end_of_a_compilation():
    class Interrupt(event.Listener):
        def on_start(self, event_):
            os.kill(os.getpid(), signal.SIGINT)

        def on_end(self, event_):
            pass

    @numba.njit
    def double(number):
        return 2 * number

    passed = []
    with (
        pytest.raises(KeyboardInterrupt),
        raise_on_signals(),
        event.install_listener("numba:compile", Interrupt()),
    ):
        double(3)
        passed.append("the next line")
    assert passed == []
    assert len(double.overloads) == 1
    assert double(3) == 6


def test_temporary_directory_is_registered_before_a_signal_is_handled(tmp_path, monkeypatch):
    """Otherwise a signal right after its creation would leave the directory on disk."""
    make = os.mkdir

    def make_and_terminate(path, *options, **more):
        make(path, *options, **more)
        monkeypatch.setattr(os, "mkdir", make)
        os.kill(os.getpid(), signal.SIGTERM)

    def work():
        with tempfile.TemporaryDirectory(dir=tmp_path):
            time.sleep(60)

    monkeypatch.setattr(os, "mkdir", make_and_terminate)
    with pytest.raises(SystemExit), raise_on_signals():
        work()
    assert list(tmp_path.iterdir()) == []


def test_interrupt_is_handled_at_once_elsewhere():
    with pytest.raises(KeyboardInterrupt), raise_on_signals():
        os.kill(os.getpid(), signal.SIGINT)
        pytest.fail("not heard")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with pytest.raises(SystemExit) as ended, raise_on_signals():
        os.kill(os.getpid(), signal.SIGTERM)
        pytest.fail("not heard")
    assert ended.value.code == 143
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_terminated_command_leaves_no_files(files):
    """The command repeats a page, which needs a temporary directory, and writes an output."""
    (files / "temporary").mkdir()
    environment = os.environ | {"TMPDIR": str(files / "temporary")}
    start = [sys.executable, "-m", "irbounds"]
    page = [*start, "evaluate", "qrels.txt", "one.run", "--report", "page.html"]
    subprocess.run(page, cwd=files, check=True, capture_output=True)
    again = [*start, "report", "--repeat", "page.html"]
    process = subprocess.Popen(again, cwd=files, env=environment)
    patience = time.monotonic() + 60
    while not list((files / "temporary").glob("irbounds-*")):
        assert process.poll() is None
        assert time.monotonic() < patience
        time.sleep(0.001)
    time.sleep(0.1)  # Python creates the directory first and registers its removal afterwards
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 128 + signal.SIGTERM
    assert list((files / "temporary").iterdir()) == []


def test_eof_error_is_not_an_interrupt(irbounds, files, monkeypatch):
    """There are no prompts, so ``EOFError`` is an ordinary error."""

    def end(*arguments, **options):
        raise EOFError("of some file")

    monkeypatch.setattr("irbounds.requests.inputs.ScoreInput.read_table", end)
    result = irbounds("evaluate", "qrels.txt", "one.run")
    assert result.returncode == 70
    assert result.stderr.endswith(b"EOFError: of some file\n")


@pytest.mark.parametrize("error", [KeyboardInterrupt, typer.Abort])
def test_interrupt_during_help_is_reported(irbounds, monkeypatch, error):
    """typer catches it and, depending on its version, exits with a status or its own exception."""

    def interrupt(*arguments, **options):
        raise error

    monkeypatch.setattr("irbounds.cli.help.print_help", interrupt)
    result = irbounds("evaluate", "--help")
    assert (result.returncode, result.stderr) == (130, b"irbounds: interrupted\n")


@pytest.mark.parametrize("place", ["qrels", "run"])
def test_closed_standard_input_is_an_empty_file(irbounds, files, place):
    names = {"qrels": ("-", "one.run"), "run": ("qrels.txt", "-")}[place]
    result = irbounds("evaluate", *names, stdin=b"")
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.startswith(b"irbounds: error: standard input: empty")


@pytest.mark.slow
def test_command_can_be_interrupted_at_any_moment_of_its_start(files):
    """20 interrupts, from the start of Python to the end of the command."""
    command = [sys.executable, "-m", "irbounds", "evaluate", "qrels.txt", "one.run"]
    subprocess.run(command, cwd=files, check=True, capture_output=True)
    began = time.monotonic()
    subprocess.run(command, cwd=files, check=True, capture_output=True)
    whole = time.monotonic() - began
    moments, ends = random.Random(5), []
    for _ in range(20):
        process = subprocess.Popen(
            command, cwd=files, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        try:
            out, err = process.communicate(timeout=moments.uniform(0.15 * whole, whole))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        ends.append(process.returncode)
        if process.returncode == 130:
            assert re.fullmatch(rb"irbounds: interrupted\n", err)
        else:  # finished, or ended by the signal after the work was finished
            assert process.returncode in (0, -signal.SIGINT)
            assert out
            assert err == b""
    assert ends.count(130) > 5
