"""Dict of dict, as pytrec_eval and ranx have it: in memory, as JSON, or as JSON lines."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import InputError, quote, quote_several
from .columns import Columns, columns_from_values, integer_text
from .frames import columns_from_records
from .sources import BLANKS, Source


class _Pairs(list[tuple[str, Any]]):
    """A JSON object with every key it was written with; a dict would drop repeated ones."""

    def items(self) -> Iterator[tuple[str, Any]]:
        return iter(self)


def columns_from_mapping(
    mapping: Any, source: str, *, is_run: bool, fingerprint: str | None = None
) -> Columns:
    """Columns from ``{query_id: {doc_id: value}}``."""
    query_ids: list[object] = []
    doc_ids: list[object] = []
    values: list[object] = []
    if isinstance(mapping, Mapping):
        _check_distinct(mapping, source)
    for query_id, documents in mapping.items():
        if not isinstance(documents, Mapping | _Pairs):
            raise InputError(
                f"{source}: query {quote(query_id)} must map document ids to numbers; "
                f"got {type(documents).__name__}"
            )
        if not documents and not is_run:
            raise InputError(f"{source}: query {quote(query_id)} has no judgments; leave it out")
        for doc_id, value in documents.items():
            query_ids.append(query_id)
            doc_ids.append(doc_id)
            values.append(value)
    return columns_from_values(
        source, query_ids, doc_ids, values, is_run=is_run, fingerprint=fingerprint
    )


def _check_distinct(mapping: Mapping[Any, Any], source: str) -> None:
    """Raise ``InputError`` where two keys, such as 1 and ``"1"``, are the id of one query."""
    keys: dict[str, object] = {}
    for key in mapping:
        text = key if isinstance(key, str) else integer_text(key)
        if text and keys.setdefault(text, key) is not key:
            both = quote_several([keys[text], key])
            raise InputError(f"{source}: the keys {both} are the id of one query")


def columns_from_json(source: Source, *, is_run: bool) -> Columns:
    """Columns from JSON (one object) or JSON lines (many): dict of dict, or records."""
    objects = list(_objects(source))
    fingerprint = source.fingerprint
    is_nested = objects and all(isinstance(value, _Pairs) for one in objects for _, value in one)
    for number, one in enumerate(objects, start=1):
        # documents of a query are compared later, where --duplicates decides
        key = _repeated_key(one, deep=not is_nested)
        if key is not None:
            where = f"{source.name}: record {number}"
            raise InputError(f"{where}: the key {quote(key)} stands twice in one object")
    if is_nested:
        whole = _Pairs(pair for one in objects for pair in one)
        return columns_from_mapping(whole, source.name, is_run=is_run, fingerprint=fingerprint)
    records = [dict(one) for one in objects]
    return columns_from_records(records, source.name, is_run=is_run, fingerprint=fingerprint)


def _repeated_key(whole: _Pairs, *, deep: bool) -> str | None:
    """Return a key that an object holds twice, or with ``deep`` any object within it."""
    waiting: list[Any] = [whole]
    while waiting:
        values = waiting.pop()
        if isinstance(values, _Pairs):
            if len(dict(values)) < len(values):
                return Counter(key for key, _ in values).most_common(1)[0][0]
            values = [value for _, value in values]
        if deep:
            waiting += [value for value in values if isinstance(value, list)]
    return None


def _objects(source: Source) -> Iterator[_Pairs]:
    text = source.text()
    decoder = json.JSONDecoder(object_pairs_hook=_Pairs)
    place = 0
    while place < len(text):
        if text[place] in BLANKS:
            place += 1
            continue
        try:
            found, place = decoder.raw_decode(text, place)
        except json.JSONDecodeError as error:
            raise InputError(f"{source.name}: line {error.lineno}: not JSON: {error.msg}") from None
        except (RecursionError, ValueError) as error:  # nested too deep; a number of 5,000 digits
            raise InputError(f"{source.name}: JSON that cannot be read: {error}") from None
        if not isinstance(found, _Pairs):
            raise InputError(
                f"{source.name}: JSON objects are expected; got {type(found).__name__}"
            )
        yield found


# JSON documents of our own formats, read with distrust.
#
# A key that stands twice in one object would be dropped in silence, and NaN or a number beyond
# what a double holds would slip in: all are errors here.


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
