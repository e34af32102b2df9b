"""Whether a folder holds the work that is asked for, and if not, what differs, as a person says it.

A change of one option changes much of what units share: ``n_samples`` also how many units there
are, another run also how many documents. So what a person asked for is named first; if none of that
differs, what was read from files; else by what name the program knows it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import CheckpointError
from .digests import DIGEST_OF, digest_of, name_of, shown
from .versions import different_versions, versions
from .work import Work

FORMAT = 1
ANOTHER_FOLDER = "give another folder, or remove this one"


def account_of(work: Work, n_units: int) -> dict[str, Any]:
    """All that decides what the work gives, in words and digests."""
    read = {
        words: [work.shared[name] for name in work.read if work.read[name] == words]
        for words in sorted(set(work.read.values()))
    }
    return {
        "format": FORMAT,
        "what": work.what,
        "versions": versions(),
        "asked": {name: shown(value) for name, value in work.asked.items()},
        "read": {words: f"{DIGEST_OF}{digest_of(values)}" for words, values in read.items()},
        "rest": {name: shown(work.shared[name]) for name in sorted({*work.shared} - {*work.read})},
        "function": name_of(work.function),
        "n_units": n_units,
    }


def check_same(folder: Path, there: Mapping[str, Any], here: Mapping[str, Any]) -> None:
    """Raise ``CheckpointError`` with what differs between two accounts of work."""
    if there == here:
        return
    raise CheckpointError(
        f"{folder}: this checkpoint is of other work: {_different(there, here)}; {ANOTHER_FOLDER}"
    )


def _different(there: Mapping[str, Any], here: Mapping[str, Any]) -> str:
    if there["what"] != here["what"]:
        return f"{there['what']} there and {here['what']} here"
    if there["format"] != here["format"]:
        return f"its format is {there['format']} there and {here['format']} here"
    if there["versions"] != here["versions"]:
        return different_versions(there["versions"], here["versions"])
    asked, read, rest = (_pairs(there[group], here[group]) for group in ("asked", "read", "rest"))
    if asked:
        return ", ".join(_said(name, *values) for name, values in asked.items())
    if read:
        return ", ".join(f"{words} differ" for words in read)
    if rest:
        return f"what it is computed from differs ({', '.join(rest)})"
    if there["n_units"] != here["n_units"]:
        return f"its size is {there['n_units']} there and {here['n_units']} here"
    return f"{there['function']} there and {here['function']} here"


def _pairs(there: Mapping[str, str], here: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """What differs, by name: the values there and here."""
    names = dict.fromkeys((*here, *there))
    pairs = {name: (there.get(name, "missing"), here.get(name, "missing")) for name in names}
    return {name: values for name, values in pairs.items() if values[0] != values[1]}


def _said(name: str, there: str, here: str) -> str:
    if there.startswith(DIGEST_OF) or here.startswith(DIGEST_OF):
        return f"{name} differ" if name.endswith("s") else f"{name} differs"
    return f"{name} is {there} there and {here} here"
