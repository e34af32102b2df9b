"""Target: command lines of words that a person might type, good and bad.

A command ends with status 0, or with one line on standard error and another status. Files are
written inside the directory of the case only.
"""

from __future__ import annotations

import contextlib
import io
import sys
from pathlib import Path
from random import Random

from irbounds.cli import main

from .engine import ACCEPTED, CRASH, MESSAGE, REFUSED, Finding, Target

QRELS = "".join(f"q{k} 0 d{j} {int((j + k) % 3 == 0)}\n" for k in range(6) for j in range(8))
SCORES = "topic,a,b\n" + "".join(f"q{k},{k / 9},{(7 - k) / 11}\n" for k in range(6))
STRATA = "stratum,retrieved,population,sampled,relevant\nx,yes,100,20,9\ny,no,900,40,2\n"
COMMANDS = (
    "evaluate qrels.txt one.run two.run -m AP",
    "evaluate --scores AP=scores.csv",
    "compare qrels.txt one.run two.run -m AP",
    "rank --scores scores.csv",
    "check qrels.txt one.run two.run",
    "corpus qrels.txt one.run two.run --corpus-size 50 --n-images 20",
    "recall --retrieved 100 20 9 --unretrieved 900 40 2",
    "recall strata.csv",
    "baseline 10 4",
    "baseline --qrels qrels.txt --population judged --n-draws 9",
    "plan queries --scores scores.csv",
    "plan-recall --corpus-size 900 --retrieved-size 100 --n-relevant 40 --recall 0.6 --budget 80",
    "standardise --scores scores.csv",
    "card --scores scores.csv --system a --collection c",
    "calibrate scores.csv --n-samples 3 --n-resamples 5",
    "data list",
    "study",
    "--help",
    "simulate made --n-queries 3 --n-systems 2",
)
WORDS = (
    *[
        "-m",
        "AP",
        "P@10",
        "nDCG@5",
        "nosuch",
        "--measure",
        "--seed",
        "7",
        "-1",
        "0",
        "1e9",
        "--format",
        "csv",
        "json",
        "jsonl",
        "markdown",
    ],
    *[
        "latex",
        "md",
        "table",
        "--output",
        "out.csv",
        "out.tex",
        ".",
        "--confidence-level",
        "0.9",
        "95",
        "95%",
        "1",
        "nan",
    ],
    *[
        "--method",
        "bca",
        "student-t",
        "koopman",
        "--alternative",
        "less",
        "greater",
        "--quiet",
        "--verbose",
    ],
    *[
        "--threads",
        "2",
        "--memory",
        "1GiB",
        "1",
        "x",
        "-",
        "--",
        "--help",
        "--version",
        "--depth",
        "--ties",
        "expected",
    ],
    *[
        "--queries",
        "common",
        "--duplicates",
        "first",
        "--order",
        "rank",
        "--float32",
        "--baseline",
        "one",
        "--chance",
    ],
    *[
        "--n-resamples",
        "2",
        "--bounds",
        "0,1",
        "--per-query",
        "missing.run",
        "qrels.txt",
        "--digits",
        "3",
        "--top",
    ],
    *("--n-images", "--prior", "uniform", "--power", "0.5", "é", "", "\ud800", "\x1b[31m"),
)


def command(rng: Random, directory: Path) -> str:
    """Run one command line in this process."""
    for name, text in (("qrels.txt", QRELS), ("scores.csv", SCORES), ("strata.csv", STRATA)):
        (directory / name).write_text(text)
    for name, step in (("one.run", 5), ("two.run", 3)):
        lines = (
            f"q{k} Q0 d{(j * step + k) % 8} {j + 1} {8 - j} t\n" for k in range(6) for j in range(8)
        )
        (directory / name).write_text("".join(lines))
    words = rng.choice(COMMANDS).split()
    for _ in range(rng.choice((0, 1, 2, 2, 3))):
        place = rng.randint(0, len(words))
        fault = rng.randrange(4)
        if fault == 0 and place < len(words):
            words[place] = rng.choice(WORDS)
        elif fault == 1 and place < len(words):
            del words[place]
        else:
            words[place:place] = rng.choices(WORDS, k=rng.choice((1, 2, 2)))
    words = [word for word in words if word != "--debug"]
    status, errors = run(words, directory)
    lines = errors.splitlines()
    ours = [line for line in lines if line.startswith("irbounds: error")]
    if status not in (0, 1, 2, 3):
        raise Finding(CRASH, f"status {status}: {words}: {errors[-300:]}")
    if "Traceback" in errors or (status == 2 and len(ours) != 1):
        raise Finding(MESSAGE, f"{words}: {errors[-300:]!r}")
    return ACCEPTED if status == 0 else REFUSED


def run(words: list[str], directory: Path) -> tuple[object, str]:
    """Return the status of a command and what it wrote to standard error."""
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(3)]
    before = sys.stdin, sys.stdout, sys.stderr, sys.argv
    with contextlib.chdir(directory):
        sys.stdin, sys.stdout, sys.stderr = streams
        sys.argv = ["irbounds", *words]
        try:
            main()
            status: object = "no exit"
        except SystemExit as ended:
            status = ended.code
        finally:
            sys.stdin, sys.stdout, sys.stderr, sys.argv = before
    streams[2].flush()
    return status, streams[2].buffer.getvalue().decode(errors="replace")


COMMAND_LINES: dict[str, Target] = {"command line": command}
