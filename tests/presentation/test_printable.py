"""No name steers a terminal, and none keeps a figure from being drawn."""

from __future__ import annotations

import pytest

from irbounds.presentation.escaping import PROPERTIES, drawable, printable


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("bm25", "bm25"),
        ("\x1b[2Jgone", r"\x1b[2Jgone"),
        ("a\nb\r\tc", r"a\nb\r\tc"),
        ("bell\x07 null\x00 delete\x7f", r"bell\x07 null\x00 delete\x7f"),
        ("\x9b31m", r"\x9b31m"),  # the same as ESC [ in one character
        ("a\u202eb\u2066c\u200f", r"a\u202eb\u2066c\u200f"),
        ("\u2028\u2029\x85", r"\u2028\u2029\x85"),
        ("\ufffe\ud800", r"\ufffe\ud800"),
        ("zero\u200bwidth", r"zero\u200bwidth"),
        ("50\N{NO-BREAK SPACE}% 中文\u3000é λ", "50\N{NO-BREAK SPACE}% 中文\u3000é λ"),
        ("👩\u200d💻 क\u200cष", "👩\u200d💻 क\u200cष"),
    ],
)
def test_what_is_not_seen_is_spelt_out(name, expected):
    assert printable(name) == drawable(name) == expected


def test_properties_of_javascript_have_a_mark_in_figures_alone():
    assert {"toString", "constructor", "valueOf", "hasOwnProperty", "__proto__"} <= PROPERTIES
    for name in PROPERTIES:
        assert printable(name) == name
        assert drawable(name) == f"{name}\u200b"
    assert drawable("toString.run") == "toString.run"
