"""JSON documents of our own formats, read with distrust.

A key that stands twice in one object would be dropped in silence, and NaN or a number beyond what a
double holds would slip in: all are errors here.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any

from ..errors import InputError, quote


def parse_document(text: str) -> dict[str, Any]:
    """The object that a text holds; whatever is amiss is an ``InputError`` with the line."""
    if not text.strip():
        raise InputError("empty")
    try:
        whole = json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_not_finite,
            parse_float=_float,
            parse_int=_int,
        )
    except json.JSONDecodeError as error:
        raise InputError(f"line {error.lineno}: not JSON: {error.msg}") from None
    except (RecursionError, ValueError) as error:  # nested too deep; a number of 5,000 digits
        raise InputError(f"JSON that cannot be read: {error}") from None
    if not isinstance(whole, dict):
        raise InputError(f"a JSON object is expected; got {type(whole).__name__}")
    return whole


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    whole = dict(pairs)
    if len(whole) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise InputError(f"the key {quote(twice)} stands twice in one object")
    return whole


def _not_finite(text: str) -> float:
    raise InputError(f"numbers must be finite; got {quote(text)}")


def _float(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _not_finite(text)


def _int(text: str) -> float:
    return int(text) if math.isfinite(float(text)) else _not_finite(text)
