"""Provenance of a report: everything that is needed to compute its numbers again, and no more.

It has versions, the command line as it was typed, every option of the verb, fingerprints of the
inputs and of the results, and the date. It has no user name, only the directories that were typed,
and nothing of the environment.

The fingerprint of the results has numbers to nine significant digits, because another processor may
round the last bit of a sum differently.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from ..presentation.rounding import SIGNIFICANT, round_digits
from ..presentation.table import Table, render
from ..results import InputFile

LIBRARIES = ("numpy", "scipy", "numba", "polars", "ir-measures", "vl-convert-python")


@dataclass(frozen=True)
class Provenance:
    """What the end of a report states about its origin."""

    irbounds: str
    python: str
    #: operating system and processor architecture
    machine: str
    libraries: Mapping[str, str]
    #: the command line without the name of the program
    arguments: tuple[str, ...]
    #: the value of every option
    options: Mapping[str, Any]
    #: names and fingerprints of the input files
    inputs: tuple[InputFile, ...]
    #: SHA-256 of all records of all tables
    results: str
    #: date and time in UTC
    date: str


def provenance_of(
    arguments: Sequence[str],
    options: Mapping[str, Any],
    inputs: Sequence[InputFile],
    tables: Sequence[Table],
) -> Provenance:
    """Return the provenance of these tables, computed now on this machine."""
    from .. import __version__

    return Provenance(
        irbounds=__version__,
        python=platform.python_version(),
        machine=f"{platform.system()} {platform.machine()}",
        libraries={name: version(name) for name in LIBRARIES},
        arguments=tuple(arguments),
        options=dict(options),
        inputs=tuple(inputs),
        results=results_digest(tables),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def results_digest(tables: Sequence[Table]) -> str:
    """Return the SHA-256 of the records of tables, as JSON lines."""
    lines = "".join(map(_lines, tables))
    return "sha256:" + hashlib.sha256(lines.encode(errors="backslashreplace")).hexdigest()


def _lines(table: Table) -> str:
    """Return the records of a table as JSON lines, numbers to nine significant digits."""
    rows = [{key: _round(value) for key, value in row.items()} for row in table.records]
    rounded_table = Table(table.title, table.headings, (), tuple(rows))
    return render([rounded_table], "jsonl", {})


def _round(value: Any) -> Any:
    return round_digits(value, SIGNIFICANT) if isinstance(value, float) else value
