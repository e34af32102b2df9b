"""A report beside its repetition: what changed in inputs and versions, and which rows differ.

The numbers are those of the two blocks. Whether the pages read the same is found elsewhere, by
``page_comparison``; here it is said, and weighed: other versions may put the same numbers in other
words, and other inputs too, so then a page that reads otherwise is not held to be forged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..results import shown_fingerprint
from .provenance import ROW_MARK, Provenance, TableMark

__all__ = ["comparison_lines", "has_same_options", "is_repeated"]

GONE = "not there"
#: options that a repetition has otherwise: what is written, and how
WRITTEN = frozenset(("output", "form", "write_factors", "report"))
NOT_OURS = "the words, tables or figures on this page are not those that irbounds writes: "
NUMBERS_ALONE = (
    "only the numbers in its block were compared: the page reads otherwise, first in {}, "
    "as it may with other versions or inputs"
)


def comparison_lines(before: Provenance, after: Provenance, place: str = "") -> list[str]:
    """Lines for a person: what is another than it was, and last what became of the numbers.

    ``place`` is where the page first reads otherwise than its repetition; empty where it does not.
    """
    changes = _changes(before, after)
    if before.results != after.results:
        verdict = ["the numbers differ", *_table_lines(before.tables, after.tables)]
    elif not place:
        verdict = [_same(after), "the same words, tables and figures"]
    elif changes:
        verdict = [_same(after), NUMBERS_ALONE.format(place)]
    else:
        verdict = [f"{NOT_OURS}{place}"]
    return [*changes, *verdict]


def is_repeated(before: Provenance, after: Provenance, place: str = "") -> bool:
    """Whether the numbers are the same, and the page too unless there is a reason why not."""
    return before.results == after.results and not (place and not _changes(before, after))


def has_same_options(before: Provenance, after: Provenance) -> bool:
    """Whether the options that a page states are those of its command."""
    was, now = (
        {key: value for key, value in one.options.items() if key not in WRITTEN}
        for one in (before, after)
    )
    return was == now


def _changes(before: Provenance, after: Provenance) -> list[str]:
    return [*_input_lines(before, after), *_version_lines(before, after)]


def _same(after: Provenance) -> str:
    rows = sum(len(_rows(table.rows)) for table in after.tables)
    return f"the same numbers: tables {len(after.tables):,}, rows {rows:,}"


def _input_lines(before: Provenance, after: Provenance) -> list[str]:
    """Inputs whose content has changed, by name; two of one name are told apart by their order."""
    was, now = (_numbered((i.name, i.fingerprint) for i in p.inputs) for p in (before, after))
    return [
        _input_line(_typed_name(before, *key), was.get(key), now.get(key))
        for key in dict.fromkeys((*was, *now))
        if was.get(key) != now.get(key)
    ]


def _input_line(name: str, was: str | None, now: str | None) -> str:
    if now is None:
        return f"{name} is no longer read: was {shown_fingerprint(was or GONE)}"
    if was is None:
        return f"{name} was not read then: {shown_fingerprint(now)}"
    return f"{name} has changed: {shown_fingerprint(now)}, was {shown_fingerprint(was)}"


def _typed_name(provenance: Provenance, name: str, place: int) -> str:
    """An input's name as it was typed, where a word of the command line says which file it was.

    An input ``a`` may be ``runs/a.run.gz``; of two that are called so, the words are in the same
    order.
    """
    words = [word.rpartition("=")[2] for word in provenance.arguments]
    files = [word for word in words if _is_called(word, name)]
    inputs = sum(one.name == name for one in provenance.inputs)
    return files[place] if len(files) == inputs > place else name


def _is_called(word: str, name: str) -> bool:
    """Whether a name is the end of a file's path, perhaps with up to two extensions less."""
    one_less = word.removesuffix(Path(word).suffix)
    paths = (word, one_less, one_less.removesuffix(Path(one_less).suffix))
    return any(f"/{path}".endswith(f"/{name}") for path in paths)


def _version_lines(before: Provenance, after: Provenance) -> list[str]:
    was, now = before.versions, after.versions
    return [
        f"{name}: {now.get(name, GONE)}, was {was.get(name, GONE)}"
        for name in dict.fromkeys((*was, *now))
        if was.get(name) != now.get(name)
    ]


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
