r"""Text that shows what it holds: no name can steer a terminal, break a line or break a figure.

A run may be called ``\x1b[2J``, which clears a screen, or hold the mark that turns the direction of
writing, so that it reads as another. What cannot be seen is spelt out, as Python would. CSV and
JSON are for programs, and keep names as they are.
"""

from __future__ import annotations

import unicodedata

#: what joins letters and parts of emoji, and does no harm
JOINERS = frozenset("\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}")
#: what every object of JavaScript has: Vega looks categories up in objects, and finds these there
PROPERTIES = frozenset(
    (
        *("constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable"),
        *("toLocaleString", "toString", "valueOf", "__proto__"),
        *("__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__"),
    )
)
APART = "\N{ZERO WIDTH SPACE}"


def printable(text: str) -> str:
    """Text for a terminal or a table: control characters, line ends and the like spelt out."""
    if text.isprintable():
        return text
    return "".join(c if _is_shown(c) else ascii(c)[1:-1] for c in text)


def drawable(text: str) -> str:
    """Text for a figure: the same, and a property of JavaScript has a mark that is not seen.

    Whatever is compared with names in a figure has to go through this, too.
    """
    return f"{text}{APART}" if text in PROPERTIES else printable(text)


def _is_shown(character: str) -> bool:
    return (
        character.isprintable()
        or character in JOINERS
        or unicodedata.category(character) == "Zs"  # other blanks than the usual one
    )
