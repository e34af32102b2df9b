"""The list of a corpus: the ids of all its documents, one a line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError
from .identifiers import Identifiers, intern_strings
from .problems import Problems
from .sources import Source

__all__ = ["read_corpus"]


def read_corpus(source: Any) -> Identifiers:
    """Read the ids of all documents.

    Parameters
    ----------
    source
        A file with one id a line, plain or packed, ``-`` for standard input, or an iterable of ids.
        Blank lines and lines that begin with ``#`` do not count.
    """
    if isinstance(source, str | Path):
        with Source(source) as file:
            name, unit = file.name, "line"
            lines = list(enumerate(map(str.strip, file.text().split("\n")), start=1))
            listed = [(n, text) for n, text in lines if text and not text.startswith("#")]
    elif isinstance(source, Iterable):
        name, unit = "the corpus", "document"
        listed = list(enumerate(map(str, source), start=1))
    else:
        raise InputError(
            f"the corpus: a path or an iterable of ids is expected; got {type(source).__name__}"
        )
    if not listed:
        raise InputError(f"{name}: empty: no document id")
    return _checked(name, unit, listed)


def _checked(name: str, unit: str, listed: list[tuple[int, str]]) -> Identifiers:
    problems = Problems(name, unit)
    for number, text in listed:
        if len(text.split()) != 1:
            problems.add(f"one document id expected; got {text!r}", number)
    ids, codes = intern_strings([text for _, text in listed])
    if len(ids) < len(listed):
        _, first = np.unique(codes, return_index=True)
        for place in np.setdiff1d(np.arange(len(codes)), first).tolist():
            problems.add(f"document {listed[place][1]!r} is there twice", listed[place][0])
    problems.raise_if_any()
    return ids
