"""Encodings of text other than UTF-8, recognised so that a message can say what to do.

Spreadsheets also write UTF-16, whose byte-order mark identifies it, and Windows-1252, which nothing
identifies: its bytes are valid in many encodings, with other characters. So sheets are read in
UTF-16, and Windows-1252 is an error.
"""

from __future__ import annotations

import codecs

UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
SAVE_AS_UTF_8 = "save the file as UTF-8, in Excel as 'CSV UTF-8'"


def is_utf_16(head: bytes) -> bool:
    """Return whether text begins with the byte-order mark of UTF-16."""
    return head.startswith(UTF_16_MARKS)


def describe_zero_byte(text: bytes) -> str:
    """Return the error message for text with a zero byte, from its beginning."""
    if is_utf_16(text):
        return f"UTF-16, where UTF-8 is expected; {SAVE_AS_UTF_8}"
    head = text[: len(text) // 2 * 2][:64]
    for zeros, others in ((head[::2], head[1::2]), (head[1::2], head[::2])):
        if len(zeros) > 1 and not any(zeros) and all(others):
            return f"a zero byte: UTF-16 without a byte-order mark, as it seems; {SAVE_AS_UTF_8}"
    return "a zero byte: binary, not text"


def describe_wrong_byte(byte: int) -> str:
    """Return the error message for a byte that is not valid in UTF-8."""
    character = bytes([byte]).decode("cp1252", errors="ignore")
    meaning = f", which is {character!r} in Windows-1252" if character else ""
    return f"not UTF-8 (byte 0x{byte:02x}){meaning}; {SAVE_AS_UTF_8}"
