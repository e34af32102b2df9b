"""Notes on standard error."""

from __future__ import annotations

from irbounds.presentation.verbosity import note, set_verbosity

EVIL = "\x1b[31mred\x9b2J\x07\nfake line\u202e"
SPELT = r"\x1b[31mred\x9b2J\x07\nfake line\u202e"


def test_note_escapes_control_characters(capsys):
    with set_verbosity("verbose"):
        note(f"read {EVIL}")
    assert capsys.readouterr().err == f"irbounds: read {SPELT}\n"
