"""Run cases and classify what happens.

A target is a function of a random number generator and an empty directory. It makes one input,
mutates it, gives it to irbounds, and returns what happened: ``"accepted"``, or ``"refused"`` where
it expected a refusal. An error of irbounds that the target did not catch counts as refused too. It
raises ``Finding`` where the answer is wrong. Everything else that can go wrong is found here: other
exceptions, warnings of Python or numpy, error messages of several lines or of excessive length, and
cases that do not end.

Case ``i`` of a target depends on the seed, the target's name and ``i`` only, so that
``python -m fuzz --target NAME --case i`` repeats it.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from irbounds import IrboundsError
from irbounds.errors import DegenerateSampleWarning

#: what a target returns
ACCEPTED, REFUSED = "accepted", "refused"
#: what no case may be
CRASH, HANG, WARNING, MESSAGE, NOISE = "crash", "hang", "warning", "message", "noise"
#: accepted though a naive parser refuses; refused though it accepts; accepted with other values
SILENT, STRICT, WRONG = "silent acceptance", "wrong refusal", "wrong value"

PANIC = b"panicked at"  # polars reports a panic on standard error before it raises
SECONDS = 60  # that one case may take; a kernel may have to be compiled first
MAX_MESSAGE = 2_000  # characters of an error message; file names in it may be long

Target = Callable[[Random, Path], str]


class Finding(Exception):  # noqa: N818
    """A fault that a target found."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class _Hang(BaseException):
    """Raised by the alarm; no ``except Exception`` may catch it."""


@dataclass(frozen=True)
class Fault:
    """One case with a fault."""

    target: str
    case: int
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.target} case {self.case}: {self.kind}: {self.text}"


@dataclass
class Tally:
    """Number of cases by target and outcome, and the faults."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)

    def add(self, target: str, outcome: str | Fault) -> None:
        """Count one case."""
        if isinstance(outcome, Fault):
            self.faults.append(outcome)
            outcome = outcome.kind
        self.counts[target, outcome] += 1

    def of(self, target: str) -> dict[str, int]:
        """Number of cases by outcome."""
        return {kind: n for (name, kind), n in self.counts.items() if name == target}


def run_cases(name: str, target: Target, seed: int, cases: Iterable[int]) -> Tally:
    """Run some cases of one target in this process, and count them."""
    tally = Tally()
    for _, outcome in outcomes(name, target, seed, cases):
        tally.add(name, outcome)
    return tally


def outcomes(
    name: str, target: Target, seed: int, cases: Iterable[int]
) -> Iterator[tuple[int, str | Fault]]:
    """Run some cases of one target in this process."""
    with _standard_error() as new_text:
        for case in cases:
            outcome = run_case(name, target, seed, case)
            text = new_text()
            if text and PANIC not in text and not isinstance(outcome, Fault):
                outcome = Fault(name, case, NOISE, repr(text[:300]))
            yield case, outcome


def run_case(name: str, target: Target, seed: int, case: int) -> str | Fault:
    """Run one case and return its outcome."""
    directory = Path(tempfile.mkdtemp(prefix="irbounds-fuzz-"))
    try:
        with warnings.catch_warnings(), _alarm():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", DegenerateSampleWarning)
            return target(Random(f"{seed}/{name}/{case}"), directory)
    except IrboundsError as error:
        text = str(error)
        if not text or "\n" in text or len(text) > MAX_MESSAGE:
            return Fault(name, case, MESSAGE, repr(text)[:400])
        return REFUSED
    except Finding as finding:
        return Fault(name, case, finding.kind, str(finding))
    except _Hang:
        return Fault(name, case, HANG, _where())
    except Warning:
        return Fault(name, case, WARNING, _where())
    except KeyboardInterrupt:
        raise
    except BaseException:
        return Fault(name, case, CRASH, _where())
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _where() -> str:
    """The exception and the last place in irbounds, in one line."""
    lines = traceback.format_exc().strip().splitlines()
    ours = [
        line.strip() for line in lines if "irbounds" in line and line.strip().startswith("File")
    ]
    return f"{lines[-1][:300]} ({ours[-1] if ours else 'not in irbounds'})"


@contextmanager
def _standard_error() -> Iterator[Callable[[], bytes]]:
    """Catch what libraries write to standard error past Python; a call gives what is new."""
    sys.stderr.flush()
    original_descriptor = os.dup(2)
    n_read = 0
    with tempfile.TemporaryFile(buffering=0) as file:
        os.dup2(file.fileno(), 2)

        def new_text() -> bytes:
            nonlocal n_read
            text = os.pread(file.fileno(), 1 << 20, n_read)
            n_read += len(text)
            return text

        try:
            yield new_text
        finally:
            os.dup2(original_descriptor, 2)
            os.close(original_descriptor)


@contextmanager
def _alarm() -> Iterator[None]:
    """Raise ``_Hang`` after ``SECONDS``; compiled code is interrupted when it returns."""

    def stop(signum: int, frame: object) -> None:
        raise _Hang

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def write_file(directory: Path, name: str, data: bytes) -> Path:
    """Write an input; regular files only, as a person would have them."""
    path = directory / name
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
    return path
