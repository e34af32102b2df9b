"""Targets: the options of every verb with values of any type.

A request is made, or refused by an error of irbounds; ``TypeError`` is for options that a verb does
not have. Where a request is made and asks for little work, the verb runs it and its result is
shown.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import sys
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import polars

from irbounds.cli.app import VERBS, ExecutionOptions, load_verb
from irbounds.cli.output_options import Output, PageOutput
from irbounds.errors import DegenerateSampleWarning, SeveralInputsError
from irbounds.requests.request import REQUIRED, make_request, options_of

from .engine import ACCEPTED, CRASH, REFUSED, WARNING, Finding, Target
from .saved import published_tree

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 0, "d3": 2}}
RUNS = {"one": {"q1": {"d1": 2.0, "d2": 1.0}}, "two": {"q2": {"d3": 1.0}}}
SCORES = {"a": [0.1, 0.4, 0.2, 0.9], "b": [0.3, 0.3, 0.5, 0.8]}
JUDGED: dict[str, Any] = {"qrels": QRELS, "runs": RUNS, "measures": "AP"}
TABLE: dict[str, Any] = {"scores": SCORES}
ROWS: dict[str, Any] = {"label": [1, 0, 1, 0, 0], "a": [5, 4, 3, 2, 1], "b": [1, 1, 2, 2, 3]}
FEW = {"n_resamples": 5}
#: options that make a request valid, by command; a case starts from one of them
VALID: dict[str, list[dict[str, Any]]] = {
    "evaluate": [{**TABLE, **FEW}, {**JUDGED, **FEW, "chance": True}],
    "compare": [
        {**TABLE, **FEW},
        {**JUDGED, **FEW, "baseline": "one"},
        {**TABLE, "by_query": True},
        {**TABLE, **FEW, "groups": {1: "x", 2: "y", 3: "x", 4: "y"}},
    ],
    "gate": [
        {**TABLE, "margin": 0.1},
        {"qrels": QRELS, "old": RUNS["one"], "new": RUNS["two"], "margin": "AP=0.1"},
    ],
    "rank": [TABLE, JUDGED],
    "corpus": [{**JUDGED, "corpus_size": 9, "n_images": 4}],
    "ap": [{"labels": ROWS, **FEW}, {"labels": ROWS, **FEW, "method": "bca"}],
    "report": [TABLE, JUDGED],
    "check": [JUDGED],
    "recall": [
        {"retrieved": (100, 20, 9), "unretrieved": (900, 40, 2), "n_draws": 9},
        {"assessed": {"d1": 1, "d2": 0}, "retrieved_ids": ["d1"], "corpus_size": 9},
    ],
    "draw": [
        {"population": ["d1", "d2", "d3"], "n": 2, "seed": 1},
        {
            **{"population": ["d1", "d2", "d3"], "retrieved_ids": ["d1"], "n": 1},
            **{"retrieved_sample": 1, "seed": 1},
        },
    ],
    "plan-queries": [TABLE, {"n_systems": 5, "difference": 0.1, "variance": 0.04}],
    "plan-recall": [
        {
            **{"corpus_size": 900, "retrieved_size": 100, "n_relevant": 40, "recall": 0.6},
            "budget": 80,
        },
        {"corpus_size": 900, "retrieved": (100, 100, 40), "recall": 0.9, "recall_at_least": 0.7},
    ],
    "chance": [
        {"n_documents": 10, "n_relevant": 4, "n_draws": 9},
        {"n_documents": 10, "n_relevant": 2, "measures": "nDCG@5", "n_draws": 9},
        {**JUDGED, "n_draws": 9},
    ],
    "standardise": [TABLE],
    "simulate": [{"n_systems": 2, "n_queries": 3, "corpus_size": 200, "depth": 10}],
}
#: not called: what prints, downloads or takes long
NOT_CALLED = ("demo", "docs", "help", "output", "page", "execution")
NUMBERS = (
    *(0, 1, 2, -1, 3, 0.5, 0.95, 95, -0.0, 1e-300, 1 - 2**-53, 1e300, 10**30, 10**5000, 2**63),
    *(math.nan, math.inf, -math.inf, 1 + 2j, Decimal("0.5"), True, False, np.int8(3), np.bool_(1)),
    *(np.float32(0.9), np.float64("nan"), np.datetime64(1, "s"), np.timedelta64(1, "s")),
)
TEXTS = (
    *("", " ", "a", "AP", "0.5", "95%", "1,000", "1e400", "nan", "-", "--seed", "1,2", "0,1", ","),
    *("1:2", "1..2", ":", "9" * 5000, "\0", "\ud800", "é", "٣", "a\nb", "x" * 9000, "."),
    *("x=", "=x", "=", "x.html", "nowhere/x.csv", "F", "uniform", "common", "judged"),
)
MAX_NUMBER = 1_000  # in a request that is run


class Odd:
    """An object without anything."""


def hostile(rng: Random, depth: int = 2) -> Any:
    """Return a value of any type."""
    kinds: list[Callable[[], Any]] = [
        lambda: rng.choice(NUMBERS),
        lambda: rng.choice(TEXTS),
        lambda: rng.choice((None, Odd(), Odd, len, ..., b"ab", b"\xff", bytearray(b"x"), range(3))),
        lambda: rng.choice((np.array(3), np.array([3]), np.zeros((2, 2)), np.array(["a", None]))),
        lambda: rng.choice((polars.DataFrame(), polars.Series([1]), polars.DataFrame({"a": [1]}))),
        lambda: Path(rng.choice(TEXTS)),
    ]
    if depth:
        items = [hostile(rng, depth - 1) for _ in range(rng.choice((0, 1, 1, 2, 2, 3)))]
        kinds += [
            lambda: items,
            lambda: tuple(items),
            lambda: (item for item in items),
            lambda: {rng.choice(("a", 1, None, "AP", 0.5)): item for item in items},
            lambda: {rng.choice(TEXTS)},
        ]
    return rng.choice(kinds)()


def near(rng: Random, kind: Any) -> dict[str, Any]:
    """Return one option of a request with a value that is usual for it, or a hostile one."""
    option = rng.choice(options_of(kind))
    if option.kind.choices and rng.random() < 0.3:
        return {option.name: rng.choice(option.kind.choices)}
    return {option.name: hostile(rng)}


@cache
def kinds() -> dict[str, Any]:
    """Return the requests of all commands, and those of their output and execution."""
    requests = {name: load_verb(name).request for name in VERBS}
    return {**requests, "output": Output, "page": PageOutput, "execution": ExecutionOptions}


def case(rng: Random, names: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """Return one of some commands, and options of it."""
    name = rng.choice(names)
    options = dict(rng.choice(VALID.get(name, [{}])))
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3)) if options_of(kinds()[name]) else 0):
        options |= near(rng, kinds()[name])
    if options and rng.random() < 0.05:
        del options[rng.choice([*options])]
    return name, options


def make(name: str, options: dict[str, Any]) -> Any:
    """Return the request of a call."""
    return make_request(kinds()[name], name, (), options)


def is_small(value: Any) -> bool:
    """Return whether a value asks for little work."""
    if isinstance(value, list | tuple):
        return all(map(is_small, value))
    return not isinstance(value, int) or abs(value) <= MAX_NUMBER


def request(rng: Random, directory: Path) -> str:
    """Make a request, with an option that no verb has now and then."""
    name, options = case(rng, [*kinds()])
    with contextlib.chdir(directory):
        if rng.random() < 0.05:
            try:
                make(name, {**options, rng.choice(("rng", "alpha", "é", "_is_lone")): 1})
            except TypeError as error:
                if "has no option" in str(error):
                    return REFUSED
                raise
            raise Finding(CRASH, f"{name} has an unknown option")
        made_request = make(name, options)
        for option in options_of(kinds()[name]):
            if getattr(made_request, option.name) is REQUIRED:
                raise Finding(CRASH, f"{name} has no {option.name}")
        if any(directory.iterdir()):
            raise Finding(CRASH, f"{name} wrote a file: {options!r:.300}")
    return ACCEPTED


def run(rng: Random, directory: Path) -> str:
    """Run what a request asks for, and show the result as ``print`` would."""
    name, options = case(rng, [name for name in VERBS if name.partition(" ")[0] not in NOT_CALLED])
    for system in ("a", "b"):
        (directory / f"{system}.json").write_text(json.dumps(published_tree()))
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(b"q1 0 d1 1\n"), "utf-8")
    try:
        with contextlib.chdir(directory):
            made_request = make(name, options)
            if all(
                is_small(getattr(made_request, system.name)) for system in options_of(kinds()[name])
            ):
                answer, caught = load_verb(name).answer(made_request)
                for warning in caught:
                    if not issubclass(warning.category, DegenerateSampleWarning):
                        raise Finding(WARNING, f"{warning.message}: {name} {options!r:.300}")
                str(answer.attach())
    except SeveralInputsError as error:  # a line for each
        raise error.errors[0] from None
    finally:
        sys.stdin = before
    return ACCEPTED


REQUESTS: dict[str, Target] = {"requests": request, "requests that are run": run}
