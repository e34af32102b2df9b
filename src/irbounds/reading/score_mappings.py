"""Per-query scores in memory: mappings of any tool, arrays, and ir_measures' records.

A mapping has one level of keys per dimension: systems, queries, measures. Scores in a list or an
array are of queries numbered from 1. The names of measures (``is_measure_name``) decide which level
holds the measures. If they do not decide, an error names the possible readings.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from numbers import Real
from typing import Any

import numpy as np

from ..errors import InputError, quote, quote_several
from ..measurement.names import is_measure_name, our_name
from .columns import as_numbers, id_texts
from .error_list import ErrorList
from .rank_eval import is_rank_eval, records_from_responses
from .score_records import ScoreRecords

logger = logging.getLogger("irbounds")

METRIC_FIELDS = ("query_id", "measure", "value")  # of ir_measures' ``Metric``
REPORT_KEYS = {"metrics", "model_names", "stat_test"}  # of the JSON of ranx' ``Report``
GIVE_RUN = "call ranx.evaluate or ranx.compare, then give the Run"
MAX_LEVELS = 3
MAX_MEASURES = 1000  # keys on one level; more are queries or systems
LONG_TABLE = "give a frame with the columns query_id, system, measure and value"


@dataclass(frozen=True)
class _Leaf:
    """One value with the keys that lead to it."""

    keys: tuple[Any, ...]
    value: Any
    #: whether the last key is a place in a list
    is_numbered: bool = False


def holds_scores(source: Any) -> bool:
    """Return whether a source is scores in memory, not a frame nor several files or frames."""
    if is_rank_eval(source):
        return True
    if isinstance(source, Mapping):
        return bool(source) and all(map(_is_branch, source.values()))
    return is_metrics(source) or _is_ranx(source)


def is_metrics(source: Any) -> bool:
    """Return whether a source is a list of ir_measures' ``Metric`` or of similar records."""
    if not isinstance(source, list | tuple) or not source:
        return False
    return set(METRIC_FIELDS) <= set(getattr(source[0], "_fields", ()))


def is_list_of_numbers(source: Any) -> bool:
    """Return whether a source is one system's scores: a list, array or series of numbers."""
    if isinstance(source, list | tuple | range):
        return bool(source) and isinstance(source[0], Real)
    if isinstance(source, np.ndarray):
        return source.ndim == 1
    return hasattr(source, "to_numpy") and not hasattr(source, "columns")


def _is_branch(value: Any) -> bool:
    """Return whether a mapping of scores may hold a value."""
    if isinstance(value, Mapping | Real | Iterator | np.ndarray):
        return True
    return is_list_of_numbers(value) or is_metrics(value) or is_rank_eval(value)


def _is_ranx(source: Any) -> bool:
    return type(source).__module__.partition(".")[0] == "ranx"


def records_from_memory(source: Any, name: str, measure: str, system: str) -> ScoreRecords:
    """Return the scores of a mapping, of ``Metric`` records, of a ranx ``Run``, or of a response.

    ``measure`` and ``system`` are used where the scores do not name theirs.
    """
    if is_rank_eval(source):
        return records_from_responses({system: source}, name, measure, is_unnamed=True)
    if _is_ranx(source):
        source = _scores_of_ranx(source, name)
    if is_metrics(source):
        return _from_metrics({system: source}, name)
    if source.keys() >= REPORT_KEYS:
        raise InputError(f"{name}: a Report of ranx, which has only means; {GIVE_RUN}")
    values = {key: list(v) if isinstance(v, Iterator) else v for key, v in source.items()}
    if any(map(is_metrics, values.values())):
        return _from_metrics(values, name)
    if any(map(is_rank_eval, values.values())):
        return records_from_responses(values, name, measure, is_unnamed=False)
    return _from_leaves(list(_walk(values, (), name)), name, measure, system)


def _scores_of_ranx(source: Any, name: str) -> Mapping[str, Any]:
    """Return the scores that ranx stored in a ``Run`` when it was evaluated."""
    scores = getattr(source, "scores", None)
    if not isinstance(scores, Mapping) or not scores:
        kind = type(source).__name__
        raise InputError(f"{name}: this ranx {kind} holds no scores per query; {GIVE_RUN}")
    return {source.name or "run": scores}


def _from_metrics(by_system: Mapping[Any, Any], name: str) -> ScoreRecords:
    """Return the scores of records with the fields of ``Metric``."""
    errors = ErrorList(name, "record")
    measures: list[str] = []
    systems: list[str] = []
    queries: list[object] = []
    values: list[object] = []
    for system, metrics in by_system.items():
        if not is_metrics(metrics):
            got = type(metrics).__name__
            raise InputError(
                f"{name}: system {quote(system)} must have records with the fields query_id, "
                f"measure and value; got {got}"
            )
        for metric in metrics:
            try:
                query, kind, value = (getattr(metric, field) for field in METRIC_FIELDS)
            except AttributeError:
                raise InputError(
                    f"{name}: system {quote(system)}: {quote(metric)} lacks one of the "
                    "fields query_id, measure and value"
                ) from None
            measures.append(str(kind))
            systems.append(str(system))
            queries.append(query)
            values.append(value)
    texts = id_texts(queries, "query id", errors)
    numbers = as_numbers(values)
    for i in np.flatnonzero(~np.isfinite(numbers)).tolist():
        errors.add(f"{measures[i]}: {quote(values[i])} is not a finite number", i + 1)
    errors.raise_if_any()
    return ScoreRecords(name, measures, systems, texts, numbers.tolist())


def _walk(value: Any, keys: tuple[Any, ...], name: str) -> Iterator[_Leaf]:
    """Yield all values of nested mappings, lists and arrays."""
    is_list = isinstance(value, list | tuple | range | np.ndarray) or hasattr(value, "to_numpy")
    if not is_list and not isinstance(value, Mapping):
        yield _Leaf(keys, value)
        return
    if len(keys) == MAX_LEVELS:
        raise InputError(
            f"{name}: {_describe_keys(keys)}: more than {MAX_LEVELS} levels of keys; systems, "
            "queries and measures are expected"
        )
    if is_list:
        yield from _walk_numbers(value, keys, name)
        return
    if not value:
        raise InputError(f"{name}: {_describe_keys(keys)}: empty: no scores")
    yield from chain.from_iterable(_walk(inner, (*keys, key), name) for key, inner in value.items())


def _walk_numbers(value: Any, keys: tuple[Any, ...], name: str) -> Iterator[_Leaf]:
    """Yield the numbers of a list, an array or a series; an index of pandas names the queries."""
    where = f"{name}: {_describe_keys(keys)}"
    index: Any = getattr(value, "index", None)
    if hasattr(value, "to_numpy"):
        value = value.to_numpy()
    if isinstance(value, np.ndarray):
        if value.ndim != 1:
            raise InputError(f"{where}: one score per query is expected; got shape {value.shape}")
        if np.ma.isMaskedArray(value):
            raise InputError(f"{where}: a masked array; scores must be numbers without gaps")
        value = (value.astype(np.float64) if value.dtype.kind == "b" else value).tolist()
    if not len(value):
        raise InputError(f"{where}: empty: no scores")
    is_named = index is not None and not callable(index) and type(index).__name__ != "RangeIndex"
    if is_named:
        for query, score in zip(index, value, strict=True):
            yield _Leaf((*keys, query), score)
    else:
        for number, score in enumerate(value, start=1):
            yield _Leaf((*keys, str(number)), score, is_numbered=True)


def _from_leaves(leaves: Sequence[_Leaf], name: str, measure: str, system: str) -> ScoreRecords:
    first = leaves[0]
    for leaf in leaves:
        if (len(leaf.keys), leaf.is_numbered) != (len(first.keys), first.is_numbered):
            raise InputError(
                f"{name}: {_describe_keys(first.keys)} and {_describe_keys(leaf.keys)} are not on "
                "the same level; give every system a list of scores, or every system a mapping"
            )
    levels = [
        list(dict.fromkeys(level)) for level in zip(*(leaf.keys for leaf in leaves), strict=True)
    ]
    if len(levels) == 1:
        raise InputError(
            f"{name}: one number for each of {quote_several(levels[0])}; scores per query are "
            "expected, such as {system: [score, ...]} or {system: {query: score}}"
        )
    if first.is_numbered:
        _check_lengths(leaves, name)
    roles = _find_roles(levels, first.is_numbered, name)
    place = {role: number for number, role in enumerate(roles)}
    _log_reading(roles, levels, name)
    by_measure: dict[str, list[_Leaf]] = {}
    which = place.get("measure")
    for leaf in leaves:
        key = measure if which is None else str(leaf.keys[which])
        by_measure.setdefault(key, []).append(leaf)
    skipped = [key for key, of_measure in by_measure.items() if all(map(_is_text, of_measure))]
    errors = ErrorList(name)
    scores = [
        (key, leaf)
        for key, of_measure in by_measure.items()
        if key not in skipped
        for leaf in of_measure
    ]
    numbers = [as_real(leaf.value) for _, leaf in scores]
    for (_, leaf), number in zip(scores, numbers, strict=True):
        if not np.isfinite(number):
            errors.add(f"{_describe_keys(leaf.keys)}: {quote(leaf.value)} is not a finite number")
    errors.raise_if_any()
    if not scores:
        raise InputError(f"{name}: empty: no scores: no value is a number")
    queries = id_texts([leaf.keys[place["query"]] for _, leaf in scores], "query id", errors)
    errors.raise_if_any()
    at = place.get("system")
    names = quote_several([our_name(key) for key in skipped])
    warnings = (f"{name}: measures whose values are not numbers; ignored: {names}",)
    return ScoreRecords(
        name,
        [key for key, _ in scores],
        [system if at is None else str(leaf.keys[at]) for _, leaf in scores],
        queries,
        numbers,
        warnings=warnings if skipped else (),
        is_unnamed=at is None,
    )


def _is_text(leaf: _Leaf) -> bool:
    return isinstance(leaf.value, str)


def as_real(value: Any) -> float:
    """Return a number of any type, or a boolean, as a float; NaN for anything else."""
    try:
        return float(value) if isinstance(value, Real) else np.nan
    except OverflowError:  # an integer of over 300 digits
        return np.inf


def _check_lengths(leaves: Sequence[_Leaf], name: str) -> None:
    """Raise ``InputError`` if lists of numbered queries differ in length."""
    lengths: dict[tuple[Any, ...], int] = {}
    for leaf in leaves:
        keys = leaf.keys[:-1]
        lengths[keys] = lengths.get(keys, 0) + 1
    first, expected = next(iter(lengths.items()))
    for keys, length in lengths.items():
        if length != expected:
            raise InputError(
                f"{name}: {_describe_keys(first)} has {expected:,} scores and "
                f"{_describe_keys(keys)} has {length:,}; queries are numbered, so all "
                "need the same number (or give each {query: score})"
            )


def _find_roles(levels: Sequence[Sequence[Any]], is_numbered: bool, name: str) -> tuple[str, ...]:
    """Return the role of each level of keys: ``system``, ``query`` or ``measure``.

    A level whose keys all name measures is the level of measures. One of three levels has to be, so
    there some names are enough if no other level has any.
    """
    depth = len(levels)
    readings = _READINGS[depth, is_numbered]
    candidates = range(depth - is_numbered)
    n_known = [_count_measures(levels[k]) for k in candidates]
    full = [k for k in candidates if n_known[k] == len(levels[k])]
    some = [k for k in candidates if n_known[k]]
    chosen = full if len(full) == 1 else some
    if not chosen and depth == 2:
        return readings[None]
    if len(chosen) == 1 and (chosen == full or depth == 3):
        return readings[chosen[0]]
    possible = [readings[k] for k in (chosen or candidates)]
    if len(possible) == 1:
        possible.append(readings[None])
    both = " or ".join(" -> ".join(roles) for roles in possible)
    keys = " and ".join(quote_several(list(levels[k])[:3]) for k in (chosen or candidates))
    what = "name measures in part or on several levels" if chosen else "name no known measure"
    raise InputError(f"{name}: keys such as {keys} {what}; are they {both}? {LONG_TABLE}")


def _count_measures(keys: Sequence[Any]) -> int:
    """Return how many keys of a level name measures."""
    return sum(map(is_measure_name, keys)) if len(keys) <= MAX_MEASURES else 0


#: the roles of the levels by depth, whether the last is a list, and the level of the measures
_READINGS: dict[tuple[int, bool], dict[int | None, tuple[str, ...]]] = {
    (2, True): {None: ("system", "query"), 0: ("measure", "query")},
    (3, True): {0: ("measure", "system", "query"), 1: ("system", "measure", "query")},
    (2, False): {
        None: ("system", "query"),
        0: ("measure", "query"),
        1: ("query", "measure"),
    },
    (3, False): {
        0: ("measure", "system", "query"),
        1: ("system", "measure", "query"),
        2: ("system", "query", "measure"),
    },
}


def _log_reading(roles: Sequence[str], levels: Sequence[Sequence[Any]], name: str) -> None:
    """Log how keys were read if the names of measures decided."""
    if "measure" in roles:
        levels_read = (
            f"{role} ({quote_several(list(keys)[:2])}{', ...' if len(keys) > 2 else ''})"
            for role, keys in zip(roles, levels, strict=True)
        )
        logger.info("%s: read as %s -> value", name, " -> ".join(levels_read))


def _describe_keys(keys: Sequence[Any]) -> str:
    return ", ".join(map(quote, keys)) or "the mapping"
