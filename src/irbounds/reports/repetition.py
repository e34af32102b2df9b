"""A report beside its repetition: what changed in inputs and versions, and which rows differ.

The numbers are those of the two blocks. Whether the pages read the same is found elsewhere, by
``html.comparison``; here it is said, and weighed: other versions may put the same numbers in other
words, and other inputs too, so then a page that reads otherwise is not held to be forged. It is not
held to be the same either: a forger may state any version.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..results.result import shorten_fingerprint
from .provenance import ROW_MARK, Provenance, TableMark

#: exit statuses; 2 is that of errors
SAME, DIFFERENT, NUMBERS_ONLY = 0, 1, 3
GONE = "not there"
#: options that a repetition has otherwise: what is written, and how
WRITTEN = frozenset(("output", "format", "write_factors", "report"))
NOT_OURS = "the words, tables or figures on this page are not those that irbounds writes: "
NUMBERS_ALONE = (
    "only the numbers in its block were compared: the page reads otherwise, first in {}, as it may "
    "with the other versions or inputs listed above, so its words, tables and figures are not "
    "confirmed"
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


def status(before: Provenance, after: Provenance, place: str = "") -> int:
    """Return the exit status of a repetition: the same, different, or the same in numbers only."""
    if before.results != after.results:
        return DIFFERENT
    if not place:
        return SAME
    return NUMBERS_ONLY if _changes(before, after) else DIFFERENT


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
    typed = _typed_names(before)
    return [
        _input_line(typed.get(key, key[0]), was.get(key), now.get(key))
        for key in dict.fromkeys((*was, *now))
        if was.get(key) != now.get(key)
    ]


def _input_line(name: str, was: str | None, now: str | None) -> str:
    if now is None:
        return f"{name} is no longer read: was {shorten_fingerprint(was or GONE)}"
    if was is None:
        return f"{name} was not read then: {shorten_fingerprint(now)}"
    return f"{name} has changed: {shorten_fingerprint(now)}, was {shorten_fingerprint(was)}"


def _typed_names(provenance: Provenance) -> dict[tuple[str, int], str]:
    """Inputs' names as they were typed, where words of the command line say which files they were.

    An input ``a`` may be ``runs/a.run.gz``; of two that are called so, the words are in the same
    order.
    """
    files: dict[str, list[str]] = {}
    for argument in provenance.arguments:
        word = argument.rpartition("=")[2]
        for name in _possible_names(word):
            files.setdefault(name, []).append(word)
    inputs = Counter(one.name for one in provenance.inputs)
    return {
        (name, place): word
        for name, count in inputs.items()
        if len(files.get(name, ())) == count
        for place, word in enumerate(files[name])
    }


def _possible_names(word: str) -> dict[str, None]:
    """Names that an input may have: the end of its file's path, with up to two extensions less."""
    one_less = word.removesuffix(Path(word).suffix)
    paths = (word, one_less, one_less.removesuffix(Path(one_less).suffix))
    parts = [path.split("/") for path in paths]
    return dict.fromkeys("/".join(part[k:]) for part in parts for k in range(len(part)))


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
