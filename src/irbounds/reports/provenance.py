"""Provenance of a report: everything that is needed to compute its numbers again, and no more.

The block contains versions, the command line as it was typed, every option, fingerprints of the
inputs, the date, and digests of the results: one of all tables and a short one of every row, by
which a repetition can name the rows that differ. Tables of measurements such as seconds have no
digests, because they differ every time. The block contains no user name, only the directories that
were typed, and of the environment only the data directory of a study (``IRBOUNDS_DATA``), as the
option that it sets.

Numbers are compared to nine significant digits, because another processor may round the last bit of
a sum differently.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from ..errors import InputError
from ..presentation.rounding import SIGNIFICANT, round_digits
from ..presentation.table import Table, render
from ..results import InputFile

LIBRARIES = ("numpy", "scipy", "numba", "polars", "ir-measures", "vl-convert-python")
ROW_DIGITS = 8  # hexadecimal digits per row: two rows have the same with probability 2**-32


@dataclass(frozen=True)
class TableDigest:
    """The title of a table, and a digest of eight hexadecimal digits per row."""

    title: str
    rows: str


@dataclass(frozen=True)
class Provenance:
    """The block at the end of a report, which ``irbounds report --repeat`` reads."""

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
    #: digests of the rows
    tables: tuple[TableDigest, ...] = ()

    def as_json(self) -> str:
        """Return the block as text."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False)

    @property
    def versions(self) -> dict[str, str]:
        """Versions of irbounds, Python and the libraries, and the machine, by name."""
        ours = {"irbounds": self.irbounds, "python": self.python, "machine": self.machine}
        return {**ours, **self.libraries}


def provenance_of(
    arguments: Sequence[str],
    options: Mapping[str, Any],
    inputs: Sequence[InputFile],
    tables: Sequence[Table],
) -> Provenance:
    """Return the provenance of these tables, computed now on this machine."""
    from .. import __version__

    repeatable = [table for table in tables if table.repeats]
    return Provenance(
        irbounds=__version__,
        python=platform.python_version(),
        machine=f"{platform.system()} {platform.machine()}",
        libraries={name: version(name) for name in LIBRARIES},
        arguments=tuple(arguments),
        options=dict(options),
        inputs=tuple(inputs),
        results=results_digest(repeatable),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        tables=tuple(TableDigest(table.title, _row_digests(table)) for table in repeatable),
    )


def results_digest(tables: Sequence[Table]) -> str:
    """Return the SHA-256 of the records of tables, as JSON lines."""
    lines = "".join(line for table in tables for line in _lines(table))
    return "sha256:" + hashlib.sha256(lines.encode(errors="backslashreplace")).hexdigest()


def _row_digests(table: Table) -> str:
    digests = (
        hashlib.sha256(line.encode(errors="backslashreplace")).hexdigest() for line in _lines(table)
    )
    return "".join(digest[:ROW_DIGITS] for digest in digests)


def _lines(table: Table) -> list[str]:
    """Return the records of a table as JSON lines, numbers to nine significant digits."""
    rows = [{key: _round(value) for key, value in row.items()} for row in table.records]
    rounded_table = Table(table.title, table.headings, (), tuple(rows))
    return render([rounded_table], "jsonl", {}).splitlines(keepends=True)


def _round(value: Any) -> Any:
    return round_digits(value, SIGNIFICANT) if isinstance(value, float) else value


def read_provenance(block: str, where: str) -> Provenance:
    """Return the provenance in a block; ``where`` is the page, for errors."""
    try:
        content = json.loads(block)
    except (ValueError, RecursionError):
        raise InputError(f"{where}: its provenance block is not JSON") from None
    wrong = _find_wrong_part(content)
    if wrong:
        raise InputError(f"{where}: its provenance block has no readable {wrong}")
    known = {field.name for field in fields(Provenance)}
    parts = {key: value for key, value in content.items() if key in known}
    parts["arguments"] = tuple(content["arguments"])
    parts["inputs"] = tuple(
        InputFile(file["name"], file["fingerprint"]) for file in content["inputs"]
    )
    tables = content.get("tables", [])
    parts["tables"] = tuple(TableDigest(table["title"], table["rows"]) for table in tables)
    return Provenance(**parts)


def _find_wrong_part(content: Any) -> str:
    """Return the name of the first invalid part of a block; nothing if all are valid."""
    if not isinstance(content, dict):
        return "parts"
    for name in ("irbounds", "python", "machine", "results", "date"):
        if not isinstance(content.get(name), str):
            return name
    if not _are_texts(content.get("arguments")):
        return "arguments"
    libraries = content.get("libraries")
    if not (isinstance(libraries, dict) and _are_texts([*libraries.values()])):
        return "libraries"
    if not isinstance(content.get("options"), dict):
        return "options"
    if not _are_pairs(content.get("inputs"), "name", "fingerprint"):
        return "inputs"
    return "" if _are_pairs(content.get("tables", []), "title", "rows") else "tables"


def _are_texts(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _are_pairs(values: Any, *keys: str) -> bool:
    """Return whether a value is a list of mappings with text under each of these keys."""
    return isinstance(values, list) and all(
        isinstance(value, dict) and _are_texts([value.get(key) for key in keys]) for value in values
    )
