"""Comparison of a report with its repetition: inputs, versions, and the parts that differ.

Numbers are compared by the two provenance blocks. Pages are compared character by character: words,
tables, figures, and also markup, style and scripts, which can hide words or draw over them. What
the page's own provenance block accounts for is excluded: its date, its versions, its command.
Payloads are decompressed first. In them, as in the block, numbers are compared to nine significant
digits. Coordinates of SVG are compared to a tenth of a pixel. Numbers in tables that are not
repeatable, such as seconds, are ignored.

Other versions or inputs may put the same numbers in other words. In that case a page that reads
differently is reported neither as forged nor as the same: a forger may state any version.
"""

from __future__ import annotations

import base64
import html
import json
import math
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from ..presentation.html.page import (
    BLOCK_CLOSES,
    BLOCK_OPENS,
    extract_provenance_block,
    render_page,
)
from ..presentation.page_content import Cover, Page
from ..presentation.rounding import SIGNIFICANT, significant
from ..results.result import shorten_fingerprint
from .provenance import ROW_DIGITS, Provenance, TableDigest

#: exit statuses; 2 is that of errors
SAME, DIFFERENT, NUMBERS_ONLY = 0, 1, 3
GONE = "not there"
#: options that differ in a repetition: which files are written, and how
WRITTEN = frozenset(("output", "format", "write_factors", "report"))
NOT_OURS = "the words, tables or figures on this page are not those that irbounds writes: "
NUMBERS_CONFIRMED = (
    "only the numbers in its block were compared: the page differs, first in {}, which the other "
    "versions or inputs listed above may explain, so its words, tables and figures are not "
    "confirmed"
)
#: the beginning of a part
PART = re.compile(
    r'(?=<(?:style|header|nav|section |figure |script>|div class="table[ "]|details class="expl))'
)
#: where a page shows its provenance block
PROVENANCE = (
    re.compile(r'<meta name="generator"[^>]*>'),
    re.compile(r'<p class="made">.*?</p>'),
    re.compile(r'<p class="fingerprints">.*?</p>'),
    re.compile(r'<dl class="provenance">.*?</dl>', re.DOTALL),
)
PAYLOAD = re.compile(r'<script type="text/plain" class="packed">([^<]*)</script>')
COORDINATES = re.compile(r' (?:d|transform|[xy][12]?|c[xy]|r|width|height|viewBox)="[^"]*"')
DECIMALS = re.compile(r"(?<!\d)\d+(?:\.\d+(?:e[-+]?\d+)?|e[-+]?\d+)")
NUMBER = re.compile(r"\d[\d.,]*(?:e[-+]?\d+)?")
PIXELS = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
TABLE, TABLE_OPENS, FIGURE_OPENS = "table {!r}", '<div class="table', "<figure "
#: patterns of a part's beginning, and its name; a pattern is tried once per part, at its beginning,
#: so that a page that opens many headings and closes none takes no time
NAMES = (
    (re.compile(r'<section class="(cover)"'), "the {}"),
    (re.compile(r'<section .*?<h2 id="[^"]*">([^<]*)</h2>', re.DOTALL), "section {!r}"),
    (re.compile(r'<div class="table[ "].*?<span id="[^"]*">([^<]*)</span>', re.DOTALL), TABLE),
    (re.compile(r"<figure .*?<figcaption[^>]*>([^<]*)<", re.DOTALL), "figure {!r}"),
    (re.compile(r'<details class="(expl)'), "what a result means and does not"),
    (re.compile(r"<(header)"), "the title"),
    (re.compile(r"<(nav)"), "the contents"),
    (re.compile(r"<(style|script)"), "the page's {}"),
)
MAX_RATIO = 2  # of the length of a payload to that of the expected one


def comparison_lines(before: Provenance, after: Provenance, place: str = "") -> list[str]:
    """Return lines of text: changed inputs and versions, then whether the numbers are the same.

    ``place`` is the first part of the page that differs from its repetition, if any.
    """
    changes = _changes(before, after)
    if before.results != after.results:
        verdict = ["the numbers differ", *_table_lines(before.tables, after.tables)]
    elif not place:
        verdict = [_same(after), "the same words, tables and figures"]
    elif changes:
        verdict = [_same(after), NUMBERS_CONFIRMED.format(place)]
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
    """Return whether the options that a page states are those of its command."""
    was, now = (
        {key: value for key, value in provenance.options.items() if key not in WRITTEN}
        for provenance in (before, after)
    )
    return was == now


def _changes(before: Provenance, after: Provenance) -> list[str]:
    return [*_input_lines(before, after), *_version_lines(before, after)]


def _same(after: Provenance) -> str:
    rows = sum(len(_rows(table.rows)) for table in after.tables)
    return f"the same numbers: tables {len(after.tables):,}, rows {rows:,}"


def _input_lines(before: Provenance, after: Provenance) -> list[str]:
    """Return one line per input that has changed; inputs of the same name are matched in order."""
    was, now = (_number_names((i.name, i.fingerprint) for i in p.inputs) for p in (before, after))
    paths = _match_paths(before)
    return [
        _input_line(paths.get(key, key[0]), was.get(key), now.get(key))
        for key in dict.fromkeys((*was, *now))
        if was.get(key) != now.get(key)
    ]


def _input_line(name: str, was: str | None, now: str | None) -> str:
    if now is None:
        return f"{name} is no longer read: was {shorten_fingerprint(was or GONE)}"
    if was is None:
        return f"{name} was not read then: {shorten_fingerprint(now)}"
    return f"{name} has changed: {shorten_fingerprint(now)}, was {shorten_fingerprint(was)}"


def _match_paths(provenance: Provenance) -> dict[tuple[str, int], str]:
    """Return the paths of inputs in the command line, as far as they can be matched by name.

    An input ``a`` may be ``runs/a.run.gz``. Several inputs of one name are in the order of the
    command line.
    """
    files: dict[str, list[str]] = {}
    for argument in provenance.arguments:
        word = argument.rpartition("=")[2]
        for name in _possible_names(word):
            files.setdefault(name, []).append(word)
    inputs = Counter(file.name for file in provenance.inputs)
    return {
        (name, place): word
        for name, count in inputs.items()
        if len(files.get(name, ())) == count
        for place, word in enumerate(files[name])
    }


def _possible_names(word: str) -> dict[str, None]:
    """Return the names that an input may have: ends of its path without up to two extensions."""
    shorter = word.removesuffix(Path(word).suffix)
    paths = (word, shorter, shorter.removesuffix(Path(shorter).suffix))
    parts = [path.split("/") for path in paths]
    return dict.fromkeys("/".join(part[k:]) for part in parts for k in range(len(part)))


def _version_lines(before: Provenance, after: Provenance) -> list[str]:
    was, now = before.versions, after.versions
    return [
        f"{name}: {now.get(name, GONE)}, was {was.get(name, GONE)}"
        for name in dict.fromkeys((*was, *now))
        if was.get(name) != now.get(name)
    ]


def _table_lines(before: Sequence[TableDigest], after: Sequence[TableDigest]) -> list[str]:
    """Return one line per table that differs, with the number of rows."""
    was, now = (_number_names((t.title, t.rows) for t in tables) for tables in (before, after))
    lines = []
    for key in dict.fromkeys((*was, *now)):
        if key not in now or key not in was:
            lines.append(f"  {'no longer' if key in was else 'only now'} there: {key[0]}")
        elif was[key] != now[key]:
            lines.append(f"  {_count_differences(_rows(was[key]), _rows(now[key]))}: {key[0]}")
    return lines


def _count_differences(old: Sequence[str], new: Sequence[str]) -> str:
    """Return how many rows are new, how many are gone, or that only their order differs."""
    n_new = sum((Counter(new) - Counter(old)).values())
    n_gone = sum((Counter(old) - Counter(new)).values())
    if n_new:
        was = "" if len(new) == len(old) else f" (was {len(old):,})"
        return f"{n_new:,} of {len(new):,}{was} rows"
    return f"{n_gone:,} of {len(old):,} rows gone" if n_gone else "another order of rows"


def _rows(digests: str) -> list[str]:
    return [digests[k : k + ROW_DIGITS] for k in range(0, len(digests), ROW_DIGITS)]


def _number_names(pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, int], str]:
    """Return values by name and by the number of earlier values of that name."""
    counts: Counter[str] = Counter()
    numbered = {}
    for name, value in pairs:
        numbered[name, counts[name]] = value
        counts[name] += 1
    return numbered


# ---- pages ----


def first_difference(before: str, after: str, was: Provenance, now: Provenance) -> str:
    """Return the name of the first part in which a page differs from its repetition, or nothing.

    ``was`` and ``now`` are the blocks of the two.
    """
    pages = (PART.split(_without_provenance(*page)) for page in ((before, was), (after, now)))
    repeatable = {TABLE.format(table.title) for table in now.tables}
    for old, new in zip_longest(*pages, fillvalue=""):
        if old == new:
            continue
        name = _name(new or old)
        if new.startswith(TABLE_OPENS) and name not in repeatable:
            is_same = _is_same_without_numbers(old, new)
        else:
            is_same = _is_same(old, new)
        if not is_same:
            return name
    return ""


def _without_provenance(text: str, provenance: Provenance) -> str:
    """Return a page without its block and the markup that shows it."""
    text = text.replace(f"{BLOCK_OPENS}{extract_provenance_block(text)}{BLOCK_CLOSES}", "", 1)
    try:
        words = provenance_words(provenance)
    except (ValueError, RecursionError):  # no date, or options without end: not written by us
        return text
    for own in words:
        text = text.replace(own, "", 1)
    return text


def provenance_words(provenance: Provenance) -> list[str]:
    """Return the markup in which a page shows this provenance, taken from an empty page."""
    text = render_page(Page("", provenance, (), cover=Cover()))
    written_text = text.encode(errors="xmlcharrefreplace").decode()
    matches = (pattern.search(written_text) for pattern in PROVENANCE)
    return [match[0] for match in matches if match]


def _is_same(old: str, new: str) -> bool:
    pieces = [PAYLOAD.split(part) for part in (old, new)]  # every other piece is a payload
    texts, payloads = ([p[k::2] for p in pieces] for k in (0, 1))
    if len(texts[0]) != len(texts[1]):
        return False
    compare = _is_same_drawing if new.startswith(FIGURE_OPENS) else str.__eq__
    return all(compare(*pair) for pair in zip(*texts, strict=True)) and all(
        _is_same_payload(*pair) for pair in zip(*payloads, strict=True)
    )


def _is_same_drawing(old: str, new: str) -> bool:
    """Return whether two figures have the same markup, with coordinates to a tenth of a pixel."""
    if old == new:
        return True
    if COORDINATES.sub(" ", old) != COORDINATES.sub(" ", new):
        return False
    was, now = (" ".join(COORDINATES.findall(text)) for text in (old, new))
    if PIXELS.sub("0", was) != PIXELS.sub("0", now):
        return False
    numbers = zip(PIXELS.findall(was), PIXELS.findall(now), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=1e-3, abs_tol=0.11) for a, b in numbers)


def _is_same_without_numbers(old: str, new: str) -> bool:
    texts = (NUMBER.sub("", PAYLOAD.sub("", part)) for part in (old, new))
    return len(set(texts)) == 1


def _is_same_payload(old: str, new: str) -> bool:
    """Return whether two payloads have the same content; the old one may be invalid."""
    if old == new:
        return True
    expected = zlib.decompress(base64.b64decode(new))
    try:
        max_length = MAX_RATIO * len(expected)
        content = zlib.decompressobj().decompress(base64.b64decode(old), max_length)
        return _round_json(content) == _round_json(expected)
    except (ValueError, RecursionError, zlib.error):
        return False


def _round_json(content: bytes) -> str:
    """Return JSON with all numbers rounded, also in the CSV of a table, but not in its rows."""
    value: Any = json.loads(content, parse_float=_round_number)
    if isinstance(value, dict) and isinstance(value.get("csv"), str):
        value["csv"] = DECIMALS.sub(lambda match: _round_number(match[0]), value["csv"])
    return json.dumps(value)


def _round_number(number: str) -> str:
    return significant(float(number), SIGNIFICANT)


def _name(part: str) -> str:
    for pattern, name in NAMES:
        match = pattern.match(part)
        if match:
            return name.format(html.unescape(match[1]))
    return "the file's head"
