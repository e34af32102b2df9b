"""Judgments and runs as dict of dict (pytrec_eval, ranx), and JSON text.

JSON of our own formats is parsed strictly: a repeated key, which Python's parser drops silently, is
an error, and so is NaN or a number beyond the range of doubles.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import InputError, quote, quote_several
from .columns import Columns, columns_from_values, integer_text
from .frames import columns_from_records
from .sources import WHITE_SPACE, Source


class Pairs(list[tuple[str, Any]]):
    """A JSON object that has a key twice; a dict would drop the first."""

    def items(self) -> Iterator[tuple[str, Any]]:
        """Return the pairs, as a dict does."""
        return iter(self)


JsonObject = dict[str, Any] | Pairs


def columns_from_mapping(
    mapping: Any, source: str, *, is_run: bool, fingerprint: str | None = None
) -> Columns:
    """Return columns from ``{query_id: {doc_id: value}}``."""
    query_ids: list[object] = []
    doc_ids: list[object] = []
    values: list[object] = []
    if isinstance(mapping, Mapping):
        _check_distinct(mapping, source)
    for query_id, documents in mapping.items():
        if not isinstance(documents, Mapping | Pairs):
            raise InputError(
                f"{source}: query {quote(query_id)} must map document ids to numbers; "
                f"got {type(documents).__name__}"
            )
        if not documents and not is_run:
            raise InputError(f"{source}: query {quote(query_id)} has no judgments; leave it out")
        query_ids += [query_id] * len(documents)
        doc_ids += [doc_id for doc_id, _ in documents.items()]
        values += [value for _, value in documents.items()]
    return columns_from_values(
        source, query_ids, doc_ids, values, is_run=is_run, fingerprint=fingerprint
    )


def _check_distinct(mapping: Mapping[Any, Any], source: str) -> None:
    """Raise ``InputError`` if two keys, such as 1 and ``"1"``, are the id of the same query."""
    keys: dict[str, object] = {}
    for key in mapping:
        text = key if isinstance(key, str) else integer_text(key)
        if text and keys.setdefault(text, key) is not key:
            both = quote_several([keys[text], key])
            raise InputError(f"{source}: the keys {both} are the id of the same query")


def columns_from_json(source: Source, *, is_run: bool) -> Columns:
    """Return columns from JSON (one object) or JSON lines (many): dict of dict, or records."""
    objects = list(parse_objects(source))
    fingerprint = source.fingerprint
    is_nested = objects and all(
        isinstance(value, dict | Pairs) for whole in objects for _, value in whole.items()
    )
    for number, whole in enumerate(objects, start=1):
        # documents of a query are compared later, where --duplicates decides
        key = find_repeated_key(whole, deep=not is_nested)
        if key is not None:
            where = f"{source.name}: record {number}"
            raise InputError(f"{where}: the key {quote(key)} is in one object twice")
    if is_nested:
        every = Pairs(pair for whole in objects for pair in whole.items())
        return columns_from_mapping(every, source.name, is_run=is_run, fingerprint=fingerprint)
    records = [dict(whole) for whole in objects]
    return columns_from_records(records, source.name, is_run=is_run, fingerprint=fingerprint)


def find_repeated_key(whole: JsonObject, *, deep: bool) -> str | None:
    """Return a key that an object holds twice, or with ``deep`` any object within it, or None."""
    waiting: list[Any] = [whole]
    while waiting:
        values = waiting.pop()
        if isinstance(values, Pairs):
            return Counter(key for key, _ in values).most_common(1)[0][0]
        if deep and isinstance(values, dict):
            waiting += values.values()
        elif deep and isinstance(values, list):
            waiting += values
    return None


def parse_objects(source: Source) -> Iterator[JsonObject]:
    """Yield the JSON objects of a text."""
    text = source.text()
    decoder = json.JSONDecoder(object_pairs_hook=_keep_repeated_keys)
    place = 0
    while place < len(text):
        if text[place] in WHITE_SPACE:
            place += 1
            continue
        try:
            parsed, place = decoder.raw_decode(text, place)
        except json.JSONDecodeError as error:
            raise InputError(f"{source.name}: line {error.lineno}: not JSON: {error.msg}") from None
        except (RecursionError, ValueError) as error:  # nested too deep; a number of 5,000 digits
            raise InputError(f"{source.name}: JSON that cannot be read: {error}") from None
        if not isinstance(parsed, dict | Pairs):
            raise InputError(
                f"{source.name}: JSON objects are expected; got {type(parsed).__name__}"
            )
        yield parsed


def _keep_repeated_keys(pairs: list[tuple[str, Any]]) -> JsonObject:
    whole = dict(pairs)
    return whole if len(whole) == len(pairs) else Pairs(pairs)


def parse_json(text: str, *, only_finite: bool = True) -> dict[str, Any]:
    """Return the JSON object that a text holds; raise ``InputError`` with the line of an error.

    Numbers have to be finite unless ``only_finite`` is false.
    """
    if not text.strip():
        raise InputError("empty")
    try:
        whole = json.loads(
            text, **(STRICT_JSON if only_finite else {"object_pairs_hook": _check_keys})
        )
    except json.JSONDecodeError as error:
        raise InputError(f"line {error.lineno}: not JSON: {error.msg}") from None
    except (RecursionError, ValueError) as error:  # nested too deep; a number of 5,000 digits
        raise InputError(f"JSON that cannot be read: {error}") from None
    if not isinstance(whole, dict):
        raise InputError(f"a JSON object is expected; got {type(whole).__name__}")
    return whole


def _check_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    whole = dict(pairs)
    if len(whole) < len(pairs):
        repeated = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise InputError(f"the key {quote(repeated)} is in one object twice")
    return whole


def _refuse_infinite(text: str) -> float:
    raise InputError(f"numbers must be finite; got {quote(text)}")


def _parse_float(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _refuse_infinite(text)


def _parse_int(text: str) -> float:
    return int(text) if math.isfinite(float(text)) else _refuse_infinite(text)


#: arguments of Python's JSON parser: finite numbers only, and no key twice
STRICT_JSON: dict[str, Any] = {
    "object_pairs_hook": _check_keys,
    "parse_constant": _refuse_infinite,
    "parse_float": _parse_float,
    "parse_int": _parse_int,
}
