"""Faults in bytes, in lines of text, in JSON trees and in compressed streams."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import re
from collections.abc import Callable
from random import Random
from typing import Any

NUMBERS = [
    *("0", "-0", "1", "-1", "+1", "2", "3.0", "0.5", ".5", "5.", "1e0", "1E-3", "007"),
    *("1e309", "-1e309", "1e-400", "9e307", "1.7976931348623157e308", "4.9e-324", "2147483648"),
    *("999999999", "1000000000", "4294967296", "9223372036854775808", "1e99999999999"),
    *("nan", "NaN", "-nan", "inf", "-Infinity", "0x10", "1_000", "1,5", "1.5.2", "1e", "e1", "--1"),
    *(
        "+-1",
        "1d3",
        "\u0663",
        "\uff11",
        "\u00b2",
        "0" * 400 + "1",
        "9" * 400,
        "1." + "0" * 400 + "1",
    ),
    *(
        "9" * 5000 + "x",
        "1" + "0" * 20,
        "0.1000000000000000055511151231257827021181583404541015625",
    ),
]
WORDS = [
    *(
        "",
        " ",
        "all",
        "#",
        "##",
        "null",
        "true",
        "q1",
        "d1",
        "nan",
        "None",
        "-",
        "--help",
        "*",
        "=1",
    ),
    *(
        "a b",
        "a,b",
        'a"b',
        '"',
        '""',
        "'",
        "a;b",
        "\\",
        "{",
        "}",
        "[",
        "é",
        "\U0001d518",
        "\u202e",
        "e\u0301",
    ),
    *("\u00a0", "\u2028", "\x85", "\x1c", "\x1f", "\x0b", "\x0c", "\x7f", "\ufeff", "x" * 300),
]
BYTES = [
    b"\0",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xc3",
    b"\r",
    b"\n",
    b"\r\n",
    b"\n\n",
    b"\t",
    b" ",
    b",",
    b'"',
    b"#",
]


def mutate_text(data: bytes, rng: Random) -> bytes:
    """Return the text with one to three faults, or as it is."""
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3))):
        data = rng.choice(TEXT_FAULTS)(data, rng)
    return data


def mutate_bytes(data: bytes, rng: Random) -> bytes:
    """Return binary data with one to four faults."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        data = rng.choice(BYTE_FAULTS)(data, rng)
    return data


def mutate_json(tree: Any, rng: Random) -> Any:
    """Return a JSON tree with one value or key replaced, removed or repeated."""
    tree = json.loads(json.dumps(tree))
    places = [*_places(tree)]
    if not places:
        return tree
    parent, key = rng.choice(places)
    fault = rng.randrange(5)
    if fault == 0:
        del parent[key]
    elif fault == 1:
        parent[key] = _any_json(rng)
    elif fault == 2 and isinstance(parent, list):
        parent.append(parent[key])
    elif fault == 2:
        parent[rng.choice(WORDS)] = parent[key]
    elif fault == 3:
        parent[key] = {rng.choice(WORDS): parent[key]}
    else:
        other_parent, other_key = rng.choice(places)
        parent[key], other_parent[other_key] = other_parent[other_key], parent[key]
        try:
            json.dumps(tree)
        except (ValueError, RecursionError):  # a value was put inside itself
            return None
    return tree


def compress(data: bytes, rng: Random) -> bytes:
    """Return one or two compressed streams, perhaps padded, damaged or followed by rubbish."""
    pack = rng.choice((gzip.compress, bz2.compress, lzma.compress))
    cut = rng.choice((0, rng.randint(0, len(data))))
    streams = [pack(data[:cut]), pack(data[cut:])] if cut else [pack(data)]
    padding = b"\0" * rng.choice((0, 0, 1, 4, 4, 512, 512, 1 << 18, (1 << 18) + 4))
    packed = padding.join(streams)
    end = rng.randrange(8)
    if end == 0:
        packed += padding
    elif end == 1:
        packed += padding + b"rubbish"
    elif end == 2:
        packed = mutate_bytes(packed, rng)
    return packed


def decompress(data: bytes) -> bytes:
    """Return what all streams hold; raise ``ValueError`` where they are damaged."""
    kinds: dict[bytes, Callable[[bytes], bytes]] = {
        b"\x1f\x8b": gzip.decompress,
        b"BZh": bz2.decompress,
        b"\xfd7zXZ\0": lzma.decompress,
    }
    for magic, unpack in kinds.items():
        if data.startswith(magic):
            try:
                return unpack(data)
            except Exception as error:
                raise ValueError(str(error)) from None
    return data


def _places(tree: Any) -> list[tuple[Any, Any]]:
    """Every parent with a key or index in it."""
    places: list[tuple[Any, Any]] = []
    waiting = [tree]
    while waiting:
        parent = waiting.pop()
        pairs = parent.items() if isinstance(parent, dict) else enumerate(parent)
        for key, value in pairs:
            places.append((parent, key))
            if isinstance(value, dict | list):
                waiting.append(value)
    return places


def _any_json(rng: Random) -> Any:
    return rng.choice(
        (
            *(None, True, False, 0, -1, 1, 0.5, 1e300, -1e-300, 2**70, "", "0.5", [], {}, [[]]),
            *({"mean": 1}, [None], "x" * 200, "\x1b[31m", 10**400, float("inf"), float("nan")),
        )
    )


def _replace_field(data: bytes, rng: Random) -> bytes:
    """Replace one field by an unusual number or word."""
    fields = [*re.finditer(rb"[^\s,;\t]+", data)]
    if not fields:
        return data
    field = rng.choice(fields)
    new = rng.choice(rng.choice((NUMBERS, WORDS))).encode()
    return data[: field.start()] + new + data[field.end() :]


def _insert_bytes(data: bytes, rng: Random) -> bytes:
    place = rng.randint(0, len(data))
    new = rng.choice((rng.choice(BYTES), rng.choice(WORDS).encode(), bytes([rng.randrange(256)])))
    return data[:place] + new * rng.choice((1, 1, 2, 50)) + data[place:]


def _delete_bytes(data: bytes, rng: Random) -> bytes:
    place = rng.randint(0, len(data))
    return data[:place] + data[place + rng.choice((1, 1, 2, 10, 100)) :]


def _truncate(data: bytes, rng: Random) -> bytes:
    return data[: rng.randint(0, len(data))]


def _flip_bit(data: bytes, rng: Random) -> bytes:
    if not data:
        return data
    changed = bytearray(data)
    changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _set_bytes(data: bytes, rng: Random) -> bytes:
    changed = bytearray(data)
    place = rng.randint(0, len(data))
    new = rng.choice((b"\0" * 4, b"\xff" * 4, b"\xff" * 8, b"\x7f\xff\xff\xff", b"\x80", b"\x01"))
    changed[place : place + len(new)] = new
    return bytes(changed)


def _repeat_bytes(data: bytes, rng: Random) -> bytes:
    begin = rng.randint(0, len(data))
    end = min(len(data), begin + rng.choice((1, 4, 30)))
    return data[:end] + data[begin:end] * rng.choice((1, 3)) + data[end:]


def _edit_lines(data: bytes, rng: Random) -> bytes:
    """Repeat, move, drop, join or blank a line, or add a comment."""
    lines = data.split(b"\n")
    place, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    fault = rng.randrange(7)
    if fault == 0:
        lines.insert(other, lines[place])
    elif fault == 1:
        lines[place], lines[other] = lines[other], lines[place]
    elif fault == 2:
        del lines[place]
    elif fault == 3:
        lines[place : place + 2] = [b" ".join(lines[place : place + 2])]
    elif fault == 4:
        lines.insert(
            place,
            rng.choice((b"", b"  \t", b"\r", b"# comment", b" # no comment", b",,,", b"\x0c")),
        )
    elif fault == 5:
        lines[place] += rng.choice((b" ", b",", b" x", b"\t", b",1", b"\r", b" 1"))
    else:
        lines[place] = rng.choice((b" ", b",", b"\t", b'"')) + lines[place]
    return b"\n".join(lines)


def _edit_whole(data: bytes, rng: Random) -> bytes:
    """Change line ends, add a byte-order mark, separators or quotes throughout."""
    return rng.choice(
        (
            lambda: data.replace(b"\n", b"\r\n"),
            lambda: data.replace(b"\n", b"\r"),
            lambda: b"\xef\xbb\xbf" + data,
            lambda: data.decode("utf-8", "replace").encode("utf-16"),
            lambda: data.replace(b" ", b"\t"),
            lambda: data.replace(b",", b";"),
            lambda: data.replace(b",", b"\t"),
            lambda: data.rstrip(b"\n"),
            lambda: data + b"\n" * 3,
            lambda: re.sub(rb"[^\s,;]+", lambda m: b'"' + m[0] + b'"', data),
        )
    )()


TEXT_FAULTS: list[Callable[[bytes, Random], bytes]] = [
    *(_replace_field, _replace_field, _replace_field, _edit_lines, _edit_lines),
    *(_insert_bytes, _delete_bytes, _truncate, _flip_bit, _edit_whole),
]
BYTE_FAULTS: list[Callable[[bytes, Random], bytes]] = [
    *(_flip_bit, _flip_bit, _set_bytes, _set_bytes, _repeat_bytes),
    *(_insert_bytes, _delete_bytes, _truncate),
]
