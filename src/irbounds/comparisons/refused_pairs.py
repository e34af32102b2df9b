"""Pairs of systems that a gate refuses, because one of them may not have run as it should."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, quote
from ..measurement.parser import parse_measures
from ..measurement.sets import SetMeasure
from ..reading.records import Run
from ..results import Diagnosis
from ..results.result import shorten_fingerprint
from ..scores.diagnosis import have_same_rankings
from ..scores.score_table import ScoreTable, find_outside
from .pairs import round_differences

MIN_ANSWERED = 0.5  # of the queries of the other run, or of the judged ones


def check_pair(
    table: ScoreTable, runs: tuple[Run, ...], bounds: Mapping[str, tuple[float, float] | None]
) -> None:
    """Raise ``DataError`` where a system cannot have run as it should."""
    if len(table.queries) < 2:
        raise DataError("a gate needs at least 2 queries; got 1")
    if table.n_left_out >= MIN_ANSWERED * (len(table.queries) + table.n_left_out):
        raise DataError(
            f"{len(table.queries):,} of {len(table.queries) + table.n_left_out:,} queries have "
            "scores of all systems: one of them is not complete; nothing was tested"
        )
    if table.diagnosis is not None:
        _check_judgments(table.diagnosis, len(table.queries))
        _check_missing_queries(table.diagnosis, table.queries, runs)
        if table.ties in ("trec", "best"):
            _check_constant_runs(table)
    for measure, values in zip(table.measures, table.values, strict=True):
        for system, scores in zip(table.systems, values, strict=True):
            _check_scores(system, measure, scores, bounds[measure])


def _check_judgments(diagnosis: Diagnosis, n_queries: int) -> None:
    """Raise ``DataError`` where most queries have nothing relevant, so that nothing can change."""
    n_without = diagnosis.qrels.n_without_relevant
    if n_without > (1 - MIN_ANSWERED) * n_queries:
        raise DataError(
            f"{diagnosis.qrels.name}: {n_without:,} of {n_queries:,} queries have no relevant "
            "document, and both systems score 0 there; use judgments of other queries"
        )


def _check_missing_queries(
    diagnosis: Diagnosis, tested: Sequence[str], runs: tuple[Run, ...]
) -> None:
    """Raise ``DataError`` where a run lacks too many queries, or those that the other one has."""
    n_judged = diagnosis.qrels.n_queries
    n_both = len(set(tested).intersection(*(run.query_ids for run in runs)))
    answered = {quote(run.name): n_judged - run.n_missing for run in diagnosis.runs}
    if n_both <= MIN_ANSWERED * max(answered.values()):
        counts = " and ".join(f"{name} has {n:,}" for name, n in answered.items())
        raise DataError(
            f"{counts} of the judged queries, {n_both:,} of them in common: a run is not complete; "
            "nothing was tested"
        )
    if diagnosis.queries == "all" and n_both <= MIN_ANSWERED * n_judged:
        raise DataError(
            f"{n_both:,} of the {n_judged:,} judged queries are in both runs, which score 0 on "
            "those that they lack; use queries='common', or judgments of these queries only"
        )


def _check_constant_runs(table: ScoreTable) -> None:
    """Raise ``DataError`` where document ids alone order the documents of most queries."""
    assert table.diagnosis is not None
    if all(isinstance(measure, SetMeasure) for measure in parse_measures(table.measures)):
        return
    for run in table.diagnosis.runs:
        if run.n_constant > MIN_ANSWERED * run.n_queries:
            raise DataError(
                f"{quote(run.name)}: the documents of {run.n_constant:,} of {run.n_queries:,} "
                "queries have one score, which ranks nothing; nothing was tested"
            )


def _check_scores(
    system: str, measure: str, scores: NDArray[np.float64], bounds: tuple[float, float] | None
) -> None:
    """Raise ``DataError`` where scores are the same on all queries, or out of their bounds."""
    if not scores.any():
        raise DataError(
            f"{quote(system)} scores 0 on every query by {measure}: it may not have run, or its "
            "ids are not those of the judgments; nothing was tested"
        )
    highest = None if bounds is None else bounds[1]
    if scores.min() == scores.max() != highest:
        raise DataError(
            f"{quote(system)} scores {scores[0]:g} on every query by {measure}: it may not have "
            "run; nothing was tested"
        )
    if bounds is not None and (outside := find_outside(scores, bounds)).any():
        raise DataError(
            f"{quote(system)} scores {scores[outside][0]:g} on a query by {measure}, which is "
            f"between {bounds[0]:g} and {bounds[1]:g}; nothing was tested"
        )


def describe_identity(table: ScoreTable, runs: tuple[Run, ...]) -> str:
    """Return in which way both systems are the same; nothing if they differ."""
    old, new = map(quote, table.systems)
    if any(round_differences(*pair).any() for pair in table.values):
        return ""
    if runs:
        if runs[0].fingerprint == runs[1].fingerprint:
            digest = shorten_fingerprint(runs[0].fingerprint)
            return f"{old} and {new} are byte-identical ({digest})"
        if have_same_rankings(runs[0], runs[1], table.queries):
            return f"{old} and {new} have the same ranking on every query"
        return ""
    return f"{old} and {new} have the same score on every query"
