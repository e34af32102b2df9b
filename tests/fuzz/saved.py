"""Targets: files that irbounds writes and reads again, each damaged or forged."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import irbounds

from .engine import ACCEPTED, SILENT, WRONG, Finding, Target, write_file
from .mutation import mutate_json, mutate_text
from .naive_parsers import parse_json_document

SEED = 5
KEYS = ("mean", "standard_deviation")


@cache
def scores() -> irbounds.ScoreTable:
    values = np.random.default_rng(SEED).random((1, 3, 12))
    return irbounds.ScoreTable(("AP",), ("a", "b", "ä"), tuple(f"q{k}" for k in range(12)), values)


def mutated_document(tree: Any, rng: Random) -> bytes:
    """Return JSON with a fault in its tree or in its text."""
    for _ in range(rng.choice((0, 1, 1, 2))):
        tree = mutate_json(tree, rng)
    text = json.dumps(tree, indent=rng.choice((None, 1)), ensure_ascii=rng.random() < 0.5)
    data = text.encode(errors="backslashreplace")  # half a surrogate pair becomes JSON's escape
    return mutate_text(data, rng) if rng.random() < 0.3 else data


def published_tree() -> Any:
    """Return what ``evaluate`` writes of one system."""
    row = {"measure": "AP", "system": "a", "mean": 0.4, "standard_deviation": 0.2, "n": 9}
    return {"irbounds": irbounds.__version__, "inputs": [], "ties": "trec", "results": [row]}


def published(rng: Random, directory: Path) -> str:
    """Published means are compared, or refused in one line."""
    names = [
        str(write_file(directory, f"{name}.json", mutated_document(published_tree(), rng)))
        for name in "ab"
    ]
    irbounds.compare(*names)
    return ACCEPTED


@cache
def factors_tree() -> Any:
    factors = irbounds.standardisation.score_factors(scores())
    return {
        "format": "irbounds standardisation factors",
        "format_version": 1,
        "irbounds": irbounds.__version__,
        "fingerprint": factors.fingerprint,
        "reference_systems": list(factors.systems),
        "inputs": [{"name": "x", "fingerprint": "sha256:0"}],
        "measures": factors.by_measure(),
    }


def factors(rng: Random, directory: Path) -> str:
    """Whatever is read must have the numbers of the file; other keys may be in it."""
    data = mutated_document(factors_tree(), rng)
    read = irbounds.standardisation.read_factors(write_file(directory, "factors.json", data))
    tree = accepted_tree(data, read)
    numbers = {
        measure: {query: {key: pair[key] for key in KEYS} for query, pair in part.items()}
        for measure, part in tree["measures"].items()
    }
    if read.by_measure() != numbers or [*read.systems] != tree["reference_systems"]:
        raise Finding(WRONG, f"{read!r} | {data!r:.600}")
    return ACCEPTED


def accepted_tree(data: bytes, read: Any) -> Any:
    """Return the document of a file that was accepted."""
    try:
        return parse_json_document(data)
    except ValueError:
        raise Finding(SILENT, f"{read!r:.300} | {data!r:.600}") from None


SAVED: dict[str, Target] = {"published": published, "factors": factors}
