"""Targets: files that irbounds writes and reads again, each damaged or forged."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import irbounds

from .engine import ACCEPTED, SILENT, Finding, Target, write_file
from .mutation import mutate_json, mutate_text
from .naive_parsers import parse_json_document

SEED = 5


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


def accepted_tree(data: bytes, read: Any) -> Any:
    """Return the document of a file that was accepted."""
    try:
        return parse_json_document(data)
    except ValueError:
        raise Finding(SILENT, f"{read!r:.300} | {data!r:.600}") from None


SAVED: dict[str, Target] = {"published": published}
