"""Responses of ``_rank_eval``, by which Elasticsearch and OpenSearch evaluate rankings.

A response has the scores of one system by one metric, without the name of the system and without
the metric's cutoff. Queries that failed have no score; they are not zeros.
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np

from ..errors import InputError, quote, quote_several
from ..measurement.names import UNNAMED, is_our_name, our_name, stem_of
from .columns import as_numbers, id_texts
from .error_list import ErrorList
from .score_records import ScoreRecords

#: metrics as responses name them, and the measures that they may be called, without the cutoff
STEMS = {
    "precision": "P",
    "recall": "R",
    "mean_reciprocal_rank": "RR",
    "expected_reciprocal_rank": "ERR",
    "normalized_dcg": "nDCG",
    "dcg": "",
}


def is_rank_eval(source: Any) -> bool:
    """Return whether a source is a response of ``_rank_eval``, or an error of the server."""
    source = _unwrap(source)
    if not isinstance(source, Mapping):
        return False
    has_score = isinstance(source.get("metric_score"), Real | str)
    has_queries = "details" in source or "failures" in source
    return (has_score and has_queries) or _is_error(source)


def _unwrap(source: Any) -> Any:
    """Return the response in an object of Elasticsearch's client; anything else as it is."""
    is_object = type(source).__module__.partition(".")[0] == "elastic_transport"
    return getattr(source, "body", source) if is_object else source


def _is_error(source: Mapping[str, Any]) -> bool:
    return "error" in source and isinstance(source.get("status"), int)


def records_from_responses(
    by_system: Mapping[Any, Any], name: str, measure: str, *, is_unnamed: bool
) -> ScoreRecords:
    """Return the scores of responses, one per system.

    ``measure`` is the name that was requested; a response only names its metric.
    """
    cells: list[tuple[str, str, str, float]] = []
    warnings: list[str] = []
    failed: list[str] = []
    for system, source in by_system.items():
        place = name if is_unnamed else f"{name}: system {quote(system)}"
        response = _unwrap(source)
        if not is_rank_eval(response):
            raise InputError(f"{place}: a response of _rank_eval is expected, as of other systems")
        if _is_error(response):
            raise InputError(
                f"{place}: the server returned an error and no scores: {quote(response['error'])}"
            )
        details = _mapping(response.get("details"), "details", place)
        failures = [*_mapping(response.get("failures", {}), "failures", place)]
        if failures:
            failed.append(f"{place}: failed queries: {quote_several(failures)}")
        scores = _read_scores(details, place)
        own_measure = _name_measure(details, measure, place)
        cells += [
            (own_measure, str(system), query, score)
            for query, score in scores.items()
            if query not in failures
        ]
        n_unrated = sum(len(detail.get("unrated_docs") or ()) for detail in details.values())
        if n_unrated:
            warnings.append(f"{place}: unrated documents in the hits: {n_unrated:,}")
    if not cells:
        reason = f"{'; '.join(failed)}; no query has a score" if failed else "empty: no scores"
        raise InputError(reason if failed else f"{name}: {reason}")
    measures, systems, queries, values = zip(*cells, strict=True)
    return ScoreRecords(
        *(name, measures, systems, queries, values),
        warnings=tuple(warnings),
        is_unnamed=is_unnamed,
        failed=tuple(failed),
    )


def _mapping(value: Any, what: str, place: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InputError(f"{place}: {what}: an object is expected; got {type(value).__name__}")
    return value


def _read_scores(details: Mapping[str, Any], place: str) -> dict[str, float]:
    """Return the score of each query."""
    errors = ErrorList(place)
    scores: dict[str, float] = {}
    for query, detail in zip(
        id_texts([*details], "query id", errors), details.items(), strict=True
    ):
        of_query = _mapping(detail[1], f"details, {quote(query)}", place)
        score = of_query.get("metric_score")
        scores[query] = float("nan") if isinstance(score, str) else float(as_numbers([score])[0])
        if not np.isfinite(scores[query]):
            errors.add(
                f"details, {quote(query)}: metric_score {quote(score)} is not a finite number"
            )
        if not isinstance(of_query.get("unrated_docs") or [], list | tuple):
            errors.add(f"details, {quote(query)}: unrated_docs is not a list")
    errors.raise_if_any()
    return scores


def _name_measure(details: Mapping[str, Any], requested: str, place: str) -> str:
    """Return the requested name of the measure unless it contradicts the metric of a response."""
    metrics = {
        "normalized_dcg" if isinstance(part, Mapping) and "normalized_dcg" in part else str(metric)
        for detail in details.values()
        for metric, part in (detail.get("metric_details") or {}).items()
    }
    if len(metrics) > 1:
        raise InputError(f"{place}: one metric is expected; got {quote_several(sorted(metrics))}")
    metric = next(iter(metrics), "")
    if requested == UNNAMED:
        return metric or UNNAMED
    ours = our_name(requested)
    if metric in STEMS and is_our_name(ours) and stem_of(ours) != STEMS[metric]:
        raise InputError(f"{place}: its metric is {metric}, not {requested}")
    return requested
