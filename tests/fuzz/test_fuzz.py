"""The quick part of the fuzzer: the same few thousand cases every time, and faults it must see."""

from __future__ import annotations

import os
import time
import warnings
from pathlib import Path
from random import Random

import pytest

import irbounds
from fuzz import engine, readers
from fuzz.commands import COMMAND_LINES, COMMANDS
from fuzz.engine import ACCEPTED, REFUSED, run_cases
from fuzz.naive_parsers import parse_run
from fuzz.readers import READERS
from fuzz.requests import REQUESTS
from fuzz.saved import SAVED
from fuzz.targets import TARGETS
from fuzz.verbs import VERBS
from irbounds.cli import app

SEED = 17
N_CASES = {**dict.fromkeys(READERS, 120), **dict.fromkeys(VERBS, 40), **dict.fromkeys(SAVED, 60)}
N_CASES |= {**dict.fromkeys(REQUESTS, 300), **dict.fromkeys(COMMAND_LINES, 40)}


@pytest.mark.parametrize("name", TARGETS)
def test_fuzz_cases_have_no_faults(name: str) -> None:
    tally = run_cases(name, TARGETS[name], SEED, range(N_CASES[name]))
    assert not tally.faults, "\n".join(map(str, tally.faults[:5]))
    assert sum(tally.of(name).values()) == N_CASES[name]
    assert set(tally.of(name)) == {ACCEPTED, REFUSED}, (
        "cases of both kinds show that both are tried"
    )


@pytest.mark.parametrize("name", app.VERBS)
def test_fuzz_covers_every_command(name: str) -> None:
    assert any(f"{line} ".startswith(f"{name} ") for line in COMMANDS)


def _crash(rng: Random, directory: Path) -> str:
    raise KeyError("x")


def _warn(rng: Random, directory: Path) -> str:
    warnings.warn("overflow", RuntimeWarning, stacklevel=1)
    return ACCEPTED


def _message(rng: Random, directory: Path) -> str:
    raise irbounds.errors.InputError("two\nlines")


def _noise(rng: Random, directory: Path) -> str:
    os.write(2, b"thread panicked")
    return ACCEPTED


def _hang(rng: Random, directory: Path) -> str:
    while True:
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("target", "kind"),
    [
        (_crash, engine.CRASH),
        (_warn, engine.WARNING),
        (_message, engine.MESSAGE),
        (_noise, engine.NOISE),
        (_hang, engine.HANG),
    ],
)
def test_fuzz_engine_detects_faults(target, kind, monkeypatch) -> None:
    monkeypatch.setattr(engine, "SECONDS", 0.2)
    tally = run_cases("broken", target, SEED, range(2))
    assert tally.of("broken") == {kind: 2}


def _drop_first_line(path: Path) -> object:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[1:]))
    return readers.run_of(path)


def _refuse_nothing(path: Path) -> object:
    try:
        return readers.run_of(path)
    except irbounds.errors.InputError:
        return {}


def _refuse_everything(path: Path) -> object:
    raise irbounds.errors.InputError("no")


@pytest.mark.parametrize(
    ("read", "kind"),
    [
        (_drop_first_line, engine.WRONG),
        (_refuse_nothing, engine.SILENT),
        (_refuse_everything, engine.STRICT),
    ],
)
def test_fuzz_detects_reader_that_differs_from_naive_parser(read, kind) -> None:
    target = readers.make_text_target("bm25.run", readers.trec_run, read, parse_run)
    assert run_cases("broken", target, SEED, range(60)).of("broken")[kind] > 5


def test_fuzz_case_depends_on_seed_name_and_number_only() -> None:
    draws = []

    def target(rng: Random, directory: Path) -> str:
        draws.append(rng.random())
        return ACCEPTED

    run_cases("a", target, 1, [3, 4])
    run_cases("a", target, 1, [4])
    run_cases("b", target, 1, [4])
    run_cases("a", target, 2, [4])
    assert draws[1] == draws[2]
    assert len({*draws}) == 4
