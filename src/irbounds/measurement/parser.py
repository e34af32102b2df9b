"""Measures from their names, in ir_measures' spelling or by a name of another tool.

A measure is computed by irbounds where it has a formula for its parameters; any other that
ir_measures knows is computed by ir_measures' providers. This module decides which, and raises a
one-line ``MeasureError`` for what cannot be computed. ``names.py`` reads the names.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from ..errors import MeasureError, quote
from ..validation import as_list
from .base import Measure
from .external import ExternalMeasure, check_provided
from .names import (
    check_parameters,
    identity_of,
    note_readings,
    parse_name,
    split_names,
    stem_of,
)
from .registry import descriptions, find_class


def parse_measures(names: Iterable[Any] | str) -> tuple[Measure, ...]:
    """Return measures from their names or from ir_measures objects.

    A text may have several names, separated by commas. Raises ``MeasureError`` if a measure is
    given twice. Logs which measure each name of another tool means.
    """
    import ir_measures

    # an ir_measures object looks like a sequence
    listed = [names] if isinstance(names, ir_measures.Measure) else as_list(names)
    parts = [split_names(name) if isinstance(name, str) else [name] for name in listed]
    parsed = [(name, parse_name(name)) for part in parts for name in part]
    if not parsed:
        raise MeasureError("no measure given; name one, such as AP or nDCG@10")
    measures = tuple(_make_measure(name, definition) for name, definition in parsed)
    first: dict[Any, Any] = {}
    for name, definition in parsed:
        other = first.setdefault(identity_of(definition), name)
        if other is not name:
            both = "" if str(other) == str(name) else f", as {quote(other)} and as {quote(name)}"
            raise MeasureError(f"measure {definition} is given twice{both}")
    note_readings((name, str(definition)) for name, definition in parsed)
    return measures


def parse_measure(name: Any) -> Measure:
    """Return the measure of a name, such as ``nDCG@10``, an ir_measures object or a ``Measure``."""
    if isinstance(name, Measure):
        return name
    return _parse_text(name) if isinstance(name, str) else _make_measure(name, parse_name(name))


@lru_cache(maxsize=256)  # parsing takes longer than computing a chance level
def _parse_text(name: str) -> Measure:
    measure = _make_measure(name, parse_name(name))
    note_readings([(name, measure.name)])
    return measure


def check_chance_measures(measures: Iterable[Any] | str) -> None:
    """Raise ``MeasureError`` unless there is a formula for the chance level of every measure."""
    for measure in parse_measures(measures):
        measure.check_chance()


def bounds_of(name: str) -> tuple[float, float] | None:
    """Return the lowest and the highest value of a measure; None where they are not known.

    A standardised measure has the name of its transform: ``normal-cdf(AP)`` is between 0 and 1,
    ``z(AP)`` has no bounds.
    """
    stem = stem_of(name)
    if stem == "normal-cdf":
        return (0.0, 1.0)
    for description in descriptions().values():
        if stem in (description.stem, *description.aliases):
            return description.bounds
    return None


def is_binary(name: str) -> bool:
    """Return whether all scores of a measure are 0 or 1 by its definition."""
    stem = stem_of(name)
    return stem == "Success" or (stem in ("P", "RR", "MRR") and name.endswith("@1"))


def _make_measure(name: Any, definition: Any) -> Measure:
    """Return the measure that an ir_measures object defines; ``name`` is for messages."""
    try:
        parameters = check_parameters(definition)
        family = find_class(definition.NAME)
        top = definition.SUPPORTED_PARAMS.get("max_rel")
        if family is None and top and top.required and "max_rel" not in parameters:
            raise MeasureError(f"{definition} needs a max_rel, as in max_rel=...")
        if family is None or parameters.get("judged_only") or "gains" in parameters:
            converted = type(definition)(**parameters)
            check_provided(converted)
            cutoff = parameters.get("cutoff")
            return ExternalMeasure(name=str(definition), cutoff=cutoff, definition=converted)
        if parameters.get("max_rel", 1) <= parameters.get("min_rel", 0):
            raise MeasureError(f"{definition}: max_rel must be greater than min_rel")
        parameters.pop("judged_only", None)
        return family(name=str(definition), **parameters)
    except MeasureError as error:
        if isinstance(name, str) and stem_of(name).strip() != definition.NAME:
            raise MeasureError(f"{quote(name)} is read as {definition.NAME}: {error}") from None
        raise
