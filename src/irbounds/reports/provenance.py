"""Where a report's numbers come from: enough for anyone to make them again, and nothing else.

Versions, the command line as it was typed, every option, fingerprints of the inputs, the date, and
marks of the results: a digest of all tables and a short one of every row, by which a repetition can
say which rows differ. Tables of what was measured on the way, such as seconds, have no mark: they
differ every time. No user, no folder but those that were typed, and of the environment only the
folder of data that a study read (``IRBOUNDS_DATA``), as the option that it stands for.

Numbers count to nine significant digits: another processor may round the last bit of a sum another
way, and that is no other result.
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
ROW_MARK = 8  # hex digits of a row: one in four thousand million rows is mistaken for another


@dataclass(frozen=True)
class TableMark:
    """A table as a repetition knows it: its title, and eight hex digits a row."""

    title: str
    rows: str


@dataclass(frozen=True)
class Provenance:
    """The block at the end of a report, which ``irbounds report --repeat`` reads."""

    irbounds: str
    python: str
    #: operating system and kind of processor
    machine: str
    libraries: Mapping[str, str]
    #: the command line, less the program's name
    arguments: tuple[str, ...]
    #: every option's value, given or not
    options: Mapping[str, Any]
    #: names and fingerprints of what was read
    inputs: tuple[InputFile, ...]
    #: SHA-256 of all records of all tables: equal where the numbers are
    results: str
    #: when it was made, UTC
    date: str
    #: the same row by row
    tables: tuple[TableMark, ...] = ()

    def as_json(self) -> str:
        """The block as text."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False)

    @property
    def versions(self) -> dict[str, str]:
        """All that computed, by name."""
        ours = {"irbounds": self.irbounds, "python": self.python, "machine": self.machine}
        return {**ours, **self.libraries}


def provenance_of(
    arguments: Sequence[str],
    options: Mapping[str, Any],
    inputs: Sequence[InputFile],
    tables: Sequence[Table],
) -> Provenance:
    """What this machine would have to say of these tables now."""
    from .. import __version__

    repeated = [table for table in tables if table.repeats]
    return Provenance(
        irbounds=__version__,
        python=platform.python_version(),
        machine=f"{platform.system()} {platform.machine()}",
        libraries={name: version(name) for name in LIBRARIES},
        arguments=tuple(arguments),
        options=dict(options),
        inputs=tuple(inputs),
        results=results_digest(repeated),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        tables=tuple(TableMark(table.title, _row_marks(table)) for table in repeated),
    )


def results_digest(tables: Sequence[Table]) -> str:
    """SHA-256 of the tables' records, as JSON lines."""
    lines = "".join(line for table in tables for line in _lines(table))
    return "sha256:" + hashlib.sha256(lines.encode(errors="backslashreplace")).hexdigest()


def _row_marks(table: Table) -> str:
    digests = (
        hashlib.sha256(line.encode(errors="backslashreplace")).hexdigest() for line in _lines(table)
    )
    return "".join(digest[:ROW_MARK] for digest in digests)


def _lines(table: Table) -> list[str]:
    """A table's records as lines of JSON, numbers to the digits that count."""
    rounded = [{key: _rounded(value) for key, value in row.items()} for row in table.records]
    whole = Table(table.title, table.headings, (), tuple(rounded))
    return render([whole], "jsonl", {}).splitlines(keepends=True)


def _rounded(value: Any) -> Any:
    return round_digits(value, SIGNIFICANT) if isinstance(value, float) else value


def read_provenance(block: str, where: str) -> Provenance:
    """A block as it was written; ``where`` is the page that an error names."""
    try:
        held = json.loads(block)
    except (ValueError, RecursionError):
        raise InputError(f"{where}: its provenance block is no JSON") from None
    wrong = _wrong_part(held)
    if wrong:
        raise InputError(f"{where}: its provenance block has no {wrong} that can be read")
    known = {field.name for field in fields(Provenance)}
    parts = {key: value for key, value in held.items() if key in known}
    parts["arguments"] = tuple(held["arguments"])
    parts["inputs"] = tuple(InputFile(one["name"], one["fingerprint"]) for one in held["inputs"])
    marks = held.get("tables", [])
    parts["tables"] = tuple(TableMark(one["title"], one["rows"]) for one in marks)
    return Provenance(**parts)


def _wrong_part(held: Any) -> str:
    """The first part of a block that is not what it must be; the block may be anyone's."""
    if not isinstance(held, dict):
        return "parts"
    for name in ("irbounds", "python", "machine", "results", "date"):
        if not isinstance(held.get(name), str):
            return name
    if not _are_texts(held.get("arguments")):
        return "arguments"
    libraries = held.get("libraries")
    if not (isinstance(libraries, dict) and _are_texts([*libraries.values()])):
        return "libraries"
    if not isinstance(held.get("options"), dict):
        return "options"
    if not _are_pairs(held.get("inputs"), "name", "fingerprint"):
        return "inputs"
    return "" if _are_pairs(held.get("tables", []), "title", "rows") else "tables"


def _are_texts(found: Any) -> bool:
    return isinstance(found, list) and all(isinstance(one, str) for one in found)


def _are_pairs(found: Any, *keys: str) -> bool:
    """A list of mappings that have these keys, with text under each."""
    return isinstance(found, list) and all(
        isinstance(one, dict) and _are_texts([one.get(key) for key in keys]) for one in found
    )
