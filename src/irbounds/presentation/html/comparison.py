"""Two pages side by side: where a page first stops to read like the one that irbounds writes.

Who changes a page's words and leaves its block alone would pass if only blocks were compared. So
pages are held against each other letter by letter: words, tables, figures, and also markup, style
and scripts, by which words can be hidden or drawn over. Left out is what a page's own block
accounts for: its date, its versions, its command. What is packed is unpacked first; there, as in
the block, numbers count to nine significant digits. Of tables that no repetition gives again,
numbers are passed over.
"""

from __future__ import annotations

import base64
import html
import json
import re
import zlib
from itertools import zip_longest
from typing import Any

from .html import BLOCK_CLOSES, BLOCK_OPENS, page_text, provenance_block
from .pages import Page
from .provenance import SIGNIFICANT, Provenance
from .rounding import significant

__all__ = ["first_difference", "provenance_words"]

#: what opens a part of a page
PART = re.compile(
    r'(?=<(?:style|header|nav|section |figure |script>|div class="(?:table[ "]|explained")))'
)
#: where a page tells people what its block says
PROVENANCE = (
    re.compile(r'<meta name="generator"[^>]*>'),
    re.compile(r'<p class="made">.*?</p>'),
    re.compile(r'<dl class="provenance">.*?</dl>', re.DOTALL),
)
PACKED = re.compile(r'<script type="text/plain" class="packed">([^<]*)</script>')
DECIMALS = re.compile(r"(?<!\d)\d+(?:\.\d+(?:e[-+]?\d+)?|e[-+]?\d+)")
NUMBER = re.compile(r"\d[\d.,]*(?:e[-+]?\d+)?")
TABLE, TABLE_OPENS = "table {!r}", '<div class="table'
#: where a part's name is found at its beginning, and the name; of all others, what they begin with.
#: A stranger's page may open many headings and close none, so no pattern looks for an end twice.
NAMES = (
    (re.compile(r'<section .*?<h2 id="[^"]*">([^<]*)</h2>', re.DOTALL), "section {!r}"),
    (re.compile(r'<div class="table[ "].*?<span id="[^"]*">([^<]*)</span>', re.DOTALL), TABLE),
    (re.compile(r'<figure .*?aria-label="Figure \d+: ([^"]*)"', re.DOTALL), "figure {!r}"),
    (re.compile(r'<div class="(explained)"'), "what a result means and does not"),
    (re.compile(r"<(header)"), "the title"),
    (re.compile(r"<(nav)"), "the contents"),
    (re.compile(r"<(style|script)"), "the page's {}"),
)
ROOM = 2  # what is packed in a page may be so many times what it ought to be, and no more


def first_difference(before: str, after: str, was: Provenance, now: Provenance) -> str:
    """The part of a page that is another than in its repetition, by name; empty where none is.

    ``was`` and ``now`` are what the blocks of the two say.
    """
    pages = (PART.split(_less_provenance(*one)) for one in ((before, was), (after, now)))
    repeated = {TABLE.format(table.title) for table in now.tables}
    for old, new in zip_longest(*pages, fillvalue=""):
        if old == new:
            continue
        name = _name(new or old)
        is_measured = new.startswith(TABLE_OPENS) and name not in repeated
        if not (_are_same_but_for_numbers if is_measured else _are_same)(old, new):
            return name
    return ""


def _less_provenance(text: str, provenance: Provenance) -> str:
    """A page without its block, and without the words that this block gives rise to."""
    text = text.replace(f"{BLOCK_OPENS}{provenance_block(text)}{BLOCK_CLOSES}", "", 1)
    try:
        words = provenance_words(provenance)
    except (ValueError, RecursionError):  # no date, or options without end: not written by us
        return text
    for own in words:
        text = text.replace(own, "", 1)
    return text


def provenance_words(provenance: Provenance) -> list[str]:
    """What a page that has this provenance says of it, as markup: taken from an empty page."""
    text = page_text(Page("", provenance, ()))
    written = text.encode(errors="xmlcharrefreplace").decode()
    return [found[0] for pattern in PROVENANCE for found in [pattern.search(written)] if found]


def _are_same(old: str, new: str) -> bool:
    pieces = [PACKED.split(part) for part in (old, new)]  # what is packed is every other one
    if pieces[0][::2] != pieces[1][::2]:
        return False
    return all(_are_same_packed(*pair) for pair in zip(*(p[1::2] for p in pieces), strict=True))


def _are_same_but_for_numbers(old: str, new: str) -> bool:
    """A table of what was measured, such as seconds: no repetition gives its numbers again."""
    texts = (NUMBER.sub("", PACKED.sub("", part)) for part in (old, new))
    return len(set(texts)) == 1


def _are_same_packed(old: str, new: str) -> bool:
    """The same content; the old one is a stranger's, and may unpack to anything or nothing."""
    if old == new:
        return True
    wanted = zlib.decompress(base64.b64decode(new))
    try:
        found = zlib.decompressobj().decompress(base64.b64decode(old), ROOM * len(wanted))
        return _levelled(found) == _levelled(wanted)
    except (ValueError, RecursionError, zlib.error):
        return False


def _levelled(content: bytes) -> str:
    """JSON with all numbers rounded, those in a table's CSV too; its rows stay as they are read."""
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
