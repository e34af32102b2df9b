"""A report beside its repetition: what changed in inputs and versions, and which rows differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ..results import shown_fingerprint
from .provenance import ROW_MARK, Provenance, TableMark

__all__ = ["comparison_lines"]

GONE = "not there"


def comparison_lines(before: Provenance, after: Provenance) -> list[str]:
    """Lines for a person: what is another than it was, and last what became of the numbers."""
    return [*_input_lines(before, after), *_version_lines(before, after), *_verdict(before, after)]


def _input_lines(before: Provenance, after: Provenance) -> list[str]:
    """Inputs whose content has changed, by name; two of one name are told apart by their order."""
    was, now = (_numbered((i.name, i.fingerprint) for i in p.inputs) for p in (before, after))
    return [
        f"input {name}: {_fingerprint(now.get(key))}, was {_fingerprint(was.get(key))}"
        for key in dict.fromkeys((*was, *now))
        if was.get(key) != now.get(key)
        for name in [key[0]]
    ]


def _version_lines(before: Provenance, after: Provenance) -> list[str]:
    was, now = before.versions, after.versions
    return [
        f"{name}: {now.get(name, GONE)}, was {was.get(name, GONE)}"
        for name in dict.fromkeys((*was, *now))
        if was.get(name) != now.get(name)
    ]


def _verdict(before: Provenance, after: Provenance) -> list[str]:
    if before.results == after.results:
        rows = sum(len(_rows(table.rows)) for table in after.tables)
        return [f"the same numbers: tables {len(after.tables):,}, rows {rows:,}"]
    return ["the numbers differ", *_table_lines(before.tables, after.tables)]


def _table_lines(before: Sequence[TableMark], after: Sequence[TableMark]) -> list[str]:
    """How many rows of which tables: those that only one of the two has."""
    was, now = (_numbered((t.title, t.rows) for t in tables) for tables in (before, after))
    lines = []
    for key in dict.fromkeys((*was, *now)):
        if key not in now or key not in was:
            lines.append(f"  {'no longer' if key in was else 'only now'} there: {key[0]}")
        elif was[key] != now[key]:
            lines.append(f"  {_how_many(_rows(was[key]), _rows(now[key]))}: {key[0]}")
    return lines


def _how_many(old: Sequence[str], new: Sequence[str]) -> str:
    """Rows that were not there, rows that are no longer, or the same in another order."""
    others = sum((Counter(new) - Counter(old)).values())
    gone = sum((Counter(old) - Counter(new)).values())
    if others:
        was = "" if len(new) == len(old) else f" (was {len(old):,})"
        return f"{others:,} of {len(new):,}{was} rows"
    return f"{gone:,} of {len(old):,} rows gone" if gone else "another order of rows"


def _rows(marks: str) -> list[str]:
    return [marks[k : k + ROW_MARK] for k in range(0, len(marks), ROW_MARK)]


def _numbered(pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, int], str]:
    """Values by name and by how many of that name came before."""
    seen: Counter[str] = Counter()
    numbered = {}
    for name, value in pairs:
        numbered[name, seen[name]] = value
        seen[name] += 1
    return numbered


def _fingerprint(fingerprint: str | None) -> str:
    return GONE if fingerprint is None else shown_fingerprint(fingerprint)
