"""Responses of ``_rank_eval``, by which Elasticsearch and OpenSearch evaluate rankings.

A response has the scores of one system by one metric, without the name of the system and without
the metric's cutoff. Queries that failed have no score; they are not zeros.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np

from ..errors import InputError, quote, quote_several
from ..measurement.names import UNNAMED, definitions, our_name, stem_of
from .columns import id_texts
from .error_list import ErrorList
from .score_records import ScoreRecords
from .sources import Source

#: metrics as responses name them, and the measures that they may be called, without the cutoff
STEMS = {
    "precision": "P",
    "recall": "R",
    "mean_reciprocal_rank": "RR",
    "expected_reciprocal_rank": "ERR",
    "normalized_dcg": "nDCG",
    "dcg": "",
}
#: of a response of Elasticsearch 6, with its present names
OLD_NAMES = {"quality_level": "metric_score", "unknown_docs": "unrated_docs"}
MAX_REASON = 200  # characters of an error of the server in a message
RESPONSE_HEAD = re.compile(
    rb'\s*\{\s*(?:"rank_eval"\s*:\s*\{\s*)?"(?:metric_score|quality_level)"\s*:\s*[^\s{]'
)


def unwrap_response(source: Any) -> Any:
    """Return the response in an object of Elasticsearch's client, or in the key ``rank_eval``.

    Anything else is returned as it is.
    """
    if type(source).__module__.partition(".")[0] == "elastic_transport":
        source = getattr(source, "body", source)
    is_wrapped = isinstance(source, Mapping) and list(source) == ["rank_eval"]
    return source["rank_eval"] if is_wrapped else source


def is_rank_eval(source: Any) -> bool:
    """Return whether a source is a response of ``_rank_eval``, or an error of the server."""
    source = unwrap_response(source)
    if not isinstance(source, Mapping):
        return False
    has_score = any(isinstance(source.get(name), Real | str) for name in _names("metric_score"))
    return (has_score and ("details" in source or "failures" in source)) or _is_error(source)


def check_no_response(source: Source) -> None:
    """Raise ``InputError`` if an opened file is a response, which is no run and no judgments."""
    if RESPONSE_HEAD.match(source.peek()):
        raise InputError(
            f"{source.name}: a response of _rank_eval, which has scores, not documents; give it "
            "by --scores (scores= in Python)"
        )


def _is_error(source: Mapping[str, Any]) -> bool:
    return "error" in source and isinstance(source.get("status"), int)


def records_from_responses(
    by_system: Mapping[Any, Any], name: str, measure: str, *, is_unnamed: bool
) -> ScoreRecords:
    """Return the scores of responses, one per system.

    ``measure`` is the name that was requested; a response only names its metric.
    """
    measures: list[str] = []
    systems: list[str] = []
    queries: list[str] = []
    values: list[float] = []
    warnings: list[str] = []
    failed: list[str] = []
    for system, source in by_system.items():
        place = name if is_unnamed else f"{name}: system {quote(system)}"
        response = unwrap_response(source)
        if not is_rank_eval(response):
            raise InputError(f"{place}: a response of _rank_eval is expected, as of other systems")
        scores, n_unrated = _read_response(response, place)
        failures = [
            str(query) for query in _mapping(response.get("failures", {}), "failures", place)
        ]
        if failures:
            failed.append(f"{place}: failed queries: {quote_several(failures)}")
        kept = {query: score for query, score in scores.items() if query not in failures}
        metric = _find_metric(response["details"], place)
        measures += [_name_measure(metric, measure, place)] * len(kept)
        systems += [str(system)] * len(kept)
        queries += kept
        values += kept.values()
        if n_unrated:
            warnings.append(_warn_of_unrated(n_unrated, len(scores), place))
    if not values:
        raise InputError(
            f"{'; '.join(failed)}; no query has a score" if failed else f"{name}: empty: no scores"
        )
    return ScoreRecords(
        *(name, measures, systems, queries, values),
        warnings=tuple(warnings),
        is_unnamed=is_unnamed,
        failed=tuple(failed),
    )


def _read_response(
    response: Mapping[str, Any], place: str
) -> tuple[dict[str, float], dict[str, int]]:
    """Return the score of each query, and the number of unrated documents where there are any."""
    if _is_error(response):
        error = response["error"]
        reason = error.get("reason", error) if isinstance(error, Mapping) else error
        text = quote(" ".join(str(reason).split())[:MAX_REASON])
        raise InputError(f"{place}: the server returned an error and no scores: {text}")
    if "details" not in response:
        raise InputError(
            f"{place}: no key 'details', which has the scores of the queries; got "
            f"{quote_several(response)}"
        )
    details = _mapping(response["details"], "details", place)
    errors = ErrorList(place)
    texts = id_texts(list(details), "query id", errors)
    scores: dict[str, float] = {}
    n_unrated: dict[str, int] = {}
    for query, detail in zip(texts, details.values(), strict=True):
        at = f"details, {quote(query)}"
        if not isinstance(detail, Mapping):
            errors.add(f"{at}: an object is expected; got {type(detail).__name__}")
            continue
        score = _get(detail, "metric_score")
        if isinstance(score, bool) or not isinstance(score, Real) or not _is_finite(score):
            errors.add(f"{at}: metric_score {quote(score)} is not a finite number")
            continue
        scores[query] = float(score)
        unrated = _get(detail, "unrated_docs")
        if unrated is not None and not isinstance(unrated, list | tuple):
            errors.add(f"{at}: unrated_docs is not a list; got {quote(unrated)}")
        elif unrated:
            n_unrated[query] = len(unrated)
    errors.raise_if_any()
    return scores, n_unrated


def _is_finite(number: Any) -> bool:
    try:
        return bool(np.isfinite(float(number)))
    except OverflowError:  # an integer of over 300 digits
        return False


def _mapping(value: Any, what: str, place: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InputError(f"{place}: {what}: an object is expected; got {type(value).__name__}")
    return value


def _names(name: str) -> list[str]:
    return [name, *(old for old, new in OLD_NAMES.items() if new == name)]


def _get(detail: Mapping[str, Any], name: str) -> Any:
    return next((detail[key] for key in _names(name) if key in detail), None)


def _find_metric(details: Mapping[str, Any], place: str) -> str:
    """Return the metric that a response names; empty if it names none."""
    metrics: dict[str, bool] = {}  # and whether each is normalised
    for detail in details.values():
        parts = detail.get("metric_details")
        for metric, part in parts.items() if isinstance(parts, Mapping) else ():
            is_normalised = isinstance(part, Mapping) and "normalized_dcg" in part
            metrics[str(metric)] = metrics.get(str(metric), False) or is_normalised
    if len(metrics) > 1:
        raise InputError(f"{place}: one metric is expected; got {quote_several(metrics)}")
    for metric, is_normalised in metrics.items():
        return "normalized_dcg" if metric == "dcg" and is_normalised else metric
    return ""


def _name_measure(metric: str, requested: str, place: str) -> str:
    """Return the name of the measure: the requested one unless it contradicts the metric."""
    if requested == UNNAMED:
        return metric or UNNAMED
    stem = stem_of(our_name(requested))
    if metric in STEMS and stem in definitions() and stem != STEMS[metric]:
        raise InputError(f"{place}: its metric is {metric}, not {requested}")
    return requested


def _warn_of_unrated(n_unrated: Mapping[str, int], n_queries: int, place: str) -> str:
    total = sum(n_unrated.values())
    return (
        f"{place}: unrated documents in the hits: {total:,}, in {len(n_unrated):,} of "
        f"{n_queries:,} queries"
    )
