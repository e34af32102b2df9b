"""Comparison of a page with the one that irbounds writes: the first part that differs.

Pages are compared character by character: words, tables, figures, and also markup, style and
scripts, which can hide words or draw over them. Excluded is what the page's own provenance block
accounts for: its date, its versions, its command. Payloads are unpacked first; in them, as in the
block, numbers count to nine significant digits. Coordinates of SVG count to a tenth of a pixel.
Numbers in tables that are not repeatable, such as seconds, are ignored.
"""

from __future__ import annotations

import base64
import html
import json
import math
import re
import zlib
from itertools import zip_longest
from typing import Any

from ..presentation.html.page import (
    BLOCK_CLOSES,
    BLOCK_OPENS,
    extract_provenance_block,
    render_page,
)
from ..presentation.rounding import SIGNIFICANT, significant
from ..presentation.sections import Page
from .provenance import Provenance

#: the beginning of a part
PART = re.compile(
    r'(?=<(?:style|header|nav|section |figure |script>|div class="table[ "]|details class="expl))'
)
#: where a page shows its provenance block
PROVENANCE = (
    re.compile(r'<meta name="generator"[^>]*>'),
    re.compile(r'<p class="made">.*?</p>'),
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
    (re.compile(r'<section .*?<h2 id="[^"]*">([^<]*)</h2>', re.DOTALL), "section {!r}"),
    (re.compile(r'<div class="table[ "].*?<span id="[^"]*">([^<]*)</span>', re.DOTALL), TABLE),
    (re.compile(r"<figure .*?<figcaption[^>]*>([^<]*)<", re.DOTALL), "figure {!r}"),
    (re.compile(r'<details class="(expl)'), "what a result means and does not"),
    (re.compile(r"<(header)"), "the title"),
    (re.compile(r"<(nav)"), "the contents"),
    (re.compile(r"<(style|script)"), "the page's {}"),
)
MAX_RATIO = 2  # of the length of a payload to that of the expected one


def first_difference(before: str, after: str, was: Provenance, now: Provenance) -> str:
    """Return the name of the first part in which a page differs from its repetition, or nothing.

    ``was`` and ``now`` are the blocks of the two.
    """
    pages = (PART.split(_without_provenance(*one)) for one in ((before, was), (after, now)))
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
    text = render_page(Page("", provenance, ()))
    written = text.encode(errors="xmlcharrefreplace").decode()
    return [found[0] for pattern in PROVENANCE for found in [pattern.search(written)] if found]


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
    """Whether two figures have the same markup, with coordinates to a tenth of a pixel."""
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
    """Whether the content is the same; the old payload may unpack to anything or not at all."""
    if old == new:
        return True
    wanted = zlib.decompress(base64.b64decode(new))
    try:
        found = zlib.decompressobj().decompress(base64.b64decode(old), MAX_RATIO * len(wanted))
        return _rounded_json(found) == _rounded_json(wanted)
    except (ValueError, RecursionError, zlib.error):
        return False


def _rounded_json(content: bytes) -> str:
    """Return JSON with all numbers rounded, also those in a table's CSV, but not in its rows."""
    held: Any = json.loads(content, parse_float=_rounded)
    if isinstance(held, dict) and isinstance(held.get("csv"), str):
        held["csv"] = DECIMALS.sub(lambda found: _rounded(found[0]), held["csv"])
    return json.dumps(held)


def _rounded(number: str) -> str:
    return significant(float(number), SIGNIFICANT)


def _name(part: str) -> str:
    for pattern, name in NAMES:
        found = pattern.match(part)
        if found:
            return name.format(html.unescape(found[1]))
    return "the file's head"
