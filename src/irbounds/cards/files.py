"""Cards as JSON files: written atomically and validated when read.

A card may come from another program or be written by hand. So a file is validated with the JSON
Schema in the package (``schema.json``, draft 2020-12) and then for conditions that a schema cannot
express, such as that the standard error is the standard deviation over the root of n. Python writes
the shortest decimal that reads back to the same double, so that numbers are preserved exactly. JSON
has neither NaN nor infinity: the missing end of an interval is null, and so is the standard
deviation of a single query.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from typing import Any

from ..atomic_write import write_atomically
from ..errors import InputError, ParameterError, quote
from ..reading.mappings import parse_json
from ..reading.sources import Source
from ..results import Card, InputFile, Interval, Standardisation
from .result_card import is_standardised

FORMAT = "irbounds result card"
FORMAT_VERSION = 1
MODERATED = "moderated-"  # how methods with a prior variance begin
CLOSE = 1e-9  # largest relative difference of a printed and a computed standard error

#: keyword of the schema -> the rule in a message
RULES = {
    "const": "must be {!r}",
    "enum": "must be one of {}",
    "minimum": "must be at least {}",
    "exclusiveMinimum": "must be greater than {}",
    "exclusiveMaximum": "must be less than {}",
    "maximum": "must be at most {}",
    "minLength": "must not be empty",
    "minItems": "must have at least {} elements",
    "pattern": "must be of the form {}",
}
KINDS = {
    "array": "a list",
    "integer": "an integer",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "text",
}


def card_text(card: Card) -> str:
    """Return a card as JSON.

    Parameters
    ----------
    card
        A card, from ``make_card`` or ``read_card``.

    Returns
    -------
    str
        The content of the file that ``write_card`` writes.

    Examples
    --------
    >>> from irbounds.cards import make_card
    >>> text = card_text(make_card([0.1, 0.5, 0.4], collection="a few queries"))
    >>> json.loads(text)["collection"]
    'a few queries'
    """
    document = {"format": FORMAT, "format_version": FORMAT_VERSION, **asdict(card)}
    return json.dumps(_replace_infinity(document), indent=2, ensure_ascii=False) + "\n"


def write_card(card: Card, path: str | Path) -> None:
    """Write a card as a JSON file (atomically).

    Parameters
    ----------
    card
        A card, from ``make_card``.
    path
        The file. It is replaced if it exists.

    Returns
    -------
    None
        ``read_card`` returns an equal card from the file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from irbounds.cards import make_card
    >>> card = make_card([0.1, 0.5, 0.4], collection="a few queries")
    >>> with TemporaryDirectory() as directory:
    ...     write_card(card, f"{directory}/mine.card.json")
    ...     read_card(f"{directory}/mine.card.json") == card
    True
    """
    if not isinstance(card, Card):
        raise ParameterError(f"card must be a Card, as make_card gives; got {type(card).__name__}")
    with write_atomically(path) as file:
        # names that are not Unicode are written as JSON escapes, which read back
        file.write(card_text(card).encode(errors="backslashreplace"))


def read_card(path: str | Path) -> Card:
    """Read a card from a JSON file and check it.

    A file that is not a valid card raises ``InputError``, which names the file and the place.

    Parameters
    ----------
    path
        The file.

    Returns
    -------
    Card
        The card, with the numbers that were written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from irbounds.cards import make_card
    >>> with TemporaryDirectory() as directory:
    ...     path = f"{directory}/mine.card.json"
    ...     write_card(make_card([0.1, 0.5, 0.4], collection="a few queries"), path)
    ...     card = read_card(path)
    >>> card.n, round(card.mean, 3)
    (3, 0.333)
    """
    with Source(path) as source:
        text = source.text()
    try:
        document = parse_json(text)
        _check_schema(document)
        card = _make_card(document)
        _check_consistency(card)
    except InputError as error:
        raise InputError(f"{source.name}: {error}") from None
    return card


def card_schema() -> dict[str, Any]:
    """Return the JSON Schema of a card."""
    schema: dict[str, Any] = json.loads(
        (files("irbounds.cards") / "schema.json").read_text(encoding="utf-8")
    )
    return schema


def _replace_infinity(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _replace_infinity(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_replace_infinity(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _check_schema(document: Any) -> None:
    from jsonschema import Draft202012Validator

    schema = card_schema()
    order = list(schema["properties"])

    def place(error: Any) -> tuple[int, list[str]]:
        """Sort errors of the whole document first, then by key in the order of the schema."""
        path = list(error.absolute_path)
        return (order.index(path[0]) + 1 if path else 0, list(map(str, path)))

    errors = sorted(Draft202012Validator(schema).iter_errors(document), key=place)
    if errors:
        more = f" (errors in total: {len(errors)})" if len(errors) > 1 else ""
        raise InputError(f"{_describe_error(errors[0])}{more}")


def _describe_error(error: Any) -> str:
    """Return the message for an error of jsonschema: place, rule, value."""
    place = _format_place(error.absolute_path)
    rule, limit, value = error.validator, error.validator_value, error.instance
    if rule == "required":
        missing = next(key for key in limit if key not in value)
        return f"{place}: no key {quote(missing)}"
    if rule == "additionalProperties":
        unknown = next(key for key in value if key not in error.schema["properties"])
        return f"{place}: unknown key {quote(unknown)}"
    if rule == "type":
        kinds = [limit] if isinstance(limit, str) else limit
        problem = f"must be {' or '.join(KINDS[kind] for kind in kinds)}"
    else:
        limit = ", ".join(map(repr, limit)) if rule == "enum" else limit
        problem = RULES[rule].format(limit)
    return f"{place} {problem}; got {quote(value)}"


def _format_place(path: Sequence[str | int]) -> str:
    """Return a place such as ``inputs[0].name``; an empty path is the card itself."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".") or "the card"


def _make_card(document: Mapping[str, Any]) -> Card:
    """Return the card in a document that is valid under the schema."""
    standardisation = document["standardisation"]
    return Card(
        system=document["system"],
        collection=document["collection"],
        measure=document["measure"],
        n=int(document["n"]),
        mean=float(document["mean"]),
        standard_deviation=_as_float(document["standard_deviation"]),
        standard_error=_as_float(document["standard_error"]),
        interval=_make_interval(document["interval"]),
        n_resamples=_as_integer(document["n_resamples"]),
        seed=_as_integer(document["seed"]),
        standardisation=standardisation
        and Standardisation(**{**standardisation, "systems": tuple(standardisation["systems"])}),
        query_fingerprint=document["query_fingerprint"],
        irbounds=document["irbounds"],
        inputs=tuple(InputFile(**file) for file in document["inputs"]),
        prior_variance=_as_number(document.get("prior_variance")),
        ties=document.get("ties", "trec"),
        note=document.get("note"),
        url=document.get("url"),
    )


def _make_interval(part: Mapping[str, Any]) -> Interval:
    """Return an interval: null is infinite if the other end is given, NaN if both are null."""
    low, high, side = part["low"], part["high"], part["alternative"]
    forbidden = {"less": "low", "greater": "high"}.get(side)
    if forbidden and part[forbidden] is not None:
        raise InputError(
            f"interval.{forbidden} must be null where the alternative is {side!r}; "
            f"got {quote(part[forbidden])}"
        )
    if low is None and high is None:
        low = high = math.nan
    ends = (-math.inf if low is None else float(low), math.inf if high is None else float(high))
    return Interval(*ends, float(part["confidence_level"]), part["method"], side)


def _as_float(value: float | None) -> float:
    return math.nan if value is None else float(value)


def _as_number(value: float | None) -> float | None:
    return None if value is None else float(value)


def _as_integer(value: float | None) -> int | None:
    return None if value is None else int(value)


def _check_consistency(card: Card) -> None:
    for problem in _find_contradictions(card):
        raise InputError(problem)


def _find_contradictions(card: Card) -> Iterator[str]:
    """Return the contradictions between fields, which a schema cannot express."""
    deviation, error, interval = card.standard_deviation, card.standard_error, card.interval
    if math.isnan(deviation) != (card.n == 1):
        yield f"standard_deviation must be null for one query and only then; got {deviation:g}"
    expected = deviation / math.sqrt(card.n)
    both_unknown = math.isnan(error) and math.isnan(expected)
    if not both_unknown and not math.isclose(error, expected, rel_tol=CLOSE):
        yield f"standard_error must be standard_deviation / sqrt(n); got {error:g}"
    if interval.low > interval.high:
        yield f"interval.low must not be above interval.high; got {interval.low:g}"
    if card.prior_variance is not None and not interval.method.startswith(MODERATED):
        yield (
            f"prior_variance must be null for the method {quote(interval.method)}; got "
            f"{card.prior_variance:g}"
        )
    scale = card.standardisation
    is_named = card.measure.startswith(f"{scale.transform}(") if scale else None
    if is_named is False or (is_named is None and is_standardised(card.measure)):
        problem = "measure must be named after the standardisation's transform"
        yield f"{problem}; got {quote(card.measure)}"
