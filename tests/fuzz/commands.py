"""Target: command lines of words that a person might type, good and bad.

A command ends with status 0, or with one line on standard error and another status. Files are
written inside the directory of the case only.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from functools import cache
from pathlib import Path
from random import Random

import irbounds
from irbounds.cli import main

from .engine import ACCEPTED, CRASH, MESSAGE, REFUSED, Finding, Target
from .saved import published_tree

QRELS = "".join(f"q{k} 0 d{j} {int((j + k) % 3 == 0)}\n" for k in range(6) for j in range(8))
LABELS = "label,a,b\n1,0.9,2\n0,0.3,1\n1,0.2,3\n0,0.1,1\n"
SCORES = "topic,a,b\n" + "".join(f"q{k},{k / 9},{(7 - k) / 11}\n" for k in range(6))
GROUPS = "topic,kind\n" + "".join(f"q{k},{'xy'[k % 2]}\n" for k in range(6))
STRATA = "stratum,retrieved,population,sampled,relevant\nx,yes,100,20,9\ny,no,900,40,2\n"
COMMANDS = (
    "evaluate qrels.txt one.run two.run -m AP",
    "evaluate qrels.txt one.run two.run -m AP --chance",
    "evaluate --scores AP=scores.csv",
    "evaluate scores.csv --n-resamples 9 --method bca,percentile",
    "compare qrels.txt one.run two.run -m AP",
    "compare --scores scores.csv --baseline a --test t --adjustment none",
    "gate qrels.txt one.run two.run -m AP --margin 0.1",
    "gate a b --scores AP=scores.csv --margin 5% --format csv",
    "compare --scores scores.csv --by-query",
    "compare --scores scores.csv --groups groups.csv",
    "rank --scores scores.csv",
    "ap labels.csv",
    "ap labels.csv --method bca --n-resamples 9 --baseline a",
    "report --scores AP=scores.csv --n-resamples 9 -o page.html",
    "check qrels.txt one.run two.run",
    "corpus qrels.txt one.run two.run --corpus-size 50 --n-images 20",
    "corpus qrels.txt one.run two.run --corpus-size 50 --n-images 20 --show ranks",
    "recall --retrieved 100 20 9 --unretrieved 900 40 2",
    "recall strata.csv",
    "recall --assessed sheet.csv --retrieved-ids found.txt --corpus ids.txt",
    "draw --population ids.txt --n 2 --seed 7",
    "draw --population ids.txt --retrieved-ids found.txt --n 2 --retrieved-sample 1 --seed 7",
    "chance 10 4",
    "chance 10 4 -m nDCG@5 --observed 0.5 --n-draws 9",
    "chance qrels.txt one.run --n-draws 9",
    "plan-queries --scores scores.csv",
    "plan-queries --n-systems 5 --difference 0.1 --variance 0.04",
    "plan-recall --corpus-size 900 --retrieved-size 100 --n-relevant 40 --recall 0.6 --budget 80",
    "standardise --scores scores.csv",
    "standardize --scores scores.csv --reference a,b",
    "compare a.json b.json",
    "demo",
    "measures",
    "--help",
    "simulate made --n-queries 3 --n-systems 2",
)
WORDS = (
    *("-m", "AP", "P@10", "nDCG@5", "nosuch", "--measures", "--seed", "7", "-1", "0", "1e9", "95"),
    *(
        "--format",
        "csv",
        "json",
        "jsonl",
        "markdown",
        "latex",
        "md",
        "table",
        "--output",
        "out.csv",
    ),
    *("out.tex", ".", "--confidence-level", "0.9", "95%", "1", "nan", "--method", "bca", "koopman"),
    *("student-t", "--alternative", "less", "greater", "--quiet", "--threads", "2"),
    *("--threads", "2", "1", "x", "-", "--", "--help", "--version", "--depth"),
    *("--ties", "expected", "--queries", "common", "--duplicates", "first", "--order", "rank"),
    *("--float32", "--baseline", "one", "--chance", "--population", "--corpus-size"),
    *("--n-resamples", "2", "--bounds", "0,1", "--per-query", "missing.run", "qrels.txt"),
    *("--by-query", "--groups", "groups.csv", "scores.csv"),
    *("--n-images", "--prior", "uniform", "--power", "0.5", "--n-draws"),
    *("--adjustment", "none", "--test", "t", "wilcoxon", "--show", "ranks", "differences"),
    *(
        "--grades",
        "1:2",
        "--observed",
        "--system",
        "a",
        "--figure",
        "out.svg",
    ),
    *("--n-queries", "2,3", "--transform", "normal-cdf", "--quantity", "F1,recall"),
    *("é", "", "\ud800", "\x1b[31m", "\0", "9" * 5000),
)


@cache
def input_files() -> dict[str, str]:
    """Return the texts of the files that the commands name, but the runs."""
    published = {f"{name}.json": json.dumps(published_tree()) for name in "ab"}
    files = {"qrels.txt": QRELS, "scores.csv": SCORES, "strata.csv": STRATA}
    sheet = irbounds.draw(population=[*"abcd"], n=2, seed=7).to_sheet().replace(",\n", ",1\n")
    lists = {"ids.txt": "a\nb\nc\nd\n", "found.txt": "a\nb\n", "sheet.csv": sheet}
    return {
        **files,
        **published,
        **lists,
        "groups.csv": GROUPS,
        "labels.csv": LABELS,
    }


def command(rng: Random, directory: Path) -> str:
    """Run one command line in this process."""
    for name, text in input_files().items():
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
