"""Cards as JSON files: written whole, read with distrust.

A card comes from someone else, by hand or by another program perhaps, so a file is held against the
JSON Schema that ships with the package (``schema.json``, draft 2020-12) and then against what
a schema cannot say, such as that the standard error is the standard deviation over the root of n.
Python writes the shortest decimal that reads back to the same double, so numbers come back exactly.
JSON has neither NaN nor infinity: an end that an interval does not have is null, and so is a
standard deviation that one query cannot have.
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
from .card import is_standardised

FORMAT = "irbounds result card"
FORMAT_VERSION = 1
CLOSE = 1e-9  # what a printed and a computed standard error may differ by, relatively

#: keyword of the schema -> the rule in words
RULES = {
    "const": "must be {!r}",
    "enum": "must be one of {}",
    "minimum": "must be at least {}",
    "exclusiveMinimum": "must be greater than {}",
    "exclusiveMaximum": "must be less than {}",
    "minLength": "must not be empty",
    "minItems": "must hold at least {}",
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
    whole = {"format": FORMAT, "format_version": FORMAT_VERSION, **asdict(card)}
    return json.dumps(_without_infinity(whole), indent=2, ensure_ascii=False) + "\n"


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
        # a name that is no Unicode: the replacement is JSON's own escape, and reads back
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
        whole = parse_json(text)
        _check_schema(whole)
        card = _card(whole)
        _check_sense(card)
    except InputError as error:
        raise InputError(f"{source.name}: {error}") from None
    return card


def card_schema() -> dict[str, Any]:
    """The JSON Schema of a card."""
    schema: dict[str, Any] = json.loads(
        (files("irbounds.cards") / "schema.json").read_text(encoding="utf-8")
    )
    return schema


def _without_infinity(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_infinity(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_without_infinity(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _check_schema(whole: Any) -> None:
    from jsonschema import Draft202012Validator

    schema = card_schema()
    order = list(schema["properties"])

    def place(error: Any) -> tuple[int, list[str]]:
        """The document as a whole first, then key by key as the schema has them."""
        path = list(error.absolute_path)
        return (order.index(path[0]) + 1 if path else 0, list(map(str, path)))

    errors = sorted(Draft202012Validator(schema).iter_errors(whole), key=place)
    if errors:
        more = f" (problems in all: {len(errors)})" if len(errors) > 1 else ""
        raise InputError(f"{_problem(errors[0])}{more}")


def _problem(error: Any) -> str:
    """What jsonschema found, in the words of this package: place, rule, value."""
    place = _written(error.absolute_path)
    rule, limit, value = error.validator, error.validator_value, error.instance
    if rule == "required":
        missing = next(key for key in limit if key not in value)
        return f"{place}: no key {quote(missing)}"
    if rule == "additionalProperties":
        unknown = next(key for key in value if key not in error.schema["properties"])
        return f"{place}: unknown key {quote(unknown)}"
    if rule == "type":
        kinds = [limit] if isinstance(limit, str) else limit
        said = f"must be {' or '.join(KINDS[kind] for kind in kinds)}"
    else:
        limit = ", ".join(map(repr, limit)) if rule == "enum" else limit
        said = RULES[rule].format(limit)
    return f"{place} {said}; got {quote(value)}"


def _written(path: Sequence[str | int]) -> str:
    """``inputs[0].name``, or the card where it is the whole."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".") or "the card"


def _card(whole: Mapping[str, Any]) -> Card:
    """A card from a document that keeps to the schema."""
    done = whole["standardisation"]
    return Card(
        system=whole["system"],
        collection=whole["collection"],
        measure=whole["measure"],
        n=int(whole["n"]),
        mean=float(whole["mean"]),
        standard_deviation=_number(whole["standard_deviation"]),
        standard_error=_number(whole["standard_error"]),
        interval=_interval(whole["interval"]),
        n_resamples=_whole(whole["n_resamples"]),
        seed=_whole(whole["seed"]),
        standardisation=done and Standardisation(**{**done, "systems": tuple(done["systems"])}),
        query_fingerprint=whole["query_fingerprint"],
        irbounds=whole["irbounds"],
        inputs=tuple(InputFile(**one) for one in whole["inputs"]),
        ties=whole.get("ties", "trec"),
        note=whole.get("note"),
        url=whole.get("url"),
    )


def _interval(part: Mapping[str, Any]) -> Interval:
    """An interval; null is infinite beside an end, and nothing known where both are null."""
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


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)


def _check_sense(card: Card) -> None:
    for problem in _nonsense(card):
        raise InputError(problem)


def _nonsense(card: Card) -> Iterator[str]:
    """What no schema can say."""
    deviation, error, interval = card.standard_deviation, card.standard_error, card.interval
    if math.isnan(deviation) != (card.n == 1):
        yield f"standard_deviation must be null for one query and only then; got {deviation:g}"
    expected = deviation / math.sqrt(card.n)
    both_unknown = math.isnan(error) and math.isnan(expected)
    if not both_unknown and not math.isclose(error, expected, rel_tol=CLOSE):
        yield f"standard_error must be standard_deviation / sqrt(n); got {error:g}"
    if interval.low > interval.high:
        yield f"interval.low must not be above interval.high; got {interval.low:g}"
    done = card.standardisation
    named = card.measure.startswith(f"{done.transform}(") if done else None
    if named is False or (named is None and is_standardised(card.measure)):
        said = "measure must be named after the standardisation's transform"
        yield f"{said}; got {quote(card.measure)}"
